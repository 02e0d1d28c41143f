//! From gates to clauses, and the SAT solver that holds them.
//!
//! A gate gets a variable and its clauses when a clause or an assumption first mentions it (Tseitin's transformation,
//! both directions, so that the value of the variable is the value of the gate in every model). A tree of conjunctions
//! that nothing else uses becomes one gate of many inputs.

use rustc_hash::FxHashSet;
use rustsat::solvers::{
    ControlSignal, LimitConflicts, Solve, SolveIncremental, SolverResult, Terminate,
};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::CaDiCaL;

use super::aig::{Aig, Gate, Literal};
use crate::interface::{FormulaSize, Workload};
use system::budget::Budget;

/// The clauses of the gates met so far.
pub struct Clauses {
    solver: CaDiCaL<'static, 'static>,
    /// By gate: its variable, or [`ABSENT`].
    variables: Vec<u32>,
    next_variable: u32,
    /// How many clauses the solver was given.
    added: usize,
    /// Gates that have a variable and no clauses yet.
    undefined: Vec<usize>,
    clause: Vec<Lit>,
    conjuncts: Vec<Literal>,
    /// What the solver complained of; from then on its state means nothing.
    failure: Option<String>,
    budget: Budget,
    most_conflicts: Option<u32>,
}

const ABSENT: u32 = u32::MAX;

/// What the solver does before and between searches to make long ones shorter, as far as the workload makes it not worth it.
fn skipped(workload: Workload) -> &'static [&'static str] {
    match workload {
        Workload::LongQueries => &[],
        // It tries whole assignments that are easy to describe at the start of each query, which takes most of the time of short ones.
        Workload::Refinement => &["lucky"],
        Workload::ShortQueries => &["elim", "probe", "subsume", "vivify", "walk", "lucky"],
    }
}

impl Clauses {
    /// No clauses; solving stops when the budget is exhausted.
    pub fn new(budget: &Budget, workload: Workload) -> Self {
        let mut solver = CaDiCaL::default();
        let mut failure = None;
        for name in skipped(workload) {
            if let Err(error) = solver.set_option(name, 0) {
                failure = Some(error.to_string());
            }
        }
        let terminator = budget.clone();
        solver.attach_terminator(move || match terminator.exhausted() {
            Some(_) => ControlSignal::Terminate,
            None => ControlSignal::Continue,
        });
        Self {
            solver,
            variables: Vec::new(),
            next_variable: 0,
            added: 0,
            undefined: Vec::new(),
            clause: Vec::new(),
            conjuncts: Vec::new(),
            failure,
            budget: budget.clone(),
            most_conflicts: None,
        }
    }

    /// Limits the conflicts of each later search.
    pub fn limit_conflicts(&mut self, limit: u32) {
        self.most_conflicts = Some(limit);
    }

    /// A literal that no gate stands for.
    pub fn fresh(&mut self) -> Lit {
        self.next_variable += 1;
        Lit::positive(self.next_variable - 1)
    }

    /// Adds the constraint that `literal` holds unless `unless` does.
    pub fn assert(&mut self, aig: &Aig, literal: Literal, unless: Option<Lit>) {
        if literal == Literal::TRUE {
            return;
        }
        if literal == Literal::FALSE {
            return self.add(unless.as_slice());
        }
        let conjunction = matches!(aig.gate(literal.gate()), Gate::And(..));
        let mut parts = std::mem::take(&mut self.conjuncts);
        if conjunction {
            self.collect_conjuncts(aig, literal.gate(), &mut parts);
        }
        match (conjunction, literal.is_complemented()) {
            (true, false) => {
                for &part in &parts {
                    self.assert_disjunction(aig, &[part], unless);
                }
            }
            (true, true) => {
                parts.iter_mut().for_each(|part| *part = !*part);
                self.assert_disjunction(aig, &parts, unless);
            }
            (false, _) => self.assert_disjunction(aig, &[literal], unless),
        }
        self.conjuncts = parts;
    }

    /// The literal of a gate that is no constant, with the clauses of everything it depends on.
    pub fn literal(&mut self, aig: &Aig, literal: Literal) -> Lit {
        let result = self.reference(literal);
        self.define_pending(aig);
        result
    }

    /// Adds a clause to the solver.
    pub fn add(&mut self, clause: &[Lit]) {
        self.added += 1;
        if let Err(error) = self.solver.add_clause_ref(clause) {
            self.failure = Some(error.to_string());
        }
    }

