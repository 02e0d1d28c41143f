//! Symbolic transition systems: terms, evaluation, unrolling, transformations and exchange formats.

pub mod eval;
pub mod term;
pub mod transition_system;
