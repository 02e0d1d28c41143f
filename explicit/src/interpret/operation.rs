//! The pure functions: every value is an unsigned number below 2^width.

use program::model::{
    BinaryOperator, Bits, Cast, Comparison, DataModel, Instances, UpdateOperator,
};

/// The value of `left operator right`, both of `width` bits.
pub fn binary(operator: BinaryOperator, width: u32, left: u128, right: u128) -> u128 {
    let signed = |value| Bits { width, value }.signed();
    let shift = u32::try_from(right).unwrap_or(u32::MAX);
    let value = match operator {
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::UnsignedDivide => left.checked_div(right).unwrap_or(u128::MAX),
        BinaryOperator::SignedDivide if right == 0 => {
            if signed(left) < 0 {
                1
            } else {
                u128::MAX
            }
        }
        BinaryOperator::SignedDivide => signed(left).wrapping_div(signed(right)) as u128,
        BinaryOperator::UnsignedRemainder => left.checked_rem(right).unwrap_or(left),
        BinaryOperator::SignedRemainder if right == 0 => left,
        BinaryOperator::SignedRemainder => signed(left).wrapping_rem(signed(right)) as u128,
        BinaryOperator::ShiftLeft if shift >= width => 0,
        BinaryOperator::ShiftLeft => left << shift,
        BinaryOperator::LogicalShiftRight if shift >= width => 0,
        BinaryOperator::LogicalShiftRight => left >> shift,
        BinaryOperator::ArithmeticShiftRight => (signed(left) >> shift.min(width - 1)) as u128,
        BinaryOperator::And => left & right,
        BinaryOperator::Or => left | right,
        BinaryOperator::Xor => left ^ right,
    };
    value & Bits::mask(width)
}

/// Whether `left comparison right` holds for operands of `width` bits.
pub fn compare(comparison: Comparison, width: u32, left: u128, right: u128) -> bool {
    let signed = |value| Bits { width, value }.signed();
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::UnsignedLess => left < right,
        Comparison::UnsignedLessEqual => left <= right,
        Comparison::SignedLess => signed(left) < signed(right),
        Comparison::SignedLessEqual => signed(left) <= signed(right),
    }
}

/// `value`, of `from` bits, in `to` bits.
pub fn cast(data_model: DataModel, cast: Cast, from: u32, to: u32, value: u128) -> u128 {
    match cast {
        Cast::ZeroExtend => value,
        Cast::SignExtend => Bits { width: from, value }.signed() as u128 & Bits::mask(to),
        Cast::Truncate => value & Bits::mask(to),
        Cast::Object => data_model.object_number(value as u64).into(),
    }
}

/// What an atomic update of `width` bits writes.
pub fn update(operator: UpdateOperator, width: u32, old: u128, operand: u128) -> u128 {
    let signed_less = |a, b| compare(Comparison::SignedLess, width, a, b);
    let value = match operator {
        UpdateOperator::Exchange => operand,
        UpdateOperator::Add => old.wrapping_add(operand),
        UpdateOperator::Subtract => old.wrapping_sub(operand),
        UpdateOperator::And => old & operand,
        UpdateOperator::Nand => !(old & operand),
        UpdateOperator::Or => old | operand,
        UpdateOperator::Xor => old ^ operand,
        UpdateOperator::SignedMaximum if signed_less(old, operand) => operand,
        UpdateOperator::SignedMaximum => old,
        UpdateOperator::SignedMinimum if signed_less(operand, old) => operand,
        UpdateOperator::SignedMinimum => old,
        UpdateOperator::UnsignedMaximum => old.max(operand),
        UpdateOperator::UnsignedMinimum => old.min(operand),
        UpdateOperator::IncrementWrap if old >= operand => 0,
        UpdateOperator::IncrementWrap => old + 1,
        UpdateOperator::DecrementWrap if old == 0 || old > operand => operand,
        UpdateOperator::DecrementWrap => old - 1,
    };
    value & Bits::mask(width)
}

/// The address `distance` bytes behind another one. What is [`DataModel::far`] away is outside of the object, and must not be within another
/// one.
pub fn offset(instances: &Instances, base: u64, distance: i128) -> u64 {
    let data_model = instances.data_model;
    let moved = base.wrapping_add(distance as u64) & data_model.mask();
    if distance.unsigned_abs() < u128::from(data_model.far()) {
        moved
    } else {
        instances.led_nowhere(moved)
    }
}
