//! Compares the results of the analysis with an enumeration of states.

use rustc_hash::FxHashMap;
use system::eval::evaluate;
use system::term::{Sort, Terms};
use system::testing::{Random, all_values, is_inductive, random_system, reachable};
use system::transition_system::{Property, Role, StateVariable};

use super::space::Equation;
use super::*;
use solver::{Backend, Workload};

fn analysed(system: &mut TransitionSystem) -> Vec<Term> {
    analysed_with(system, EFFORT)
}

fn analysed_with(system: &mut TransitionSystem, effort: Effort) -> Vec<Term> {
    let new_solver: NewSolver =
        Box::new(|budget| Backend::BitBlasting.solver(budget, Workload::ShortQueries));
    let mut step = StepRelation::new(system);
    let budget = Budget::unlimited();
    let (found, statistics) = invariants_with(system, &mut step, &new_solver, &budget, effort);
    assert!(statistics.queries.contains_key(INITIATION));
    found
}

/// A sum of some multiples of the terms and a constant.
fn affine(random: &mut Random, terms: &mut Terms, of: &[Term]) -> Term {
    let mut sum = terms.constant(random.value(Sort::BitVec(3)));
    for &term in of {
        let factor = terms.constant(random.value(Sort::BitVec(3)));
        let product = terms.multiply(factor, term);
        sum = terms.add(sum, product);
    }
    sum
}

/// Two affine assignments to three numbers of three bits, with an unknown summand, of which one is chosen in each step.
fn affine_program(random: &mut Random) -> TransitionSystem {
    let mut terms = Terms::new();
    let variables = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::BitVec(3)));
    let unknown = terms.symbol("unknown", Sort::BitVec(3));
    let choice = terms.symbol("choice", Sort::Bool);
    let state = variables.map(|current| {
        let mut operands = vec![variables[random.below(3)]];
        let next = [0, 1].map(|_| {
            operands.extend((random.below(3) == 0).then_some(unknown));
            affine(random, &mut terms, &operands)
        });
        StateVariable {
            current,
            initial: Some(terms.constant(random.value(Sort::BitVec(3)))),
            next: Some(terms.ite(choice, next[0], next[1])),
        }
    });
    TransitionSystem {
        state: state.to_vec(),
        inputs: vec![unknown, choice],
        initial_constraints: Vec::new(),
        guard: terms.bool(true),
        invariant_constraints: Vec::new(),
        properties: Vec::new(),
        terms,
    }
}

/// The values in all states that satisfy a Boolean term.
fn satisfying(system: &TransitionSystem, term: Term) -> Vec<Vec<u64>> {
    let variables: Vec<Term> = system.state.iter().map(|found| found.current).collect();
    let states = all_values(&system.terms, &variables).into_iter();
    let satisfying = states.filter(|state| {
        let symbols: FxHashMap<Term, Value> = variables
            .iter()
            .copied()
            .zip(state.iter().copied())
            .collect();
        evaluate(&system.terms, &[term], &symbols)[0].is_true()
    });
    satisfying
        .map(|state| state.iter().map(|value| value.bits() as u64).collect())
        .collect()
}

/// Every equation that holds in all reachable states follows from what is found.
#[test]
fn nothing_is_missed_in_affine_programs() {
    let mut informative = 0;
    for seed in 0..60 {
        let mut system = affine_program(&mut Random::new(seed));
        let found = analysed(&mut system);
        let found = system.terms.and_all(found);
        assert!(is_inductive(&system, found), "seed {seed}");
        let reached = reachable(&mut system);
        let reached = satisfying(&system, reached);
        let allowed = satisfying(&system, found);
        informative += usize::from(allowed.len() < 512);
        for number in 0..512 {
            let coefficients = [number & 7, number >> 3 & 7, number >> 6];
            let sum = |point: &Vec<u64>| {
                let products = coefficients.iter().zip(point).map(|(a, b)| a * b);
                products.sum::<u64>() & 7
            };
            let constant = sum(&reached[0]);
            let holds = |points: &[Vec<u64>]| points.iter().all(|point| sum(point) == constant);
            assert!(
                !holds(&reached) || holds(&allowed),
                "seed {seed}: {coefficients:?} = {constant}"
            );
        }
    }
    assert!(informative > 15, "{informative} with relations");
}

#[test]
fn what_is_found_is_inductive() {
    let mut informative = 0;
    for seed in 0..300 {
        let mut system = random_system(&mut Random::new(seed));
        system.properties.clear();
        let found = analysed(&mut system);
        informative += usize::from(!found.is_empty());
        let all = system.terms.and_all(found);
        assert!(is_inductive(&system, all), "seed {seed}");
    }
    assert!(informative > 100, "{informative} with relations");
}

