//! Certificates hold on their own: a file is accepted only if it says all that a proof of its system must say.

use std::fmt::Write;

use certify::{Certificate, CertifyError, SolverCommand};
use system::export::vmt;
use system::term::Term;
use system::transition_system::{Proof, TransitionSystem};

/// 0 to 3 in a circle; from 4 on to 7, which is bad. The input decides between going on and staying.
fn circle() -> TransitionSystem {
    let text = "
        (declare-fun x () (_ BitVec 3)) (declare-fun y () (_ BitVec 3)) (declare-fun go () Bool)
        (define-fun s () (_ BitVec 3) (! x :next y))
        (define-fun i () Bool (! (= x #b000) :init true))
        (define-fun t () Bool (! (= y (ite go (ite (= x #b011) #b000 (bvadd x #b001)) x)) :trans true))
        (define-fun p () Bool (! (distinct x #b111) :invar-property 0))";
    vmt::parse(text).expect("well formed")
}

fn below(system: &mut TransitionSystem, bound: u128) -> Term {
    let bound = system.terms.bits(3, bound);
    system.terms.unsigned_less(system.state[0].current, bound)
}

fn certificate() -> String {
    let mut system = circle();
    let proof = Proof::Inductive(below(&mut system, 4));
    let certificate = Certificate::new(&system, &proof).expect("well formed");
    certificate.print(&["program: circle.c".to_owned()])
}

/// Certificates of all kinds of proofs.
fn all_kinds() -> Vec<String> {
    let mut system = circle();
    let truth = system.terms.bool(true);
    let x = system.state[0].current;
    let induction = |distinct| Proof::KInduction {
        depth: 5,
        distinct,
        invariant: truth,
    };
    let proofs = [
        Proof::Inductive(below(&mut system, 4)),
        induction(None),
        induction(Some(vec![x])),
        Proof::Exhausted { depth: 3 },
    ];
    let certificate = |proof| Certificate::new(&system, proof).expect("well formed");
    proofs
        .iter()
        .map(|proof| certificate(proof).print(&[]))
        .collect()
}

fn refused(text: &str) -> Option<(usize, String)> {
    let malformed = Certificate::parse(text).err()?;
    Some((malformed.line, malformed.cause))
}

#[test]
fn what_is_written_is_read_again() {
    for text in all_kinds() {
        let read = Certificate::parse(&text).expect("a certificate");
        assert_eq!(read.print(&[]), text);
    }
    let read = Certificate::parse(&certificate()).expect("a certificate");
    let names: Vec<&str> = read.obligations().iter().map(|found| found.name).collect();
    assert_eq!(names, ["initiation", "consecution", "safety"]);
    assert!(read.discharge(&SolverCommand::default()).is_ok());
}

/// Whatever line is lost, doubled or exchanged with the next: the text is refused, or it proves less than before and is refuted,
/// or it is one more comment of the head.
#[test]
fn no_line_can_be_spared() {
    for text in all_kinds() {
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let mut without = lines.clone();
            without.remove(at);
            let mut twice = lines.clone();
            twice.insert(at, lines[at]);
            let mut exchanged = lines.clone();
            exchanged.swap(at, (at + 1) % lines.len());
            for (what, changed) in [("lost", without), ("twice", twice), ("moved", exchanged)] {
                let changed = changed.join("\n") + "\n";
                let harmless = changed == text || (at == 0 && what == "twice");
                assert!(
                    harmless || refused(&changed).is_some(),
                    "line {at} {what}:\n{changed}"
                );
            }
        }
    }
}

#[test]
fn no_prefix_is_a_certificate() {
    let text = certificate();
    for end in 0..text.len() {
        assert!(refused(&text[..end]).is_some(), "{end}");
    }
}

/// What may stand nowhere in a certificate, wherever it is inserted.
#[test]
fn other_commands_are_refused() {
    let text = certificate();
    for command in [
        "(assert false)",
        "(set-option :produce-models true)",
        "(reset)",
        "(reset-assertions)",
        "(exit)",
        "(echo \"unsat\")",
        "(check-sat)",
        "(push 1)",
        "(pop 1)",
        "(define-fun-rec f@0 () Bool (not f@0))",
        "(define-fun f () Bool true)",
        "(define-fun f@1 () Bool true)",
        "(define-fun true () Bool false)",
        "(declare-fun f@0 (Bool) Bool)",
        "(define-fun f@0 () Bool (forall ((z@0 Bool)) z@0))",
        "(define-fun f@0 () Bool (! true :named g))",
        "(define-fun f@0 () Bool true) (assert false)",
        "(define-fun f@0 () Bool true true)",
        "(define-fun f@0 () Bool (and true true)",
        "(define-fun f@0 () Bool g@0)",
        "(define-fun x@0 () Bool true)",
        "(declare-fun |f@0 () Bool)",
        "junk",
        "",
    ] {
        let lines: Vec<&str> = text.lines().collect();
        for at in 1..=lines.len() {
            let mut changed = lines.clone();
            changed.insert(at, command);
            let changed = changed.join("\n") + "\n";
            let found = refused(&changed);
            assert_eq!(
                found.map(|(line, _)| line >= at),
                Some(true),
                "`{command}` at {at}"
            );
        }
    }
    for end in ["x", " ", "\n", "\r\n", "; comment\n", "\0"] {
        assert!(refused(&format!("{text}{end}")).is_some(), "{end:?}");
    }
}

#[test]
fn obligations_speak_of_one_system() {
    let text = certificate();
    let changed = |from: &str, to: &str, count: usize| {
        let mut parts: Vec<&str> = text.splitn(count + 1, from).collect();
        let last = parts.pop().expect("a part");
        assert_eq!(parts.len(), count, "{from}");
        format!("{}{to}{last}", parts.join(from))
    };
    // The successor satisfies another invariant, another variable is compared, an obligation assumes what another one shows.
    for text in [
        changed("(bvult x@1 #b100)", "(bvult x@1 #b110)", 1),
        changed("(= x@1 next0@0)", "(= x@1 x@0)", 1),
        changed("(assert (not invariant@0))", "(assert invariant@0)", 1),
        changed("(assert bad@0)", "(assert guard@1)", 1),
        changed("(assert step@1)", "(assert (and step@1 false))", 1),
        changed("obligation safety", "obligation initiation", 1),
        changed("inductive invariant", "exhausted runs of 0 transitions", 1),
        changed(
            "inductive invariant",
            "induction over 99999999999 states",
            1,
        ),
    ] {
        assert!(refused(&text).is_some(), "{text}");
    }
}

#[test]
fn what_a_file_says_of_its_system_must_hold() {
    let system = circle();
    let text = certificate();
    let refuted = |from: &str, to: &str| {
        // At both positions.
        let changed = text.replace(&format!("{from})"), &format!("{to})"));
        assert_ne!(changed, text);
        let next = |text: &str| text.replace("@0", "@1");
        let changed = changed.replace(&next(from), &next(to));
        let read = Certificate::parse(&changed).unwrap_or_else(|error| panic!("{error:?}"));
        match read.discharge(&SolverCommand::default()) {
            Err(CertifyError::Refuted { obligation }) => Some(obligation),
            Ok(_) => None,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(system.state.len(), 1);
    let invariant = "(define-fun invariant@0 () Bool (bvult x@0 #b100)";
    for (bound, obligation) in [("000", "initiation"), ("010", "consecution")] {
        let other = invariant.replace("100", bound);
        assert_eq!(refuted(invariant, &other).as_deref(), Some(obligation));
    }
    let everything = "(define-fun invariant@0 () Bool true";
    assert_eq!(refuted(invariant, everything).as_deref(), Some("safety"));
    let by_inputs = text.replace(
        "(define-fun invariant@0 () Bool (bvult x@0 #b100))",
        "(define-fun invariant@0 () Bool (and go@0 (bvult x@0 #b100)))",
    );
    assert!(refused(&by_inputs).is_some_and(|(_, cause)| cause.contains("depends on inputs")));
}

#[test]
fn names_that_certificates_use_themselves_are_renamed() {
    let mut text = "
        (declare-fun initial () Bool) (declare-fun i2 () Bool)
        (declare-fun next0 () Bool) (declare-fun n2 () Bool)
        (declare-fun |a @0| () Bool) (declare-fun a2 () Bool)"
        .to_owned();
    for (number, (name, next)) in [("initial", "i2"), ("next0", "n2"), ("|a @0|", "a2")]
        .into_iter()
        .enumerate()
    {
        let _ = write!(
            text,
            "(define-fun s{number} () Bool (! {name} :next {next}))"
        );
    }
    text += "(define-fun i () Bool (! (and initial next0 |a @0|) :init true))
        (define-fun t () Bool (! (and (= i2 next0) (= n2 |a @0|) (= a2 initial)) :trans true))
        (define-fun p () Bool (! (and initial next0) :invar-property 0))";
    let mut system = vmt::parse(&text).expect("well formed");
    let all: Vec<Term> = system
        .state
        .iter()
        .map(|variable| variable.current)
        .collect();
    let holds = system.terms.and_all(all.iter().copied());
    let accepted = |invariant: Term| {
        let certificate =
            Certificate::new(&system, &Proof::Inductive(invariant)).expect("well formed");
        let read = Certificate::parse(&certificate.print(&[])).expect("a certificate");
        assert_eq!(read, certificate);
        read.discharge(&SolverCommand::default()).is_ok()
    };
    assert!(accepted(holds));
    assert!(!accepted(all[0]));
}
