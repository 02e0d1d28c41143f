//! Printed systems and terms mean the same when they are read again; malformed text is refused with its place.

use system::eval::{evaluate, valuation};
use system::export::{ParseError, btor2, vmt};
use system::term::{Sort, Term, Terms};
use system::testing::{Random, grow, random_run, random_system, shortest_violation};
use system::transition_system::{Property, Role, StateVariable, Step, TransitionSystem};

type Print = fn(&TransitionSystem) -> String;
type Parse = fn(&str) -> Result<TransitionSystem, ParseError>;
const FORMATS: [(Print, Parse); 2] = [(btor2::print, btor2::parse), (vmt::print, vmt::parse)];

#[test]
fn systems_keep_their_shortest_violation() {
    for seed in 0..60 {
        let system = random_system(&mut Random::new(seed));
        let free = system
            .state
            .iter()
            .filter(|variable| variable.next.is_none());
        if free
            .map(|variable| system.terms.width(variable.current))
            .sum::<u32>()
            > 1
        {
            // VMT makes them inputs, and the search tries all values of inputs in all states.
            continue;
        }
        let expected = shortest_violation(&system);
        for (print, parse) in FORMATS {
            let text = print(&system);
            let again = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            assert_eq!(shortest_violation(&again), expected, "seed {seed}\n{text}");
            let names = |system: &TransitionSystem| -> Vec<String> {
                system
                    .properties
                    .iter()
                    .map(|property| property.name.clone())
                    .collect()
            };
            assert_eq!(names(&again), names(&system));
            let twice = parse(&print(&again)).expect("printed text is well formed");
            assert_eq!(
                shortest_violation(&twice),
                expected,
                "seed {seed}, second time\n{text}"
            );
        }
    }
}

/// A system without transitions whose properties are the given terms.
fn system_of(mut terms: Terms, symbols: &[Term], roots: &[Term]) -> TransitionSystem {
    let guard = terms.bool(true);
    let state = symbols.iter().map(|&current| StateVariable {
        current,
        initial: None,
        next: Some(current),
    });
    let property = |(index, &bad)| Property {
        name: format!("p{index}"),
        role: Role::Violation,
        bad,
    };
    TransitionSystem {
        state: state.collect(),
        inputs: Vec::new(),
        initial_constraints: Vec::new(),
        guard,
        invariant_constraints: Vec::new(),
        properties: roots.iter().enumerate().map(property).collect(),
        terms,
    }
}

fn values(system: &TransitionSystem, step: &Step) -> Vec<bool> {
    let roots: Vec<Term> = system
        .properties
        .iter()
        .map(|property| property.bad)
        .collect();
    let values = evaluate(&system.terms, &roots, &valuation(system, step));
    values
        .into_iter()
        .map(system::term::Value::is_true)
        .collect()
}

/// What a printed system says of a step of the original: its Booleans may have become bit-vectors.
fn values_again(system: &TransitionSystem, step: &Step) -> Vec<bool> {
    let state = system
        .state
        .iter()
        .zip(&step.state)
        .map(
            |(variable, value)| match system.terms.sort(variable.current) {
                Sort::Bool => *value,
                Sort::BitVec(width) => system::term::Value::BitVec(width, value.bits()),
            },
        );
    values(
        system,
        &Step {
            state: state.collect(),
            inputs: Vec::new(),
        },
    )
}

#[test]
fn terms_of_all_widths_keep_their_values() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let widths = [1, 3, 8, 32, 64, 128];
        let sorts = widths.into_iter().map(Sort::BitVec).chain([Sort::Bool]);
        let symbols: Vec<Term> = sorts.map(|sort| terms.symbol("a b|;\\", sort)).collect();
        let mut pool = symbols.clone();
        grow(&mut random, &mut terms, &mut pool, 60, 128);
        for index in 0..pool.len() {
            let value = random.value(terms.sort(pool[index]));
            let value = terms.constant(value);
            pool.push(terms.equal(pool[index], value));
        }
        pool.retain(|&term| terms.sort(term) == Sort::Bool);
        let system = system_of(terms, &symbols, &pool);
        for (print, parse) in FORMATS {
            let again = parse(&print(&system)).expect("printed text is well formed");
            for step in random_run(&mut random, &system, 4) {
                assert_eq!(
                    values_again(&again, &step),
                    values(&system, &step),
                    "seed {seed}"
                );
            }
        }
    }
}

