//! Terms as handles, and the node that each stands for.

use super::value::Value;

/// A handle into the arena that made it; `u32` so that tables over terms are dense vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(super) u32);

/// A named variable of the arena: state variable, input, or any other free symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(super) u32);

/// The root of a term. Operators are those of SMT-LIB's theory of fixed-size bit-vectors, with its semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Constant(Value),
    /// A free variable.
    Symbol(Symbol),
    /// An operator applied to one term.
    Unary(Unary, Term),
    /// An operator applied to two terms.
    Binary(Binary, Term, Term),
    /// If-then-else; the condition is Boolean, the branches have equal sorts.
    Ite(Term, Term, Term),
    /// Bits `high` to `low`, both included.
    Extract {
        /// Highest bit taken.
        high: u32,
        /// Lowest bit taken.
        low: u32,
        /// The bit-vector.
        of: Term,
    },
    /// Zero extension to a width.
    ZeroExtend(u32, Term),
    /// Sign extension to a width.
    SignExtend(u32, Term),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// Boolean negation.
    Not,
    /// Bitwise complement.
    BitNot,
    /// Two's complement.
    Negate,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// Boolean conjunction.
    And,
    /// Boolean disjunction.
    Or,
    /// Equality of Booleans or of bit-vectors.
    Equal,
    /// Unsigned less.
    UnsignedLess,
    /// Signed less.
    SignedLess,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Addition.
    Add,
    /// Subtraction.
    Subtract,
    /// Multiplication.
    Multiply,
    /// Unsigned division; by zero: all ones.
    UnsignedDivide,
    /// Unsigned remainder; by zero: the dividend.
    UnsignedRemainder,
    /// Signed division, rounding to zero; by zero: 1 for a negative dividend, else -1.
    SignedDivide,
    /// Signed remainder, sign of the dividend; by zero: the dividend.
    SignedRemainder,
    /// Left shift.
    ShiftLeft,
    /// Right shift with zeros.
    LogicalShiftRight,
    /// Right shift with the sign.
    ArithmeticShiftRight,
    /// Concatenation; the first operand is the high part.
    Concat,
}

impl Term {
    /// Position in the arena; operands have smaller positions than the terms made of them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Node {
    /// The operands, first to last.
    pub fn operands(self) -> impl Iterator<Item = Term> {
        let (a, b, c) = match self {
            Self::Constant(_) | Self::Symbol(_) => (None, None, None),
            Self::Unary(_, a) | Self::ZeroExtend(_, a) | Self::SignExtend(_, a) => {
                (Some(a), None, None)
            }
            Self::Extract { of, .. } => (Some(of), None, None),
            Self::Binary(_, a, b) => (Some(a), Some(b), None),
            Self::Ite(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }
}
