//! Sorts and their values.

/// What values a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of 1 to 128 bits.
    BitVec(u32),
}

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
