//! Both solver backends against evaluation and against each other.

use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use rustc_hash::FxHashMap;
use solver::{Answer, Backend, Scopes, Workload};
use system::budget::Budget;
use system::eval::evaluate;
use system::term::{Sort, Term, Terms, Value};
use system::transition_system::Reason;

type Operator = (&'static str, fn(&mut Terms, Term, Term) -> Term);

/// Operators on two bit-vectors of equal width. Those with one operand or with parameters use the first operand.
const CHEAP: &[Operator] = &[
    ("equal", Terms::equal),
    ("unsigned_less", Terms::unsigned_less),
    ("unsigned_less_equal", Terms::unsigned_less_equal),
    ("signed_less", Terms::signed_less),
    ("signed_less_equal", Terms::signed_less_equal),
    ("bit_and", Terms::bit_and),
    ("bit_or", Terms::bit_or),
    ("bit_xor", Terms::bit_xor),
    ("add", Terms::add),
    ("subtract", Terms::subtract),
    ("shift_left", Terms::shift_left),
    ("logical_shift_right", Terms::logical_shift_right),
    ("arithmetic_shift_right", Terms::arithmetic_shift_right),
    ("bit_not", |terms, a, _| terms.bit_not(a)),
    ("negate", |terms, a, _| terms.negate(a)),
    ("high half", |terms, a, _| {
        terms.extract(terms.width(a) - 1, terms.width(a) / 2, a)
    }),
    ("bit", |terms, a, _| terms.extract(0, 0, a)),
    ("concat", |terms, a, b| {
        let low = terms.extract(0, 0, b);
        let high = terms.extract(terms.width(a) / 2, 0, a);
        terms.concat(high, low)
    }),
    ("zero_extend", |terms, a, _| {
        terms.zero_extend((terms.width(a) + 3).min(128), a)
    }),
    ("sign_extend", |terms, a, _| {
        terms.sign_extend((terms.width(a) + 3).min(128), a)
    }),
    ("ite", |terms, a, b| {
        let condition = terms.unsigned_less(a, b);
        let sum = terms.add(a, b);
        terms.ite(condition, sum, a)
    }),
    ("nested ite", |terms, a, b| {
        let (condition, equal) = (terms.signed_less(a, b), terms.equal(a, b));
        let inner = terms.ite(equal, b, a);
        terms.ite(condition, inner, b)
    }),
    ("bool_to_bit", |terms, a, b| {
        let less = terms.signed_less(a, b);
        terms.bool_to_bit(less)
    }),
    ("connectives", |terms, a, b| {
        let (less, equal) = (terms.unsigned_less(a, b), terms.signed_less(a, b));
        let (both, either) = (terms.and(less, equal), terms.or(less, equal));
        terms.xor(both, either)
    }),
];

const EXPENSIVE: &[Operator] = &[
    ("multiply", Terms::multiply),
    ("unsigned_divide", Terms::unsigned_divide),
    ("unsigned_remainder", Terms::unsigned_remainder),
    ("signed_divide", Terms::signed_divide),
    ("signed_remainder", Terms::signed_remainder),
];

/// Whether `backend` finds exactly the value that evaluation finds, in the model and by refuting every other value.
fn check_operator(
    backend: Backend,
    operator: &Operator,
    width: u32,
    a: u128,
    b: u128,
    fixed: [bool; 2],
) {
    let mut terms = Terms::new();
    let mut solver = backend.solver(&Budget::unlimited(), Workload::LongQueries);
    let operands = [(a, fixed[0]), (b, fixed[1])].map(|(value, is_constant)| {
        let constant = terms.bits(width, value);
        if is_constant {
            return constant;
        }
        let symbol = terms.symbol("x", Sort::BitVec(width));
        let equal = terms.equal(symbol, constant);
        solver.assert(&terms, equal);
        symbol
    });
    let result = operator.1(&mut terms, operands[0], operands[1]);
    let symbols = [a, b].map(|value| Value::BitVec(width, value));
    let expected = evaluate(
        &terms,
        &[result],
        &operands.into_iter().zip(symbols).collect(),
    )[0];
    let place = || {
        format!(
            "{} {a} {b} at width {width}, constants {fixed:?}",
            operator.0
        )
    };
    match solver.check(&terms, &[]) {
        Answer::Sat(mut model) => assert_eq!(model.value(&terms, result), expected, "{}", place()),
        Answer::Unsat(_) | Answer::Unknown(_) => panic!("satisfiable: {}", place()),
    }
    let expected = match expected {
        Value::Bool(value) => terms.bool(value),
        Value::BitVec(width, value) => terms.bits(width, value),
    };
    let equal = terms.equal(result, expected);
    let differs = terms.not(equal);
    assert!(
        matches!(solver.check(&terms, &[differs]), Answer::Unsat(_)),
        "only value: {}",
        place()
    );
}

/// Values of which many meet the corner cases: small, large, powers of two.
fn value() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        0..4u128,
        (0..4u128).prop_map(|small| u128::MAX - small),
        (0..128u32).prop_map(|bit| 1 << bit)
    ]
}

