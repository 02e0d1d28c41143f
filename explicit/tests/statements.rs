//! The meaning of each statement.

mod common;

use abi::ids::InstanceId;
use common::{main_only, run_main, run_thread};
use explicit::interpret::{Event, Interpreter, Waiting};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::model::{
    BinaryOperator, Bits, Cast, Comparison, HavocOrigin, InvalidAccess, LimitKind, LocationKind,
    ObjectKind, Operand, Operation, Place, Program, Statement, Undefined, UpdateOperator,
};
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;

/// The value of an operation, computed by the interpreter from operands in registers.
fn evaluate(result: u32, operation: impl FnOnce(&mut TemplateBuilder<'_>) -> Operation) -> u128 {
    let mut builder = ProgramBuilder::new("operation");
    let out = builder.global("out", &[0; 16]);
    let mut main = builder.main();
    let operation = operation(&mut main);
    let value = main.assign(result, operation);
    main.store(value, global(out));
    main.finish();
    run_main(&builder.finish(), &[]).written()[0]
}

fn in_register(main: &mut TemplateBuilder<'_>, width: u32, value: u128) -> Operand {
    main.assign(
        width,
        Operation::Copy(Operand::Constant(Bits::new(width, value))),
    )
    .into()
}

/// The number of `width` bits read as two's complement, by cases on the sign bit.
fn signed(width: u32, value: u128) -> i128 {
    if value >> (width - 1) & 1 == 1 {
        value as i128 - (1 << width)
    } else {
        value as i128
    }
}

/// What SMT-LIB says, in unbounded integers; widths up to 64.
fn expected_binary(operator: BinaryOperator, width: u32, a: u128, b: u128) -> i128 {
    let (ia, ib) = (a as i128, b as i128);
    let (sa, sb) = (signed(width, a), signed(width, b));
    let bits = |f: fn(bool, bool) -> bool| {
        (0..width)
            .filter(|k| f(a >> k & 1 == 1, b >> k & 1 == 1))
            .map(|k| 1i128 << k)
            .sum()
    };
    match operator {
        BinaryOperator::Add => ia + ib,
        BinaryOperator::Subtract => ia - ib,
        BinaryOperator::Multiply => (0..width)
            .filter(|k| b >> k & 1 == 1)
            .map(|k| ((a << k) & 0xffff_ffff_ffff_ffff) as i128)
            .sum(),
        BinaryOperator::UnsignedDivide if b == 0 => -1,
        BinaryOperator::UnsignedDivide => ia / ib,
        BinaryOperator::UnsignedRemainder if b == 0 => ia,
        BinaryOperator::UnsignedRemainder => ia - ia / ib * ib,
        BinaryOperator::SignedDivide if b == 0 => {
            if sa < 0 {
                1
            } else {
                -1
            }
        }
        BinaryOperator::SignedDivide => {
            let magnitude = sa.abs() / sb.abs();
            if (sa < 0) == (sb < 0) {
                magnitude
            } else {
                -magnitude
            }
        }
        BinaryOperator::SignedRemainder if b == 0 => sa,
        BinaryOperator::SignedRemainder => {
            let magnitude = sa.abs() - sa.abs() / sb.abs() * sb.abs();
            if sa < 0 { -magnitude } else { magnitude }
        }
        BinaryOperator::ShiftLeft => (0..b.min(64)).fold(ia, |value, _| value * 2 % (1 << width)),
        BinaryOperator::LogicalShiftRight => (0..b.min(64)).fold(ia, |value, _| value / 2),
        BinaryOperator::ArithmeticShiftRight => {
            (0..b.min(64)).fold(sa, |value, _| value.div_euclid(2))
        }
        BinaryOperator::And => bits(|x, y| x && y),
        BinaryOperator::Or => bits(|x, y| x || y),
        BinaryOperator::Xor => bits(|x, y| x != y),
    }
}

/// A width and values of it, with the corner cases often.
fn operands() -> impl Strategy<Value = (u32, u128, u128)> {
    let width = prop_oneof![
        Just(1u32),
        Just(8),
        Just(16),
        Just(31),
        Just(32),
        Just(64),
        1u32..65
    ];
    let value = || {
        prop_oneof![
            Just(0u128),
            Just(1),
            Just(u128::MAX),
            0u128..70,
            any::<u128>(),
            Just(1 << 127)
        ]
    };
    (width, value(), value()).prop_map(|(width, a, b)| {
        let fit = |v: u128| {
            if v == 1 << 127 {
                1 << (width - 1)
            } else {
                v & Bits::mask(width)
            }
        };
        (width, fit(a), fit(b))
    })
}

proptest! {
    #[test]
    fn binary_operators_are_those_of_smt_lib((width, a, b) in operands()) {
        for operator in BinaryOperator::ALL {
            let value = evaluate(width, |main| {
                let (a, b) = (in_register(main, width, a), in_register(main, width, b));
                Operation::Binary(operator, a, b)
            });
            let expected = expected_binary(operator, width, a, b).rem_euclid(1 << width) as u128;
            prop_assert_eq!(value, expected, "{:?} {} {} {}", operator, width, a, b);
        }
    }

    #[test]
    fn comparisons_are_those_of_integers((width, a, b) in operands()) {
        let (sa, sb) = (signed(width, a), signed(width, b));
        for comparison in Comparison::ALL {
            let value = evaluate(1, |main| {
                let (a, b) = (in_register(main, width, a), in_register(main, width, b));
                Operation::Compare(comparison, a, b)
            });
            let expected = match comparison {
                Comparison::Equal => a == b,
                Comparison::NotEqual => a != b,
                Comparison::UnsignedLess => a < b,
                Comparison::UnsignedLessEqual => a <= b,
                Comparison::SignedLess => sa < sb,
                Comparison::SignedLessEqual => sa <= sb,
            };
            prop_assert_eq!(value == 1, expected);
        }
    }

    #[test]
    fn casts_keep_the_number((width, a, _) in operands(), more in 0u32..64) {
        let wide = width + more;
        let cast = |cast, from, to, value| {
            evaluate(to, |main| Operation::Cast(cast, in_register(main, from, value)))
        };
        prop_assert_eq!(cast(Cast::ZeroExtend, width, wide, a), a);
        let extended = cast(Cast::SignExtend, width, wide, a);
        prop_assert_eq!(Bits::new(wide, extended).signed(), signed(width, a));
        prop_assert_eq!(cast(Cast::Truncate, wide, width, extended), a);
    }

    #[test]
    fn updates_write_the_combination((width, old, operand) in operands()) {
        let (s_old, s_operand) = (signed(width, old), signed(width, operand));
        let expected = |operator| match operator {
            UpdateOperator::Exchange => operand as i128,
            UpdateOperator::Add => old as i128 + operand as i128,
            UpdateOperator::Subtract => old as i128 - operand as i128,
            UpdateOperator::And => expected_binary(BinaryOperator::And, width, old, operand),
            UpdateOperator::Nand => -1 - expected_binary(BinaryOperator::And, width, old, operand),
            UpdateOperator::Or => expected_binary(BinaryOperator::Or, width, old, operand),
            UpdateOperator::Xor => expected_binary(BinaryOperator::Xor, width, old, operand),
            UpdateOperator::SignedMaximum => s_old.max(s_operand),
            UpdateOperator::SignedMinimum => s_old.min(s_operand),
            UpdateOperator::UnsignedMaximum => old.max(operand) as i128,
            UpdateOperator::UnsignedMinimum => old.min(operand) as i128,
            UpdateOperator::IncrementWrap => if old >= operand { 0 } else { old as i128 + 1 },
            UpdateOperator::DecrementWrap => if old == 0 || old > operand { operand as i128 } else { old as i128 - 1 },
        };
        for operator in UpdateOperator::ALL {
            let mut builder = ProgramBuilder::new("update");
            let (cell, out) = (builder.global("cell", &[0; 8]), builder.global("out", &[0; 8]));
            let mut main = builder.main();
            main.store(Operand::Constant(Bits::new(width, old)), global(cell));
            let operand = in_register(&mut main, width, operand);
            let register = main.register(width);
            main.statement(Statement::AtomicRmw { register, address: global(cell), operator, operand });
            main.store(register, global(out));
            main.finish();
            let expected = expected(operator).rem_euclid(1 << width) as u128;
            prop_assert_eq!(run_main(&builder.finish(), &[]).written(), [old, expected, old], "{:?}", operator);
        }
    }
}

#[test]
fn operations_of_128_bits_do_not_overflow() {
    let minimum = 1u128 << 127;
    let binary = |operator, a, b| {
        evaluate(128, |main| {
            Operation::Binary(
                operator,
                in_register(main, 128, a),
                in_register(main, 128, b),
            )
        })
    };
    assert_eq!(
        binary(BinaryOperator::SignedDivide, minimum, u128::MAX),
        minimum
    );
    assert_eq!(
        binary(BinaryOperator::SignedRemainder, minimum, u128::MAX),
        0
    );
    assert_eq!(binary(BinaryOperator::ShiftLeft, 3, 127), minimum);
    assert_eq!(binary(BinaryOperator::ShiftLeft, 3, 128), 0);
    assert_eq!(
        binary(BinaryOperator::ArithmeticShiftRight, minimum, 1 << 64),
        u128::MAX
    );
    assert_eq!(binary(BinaryOperator::Multiply, u128::MAX, u128::MAX), 1);
}

#[test]
fn address_arithmetic_adds_scaled_signed_indices() {
    let offset = |base: i128, constant: i64, index: i128, scale: u64| {
        evaluate(64, |main| {
            let base = in_register(main, 64, base as u128);
            let index = in_register(main, 32, index as u128);
            Operation::Offset {
                base,
                constant: constant as u64,
                indices: vec![(index, scale)],
            }
        })
    };
    assert_eq!(offset(0x2_0000_0000, 4, 3, 8), 0x2_0000_001c);
    assert_eq!(offset(0x2_0000_0010, 0, -2, 8), 0x2_0000_0000);
    assert_eq!(offset(0x2_0000_0000, -1, 0, 8), 0x1_ffff_ffff);
    // Far away is nothing, and not the next object.
    assert_eq!(offset(0x2_0000_0000, 0, 1 << 30, 4), 0x8000_0003_0000_0000);
}

#[test]
fn a_parallel_assignment_reads_before_it_writes() {
    let mut builder = ProgramBuilder::new("swap");
    let out = builder.global("out", &[0; 8]);
    let mut main = builder.main();
    let (a, b) = (main.register(32), main.register(32));
    main.statement(Statement::ParallelAssign(vec![
        (a, constant(32, 1)),
        (b, constant(32, 2)),
    ]));
    main.statement(Statement::ParallelAssign(vec![
        (a, b.into()),
        (b, a.into()),
    ]));
    main.store(a, global(out));
    main.store(b, global(out));
    main.finish();
    assert_eq!(run_main(&builder.finish(), &[]).written(), [2, 1]);
}

#[test]
fn memory_is_little_endian_bytes() {
    let mut builder = ProgramBuilder::new("bytes");
    let cell = builder.global("cell", &[0xff; 8]);
    let out = builder.global("out", &[0; 8]);
    let mut main = builder.main();
    main.store(constant(32, 0x0403_0201), global(cell));
    let high = main.load(16, Operand::Address(Place::Global(cell), 2));
    main.store(high, global(out));
    main.store(constant(1, 1), global(cell));
    let narrow = main.load(12, global(cell));
    main.store(narrow, global(out));
    main.finish();
    // One bit fills its byte with zeros; of 12 bits in memory the upper four are ignored.
    assert_eq!(
        run_main(&builder.finish(), &[]).written(),
        [0x0403_0201, 0x0403, 1, 0x201]
    );
}

#[test]
fn compare_exchange_writes_if_memory_holds_the_expected_value() {
    for (expected, written) in [(7, vec![9, 7, 1]), (8, vec![7, 0])] {
        let mut builder = ProgramBuilder::new("cas");
        let (cell, out) = (
            builder.global("cell", &[7, 0, 0, 0]),
            builder.global("out", &[0; 8]),
        );
        let mut main = builder.main();
        let (register, success) = (main.register(32), main.register(1));
        let (expected, desired) = (constant(32, expected), constant(32, 9));
        main.statement(Statement::CompareExchange {
            register,
            success,
            address: global(cell),
            expected,
            desired,
        });
        main.store(register, global(out));
        main.store(success, global(out));
        main.finish();
        assert_eq!(run_main(&builder.finish(), &[]).written(), written);
    }
}

/// Why the last of some statements is undefined.
fn undefined(program: &Program) -> Undefined {
    let run = run_main(program, &[]);
    assert_eq!(run.kind, LocationKind::Limit(LimitKind::Undefined));
    run.undefined.expect("a reason")
}

#[test]
fn invalid_accesses_are_told_apart() {
    let load = |address: Operand| {
        main_only("load", |main| {
            main.load(32, address);
        })
    };
    assert_eq!(
        undefined(&load(constant(64, 0))),
        InvalidAccess::Null.into()
    );
    assert_eq!(
        undefined(&load(constant(64, 4))),
        InvalidAccess::NoObject(4).into()
    );
    assert_eq!(
        undefined(&load(constant(64, 99 << 32))),
        InvalidAccess::NoObject(99 << 32).into()
    );

    let mut builder = ProgramBuilder::new("bounds");
    let cell = builder.global("cell", &[0; 6]);
    let mut main = builder.main();
    main.load(32, Operand::Address(Place::Global(cell), 2));
    main.load(32, Operand::Address(Place::Global(cell), 3));
    main.finish();
    let Undefined::Access(InvalidAccess::OutOfBounds {
        offset, len, size, ..
    }) = undefined(&builder.finish())
    else {
        panic!("out of bounds")
    };
    assert_eq!((offset, len, size), (3, 4, 6));

    let mut builder = ProgramBuilder::new("constant");
    let cell = builder.constant("cell", &[5, 0, 0, 0]);
    let out = builder.global("out", &[0; 4]);
    let mut main = builder.main();
    let value = main.load(32, global(cell));
    main.store(value, global(out));
    main.store(value, global(cell));
    main.finish();
    let program = builder.finish();
    assert_eq!(run_main(&program, &[]).written(), [5]);
    assert!(matches!(
        undefined(&program),
        Undefined::Access(InvalidAccess::Constant(_))
    ));

    let mut builder = ProgramBuilder::new("function");
    let code = builder.function("code");
    let mut main = builder.main();
    main.load(8, function(code));
    main.finish();
    assert!(matches!(
        undefined(&builder.finish()),
        Undefined::Access(InvalidAccess::NoContent(_))
    ));
}

#[test]
fn heap_objects_have_the_size_asked_for_until_they_are_freed() {
    let heap = |act: fn(&mut TemplateBuilder<'_>, Operand)| {
        main_only("heap", |main| {
            let object = main.allocate(constant(64, 6), 8, true);
            act(main, object.into());
        })
    };
    let inside = run_main(
        &heap(|main, object| main.store(constant(32, 1), object)),
        &[],
    );
    assert_eq!(inside.kind, LocationKind::Exited);
    let beyond = heap(|main, object| main.store(constant(64, 1), object));
    assert!(matches!(
        undefined(&beyond),
        Undefined::Access(InvalidAccess::OutOfBounds { size: 6, .. })
    ));
    let too_large = main_only("large", |main| {
        main.allocate(constant(64, 9), 8, true);
    });
    assert_eq!(
        run_main(&too_large, &[]).kind,
        LocationKind::Limit(LimitKind::Heap)
    );
    let huge = main_only("huge", |main| {
        main.allocate(constant(64, (1 << 32) + 4), 8, true);
    });
    assert_eq!(
        run_main(&huge, &[]).kind,
        LocationKind::Limit(LimitKind::Heap)
    );
}

#[test]
fn freeing_ends_an_object_and_only_an_object() {
    let free = |main: &mut TemplateBuilder<'_>, address: Operand| {
        main.statement(Statement::Free {
            address,
            automatic: false,
        });
    };
    let heap = |act: &dyn Fn(&mut TemplateBuilder<'_>, Operand)| {
        let program = main_only("heap", |main| {
            let object = main.allocate(constant(64, 8), 8, false);
            act(main, object.into());
        });
        let instances = instantiate(&program, &Bounds::default());
        let slot = instances
            .objects
            .iter()
            .find(|(_, object)| matches!(object.kind, ObjectKind::Heap { .. }))
            .map(|(object, _)| u128::from(object.as_u32()))
            .expect("a slot");
        run_main(&program, &[slot, slot])
    };
    let used = heap(&|main, object| {
        free(main, object);
        main.load(8, object);
    });
    assert!(matches!(
        used.undefined,
        Some(Undefined::Access(InvalidAccess::Freed(_)))
    ));
    let twice = heap(&|main, object| {
        free(main, object);
        free(main, object);
    });
    assert!(matches!(twice.undefined, Some(Undefined::FreedTwice(_))));
    let inner = heap(&|main, object| {
        let inner = main.assign(
            64,
            Operation::Offset {
                base: object,
                constant: 4,
                indices: Vec::new(),
            },
        );
        free(main, inner.into());
    });
    assert!(matches!(inner.undefined, Some(Undefined::Free(_))));
    assert_eq!(
        heap(&|main, _| free(main, constant(64, 0))).kind,
        LocationKind::Exited
    );
    let mut builder = ProgramBuilder::new("global");
    let cell = builder.global("cell", &[0; 4]);
    let mut main = builder.main();
    free(&mut main, global(cell));
    main.finish();
    assert!(matches!(undefined(&builder.finish()), Undefined::Free(_)));
}