#[test]
fn text_is_linear_in_shared_terms() {
    let mut terms = Terms::new();
    let start = terms.symbol("x", Sort::BitVec(64));
    let mut term = start;
    for _ in 0..200 {
        let other = terms.bit_not(term);
        let product = terms.multiply(term, other);
        term = terms.bit_xor(product, other);
    }
    let zero = terms.bits(64, 0);
    let bad = terms.equal(term, zero);
    let system = system_of(terms, &[start], &[bad]);
    for (print, parse) in FORMATS {
        let text = print(&system);
        assert!(text.len() < 60_000, "{} bytes", text.len());
        assert!(parse(&text).is_ok());
    }
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let mut terms = Terms::new();
    let start = terms.symbol("x", Sort::BitVec(8));
    let mut term = start;
    for step in 0..100_000u128 {
        let constant = terms.bits(8, step * 7 + 1);
        let product = terms.multiply(term, constant);
        term = terms.bit_xor(product, start);
    }
    let zero = terms.bits(8, 0);
    let bad = terms.equal(term, zero);
    let system = system_of(terms, &[start], &[bad]);
    let step = Step {
        state: vec![system::term::Value::BitVec(8, 77)],
        inputs: Vec::new(),
    };
    for (print, parse) in FORMATS {
        let again = parse(&print(&system)).expect("printed text is well formed");
        assert_eq!(values_again(&again, &step), values(&system, &step));
    }
    let nested = format!(
        "(declare-fun x () Bool)(define-fun p () Bool {}x{})",
        "(not ".repeat(100_001),
        ")".repeat(100_001)
    );
    assert!(vmt::parse(&nested).is_ok());
    let lets = format!(
        "(declare-fun x () Bool)(define-fun p () Bool {}x{})",
        "(let ((x (not x))) ".repeat(50_000),
        ")".repeat(50_000)
    );
    assert!(vmt::parse(&lets).is_ok());
}

