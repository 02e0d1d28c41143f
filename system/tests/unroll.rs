//! Unrolled terms have the values of concrete runs, and models become traces.

use rustc_hash::FxHashMap;
use system::eval::{TraceError, check_trace, evaluate, valuation};
use system::term::{Sort, Term, Value};
use system::testing::{Random, random_run, random_system};
use system::transition_system::{Property, Role, StateVariable, Step, Trace, TransitionSystem};
use system::unroll::{Link, Start, Unroller};

/// The values that make the symbols of the frames follow a run.
fn model(unroller: &Unroller, system: &TransitionSystem, run: &[Step]) -> FxHashMap<Term, Value> {
    let mut model = FxHashMap::default();
    for (frame, step) in unroller.frames().iter().zip(run) {
        let variables = frame
            .state
            .iter()
            .zip(&step.state)
            .chain(frame.inputs.iter().zip(&step.inputs));
        for (&term, &value) in variables {
            if system.terms.is_symbol(term) {
                model.entry(term).or_insert(value);
            }
        }
    }
    model
}

fn check_frames(start: Start, link: Link) {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut system = random_system(&mut random);
        let run = random_run(&mut random, &system, 5);
        let mut unroller = Unroller::new(start, link);
        unroller.frame(&mut system, run.len() - 1);
        let model = model(&unroller, &system, &run);
        for (index, (frame, step)) in unroller.frames().iter().zip(&run).enumerate() {
            assert_eq!(
                evaluate(&system.terms, &frame.state, &model),
                step.state,
                "seed {seed}, frame {index}"
            );
            let valuation = valuation(&system, step);
            let bad: Vec<Term> = system
                .properties
                .iter()
                .map(|property| property.bad)
                .collect();
            assert_eq!(
                evaluate(&system.terms, &frame.bad, &model),
                evaluate(&system.terms, &bad, &valuation)
            );
            assert_eq!(
                evaluate(&system.terms, &[frame.guard], &model),
                evaluate(&system.terms, &[system.guard], &valuation)
            );
            let expected = evaluate(&system.terms, &system.invariant_constraints, &valuation);
            assert_eq!(
                evaluate(&system.terms, &frame.constraints, &model),
                expected
            );
        }
    }
}

#[test]
fn functional_frames_follow_runs() {
    check_frames(Start::Arbitrary, Link::Functional);
}

#[test]
fn fresh_frames_follow_runs() {
    check_frames(Start::Arbitrary, Link::Fresh);
}

/// A counter of `width` bits from 0 that adds 1 where the input holds, and is bad at `bad`.
fn counter(width: u32, bad: u128) -> TransitionSystem {
    let mut terms = system::term::Terms::new();
    let sort = Sort::BitVec(width);
    let (count, go) = (terms.symbol("count", sort), terms.symbol("go", Sort::Bool));
    let (zero, one, limit) = (
        terms.bits(width, 0),
        terms.bits(width, 1),
        terms.bits(width, bad),
    );
    let more = terms.add(count, one);
    let next = terms.ite(go, more, count);
    let (guard, bad) = (terms.bool(true), terms.equal(count, limit));
    TransitionSystem {
        terms,
        state: vec![StateVariable {
            current: count,
            initial: Some(zero),
            next: Some(next),
        }],
        inputs: vec![go],
        initial_constraints: Vec::new(),
        guard,
        invariant_constraints: Vec::new(),
        properties: vec![Property {
            name: "limit".into(),
            role: Role::Violation,
            bad,
        }],
    }
}

#[test]
fn constants_propagate_through_functional_frames() {
    let mut system = counter(8, 9);
    let mut unroller = Unroller::new(Start::Initial, Link::Functional);
    for depth in 0..9 {
        let bad = unroller.frame(&mut system, depth).bad[0];
        assert_eq!(
            system.terms.as_value(bad),
            Some(Value::Bool(false)),
            "depth {depth}"
        );
    }
    let bad = unroller.frame(&mut system, 9).bad[0];
    assert_eq!(system.terms.as_value(bad), None);
}

