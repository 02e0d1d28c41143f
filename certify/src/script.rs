//! Runs of a system as SMT-LIB text: one copy of the system's terms for each position.

use std::fmt::Write;

use system::export::smt_lib::Writer;
use system::term::Term;
use system::transition_system::TransitionSystem;

use crate::obligations::Obligation;

/// A script in the making. Claims speak of the last frame.
pub struct Script<'a> {
    system: &'a TransitionSystem,
    writer: Writer<'a>,
    text: String,
    /// Names of the state variables, frame by frame.
    states: Vec<Vec<String>>,
    /// The formula that the run up to the last frame is one, and for each frame that a run ends there in a bad state.
    run: String,
    violations: Vec<String>,
}

impl<'a> Script<'a> {
    /// No frames.
    pub fn new(system: &'a TransitionSystem) -> Self {
        Self {
            system,
            writer: Writer::new(&system.terms),
            text: String::new(),
            states: Vec::new(),
            run: String::new(),
            violations: Vec::new(),
        }
    }

    /// Declares the variables of a new frame and defines the subterms of the system and of `others` over them.
    pub fn frame(&mut self, others: &[Term]) {
        self.writer.start_copy(&format!("@{}", self.states.len()));
        let system = self.system;
        let state: Vec<Term> = system
            .state
            .iter()
            .map(|variable| variable.current)
            .collect();
        let roots = roots(system, others);
        for &variable in state.iter().chain(&system.inputs) {
            self.writer.declare(&mut self.text, variable);
        }
        self.writer.declare_all(&mut self.text, &roots);
        self.writer.define(&mut self.text, &roots);
        let names = state.iter().map(|&variable| self.writer.name(variable));
        self.states.push(names.collect());
    }

    /// A frame that is the successor of the last one.
    pub fn transition(&mut self, others: &[Term]) {
        self.assert(self.system.guard);
        self.successor(others);
    }

    /// A frame whose state has the next values of the last one, whether or not the guard holds.
    fn successor(&mut self, others: &[Term]) {
        let next: Vec<Option<String>> = self
            .system
            .state
            .iter()
            .map(|variable| variable.next.map(|next| self.writer.term(next)))
            .collect();
        self.frame(others);
        let names = self.states.last().cloned().unwrap_or_default();
        for (name, next) in names.into_iter().zip(next) {
            if let Some(next) = next {
                self.claim(&format!("(= {name} {next})"));
            }
        }
    }

