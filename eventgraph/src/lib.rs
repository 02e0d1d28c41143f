//! Partial-order bounded model checking over event order graphs (Yogar-CBMC).

mod abstraction;
mod candidates;
mod engine;
mod event;
mod execution;
mod graph;
mod loops;
mod memory;
mod order;
mod schedule;
mod unwinding;

pub use engine::{Engine, Options, Outcome, Refutation, Scheduling, Statistics};
