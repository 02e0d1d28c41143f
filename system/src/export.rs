//! Exchange formats: systems as text and back.
//!
//! | format | print | parse |
//! |---|---|---|
//! | SMT-LIB 2 terms | [`smt_lib`] | with VMT |
//! | BTOR2 | [`btor2::print`] | [`btor2::parse`] |
//! | VMT | [`vmt::print`] | [`vmt::parse`] |
//! | Horn clauses | [`chc::print`] | |

pub mod btor2;
pub mod chc;
mod equations;
mod names;
mod s_expression;
pub mod smt_lib;
mod smt_operators;
pub mod vmt;

/// Why a text is no system: where, what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {cause}; {remedy}")]
pub struct ParseError {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong there.
    pub cause: String,
    /// What would be right, or how to get there.
    pub remedy: &'static str,
}
