//! Statements that compute values in registers.

use crate::common::run_main;
use program::builder::{ProgramBuilder, TemplateBuilder, constant, global};
use program::model::{
    BinaryOperator, Bits, Cast, Comparison, HavocOrigin, Operand, Operation, Statement,
    UpdateOperator,
};
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
    // Far away is nowhere, behind the variable and the thread, and not the next object.
    assert_eq!(offset(0x2_0000_0000, 0, 1 << 30, 4), 0x8003_0000_0000);
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
