//! Narrowed systems have the same violations; traces and proofs come back to the variables as they were.

use system::eval::{Repeated, check_trace, evaluate};
use system::export::vmt;
use system::term::{Term, Value};
use system::testing::{
    Random, all_values, random_narrow_system, reachable, shortest_run, shortest_violation,
};
use system::transform::narrow;
use system::transition_system::{Proof, TransitionSystem, Verdict};

fn bits(system: &TransitionSystem) -> u32 {
    let state = system.state.iter();
    state
        .map(|variable| system.terms.width(variable.current))
        .sum()
}

/// Whether an invariant holds initially, is preserved, and excludes violations, by looking at every state; variables have
/// initial and next values.
fn is_inductive(system: &mut TransitionSystem, invariant: Term) -> bool {
    let current: Vec<Term> = system
        .state
        .iter()
        .map(|variable| variable.current)
        .collect();
    let next: Vec<Term> = system
        .state
        .iter()
        .filter_map(|variable| variable.next)
        .collect();
    let initial: Vec<Term> = system
        .state
        .iter()
        .filter_map(|variable| variable.initial)
        .collect();
    let preserved = system
        .terms
        .substitute(&[invariant], &current.iter().copied().zip(next).collect());
    let initiation = system.terms.substitute(
        &[invariant],
        &current.iter().copied().zip(initial).collect(),
    );
    let allowed = system.terms.and_all(system.invariant_constraints.clone());
    let bad = system
        .terms
        .or_all(system.properties.iter().map(|property| property.bad));
    let roots = [invariant, preserved[0], allowed, bad, system.guard];
    let mut evaluator = Repeated::new(&system.terms, &roots);
    let symbols = [current, system.inputs.clone()].concat();
    let steps = all_values(&system.terms, &symbols).into_iter();
    let mut kept = steps.map(|values| {
        let value = |symbol: Term| Some(values[symbols.iter().position(|known| *known == symbol)?]);
        evaluator.run(&system.terms, value);
        let [now, after, allowed, bad, guard] = roots.map(|root| evaluator.value(root).is_true());
        !(now && allowed) || !bad && (after || !guard)
    });
    kept.all(|kept| kept) && system.terms.as_value(initiation[0]) == Some(Value::Bool(true))
}

#[test]
fn verdicts_stay_traces_and_proofs_come_back() {
    let (mut safe, mut violated, mut saved) = (0, 0, 0);
    for seed in 0..300 {
        let original = random_narrow_system(&mut Random::new(seed));
        let (mut small, reduction) = narrow(original.clone());
        assert_eq!(
            shortest_violation(&small),
            shortest_violation(&original),
            "seed {seed}"
        );
        saved += bits(&original) - bits(&small);
        let verdict = match shortest_run(&small) {
            Some(trace) => Verdict::Unsafe(trace),
            None => Verdict::Safe(Proof::Inductive(reachable(&mut small))),
        };
        let (mut restored, verdict) = reduction.undo(small, verdict);
        assert_eq!(restored.state, original.state);
        match verdict {
            Verdict::Unsafe(trace) => {
                assert_eq!(check_trace(&restored, &trace), Ok(()), "seed {seed}");
                violated += 1;
            }
            Verdict::Safe(Proof::Inductive(invariant)) if safe < 60 => {
                assert!(is_inductive(&mut restored, invariant), "seed {seed}");
                safe += 1;
            }
            Verdict::Safe(_) | Verdict::Unknown(_) => {}
        }
    }
    assert!(
        safe >= 40 && violated >= 60 && saved >= 500,
        "{safe} {violated} {saved}"
    );
}

