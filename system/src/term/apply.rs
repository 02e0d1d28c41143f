//! The meaning of the operators on values: the only implementation, shared by constant folding and evaluation.

use super::node::{Binary, Node, Term, Unary};
use super::value::{Value, signed};

/// The value of a node, given the values of its operands; `None` for a variable.
pub fn apply(node: Node, mut operand: impl FnMut(Term) -> Value) -> Option<Value> {
    Some(match node {
        Node::Constant(value) => value,
        Node::Symbol(_) => return None,
        Node::Unary(operator, a) => unary(operator, operand(a)),
        Node::Binary(operator, a, b) => binary(operator, operand(a), operand(b)),
        Node::Ite(condition, a, b) => {
            let branch = if operand(condition).is_true() { a } else { b };
            operand(branch)
        }
        Node::Extract { high, low, of } => extract(high, low, operand(of)),
        Node::ZeroExtend(width, a) => Value::BitVec(width, operand(a).bits()),
        Node::SignExtend(width, a) => sign_extend(width, operand(a)),
    })
}

/// A unary operator on a value of the sort it takes.
pub fn unary(operator: Unary, a: Value) -> Value {
    match (operator, a) {
        (_, Value::Bool(a)) => Value::Bool(!a),
        (Unary::Negate, Value::BitVec(width, a)) => Value::truncated(width, a.wrapping_neg()),
        (Unary::Not | Unary::BitNot, Value::BitVec(width, a)) => Value::truncated(width, !a),
    }
}

/// A binary operator on values of the sorts it takes.
pub fn binary(operator: Binary, a: Value, b: Value) -> Value {
    let (width, x, y) = (width(a), a.bits(), b.bits());
    let number = |bits| Value::truncated(width, bits);
    match operator {
        Binary::And => Value::Bool(a.is_true() && b.is_true()),
        Binary::Or => Value::Bool(a.is_true() || b.is_true()),
        Binary::Equal => Value::Bool(a == b),
        Binary::UnsignedLess => Value::Bool(x < y),
        Binary::SignedLess => Value::Bool(signed(width, x) < signed(width, y)),
        Binary::BitAnd => number(x & y),
        Binary::BitOr => number(x | y),
        Binary::BitXor => number(x ^ y),
        Binary::Add => number(x.wrapping_add(y)),
        Binary::Subtract => number(x.wrapping_sub(y)),
        Binary::Multiply => number(x.wrapping_mul(y)),
        Binary::UnsignedDivide => number(x.checked_div(y).unwrap_or(u128::MAX)),
        Binary::UnsignedRemainder => number(x.checked_rem(y).unwrap_or(x)),
        Binary::SignedDivide => number(signed_divide(signed(width, x), signed(width, y))),
        Binary::SignedRemainder => number(signed_remainder(signed(width, x), signed(width, y))),
        Binary::ShiftLeft => number(if y < 128 { x << y } else { 0 }),
        Binary::LogicalShiftRight => number(if y < 128 { x >> y } else { 0 }),
        Binary::ArithmeticShiftRight => number((signed(width, x) >> y.min(127)).cast_unsigned()),
        Binary::Concat => concat(a, b),
    }
}

/// By zero: 1 for a negative dividend, else -1, as SMT-LIB defines it.
fn signed_divide(a: i128, b: i128) -> u128 {
    let quotient = match b {
        0 if a < 0 => 1,
        0 => -1,
        _ => a.wrapping_div(b),
    };
    quotient.cast_unsigned()
}

fn signed_remainder(a: i128, b: i128) -> u128 {
    let remainder = if b == 0 { a } else { a.wrapping_rem(b) };
    remainder.cast_unsigned()
}

fn concat(high: Value, low: Value) -> Value {
    let low_width = width(low);
    // A high part leaves at most 127 bits for the low one, so the shift is in range.
    Value::BitVec(
        width(high) + low_width,
        high.bits() << low_width | low.bits(),
    )
}

/// Bits `high` to `low`, both included.
pub fn extract(high: u32, low: u32, of: Value) -> Value {
    Value::truncated(high - low + 1, of.bits() >> low)
}

/// Sign extension to `to` bits.
pub fn sign_extend(to: u32, of: Value) -> Value {
    Value::truncated(to, signed(width(of), of.bits()).cast_unsigned())
}

/// The width of a bit-vector; 1 for a truth value.
fn width(value: Value) -> u32 {
    match value {
        Value::Bool(_) => 1,
        Value::BitVec(width, _) => width,
    }
}
