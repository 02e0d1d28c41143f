//! A search tries fewer values of an input than there are, and finds what trying all of them finds.

use std::collections::BTreeSet;

use explicit::explore::{Incompleteness, SearchLimits, SearchVerdict, explore};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::model::{
    BinaryOperator, Cast, Comparison, HavocOrigin, LocationKind, Operand, Operation, Place,
    Program, RegisterId, Statement,
};
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;

use crate::common::{assert_safe, is_refuted, main_only, run_main, search};

/// How many bits a value of a random program has.
const WIDTH: u32 = 4;

/// A statement over pools of values and of truth values; indices count modulo the size of the pool.
#[derive(Clone, Debug)]
enum Action {
    Constant(BinaryOperator, usize, i128, bool),
    Variable(BinaryOperator, usize, usize),
    Compare(Comparison, usize, i128, bool),
    CompareBoth(Comparison, usize, usize),
    Widen(Cast, usize, u32),
    Both(BinaryOperator, usize, usize),
    Select(usize, usize, usize),
    SelectConstant(usize, usize, i128),
    Store(usize),
    Load,
    /// A branch, behind which a variable has one value or another.
    Merge(usize, usize, i128),
    /// A loop that counts up to a value below a constant.
    Count(usize, i128),
    /// A variable gets the value of another one, or one computed from its own.
    Move(usize, usize),
    Change(BinaryOperator, usize, i128),
    Assume(usize),
}

fn action() -> impl Strategy<Value = Action> {
    let r = || 0usize..64;
    let number = || -8i128..16;
    let operator = || {
        prop::sample::select(vec![
            BinaryOperator::Add,
            BinaryOperator::Subtract,
            BinaryOperator::Multiply,
            BinaryOperator::UnsignedDivide,
            BinaryOperator::SignedDivide,
            BinaryOperator::UnsignedRemainder,
            BinaryOperator::SignedRemainder,
            BinaryOperator::ShiftLeft,
            BinaryOperator::LogicalShiftRight,
            BinaryOperator::ArithmeticShiftRight,
            BinaryOperator::And,
            BinaryOperator::Or,
            BinaryOperator::Xor,
        ])
    };
    let comparison = || {
        prop::sample::select(vec![
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::UnsignedLess,
            Comparison::UnsignedLessEqual,
            Comparison::SignedLess,
            Comparison::SignedLessEqual,
        ])
    };
    let cast = prop::sample::select(vec![Cast::ZeroExtend, Cast::SignExtend, Cast::Truncate]);
    let both = prop::sample::select(vec![BinaryOperator::And, BinaryOperator::Or]);
    prop_oneof![
        4 => (operator(), r(), number(), any::<bool>())
            .prop_map(|(operator, value, number, left)| Action::Constant(operator, value, number, left)),
        1 => (operator(), r(), r()).prop_map(|(operator, one, other)| Action::Variable(operator, one, other)),
        4 => (comparison(), r(), number(), any::<bool>())
            .prop_map(|(comparison, value, number, left)| Action::Compare(comparison, value, number, left)),
        1 => (comparison(), r(), r()).prop_map(|(comparison, one, other)| Action::CompareBoth(comparison, one, other)),
        2 => (cast, r(), 1u32..4).prop_map(|(cast, value, bits)| Action::Widen(cast, value, bits)),
        2 => (both, r(), r()).prop_map(|(operator, one, other)| Action::Both(operator, one, other)),
        1 => (r(), r(), r()).prop_map(|(condition, yes, no)| Action::Select(condition, yes, no)),
        1 => (r(), r(), number()).prop_map(|(condition, yes, no)| Action::SelectConstant(condition, yes, no)),
        1 => r().prop_map(Action::Store),
        1 => Just(Action::Load),
        1 => (r(), r(), number()).prop_map(|(condition, value, number)| Action::Merge(condition, value, number)),
        1 => (r(), 1i128..4).prop_map(|(value, most)| Action::Count(value, most)),
        1 => (r(), r()).prop_map(|(to, from)| Action::Move(to, from)),
        1 => (operator(), r(), number()).prop_map(|(operator, value, number)| Action::Change(operator, value, number)),
        2 => r().prop_map(Action::Assume),
    ]
}

