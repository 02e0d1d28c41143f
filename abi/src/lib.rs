//! What instrumented code, encoder and runtime agree on.
//!
//! * [`functions`]: the one table of library functions, name to [`functions::Effect`];
//! * [`markers`]: the calls that `instrument` inserts;
//! * [`ids`]: the numbers that travel between the parts;
//! * [`schedule`]: a run of a program as a printable, replayable value.

pub mod functions;
pub mod ids;
pub mod markers;
pub mod schedule;