fn truncated(width: u32, value: u128) -> u128 {
    value & (u128::MAX >> (128 - width))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn bit_blasting_agrees_with_evaluation(
        width in prop_oneof![1..=8u32, Just(16), Just(32), Just(33), Just(64), Just(128)],
        (a, b) in (value(), value()),
        fixed in any::<[bool; 2]>(),
    ) {
        for operator in CHEAP {
            check_operator(Backend::BitBlasting, operator, width, truncated(width, a), truncated(width, b), fixed);
        }
    }

    #[test]
    fn bit_blasted_arithmetic_agrees_with_evaluation(
        width in prop_oneof![1..=8u32, Just(16), Just(32), Just(33)],
        (a, b) in (value(), value()),
        fixed in any::<[bool; 2]>(),
    ) {
        for operator in EXPENSIVE {
            check_operator(Backend::BitBlasting, operator, width, truncated(width, a), truncated(width, b), fixed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn wide_arithmetic_agrees_with_evaluation((a, b) in (value(), value())) {
        for operator in EXPENSIVE {
            check_operator(Backend::BitBlasting, operator, 128, a, b, [false, false]);
        }
    }

    #[test]
    fn z3_agrees_with_evaluation(
        width in prop_oneof![1..=8u32, Just(33), Just(64), Just(128)],
        (a, b) in (value(), value()),
    ) {
        for operator in CHEAP.iter().chain(EXPENSIVE) {
            check_operator(Backend::Z3, operator, width, truncated(width, a), truncated(width, b), [false; 2]);
        }
    }
}

#[test]
fn small_widths_are_right_for_all_operands() {
    for width in 1..=3 {
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            for operator in CHEAP.iter().chain(EXPENSIVE) {
                check_operator(Backend::BitBlasting, operator, width, a, b, [false; 2]);
            }
        }
    }
}

/// One construction step: an operator and the positions of its operands among what was built before.
type Recipe = Vec<(usize, usize, usize)>;

/// Boolean terms over three variables of a width and two Boolean ones.
fn build(terms: &mut Terms, width: u32, recipe: &Recipe) -> (Vec<Term>, Vec<Term>) {
    let mut words: Vec<Term> = ["x", "y", "z"]
        .map(|name| terms.symbol(name, Sort::BitVec(width)))
        .to_vec();
    let mut truths: Vec<Term> = ["p", "q"]
        .map(|name| terms.symbol(name, Sort::Bool))
        .to_vec();
    let symbols = [words.clone(), truths.clone()].concat();
    for &(operator, i, j) in recipe {
        let (a, b) = (words[i % words.len()], words[j % words.len()]);
        let (p, q) = (truths[i % truths.len()], truths[j % truths.len()]);
        match operator % 16 {
            0 => words.push(terms.ite(p, a, b)),
            1 => truths.push(terms.and(p, q)),
            2 => truths.push(terms.or(p, q)),
            3 => truths.push(terms.xor(p, q)),
            4 => truths.push(terms.not(p)),
            5 => truths.push(terms.ite(p, q, truths[0])),
            6 => words.push(terms.bits(width, operator as u128)),
            chosen => {
                let all: Vec<&Operator> = CHEAP.iter().chain(EXPENSIVE).collect();
                let made = all[(chosen * 31 + operator) % all.len()].1(terms, a, b);
                match terms.sort(made) {
                    Sort::Bool => truths.push(made),
                    Sort::BitVec(made_width) if made_width == width => words.push(made),
                    Sort::BitVec(made_width) if made_width < width => {
                        words.push(terms.zero_extend(width, made))
                    }
                    Sort::BitVec(_) => words.push(terms.extract(width - 1, 0, made)),
                }
            }
        }
    }
    (symbols, truths)
}

/// Checks what an answer claims, as far as evaluation can, and returns whether it is `Sat`.
fn verify(
    terms: &Terms,
    symbols: &[Term],
    asserted: &[Term],
    assumed: &[Term],
    answer: Answer<'_>,
) -> bool {
    match answer {
        Answer::Sat(mut model) => {
            let valuation: FxHashMap<Term, Value> = symbols
                .iter()
                .copied()
                .zip(model.values(terms, symbols))
                .collect();
            for &term in asserted.iter().chain(assumed) {
                assert_eq!(evaluate(terms, &[term], &valuation), [Value::Bool(true)]);
                assert!(model.holds(terms, term));
            }
            true
        }
        Answer::Unsat(core) => {
            assert!(core.iter().all(|term| assumed.contains(term)));
            false
        }
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Several incremental queries with assertions, scopes and assumptions; cores are checked by asking again.
    #[test]
    fn backends_agree_on_random_terms(
        width in 1..6u32,
        recipe in prop::collection::vec((0..1000usize, 0..1000usize, 0..1000usize), 5..40),
        queries in prop::collection::vec((0..1000usize, prop::collection::vec(0..1000usize, 0..4), any::<bool>()), 1..8),
    ) {
        let mut terms = Terms::new();
        let (symbols, truths) = build(&mut terms, width, &recipe);
        let mut solvers = Backend::ALL.map(|backend| backend.solver(&Budget::unlimited(), Workload::ShortQueries));
        for (assertion, assumptions, scoped) in queries {
            let asserted = [truths[assertion % truths.len()]];
            let assumed: Vec<Term> = assumptions.iter().map(|position| truths[position % truths.len()]).collect();
             let sat = solvers.each_mut().map(|solver| {
                solver.push();
                solver.assert(&terms, asserted[0]);
                let sat = verify(&terms, &symbols, &asserted, &assumed, solver.check(&terms, &assumed));
                if let Answer::Unsat(core) = solver.check(&terms, &assumed) {
                    let core = core.to_vec();
                    assert!(matches!(solver.check(&terms, &core), Answer::Unsat(_)), "the core suffices");
                }
                solver.pop();
                if scoped && sat {
                    solver.assert(&terms, asserted[0]);
                }
                sat
            });
            prop_assert_eq!(sat[0], sat[1]);
        }
    }
}

fn for_both(test: impl Fn(Box<dyn Scopes>)) {
    for backend in Backend::ALL {
        test(backend.solver(&Budget::unlimited(), Workload::LongQueries));
    }
}

#[test]
fn assertions_of_a_scope_end_with_it() {
    for_both(|mut solver| {
        let mut terms = Terms::new();
        let p = terms.symbol("p", Sort::Bool);
        let not_p = terms.not(p);
        solver.assert(&terms, p);
        solver.push();
        solver.assert(&terms, not_p);
        solver.push();
        assert!(matches!(solver.check(&terms, &[p]), Answer::Unsat([])));
        solver.pop();
        assert!(matches!(solver.check(&terms, &[]), Answer::Unsat([])));
        solver.pop();
        assert!(matches!(solver.check(&terms, &[]), Answer::Sat(_)));
        solver.pop();
        assert!(
            matches!(solver.check(&terms, &[not_p]), Answer::Unsat([blamed]) if *blamed == not_p)
        );
    });
}

#[test]
fn a_false_assumption_is_its_own_core() {
    for_both(|mut solver| {
        let mut terms = Terms::new();
        let (p, no) = (terms.symbol("p", Sort::Bool), terms.bool(false));
        assert!(matches!(solver.check(&terms, &[p, no]), Answer::Unsat([blamed]) if *blamed == no));
        solver.assert(&terms, no);
        assert!(matches!(solver.check(&terms, &[p]), Answer::Unsat([])));
    });
}

#[test]
fn contradicting_assumptions_are_all_in_the_core() {
    for_both(|mut solver| {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::BitVec(8)));
        let (x_below, y_below) = (terms.unsigned_less(x, y), terms.unsigned_less(y, x));
        let five = terms.bits(8, 5);
        let is_five = terms.equal(x, five);
        let Answer::Unsat(core) = solver.check(&terms, &[is_five, x_below, y_below]) else {
            panic!("an order is asymmetric");
        };
        assert!(core.contains(&x_below) && core.contains(&y_below));
    });
}

/// The other assumption is asserted as well; it must not stand in the core for its complement.
#[test]
fn the_complement_of_an_assertion_is_in_the_core() {
    for_both(|mut solver| {
        let mut terms = Terms::new();
        let p = terms.symbol("p", Sort::Bool);
        let not_p = terms.not(p);
        solver.assert(&terms, p);
        let Answer::Unsat(core) = solver.check(&terms, &[p, not_p]) else {
            panic!("the complement is excluded");
        };
        assert!(core.contains(&not_p));
    });
}

/// A factoring problem that no backend solves within a test: a 64-bit semiprime without overflow.
fn hard_problem(terms: &mut Terms) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::BitVec(62)));
    let [wide_x, wide_y] = [x, y].map(|factor| terms.zero_extend(124, factor));
    let product = terms.multiply(wide_x, wide_y);
    let semiprime = terms.bits(124, 2_305_843_009_213_693_921 * 1_152_921_504_606_846_883);
    let one = terms.bits(62, 1);
    [
        terms.equal(product, semiprime),
        terms.unsigned_less(one, x),
        terms.unsigned_less(one, y),
    ]
    .to_vec()
}

