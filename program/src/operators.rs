//! The operators of statements.

/// Binary operators, as SMT-LIB defines them for bit-vectors; programs have guards before divisors and shift amounts that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOperator {
    /// Addition with wrap-around.
    Add,
    /// Subtraction with wrap-around.
    Subtract,
    /// Multiplication with wrap-around.
    Multiply,
    /// Unsigned division; by zero: all ones.
    UnsignedDivide,
    /// Signed division, rounding to zero; by zero: as SMT-LIB's `bvsdiv`.
    SignedDivide,
    /// Unsigned remainder; by zero: the dividend.
    UnsignedRemainder,
    /// Signed remainder, with the sign of the dividend; by zero: the dividend.
    SignedRemainder,
    /// Left shift; by the width or more: 0.
    ShiftLeft,
    /// Right shift with zeros; by the width or more: 0.
    LogicalShiftRight,
    /// Right shift with the sign; by the width or more: all signs.
    ArithmeticShiftRight,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

impl BinaryOperator {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::UnsignedDivide,
        Self::SignedDivide,
        Self::UnsignedRemainder,
        Self::SignedRemainder,
        Self::ShiftLeft,
        Self::LogicalShiftRight,
        Self::ArithmeticShiftRight,
        Self::And,
        Self::Or,
        Self::Xor,
    ];
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Unsigned less.
    UnsignedLess,
    /// Unsigned less or equal.
    UnsignedLessEqual,
    /// Signed less.
    SignedLess,
    /// Signed less or equal.
    SignedLessEqual,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Equal,
        Self::NotEqual,
        Self::UnsignedLess,
        Self::UnsignedLessEqual,
        Self::SignedLess,
        Self::SignedLessEqual,
    ];
}

/// How an atomic update combines the old value with the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UpdateOperator {
    /// The operand.
    Exchange,
    /// Sum.
    Add,
    /// Old value minus operand.
    Subtract,
    /// Bitwise and.
    And,
    /// Bitwise and, then complement.
    Nand,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Signed maximum.
    SignedMaximum,
    /// Signed minimum.
    SignedMinimum,
    /// Unsigned maximum.
    UnsignedMaximum,
    /// Unsigned minimum.
    UnsignedMinimum,
    /// Old value plus 1, or 0 where the old value is the operand or more (unsigned).
    IncrementWrap,
    /// Old value minus 1, or the operand where the old value is 0 or more than the operand (unsigned).
    DecrementWrap,
}

impl UpdateOperator {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Exchange,
        Self::Add,
        Self::Subtract,
        Self::And,
        Self::Nand,
        Self::Or,
        Self::Xor,
        Self::SignedMaximum,
        Self::SignedMinimum,
        Self::UnsignedMaximum,
        Self::UnsignedMinimum,
        Self::IncrementWrap,
        Self::DecrementWrap,
    ];

    /// The operator that combines old value and operand, if it is one of those.
    pub fn binary(self) -> Option<BinaryOperator> {
        match self {
            Self::Add => Some(BinaryOperator::Add),
            Self::Subtract => Some(BinaryOperator::Subtract),
            Self::And => Some(BinaryOperator::And),
            Self::Or => Some(BinaryOperator::Or),
            Self::Xor => Some(BinaryOperator::Xor),
            Self::Exchange
            | Self::Nand
            | Self::SignedMaximum
            | Self::SignedMinimum
            | Self::UnsignedMaximum
            | Self::UnsignedMinimum
            | Self::IncrementWrap
            | Self::DecrementWrap => None,
        }
    }
}
