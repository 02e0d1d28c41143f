//! Simplified systems have the same verdicts, and the way back leads to traces that check.

use system::eval::check_trace;
use system::export::vmt;
use system::term::Value;
use system::testing::{
    Random, fixture, random_system, reachable, shortest_run, shortest_violation,
};
use system::transform::{SystemReduction, constants, equal_variables, narrow, simplify, slice};
use system::transition_system::{Proof, TransitionSystem, Verdict};

type Simplification = fn(TransitionSystem) -> (TransitionSystem, SystemReduction);

#[test]
fn verdicts_stay_and_traces_come_back() {
    let mut violations = 0;
    for seed in 0..300 {
        let original = random_system(&mut Random::new(seed));
        let expected = shortest_violation(&original);
        let simplifications: [Simplification; 4] = [constants, equal_variables, slice, narrow];
        for simplification in simplifications {
            let (small, reduction) = simplification(original.clone());
            assert!(
                small.state.len() + small.inputs.len()
                    <= original.state.len() + original.inputs.len()
            );
            assert_eq!(shortest_violation(&small), expected, "seed {seed}");
            if let Some(trace) = shortest_run(&small) {
                let (restored, verdict) = reduction.undo(small, Verdict::Unsafe(trace));
                let Verdict::Unsafe(trace) = verdict else {
                    panic!("another verdict")
                };
                assert_eq!(check_trace(&restored, &trace), Ok(()), "seed {seed}");
                assert_eq!(
                    (restored.state, restored.inputs),
                    (original.state.clone(), original.inputs.clone())
                );
                violations += 1;
            }
        }
    }
    assert!(violations >= 100, "{violations}");
}

/// Two parts that have nothing to do with each other, one variable that stays constant if another does, and an input
/// that nothing reads.
const PARTS: &str = "
    (declare-fun x () (_ BitVec 3)) (declare-fun x.n () (_ BitVec 3))
    (declare-fun y () (_ BitVec 3)) (declare-fun y.n () (_ BitVec 3))
    (declare-fun a () Bool) (declare-fun a.n () Bool)
    (declare-fun b () (_ BitVec 3)) (declare-fun b.n () (_ BitVec 3))
    (declare-fun unread () Bool) (declare-fun go () Bool)
    (define-fun s0 () (_ BitVec 3) (! x :next x.n))
    (define-fun s1 () (_ BitVec 3) (! y :next y.n))
    (define-fun s2 () Bool (! a :next a.n))
    (define-fun s3 () (_ BitVec 3) (! b :next b.n))
    (define-fun i () Bool (! (and (= x #b000) (= y #b000) (not a) (= b #b001)) :init true))
    (define-fun t () Bool (! (and
        (= x.n (ite go (bvadd x b) x))
        (= y.n (bvsub y #b001))
        (= a.n (and a (= y #b010)))
        (= b.n (ite a #b110 b))) :trans true))";

fn parts(good: &str) -> TransitionSystem {
    vmt::parse(&format!(
        "{PARTS} (define-fun p () Bool (! {good} :invar-property 0))"
    ))
    .expect("well formed")
}

#[test]
fn constants_and_slices_are_found() {
    let (small, _) = constants(parts("(distinct x #b101)"));
    assert_eq!(small.state.len(), 2, "a stays false, so b stays 1");
    let (small, _) = slice(parts("(distinct y #b101)"));
    assert_eq!((small.state.len(), small.inputs.len()), (1, 0));
    let (small, pipeline) = simplify(parts("(distinct x #b101)"));
    assert_eq!((small.state.len(), small.inputs.len()), (1, 1));
    let trace = shortest_run(&small).expect("x becomes 5");
    let (restored, verdict) = pipeline.undo(small, Verdict::Unsafe(trace));
    let Verdict::Unsafe(trace) = verdict else {
        panic!("another verdict")
    };
    assert_eq!(
        (trace.steps.len(), check_trace(&restored, &trace)),
        (6, Ok(()))
    );
    assert_eq!((restored.state.len(), restored.inputs.len()), (4, 2));
}

#[test]
fn proofs_learn_the_constants() {
    let (mut small, pipeline) = simplify(parts("(= b #b001)"));
    assert_eq!((small.state.len(), small.inputs.len()), (0, 0));
    let proof = Proof::Inductive(reachable(&mut small));
    let (mut restored, verdict) = pipeline.undo(small, Verdict::Safe(proof));
    let Verdict::Safe(Proof::Inductive(invariant)) = verdict else {
        panic!("another verdict")
    };
    let (a, b) = (restored.state[2].current, restored.state[3].current);
    let not_a = restored.terms.not(a);
    let one = restored.terms.bits(3, 1);
    let b_is_one = restored.terms.equal(b, one);
    assert_eq!(invariant, restored.terms.and(not_a, b_is_one));
}

#[test]
fn a_circle_of_initial_values_is_kept() {
    let mut system = parts("(distinct x #b101)");
    let y = system.state[1].current;
    let one = system.terms.bits(3, 1);
    // No state is initial.
    system.state[1].initial = Some(system.terms.add(y, one));
    assert_eq!(shortest_violation(&system), None);
    let (small, _) = slice(system);
    assert_eq!(shortest_violation(&small), None);
}

#[test]
fn variables_that_stay_equal_are_merged() {
    let (small, reduction) = equal_variables(fixture("lockstep"));
    assert_eq!(small.state.len(), 1);
    assert_eq!(
        small.terms.as_value(small.properties[0].bad),
        Some(Value::Bool(false))
    );
    let mut small = small;
    let truth = small.terms.bool(true);
    let (mut restored, verdict) = reduction.undo(small, Verdict::Safe(Proof::Inductive(truth)));
    let equal = restored
        .terms
        .equal(restored.state[0].current, restored.state[1].current);
    assert_eq!(verdict, Verdict::Safe(Proof::Inductive(equal)));
}

#[test]
fn variables_that_become_different_are_not_merged() {
    let (small, _) = equal_variables(fixture("lockstep_slip"));
    assert_eq!(small.state.len(), 2);
}
