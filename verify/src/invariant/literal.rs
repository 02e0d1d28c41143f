//! The parts of clauses.

use system::term::Term;

/// A formula, or its negation.
pub(super) type Literal = (Term, bool);