#[test]
fn relations_are_solved_for_next_values() {
    let text = "
        (declare-fun x () (_ BitVec 4)) (declare-fun x.n () (_ BitVec 4))
        (declare-fun y () (_ BitVec 4)) (declare-fun y.n () (_ BitVec 4))
        (define-fun s0 () (_ BitVec 4) (! x :next x.n))
        (define-fun s1 () (_ BitVec 4) (! y :next y.n))
        (define-fun i () Bool (! (and (= x #x0) (bvult y #x3)) :init true))
        (define-fun t () Bool (! (and (= x.n (bvadd x #x1)) (bvule y y.n) (bvult y.n x.n)) :trans true))
        (define-fun p () Bool (! (bvult y #xa) :invar-property 0))";
    let system = vmt::parse(text).expect("well formed");
    assert_eq!(system.inputs.len(), 1, "y.n is an input, x.n is x + 1");
    assert_eq!(
        (system.state[0].initial.is_some(), system.state[1].initial),
        (true, None)
    );
    assert_eq!(system.initial_constraints.len(), 1);
    assert_eq!(shortest_violation(&system), Some((0, 11)));
}

#[test]
fn malformed_vmt_is_refused_with_its_line() {
    let cases = [
        ("(declare-fun x () Int)", 1, "this sort is not supported"),
        (
            "\n(declare-fun x () (_ BitVec 129))",
            2,
            "this sort is not supported",
        ),
        ("(define-fun f () Bool\n  (not y))", 2, "y is not defined"),
        (
            "(define-fun f () Bool\n  (foo true))",
            2,
            "foo is not defined",
        ),
        (
            "(define-fun f () Bool (bvult #b01 #b1))",
            1,
            "an operand of bvult has the wrong sort",
        ),
        (
            "(define-fun f () Bool #b01)",
            1,
            "f does not have the declared sort",
        ),
        (
            "(define-fun f ((x Bool)) Bool x)",
            1,
            "a function with parameters",
        ),
        (
            "(declare-fun x () Bool)\n(declare-fun x () Bool)",
            2,
            "x is defined twice",
        ),
        ("\n\n(", 3, "an opening parenthesis is not closed"),
        (")", 1, "a closing parenthesis without an opening one"),
        (
            "(declare-fun |x () Bool)",
            1,
            "a quoted symbol or string does not end",
        ),
        ("(push 1)", 1, "the command push is not supported here"),
        ("x", 1, "this expression is not well formed"),
        (
            "(define-fun f () Bool ())",
            1,
            "this expression is not well formed",
        ),
        (
            "(define-fun f () Bool (let ((x)) x))",
            1,
            "this expression is not well formed",
        ),
        (
            "(define-fun f () Bool (! true :live-property 0))",
            1,
            "a liveness property",
        ),
        (
            "(define-fun f () (_ BitVec 1) (! #b1 :init true))",
            1,
            "f is not Boolean",
        ),
        (
            "(declare-fun x () Bool)(define-fun f () Bool (! x :next x))",
            1,
            ":next does not pair two symbols of one sort",
        ),
        (
            "(declare-fun i () Bool)(define-fun f () Bool (! i :init true))",
            1,
            ":init speaks of inputs or of a next state",
        ),
        (
            "(define-fun f () (_ BitVec 2) ((_ extract 1 2) #b0001))",
            1,
            "(_ extract ...) with these indices is not defined",
        ),
        (
            "(define-fun f () (_ BitVec 2) ((_ zero_extend 4294967295) #b0001))",
            1,
            "a bit-vector of 4294967295 bits",
        ),
        (
            "(define-fun f () (_ BitVec 2) (_ bv4 2))",
            1,
            "this expression is not well formed",
        ),
    ];
    for (text, line, cause) in cases {
        let error = vmt::parse(text).expect_err(text);
        assert_eq!((error.line, error.cause.as_str()), (line, cause), "{text}");
    }
}

#[test]
fn malformed_btor2_is_refused_with_its_line() {
    let cases = [
        ("1 sort array 1 1", 1, "arrays are not supported"),
        ("1 sort bitvec 200", 1, "a bit-vector of 200 bits"),
        (
            "1 sort bitvec 1\n1 input 1",
            2,
            "the number 1 is used twice",
        ),
        ("1 sort bitvec 1\n2 not 1 3", 2, "3 is no node"),
        ("x", 1, "x is no number that fits here"),
        ("1", 1, "the line ends too early"),
        ("1 input 7", 1, "7 is no sort"),
        (
            "1 sort bitvec 4\n2 input 1\n3 bad 2",
            3,
            "a condition of more than 1 bit",
        ),
        (
            "1 sort bitvec 4\n2 sort bitvec 2\n3 input 1\n4 input 2\n5 add 1 3 4",
            5,
            "add does not fit its operands",
        ),
        (
            "1 sort bitvec 4\n2 input 1\n3 read 1 2 2",
            3,
            "read is not supported",
        ),
        (
            "1 sort bitvec 4\n2 input 1\n3 eq 1 2 2",
            3,
            "the result of eq has another sort",
        ),
        (
            "1 sort bitvec 4\n2 input 1\n3 slice 1 2 9 0",
            3,
            "slice does not fit its operands",
        ),
        (
            "1 sort bitvec 4\n2 constd 1 16",
            2,
            "16 is no number of 4 bits",
        ),
        (
            "1 sort bitvec 4\n2 input 1\n3 next 1 2 2",
            3,
            "next of what is no state",
        ),
        (
            "1 sort bitvec 4\n2 state 1\n3 next 1 2 2\n4 next 1 2 2",
            4,
            "a second next of one state",
        ),
        (
            "1 sort bitvec 4\n2 state 1\n3 input 1\n4 init 1 2 3",
            4,
            "an initial value depends on an input",
        ),
        (
            "1 sort bitvec 1\n2 justice 1 1",
            2,
            "justice speaks of infinite runs",
        ),
    ];
    for (text, line, cause) in cases {
        let error = btor2::parse(text).expect_err(text);
        assert_eq!((error.line, error.cause.as_str()), (line, cause), "{text}");
    }
}
