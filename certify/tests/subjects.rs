//! What a certificate is about: the lines that programs read, and the system.

use certify::{Certificate, Difference, Subject};
use system::export::vmt;
use system::term::{Sort, Term};
use system::testing::{Random, grow, random_system, reachable};
use system::transition_system::{Proof, TransitionSystem};

fn counter() -> TransitionSystem {
    let text = "
        (declare-fun x () (_ BitVec 4)) (declare-fun x.n () (_ BitVec 4)) (declare-fun go () Bool)
        (declare-fun y () Bool) (declare-fun y.n () Bool)
        (define-fun s0 () (_ BitVec 4) (! x :next x.n))
        (define-fun s1 () Bool (! y :next y.n))
        (define-fun i () Bool (! (and (= x #x0) (not y)) :init true))
        (define-fun t () Bool (! (and (= x.n (ite go (bvadd x #x2) x)) (= y.n (= x #x4))) :trans true))
        (define-fun p () Bool (! (not (= x #x7)) :invar-property 0))";
    vmt::parse(text).expect("well formed")
}

fn trivial(system: &mut TransitionSystem) -> Certificate {
    let truth = system.terms.bool(true);
    Certificate::new(system, &Proof::Inductive(truth)).expect("well formed")
}

#[test]
fn a_certificate_is_about_its_system_whatever_it_proves() {
    for seed in 0..60 {
        let mut system = random_system(&mut Random::new(seed));
        let alone = system.clone();
        let mut pool: Vec<Term> = system
            .state
            .iter()
            .map(|variable| variable.current)
            .collect();
        // Terms that a search may have left behind.
        grow(&mut Random::new(seed), &mut system.terms, &mut pool, 20, 6);
        let formulas = pool
            .iter()
            .copied()
            .filter(|&term| system.terms.sort(term) == Sort::Bool);
        let formulas: Vec<Term> = formulas.chain([reachable(&mut system.clone())]).collect();
        for &invariant in formulas
            .iter()
            .filter(|term| term.index() < system.terms.len())
        {
            let certificate =
                Certificate::new(&system, &Proof::Inductive(invariant)).expect("well formed");
            let read = Certificate::parse(&certificate.print(&[])).expect("a certificate");
            assert_eq!(read.is_about(&alone), Ok(()), "seed {seed}");
            assert_eq!(read.is_about(&system), Ok(()), "seed {seed}");
        }
    }
}

#[test]
fn every_part_of_a_system_is_compared() {
    type Change = fn(&mut TransitionSystem);
    let changes: [(&str, Change); 12] = [
        ("state variable 0 is", |system| system.state.reverse()),
        (
            "state variable 1 is `(declare-fun y@0 () Bool)` in the certificate and missing in the system",
            |system| {
                system.state.truncate(1);
                let y = system.terms.bool(false);
                system.state[0].next = Some(system.state[0].current);
                system.properties[0].bad = y;
            },
        ),
        ("state variable 2 is missing in the certificate", |system| {
            let mut more = system.state[1].clone();
            more.current = system.terms.symbol("z", Sort::Bool);
            system.state.push(more);
        }),
        (
            "state variable 0 is `(declare-fun x@0 () (_ BitVec 4))` in the certificate and `(declare-fun z@0",
            |system| {
                system.state[0].current = system.terms.symbol("z", Sort::BitVec(4));
            },
        ),
        ("input 1 is missing in the certificate", |system| {
            let input = system.terms.symbol("z", Sort::Bool);
            system.inputs.push(input);
        }),
        ("definition 0 is", |system| system.state[0].next = None),
        ("definition 1 is `(define-fun next1@0", |system| {
            system.state[1].next = Some(system.inputs[0])
        }),
        ("is `(define-fun initial@0", |system| {
            system.state[1].initial = None
        }),
        ("is `(define-fun initial@0", |system| {
            let y = system.state[1].current;
            system.initial_constraints.push(y);
        }),
        ("is `(define-fun constraints@0", |system| {
            let y = system.state[1].current;
            system.invariant_constraints.push(y);
        }),
        ("is `(define-fun guard@0", |system| {
            system.guard = system.inputs[0]
        }),
        ("is `(define-fun bad@0", |system| system.properties.clear()),
    ];
    let certificate = trivial(&mut counter());
    assert_eq!(certificate.is_about(&counter()), Ok(()));
    for (expected, change) in changes {
        let mut other = counter();
        change(&mut other);
        let difference = certificate.is_about(&other).expect_err(expected);
        assert!(difference.to_string().contains(expected), "{difference}");
    }
    let mut malformed = counter();
    malformed.state[1].initial = Some(malformed.inputs[0]);
    let difference = certificate.is_about(&malformed);
    assert!(
        matches!(difference, Err(Difference::System(_))),
        "{difference:?}"
    );
}

#[test]
fn the_subject_is_read_again() {
    let subject = |options: &[&str]| Subject {
        digest: std::array::from_fn(|byte| byte as u8),
        options: options.iter().map(|&option| option.to_owned()).collect(),
    };
    let certificate = trivial(&mut counter());
    assert_eq!(certificate.subject(), None);
    for options in [&[][..], &["--reduction", "dynamic"], &["a b", "\"\n", "é"]] {
        let subject = subject(options);
        let about = certificate.clone().with_subject(subject.clone());
        let text = about.print(&["program: x.c".to_owned()]);
        let read = Certificate::parse(&text).expect("a certificate");
        assert_eq!(read.subject(), Some(&subject));
        assert_eq!(read, about);
    }
}

/// Comments for people look like nothing that programs read, and the lines that programs read stand in one place.
#[test]
fn comments_are_no_keys() {
    let subject = Subject {
        digest: [7; 32],
        options: vec!["--threads".to_owned(), "3".to_owned()],
    };
    let certificate = trivial(&mut counter());
    let [digest, options] = subject.lines();
    let comments = [
        &digest[2..],
        &options[2..],
        &digest,
        "argument: none",
        " Options: []",
        "digest:",
    ];
    let comments = comments.map(str::to_owned);
    for certificate in [
        certificate.clone(),
        certificate.clone().with_subject(subject.clone()),
    ] {
        let read = Certificate::parse(&certificate.print(&comments)).expect("a certificate");
        assert_eq!(read.subject(), certificate.subject());
    }
    let plain = certificate.print(&["program: x.c".to_owned()]);
    let about = certificate.with_subject(subject).print(&[]);
    let (title, rest) = about.split_once('\n').expect("lines");
    for wrong in [
        plain.replace("; program: x.c", &digest),
        plain.replace("; program: x.c", &options),
        plain.replace("; program: x.c", &format!("{options}\n{digest}")),
        plain.replace("; program: x.c", "; Digest: sha256:"),
        plain.replace("; program: x.c", ";  options: []"),
        about.replace(&options, &format!("{options}\n; comment")),
        about.replace(&options, &format!("; comment\n{options}")),
        about.replace(&options, &format!("{options}\n{digest}\n{options}")),
        about.replace("[\"", "[ \""),
        about.replace("sha256:0707", "sha256:070"),
        rest.to_owned(),
        format!("{title}\r\n{rest}"),
        about.replace('\n', "\r\n"),
    ] {
        assert!(Certificate::parse(&wrong).is_err(), "{wrong}");
    }
}
