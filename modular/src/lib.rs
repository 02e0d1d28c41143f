//! Proofs thread by thread.
//!
//! A proof has a set of states for each thread. That no run leaves them, and that none is bad, are Horn clauses over unknown relations; the
//! [rules](rules::Rule) differ in what a thread knows of the others. [`threads`] says which part of a system is whose.
//!
//! The rules are those of Gupta, Popeea and Rybalchenko, *Predicate abstraction and refinement for verifying multi-threaded programs*.

pub mod rules;
pub mod threads;

pub use rules::{Rule, clauses};
pub use threads::{Move, ThreadedSystem};
