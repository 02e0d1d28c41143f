//! Partial-order bounded model checking over event order graphs.
//!
//! The method is that of Yogar-CBMC: threads are unwound and executed symbolically, each by itself; a formula says that every read of a
//! shared variable reads from some write; and models in which the events have no order are excluded. `docs/eventgraph.md` explains it.
//!
//! The way through the crate: `loops` unwinds automata, `widths` says how many bits of variables count, `memory` and `execution` execute one
//! thread along its unwinding, without rounds of loops that change nothing (`progress`), and `unwinding` all threads; the result are the
//! events of `event`. `candidates` says which writes a read may read from, `sums` what needs no such thing, `abstraction` makes the formula
//! and `order` adds what the order of events demands. `graph` finds out whether the events of a model have an order and why not. `search`
//! asks whether a run comes to some ends, the refinement loop. `schedule` makes a schedule of its order. [`Engine`] asks, and unwinds
//! further. A [`Claim`] is what is kept of a proof.

mod abstraction;
mod candidates;
mod claim;
mod engine;
mod event;
mod exclusion;
mod execution;
mod graph;
mod loops;
mod memory;
mod order;
mod progress;
mod schedule;
mod search;
mod sums;
mod unwinding;
mod widths;

pub use claim::{Claim, ClaimError};
pub use engine::{Engine, Options, Outcome, Scheduling, Searched, Statistics};
pub use schedule::ScheduleError;
pub use search::Refutation;
