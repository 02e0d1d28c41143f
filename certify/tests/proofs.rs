//! Right proofs are certified; wrong ones, and solvers that do not answer, are refused for the right reason.

use std::time::Duration;

use certify::{Certificate, CertifyError, ClauseCommands, Count, SolverCommand, check_proof};
use system::export::vmt;
use system::term::Term;
use system::testing::{
    Random, fixture, random_narrow_system, random_system, reachable, shortest_violation,
};
use system::transform::simplify;
use system::transition_system::{Proof, TransitionSystem, Verdict};

fn solver() -> SolverCommand {
    SolverCommand::z3(Duration::from_secs(60))
}

/// A system with one state variable `x` of 3 bits.
fn system(initial: &str, transition: &str, good: &str) -> TransitionSystem {
    let text = format!(
        "(declare-fun x () (_ BitVec 3)) (declare-fun y () (_ BitVec 3)) (declare-fun go () Bool)
        (define-fun s () (_ BitVec 3) (! x :next y))
        (define-fun i () Bool (! {initial} :init true))
        (define-fun t () Bool (! {transition} :trans true))
        (define-fun p () Bool (! {good} :invar-property 0))"
    );
    vmt::parse(&text).expect("well formed")
}

/// Reachable: 0 to 3 in a circle. Unreachable: 4 to 5 to 6 to 7, which is bad and stays.
fn circle() -> TransitionSystem {
    let next = "(= y (ite (= x #b011) #b000 (ite (= x #b111) #b111 (bvadd x #b001))))";
    system("(= x #b000)", next, "(distinct x #b111)")
}

/// Counts from 0 to 3 and stops there.
fn bounded(good: &str) -> TransitionSystem {
    system(
        "(= x #b000)",
        "(and (bvult x #b011) (= y (bvadd x #b001)))",
        good,
    )
}

fn below(system: &mut TransitionSystem, bound: u128) -> Term {
    let bound = system.terms.bits(3, bound);
    system.terms.unsigned_less(system.state[0].current, bound)
}

