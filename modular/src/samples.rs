//! Random runs, which show what variables hold.

use std::collections::BTreeSet;

use fastrand::Rng;
use rustc_hash::FxHashMap;
use system::eval::{Evaluator, Repeated};
use system::term::{Sort, Term, Terms, Value};
use system::transition_system::TransitionSystem;

/// Number of runs.
const RUNS: usize = 40;

/// Choices of inputs in a run, most of which may fit no transition.
const TRIES: usize = 400;

/// After so many choices in a row that fit no transition there is probably none.
const IN_VAIN: usize = 60;

/// Larger systems have fewer runs.
const MOST_EVALUATED: usize = 100_000_000;

/// The values that the state variables have in some runs, by position. The runs are the same each time.
pub(crate) fn sampled_values(system: &TransitionSystem, terms: &mut Terms) -> Vec<BTreeSet<Value>> {
    let possible = system.considered(system.guard);
    let possible = terms.and_all(possible);
    let state: Vec<Term> = system.state.iter().map(|found| found.current).collect();
    let next = system.state.iter();
    let next: Vec<Term> = next
        .map(|found| found.next.unwrap_or(found.current))
        .collect();
    let mut fitting = Repeated::new(terms, &[possible]);
    let mut stepping = Repeated::new(terms, &next);
    let initial = initial_state(system, terms);
    let mut values: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); state.len()];
    let mut random = Rng::with_seed(0);
    let mut evaluated = 0;
    for _ in 0..RUNS {
        let start = state.iter().copied().zip(initial.iter().copied());
        let mut known: FxHashMap<Term, Value> = start.collect();
        let mut in_vain = 0;
        for _ in 0..TRIES {
            for (values, term) in values.iter_mut().zip(&state) {
                values.insert(known[term]);
            }
            if in_vain == IN_VAIN || evaluated > MOST_EVALUATED {
                break;
            }
            in_vain += 1;
            evaluated += terms.len();
            for &input in &system.inputs {
                known.insert(input, draw(&mut random, terms.sort(input)));
            }
            fitting.run(terms, |symbol| known.get(&symbol).copied());
            if fitting.value(possible).is_true() {
                stepping.run(terms, |symbol| known.get(&symbol).copied());
                let successor = next.iter().map(|&next| stepping.value(next));
                known.extend(state.iter().copied().zip(successor));
                in_vain = 0;
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

/// A value of a sort: every other one is small.
fn draw(random: &mut Rng, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.bool()),
        Sort::BitVec(width) => {
            let number = match random.bool() {
                true => random.u128(0..4),
                false => random.u128(..),
            };
            Value::truncated(width, number)
        }
    }
}
