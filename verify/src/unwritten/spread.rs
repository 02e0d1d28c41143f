//! The propagation of unwritten bits through operations.

use program::model::{BinaryOperator, Bits, Cast, Comparison, Operand, Operation};

/// A value of a run. Some bits of it were never written, or are computed from such bits: these bits might have been
/// others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The value in this run.
    pub bits: Bits,
    /// The bits that might have been others.
    pub unwritten: u128,
}

impl Known {
    /// 64 bits that were never written.
    pub const NOTHING: Self = Self {
        bits: Bits {
            width: 64,
            value: 0,
        },
        unwritten: u64::MAX as u128,
    };

    /// A value that is what it is.
    pub fn written(bits: Bits) -> Self {
        Self { bits, unwritten: 0 }
    }

    /// The least and the greatest unsigned number that it might be.
    fn range(self) -> (u128, u128) {
        let Self { bits, unwritten } = self;
        (bits.value & !unwritten, bits.value | unwritten)
    }
}

/// The bits of a result, of `width` bits, that are computed from unwritten bits. `known` gives nothing for an address,
/// which has no unwritten bits.
pub(super) fn spread(
    operation: &Operation,
    width: u32,
    known: impl Fn(Operand) -> Option<Known>,
) -> u128 {
    let all_if = |condition| if condition { u128::MAX } else { 0 };
    let unwritten = |operand| known(operand).map_or(0, |known| known.unwritten);
    let bits = match *operation {
        Operation::Copy(operand) | Operation::Cast(Cast::ZeroExtend | Cast::Truncate, operand) => {
            unwritten(operand)
        }
        Operation::Cast(Cast::SignExtend | Cast::Object, operand) => {
            all_if(unwritten(operand) != 0)
        }
        Operation::Binary(operator, left, right) => {
            of_binary(operator, width, [left, right].map(&known))
        }
        Operation::Compare(comparison, left, right) => {
            all_if(!is_decided(comparison, [left, right].map(&known)))
        }
        Operation::Select(condition, yes, no) => match known(condition) {
            Some(Known { bits, .. }) if bits.value == 0 => unwritten(no),
            Some(_) | None => unwritten(yes),
        },
        // Where an element lies whose index is one depends on the array, and so it is the program's own.
        Operation::Offset { base, .. } => all_if(unwritten(base) != 0),
    };
    bits & Bits::mask(width)
}

fn of_binary(operator: BinaryOperator, width: u32, sides: [Option<Known>; 2]) -> u128 {
    let [of_left, of_right] = sides.map(|known| known.map_or(0, |known| known.unwritten));
    let either = of_left | of_right;
    let all = if either == 0 { 0 } else { u128::MAX };
    let [left, right] = sides.map(|known| known.map(|known| known.range()));
    let written = |side: Option<Known>| side.filter(|known| known.unwritten == 0);
    let distance = written(sides[1]).and_then(|known| u32::try_from(known.bits.value).ok());
    let distance = distance.filter(|distance| *distance < width);
    match operator {
        // A bit counts where that of the other side may be 1.
        BinaryOperator::And => {
            let [left, right] =
                [left, right].map(|range| range.map_or(u128::MAX, |(_, most)| most));
            of_left & right | of_right & left
        }
        // And here where it may be 0.
        BinaryOperator::Or => {
            let [left, right] = [left, right].map(|range| range.map_or(0, |(least, _)| least));
            of_left & !right | of_right & !left
        }
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
        // The remainder is less than the divisor.
        BinaryOperator::UnsignedRemainder | BinaryOperator::SignedRemainder => {
            let is_negative = |most: u128| Bits::new(width, most).signed() < 0;
            let may_be_negative = |range: Option<(u128, u128)>| {
                operator == BinaryOperator::SignedRemainder
                    && range.is_none_or(|(_, most)| is_negative(most))
            };
            match written(sides[1]).map(|divisor| divisor.bits.value) {
                Some(divisor) if divisor > 0 && ![left, right].into_iter().any(may_be_negative) => {
                    all & (divisor.next_power_of_two() - 1)
                }
                Some(_) | None => all,
            }
        }
        BinaryOperator::UnsignedDivide | BinaryOperator::SignedDivide => all,
    }
}

