//! One transition of a system as terms over its own state and inputs.

use rustc_hash::FxHashMap;
use system::eval::Evaluator;
use system::term::{Substitution, Term, Value};
use system::transition_system::{Step, Trace, TransitionSystem};

/// The transition relation, functional: what a successor is follows from a state and the inputs of the step.
#[derive(Debug)]
pub struct StepRelation {
    /// The current state variables.
    pub state: Vec<Term>,
    /// What is chosen in a step: the inputs of the system, then the next values of the variables that have no next term,
    /// then the inputs of the successor, which its constraints may mention.
    pub inputs: Vec<Term>,
    /// Boolean terms: the constraints on a state that is considered at all.
    pub constraints: Vec<Term>,
    /// Boolean terms: what else must hold for the step to exist, the constraints on the successor included.
    pub enabled: Vec<Term>,
    /// Boolean term: some property is violated.
    pub bad: Term,
    next: Substitution,
    next_state: Vec<Term>,
    system_inputs: usize,
}

impl StepRelation {
    /// The transitions of a system.
    pub fn new(system: &mut TransitionSystem) -> Self {
        let terms = &mut system.terms;
        let mut inputs = system.inputs.clone();
        let mut fresh = |terms: &mut system::term::Terms, of: Term| {
            let name = format!("{}'", terms.symbol_name(of).unwrap_or_default());
            let symbol = terms.symbol(name, terms.sort(of));
            inputs.push(symbol);
            symbol
        };
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        for variable in &system.state {
            let next = variable
                .next
                .unwrap_or_else(|| fresh(terms, variable.current));
            images.insert(variable.current, next);
        }
        let state: Vec<Term> = system
            .state
            .iter()
            .map(|variable| variable.current)
            .collect();
        let next_state = state.iter().map(|current| images[current]).collect();
        if !system.invariant_constraints.is_empty() {
            for &input in &system.inputs {
                images.insert(input, fresh(terms, input));
            }
        }
        let mut next = Substitution::new(images);
        let mut enabled = vec![system.guard];
        for &constraint in &system.invariant_constraints {
            enabled.push(next.apply(terms, constraint));
        }
        let bad = terms.or_all(system.properties.iter().map(|property| property.bad));
        Self {
            state,
            system_inputs: system.inputs.len(),
            inputs,
            constraints: system.invariant_constraints.clone(),
            enabled,
            bad,
            next,
            next_state,
        }
    }

    /// A term over the state, of the successor.
    pub fn after(&mut self, system: &mut TransitionSystem, term: Term) -> Term {
        self.next.apply(&mut system.terms, term)
    }

    /// Evaluates terms in a state under inputs; none if only terms over the state are of interest.
    pub fn evaluator(&self, state: &[Value], inputs: &[Value]) -> Evaluator {
        let symbols = self.state.iter().chain(&self.inputs).copied();
        let values = state.iter().chain(inputs).copied();
        Evaluator::new(symbols.zip(values).collect())
    }

    /// The run that starts in `initial` and takes steps under the inputs in order; the last are those of the violation.
    pub fn trace(
        &self,
        system: &TransitionSystem,
        initial: Vec<Value>,
        inputs: &[Vec<Value>],
    ) -> Trace {
        let mut steps = Vec::with_capacity(inputs.len());
        let mut state = initial;
        let mut property = 0;
        for chosen in inputs {
            let mut evaluator = self.evaluator(&state, chosen);
            let mut holds = |term| evaluator.value(&system.terms, term).is_true();
            let violated = system
                .properties
                .iter()
                .position(|property| holds(property.bad));
            property = violated.unwrap_or(0);
            let successor = self.next_state.iter();
            let successor = successor
                .map(|&next| evaluator.value(&system.terms, next))
                .collect();
            steps.push(Step {
                state: std::mem::replace(&mut state, successor),
                inputs: chosen[..self.system_inputs].to_vec(),
            });
        }
        Trace { property, steps }
    }
}
