//! Certificates that try to be read by a solver in another way than by the checker.

use certify::{Certificate, CertifyError, SolverCommand};
use system::export::vmt;
use system::transition_system::Proof;

/// 0 to 3 in a circle, of which the proof is right.
fn certificate() -> String {
    let text = "
        (declare-fun x () (_ BitVec 3)) (declare-fun y () (_ BitVec 3)) (declare-fun go () Bool)
        (define-fun s () (_ BitVec 3) (! x :next y))
        (define-fun i () Bool (! (= x #b000) :init true))
        (define-fun t () Bool (! (= y (ite go (ite (= x #b011) #b000 (bvadd x #b001)) x)) :trans true))
        (define-fun p () Bool (! (distinct x #b111) :invar-property 0))";
    let mut system = vmt::parse(text).expect("well formed");
    let four = system.terms.bits(3, 4);
    let below = system.terms.unsigned_less(system.state[0].current, four);
    let certificate = Certificate::new(&system, &Proof::Inductive(below)).expect("well formed");
    certificate.print(&[])
}

const INVARIANT: &str = "(define-fun invariant@0 () Bool (bvult x@0 #b100))";

/// The commands of position 0 instead of one of them, and the same at position 1.
fn with(replaced: &str, commands: &[&str]) -> String {
    let text = certificate();
    let moved = |line: &str| line.replace("@0", "@1");
    let (first, second) = (commands.join("\n"), moved(&commands.join("\n")));
    assert!(
        text.contains(replaced) && text.contains(&moved(replaced)),
        "{replaced}"
    );
    text.replace(replaced, &first)
        .replace(&moved(replaced), &second)
}

/// Why a text is no certificate.
fn cause(text: &str) -> String {
    let malformed = Certificate::parse(text).expect_err(text);
    malformed.cause
}

/// The forgeries were believed while definitions were moved to other positions as text: every solver answers `unsat` to each of their
/// obligations, and each system is violated after seven transitions.
#[test]
fn a_bar_that_touches_a_word_is_refused() {
    for (name, text, glued, right) in [
        (
            "glued_to_a_name",
            include_str!("fixtures/glued_to_a_name.smt2"),
            "main.pc@0|f#1.pc@",
            "main.pc@0 |f#1.pc@",
        ),
        (
            "glued_to_an_operator",
            include_str!("fixtures/glued_to_an_operator.smt2"),
            "(=|a(x@",
            "(= |a(x@",
        ),
    ] {
        assert!(cause(text).contains("no space between"), "{name}");
        // With the space the names are two, and those of position 0 have no place at position 1.
        let apart = text.replace(glued, right);
        assert!(cause(&apart).contains("is expected"), "{name}");
        let honest = apart
            .replace(
                "(ite true main.pc@0 |f#1.pc@1|)",
                "(ite true main.pc@1 |f#1.pc@1|)",
            )
            .replace("(= |a(x@1 b@1| #b000))", "(= |a(x@0 b@1| #b000))");
        let read = Certificate::parse(&honest).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let refuted = read.discharge(&SolverCommand::default());
        assert!(
            matches!(&refuted, Err(CertifyError::Refuted { obligation }) if obligation == "consecution"),
            "{name}: {refuted:?}"
        );
    }
}

#[test]
fn every_definition_has_its_sort() {
    for (body, expected) in [
        ("x@0", "does not have the sort"),
        ("(bvult x@0 #b1000)", "#b1000 is no name"),
        ("(bvult x@0 #b10000)", "bvult does not take"),
        ("(bvult x@0 #x4)", "bvult does not take"),
        ("(bvult x@0 4)", "4 is no name"),
        ("(bvult x@0 (_ bv4 3))", "an operator"),
        ("(bvult x@0)", "bvult does not take"),
        ("(bvult x@0 #b100 #b100)", "bvult does not take"),
        ("(bvult true true)", "bvult does not take"),
        ("(and)", "and does not take"),
        ("(and true)", "and does not take"),
        ("(not true true)", "not does not take"),
        ("(= x@0)", "= does not take"),
        ("(= x@0 x@0 x@0)", "= does not take"),
        ("(= x@0 true)", "= does not take"),
        ("(ite true true)", "ite does not take"),
        ("(ite x@0 true true)", "ite does not take"),
        ("(ite true true x@0)", "ite does not take"),
        (
            "(= x@0 ((_ extract 3 1) x@0))",
            "(_ extract 3 1) does not take",
        ),
        ("(= x@0 ((_ extract 2 00) x@0))", "00 is no number"),
        ("(= x@0 ((_ extract 2) x@0))", "an operator"),
        ("(= x@0 ((_ zero_extend 4294967295) x@0))", "does not take"),
        ("(= x@0 ((_ zero_extend 99999999999) x@0))", "is no number"),
        ("(= x@0 ((_ repeat 1) x@0))", "an operator"),
        ("true true", ") is expected, not true"),
    ] {
        let text = with(
            INVARIANT,
            &[&format!("(define-fun invariant@0 () Bool {body})")],
        );
        let found = cause(&text);
        assert!(found.contains(expected), "{body}: {found}");
    }
}

#[test]
fn only_operators_and_earlier_names_mean_something() {
    for (body, expected) in [
        ("(let ((y@0 true)) y@0)", "an operator"),
        ("(forall ((y@0 Bool)) y@0)", "an operator"),
        ("(! true :named y@0)", "an operator"),
        ("((as invariant@0 Bool))", "_ is expected"),
        ("(as true Bool)", "an operator"),
        ("(par (A) true)", "an operator"),
        ("(distinct x@0 #b100)", "an operator"),
        ("(|not| true)", "an operator"),
        ("(true)", "an operator"),
        ("(x@0)", "an operator"),
        ("()", "an operator"),
        ("(bvult |x@0| #b100)", "x@0 must be written x@0"),
        ("|true|", "true is no name"),
        ("|bad@0|", "bad@0 must be written bad@0"),
        ("y@0", "y@0 is not defined before"),
        ("invariant@0", "invariant@0 is not defined before"),
        ("x@1", "x@1 is no name that ends in @0"),
        ("initial@1", "initial@1 is no name that ends in @0"),
        ("next0@1", "next0@1 is no name"),
        ("#b2", "#b2 is no name"),
        ("#", "# is no name"),
        ("#b", "#b is no name"),
        ("(= x@0 #B100)", "#B100 is no name"),
        ("(= #xA #xa)", "#xA is no name"),
        ("(= #x+1 #x+1)", "#x+1 is no name"),
        (":named", ":named is no name"),
        ("\"true\"", "'\"' is not allowed"),
        ("true ; )", "';' is not allowed"),
        ("true\t", "'\\t' is not allowed"),
        ("true\r", "'\\r' is not allowed"),
        ("(not\u{a0}true)", "is not allowed"),
        ("(bvult |x\u{e4}@0| #b100)", "is not allowed"),
        ("(bvult |x\\@0| #b100)", "is not allowed"),
    ] {
        let text = with(
            INVARIANT,
            &[&format!("(define-fun invariant@0 () Bool {body})")],
        );
        let found = cause(&text);
        assert!(found.contains(expected), "{body}: {found}");
    }
    // What is right but for its spaces.
    for body in [
        "( bvult x@0 #b100)",
        "(bvult  x@0 #b100)",
        "(bvult x@0 #b100 )",
    ] {
        let text = with(
            INVARIANT,
            &[&format!("(define-fun invariant@0 () Bool {body})")],
        );
        assert!(cause(&text).contains("is expected"), "{body}");
    }
}

/// Names that solvers take for other names, or that obligations define.
#[test]
fn names_are_new_and_written_in_one_way() {
    for (command, expected) in [
        (
            "(define-fun |x@0| () (_ BitVec 3) #b000)",
            "must be written x@0",
        ),
        (
            "(define-fun x@0 () (_ BitVec 3) #b000)",
            "x@0 is no new name",
        ),
        ("(define-fun x@0 () Bool true)", "x@0 is no new name"),
        ("(define-fun bad@0 () Bool false)", "bad@0 is no new name"),
        ("(define-fun not () Bool false)", "not is no name"),
        ("(define-fun |not| () Bool false)", "not is no name"),
        ("(define-fun x@1 () (_ BitVec 3) #b000)", "x@1 is no name"),
        ("(define-fun step@1 () Bool false)", "step@1 is no name"),
        (
            "(define-fun step@0 () Bool false)",
            "step@0 has another meaning",
        ),
        (
            "(define-fun run@0 () Bool false)",
            "run@0 has another meaning",
        ),
        ("(define-fun run@3 () Bool false)", "run@3 is no name"),
        ("(define-fun y@0!1 () Bool false)", "y@0!1 is no name"),
        ("(define-fun @0 () Bool false)", "@0 is no name"),
        ("(define-fun @y@0 () Bool false)", "@y@0 is no name"),
        (
            "(define-fun 5@0 () Bool false)",
            "5@0 must be written |5@0|",
        ),
        ("(define-fun k!0 () Bool false)", "k!0 is no name"),
        ("(define-fun y@0 (Bool) Bool false)", ") is expected"),
        ("(define-fun y@0 ((z@0 Bool)) Bool z@0)", ") is expected"),
        ("(define-fun y@0 () Int 1)", "a sort is expected"),
        ("(define-fun y@0 () (_ BitVec 0) x@0)", "1 to 128"),
        ("(define-fun y@0 () (_ BitVec 129) x@0)", "1 to 128"),
        ("(define-fun y@0 () (_ BitVec 03) x@0)", "03 is no number"),
        ("(define-fun y@0 () Bool go@0)", "y@0 depends on inputs"),
        ("(define-const y@0 Bool true)", "define-fun is expected"),
        ("(declare-fun y@0 () Bool)", "define-fun is expected"),
        (
            "(define-fun-rec y@0 () Bool true)",
            "define-fun is expected",
        ),
        (
            "(declare-datatypes ((x@0 0)) (((y@0))))",
            "define-fun is expected",
        ),
    ] {
        let found = cause(&with(INVARIANT, &[command, INVARIANT]));
        assert!(found.contains(expected), "{command}: {found}");
    }
    let go = "(declare-fun go@0 () Bool)";
    for (command, expected) in [
        ("(declare-fun |x@0| () Bool)", "must be written x@0"),
        ("(declare-fun bad@0 () Bool)", "bad@0 is no new name"),
        (
            "(declare-fun invariant@0 () Bool)",
            "invariant@0 is no new name",
        ),
        (
            "(declare-fun next0@0 () (_ BitVec 3))",
            "next0@0 is no new name",
        ),
        (
            "(declare-fun y@0 () (_ BitVec 3)) (assert false)",
            "the end of the line",
        ),
    ] {
        let found = cause(&with(go, &[go, command]));
        assert!(found.contains(expected), "{command}: {found}");
    }
    // Names that look like others of this or another position are just names.
    let harmless = [
        "not@0", "let@0", "x@1@0", "x@0@0", "step@1@0", "k!0@0", "x@0!1@0", "true@0", "bv5@0",
        "next7@0",
    ];
    for name in harmless {
        let command = format!("(define-fun {name} () Bool false)");
        let moved = |line: &str| format!("{}@1", line.strip_suffix("@0").expect("a name"));
        let second = format!("(define-fun {} () Bool false)", moved(name));
        let text = with(INVARIANT, &["HERE@0", INVARIANT]);
        let text = text.replace("HERE@0", &command).replace("HERE@1", &second);
        let read = Certificate::parse(&text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert!(read.discharge(&SolverCommand::default()).is_ok(), "{name}");
    }
}

#[test]
fn definitions_have_their_order() {
    let bad = "(define-fun bad@0 () Bool (= x@0 #b111))";
    let text = certificate();
    let mut lines = text.lines();
    let next = lines.find(|line| line.starts_with("(define-fun next0@0"));
    let next = next.expect("x has a next value");
    let without_next = |commands: &[&str]| with(next, commands);
    for (text, expected) in [
        (
            with(bad, &[bad, "(define-fun y@0 () Bool true)"]),
            "the definitions end with",
        ),
        (with(bad, &[]), "the definitions end with"),
        (with(INVARIANT, &[]), "invariant@0 is expected last"),
        (
            with(INVARIANT, &[INVARIANT, "(define-fun y@0 () Bool true)"]),
            "invariant@0 is expected last",
        ),
        (
            with(bad, &["(define-fun bad@0 () (_ BitVec 3) x@0)"]),
            "bad@0 is not Boolean",
        ),
        (
            without_next(&["(define-fun next0@0 () Bool true)"]),
            "next0@0 is no value for x@0",
        ),
        (
            without_next(&["(define-fun next1@0 () (_ BitVec 3) x@0)"]),
            "is expected",
        ),
    ] {
        let found = cause(&text);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

#[test]
fn neither_depth_nor_length_hurts() {
    let deep = format!("{}true{}", "(not ".repeat(200_000), ")".repeat(200_000));
    let open = "(not ".repeat(200_000);
    for body in [deep, open] {
        let text = with(
            INVARIANT,
            &[&format!("(define-fun invariant@0 () Bool {body})")],
        );
        assert!(cause(&text).contains("nests deeper than 64 levels"));
    }
    let wide = format!("(and{})", " true".repeat(200_000));
    let text = with(
        INVARIANT,
        &[&format!("(define-fun invariant@0 () Bool {wide})")],
    );
    assert!(Certificate::parse(&text).is_ok());
    // Each would be gigabytes if it were written out: many long positions, and many pairs of long states.
    let many = text.replace(
        "inductive invariant",
        "exhausted runs of 100000 transitions",
    ) + &"\n".repeat(300_000);
    assert!(cause(&many).contains("too short"));
    let pairs = text.replace(
        "inductive invariant",
        "induction over 4294967296 states that differ in variables 0",
    );
    assert!(cause(&pairs).contains("too short"));
}
