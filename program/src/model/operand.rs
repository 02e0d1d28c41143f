//! Operands, constants, and the pure operations on them.

use super::{BinaryOperator, Comparison, FunctionId, GlobalId, LocalId, RegisterId};

/// A value: all are bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operand {
    /// The content of a register.
    Register(RegisterId),
    /// A constant.
    Constant(Bits),
    /// The address of a place plus an offset in bytes ; as wide as an address.
    Address(Place, u32),
}

/// A bit-vector of 1 to 128 bits; the bits of `value` from `width` on are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    /// Number of bits.
    pub width: u32,
    /// Unsigned value, below 2^`width`.
    pub value: u128,
}

/// Something with an address, before instances are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A global variable, or this thread's copy of a thread-local one.
    Global(GlobalId),
    /// This thread's copy of an automatic variable.
    Local(LocalId),
    /// The entry of a function.
    Function(FunctionId),
}

/// A pure function of operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The operand itself.
    Copy(Operand),
    /// Two operands and result of equal width.
    Binary(BinaryOperator, Operand, Operand),
    /// Two operands of equal width, a one-bit result.
    Compare(Comparison, Operand, Operand),
    /// To the width of the written register.
    Cast(Cast, Operand),
    /// The second operand if the first (one bit) is 1, else the third.
    Select(Operand, Operand, Operand),
    /// `base + constant + sum of index * scale` modulo the number of addresses; indices are signed, and no wider than an address.
    /// If the sum of what is added is not below [`DataModel::far`](super::DataModel::far), the result points to
    /// [`ObjectKind::Nowhere`](super::ObjectKind).
    /// The only operation, beside copies and selection, that makes pointers from pointers.
    Offset {
        /// As wide as an address.
        base: Operand,
        /// In bytes.
        constant: u64,
        /// Index and its scale in bytes.
        indices: Vec<(Operand, u64)>,
    },
}

/// Changes of width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cast {
    /// New bits are 0.
    ZeroExtend,
    /// New bits are the sign.
    SignExtend,
    /// High bits are dropped.
    Truncate,
    /// The number, of 32 bits, of the object that an address was made from. It is no number of a machine.
    Object,
}

impl Bits {
    /// The constant `value` modulo 2^`width`.
    pub fn new(width: u32, value: u128) -> Self {
        Self {
            width,
            value: value & Self::mask(width),
        }
    }

    /// The truth value as one bit.
    pub fn bit(value: bool) -> Self {
        Self {
            width: 1,
            value: u128::from(value),
        }
    }

    /// The largest value of `width` bits.
    pub fn mask(width: u32) -> u128 {
        if width >= 128 {
            u128::MAX
        } else {
            (1 << width) - 1
        }
    }

    /// The value read as two's complement.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.width;
        ((self.value << unused) as i128) >> unused
    }
}
