//! The Z3 backend.
//!
//! Scopes and assumptions are literals: Z3 sees one growing set of assertions, which it preprocesses incrementally.
//! Z3's context belongs to the thread, so a solver must stay on the thread that made it.

mod translate;

use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Node, Term, Terms, Value};
use system::transition_system::Reason;
use z3::ast::Bool;
use z3::{Context, Params, SatResult};

use self::translate::Translation;
use crate::interface::{Answer, Scopes, Solver};
use crate::model::{Model, Valuation};
use system::budget::Budget;

/// How often a running query looks at the budget.
const POLL: Duration = Duration::from_millis(20);

/// Z3 for quantifier-free formulas over bit-vectors.
pub struct Z3 {
    solver: z3::Solver,
    translation: Translation,
    /// Fresh literals that imply the assumed terms. Z3 accepts variables as assumptions as they are, but version 4.8.12
    /// then leaves some out of cores when two assumptions contradict each other.
    indicators: FxHashMap<Term, Bool>,
    /// Assumed while the scope is open; its assertions hold if it does.
    scopes: Vec<Bool>,
    budget: Budget,
    core: Vec<Term>,
    model: Option<z3::Model>,
}

impl Z3 {
    /// An empty solver that answers unknown once the budget is exhausted.
    pub fn new(budget: &Budget) -> Self {
        let solver = z3::Solver::new_for_logic("QF_BV").unwrap_or_default();
        let mut parameters = Params::new();
        // Interrupts of the user are for the whole program, not for one query.
        parameters.set_bool("ctrl_c", false);
        solver.set_params(&parameters);
        Self {
            solver,
            translation: Translation::default(),
            indicators: FxHashMap::default(),
            scopes: Vec::new(),
            budget: budget.clone(),
            core: Vec::new(),
            model: None,
        }
    }

    /// A literal that holds only if the term does.
    fn indicator(&mut self, terms: &Terms, term: Term) -> Bool {
        let expression = self.translation.boolean(terms, term);
        let solver = &self.solver;
        let implies = || {
            let indicator = Bool::fresh_const("assumed");
            solver.assert(indicator.implies(&expression));
            indicator
        };
        self.indicators.entry(term).or_insert_with(implies).clone()
    }

    fn unsat(&mut self, assumptions: &[Term], indicators: &[Bool]) -> Answer<'_> {
        let mut blamed: FxHashSet<Bool> = self.solver.get_unsat_core().into_iter().collect();
        self.core.clear();
        // Removing what was found leaves one term where an assumption is given twice.
        let to_blame = assumptions
            .iter()
            .zip(indicators)
            .filter(|(_, indicator)| blamed.remove(indicator));
        self.core.extend(to_blame.map(|(term, _)| *term));
        Answer::Unsat(&self.core)
    }

    fn unknown(&self) -> Answer<'_> {
        let reason = || Reason::Solver(self.solver.get_reason_unknown().unwrap_or_default());
        Answer::Unknown(self.budget.exhausted().unwrap_or_else(reason))
    }
}

impl Solver for Z3 {
    fn assert(&mut self, terms: &Terms, term: Term) {
        let expression = self.translation.boolean(terms, term);
        match self.scopes.last() {
            Some(scope) => self.solver.assert(scope.implies(&expression)),
            None => self.solver.assert(&expression),
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer<'_> {
        if let Some(reason) = self.budget.exhausted() {
            return Answer::Unknown(reason);
        }
        let mut assumed: Vec<Bool> = assumptions
            .iter()
            .map(|&assumption| self.indicator(terms, assumption))
            .collect();
        assumed.extend(self.scopes.iter().cloned());
        match under_watch(&self.budget, || self.solver.check_assumptions(&assumed)) {
            Ok(SatResult::Sat) => {
                self.model = self.solver.get_model();
                match self.model {
                    Some(_) => Answer::Sat(Model::new(self)),
                    None => Answer::Unknown(Reason::Solver("Z3 has no model".to_owned())),
                }
            }
            Ok(SatResult::Unsat) => self.unsat(assumptions, &assumed),
            Ok(SatResult::Unknown) => self.unknown(),
            Err(error) => Answer::Unknown(Reason::Solver(error.to_string())),
        }
    }
}

impl Scopes for Z3 {
    fn push(&mut self) {
        self.scopes.push(Bool::fresh_const("scope"));
    }

    fn pop(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.solver.assert(scope.not());
        }
    }
}

impl Valuation for Z3 {
    /// Only variables: Z3 would evaluate every term from scratch.
    fn lookup(&mut self, terms: &Terms, term: Term) -> Option<Value> {
        match terms.node(term) {
            Node::Constant(value) => return Some(value),
            Node::Symbol(_) => {}
            Node::Unary(..)
            | Node::Binary(..)
            | Node::Ite(..)
            | Node::Extract { .. }
            | Node::ZeroExtend(..)
            | Node::SignExtend(..) => return None,
        }
        let known = self
            .model
            .as_ref()
            .and_then(|model| self.translation.value(model, term));
        Some(known.unwrap_or_else(|| Value::zero(terms.sort(term))))
    }
}

/// Runs a query of this thread's context and interrupts it when the budget is exhausted.
fn under_watch<T>(budget: &Budget, query: impl FnOnce() -> T) -> io::Result<T> {
    let context = Context::thread_local();
    let handle = context.handle();
    let (finished, wake) = (Mutex::new(false), Condvar::new());
    let watch = || {
        let mut guard = finished.lock().unwrap_or_else(PoisonError::into_inner);
        while !*guard {
            // The query is still running, because it takes the lock to say that it is not.
            if budget.exhausted().is_some() {
                handle.interrupt();
            }
            guard = wake
                .wait_timeout(guard, POLL)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    };
    thread::scope(|scope| {
        thread::Builder::new().spawn_scoped(scope, watch)?;
        let result = query();
        *finished.lock().unwrap_or_else(PoisonError::into_inner) = true;
        wake.notify_one();
        Ok(result)
    })
}
