//! Pure operations as terms.

use program::model::{BinaryOperator, Cast, Comparison, DataModel, UpdateOperator};
use system::term::{Term, Terms};

/// A binary operator on bit-vectors of equal width.
pub fn binary(terms: &mut Terms, operator: BinaryOperator, a: Term, b: Term) -> Term {
    match operator {
        BinaryOperator::Add => terms.add(a, b),
        BinaryOperator::Subtract => terms.subtract(a, b),
        BinaryOperator::Multiply => terms.multiply(a, b),
        BinaryOperator::UnsignedDivide => terms.unsigned_divide(a, b),
        BinaryOperator::SignedDivide => terms.signed_divide(a, b),
        BinaryOperator::UnsignedRemainder => terms.unsigned_remainder(a, b),
        BinaryOperator::SignedRemainder => terms.signed_remainder(a, b),
        BinaryOperator::ShiftLeft => terms.shift_left(a, b),
        BinaryOperator::LogicalShiftRight => terms.logical_shift_right(a, b),
        BinaryOperator::ArithmeticShiftRight => terms.arithmetic_shift_right(a, b),
        BinaryOperator::And => terms.bit_and(a, b),
        BinaryOperator::Or => terms.bit_or(a, b),
        BinaryOperator::Xor => terms.bit_xor(a, b),
    }
}

/// A comparison as a truth value.
pub fn compare(terms: &mut Terms, comparison: Comparison, a: Term, b: Term) -> Term {
    match comparison {
        Comparison::Equal => terms.equal(a, b),
        Comparison::NotEqual => {
            let equal = terms.equal(a, b);
            terms.not(equal)
        }
        Comparison::UnsignedLess => terms.unsigned_less(a, b),
        Comparison::UnsignedLessEqual => terms.unsigned_less_equal(a, b),
        Comparison::SignedLess => terms.signed_less(a, b),
        Comparison::SignedLessEqual => terms.signed_less_equal(a, b),
    }
}

/// A change of width to `width`.
pub fn cast(terms: &mut Terms, data_model: DataModel, cast: Cast, width: u32, a: Term) -> Term {
    match cast {
        Cast::ZeroExtend => terms.zero_extend(width, a),
        Cast::SignExtend => terms.sign_extend(width, a),
        Cast::Truncate => truncate(terms, width, a),
        Cast::Object => object(terms, data_model, a),
    }
}

/// The number of the object that an address was made from, 32 bits.
pub fn object(terms: &mut Terms, data_model: DataModel, address: Term) -> Term {
    let width = data_model.address_bits();
    let start = data_model.reach().wrapping_sub(data_model.mark()) & data_model.mask();
    let start = terms.bits(width, start.into());
    let moved = terms.add(address, start);
    let number = terms.extract(width - 1, data_model.distance_bits(), moved);
    terms.zero_extend(32, number)
}

/// How far an address is from the start of the object that it was made from, 32 bits, signed.
pub fn distance(terms: &mut Terms, data_model: DataModel, address: Term) -> Term {
    let distance = truncate(terms, data_model.distance_bits(), address);
    terms.sign_extend(32, distance)
}

/// The low `width` bits.
pub fn truncate(terms: &mut Terms, width: u32, a: Term) -> Term {
    terms.extract(width - 1, 0, a)
}

/// What an atomic update writes.
pub fn update(terms: &mut Terms, operator: UpdateOperator, old: Term, operand: Term) -> Term {
    match operator {
        UpdateOperator::Exchange => operand,
        UpdateOperator::Add => terms.add(old, operand),
        UpdateOperator::Subtract => terms.subtract(old, operand),
        UpdateOperator::And => terms.bit_and(old, operand),
        UpdateOperator::Nand => {
            let both = terms.bit_and(old, operand);
            terms.bit_not(both)
        }
        UpdateOperator::Or => terms.bit_or(old, operand),
        UpdateOperator::Xor => terms.bit_xor(old, operand),
        UpdateOperator::SignedMaximum => {
            let less = terms.signed_less(old, operand);
            terms.ite(less, operand, old)
        }
        UpdateOperator::SignedMinimum => {
            let less = terms.signed_less(old, operand);
            terms.ite(less, old, operand)
        }
        UpdateOperator::UnsignedMaximum => {
            let less = terms.unsigned_less(old, operand);
            terms.ite(less, operand, old)
        }
        UpdateOperator::UnsignedMinimum => {
            let less = terms.unsigned_less(old, operand);
            terms.ite(less, old, operand)
        }
        UpdateOperator::IncrementWrap => increment_wrap(terms, old, operand),
        UpdateOperator::DecrementWrap => decrement_wrap(terms, old, operand),
    }
}

fn increment_wrap(terms: &mut Terms, old: Term, operand: Term) -> Term {
    let width = terms.width(old);
    let (zero, one) = (terms.bits(width, 0), terms.bits(width, 1));
    let next = terms.add(old, one);
    let below = terms.unsigned_less(old, operand);
    terms.ite(below, next, zero)
}

fn decrement_wrap(terms: &mut Terms, old: Term, operand: Term) -> Term {
    let width = terms.width(old);
    let (zero, one) = (terms.bits(width, 0), terms.bits(width, 1));
    let previous = terms.subtract(old, one);
    let is_zero = terms.equal(old, zero);
    let above = terms.unsigned_less(operand, old);
    let wraps = terms.or(is_zero, above);
    terms.ite(wraps, operand, previous)
}
