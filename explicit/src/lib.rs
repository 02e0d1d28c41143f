//! The concrete semantics: what every statement of a program does to a state, and exhaustive search with it.
//!
//! [`interpret`] is the reference that everything else is tested against. [`explore`] searches all interleavings with it,
//! as an oracle and as an engine.

pub mod explore;
pub mod interpret;
