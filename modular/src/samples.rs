//! What variables hold in random runs.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use system::eval::Evaluator;
use system::term::{Sort, Term, Terms, Value};
use system::transition_system::TransitionSystem;
use system::walk::Walk;

use crate::liveness::View;

/// Number of runs.
const RUNS: usize = 40;

/// Larger systems have fewer runs: terms that are evaluated.
const MOST_EVALUATED: usize = 100_000_000;

/// Variables with more values are not tracked as they are if there are simple terms.
const MOST_EXPECTED: usize = 64;

/// A variable may have so many values that are not expected, at first.
const FIRST_MARGIN: usize = 2;

/// With a larger margin a variable may have any value.
const LARGEST_MARGIN: usize = 512;

/// What variables, and views of them, are known to have in runs, for those that have few values.
#[derive(Debug)]
pub(crate) struct Expected {
    values: FxHashMap<Term, Expectation>,
}

#[derive(Debug)]
struct Expectation {
    values: BTreeSet<Value>,
    /// How many other values it may have.
    margin: usize,
}

impl Expected {
    /// The values of random runs.
    pub(crate) fn new(system: &TransitionSystem, views: &[View], sampled: Samples) -> Self {
        let variables = system.state.iter().map(|variable| variable.current);
        let variables = variables.zip(sampled.variables);
        let views = views.iter().map(|view| view.term).zip(sampled.views);
        let few = variables.chain(views);
        let few = few.filter(|(_, values)| values.len() <= MOST_EXPECTED);
        let few = few.map(|(term, values)| {
            let margin = FIRST_MARGIN;
            (term, Expectation { values, margin })
        });
        Self {
            values: few.collect(),
        }
    }

    /// Whether a term over the state has few values.
    pub(crate) fn is_narrow(&self, terms: &Terms, term: Term) -> bool {
        terms.sort(term) == Sort::Bool || self.values.contains_key(&term)
    }

    /// Whether a term is known to have few values, and this is none of them.
    pub(crate) fn is_strange(&self, term: Term, value: Value) -> bool {
        let expectation = self.values.get(&term);
        expectation.is_some_and(|expectation| !expectation.values.contains(&value))
    }

    /// Whether so many strange values are too many.
    pub(crate) fn are_too_many(&self, term: Term, strange: usize) -> bool {
        let expectation = self.values.get(&term);
        expectation.is_some_and(|expectation| strange > expectation.margin)
    }

    /// From now on the term may have twice as many strange values, so that they are looked at seldom.
    pub(crate) fn expect_more(&mut self, term: Term) {
        if let Some(expectation) = self.values.get_mut(&term) {
            expectation.margin *= 2;
            if expectation.margin > LARGEST_MARGIN {
                self.values.remove(&term);
            }
        }
    }
}

/// Values in some runs.
#[derive(Debug)]
pub(crate) struct Samples {
    /// Of the state variables, by position.
    pub(crate) variables: Vec<BTreeSet<Value>>,
    /// Of views, in their order.
    views: Vec<BTreeSet<Value>>,
}

impl Samples {
    /// Those of random runs, which are the same each time.
    pub(crate) fn new(system: &TransitionSystem, views: &[View], terms: &mut Terms) -> Self {
        let variables = system.state.iter();
        let steps = variables.map(|found| (found.current, found.next.unwrap_or(found.current)));
        let possible = system.considered(system.guard);
        let mut walk = Walk::new(terms, steps.unzip(), &system.inputs, possible);
        let initial = initial_state(system, terms);
        let mut samples = Self {
            variables: vec![BTreeSet::new(); initial.len()],
            views: vec![BTreeSet::new(); views.len()],
        };
        samples.add(views, &initial);
        for _ in 0..RUNS {
            if walk.tried() * terms.len() > MOST_EVALUATED {
                break;
            }
            for state in walk.from(terms, &initial) {
                samples.add(views, &state);
            }
        }
        samples
    }

    fn add(&mut self, views: &[View], state: &[Value]) {
        for (values, &value) in self.variables.iter_mut().zip(state) {
            values.insert(value);
        }
        for (values, view) in self.views.iter_mut().zip(views) {
            values.insert(view.value(state));
        }
    }
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
