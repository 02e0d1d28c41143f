//! The steps of a system, for a solver.

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Backend, Measured, QueryStatistics, Workload};
use system::budget::Budget;
use system::term::{Sort, Term, Terms};
use system::transition_system::TransitionSystem;

use crate::context::Context;
use crate::moves::Moves;

/// What stands for parts of the steps in formulas, whatever the precision.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// Assumed where a state is initial.
    pub(crate) initial: Term,
    /// Assumed where a property is violated.
    pub(crate) bad: Term,
    /// By move: assumed where it is made.
    pub(crate) moves: Vec<Term>,
    /// By thread: assumed where its state after a move was not found.
    pub(crate) missing: Vec<Term>,
    /// By terms over the state: what they are after a move.
    after: FxHashMap<Term, Term>,
}

impl Symbols {
    pub(crate) fn new(threads: usize, terms: &mut Terms, moves: &Moves) -> Self {
        let mut symbol = |name: &str| terms.symbol(name, Sort::Bool);
        Self {
            initial: symbol("initial"),
            bad: symbol("bad"),
            moves: moves.all().map(|_| symbol("move")).collect(),
            missing: (0..threads).map(|_| symbol("missing")).collect(),
            after: FxHashMap::default(),
        }
    }

    /// What a term is after a move.
    pub(crate) fn after(&mut self, terms: &mut Terms, term: Term) -> Term {
        let after = self.after.entry(term);
        *after.or_insert_with(|| terms.symbol("after", terms.sort(term)))
    }
}

/// The steps of a system for a solver.
pub(crate) struct Steps {
    solver: Measured,
    /// Terms of which the solver knows what they are after each move.
    followed: FxHashSet<Term>,
}

impl Steps {
    pub(crate) fn new(
        system: &TransitionSystem,
        context: &mut Context<'_>,
        (backend, budget): (Backend, &Budget),
    ) -> Self {
        let Context {
            terms,
            moves,
            symbols,
            ..
        } = context;
        let mut steps = Self {
            solver: Measured::new(backend.solver(budget, Workload::Refinement)),
            followed: FxHashSet::default(),
        };
        for &constraint in &system.invariant_constraints {
            steps.solver.assert(terms, constraint);
        }
        for formula in system.initial(terms) {
            steps.imply(terms, symbols.initial, formula);
        }
        let some_bad = terms.or_all(system.properties.iter().map(|property| property.bad));
        steps.imply(terms, symbols.bad, some_bad);
        for id in moves.all() {
            steps.imply(terms, symbols.moves[id.0], moves.guard(id));
        }
        steps
    }

    /// Tells the solver what a term is after each move.
    pub(crate) fn follow(&mut self, context: &mut Context<'_>, term: Term) {
        if !self.followed.insert(term) {
            return;
        }
        let Context {
            terms,
            moves,
            symbols,
            ..
        } = context;
        let after = symbols.after(terms, term);
        let unchanged = terms.equal(after, term);
        self.imply(terms, symbols.initial, unchanged);
        for id in moves.all() {
            let value = moves.after(terms, id, term);
            let changed = terms.equal(after, value);
            self.imply(terms, symbols.moves[id.0], changed);
        }
    }

    /// A symbol that implies a formula.
    pub(crate) fn implying(&mut self, terms: &mut Terms, name: &str, formula: Term) -> Term {
        let symbol = terms.symbol(name, Sort::Bool);
        self.imply(terms, symbol, formula);
        symbol
    }

    /// Lets a formula hold if a symbol does.
    fn imply(&mut self, terms: &mut Terms, symbol: Term, formula: Term) {
        let implication = terms.implies(symbol, formula);
        self.solver.assert(terms, implication);
    }

    /// Lets a formula hold.
    pub(crate) fn assert(&mut self, terms: &Terms, formula: Term) {
        self.solver.assert(terms, formula);
    }

    /// Asks whether there is a state, and possibly a step, with what is assumed.
    pub(crate) fn check<'b>(
        &'b mut self,
        name: &'static str,
        terms: &'b Terms,
        assumptions: &[Term],
    ) -> Answer<'b> {
        self.solver.check(name, terms, assumptions)
    }

    pub(crate) fn statistics(&self) -> &QueryStatistics {
        self.solver.statistics()
    }
}