/// A system of a pointer, a flag that is -1, 0 or 1, a mutex owner, and three counters of which one has no bound; `good` is
/// about them.
fn cells(good: &str) -> TransitionSystem {
    let text = format!(
        "(declare-fun p () (_ BitVec 64)) (declare-fun p.n () (_ BitVec 64))
        (declare-fun f () (_ BitVec 32)) (declare-fun f.n () (_ BitVec 32))
        (declare-fun o () (_ BitVec 32)) (declare-fun o.n () (_ BitVec 32))
        (declare-fun c () (_ BitVec 32)) (declare-fun c.n () (_ BitVec 32))
        (declare-fun u () (_ BitVec 32)) (declare-fun u.n () (_ BitVec 32))
        (declare-fun d () (_ BitVec 32)) (declare-fun d.n () (_ BitVec 32))
        (declare-fun go () Bool) (declare-fun on () Bool)
        (define-fun s0 () (_ BitVec 64) (! p :next p.n))
        (define-fun s1 () (_ BitVec 32) (! f :next f.n))
        (define-fun s2 () (_ BitVec 32) (! o :next o.n))
        (define-fun s3 () (_ BitVec 32) (! c :next c.n))
        (define-fun s4 () (_ BitVec 32) (! u :next u.n))
        (define-fun s5 () (_ BitVec 32) (! d :next d.n))
        (define-fun i () Bool (! (and (= p #x0000000000000000) (= f #xffffffff) (= o #x00000007)
            (= c #x00000000) (= u #x00000000) (= d #x00000000)) :init true))
        (define-fun t () Bool (! (and
            (= p.n (ite go #x0000000200000000 (ite on #x0000000300000000 p)))
            (= f.n (ite go #xffffffff (ite on #x00000001 #x00000000)))
            (= o.n (ite (= p #x0000000100000000) #x00000008 (ite go #x00000005 o)))
            (= c.n (ite (and go (bvslt c #x000003e7)) (bvadd c #x00000003) c))
            (= u.n (bvadd u #x00000001))
            (= d.n (ite (bvule d #x000003e6) (bvadd d #x00000003) d))) :trans true))
        (define-fun q () Bool (! {good} :invar-property 0))"
    );
    vmt::parse(&text).expect("well formed")
}

fn widths(system: &TransitionSystem) -> Vec<u32> {
    let state = system.state.iter();
    state
        .map(|variable| system.terms.width(variable.current))
        .collect()
}

#[test]
fn variables_become_as_wide_as_their_values_need() {
    let (small, _) = narrow(cells("(distinct u #x00000003)"));
    assert_eq!(
        widths(&small),
        [2, 2, 1, 10, 32, 10],
        "pointer, sign, owner, bounded, unbounded, bounded"
    );
}

#[test]
fn conditions_that_no_state_meets_are_gone() {
    let impossible = [
        "(distinct p #x0000000100000000)",
        "(distinct f #x00000002)",
        "(distinct o #x00000008)",
        "(bvult c #x00000400)",
    ];
    for good in impossible {
        let (small, _) = narrow(cells(good));
        let bad = small.properties[0].bad;
        assert_eq!(
            small.terms.as_value(bad),
            Some(Value::Bool(false)),
            "{good}"
        );
    }
}

#[test]
fn comparisons_are_about_codes() {
    let (mut small, _) = narrow(cells("(distinct p #x0000000300000000)"));
    let code = small.state[0].current;
    let three = small.terms.bits(2, 3);
    assert_eq!(small.properties[0].bad, small.terms.equal(code, three));
}

#[test]
fn traces_get_the_values_of_codes() {
    let (small, reduction) = narrow(cells(
        "(or (distinct p #x0000000300000000) (distinct f #x00000001) (distinct c #x00000006))",
    ));
    let trace = shortest_run(&small).expect("violated after three transitions");
    let (restored, verdict) = reduction.undo(small, Verdict::Unsafe(trace));
    let Verdict::Unsafe(trace) = verdict else {
        panic!("another verdict")
    };
    assert_eq!(
        (check_trace(&restored, &trace), trace.steps.len()),
        (Ok(()), 4)
    );
}

#[test]
fn inductions_come_back_with_variables_for_codes() {
    let (mut small, reduction) = narrow(cells("(distinct u #x00000003)"));
    let codes: Vec<Term> = small
        .state
        .iter()
        .map(|variable| variable.current)
        .collect();
    let pointer = small.terms.bits(2, 2);
    let invariant = small.terms.equal(codes[0], pointer);
    let proof = Proof::KInduction {
        depth: 5,
        distinct: Some(vec![codes[4], codes[3], codes[0]]),
        invariant,
    };
    let (restored, verdict) = reduction.undo(small, Verdict::Safe(proof));
    let state: Vec<Term> = restored
        .state
        .iter()
        .map(|variable| variable.current)
        .collect();
    let Verdict::Safe(Proof::KInduction {
        depth: 5,
        distinct,
        invariant,
    }) = verdict
    else {
        panic!("{verdict:?}")
    };
    assert_eq!(distinct, Some(vec![state[4], state[3], state[0]]));
    let admits = |values: [u128; 6]| {
        let values = state.iter().zip(values);
        let values = values.map(|(&variable, bits)| {
            (
                variable,
                Value::BitVec(restored.terms.width(variable), bits),
            )
        });
        evaluate(&restored.terms, &[invariant], &values.collect()) == [Value::Bool(true)]
    };
    assert!(admits([2 << 32, 0xffff_ffff, 7, 1001, 12345, 0]));
    assert!(
        !admits([3 << 32, 0xffff_ffff, 7, 1001, 12345, 0]),
        "another code"
    );
    assert!(
        !admits([1 << 40 | 2 << 32, 0xffff_ffff, 7, 1001, 12345, 0]),
        "no pointer"
    );
    assert!(!admits([2 << 32, 0xffff, 7, 1001, 12345, 0]), "no sign");
    assert!(
        !admits([2 << 32, 0xffff_ffff, 6, 1001, 12345, 0]),
        "no owner"
    );
    assert!(
        !admits([2 << 32, 0xffff_ffff, 7, 1 << 20, 12345, 0]),
        "above the bound"
    );
}

#[test]
fn a_circle_of_initial_values_may_have_any() {
    let mut system = cells("(distinct f #x12345678)");
    let (f, o) = (system.state[1].current, system.state[2].current);
    system.state[1].initial = Some(o);
    system.state[2].initial = Some(f);
    let (small, _) = narrow(system);
    assert_eq!(widths(&small), [2, 32, 32, 10, 32, 10]);
    assert_eq!(small.terms.as_value(small.properties[0].bad), None);
}