/// `main` under construction.
struct Pool<'a, 'b> {
    thread: &'a mut TemplateBuilder<'b>,
    values: Vec<RegisterId>,
    truths: Vec<RegisterId>,
    cell: Operand,
}

impl Pool<'_, '_> {
    fn value(&self, index: usize) -> Operand {
        self.values[index % self.values.len()].into()
    }

    fn truth(&self, index: usize) -> Operand {
        self.truths[index % self.truths.len()].into()
    }

    fn assign(&mut self, operation: Operation) {
        let register = self.thread.assign(WIDTH, operation);
        self.values.push(register);
    }

    fn act(&mut self, action: &Action) {
        let number = |value| constant(WIDTH, value);
        match *action {
            Action::Constant(operator, value, bits, left) => {
                let (one, other) = match left {
                    true => (number(bits), self.value(value)),
                    false => (self.value(value), number(bits)),
                };
                self.assign(Operation::Binary(operator, one, other));
            }
            Action::Variable(operator, one, other) => {
                self.assign(Operation::Binary(
                    operator,
                    self.value(one),
                    self.value(other),
                ));
            }
            Action::Compare(comparison, value, bits, left) => {
                let (one, other) = match left {
                    true => (number(bits), self.value(value)),
                    false => (self.value(value), number(bits)),
                };
                let truth = self.thread.compare(comparison, one, other);
                self.truths.push(truth);
            }
            Action::CompareBoth(comparison, one, other) => {
                let (one, other) = (self.value(one), self.value(other));
                let truth = self.thread.compare(comparison, one, other);
                self.truths.push(truth);
            }
            Action::Widen(cast, value, bits) => {
                let value = self.value(value);
                let less = self
                    .thread
                    .assign(bits, Operation::Cast(Cast::Truncate, value));
                match cast {
                    Cast::ZeroExtend | Cast::SignExtend => {
                        self.assign(Operation::Cast(cast, less.into()));
                    }
                    Cast::Truncate | Cast::Object => {
                        let wide = Operation::Cast(Cast::SignExtend, value);
                        let wide = self.thread.assign(2 * WIDTH, wide);
                        self.assign(Operation::Cast(Cast::Truncate, wide.into()));
                    }
                }
            }
            Action::Both(operator, one, other) => {
                let (one, other) = (self.truth(one), self.truth(other));
                let truth = self.thread.binary(operator, one, other);
                self.truths.push(truth);
            }
            Action::Select(condition, yes, no) => {
                let condition = self.truth(condition);
                self.assign(Operation::Select(
                    condition,
                    self.value(yes),
                    self.value(no),
                ));
            }
            Action::SelectConstant(condition, yes, no) => {
                let condition = self.truth(condition);
                self.assign(Operation::Select(condition, self.value(yes), number(no)));
            }
            Action::Store(value) => {
                let (value, cell) = (self.value(value), self.cell);
                self.thread.store(value, cell);
            }
            Action::Load => {
                let loaded = self.thread.load(WIDTH, self.cell);
                self.values.push(loaded);
            }
            Action::Merge(condition, value, bits) => {
                let (condition, value) = (self.truth(condition), self.value(value));
                let merged = self.thread.register(WIDTH);
                let (yes, no) = self.thread.branch(condition);
                let behind = self.thread.location(LocationKind::Ordinary);
                for (location, value) in [(yes, value), (no, number(bits))] {
                    self.thread.go_to(location);
                    let moves = vec![(merged, value)];
                    self.thread.edge(behind, Statement::ParallelAssign(moves));
                }
                self.thread.go_to(behind);
                self.values.push(merged);
            }
            Action::Count(value, most) => {
                let value = self.value(value);
                let is_small = self
                    .thread
                    .compare(Comparison::UnsignedLess, value, number(most));
                self.thread.assume(is_small);
                let counter = self.thread.register(WIDTH);
                self.thread
                    .statement(Statement::ParallelAssign(vec![(counter, number(0))]));
                let head = self.thread.here();
                let goes_on = self
                    .thread
                    .compare(Comparison::UnsignedLess, counter, value);
                let (_, behind) = self.thread.branch(goes_on);
                let next = self.thread.binary(BinaryOperator::Add, counter, number(1));
                let moves = vec![(counter, next.into())];
                self.thread.edge(head, Statement::ParallelAssign(moves));
                self.thread.go_to(behind);
                self.values.push(counter);
            }
            Action::Move(to, from) => {
                let register = self.values[to % self.values.len()];
                let moves = vec![(register, self.value(from))];
                self.thread.statement(Statement::ParallelAssign(moves));
            }
            Action::Change(operator, value, bits) => {
                let register = self.values[value % self.values.len()];
                let operation = Operation::Binary(operator, register.into(), number(bits));
                self.thread.statement(Statement::Assign {
                    register,
                    operation,
                });
            }
            Action::Assume(truth) => {
                let truth = self.truth(truth);
                self.thread.assume(truth);
            }
        }
    }
}

