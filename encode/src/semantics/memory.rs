//! What statements read and write beside registers.

use std::fmt::Debug;

use system::term::{Term, Terms};

use super::path::{Path, Variable};

/// Holds the variables that threads share: cells of objects, and what is known of the lives of objects and of threads. The meaning
/// of statements asks nothing else of it, so that a state, or events that are ordered later, may stand behind it.
pub trait Memory: Debug {
    /// What a variable holds where no path has written it.
    fn before(&self, terms: &mut Terms, variable: Variable) -> Term;

    /// What a variable holds on a path.
    fn read(&self, terms: &mut Terms, path: &Path, variable: Variable) -> Term {
        let written = path.written().get(&variable).copied();
        written.unwrap_or_else(|| self.before(terms, variable))
    }

    /// Lets a variable hold another value from here on.
    fn write(&self, path: &mut Path, variable: Variable, value: Term) {
        path.set(variable, value);
    }
}
