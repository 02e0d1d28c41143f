//! What instrumented code, encoder and runtime agree on.
//!
//! * [`cancellation`]: which library functions act upon requests to cancel a thread;
//! * [`functions`]: the one table of library functions, name to [`functions::Effect`];
//! * [`markers`]: the calls that `instrument` inserts;
//! * [`mutex`]: how a mutex lies in memory;
//! * [`ids`]: the numbers that travel between the parts;
//! * [`schedule`]: a run of a program as a printable, replayable value;
//! * [`turns`]: the same for a native run, which only its yields control;
//! * [`native`]: what a native run is told and what it reports;
//! * [`text`]: names and messages from outside, made printable.

pub mod cancellation;
mod effect;
mod function_table;
pub mod functions;
pub mod ids;
pub mod markers;
pub mod mutex;
pub mod native;
pub mod schedule;
pub mod text;
pub mod turns;
