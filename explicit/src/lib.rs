//! The concrete semantics: the effect of every statement of a program on a state, and exhaustive search.
//!
//! [`interpret`] is the reference against which all other code is tested. [`explore`] searches all interleavings with
//! it, as an oracle and as an engine. Both look only at values that a program can tell apart (`observed`).

pub mod explore;
pub mod interpret;
mod observed;

pub use observed::Distinctions;
