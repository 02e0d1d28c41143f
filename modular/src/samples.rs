//! What variables hold in random runs.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use system::eval::Evaluator;
use system::term::{Sort, Term, Terms, Value};
use system::transition_system::TransitionSystem;
use system::walk::Walk;

/// Number of runs.
const RUNS: usize = 40;

/// Larger systems have fewer runs: terms that are evaluated.
const MOST_EVALUATED: usize = 100_000_000;

/// Variables with more values are not tracked as they are if there are simple terms.
const MOST_EXPECTED: usize = 64;

/// The values that variables are known to have in runs, for those variables that have few.
#[derive(Debug)]
pub(crate) struct Expected {
    values: FxHashMap<Term, BTreeSet<Value>>,
}

impl Expected {
    /// Those of random runs, by position.
    pub(crate) fn new(system: &TransitionSystem, values: Vec<BTreeSet<Value>>) -> Self {
        let variables = system.state.iter().map(|variable| variable.current);
        let few = variables.zip(values);
        let few = few.filter(|(_, values)| values.len() <= MOST_EXPECTED);
        Self {
            values: few.collect(),
        }
    }

    /// Whether a term over the state has few values.
    pub(crate) fn is_narrow(&self, terms: &Terms, term: Term) -> bool {
        terms.sort(term) == Sort::Bool || self.values.contains_key(&term)
    }

    /// Whether a term is known to have few values, and this is none of them.
    pub(crate) fn is_unexpected(&self, term: Term, value: Value) -> bool {
        let values = self.values.get(&term);
        values.is_some_and(|values| !values.contains(&value))
    }

    /// From now on the variable may have this value.
    pub(crate) fn expect(&mut self, variable: Term, value: Value) {
        if let Some(values) = self.values.get_mut(&variable) {
            values.insert(value);
            if values.len() > MOST_EXPECTED {
                self.values.remove(&variable);
            }
        }
    }
}

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
