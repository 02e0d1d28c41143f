//! Symbolic transition systems: terms, evaluation, walks, unrolling, transformations and exchange formats; Horn clauses; and the
//! budgets of engines.

pub mod budget;
pub mod eval;
pub mod export;
pub mod horn;
pub mod term;
#[doc(hidden)]
pub mod testing;
pub mod transform;
pub mod transition_system;
pub mod unroll;
pub mod walk;
