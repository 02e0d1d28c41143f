//! Breadth-first search over the states of a small system.

use std::collections::BTreeSet;

use crate::eval::{Evaluator, Repeated, valuation};
use crate::term::{Sort, Term, Terms, Value};
use crate::transition_system::{Step, TransitionSystem};

/// Property and number of transitions of a shortest violation; the first property if several are violated then.
/// Inputs and variables without initial or next value must have few bits: all their values are enumerated.
pub fn shortest_violation(system: &TransitionSystem) -> Option<(usize, usize)> {
    search(system).1
}

/// A Boolean term that holds in the states that runs without violation reach, and in no other.
pub fn reachable(system: &mut TransitionSystem) -> Term {
    let (states, _) = search(system);
    let TransitionSystem {
        terms,
        state: variables,
        ..
    } = system;
    let mut cubes = Vec::with_capacity(states.len());
    for state in &states {
        let mut literals = Vec::with_capacity(state.len());
        for (variable, &value) in variables.iter().zip(state) {
            let value = terms.constant(value);
            literals.push(terms.equal(variable.current, value));
        }
        cubes.push(terms.and_all(literals));
    }
    terms.or_all(cubes)
}

type States = BTreeSet<Vec<Value>>;

/// The states visited before the first violation, and that violation.
fn search(system: &TransitionSystem) -> (States, Option<(usize, usize)>) {
    let inputs = all_values(&system.terms, system.inputs.iter().copied());
    let states = initial_candidates(system);
    let mut layer: States = states
        .into_iter()
        .filter(|state| is_initial(system, state))
        .collect();
    let mut seen = layer.clone();
    let mut evaluator = Repeated::new(&system.terms, &roots(system));
    for depth in 0.. {
        let mut violated: Option<usize> = None;
        let mut next = States::new();
        for state in layer {
            for input in &inputs {
                let step = Step {
                    state: state.clone(),
                    inputs: input.clone(),
                };
                let bad = visit(system, &mut evaluator, &step, &mut next);
                violated = violated.into_iter().chain(bad).min();
            }
        }
        if let Some(property) = violated {
            return (seen, Some((property, depth)));
        }
        layer = next
            .into_iter()
            .filter(|state| seen.insert(state.clone()))
            .collect();
        if layer.is_empty() {
            break;
        }
    }
    (seen, None)
}

/// All terms that a step depends on.
fn roots(system: &TransitionSystem) -> Vec<Term> {
    let next = system.state.iter().filter_map(|variable| variable.next);
    let bad = system.properties.iter().map(|property| property.bad);
    next.chain(bad)
        .chain(system.invariant_constraints.iter().copied())
        .chain([system.guard])
        .collect()
}

/// The property that a step violates; adds the step's successors.
fn visit(
    system: &TransitionSystem,
    evaluator: &mut Repeated,
    step: &Step,
    successors: &mut States,
) -> Option<usize> {
    let valuation = valuation(system, step);
    evaluator.run(&system.terms, |symbol| valuation.get(&symbol).copied());
    let holds = |term: Term| evaluator.value(term).is_true();
    if !system
        .invariant_constraints
        .iter()
        .all(|&constraint| holds(constraint))
    {
        return None;
    }
    let violated = system
        .properties
        .iter()
        .position(|property| holds(property.bad));
    if violated.is_none() && holds(system.guard) {
        successors.extend(next_states(system, evaluator));
    }
    violated
}

fn next_states(system: &TransitionSystem, evaluator: &Repeated) -> Vec<Vec<Value>> {
    let mut states = vec![Vec::new()];
    for variable in &system.state {
        let values = match variable.next {
            Some(next) => vec![evaluator.value(next)],
            None => values_of(system.terms.sort(variable.current)),
        };
        states = extended(&states, &values);
    }
    states
}

/// All states that give variables with a constant initial value that value.
fn initial_candidates(system: &TransitionSystem) -> Vec<Vec<Value>> {
    system
        .state
        .iter()
        .fold(vec![Vec::new()], |prefixes, variable| {
            let constant = variable
                .initial
                .and_then(|initial| system.terms.as_value(initial));
            let values = constant.map_or_else(
                || values_of(system.terms.sort(variable.current)),
                |value| vec![value],
            );
            extended(&prefixes, &values)
        })
}

fn is_initial(system: &TransitionSystem, state: &[Value]) -> bool {
    let inputs = system
        .inputs
        .iter()
        .map(|&input| Value::zero(system.terms.sort(input)))
        .collect();
    let step = Step {
        state: state.to_vec(),
        inputs,
    };
    let mut evaluator = Evaluator::new(valuation(system, &step));
    let values = system.state.iter().zip(state).all(|(variable, &value)| {
        variable
            .initial
            .is_none_or(|initial| evaluator.value(&system.terms, initial) == value)
    });
    values
        && system
            .initial_constraints
            .iter()
            .all(|&term| evaluator.value(&system.terms, term).is_true())
}

fn all_values(terms: &Terms, variables: impl Iterator<Item = Term>) -> Vec<Vec<Value>> {
    variables.fold(vec![Vec::new()], |prefixes, variable| {
        extended(&prefixes, &values_of(terms.sort(variable)))
    })
}

fn extended(prefixes: &[Vec<Value>], values: &[Value]) -> Vec<Vec<Value>> {
    let all = prefixes.iter().flat_map(|prefix| {
        values.iter().map(|&value| {
            prefix
                .iter()
                .copied()
                .chain([value])
                .collect::<Vec<Value>>()
        })
    });
    all.collect()
}

fn values_of(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width)
            .map(|bits| Value::BitVec(width, bits))
            .collect(),
    }
}
