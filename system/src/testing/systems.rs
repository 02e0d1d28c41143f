//! Random small systems and runs of them.

use super::{Random, grow};
use crate::eval::{Evaluator, valuation};
use crate::term::{Sort, Term, Terms, Value};
use crate::transition_system::{Property, Role, StateVariable, Step, TransitionSystem};

/// A system of at most 8 bits of state and 4 bits of input, with every feature that systems have: variables without
/// initial or next value, initial values that depend on other variables, guard, constraints, several properties.
pub fn random_system(random: &mut Random) -> TransitionSystem {
    let mut terms = Terms::new();
    let state = variables(random, &mut terms, "s", 8);
    let inputs = variables(random, &mut terms, "i", 4);
    let mut over_state = state.clone();
    seed_constants(&mut terms, &mut over_state);
    let mut over_both = over_state.iter().chain(&inputs).copied().collect();
    grow(random, &mut terms, &mut over_state, 10, 6);
    grow(random, &mut terms, &mut over_both, 40, 6);
    let truth = terms.bool(true);
    let variables = (0..state.len())
        .map(|index| random_variable(random, &mut terms, &state, index, &over_both))
        .collect();
    let mut maybe = |from: &[Term], terms: &Terms| match random.below(5) {
        0 => vec![draw(random, terms, from, Sort::Bool)],
        _ => Vec::new(),
    };
    let initial_constraints = maybe(&over_state, &terms);
    let invariant_constraints = maybe(&over_both, &terms);
    let guard = maybe(&over_both, &terms).first().copied().unwrap_or(truth);
    let properties = (0..=random.below(2))
        .map(|index| {
            let bad = random_bad(random, &mut terms, &state, &over_both);
            Property {
                name: format!("p{index}"),
                role: Role::Violation,
                bad,
            }
        })
        .collect();
    TransitionSystem {
        terms,
        state: variables,
        inputs,
        initial_constraints,
        guard,
        invariant_constraints,
        properties,
    }
}

/// Variables with a number of bits in all; there is at least one Boolean among them and one bit-vector.
fn variables(random: &mut Random, terms: &mut Terms, name: &str, bits: u32) -> Vec<Term> {
    let mut variables = vec![terms.symbol(format!("{name}0"), Sort::Bool)];
    let mut left = bits - 1;
    while left > 0 && (variables.len() < 2 || random.below(4) > 0) {
        let width = 1 + random.below(left.min(4) as usize) as u32;
        let sort = if variables.len() > 1 && random.below(4) == 0 {
            Sort::Bool
        } else {
            Sort::BitVec(width)
        };
        variables.push(terms.symbol(format!("{name}{}", variables.len()), sort));
        left -= width;
    }
    variables
}

fn seed_constants(terms: &mut Terms, pool: &mut Vec<Term>) {
    let sorts: Vec<Sort> = pool.iter().map(|&term| terms.sort(term)).collect();
    for sort in sorts {
        if let Sort::BitVec(width) = sort {
            pool.push(terms.bits(width, 1));
            pool.push(terms.bits(width, 3));
        }
    }
}

/// A term of a sort from the pool, the later ones first; the pool has one.
fn draw(random: &mut Random, terms: &Terms, pool: &[Term], sort: Sort) -> Term {
    let fitting: Vec<Term> = pool
        .iter()
        .copied()
        .filter(|&term| terms.sort(term) == sort)
        .collect();
    let late = fitting.len() / 2;
    if random.below(3) == 0 {
        random.pick(&fitting)
    } else {
        random.pick(&fitting[late..])
    }
}

fn random_variable(
    random: &mut Random,
    terms: &mut Terms,
    state: &[Term],
    index: usize,
    pool: &[Term],
) -> StateVariable {
    let current = state[index];
    let sort = terms.sort(current);
    let earlier: Vec<Term> = state[..index]
        .iter()
        .copied()
        .filter(|&term| terms.sort(term) == sort)
        .collect();
    let initial = match random.below(8) {
        0 => None,
        1 if !earlier.is_empty() => Some(random.pick(&earlier)),
        2 => Some(terms.constant(random.value(sort))),
        _ => Some(terms.constant(Value::zero(sort))),
    };
    let next = match random.below(10) {
        0 => None,
        1 => Some(current),
        2..8 => Some(random_count(random, terms, current, pool)),
        _ => Some(draw(random, terms, pool, sort)),
    };
    StateVariable {
        current,
        initial,
        next,
    }
}

/// Some condition changes the variable a little, so that some violations are deep.
fn random_count(random: &mut Random, terms: &mut Terms, current: Term, pool: &[Term]) -> Term {
    let other = draw(random, terms, pool, Sort::Bool);
    let condition = if random.below(2) == 0 {
        terms.bool(true)
    } else {
        other
    };
    let changed = match terms.sort(current) {
        Sort::Bool => terms.not(current),
        Sort::BitVec(width) => {
            let amount = terms.bits(width, 1 + random.below(2) as u128);
            terms.add(current, amount)
        }
    };
    terms.ite(condition, changed, current)
}

/// A condition that few states meet.
fn random_bad(random: &mut Random, terms: &mut Terms, state: &[Term], pool: &[Term]) -> Term {
    let mut conditions = vec![draw(random, terms, pool, Sort::Bool)];
    for &variable in state {
        if random.below(2) == 0 {
            let value = random.value(terms.sort(variable));
            let value = terms.constant(value);
            conditions.push(terms.equal(variable, value));
        }
    }
    terms.and_all(conditions)
}

/// Steps that follow the next terms from random values, whatever guard and constraints say.
pub fn random_run(random: &mut Random, system: &TransitionSystem, length: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for _ in 0..length {
        let mut evaluator = steps
            .last()
            .map(|step| Evaluator::new(valuation(system, step)));
        let mut value = |variable: &StateVariable| match (&mut evaluator, variable.next) {
            (Some(evaluator), Some(next)) => evaluator.value(&system.terms, next),
            (Some(_) | None, _) => random.value(system.terms.sort(variable.current)),
        };
        let state = system.state.iter().map(&mut value).collect();
        let inputs = system
            .inputs
            .iter()
            .map(|&input| random.value(system.terms.sort(input)))
            .collect();
        steps.push(Step { state, inputs });
    }
    steps
}