#[test]
fn models_become_traces_that_check() {
    for link in [Link::Functional, Link::Fresh] {
        let mut system = counter(8, 3);
        let mut unroller = Unroller::new(Start::Initial, link);
        unroller.frame(&mut system, 3);
        let truth = |term: Term| match system.terms.sort(term) {
            Sort::Bool => Value::Bool(true),
            // What a solver that never saw the symbol might say.
            Sort::BitVec(width) => Value::BitVec(width, 7),
        };
        let trace = unroller.trace(&system, 0, 4, truth);
        assert_eq!(check_trace(&system, &trace), Ok(()));
        let short = unroller.trace(&system, 0, 3, truth);
        assert_eq!(check_trace(&system, &short), Err(TraceError::NotBad));
    }
}

#[test]
fn initial_values_may_depend_on_each_other() {
    let mut system = counter(4, 5);
    let sort = Sort::BitVec(4);
    let (copy, p, q) = (
        system.terms.symbol("copy", sort),
        system.terms.symbol("p", sort),
        system.terms.symbol("q", sort),
    );
    let count = system.state[0].current;
    let plus = {
        let two = system.terms.bits(4, 2);
        system.terms.add(count, two)
    };
    system.state.insert(
        0,
        StateVariable {
            current: copy,
            initial: Some(plus),
            next: Some(copy),
        },
    );
    system.state.push(StateVariable {
        current: p,
        initial: Some(q),
        next: None,
    });
    system.state.push(StateVariable {
        current: q,
        initial: Some(p),
        next: None,
    });
    let mut unroller = Unroller::new(Start::Initial, Link::Functional);
    let frame = unroller.frame(&mut system, 0).clone();
    assert_eq!(
        system.terms.as_value(frame.state[0]),
        Some(Value::BitVec(4, 2))
    );
    assert!(system.terms.is_symbol(frame.state[2]) && system.terms.is_symbol(frame.state[3]));
    let equal = system.terms.equal(frame.state[2], frame.state[3]);
    assert!(frame.entry.iter().all(|&term| term == equal) && !frame.entry.is_empty());
}

#[test]
fn every_kind_of_wrong_trace_is_named() {
    let system = counter(4, 2);
    let step = |count, go| Step {
        state: vec![Value::BitVec(4, count)],
        inputs: vec![Value::Bool(go)],
    };
    let check = |system: &TransitionSystem, steps: &[Step], property| {
        check_trace(
            system,
            &Trace {
                property,
                steps: steps.to_vec(),
            },
        )
    };
    let good = [step(0, true), step(1, true), step(2, false)];
    assert_eq!(check(&system, &good, 0), Ok(()));
    assert_eq!(check(&system, &good, 1), Err(TraceError::NoProperty(1)));
    assert_eq!(check(&system, &[], 0), Err(TraceError::Empty));
    assert_eq!(check(&system, &good[..2], 0), Err(TraceError::NotBad));
    assert_eq!(
        check(&system, &good[1..], 0),
        Err(TraceError::Initial {
            variable: "count".into()
        })
    );
    let jump = [step(0, true), step(2, true)];
    assert_eq!(
        check(&system, &jump, 0),
        Err(TraceError::Next {
            step: 1,
            variable: "count".into()
        })
    );
    let wide = Step {
        state: vec![Value::BitVec(5, 0)],
        inputs: vec![Value::Bool(true)],
    };
    assert_eq!(
        check(&system, &[wide], 0),
        Err(TraceError::Shape { step: 0 })
    );
    let too_large = Step {
        state: vec![Value::BitVec(4, 16)],
        inputs: vec![Value::Bool(true)],
    };
    assert_eq!(
        check(&system, &[too_large], 0),
        Err(TraceError::Shape { step: 0 })
    );
    let go = system.inputs[0];
    let mut guarded = system.clone();
    guarded.guard = guarded.terms.not(go);
    assert_eq!(
        check(&guarded, &good, 0),
        Err(TraceError::Guard { step: 0 })
    );
    let mut constrained = system.clone();
    constrained.invariant_constraints = vec![go];
    let violated = TraceError::InvariantConstraint {
        step: 2,
        constraint: 0,
    };
    assert_eq!(check(&constrained, &good, 0), Err(violated));
    let mut from = system.clone();
    from.initial_constraints = vec![system.properties[0].bad];
    assert_eq!(
        check(&from, &good, 0),
        Err(TraceError::InitialConstraint(0))
    );
}
