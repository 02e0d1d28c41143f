//! How bits that nobody wrote spread through operations.

use program::model::{BinaryOperator, Bits, Cast, Operand, Operation};

/// The bits of a result, of `width` bits, that are computed from bits that nobody wrote; `unwritten` says which those of an
/// operand are.
pub(super) fn spread(
    operation: &Operation,
    width: u32,
    unwritten: impl Fn(Operand) -> u128,
) -> u128 {
    let all_if = |condition| if condition { u128::MAX } else { 0 };
    let bits = match *operation {
        Operation::Copy(operand) | Operation::Cast(Cast::ZeroExtend | Cast::Truncate, operand) => {
            unwritten(operand)
        }
        Operation::Binary(operator, left, right) => {
            let sides = [left, right].map(|operand| (constant(operand), unwritten(operand)));
            of_binary(operator, width, sides)
        }
        // Where an element lies whose index is one depends on the array, and so it is the program's own.
        Operation::Offset { base, .. } => all_if(unwritten(base) != 0),
        Operation::Compare(..)
        | Operation::Cast(Cast::SignExtend | Cast::Object, _)
        | Operation::Select(..) => {
            let mut any = 0;
            operation.for_each_operand(|operand| any |= unwritten(operand));
            all_if(any != 0)
        }
    };
    bits & Bits::mask(width)
}

/// The constants that the sides are, if they are, and the bits of them that nobody wrote.
fn of_binary(operator: BinaryOperator, width: u32, sides: [(Option<u128>, u128); 2]) -> u128 {
    let [(left, of_left), (right, of_right)] = sides;
    let either = of_left | of_right;
    let all = if either == 0 { 0 } else { u128::MAX };
    let distance = right.and_then(|distance| u32::try_from(distance).ok());
    let distance = distance.filter(|distance| *distance < width);
    match operator {
        BinaryOperator::And => either & left.or(right).unwrap_or(u128::MAX),
        BinaryOperator::Or => either & !left.or(right).unwrap_or(0),
        BinaryOperator::Xor => either,
        // A carry goes up only.
        BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
            all.checked_shl(either.trailing_zeros()).unwrap_or(0)
        }
        BinaryOperator::ShiftLeft => distance.map_or(all, |distance| of_left << distance),
        BinaryOperator::LogicalShiftRight => distance.map_or(all, |distance| of_left >> distance),
        BinaryOperator::ArithmeticShiftRight => distance.map_or(all, |distance| {
            (Bits::new(width, of_left).signed() >> distance) as u128
        }),
        BinaryOperator::UnsignedDivide
        | BinaryOperator::SignedDivide
        | BinaryOperator::UnsignedRemainder
        | BinaryOperator::SignedRemainder => all,
    }
}

fn constant(operand: Operand) -> Option<u128> {
    match operand {
        Operand::Constant(bits) => Some(bits.value),
        Operand::Register(_) | Operand::Address(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use program::interpret::operation::binary;
    use program::model::RegisterId;

    use super::*;

    const WIDTH: u32 = 3;

    fn all_values() -> impl Iterator<Item = u128> {
        0..=Bits::mask(WIDTH)
    }

    /// Whether other bits in the place of the unwritten ones of the left side change nothing but what spreads from there.
    fn covers_changes(operator: BinaryOperator, unwritten: u128, right: u128) -> bool {
        let unknown = Operand::Register(RegisterId::from_u32(0));
        let known = Operand::Constant(Bits::new(WIDTH, right));
        let bits = |operand| if operand == unknown { unwritten } else { 0 };
        let [forward, backward] = [(unknown, known), (known, unknown)]
            .map(|(left, right)| spread(&Operation::Binary(operator, left, right), WIDTH, bits));
        all_values().all(|left| {
            all_values().all(|other| {
                let other = left & !unwritten | other & unwritten;
                let changes = |compute: &dyn Fn(u128) -> u128| compute(left) ^ compute(other);
                let of_forward = changes(&|left| binary(operator, WIDTH, left, right));
                let of_backward = changes(&|left| binary(operator, WIDTH, right, left));
                of_forward & !forward == 0 && of_backward & !backward == 0
            })
        })
    }

    #[test]
    fn bits_that_do_not_spread_are_decided_by_what_was_written() {
        for operator in BinaryOperator::ALL {
            for unwritten in all_values() {
                for right in all_values() {
                    assert!(
                        covers_changes(operator, unwritten, right),
                        "{operator:?} of bits {unwritten:b} and {right}"
                    );
                }
            }
        }
    }

    #[test]
    fn fields_are_cut_out_of_a_unit() {
        let unit = Operand::Register(RegisterId::from_u32(0));
        let constant = |value| Operand::Constant(Bits::new(8, value));
        let cut = |operator, value| {
            spread(
                &Operation::Binary(operator, unit, constant(value)),
                8,
                |_| 0b1111_0000,
            )
        };
        assert_eq!(cut(BinaryOperator::And, 0b0001_1111), 0b0001_0000);
        assert_eq!(cut(BinaryOperator::Or, 0b0111_0000), 0b1000_0000);
        assert_eq!(cut(BinaryOperator::ShiftLeft, 2), 0b1100_0000);
        assert_eq!(cut(BinaryOperator::LogicalShiftRight, 2), 0b0011_1100);
        assert_eq!(cut(BinaryOperator::ArithmeticShiftRight, 2), 0b1111_1100);
        assert_eq!(cut(BinaryOperator::Add, 1), 0b1111_0000);
    }
}