#[test]
fn arbitrary_bytes_get_their_value_when_they_are_read_and_keep_it() {
    let mut builder = ProgramBuilder::new("arbitrary");
    let out = builder.global("out", &[0; 8]);
    let mut main = builder.main();
    let variable = main.local("variable", 4);
    main.store(constant(8, 9), Operand::Address(Place::Local(variable), 1));
    for _ in 0..2 {
        let value = main.load(32, local(variable));
        main.store(value, global(out));
    }
    main.statement(Statement::LifetimeStart { local: variable });
    let value = main.load(16, local(variable));
    main.store(value, global(out));
    main.finish();
    let run = run_main(&builder.finish(), &[0x33_2211, 0xffff]);
    // Three bytes are asked for around the one that was written; then two after the new lifetime.
    assert_eq!(run.asked, [24, 16]);
    assert_eq!(run.written(), [9, 0x3322_0911, 0x3322_0911, 0xffff]);
}

#[test]
fn havoc_takes_any_value_of_its_width() {
    let mut builder = ProgramBuilder::new("havoc");
    let out = builder.global("out", &[0; 8]);
    let mut main = builder.main();
    let register = main.register(12);
    main.statement(Statement::Havoc {
        register,
        origin: HavocOrigin::Input,
    });
    main.store(register, global(out));
    main.finish();
    assert_eq!(run_main(&builder.finish(), &[0xf_ffff]).written(), [0xfff]);
}