/// Whether a comparison has the same result for all values of the unwritten bits.
fn is_decided(comparison: Comparison, sides: [Option<Known>; 2]) -> bool {
    let is_written = |side: &Option<Known>| side.is_none_or(|known| known.unwritten == 0);
    let [Some(left), Some(right)] = sides else {
        return sides.iter().all(is_written);
    };
    let either = left.unwritten | right.unwritten;
    let ((least_left, most_left), (least_right, most_right)) = (left.range(), right.range());
    match comparison {
        _ if either == 0 => true,
        Comparison::Equal | Comparison::NotEqual => {
            (left.bits.value ^ right.bits.value) & !either != 0
        }
        Comparison::UnsignedLess => most_left < least_right || least_left >= most_right,
        Comparison::UnsignedLessEqual => most_left <= least_right || least_left > most_right,
        Comparison::SignedLess | Comparison::SignedLessEqual => false,
    }
}

#[cfg(test)]
mod tests {
    use explicit::interpret::operation::{binary, compare};
    use program::model::RegisterId;

    use super::*;

    const WIDTH: u32 = 3;

    fn all_values() -> impl Iterator<Item = u128> {
        0..=Bits::mask(WIDTH)
    }

    /// All values, each with all choices of unwritten bits.
    fn all_known() -> impl Iterator<Item = Known> {
        all_values().flat_map(|value| {
            all_values().map(move |unwritten| Known {
                bits: Bits::new(WIDTH, value),
                unwritten,
            })
        })
    }

    /// What the value might be instead.
    fn others(known: Known) -> impl Iterator<Item = u128> {
        let changed = move |other| known.bits.value & !known.unwritten | other & known.unwritten;
        all_values().map(changed)
    }

    /// Whether other bits in the place of the unwritten ones change nothing in the result but what spreads from there.
    fn covers_changes(
        make: &dyn Fn(Operand, Operand) -> Operation,
        compute: &dyn Fn(u128, u128) -> u128,
        width: u32,
    ) -> bool {
        let [one, other] = [0, 1].map(|number| Operand::Register(RegisterId::from_u32(number)));
        all_known().all(|left| {
            all_known().all(|right| {
                let known = |operand| Some(if operand == one { left } else { right });
                let spreads = spread(&make(one, other), width, known);
                let result = compute(left.bits.value, right.bits.value);
                others(left).all(|left| {
                    others(right).all(|right| (compute(left, right) ^ result) & !spreads == 0)
                })
            })
        })
    }

    #[test]
    fn bits_that_do_not_spread_are_decided_by_what_was_written() {
        for operator in BinaryOperator::ALL {
            let make = |left, right| Operation::Binary(operator, left, right);
            let compute = |left, right| binary(operator, WIDTH, left, right);
            assert!(covers_changes(&make, &compute, WIDTH), "{operator:?}");
        }
        for comparison in Comparison::ALL {
            let make = |left, right| Operation::Compare(comparison, left, right);
            let compute = |left, right| u128::from(compare(comparison, WIDTH, left, right));
            assert!(covers_changes(&make, &compute, 1), "{comparison:?}");
        }
    }

    #[test]
    fn fields_are_cut_out_of_a_unit() {
        let unit = Known {
            bits: Bits::new(8, 0b1010_1010),
            unwritten: 0b1111_0000,
        };
        let register = Operand::Register(RegisterId::from_u32(0));
        let known = |operand| match operand {
            Operand::Constant(bits) => Some(Known::written(bits)),
            Operand::Register(_) | Operand::Address(..) => Some(unit),
        };
        let constant = |value| Operand::Constant(Bits::new(8, value));
        let cut = |operator, value| {
            spread(
                &Operation::Binary(operator, register, constant(value)),
                8,
                known,
            )
        };
        assert_eq!(cut(BinaryOperator::And, 0b0001_1111), 0b0001_0000);
        assert_eq!(cut(BinaryOperator::Or, 0b0111_0000), 0b1000_0000);
        assert_eq!(cut(BinaryOperator::ShiftLeft, 2), 0b1100_0000);
        assert_eq!(cut(BinaryOperator::LogicalShiftRight, 2), 0b0011_1100);
        assert_eq!(cut(BinaryOperator::ArithmeticShiftRight, 2), 0b1111_1100);
        assert_eq!(cut(BinaryOperator::Add, 1), 0b1111_0000);
        let less = |value| {
            let comparison = Comparison::UnsignedLess;
            spread(
                &Operation::Compare(comparison, register, constant(value)),
                1,
                known,
            )
        };
        assert_eq!([less(10), less(11), less(250), less(251)], [0, 1, 1, 0]);
    }
}
