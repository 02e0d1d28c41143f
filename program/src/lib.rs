//! The model of programs, with the analyses and transformations that every program goes through before verification. No
//! LLVM and no solver.
//!
//! [`model::Program`] is a control-flow automaton for each thread template; [`threads`] enumerates its
//! [`model::Instances`] within the bounds. The other modules are data-flow analyses and transformations of it.

mod address_arithmetic;
pub mod automaton;
pub mod builder;
pub mod check;
pub mod dataflow;
pub mod layout;
pub mod leaks;
pub mod lifetimes;
pub mod model;
pub mod names;
mod operators;
pub mod points_to;
pub mod print;
pub mod threads;