/// Main creates a thread with an argument, joins it, and writes its result.
fn create_and_join(result: Option<i128>) -> Program {
    let mut builder = ProgramBuilder::new("join");
    let out = builder.global("out", &[0; 8]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    let argument = worker.parameter();
    worker.store(argument, global(out));
    match result {
        Some(result) => worker.return_value(constant(64, result)),
        None => worker.return_nothing(),
    }
    worker.complete();
    let mut main = builder.main();
    let (handle, value) = (main.local("handle", 8), main.local("value", 8));
    main.create(local(handle), function(start), constant(64, 5));
    let thread = main.load(64, local(handle));
    main.join(thread, Some(local(value)));
    let value = main.load(64, local(value));
    main.store(value, global(out));
    main.finish();
    builder.finish()
}

#[test]
fn threads_get_an_argument_and_yield_a_result() {
    for (result, inputs, expected) in [(Some(77), &[][..], 77), (None, &[1234][..], 1234)] {
        let program = create_and_join(result);
        let instances = instantiate(&program, &Bounds::default());
        assert_eq!(instances.threads.len(), 2);
        let interpreter = Interpreter::new(&program, &instances);
        let worker = InstanceId(1);
        let before = run_thread(&interpreter, interpreter.initial(), InstanceId::MAIN, &[]);
        assert_eq!(before.waiting, Some(Waiting::Join(worker)));
        let handle = u128::from(instances.handle(worker));
        assert_eq!(before.written(), [handle], "the handle");
        assert!(before.events.contains(&Event::Started(worker)));
        let middle = run_thread(&interpreter, before.state, worker, &[]);
        assert_eq!(
            (middle.written(), middle.kind),
            (vec![5], LocationKind::Exited)
        );
        let after = run_thread(&interpreter, middle.state, InstanceId::MAIN, inputs);
        assert_eq!(
            (after.written(), after.kind),
            (vec![expected, expected], LocationKind::Exited)
        );
        assert_eq!(after.asked.len(), inputs.len());
    }
}

#[test]
fn creating_and_joining_nonsense_is_undefined() {
    let join = |handle| main_only("join", |main| main.join(constant(64, handle), None));
    assert_eq!(undefined(&join(0)), Undefined::Handle(0));
    assert_eq!(undefined(&join(9)), Undefined::Handle(9));
    let itself = main_only("join", |main| {
        let register = main.register(64);
        main.statement(Statement::SelfHandle { register });
        main.join(register, None);
    });
    let itself = run_main(&itself, &[]);
    assert_eq!((itself.waiting, itself.kind), (None, LocationKind::Exited));
    let create = main_only("create", |main| {
        let handle = main.local("handle", 8);
        main.create(local(handle), constant(64, 8), constant(64, 0));
    });
    assert_eq!(undefined(&create), Undefined::Start(8));
}

#[test]
fn more_threads_than_enumerated_are_a_limit() {
    let mut builder = ProgramBuilder::new("many");
    let start = builder.function("worker");
    builder.thread(start).finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    let head = main.location(LocationKind::Ordinary);
    main.jump(head);
    main.create(local(handle), function(start), constant(64, 0));
    main.jump(head);
    main.complete();
    let program = builder.finish();
    let instances = instantiate(&program, &Bounds::default());
    let run = run_main(&program, &[]);
    assert_eq!(run.kind, LocationKind::Limit(LimitKind::Threads));
    let handles = [1, 2, 3].map(|thread| u128::from(instances.handle(InstanceId(thread))));
    assert_eq!(run.written(), handles, "three handles by default");
}

#[test]
fn nobody_runs_while_a_thread_is_inside_an_atomic_region() {
    let mut builder = ProgramBuilder::new("atomic");
    let out = builder.global("out", &[0; 8]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    worker.store(constant(32, 1), global(out));
    worker.finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    main.create(local(handle), function(start), constant(64, 0));
    main.statement(Statement::AtomicBegin);
    main.statement(Statement::AtomicBegin);
    main.statement(Statement::AtomicEnd);
    let own = main.load(64, local(handle));
    main.join(own, None);
    main.statement(Statement::AtomicEnd);
    main.finish();
    let program = builder.finish();
    let instances = instantiate(&program, &Bounds::default());
    let interpreter = Interpreter::new(&program, &instances);
    let inside = run_thread(&interpreter, interpreter.initial(), InstanceId::MAIN, &[]);
    assert_eq!(inside.waiting, Some(Waiting::Join(InstanceId(1))));
    let other = run_thread(&interpreter, inside.state, InstanceId(1), &[]);
    assert_eq!(other.waiting, Some(Waiting::Atomic(InstanceId::MAIN)));
}

#[test]
fn each_thread_has_its_own_thread_local_variables() {
    let mut builder = ProgramBuilder::new("local");
    let own = builder.thread_local("own", &[3, 0, 0, 0]);
    let pointer = builder.thread_local("pointer", &[0; 8]);
    builder.relocation(pointer, 0, Place::Global(own), 0);
    let out = builder.global("out", &[0; 8]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    let address = worker.load(64, global(pointer));
    let value = worker.load(32, address);
    worker.store(value, global(out));
    worker.finish();
    let mut main = builder.main();
    main.store(constant(32, 8), global(own));
    let handle = main.local("handle", 8);
    main.create(local(handle), function(start), constant(64, 0));
    main.finish();
    let program = builder.finish();
    let instances = instantiate(&program, &Bounds::default());
    let interpreter = Interpreter::new(&program, &instances);
    let main = run_thread(&interpreter, interpreter.initial(), InstanceId::MAIN, &[]);
    assert_eq!(
        run_thread(&interpreter, main.state, InstanceId(1), &[]).written(),
        [3]
    );
}
