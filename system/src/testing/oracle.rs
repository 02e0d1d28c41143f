//! Breadth-first search over the states of a small system. Inputs and variables without initial or next value must have
//! few bits: all their values are enumerated.

use std::collections::BTreeMap;

use crate::eval::{Evaluator, Repeated, valuation};
use crate::term::{Sort, Term, Terms, Value};
use crate::transition_system::{Step, Trace, TransitionSystem};

pub(super) type State = Vec<Value>;

/// Property and number of transitions of a shortest violation; the first property if several are violated then.
pub fn shortest_violation(system: &TransitionSystem) -> Option<(usize, usize)> {
    let trace = shortest_run(system)?;
    Some((trace.property, trace.steps.len() - 1))
}

/// A shortest violation.
pub fn shortest_run(system: &TransitionSystem) -> Option<Trace> {
    let Reached { reached, violation } = search(system);
    let (property, last) = violation?;
    let mut steps = vec![last];
    while let Some(Some(before)) = steps.last().map(|step| reached[&step.state].clone()) {
        steps.push(before);
    }
    steps.reverse();
    Some(Trace { property, steps })
}

/// A Boolean term that holds in the states that runs without violation reach, and in no other.
pub fn reachable(system: &mut TransitionSystem) -> Term {
    let reached = search(system).reached;
    let TransitionSystem {
        terms,
        state: variables,
        ..
    } = system;
    let mut cubes = Vec::with_capacity(reached.len());
    for state in reached.keys() {
        let mut literals = Vec::with_capacity(state.len());
        for (variable, &value) in variables.iter().zip(state) {
            let value = terms.constant(value);
            literals.push(terms.equal(variable.current, value));
        }
        cubes.push(terms.and_all(literals));
    }
    terms.or_all(cubes)
}

struct Reached {
    /// The states found until the first violation, with the step that first led to each.
    reached: BTreeMap<State, Option<Step>>,
    /// The property that is violated first, and the step in which it is.
    violation: Option<(usize, Step)>,
}

fn search(system: &TransitionSystem) -> Reached {
    let inputs = all_values(&system.terms, &system.inputs);
    let mut evaluator = Repeated::new(&system.terms, &system.step_parts().collect::<Vec<_>>());
    let mut layer: Vec<State> = initial_candidates(system)
        .into_iter()
        .filter(|state| is_initial(system, state))
        .collect();
    let mut reached: BTreeMap<State, Option<Step>> =
        layer.iter().map(|state| (state.clone(), None)).collect();
    while !layer.is_empty() {
        let mut violation: Option<(usize, Step)> = None;
        let mut next_layer = Vec::new();
        for (state, input) in layer
            .iter()
            .flat_map(|state| inputs.iter().map(move |input| (state, input)))
        {
            let step = Step {
                state: state.clone(),
                inputs: input.clone(),
            };
            let Visit {
                violated,
                successors,
            } = visit(system, &mut evaluator, &step);
            if let Some(property) = violated
                && violation
                    .as_ref()
                    .is_none_or(|&(first, _)| property < first)
            {
                violation = Some((property, step.clone()));
            }
            for successor in successors {
                if !reached.contains_key(&successor) {
                    reached.insert(successor.clone(), Some(step.clone()));
                    next_layer.push(successor);
                }
            }
        }
        if violation.is_some() {
            return Reached { reached, violation };
        }
        layer = next_layer;
    }
    Reached {
        reached,
        violation: None,
    }
}

pub(super) struct Visit {
    pub(super) violated: Option<usize>,
    pub(super) successors: Vec<State>,
}

pub(super) fn visit(system: &TransitionSystem, evaluator: &mut Repeated, step: &Step) -> Visit {
    let valuation = valuation(system, step);
    evaluator.run(&system.terms, |symbol| valuation.get(&symbol).copied());
    let holds = |term: Term| evaluator.value(term).is_true();
    if !system
        .invariant_constraints
        .iter()
        .all(|&constraint| holds(constraint))
    {
        return Visit {
            violated: None,
            successors: Vec::new(),
        };
    }
    let violated = system
        .properties
        .iter()
        .position(|property| holds(property.bad));
    let goes_on = violated.is_none() && holds(system.guard);
    Visit {
        violated,
        successors: if goes_on {
            next_states(system, evaluator)
        } else {
            Vec::new()
        },
    }
}

fn next_states(system: &TransitionSystem, evaluator: &Repeated) -> Vec<State> {
    let values = system.state.iter().map(|variable| match variable.next {
        Some(next) => vec![evaluator.value(next)],
        None => values_of(system.terms.sort(variable.current)),
    });
    product(values)
}

/// All states that give variables with a constant initial value that value.
fn initial_candidates(system: &TransitionSystem) -> Vec<State> {
    let values = system.state.iter().map(|variable| {
        let constant = variable
            .initial
            .and_then(|initial| system.terms.as_value(initial));
        constant.map_or_else(
            || values_of(system.terms.sort(variable.current)),
            |value| vec![value],
        )
    });
    product(values)
}

pub(super) fn is_initial(system: &TransitionSystem, state: &[Value]) -> bool {
    let inputs = system
        .inputs
        .iter()
        .map(|&input| Value::zero(system.terms.sort(input)))
        .collect();
    let mut evaluator = Evaluator::new(valuation(
        system,
        &Step {
            state: state.to_vec(),
            inputs,
        },
    ));
    let mut value = |term: Term| evaluator.value(&system.terms, term);
    let initial = system.state.iter().zip(state).all(|(variable, &found)| {
        variable
            .initial
            .is_none_or(|initial| value(initial) == found)
    });
    initial
        && system
            .initial_constraints
            .iter()
            .all(|&constraint| value(constraint).is_true())
}

/// Every choice of values for some variables, which have few bits.
pub fn all_values(terms: &Terms, variables: &[Term]) -> Vec<Vec<Value>> {
    product(
        variables
            .iter()
            .map(|&variable| values_of(terms.sort(variable))),
    )
}

/// All ways to choose one value from each list.
fn product(choices: impl Iterator<Item = Vec<Value>>) -> Vec<Vec<Value>> {
    choices.fold(vec![Vec::new()], |prefixes, values| {
        let extended =
            |prefix: &Vec<Value>, value: Value| prefix.iter().copied().chain([value]).collect();
        prefixes
            .iter()
            .flat_map(|prefix| values.iter().map(move |&value| extended(prefix, value)))
            .collect()
    })
}

fn values_of(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width)
            .map(|bits| Value::BitVec(width, bits))
            .collect(),
    }
}