/// Two inputs, and what is done with them. The last value is not `bad`, or is written.
fn program(actions: &[Action], bad: Option<u128>) -> Program {
    let mut builder = ProgramBuilder::new("random");
    let [cell, result] = ["cell", "result"].map(|name| global(builder.global(name, &[3])));
    let mut main = builder.main();
    let values = vec![main.havoc(WIDTH), main.havoc(WIDTH)];
    let truths = vec![main.compare(Comparison::SignedLess, values[0], constant(WIDTH, 3))];
    let mut pool = Pool {
        thread: &mut main,
        values,
        truths,
        cell,
    };
    actions.iter().for_each(|action| pool.act(action));
    let last = pool.value(pool.values.len() - 1);
    if let Some(bad) = bad {
        let bad = constant(WIDTH, bad as i128);
        let is_good = main.compare(Comparison::NotEqual, last, bad);
        main.assert(is_good);
    } else {
        main.store(last, result);
    }
    main.finish();
    builder.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn errors_are_those_of_all_values(actions in prop::collection::vec(action(), 1..14)) {
        let numbers = || 0u128..1 << WIDTH;
        let inputs = numbers().flat_map(|one| numbers().map(move |other| [one, other]));
        let written = program(&actions, None);
        let ends = inputs.map(|inputs| run_main(&written, &inputs));
        let ends = ends.filter(|end| end.kind == LocationKind::Exited);
        let possible: BTreeSet<u128> = ends.filter_map(|end| end.written().pop()).collect();
        for bad in numbers() {
            let program = program(&actions, Some(bad));
            let instances = instantiate(&program, &Bounds::default());
            let found = explore(&program, &instances, &SearchLimits::default()).verdict;
            prop_assert_eq!(is_refuted(&found), possible.contains(&bad), "{}", bad);
        }
    }
}

/// Whether `main` finds an input of 8 bits with the first of two remainders, of which what is made of it has not the other one.
fn differs(
    name: &str,
    (divisor, [of_input, of_result]): (i128, [i128; 2]),
    (width, operation): (u32, impl FnOnce(Operand) -> Operation),
) -> bool {
    let has = |main: &mut TemplateBuilder<'_>, value: RegisterId, width, expected| {
        let remainder = BinaryOperator::UnsignedRemainder;
        let remainder = main.binary(remainder, value, constant(width, divisor));
        main.compare(Comparison::Equal, remainder, constant(width, expected))
    };
    let program = main_only(name, |main| {
        let input = main.havoc(8);
        let result = main.assign(width, operation(input.into()));
        let is_meant = has(main, input, 8, of_input);
        main.assume(is_meant);
        let is_good = has(main, result, width, of_result);
        main.assert(is_good);
    });
    is_refuted(&search(&program).verdict)
}

