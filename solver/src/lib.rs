//! Satisfiability of terms.
//!
//! [`Solver`] is the narrow interface that engines use; [`Scopes`] adds retractable assertions. Answers have three values
//! and borrow from the solver: a model or a core is valid until the solver is used again, and an [`Answer::Unknown`]
//! carries its reason, so that an engine that gives up can say why. Two backends implement it: [`bitblast::BitBlaster`]
//! over a SAT solver and [`z3::Z3`].

pub mod bitblast;
mod statistics;
pub mod z3;

use rustc_hash::{FxHashMap, FxHashSet};
use system::eval::Evaluator;
use system::term::{Term, Terms, Value};
use system::transition_system::Reason;

pub use statistics::{Measured, QueryCounts, QueryStatistics};
use system::budget::Budget;

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

/// A valuation that satisfies assertions and assumptions.
pub struct Model<'a> {
    source: &'a mut dyn Valuation,
}

/// The valuation behind a model, as a backend stores it.
pub trait Valuation {
    /// The value of a term, if it can be looked up. Variables always have one; those that no assertion mentions are zero.
    fn lookup(&mut self, terms: &Terms, term: Term) -> Option<Value>;
}

impl std::fmt::Debug for Model<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Model")
    }
}

impl<'a> Model<'a> {
    /// The model of a backend.
    pub fn new(source: &'a mut dyn Valuation) -> Self {
        Self { source }
    }

    /// The value of any term.
    pub fn value(&mut self, terms: &Terms, term: Term) -> Value {
        match self.source.lookup(terms, term) {
            Some(value) => value,
            None => self.evaluator(terms, &[term]).value(terms, term),
        }
    }

    /// The values of many terms, which may be of any size: every shared subterm is evaluated once.
    pub fn values(&mut self, terms: &Terms, roots: &[Term]) -> Vec<Value> {
        let mut evaluator = self.evaluator(terms, roots);
        roots
            .iter()
            .map(|&root| evaluator.value(terms, root))
            .collect()
    }

    /// Whether a Boolean term holds.
    pub fn holds(&mut self, terms: &Terms, term: Term) -> bool {
        self.value(terms, term) == Value::Bool(true)
    }

    /// Knows the topmost subterms of `roots` that can be looked up.
    fn evaluator(&mut self, terms: &Terms, roots: &[Term]) -> Evaluator {
        let mut known = FxHashMap::default();
        let mut met = FxHashSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if met.insert(term) {
                match self.source.lookup(terms, term) {
                    Some(value) => drop(known.insert(term, value)),
                    None => open.extend(terms.node(term).operands()),
                }
            }
        }
        Evaluator::new(known)
    }
}

/// What an engine asks of a solver. It never changes answers, just how long they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Workload {
    /// Queries that need search, as of bounded model checking.
    #[default]
    LongQueries,
    /// Thousands of queries that take milliseconds, as of IC3.
    ShortQueries,
}

/// Which solver to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// Our translation to clauses, and CaDiCaL.
    #[default]
    BitBlasting,
    /// Z3.
    Z3,
}

impl Backend {
    /// Both.
    pub const ALL: [Self; 2] = [Self::BitBlasting, Self::Z3];

    /// An empty solver that answers unknown once the budget is exhausted.
    pub fn solver(self, budget: &Budget, workload: Workload) -> Box<dyn Scopes> {
        match self {
            Self::BitBlasting => Box::new(bitblast::BitBlaster::new(budget, workload)),
            Self::Z3 => Box::new(z3::Z3::new(budget)),
        }
    }
}