/// Two variables are equal by the law of distribution, which solvers find hard, and a third never changes.
#[test]
fn facts_that_are_too_hard_are_dropped() {
    let mut terms = Terms::new();
    let number = Sort::BitVec(6);
    let variables = ["x", "y", "z"].map(|name| terms.symbol(name, number));
    let inputs = ["a", "b", "c"].map(|name| terms.symbol(name, number));
    let [a, b, c] = inputs;
    let sum = terms.add(a, b);
    let product = terms.multiply(sum, c);
    let products = [a, b].map(|factor| terms.multiply(factor, c));
    let sum = terms.add(products[0], products[1]);
    let five = terms.bits(6, 5);
    let [x, y, z] = variables;
    let state = [(x, product), (y, sum), (z, z)].map(|(current, next)| StateVariable {
        current,
        initial: Some(five),
        next: Some(next),
    });
    let [equal, constant] = [(x, y), (z, five)].map(|(a, b)| terms.equal(a, b));
    let mut system = TransitionSystem {
        state: state.to_vec(),
        inputs: inputs.to_vec(),
        initial_constraints: Vec::new(),
        guard: terms.bool(true),
        invariant_constraints: Vec::new(),
        properties: Vec::new(),
        terms,
    };
    for (together, alone, expected) in [
        (1_000_000, 1_000_000, vec![equal, constant]),
        (10, 1_000_000, vec![equal, constant]),
        (10, 10, vec![constant]),
    ] {
        let found = analysed_with(&mut system, Effort { together, alone });
        let (found, expected) = (system.terms.and_all(found), system.terms.and_all(expected));
        assert_eq!(found, expected, "{together} {alone}");
    }
}

#[test]
fn equations_between_random_values_are_implausible() {
    let mut terms = Terms::new();
    let wide = Sort::BitVec(32);
    let (x, y) = (terms.symbol("x", wide), terms.symbol("y", wide));
    let mut system = affine_program(&mut Random::new(0));
    system.terms = terms;
    system.inputs.clear();
    system.guard = system.terms.bool(true);
    system.state = [x, y]
        .map(|current| StateVariable {
            current,
            initial: None,
            next: None,
        })
        .to_vec();
    let step = StepRelation::new(&mut system);
    let columns = Dimensions::new(&mut system, &step).expect("two columns");
    for (coefficients, plausible) in [
        ([1, 1], true),
        ([24, 256u32.wrapping_neg()], true),
        ([1, 0x3677d5], false),
        ([1 << 20, (1u32 << 20).wrapping_neg()], true),
    ] {
        let equation = Equation {
            coefficients: coefficients.map(u64::from).to_vec(),
            constant: 7,
        };
        assert_eq!(
            columns.is_plausible(&equation),
            plausible,
            "{coefficients:x?}"
        );
    }
}

/// The terms of equations, which are as narrow as they can be, against the equations.
#[test]
fn equations_become_terms() {
    let mut outcomes = [0; 2];
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let mut system = affine_program(random);
        let step = StepRelation::new(&mut system);
        let variables = [step.state[0], step.state[1], step.state[2]];
        for value in 0..3 {
            let value = system.terms.bits(3, value);
            let case = system.terms.equal(variables[0], value);
            system.properties.push(Property {
                name: String::new(),
                role: Role::Violation,
                bad: case,
            });
        }
        let mut columns = Dimensions::new(&mut system, &step).expect("a few columns");
        assert_eq!(columns.len(), 6);
        let coefficients: Vec<u64> = (0..6).map(|_| random.below(8) as u64).collect();
        let equation = Equation {
            coefficients,
            constant: random.below(8) as u64,
        };
        let term = columns.term(&mut system.terms, &equation);
        for state in all_values(&system.terms, &variables) {
            let point = columns.at(&system.terms, &step, &state);
            let products = equation.coefficients.iter().zip(point).map(|(a, b)| a * b);
            let expected = products.sum::<u64>() & 7 == equation.constant;
            let mut evaluator = step.evaluator(&state, &[]);
            let found = evaluator.value(&system.terms, term).is_true();
            assert_eq!(found, expected, "seed {seed}: {equation:?} in {state:?}");
            outcomes[usize::from(found)] += 1;
        }
    }
    assert!(outcomes.iter().all(|&count| count > 3000), "{outcomes:?}");
}