#[test]
fn remainders_on_both_sides_of_an_overflow_are_told_apart() {
    let one = constant(8, 1);
    let add = |input| Operation::Binary(BinaryOperator::Add, input, one);
    assert!(differs("add", (3, [0, 1]), (8, add)));
    let four = constant(8, 4);
    let subtract = |input| Operation::Binary(BinaryOperator::Subtract, four, input);
    assert!(differs("subtract", (5, [1, 3]), (8, subtract)));
    let extend = |input| Operation::Cast(Cast::SignExtend, input);
    assert!(differs("extend", (11, [5, 5]), (16, extend)));
    let copy = |input| Operation::Copy(input);
    assert!(!differs("copy", (3, [1, 1]), (8, copy)));
}

/// How many turns are taken if `main` does this with an input of 32 bits, and nothing is left out.
fn turns(name: &str, build: impl FnOnce(&mut TemplateBuilder<'_>, RegisterId)) -> u64 {
    let program = main_only(name, |main| {
        let input = main.havoc(32);
        build(main, input);
    });
    let exploration = search(&program);
    assert_safe(&exploration);
    exploration.transitions
}

#[test]
fn values_that_nothing_tells_apart_are_tried_once() {
    let unread = turns("unread", |_, _| {});
    let copied = turns("copied", |main, input| {
        let sum = main.binary(BinaryOperator::Add, input, constant(32, 1));
        main.assign(64, Operation::Cast(Cast::SignExtend, sum.into()));
    });
    assert_eq!(unread, copied);
    let compared = turns("compared", |main, input| {
        let is_large = main.compare(Comparison::SignedLess, constant(32, 1000), input);
        main.assume(is_large);
    });
    assert!(compared > unread && compared < unread + 5, "{compared}");
    let remainder = turns("remainder", |main, input| {
        let remainder = main.binary(BinaryOperator::UnsignedRemainder, input, constant(32, 100));
        let is_less = main.compare(Comparison::UnsignedLess, remainder, constant(32, 100));
        main.assert(is_less);
    });
    assert!((100..300).contains(&remainder), "{remainder}");
}

#[test]
fn values_are_told_apart_where_they_can_be() {
    let within = turns("within", |main, input| {
        let is_small = main.compare(Comparison::UnsignedLess, input, constant(32, 20));
        main.assume(is_small);
        let square = main.binary(BinaryOperator::Multiply, input, input);
        let is_bounded = main.compare(Comparison::UnsignedLess, square, constant(32, 362));
        main.assert(is_bounded);
    });
    assert!((20..100).contains(&within), "{within}");
}

#[test]
fn content_that_is_copied_only_is_not_chosen() {
    let copied = |looks: bool| {
        let program = main_only("copied", |main| {
            let places = ["from", "to"].map(|name| main.local(name, 8));
            let value = main.load(64, local(places[0]));
            main.store(value, local(places[1]));
            let copy = main.load(64, local(places[1]));
            if looks {
                let product = main.binary(BinaryOperator::Multiply, copy, copy);
                let is_null = main.compare(Comparison::Equal, product, constant(64, 0));
                main.assume(is_null);
            }
        });
        search(&program).verdict
    };
    assert_eq!(copied(false), SearchVerdict::Safe(()));
    let SearchVerdict::Unknown(reasons) = copied(true) else {
        panic!("a load chooses a word that is looked at");
    };
    let [Incompleteness::Sampled { width, what, .. }] = &reasons[..] else {
        panic!("one word is chosen: {reasons:?}");
    };
    assert_eq!(
        (*width, what.as_str()),
        (64, "the first content of `from@main`")
    );
}

#[test]
fn cells_of_memory_are_as_registers() {
    let stored = |name: &str, other: u32| {
        let mut builder = ProgramBuilder::new(name);
        let cell = builder.global("cell", &[0; 8]);
        let mut main = builder.main();
        let input = main.havoc(32);
        main.store(input, global(cell));
        let value = main.load(32, global(cell));
        let is_large = main.compare(Comparison::UnsignedLess, constant(32, 1000), value);
        main.assume(is_large);
        // Another access of a part of the bytes, or of bytes behind them.
        let place = Operand::Address(Place::Global(cell), other);
        let part = main.load(8, place);
        let is_zero = main.compare(Comparison::Equal, part, constant(8, 0));
        main.assume(is_zero);
        main.finish();
        search(&builder.finish()).verdict
    };
    assert_eq!(stored("apart", 4), SearchVerdict::Safe(()));
    for part in 0..4 {
        let found = stored("part", part);
        assert!(matches!(found, SearchVerdict::Unknown(_)), "{found:?}");
    }
}

#[test]
fn what_another_thread_tells_apart_counts() {
    let is_five = |thread: &mut TemplateBuilder<'_>, cell| {
        let value = thread.load(32, cell);
        let is_good = thread.compare(Comparison::NotEqual, value, constant(32, 5));
        thread.assert(is_good);
    };
    for main_looks in [false, true] {
        let mut builder = ProgramBuilder::new("threads");
        let cell = global(builder.global("cell", &[0; 4]));
        let start = builder.function("worker");
        let mut worker = builder.thread(start);
        if main_looks {
            let input = worker.havoc(32);
            worker.store(input, cell);
        } else {
            is_five(&mut worker, cell);
        }
        worker.finish();
        let mut main = builder.main();
        if main_looks {
            let handle = main.local("handle", 8);
            main.create(local(handle), function(start), constant(64, 0));
            is_five(&mut main, cell);
        } else {
            let input = main.havoc(32);
            main.store(input, cell);
            let handle = main.local("handle", 8);
            main.create(local(handle), function(start), constant(64, 0));
        }
        main.finish();
        assert!(
            is_refuted(&search(&builder.finish()).verdict),
            "{main_looks}"
        );
    }
}

