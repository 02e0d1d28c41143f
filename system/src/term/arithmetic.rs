//! Addition, subtraction, multiplication, division.
//!
//! A constant summand stands outermost and on the right, `(x + y) + 3`; both subtraction of a constant and addition of
//! constants end there, so that sums that differ by a constant share their base.

use super::{Binary, Node, Sort, Term, Terms, Unary, Value, all_ones};

impl Terms {
    /// The bit-vector constant of a width (1 to 128) with the low bits of `value`.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        self.constant(Value::truncated(width, value))
    }

    /// A binary operator on bit-vectors of equal width with a result of that width; constants of commutative operators
    /// stand on the right. On single bits it becomes a Boolean operator.
    pub(super) fn word(&mut self, operator: Binary, a: Term, b: Term) -> Term {
        if self.width(a) == 1
            && let Some(bit) = self.single_bit(operator, a, b)
        {
            return bit;
        }
        let (a, b) = if is_commutative(operator) {
            self.ordered(a, b)
        } else {
            (a, b)
        };
        let sort = self.sort(a);
        debug_assert_eq!(sort, self.sort(b), "{operator:?}");
        debug_assert_ne!(sort, Sort::Bool, "{operator:?}");
        self.intern(Node::Binary(operator, a, b), sort)
    }

    /// An operator on bit-vectors of width 1, if it is a connective.
    fn single_bit(&mut self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        let connective = if matches!(operator, Binary::BitAnd | Binary::Multiply) {
            Self::and
        } else if operator == Binary::BitOr {
            Self::or
        } else if matches!(operator, Binary::BitXor | Binary::Add | Binary::Subtract) {
            Self::xor
        } else {
            return None;
        };
        let (a, b) = (self.bit_to_bool(a), self.bit_to_bool(b));
        let result = connective(self, a, b);
        Some(self.bool_to_bit(result))
    }

    /// The two terms by age, a constant last.
    pub(super) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if (self.as_value(a).is_some(), a) < (self.as_value(b).is_some(), b) {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// The operands of a binary operator.
    pub(super) fn operands_of(&self, operator: Binary, term: Term) -> Option<(Term, Term)> {
        if let Node::Binary(found, a, b) = self.node(term)
            && found == operator
        {
            return Some((a, b));
        }
        None
    }

    /// The operand of a unary operator.
    pub(super) fn operand_of(&self, operator: Unary, term: Term) -> Option<Term> {
        if let Node::Unary(found, a) = self.node(term)
            && found == operator
        {
            return Some(a);
        }
        None
    }

    /// A commutative operator applied to a term and a constant.
    pub(super) fn with_constant(&self, operator: Binary, term: Term) -> Option<(Term, u128)> {
        let (a, b) = self.operands_of(operator, term)?;
        Some((a, self.as_bits(b)?))
    }

    /// The term as an optional base plus a constant.
    pub(super) fn base_and_offset(&self, term: Term) -> (Option<Term>, u128) {
        match (self.as_bits(term), self.with_constant(Binary::Add, term)) {
            (Some(constant), _) => (None, constant),
            (None, Some((base, offset))) => (Some(base), offset),
            (None, None) => (Some(term), 0),
        }
    }

    /// `base + offset`; the base may itself have an offset.
    fn offset(&mut self, base: Term, offset: u128) -> Term {
        let width = self.width(base);
        let (base, inner) = self.base_and_offset(base);
        let constant = self.bits(width, inner.wrapping_add(offset));
        match base {
            None => constant,
            Some(base) if self.as_bits(constant) == Some(0) => base,
            Some(base) => self.word(Binary::Add, base, constant),
        }
    }

    /// Addition.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let ((x, c), (y, d)) = (self.base_and_offset(a), self.base_and_offset(b));
        let sum = match (x, y) {
            (Some(x), Some(y)) => self.add_bases(x, y),
            (Some(x), None) | (None, Some(x)) => x,
            (None, None) => self.bits(self.width(a), 0),
        };
        self.offset(sum, c.wrapping_add(d))
    }

    fn add_bases(&mut self, x: Term, y: Term) -> Term {
        if x == y {
            let two = self.bits(self.width(x), 2);
            return self.multiply(x, two);
        }
        if self.operand_of(Unary::BitNot, x) == Some(y)
            || self.operand_of(Unary::BitNot, y) == Some(x)
        {
            return self.bits(self.width(x), u128::MAX);
        }
        if let Some(y) = self.operand_of(Unary::Negate, y) {
            return self.subtract_bases(x, y);
        }
        if let Some(x) = self.operand_of(Unary::Negate, x) {
            return self.subtract_bases(y, x);
        }
        for (difference, other) in [(x, y), (y, x)] {
            if let Some((minuend, subtrahend)) = self.operands_of(Binary::Subtract, difference)
                && subtrahend == other
            {
                return minuend;
            }
        }
        self.word(Binary::Add, x, y)
    }

    /// Subtraction.
    pub fn subtract(&mut self, a: Term, b: Term) -> Term {
        let ((x, c), (y, d)) = (self.base_and_offset(a), self.base_and_offset(b));
        let difference = match (x, y) {
            (Some(x), Some(y)) => self.subtract_bases(x, y),
            (Some(x), None) => x,
            (None, Some(y)) => self.negate(y),
            (None, None) => self.bits(self.width(a), 0),
        };
        self.offset(difference, c.wrapping_sub(d))
    }

    fn subtract_bases(&mut self, x: Term, y: Term) -> Term {
        if x == y {
            return self.bits(self.width(x), 0);
        }
        if let Some((p, q)) = self.operands_of(Binary::Add, x)
            && (p == y || q == y)
        {
            return if p == y { q } else { p };
        }
        if let Some((p, q)) = self.operands_of(Binary::Add, y)
            && (p == x || q == x)
        {
            return self.negate(if p == x { q } else { p });
        }
        if let Some((p, q)) = self.operands_of(Binary::Subtract, x)
            && p == y
        {
            return self.negate(q);
        }
        if let Some((p, q)) = self.operands_of(Binary::Subtract, y)
            && p == x
        {
            return q;
        }
        self.word(Binary::Subtract, x, y)
    }

    /// Two's complement.
    pub fn negate(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        let (base, offset) = self.base_and_offset(a);
        let negated = match base {
            None => self.bits(self.width(a), 0),
            Some(base) => {
                if self.width(base) == 1 {
                    base
                } else if let Some(inner) = self.operand_of(Unary::Negate, base) {
                    inner
                } else if let Some((p, q)) = self.operands_of(Binary::Subtract, base) {
                    self.word(Binary::Subtract, q, p)
                } else {
                    self.intern(Node::Unary(Unary::Negate, base), sort)
                }
            }
        };
        self.offset(negated, offset.wrapping_neg())
    }

    /// Multiplication.
    pub fn multiply(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        let Some(factor) = self.as_bits(b) else {
            return self.word(Binary::Multiply, a, b);
        };
        if factor == 0 {
            return b;
        }
        if factor.is_power_of_two() {
            let amount = self.bits(width, u128::from(factor.trailing_zeros()));
            return self.shift_left(a, amount);
        }
        if factor == all_ones(width) {
            return self.negate(a);
        }
        if let Some((x, inner)) = self.with_constant(Binary::Multiply, a) {
            let product = self.bits(width, inner.wrapping_mul(factor));
            return self.multiply(x, product);
        }
        self.word(Binary::Multiply, a, b)
    }

    /// Unsigned division; by zero: all ones.
    pub fn unsigned_divide(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_bits(b) {
            Some(0) => self.bits(width, u128::MAX),
            Some(divisor) if divisor.is_power_of_two() => {
                let amount = self.bits(width, u128::from(divisor.trailing_zeros()));
                self.logical_shift_right(a, amount)
            }
            Some(_) | None => self.word(Binary::UnsignedDivide, a, b),
        }
    }

    /// Unsigned remainder; by zero: the dividend.
    pub fn unsigned_remainder(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_bits(b) {
            Some(0) => a,
            Some(1) => self.bits(width, 0),
            Some(divisor) if divisor.is_power_of_two() => {
                let rest = self.extract(divisor.trailing_zeros() - 1, 0, a);
                self.zero_extend(width, rest)
            }
            Some(_) | None if a == b || self.as_bits(a) == Some(0) => self.bits(width, 0),
            Some(_) | None => self.word(Binary::UnsignedRemainder, a, b),
        }
    }

    /// Signed division, rounding to zero; by zero: 1 for a negative dividend, else -1.
    pub fn signed_divide(&mut self, a: Term, b: Term) -> Term {
        match self.as_bits(b) {
            Some(divisor) if divisor == all_ones(self.width(a)) => self.negate(a),
            Some(1) => a,
            Some(_) | None => self.word(Binary::SignedDivide, a, b),
        }
    }

    /// Signed remainder, sign of the dividend; by zero: the dividend.
    pub fn signed_remainder(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_bits(b) {
            Some(0) => a,
            Some(divisor) if divisor == 1 || divisor == all_ones(width) => self.bits(width, 0),
            Some(_) | None if a == b || self.as_bits(a) == Some(0) => self.bits(width, 0),
            Some(_) | None => self.word(Binary::SignedRemainder, a, b),
        }
    }

    /// Signed remainder with the sign of the divisor; by zero: the dividend.
    pub fn signed_modulo(&mut self, a: Term, b: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        let remainder = self.signed_remainder(a, b);
        let shifted = self.add(remainder, b);
        let (below, divisor_below) = (self.signed_less(remainder, zero), self.signed_less(b, zero));
        let (is_zero, same_sign) = (
            self.equal(remainder, zero),
            self.equal(below, divisor_below),
        );
        let done = self.or(is_zero, same_sign);
        self.ite(done, remainder, shifted)
    }
}

pub(super) fn is_commutative(operator: Binary) -> bool {
    matches!(
        operator,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Add | Binary::Multiply
    )
}