    /// Solves, unless the budget ran out before all clauses were there. An error says why there is no answer and is final.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<SolverResult, String> {
        if !self.undefined.is_empty() {
            return Ok(SolverResult::Interrupted);
        }
        if self.failure.is_none() {
            // The solver forgets the limit with each search.
            let limited = self.solver.limit_conflicts(self.most_conflicts);
            match limited.and_then(|()| self.solver.solve_assumps(assumptions)) {
                Ok(result) => return Ok(result),
                Err(error) => self.failure = Some(error.to_string()),
            }
        }
        Err(self.failure.clone().unwrap_or_default())
    }

    /// After an unsatisfiable query: the assumptions to blame.
    pub fn core(&mut self) -> Result<FxHashSet<Lit>, String> {
        let core = self.solver.core().map_err(|error| error.to_string())?;
        Ok(core.into_iter().map(|literal| !literal).collect())
    }

    /// After a satisfiable query: the value of a gate, if it has a variable.
    pub fn value(&self, gate: usize) -> Option<bool> {
        let variable = *self
            .variables
            .get(gate)
            .filter(|variable| **variable != ABSENT)?;
        match self.solver.lit_val(Lit::positive(variable)) {
            Ok(TernaryVal::True) => Some(true),
            Ok(TernaryVal::False | TernaryVal::DontCare) | Err(_) => Some(false),
        }
    }

    /// What the solver was given.
    pub fn size(&self) -> FormulaSize {
        FormulaSize {
            variables: self.next_variable as usize,
            clauses: self.added,
        }
    }

    fn assert_disjunction(&mut self, aig: &Aig, parts: &[Literal], unless: Option<Lit>) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(unless);
        for &part in parts {
            clause.push(self.reference(part));
        }
        self.add(&clause);
        self.clause = clause;
        self.define_pending(aig);
    }

    /// The solver's literal for a gate; the gate's clauses follow in [`Clauses::define_pending`].
    fn reference(&mut self, literal: Literal) -> Lit {
        let gate = literal.gate();
        if gate >= self.variables.len() {
            self.variables
                .resize((gate + 1).max(2 * self.variables.len()), ABSENT);
        }
        if self.variables[gate] == ABSENT {
            self.variables[gate] = self.next_variable;
            self.next_variable += 1;
            self.undefined.push(gate);
        }
        Lit::new(self.variables[gate], literal.is_complemented())
    }

    /// Adds the clauses of all gates that have none; leaves some out when the budget is exhausted.
    fn define_pending(&mut self, aig: &Aig) {
        let mut defined = 0u32;
        while let Some(gate) = self.undefined.pop() {
            defined += 1;
            if defined.is_multiple_of(4096) && self.budget.exhausted().is_some() {
                return self.undefined.push(gate);
            }
            let output = self.reference(Literal::new(gate, false));
            match aig.gate(gate) {
                Gate::Constant => self.add(&[!output]),
                Gate::Input => {}
                Gate::And(..) => self.define_and(aig, gate, output),
                Gate::Xor(a, b) => self.define_xor(output, a, b),
                Gate::Ite(c, a, b) => self.define_ite(output, c, a, b),
                Gate::Majority(a, b, c) => self.define_majority(output, a, b, c),
            }
        }
    }

    fn define_and(&mut self, aig: &Aig, gate: usize, output: Lit) {
        let mut parts = std::mem::take(&mut self.conjuncts);
        self.collect_conjuncts(aig, gate, &mut parts);
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.push(output);
        for &part in &parts {
            let part = self.reference(part);
            self.add(&[!output, part]);
            clause.push(!part);
        }
        self.add(&clause);
        self.clause = clause;
        self.conjuncts = parts;
    }

    fn define_xor(&mut self, output: Lit, a: Literal, b: Literal) {
        let (a, b) = (self.reference(a), self.reference(b));
        self.add(&[!output, a, b]);
        self.add(&[!output, !a, !b]);
        self.add(&[output, !a, b]);
        self.add(&[output, a, !b]);
    }

    /// Without the two implied clauses for equal branches: measured, they cost more than their propagations save.
    fn define_ite(&mut self, output: Lit, condition: Literal, then: Literal, otherwise: Literal) {
        let (c, a, b) = (
            self.reference(condition),
            self.reference(then),
            self.reference(otherwise),
        );
        self.add(&[!c, !a, output]);
        self.add(&[!c, a, !output]);
        self.add(&[c, !b, output]);
        self.add(&[c, b, !output]);
    }

    fn define_majority(&mut self, output: Lit, a: Literal, b: Literal, c: Literal) {
        let operands = [self.reference(a), self.reference(b), self.reference(c)];
        for (x, y) in [(0, 1), (0, 2), (1, 2)] {
            self.add(&[!operands[x], !operands[y], output]);
            self.add(&[operands[x], operands[y], !output]);
        }
    }

    /// The operands of the tree of conjunctions below `root`; a gate that others use, or that has a variable, is a leaf.
    fn collect_conjuncts(&self, aig: &Aig, root: usize, parts: &mut Vec<Literal>) {
        parts.clear();
        parts.push(Literal::new(root, false));
        let mut next = 0;
        while let Some(&part) = parts.get(next) {
            let gate = part.gate();
            let has_variable = self
                .variables
                .get(gate)
                .is_some_and(|variable| *variable != ABSENT);
            let inner = gate == root || aig.is_used_once(gate) && !has_variable;
            match aig.gate(gate) {
                Gate::And(a, b) if inner && !part.is_complemented() => {
                    parts[next] = a;
                    parts.push(b);
                }
                Gate::And(..)
                | Gate::Constant
                | Gate::Input
                | Gate::Xor(..)
                | Gate::Ite(..)
                | Gate::Majority(..) => next += 1,
            }
        }
    }
}
