//! What variables hold in random runs.

use std::collections::BTreeSet;

use system::eval::Evaluator;
use system::term::{Terms, Value};
use system::transition_system::TransitionSystem;
use system::walk::Walk;

/// Number of runs.
const RUNS: usize = 40;

/// Larger systems have fewer runs: terms that are evaluated.
const MOST_EVALUATED: usize = 100_000_000;

/// The values that the state variables have in some runs, by position. The runs are the same each time.
pub(crate) fn sampled_values(system: &TransitionSystem, terms: &mut Terms) -> Vec<BTreeSet<Value>> {
    let variables = system.state.iter();
    let steps = variables.map(|found| (found.current, found.next.unwrap_or(found.current)));
    let possible = system.considered(system.guard);
    let mut walk = Walk::new(terms, steps.unzip(), &system.inputs, possible);
    let initial = initial_state(system, terms);
    let mut values: Vec<BTreeSet<Value>> = initial.iter().map(|&value| [value].into()).collect();
    for _ in 0..RUNS {
        if walk.tried() * terms.len() > MOST_EVALUATED {
            break;
        }
        for state in walk.from(terms, &initial) {
            for (values, value) in values.iter_mut().zip(state) {
                values.insert(value);
            }
        }
    }
    values
}

/// A state that is initial, unless variables whose first value is open depend on each other.
fn initial_state(system: &TransitionSystem, terms: &Terms) -> Vec<Value> {
    let mut evaluator = Evaluator::default();
    let initial = system.state.iter().map(|variable| match variable.initial {
        Some(initial) => evaluator.value(terms, initial),
        None => Value::zero(terms.sort(variable.current)),
    });
    initial.collect()
}
