//! Values and what the operators mean on them: the one implementation, shared by constant folding and evaluation.

use super::{Binary, Node, Sort, Term, Unary};

/// A value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector: width and unsigned value, which is below 2^width.
    BitVec(u32, u128),
}

/// The largest value of a width, which is also the mask of its bits.
pub fn all_ones(width: u32) -> u128 {
    debug_assert!((1..=128).contains(&width), "width {width}");
    u128::MAX >> (128 - width)
}

/// The value of a bit-vector read as a two's complement number.
pub fn signed(width: u32, bits: u128) -> i128 {
    let unused = 128 - width;
    (bits << unused).cast_signed() >> unused
}

impl Value {
    /// The bit-vector of a width whose value is the low bits of `bits`.
    pub fn truncated(width: u32, bits: u128) -> Self {
        Self::BitVec(width, bits & all_ones(width))
    }

    /// False, or the bit-vector of zeros.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Self::Bool(false),
            Sort::BitVec(width) => Self::BitVec(width, 0),
        }
    }

    /// The sort whose value this is.
    pub fn sort(self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::BitVec(width, _) => Sort::BitVec(width),
        }
    }

    /// Whether this is the truth value true.
    pub fn is_true(self) -> bool {
        self == Self::Bool(true)
    }

    /// The value as a number: 0 or 1 for a truth value, the unsigned value for a bit-vector.
    pub fn bits(self) -> u128 {
        match self {
            Self::Bool(value) => u128::from(value),
            Self::BitVec(_, bits) => bits,
        }
    }

    /// Whether the value is one of its sort: the width is supported and the bits fit.
    pub fn is_well_formed(self) -> bool {
        match self {
            Self::Bool(_) => true,
            Self::BitVec(width, bits) => (1..=128).contains(&width) && bits <= all_ones(width),
        }
    }
}

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
