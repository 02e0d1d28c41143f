//! The project's own decision procedure: terms become gates, gates become clauses, and CaDiCaL solves them.
//!
//! Everything is incremental and done once: a term is translated when it is first asserted or assumed, its gates are
//! shared with all earlier terms, and learnt clauses stay. The steps are `translate` (terms to words of gates, with the
//! circuits of `words`), `aig` (structural hashing and simplification) and `clauses`.

mod aig;
mod clauses;
mod translate;
mod words;

use cadical_sys::Status;
use rustc_hash::FxHashSet;
use system::term::{Node, Sort, Term, Terms, Value};
use system::transition_system::Reason;

use self::aig::{Aig, Literal};
use self::clauses::{Clauses, Lit};
use self::translate::Translation;
use crate::interface::{Answer, FormulaSize, Scopes, Solver, Workload};
use crate::model::{Model, Valuation};
use system::budget::Budget;

/// The bit-blasting solver.
pub struct BitBlaster {
    aig: Aig,
    translation: Translation,
    clauses: Clauses,
    /// Assumed while the scope is open; its assertions hold if it does.
    scopes: Vec<Lit>,
    budget: Budget,
    /// Why the clauses are incomplete, once they are: no answer is given any more.
    incomplete: Option<Reason>,
    core: Vec<Term>,
    values: GateValues,
}

impl BitBlaster {
    /// An empty solver that answers unknown once the budget is exhausted.
    pub fn new(budget: &Budget, workload: Workload) -> Self {
        Self {
            aig: Aig::default(),
            translation: Translation::default(),
            clauses: Clauses::new(budget, workload),
            scopes: Vec::new(),
            budget: budget.clone(),
            incomplete: None,
            core: Vec::new(),
            values: GateValues::default(),
        }
    }

    /// The gate of a Boolean term; `None` if the budget ran out before it was built.
    fn literal(&mut self, terms: &Terms, term: Term) -> Option<Literal> {
        debug_assert_eq!(terms.sort(term), Sort::Bool);
        let budget = &self.budget;
        if !self
            .translation
            .translate(&mut self.aig, terms, term, || budget.exhausted().is_some())
        {
            self.incomplete = Some(self.interrupted());
        }
        self.translation.word(terms, term).map(|word| word[0])
    }

    /// The literals of the assumptions that are not constant, each once with its term, or one that is false.
    fn assume(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Vec<(Lit, Term)>, Term> {
        let mut assumed: Vec<(Lit, Term)> = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            match self.literal(terms, assumption) {
                Some(Literal::FALSE) => return Err(assumption),
                Some(Literal::TRUE) | None => {}
                Some(literal) => {
                    assumed.push((self.clauses.literal(&self.aig, literal), assumption))
                }
            }
        }
        Ok(assumed)
    }

    fn unsat(&mut self, assumed: &[(Lit, Term)]) -> Answer<'_> {
        self.core.clear();
        let mut blamed = FxHashSet::default();
        for &(literal, term) in assumed {
            // One term is enough where two assumptions are the same literal.
            if self.clauses.is_blamed(literal) && blamed.insert(literal) {
                self.core.push(term);
            }
        }
        Answer::Unsat(&self.core)
    }

    fn interrupted(&self) -> Reason {
        self.budget
            .exhausted()
            .unwrap_or_else(|| Reason::Solver("interrupted".to_owned()))
    }
}

impl Solver for BitBlaster {
    fn assert(&mut self, terms: &Terms, term: Term) {
        if let Some(literal) = self.literal(terms, term) {
            let unless = self.scopes.last().map(|scope| -scope);
            self.clauses.assert(&self.aig, literal, unless);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer<'_> {
        let assumed = match self.assume(terms, assumptions) {
            Ok(assumed) => assumed,
            Err(never) => {
                self.core = vec![never];
                return Answer::Unsat(&self.core);
            }
        };
        if let Some(reason) = self.incomplete.clone().or_else(|| self.budget.exhausted()) {
            return Answer::Unknown(reason);
        }
        let literals: Vec<Lit> = self
            .scopes
            .iter()
            .copied()
            .chain(assumed.iter().map(|(literal, _)| *literal))
            .collect();
        match self.clauses.solve(&literals) {
            Status::SATISFIABLE => {
                self.values.forget(self.aig.size());
                Answer::Sat(Model::new(self))
            }
            Status::UNSATISFIABLE => self.unsat(&assumed),
            Status::UNKNOWN => Answer::Unknown(self.interrupted()),
        }
    }

    fn limit_conflicts(&mut self, limit: u32) {
        self.clauses.limit_conflicts(limit);
    }

    fn size(&self) -> Option<FormulaSize> {
        Some(self.clauses.size())
    }
}

impl Scopes for BitBlaster {
    fn push(&mut self) {
        let scope = self.clauses.fresh();
        self.scopes.push(scope);
    }

    fn pop(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.clauses.add(&[-scope]);
        }
    }
}

impl Valuation for BitBlaster {
    fn lookup(&mut self, terms: &Terms, term: Term) -> Option<Value> {
        let Some(word) = self.translation.word(terms, term) else {
            return matches!(terms.node(term), Node::Symbol(_))
                .then(|| Value::zero(terms.sort(term)));
        };
        let mut bit = |literal: &Literal| self.values.value(&self.aig, &mut self.clauses, *literal);
        Some(match terms.sort(term) {
            Sort::Bool => Value::Bool(bit(&word[0])),
            Sort::BitVec(width) => Value::BitVec(
                width,
                word.iter()
                    .rev()
                    .fold(0, |value, literal| value << 1 | u128::from(bit(literal))),
            ),
        })
    }
}

/// The values of gates in the current model. Gates without variable are evaluated, each once per model.
#[derive(Default)]
struct GateValues {
    model: u32,
    /// By gate: number of the model for which the value is known, and the value in the lowest bit.
    known: Vec<u32>,
}

impl GateValues {
    /// Starts a new model of a graph with `gates` gates.
    fn forget(&mut self, gates: usize) {
        self.model = (self.model + 1) & (u32::MAX >> 1);
        if self.model == 0 {
            self.known.clear();
            self.model = 1;
        }
        self.known.resize(gates, 0);
    }

    fn value(&mut self, aig: &Aig, clauses: &mut Clauses, literal: Literal) -> bool {
        let mut open = vec![literal.gate()];
        while let Some(&gate) = open.last() {
            let before = open.len();
            if self.is_unknown(gate) {
                let solved = clauses.value(gate);
                if solved.is_none() {
                    let operands = aig.gate(gate).operands().map(Literal::gate);
                    open.extend(operands.filter(|&operand| self.is_unknown(operand)));
                }
                if open.len() > before {
                    continue;
                }
                // An input that no clause mentions may have any value.
                let value = solved
                    .or_else(|| aig.gate(gate).evaluate(|operand| self.get(operand)))
                    .unwrap_or(false);
                self.known[gate] = self.model << 1 | u32::from(value);
            }
            open.pop();
        }
        self.get(literal)
    }

    fn is_unknown(&self, gate: usize) -> bool {
        self.known[gate] >> 1 != self.model
    }

    fn get(&self, literal: Literal) -> bool {
        (self.known[literal.gate()] & 1 == 1) != literal.is_complemented()
    }
}