/// Runs a hard query, lets `stop` act after 200 ms, and returns why there was no answer. It would not return if nothing stopped it.
fn stopped(backend: Backend, budget: &Budget, stop: impl FnOnce() + Send) -> Reason {
    let mut terms = Terms::new();
    let problem = hard_problem(&mut terms);
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(200));
            stop();
        });
        let mut solver = backend.solver(budget, Workload::ShortQueries);
        match solver.check(&terms, &problem) {
            Answer::Unknown(reason) => reason,
            Answer::Sat(_) | Answer::Unsat(_) => panic!("too easy for {backend:?}"),
        }
    })
}

#[test]
fn queries_are_cancelled() {
    for backend in Backend::ALL {
        let budget = Budget::unlimited();
        let reason = stopped(backend, &budget, || budget.cancel());
        assert_eq!(reason, Reason::Cancelled, "{backend:?}");
    }
}

#[test]
fn queries_end_at_the_deadline() {
    for backend in Backend::ALL {
        let limit = Duration::from_millis(200);
        let budget = Budget::unlimited().with_time(limit);
        let reason = stopped(backend, &budget, || ());
        assert_eq!(reason, Reason::Time(limit), "{backend:?}");
    }
}

/// Cancelling one query must not disturb the next one on the same thread, under another budget.
#[test]
fn a_cancelled_solver_leaves_others_alone() {
    for backend in Backend::ALL {
        let budget = Budget::unlimited().child();
        stopped(backend, &budget, || budget.cancel());
        let mut terms = Terms::new();
        let p = terms.symbol("p", Sort::Bool);
        let mut solver = backend.solver(&Budget::unlimited(), Workload::LongQueries);
        assert!(
            matches!(solver.check(&terms, &[p]), Answer::Sat(_)),
            "{backend:?}"
        );
    }
}
