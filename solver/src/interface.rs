//! The interface between engines and solvers: assertions, queries under assumptions, and answers.

use system::term::{Term, Terms};
use system::transition_system::Reason;

use crate::model::Model;

/// Decides satisfiability of Boolean terms of one arena, incrementally.
///
/// All calls must be given the arena that made the terms. It may grow between calls.
pub trait Solver {
    /// Adds a Boolean term that every later model satisfies (until the scope that is open now is left).
    fn assert(&mut self, terms: &Terms, term: Term);

    /// Whether the assertions and the assumptions, Boolean terms, hold together under some valuation.
    ///
    /// `Unsat(core)`: the assertions exclude that all terms of `core` hold, and `core` is a subset of `assumptions`.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer<'_>;

    /// Lets every later query end as unknown after so many conflicts, if the solver counts them: unlike a limit on time, this
    /// makes no difference between fast and slow machines.
    fn limit_conflicts(&mut self, _limit: u32) {}

    /// How large all that was asserted and assumed is, if the solver counts that.
    fn size(&self) -> Option<FormulaSize> {
        None
    }
}

/// The size of a propositional formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormulaSize {
    /// Propositional variables.
    pub variables: usize,
    /// Clauses.
    pub clauses: usize,
}

/// Assertions that can be retracted, last in, first out.
pub trait Scopes: Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Leaves the scope that was opened last and forgets what was asserted in it; does nothing without an open scope.
    fn pop(&mut self);
}

/// What a solver says.
#[derive(Debug)]
pub enum Answer<'a> {
    /// Satisfiable, and how.
    Sat(Model<'a>),
    /// Unsatisfiable, and which assumptions are to blame.
    Unsat(&'a [Term]),
    /// Neither was found out.
    Unknown(Reason),
}

/// What an engine asks of a solver. It never changes answers, just how long they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Workload {
    /// Queries that need search, as of bounded model checking.
    #[default]
    LongQueries,
    /// Queries that need search, asked again and again with few more clauses, as of a refinement loop.
    Refinement,
    /// Thousands of queries that take milliseconds, as of IC3.
    ShortQueries,
}