    fn claim(&mut self, formula: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "(assert {formula})");
    }

    /// A Boolean term holds.
    pub fn assert(&mut self, term: Term) {
        self.claim(&self.writer.term(term));
    }

    /// A Boolean term does not hold.
    pub fn assert_not(&mut self, term: Term) {
        self.claim(&format!("(not {})", self.writer.term(term)));
    }

    /// The state is initial.
    pub fn assert_initial(&mut self) {
        for variable in &self.system.state {
            if let Some(initial) = variable.initial {
                let equation = format!(
                    "(= {} {})",
                    self.writer.term(variable.current),
                    self.writer.term(initial)
                );
                self.claim(&equation);
            }
        }
        for &constraint in &self.system.initial_constraints {
            self.assert(constraint);
        }
    }

    /// The invariant constraints hold.
    pub fn assert_constraints(&mut self) {
        for &constraint in &self.system.invariant_constraints {
            self.assert(constraint);
        }
    }

    /// Some property is violated.
    pub fn assert_bad(&mut self) {
        self.claim(&self.bad());
    }

    /// No property is violated.
    pub fn assert_good(&mut self) {
        self.claim(&format!("(not {})", self.bad()));
    }

    fn bad(&self) -> String {
        let bad = self
            .system
            .properties
            .iter()
            .map(|property| self.writer.term(property.bad));
        combined("or", "false", bad)
    }

    /// Starts to collect what makes the frames a run.
    pub fn start_run(&mut self) {
        self.run = "true".to_owned();
        self.visit();
    }

    /// Appends a successor to the run.
    pub fn extend_run(&mut self) {
        self.run = format!("(and {} {})", self.run, self.writer.term(self.system.guard));
        self.successor(&[]);
        self.visit();
    }

    /// The constraints hold in the last frame, and a run may end there in a bad state.
    fn visit(&mut self) {
        let constraints = self
            .system
            .invariant_constraints
            .iter()
            .map(|&constraint| self.writer.term(constraint));
        let considered = combined("and", "true", constraints);
        let name = self.writer.unique(&format!("run{}", self.states.len()));
        let _ = writeln!(
            self.text,
            "(define-fun {name} () Bool (and {} {considered}))",
            self.run
        );
        self.violations.push(format!("(and {name} {})", self.bad()));
        self.run = name;
    }

    /// The run ends in a bad state in one of its frames.
    pub fn assert_run_bad(&mut self) {
        self.claim(&combined("or", "false", self.violations.iter().cloned()));
    }

    /// A frame of its own with the same inputs as the last one and the same values of some state variables, in which a
    /// violation, the guard, a constraint or a next value of these variables is another one.
    pub fn assert_distinguishable(&mut self, among: &[Term], others: &[Term]) {
        let (same, outcomes) = (self.choices(among), self.outcomes(among));
        self.frame(others);
        for (one, other) in same.into_iter().zip(self.choices(among)) {
            self.claim(&format!("(= {one} {other})"));
        }
        let pairs = outcomes.into_iter().zip(self.outcomes(among));
        let equal = pairs.map(|(one, other)| format!("(= {one} {other})"));
        self.claim(&format!("(not {})", combined("and", "true", equal)));
    }

    /// The inputs and some state variables.
    fn choices(&mut self, among: &[Term]) -> Vec<String> {
        let chosen = among.iter().chain(&self.system.inputs);
        chosen.map(|&symbol| self.writer.name(symbol)).collect()
    }

    /// What follows from the choices: violation, guard, constraints, and the next values of some state variables.
    fn outcomes(&self, among: &[Term]) -> Vec<String> {
        let variables = self.system.state.iter();
        let next = variables
            .filter(|variable| among.contains(&variable.current))
            .filter_map(|variable| variable.next);
        let constraints = self.system.invariant_constraints.iter().copied();
        let terms = constraints.chain([self.system.guard]).chain(next);
        terms
            .map(|term| self.writer.term(term))
            .chain([self.bad()])
            .collect()
    }

    /// The states of all frames differ from each other in some of these variables.
    pub fn assert_distinct(&mut self, among: &[Term]) {
        let states = std::mem::take(&mut self.states);
        for (index, later) in states.iter().enumerate() {
            for earlier in &states[..index] {
                let pairs = earlier.iter().zip(later).zip(&self.system.state);
                let equal = pairs
                    .filter(|(_, variable)| among.contains(&variable.current))
                    .map(|((a, b), _)| format!("(= {a} {b})"));
                self.claim(&format!("(not {})", combined("and", "true", equal)));
            }
        }
        self.states = states;
    }

    /// The finished script.
    pub fn obligation(self, name: &str, meaning: &'static str) -> Obligation {
        Obligation {
            name: name.to_owned(),
            meaning,
            script: self.text,
        }
    }
}

/// All terms of a system, and others.
fn roots(system: &TransitionSystem, others: &[Term]) -> Vec<Term> {
    let variables = system
        .state
        .iter()
        .flat_map(|variable| variable.initial.into_iter().chain(variable.next));
    let bad = system.properties.iter().map(|property| property.bad);
    let constraints = system
        .invariant_constraints
        .iter()
        .chain(&system.initial_constraints)
        .copied();
    let mut roots: Vec<Term> = variables.chain(bad).chain(constraints).collect();
    roots.push(system.guard);
    roots.extend(others);
    roots
}

fn combined(operator: &str, empty: &str, formulas: impl Iterator<Item = String>) -> String {
    let formulas: Vec<String> = formulas.collect();
    match formulas.as_slice() {
        [] => empty.to_owned(),
        [formula] => formula.clone(),
        _ => format!("({operator} {})", formulas.join(" ")),
    }
}
