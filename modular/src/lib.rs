//! Proofs thread by thread.
//!
//! A proof has a set of states for each thread. That no run leaves them, and that none is bad, are Horn clauses over unknown relations; the
//! [rules](rules::Rule) differ in what a thread knows of the others. [`threads`] says which part of a system is whose.
//!
//! The rules and the engine that solves their clauses are those of Gupta, Popeea and Rybalchenko, *Predicate abstraction and refinement for
//! verifying multi-threaded programs*. The [`engine`] abstracts the states of each thread (`abstraction`) and finds those that the clauses
//! demand (`reachability`, with `simulation`, `steps` and `witnesses`). Where these admit a violation, or a variable has more values than in runs
//! (`samples`, `liveness`), it finds out what the abstraction lacks (`derivation`, with terms of `vocabulary`); `search` does both in turn.
//! [`guarantees`] says what threads do with conditions that others rely on.

mod abstraction;
mod alike;
mod context;
mod counting;
mod derivation;
pub mod engine;
mod guarantees;
mod invariant;
mod liveness;
mod moves;
mod reachability;
pub mod rules;
mod samples;
mod search;
mod simulation;
mod steps;
#[cfg(test)]
mod testing;
pub mod threads;
mod vocabulary;
mod witnesses;

pub use counting::{Count, Counting, Kind, counting};
pub use engine::{Modular, Options, Statistics};
pub use guarantees::{Guarantee, guarantees};
pub use rules::{Rule, clauses};
pub use threads::{Family, Move, Thread, ThreadedSystem};
