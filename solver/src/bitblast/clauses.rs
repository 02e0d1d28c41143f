//! From gates to clauses, and the SAT solver that holds them.
//!
//! A gate gets a variable and its clauses when a clause or an assumption first mentions it (Tseitin's transformation,
//! both directions, so that the value of the variable is the value of the gate in every model). A tree of conjunctions
//! that nothing else uses becomes one gate of many inputs.

use cadical_sys::{CaDiCal, Status, Terminator};

use super::aig::{Aig, Gate, Literal};
use crate::interface::{FormulaSize, Workload};
use system::budget::Budget;

/// A variable of the solver, numbered from 1, or its negation: the same number, negative.
pub type Lit = i32;

/// The clauses of the gates met so far.
pub struct Clauses {
    solver: CaDiCal,
    /// By gate: its variable, or [`ABSENT`].
    variables: Vec<Lit>,
    last_variable: Lit,
    /// How many clauses the solver was given.
    added: usize,
    /// Gates that have a variable and no clauses yet.
    undefined: Vec<usize>,
    clause: Vec<Lit>,
    conjuncts: Vec<Literal>,
    budget: Budget,
    most_conflicts: Option<u32>,
}

const ABSENT: Lit = 0;

/// Options of the solver for a workload. Mostly they switch off what it does before and between searches to make long ones
/// shorter, as far as the workload makes it not worth it.
fn options(workload: Workload) -> &'static [(&'static str, i32)] {
    match workload {
        Workload::LongQueries => &[],
        // It tries whole assignments that are easy to describe at the start of each query, which takes most of the time of short ones.
        Workload::Refinement => &[("lucky", 0)],
        Workload::ShortQueries => &[
            ("elim", 0),
            ("probe", 0),
            ("subsume", 0),
            ("vivify", 0),
            ("walk", 0),
            ("lucky", 0),
            // Once, before the first search: gates and equivalent literals are found for all searches to come.
            ("preprocesslight", 1),
        ],
    }
}

/// Ends a search when the budget is exhausted.
struct Exhaustion(Budget);

impl Terminator for Exhaustion {
    fn terminated(&mut self) -> bool {
        self.0.exhausted().is_some()
    }
}

impl Clauses {
    /// No clauses; solving stops when the budget is exhausted.
    pub fn new(budget: &Budget, workload: Workload) -> Self {
        let mut solver = CaDiCal::new();
        // Bounded variable addition would use the numbers of later variables for its own.
        let always = [("factor", 0)];
        for &(name, value) in always.iter().chain(options(workload)) {
            let is_known = solver.set(name, value);
            debug_assert!(is_known, "CaDiCaL has no option {name}");
        }
        solver.connect_terminator(Exhaustion(budget.clone()));
        Self {
            solver,
            variables: Vec::new(),
            last_variable: 0,
            added: 0,
            undefined: Vec::new(),
            clause: Vec::new(),
            conjuncts: Vec::new(),
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
        self.last_variable += 1;
        self.last_variable
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
        self.solver.clause6(clause);
    }

    /// Solves, unless the budget ran out before all clauses were there.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Status {
        if !self.undefined.is_empty() {
            return Status::UNKNOWN;
        }
        // The solver forgets the limit with each search.
        if let Some(limit) = self.most_conflicts {
            self.solver
                .limit("conflicts", i32::try_from(limit).unwrap_or(i32::MAX));
        }
        for &assumption in assumptions {
            self.solver.assume(assumption);
        }
        self.solver.solve()
    }

    /// After an unsatisfiable query: whether an assumption is to blame.
    pub fn is_blamed(&mut self, assumption: Lit) -> bool {
        self.solver.failed(assumption)
    }

    /// After a satisfiable query: the value of a gate, if it has a variable.
    pub fn value(&mut self, gate: usize) -> Option<bool> {
        let variable = *self
            .variables
            .get(gate)
            .filter(|variable| **variable != ABSENT)?;
        Some(self.solver.val(variable) > 0)
    }

    /// What the solver was given.
    pub fn size(&self) -> FormulaSize {
        FormulaSize {
            variables: self.last_variable.unsigned_abs() as usize,
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
            self.variables[gate] = self.fresh();
            self.undefined.push(gate);
        }
        match literal.is_complemented() {
            true => -self.variables[gate],
            false => self.variables[gate],
        }
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
                Gate::Constant => self.add(&[-output]),
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
            self.add(&[-output, part]);
            clause.push(-part);
        }
        self.add(&clause);
        self.clause = clause;
        self.conjuncts = parts;
    }

    fn define_xor(&mut self, output: Lit, a: Literal, b: Literal) {
        let (a, b) = (self.reference(a), self.reference(b));
        self.add(&[-output, a, b]);
        self.add(&[-output, -a, -b]);
        self.add(&[output, -a, b]);
        self.add(&[output, a, -b]);
    }

    /// Without the two implied clauses for equal branches: measured, they cost more than their propagations save.
    fn define_ite(&mut self, output: Lit, condition: Literal, then: Literal, otherwise: Literal) {
        let (c, a, b) = (
            self.reference(condition),
            self.reference(then),
            self.reference(otherwise),
        );
        self.add(&[-c, -a, output]);
        self.add(&[-c, a, -output]);
        self.add(&[c, -b, output]);
        self.add(&[c, b, -output]);
    }

    fn define_majority(&mut self, output: Lit, a: Literal, b: Literal, c: Literal) {
        let operands = [self.reference(a), self.reference(b), self.reference(c)];
        for (x, y) in [(0, 1), (0, 2), (1, 2)] {
            self.add(&[-operands[x], -operands[y], output]);
            self.add(&[operands[x], operands[y], -output]);
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