/// The obligation that is refuted; `None` if the proof is certified.
fn refuted(system: &TransitionSystem, proof: &Proof) -> Option<String> {
    match check_proof(system, proof, &solver()) {
        Ok(certified) => {
            assert!(certified.discharged.len() >= 2);
            None
        }
        Err(CertifyError::Refuted { obligation }) => Some(obligation),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn inductive_invariants() {
    let mut system = circle();
    let good = below(&mut system, 4);
    assert_eq!(refuted(&system, &Proof::Inductive(good)), None);
    let broken = [
        (0, "initiation"),
        (3, "consecution"),
        (5, "consecution"),
        (7, "consecution"),
    ];
    for (bound, obligation) in broken {
        let invariant = below(&mut system, bound);
        assert_eq!(
            refuted(&system, &Proof::Inductive(invariant)).as_deref(),
            Some(obligation),
            "{bound}"
        );
    }
    let everything = system.terms.bool(true);
    assert_eq!(
        refuted(&system, &Proof::Inductive(everything)).as_deref(),
        Some("safety")
    );
}

#[test]
fn an_invariant_speaks_of_the_state_only() {
    let mut system = bounded("(bvult x #b100)");
    let input = system.inputs[0];
    for proof in [
        Proof::Inductive(input),
        Proof::Inductive(system.state[0].current),
    ] {
        assert!(matches!(
            check_proof(&system, &proof, &solver()),
            Err(CertifyError::Proof(_))
        ));
    }
    let invariant = system.terms.bool(true);
    let proof = Proof::KInduction {
        depth: 0,
        distinct: None,
        invariant,
    };
    assert!(matches!(
        check_proof(&system, &proof, &solver()),
        Err(CertifyError::Proof(_))
    ));
}

/// All variables of the state.
fn state(system: &TransitionSystem) -> Option<Vec<Term>> {
    let variables = system.state.iter();
    Some(variables.map(|variable| variable.current).collect())
}

#[test]
fn inductions() {
    let mut system = circle();
    let truth = system.terms.bool(true);
    let induction = |depth, distinct: Option<Vec<Term>>, invariant| Proof::KInduction {
        depth,
        distinct,
        invariant,
    };
    assert_eq!(
        refuted(&system, &induction(3, None, truth)).as_deref(),
        Some("step")
    );
    assert_eq!(refuted(&system, &induction(4, None, truth)), None);
    let invariant = below(&mut system, 4);
    assert_eq!(refuted(&system, &induction(1, None, invariant)), None);
    let wrong = below(&mut system, 3);
    assert_eq!(
        refuted(&system, &induction(4, None, wrong)).as_deref(),
        Some("consecution")
    );
    // The input decides between staying and going on, so that without distinct states no depth suffices.
    let next = "(= y (ite go x (ite (= x #b011) #b000 (bvadd x #b001))))";
    let mut staying = self::system("(= x #b000)", next, "(distinct x #b111)");
    let truth = staying.terms.bool(true);
    assert_eq!(
        refuted(&staying, &induction(5, None, truth)).as_deref(),
        Some("step")
    );
    assert_eq!(
        refuted(&staying, &induction(5, state(&staying), truth)),
        None
    );
    assert_eq!(
        refuted(&staying, &induction(2, state(&staying), truth)).as_deref(),
        Some("step")
    );
    // A violation within the base: 2 is reached after two transitions.
    let mut reached = bounded("(distinct x #b010)");
    let truth = reached.terms.bool(true);
    assert_eq!(
        refuted(&reached, &induction(3, state(&reached), truth)).as_deref(),
        Some("base")
    );
}

#[test]
fn states_may_differ_in_the_variables_that_decide() {
    // The counter z makes all states different, but does not help the unreachable x to become bad.
    let text = "
        (declare-fun x () (_ BitVec 3)) (declare-fun y () (_ BitVec 3)) (declare-fun go () Bool)
        (declare-fun z () (_ BitVec 8)) (declare-fun w () (_ BitVec 8))
        (define-fun s () (_ BitVec 3) (! x :next y))
        (define-fun u () (_ BitVec 8) (! z :next w))
        (define-fun i () Bool (! (and (= x #b000) (= z #x00)) :init true))
        (define-fun t () Bool (! (and (= w (bvadd z #x01))
            (= y (ite go x (ite (= x #b011) #b000 (bvadd x #b001))))) :trans true))
        (define-fun p () Bool (! (distinct x #b111) :invar-property 0))";
    let mut system = vmt::parse(text).expect("well formed");
    let invariant = system.terms.bool(true);
    let (x, z) = (system.state[0].current, system.state[1].current);
    let proof = |distinct| Proof::KInduction {
        depth: 5,
        distinct,
        invariant,
    };
    assert_eq!(refuted(&system, &proof(Some(vec![x]))), None);
    for distinct in [None, Some(vec![x, z])] {
        assert_eq!(refuted(&system, &proof(distinct)).as_deref(), Some("step"));
    }
    assert_eq!(
        refuted(&system, &proof(Some(vec![z]))).as_deref(),
        Some("projection"),
        "z does not decide about x"
    );
    let foreign = system.terms.bool(true);
    assert!(matches!(
        check_proof(&system, &proof(Some(vec![foreign])), &solver()),
        Err(CertifyError::Proof(_))
    ));
}

/// The states that are considered depend on z, which no state is said to differ in; x is violated after two transitions. The invariant
/// excludes what is not considered, and that must not be used to show that it is not.
#[test]
fn states_that_are_not_considered_must_depend_on_the_variables_that_decide() {
    let text = "
        (declare-fun x () Bool) (declare-fun x.n () Bool) (declare-fun y () Bool) (declare-fun y.n () Bool)
        (declare-fun z () Bool) (declare-fun z.n () Bool) (declare-fun go () Bool)
        (define-fun a () Bool (! x :next x.n)) (define-fun b () Bool (! y :next y.n)) (define-fun c () Bool (! z :next z.n))
        (define-fun i () Bool (! (and (not x) (not y) (not z)) :init true))
        (define-fun t () Bool (! (and (= x.n (or x go)) (= y.n true) (= z.n y)) :trans true))
        (define-fun p () Bool (! (not x) :invar-property 0))";
    let mut system = vmt::parse(text).expect("well formed");
    let [x, _, z] = [0, 1, 2].map(|number| system.state[number].current);
    let without = system.terms.not(z);
    let both = system.terms.and(x, without);
    let invariant = system.terms.not(both);
    system.invariant_constraints.push(invariant);
    let proof = |distinct| Proof::KInduction {
        depth: 2,
        distinct: Some(distinct),
        invariant,
    };
    assert_eq!(
        refuted(&system, &proof(vec![x])).as_deref(),
        Some("projection")
    );
    assert_eq!(
        refuted(&system, &proof(vec![x, z])).as_deref(),
        Some("projection")
    );
}

#[test]
fn proofs_of_simplified_systems_prove_the_originals() {
    let mut certified = 0;
    for seed in 0..40 {
        let random = &mut Random::new(seed);
        let systems = [random_system(random), random_narrow_system(random)];
        for (mut small, way_back) in systems.map(simplify) {
            if shortest_violation(&small).is_some() {
                continue;
            }
            let invariant = reachable(&mut small);
            let induction = Proof::KInduction {
                depth: 1,
                distinct: state(&small),
                invariant,
            };
            for proof in [Proof::Inductive(invariant), induction] {
                let (original, verdict) =
                    way_back.clone().undo(small.clone(), Verdict::Safe(proof));
                let Verdict::Safe(proof) = verdict else {
                    panic!("another verdict")
                };
                assert_eq!(refuted(&original, &proof), None, "seed {seed}");
                certified += 1;
            }
        }
    }
    assert!(certified >= 40, "{certified}");
}

#[test]
fn exhausted_runs() {
    let safe = bounded("(bvult x #b100)");
    assert_eq!(refuted(&safe, &Proof::Exhausted { depth: 3 }), None);
    assert_eq!(refuted(&safe, &Proof::Exhausted { depth: 4 }), None);
    assert_eq!(
        refuted(&safe, &Proof::Exhausted { depth: 2 }).as_deref(),
        Some("end")
    );
    // The last state is bad although no transition leaves it.
    let violated = bounded("(bvult x #b011)");
    assert_eq!(
        refuted(&violated, &Proof::Exhausted { depth: 3 }).as_deref(),
        Some("base")
    );
    assert_eq!(
        refuted(&violated, &Proof::Exhausted { depth: 2 }).as_deref(),
        Some("end")
    );
}

#[test]
fn random_systems_are_certified_by_their_reachable_states_iff_they_are_safe() {
    let mut both = [0, 0];
    for seed in 0..25 {
        let mut system = random_system(&mut Random::new(seed));
        let violation = shortest_violation(&system);
        let invariant = reachable(&mut system);
        let refuted = refuted(&system, &Proof::Inductive(invariant));
        assert_eq!(
            refuted.is_none(),
            violation.is_none(),
            "seed {seed}: {refuted:?}"
        );
        both[usize::from(violation.is_none())] += 1;
        if let Some((_, depth)) = violation {
            assert!(
                self::refuted(&system, &Proof::Exhausted { depth }).is_some(),
                "seed {seed}"
            );
            let proof = Proof::KInduction {
                depth: depth + 1,
                distinct: state(&system),
                invariant: system.terms.bool(true),
            };
            assert_eq!(
                self::refuted(&system, &proof).as_deref(),
                Some("base"),
                "seed {seed}"
            );
        }
    }
    assert!(both[0] >= 5 && both[1] >= 5, "{both:?}");
}

#[test]
fn only_the_answer_unsat_discharges() {
    let mut system = circle();
    let proof = Proof::Inductive(below(&mut system, 4));
    let check = |script: &str| {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        let time_limit = Duration::from_millis(500);
        check_proof(
            &system,
            &proof,
            &SolverCommand {
                program: "sh".to_owned(),
                arguments,
                check: "(check-sat)",
                clauses: None,
                time_limit,
            },
        )
    };
    assert!(check("echo unsat").is_ok());
    assert!(matches!(
        check("echo sat"),
        Err(CertifyError::Refuted { .. })
    ));
    assert!(matches!(
        check("echo unknown"),
        Err(CertifyError::Unknown { .. })
    ));
    assert!(matches!(
        check("echo unsat; exit 1"),
        Err(CertifyError::Answer { .. })
    ));
    assert!(matches!(
        check("echo '(error)'; echo unsat"),
        Err(CertifyError::Answer { .. })
    ));
    assert!(matches!(
        check("echo unsatisfiable"),
        Err(CertifyError::Answer { .. })
    ));
    assert!(matches!(check("true"), Err(CertifyError::Answer { .. })));
    for endless in ["exec sleep 60", "echo unsat; exec >&-; exec sleep 60"] {
        assert!(matches!(
            check(endless),
            Err(CertifyError::TimeLimit { .. })
        ));
    }
    let missing = SolverCommand {
        program: "no-such-solver".to_owned(),
        ..solver()
    };
    assert!(matches!(
        check_proof(&system, &proof, &missing),
        Err(CertifyError::Start { .. })
    ));
}

/// The solver of the obligations about long runs only translates them.
#[test]
fn only_clauses_that_are_refuted_discharge() {
    let system = bounded("(bvult x #b100)");
    let check = |output: &str| {
        let solver = SolverCommand {
            program: "sh".to_owned(),
            arguments: vec!["-c".to_owned(), format!("cat >&2; echo '{output}'")],
            check: "(check-sat)",
            clauses: Some(ClauseCommands {
                run: "(apply tseitin-cnf)",
                formula: "(apply skip)",
            }),
            time_limit: Duration::from_secs(60),
        };
        check_proof(&system, &Proof::Exhausted { depth: 3 }, &solver)
    };
    let goal = |clauses: &str| format!("(goals (goal {clauses} :precision precise :depth 4))");
    assert!(check(&goal("(or k!0 k!1) (not k!0) (not k!1)")).is_ok());
    assert!(matches!(
        check(&goal("(or k!0 k!1) (not k!0)")),
        Err(CertifyError::Refuted { .. })
    ));
    for strange in ["unsat", "", "(goals (goal false :precision over :depth 4))"] {
        assert!(matches!(check(strange), Err(CertifyError::Answer { .. })));
    }
}

#[test]
fn fixtures_too_wide_for_search_are_safe_by_induction() {
    for name in ["doubled_twice", "lockstep", "odd_product"] {
        let mut system = fixture(name);
        let invariant = system.terms.bool(true);
        let proof = Proof::KInduction {
            depth: 1,
            distinct: None,
            invariant,
        };
        assert_eq!(refuted(&system, &proof), None, "{name}");
    }
}

/// Two threads `a` and `b` that stand for any number, and a global `g`: each may go from 0 to 1 where `g` is 0, and sets it.
fn two_of_many(good: &str) -> TransitionSystem {
    let text = format!(
        "(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun g () Bool)
        (declare-fun a2 () Bool) (declare-fun b2 () Bool) (declare-fun g2 () Bool) (declare-fun who () Bool)
        (define-fun sa () Bool (! a :next a2)) (define-fun sb () Bool (! b :next b2)) (define-fun sg () Bool (! g :next g2))
        (define-fun i () Bool (! (and (not a) (not b) (not g)) :init true))
        (define-fun t () Bool (! (and (not g) g2 (= a2 (or a who)) (= b2 (or b (not who)))) :trans true))
        (define-fun p () Bool (! {good} :invar-property 0))"
    );
    vmt::parse(&text).expect("well formed")
}

#[test]
fn an_invariant_about_two_threads_at_once_does_not_hold_for_any_number() {
    let families = || vec![vec![vec![0], vec![1]]];
    let for_all = |system: &TransitionSystem, proof: &Proof| {
        let certificate =
            Certificate::new(system, proof).and_then(|proof| proof.for_all(families(), Vec::new()));
        match certificate.and_then(|certificate| certificate.discharge(&solver())) {
            Ok(certified) => {
                assert_eq!(certified.discharged.len(), 4);
                None
            }
            Err(CertifyError::Refuted { obligation }) => Some(obligation),
            Err(error) => panic!("{error}"),
        }
    };
    // Who has moved has set the global: about one thread at a time.
    let mut system = two_of_many("(or (not a) g)");
    let [a, b, g] = [0, 1, 2].map(|position| system.state[position].current);
    let terms = &mut system.terms;
    let one = [a, b].map(|moved| terms.implies(moved, g));
    let invariant = terms.and_all(one);
    assert_eq!(for_all(&system, &Proof::Inductive(invariant)), None);
    // Not both have moved: that is inductive here, and would be with others, but it does not follow from this proof.
    let mut system = two_of_many("(not (and a b))");
    let [a, b, g] = [0, 1, 2].map(|position| system.state[position].current);
    let terms = &mut system.terms;
    let both = terms.and(a, b);
    let not_both = terms.not(both);
    let one = [a, b].map(|moved| terms.implies(moved, g));
    let invariant = terms.and_all(one.into_iter().chain([not_both]));
    let proof = Proof::Inductive(invariant);
    assert_eq!(refuted(&system, &proof), None);
    assert_eq!(for_all(&system, &proof), Some("independence".to_owned()));
    // Threads that are none, and variables that are two threads' own.
    let proof = Proof::Inductive(invariant);
    for wrong in [
        vec![],
        vec![vec![vec![0]]],
        vec![vec![vec![0], vec![0]]],
        vec![vec![vec![0], vec![7]]],
    ] {
        let certificate = Certificate::new(&system, &proof).expect("it is a proof");
        assert!(matches!(
            certificate.for_all(wrong, Vec::new()),
            Err(CertifyError::Proof(_))
        ));
    }
}

/// Two threads `a` and `b` that stand for any number: each may go from 0 to 1 and count itself in `n`, and back; `g` is set by who leaves
/// as the last one.
fn counted_threads(enters: &str) -> TransitionSystem {
    let thread = |own: &str, other: &str| {
        format!(
            "(and (= {other}2 {other})
                (or (and (= {own} #b00) (= {own}2 #b01) (not g) (= n2 {enters}) (not g2))
                    (and (= {own} #b01) (= {own}2 #b10) (= n2 (bvsub n #x00000001)) (= g2 (or g (= n #x00000001))))))"
        )
    };
    let text = format!(
        "(declare-fun a () (_ BitVec 2)) (declare-fun b () (_ BitVec 2))
        (declare-fun n () (_ BitVec 32)) (declare-fun g () Bool) (declare-fun h () (_ BitVec 1))
        (declare-fun a2 () (_ BitVec 2)) (declare-fun b2 () (_ BitVec 2))
        (declare-fun n2 () (_ BitVec 32)) (declare-fun g2 () Bool) (declare-fun h2 () (_ BitVec 1))
        (define-fun sa () (_ BitVec 2) (! a :next a2)) (define-fun sb () (_ BitVec 2) (! b :next b2))
        (define-fun sn () (_ BitVec 32) (! n :next n2)) (define-fun sg () Bool (! g :next g2))
        (define-fun sh () (_ BitVec 1) (! h :next h2))
        (define-fun i () Bool (! (and (= h #b0) (= a #b00) (= b #b00) (= n #x00000000) (not g)) :init true))
        (define-fun t () Bool (! (or {} {}) :trans true))
        (define-fun p () Bool (! (not (and g (or (= a #b01) (= b #b01)))) :invar-property 0))",
        thread("a", "b"),
        thread("b", "a"),
    );
    vmt::parse(&text).expect("well formed")
}

#[test]
fn what_counts_threads_is_their_number() {
    let one_more = "(bvadd n #x00000001)";
    let count = || Count {
        variable: 2,
        counts_down: false,
        is_flag: false,
        from: 0,
        places: vec![(0, vec![1]), (1, vec![1])],
        beside: vec![],
    };
    let prove = |enters: &str, counts: Vec<Count>| {
        let mut system = counted_threads(enters);
        let [a, b, _, g] = [0, 1, 2, 3].map(|position| system.state[position].current);
        let terms = &mut system.terms;
        let one = terms.bits(2, 1);
        let none_inside = [a, b].map(|place| {
            let is_inside = terms.equal(place, one);
            let is_outside = terms.not(is_inside);
            terms.implies(g, is_outside)
        });
        let invariant = terms.and_all(none_inside);
        let certificate = Certificate::new(&system, &Proof::Inductive(invariant));
        let families = vec![vec![vec![0], vec![1]]];
        let certificate = certificate.and_then(|proof| proof.for_all(families, counts));
        match certificate.and_then(|certificate| certificate.discharge(&solver())) {
            Ok(certified) => format!("{} hold", certified.discharged.len()),
            Err(CertifyError::Refuted { obligation }) => obligation,
            Err(CertifyError::Proof(_)) => "unusable".to_owned(),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(prove(one_more, vec![count()]), "6 hold");
    // Nobody says that who is inside is counted.
    assert_eq!(prove(one_more, vec![]), "consecution");
    // Somebody is counted twice, or not, or counts in a step in which another thread moves, too.
    for enters in [
        "(bvadd n #x00000002)",
        "n",
        "(ite (= b #b01) n (bvadd n #x00000001))",
    ] {
        assert_eq!(prove(enters, vec![count()]), "counting", "{enters}");
    }
    assert_eq!(prove("n", vec![count(), count()]), "counting");
    // Those are counted that are not there initially, or were not created.
    let places = |all: &[u128]| Count {
        places: vec![(0, all.to_vec()), (1, all.to_vec())],
        ..count()
    };
    assert_eq!(prove(one_more, vec![places(&[0, 1])]), "counted");
    assert_eq!(prove(one_more, vec![places(&[1, 2])]), "counting");
    // It does not count down.
    let down = Count {
        counts_down: true,
        ..count()
    };
    assert_eq!(prove(one_more, vec![down]), "counting");
    let first = Count { from: 1, ..count() };
    assert_eq!(prove(one_more, vec![first]), "counted");
    // Nothing else makes it more.
    let beside = Count {
        beside: vec![(4, vec![(1, 1)])],
        ..count()
    };
    assert_eq!(prove(one_more, vec![beside]), "counting");
    // A flag would be 1 at most; and what is not alike, not there, too wide or a place is no count.
    let flag = Count {
        is_flag: true,
        ..count()
    };
    assert_eq!(prove(one_more, vec![flag]), "counting");
    let with = |places| Count { places, ..count() };
    for wrong in [
        with(vec![(0, vec![1])]),
        with(vec![(0, vec![1]), (1, vec![2])]),
        with(vec![(0, vec![4]), (1, vec![4])]),
        with(vec![(0, vec![1]), (1, vec![1]), (3, vec![1])]),
        with(vec![(0, vec![1]), (1, vec![1]), (9, vec![1])]),
        Count {
            variable: 0,
            ..count()
        },
        Count {
            variable: 9,
            ..count()
        },
        Count {
            from: 1 << 32,
            ..count()
        },
        Count {
            beside: vec![(4, vec![(0, 1 << 32)])],
            ..count()
        },
        Count {
            beside: vec![(0, vec![(0, 1)])],
            ..count()
        },
    ] {
        let text = wrong.to_string();
        assert_eq!(prove(one_more, vec![wrong]), "unusable", "{text}");
    }
}