#[test]
fn too_many_values_are_not_all_tried() {
    let program = main_only("many", |main| {
        let input = main.havoc(32);
        let other = main.havoc(32);
        let are_equal = main.compare(Comparison::Equal, input, other);
        main.assume(are_equal);
    });
    let instances = instantiate(&program, &Bounds::default());
    let exploration = explore(&program, &instances, &SearchLimits::default());
    let SearchVerdict::Unknown(reasons) = exploration.verdict else {
        panic!("values of 32 bits are compared with each other");
    };
    let is_sampled = |reason: &Incompleteness| matches!(reason, Incompleteness::Sampled { .. });
    assert!(
        reasons.len() == 2 && reasons.iter().all(is_sampled),
        "{reasons:?}"
    );
}

#[test]
fn what_a_branch_says_of_old_values_is_forgotten() {
    let number = |value| constant(WIDTH, value);
    let is_found = |name: &str, change: &dyn Fn(&mut TemplateBuilder<'_>, [RegisterId; 2])| {
        let program = main_only(name, |main| {
            let input = main.havoc(WIDTH);
            let next = main.binary(BinaryOperator::Add, input, number(1));
            change(main, [input, next]);
            let is_null = main.compare(Comparison::Equal, next, number(0));
            main.assume(is_null);
            let product = main.binary(BinaryOperator::Multiply, input, input);
            let is_good = main.compare(Comparison::NotEqual, product, number(9));
            main.assert(is_good);
        });
        is_refuted(&search(&program).verdict)
    };
    assert!(!is_found("unchanged", &|_, _| {}));
    assert!(is_found("result", &|main, [_, next]| {
        let operation = Operation::Binary(BinaryOperator::And, next.into(), number(0));
        main.statement(Statement::Assign {
            register: next,
            operation,
        });
    }));
    assert!(is_found("operand", &|main, [input, _]| {
        main.statement(Statement::Havoc {
            register: input,
            origin: HavocOrigin::Input,
        });
    }));
}
