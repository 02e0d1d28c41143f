//! The integer types of C on x86-64.

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Width in bits; 1 is `_Bool`.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

impl Integer {
    /// `_Bool`.
    pub const BOOL: Self = Self::of(1, false);
    /// `int`.
    pub const INT: Self = Self::of(32, true);
    /// `unsigned long`.
    pub const UNSIGNED_LONG: Self = Self::of(64, false);
    /// All types.
    pub const ALL: [Self; 9] = [
        Self::BOOL,
        Self::of(8, true),
        Self::of(8, false),
        Self::of(16, true),
        Self::of(16, false),
        Self::INT,
        Self::of(32, false),
        Self::of(64, true),
        Self::UNSIGNED_LONG,
    ];

    /// The type of so many bits, which must be one of those in [`Integer::ALL`].
    pub const fn of(bits: u32, signed: bool) -> Self {
        Self { bits, signed }
    }

    /// How C calls it.
    pub fn name(self) -> &'static str {
        match (self.bits, self.signed) {
            (1, _) => "_Bool",
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (_, true) => "long",
            (_, false) => "unsigned long",
        }
    }

    /// The size in bytes.
    pub fn bytes(self) -> u32 {
        self.bits.div_ceil(8)
    }

    /// The least value.
    pub fn low(self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    /// The greatest value.
    pub fn high(self) -> i128 {
        (1 << (self.bits - u32::from(self.signed))) - 1
    }

    /// Whether all of these values are values of the type.
    pub fn contains(self, (low, high): (i128, i128)) -> bool {
        self.low() <= low && high <= self.high()
    }

    /// The unsigned type of the same width.
    pub fn unsigned(self) -> Self {
        Self::of(self.bits, false)
    }

    /// The type after integer promotion.
    pub fn promoted(self) -> Self {
        if self.bits < 32 { Self::INT } else { self }
    }

    /// The type in which an operation on operands of both types is done.
    pub fn common(self, other: Self) -> Self {
        let (left, right) = (self.promoted(), other.promoted());
        match left.bits.cmp(&right.bits) {
            std::cmp::Ordering::Less => right,
            std::cmp::Ordering::Greater => left,
            std::cmp::Ordering::Equal => Self::of(left.bits, left.signed && right.signed),
        }
    }

    /// A value of this type as C text, for a value that it has.
    pub fn literal(self, value: i128) -> String {
        let suffix = match (self.bits, self.signed) {
            (64, true) => "ll",
            (64, false) => "ull",
            (32, false) => "u",
            _ => "",
        };
        let text = if value == Self::of(64, true).low() || value == Self::INT.low() {
            // There are no negative literals, and the absolute value is none of the type.
            format!("({}{suffix} - 1)", value + 1)
        } else if value < 0 {
            format!("({value}{suffix})")
        } else {
            format!("{value}{suffix}")
        };
        if self.bits < 32 {
            format!("({}){text}", self.name())
        } else {
            text
        }
    }
}
