//! Whether an invariant proves a small system safe, by looking at all its states.

use std::collections::BTreeSet;

use super::oracle::{State, all_values, is_initial, visit};
use crate::eval::{Evaluator, Repeated, valuation};
use crate::term::Term;
use crate::transition_system::{Step, TransitionSystem};

/// Whether a Boolean term over the state holds in all initial states, is preserved by all transitions and excludes all bad
/// states. States that violate the constraints under all inputs do not count.
pub fn is_inductive(system: &TransitionSystem, invariant: Term) -> bool {
    let variables: Vec<Term> = system.state.iter().map(|found| found.current).collect();
    let states = all_values(&system.terms, &variables);
    let steps = Steps::new(system);
    let violating = states
        .iter()
        .filter(|state| !steps.satisfy(state, invariant));
    let outside: BTreeSet<&State> = violating
        .filter(|state| steps.from(state).any(|step| is_considered(system, &step)))
        .collect();
    let mut evaluator = Repeated::new(&system.terms, &system.step_parts().collect::<Vec<_>>());
    let mut leads_outside = |step: &Step| {
        let visit = visit(system, &mut evaluator, step);
        let mut successors = visit.successors.iter();
        visit.violated.is_some() || successors.any(|next| outside.contains(next))
    };
    !outside.iter().any(|state| is_initial(system, state))
        && !states
            .iter()
            .filter(|state| steps.satisfy(state, invariant))
            .any(|state| steps.from(state).any(|step| leads_outside(&step)))
}

struct Steps<'a> {
    system: &'a TransitionSystem,
    inputs: Vec<State>,
}

impl<'a> Steps<'a> {
    fn new(system: &'a TransitionSystem) -> Self {
        let inputs = all_values(&system.terms, &system.inputs);
        Self { system, inputs }
    }

    /// The state under every input.
    fn from(&self, state: &State) -> impl Iterator<Item = Step> {
        self.inputs.iter().map(|inputs| Step {
            state: state.clone(),
            inputs: inputs.clone(),
        })
    }

    /// Whether a term over the state holds.
    fn satisfy(&self, state: &State, term: Term) -> bool {
        let step = self.from(state).next();
        step.is_some_and(|step| holds(self.system, &step, term))
    }
}

fn holds(system: &TransitionSystem, step: &Step, term: Term) -> bool {
    let mut evaluator = Evaluator::new(valuation(system, step));
    evaluator.value(&system.terms, term).is_true()
}

fn is_considered(system: &TransitionSystem, step: &Step) -> bool {
    let mut constraints = system.invariant_constraints.iter();
    constraints.all(|&constraint| holds(system, step, constraint))
}
