//! Variables of programs have names of all kinds; certificates keep them apart, and everybody reads them in the same way.

use certify::{Certificate, CertifyError, SolverCommand};
use system::term::{Sort, Term, Terms};
use system::testing::Random;
use system::transition_system::{Proof, Property, Role, StateVariable, TransitionSystem};

/// What names are made of here: what SMT-LIB, solvers and certificates read something into.
const PIECES: [&str; 48] = [
    "", "x", "y", "0", "1", "@", "@0", "@1", "!1", "!", "|", "||", "\\", "\"", ";", "'", " ", "  ",
    "(", ")", "#", "#b0", "#x", ":", ":named", ".", ",", "[0]", "{", "\n", "\r", "\t", "\0",
    "\u{7f}", "\u{85}", "\u{2028}", "é", "😀", "true", "not", "let", "_", "bv5", "initial",
    "next0", "t0", "step", "run",
];

fn name(random: &mut Random) -> String {
    let pieces = random.below(4);
    (0..pieces).map(|_| random.pick(&PIECES)).collect()
}

/// Variables that are 0 and stay so, because the input only makes them take each other's values.
struct Circle {
    system: TransitionSystem,
    /// All are 0.
    right: Term,
    /// The first is 0.
    wrong: Term,
}

fn circle(names: &[String]) -> Circle {
    let mut terms = Terms::new();
    let sorts = [Sort::Bool, Sort::BitVec(3)];
    let sort = sorts[names.len() % 2];
    let (last, state) = names.split_last().expect("names");
    let state: Vec<Term> = state.iter().map(|name| terms.symbol(name, sort)).collect();
    let input = terms.symbol(last, Sort::Bool);
    let zero = terms.constant(system::term::Value::zero(sort));
    let follow = |terms: &mut Terms, number: usize| StateVariable {
        current: state[number],
        initial: Some(zero),
        next: Some(terms.ite(input, state[(number + 1) % state.len()], state[number])),
    };
    let variables = (0..state.len())
        .map(|number| follow(&mut terms, number))
        .collect();
    let are_zero: Vec<Term> = state
        .iter()
        .map(|&variable| terms.equal(variable, zero))
        .collect();
    let bad = terms.not(are_zero[0]);
    let (right, wrong) = (terms.and_all(are_zero.iter().copied()), are_zero[0]);
    let system = TransitionSystem {
        state: variables,
        inputs: vec![input],
        initial_constraints: Vec::new(),
        guard: terms.bool(true),
        invariant_constraints: Vec::new(),
        properties: vec![Property {
            name: names.concat(),
            role: Role::Violation,
            bad,
        }],
        terms,
    };
    Circle {
        system,
        right,
        wrong,
    }
}

fn read_again(system: &TransitionSystem, proof: &Proof) -> Certificate {
    let certificate = Certificate::new(system, proof).expect("well formed");
    let text = certificate.print(&["; argument: none".to_owned(), "é|\"\n".to_owned()]);
    let read = Certificate::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(read, certificate);
    assert_eq!(read.is_about(system), Ok(()));
    read
}

#[test]
fn certificates_with_any_names_are_read_again() {
    for seed in 0..2000 {
        let random = &mut Random::new(seed);
        let names: Vec<String> = (0..3 + random.below(4)).map(|_| name(random)).collect();
        let Circle {
            system,
            right,
            wrong,
        } = circle(&names);
        let all: Vec<Term> = system
            .state
            .iter()
            .map(|variable| variable.current)
            .collect();
        read_again(&system, &Proof::Inductive(right));
        let depth = 1 + random.below(3);
        let distinct = (random.below(2) == 0).then_some(all);
        let invariant = wrong;
        read_again(
            &system,
            &Proof::KInduction {
                depth,
                distinct,
                invariant,
            },
        );
    }
}

#[test]
fn solvers_keep_all_names_apart() {
    let solver = SolverCommand::default();
    for seed in 0..20 {
        let random = &mut Random::new(seed);
        let mut names: Vec<String> = (0..6 + seed as usize % 2).map(|_| name(random)).collect();
        names[1] = names[0].clone();
        let Circle {
            system,
            right,
            wrong,
        } = circle(&names);
        let all: Vec<Term> = system
            .state
            .iter()
            .map(|variable| variable.current)
            .collect();
        let induction = |invariant| Proof::KInduction {
            depth: 2,
            distinct: Some(all.clone()),
            invariant,
        };
        for proof in [Proof::Inductive(right), induction(right)] {
            let held = read_again(&system, &proof).discharge(&solver);
            assert!(held.is_ok(), "{names:?}: {held:?}");
        }
        for proof in [Proof::Inductive(wrong), induction(wrong)] {
            let refuted = read_again(&system, &proof).discharge(&solver);
            assert!(
                matches!(&refuted, Err(CertifyError::Refuted { obligation }) if obligation == "consecution"),
                "{names:?}: {refuted:?}"
            );
        }
    }
}
