//! Bit-vector constructors.

use super::{Binary, Node, Sort, Term, Terms, Unary, Value, all_ones, value};

impl Terms {
    /// The bit-vector constant of a width (1 to 128) with the low bits of `value`.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        self.constant(Value::truncated(width, value))
    }

    /// Bitwise complement.
    pub fn bit_not(&mut self, a: Term) -> Term {
        self.fold_unary(Unary::BitNot, a)
    }

    /// Two's complement.
    pub fn negate(&mut self, a: Term) -> Term {
        self.fold_unary(Unary::Negate, a)
    }

    fn fold_unary(&mut self, operator: Unary, a: Term) -> Term {
        if let Some(known) = self.as_value(a) {
            return self.constant(value::unary(operator, known));
        }
        if let Node::Unary(inner, b) = self.node(a)
            && inner == operator
        {
            return b;
        }
        let sort = self.sort(a);
        self.intern(Node::Unary(operator, a), sort)
    }

    /// Bitwise and.
    pub fn bit_and(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::BitAnd, a, b)
    }

    /// Bitwise or.
    pub fn bit_or(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::BitOr, a, b)
    }

    /// Bitwise exclusive or.
    pub fn bit_xor(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::BitXor, a, b)
    }

    /// Addition.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::Add, a, b)
    }

    /// Subtraction.
    pub fn subtract(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::Subtract, a, b)
    }

    /// Multiplication.
    pub fn multiply(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::Multiply, a, b)
    }

    /// Unsigned division; by zero: all ones.
    pub fn unsigned_divide(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::UnsignedDivide, a, b)
    }

    /// Unsigned remainder; by zero: the dividend.
    pub fn unsigned_remainder(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::UnsignedRemainder, a, b)
    }

    /// Signed division, rounding to zero; by zero: 1 for a negative dividend, else -1.
    pub fn signed_divide(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::SignedDivide, a, b)
    }

    /// Signed remainder, sign of the dividend; by zero: the dividend.
    pub fn signed_remainder(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::SignedRemainder, a, b)
    }

    /// Left shift by an unsigned number of bits.
    pub fn shift_left(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::ShiftLeft, a, b)
    }

    /// Right shift by an unsigned number of bits, filling with zeros.
    pub fn logical_shift_right(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::LogicalShiftRight, a, b)
    }

    /// Right shift by an unsigned number of bits, filling with the sign.
    pub fn arithmetic_shift_right(&mut self, a: Term, b: Term) -> Term {
        self.simplified(Binary::ArithmeticShiftRight, a, b)
    }

    /// A binary operator on bit-vectors of equal width with a result of that width.
    fn simplified(&mut self, operator: Binary, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let (Some(x), Some(y)) = (self.as_value(a), self.as_value(b)) {
            return self.constant(value::binary(operator, x, y));
        }
        let sort = self.sort(a);
        let (a, b) = if is_commutative(operator) {
            (a.min(b), a.max(b))
        } else {
            (a, b)
        };
        self.intern(Node::Binary(operator, a, b), sort)
    }

    /// Concatenation; at most 128 bits in all.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        if let (Some(x), Some(y)) = (self.as_value(high), self.as_value(low)) {
            return self.constant(value::binary(Binary::Concat, x, y));
        }
        self.intern(Node::Binary(Binary::Concat, high, low), Sort::BitVec(width))
    }

    /// Bits `high` to `low`, both included, of a bit-vector of more than `high` bits.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        debug_assert!(low <= high && high < self.width(a));
        if let Some(known) = self.as_value(a) {
            return self.constant(value::extract(high, low, known));
        }
        if high - low + 1 == self.width(a) {
            return a;
        }
        self.intern(
            Node::Extract { high, low, of: a },
            Sort::BitVec(high - low + 1),
        )
    }

    /// Zero extension to a width that is not smaller.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        debug_assert!(self.width(a) <= width && width <= 128);
        if let Some(known) = self.as_bits(a) {
            return self.bits(width, known);
        }
        if self.width(a) == width {
            return a;
        }
        self.intern(Node::ZeroExtend(width, a), Sort::BitVec(width))
    }

    /// Sign extension to a width that is not smaller.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        debug_assert!(self.width(a) <= width && width <= 128);
        if let Some(known) = self.as_value(a) {
            return self.constant(value::sign_extend(width, known));
        }
        if self.width(a) == width {
            return a;
        }
        self.intern(Node::SignExtend(width, a), Sort::BitVec(width))
    }

    pub(super) fn equal_bits(&mut self, a: Term, b: Term) -> Term {
        // A constant stands on the right.
        let (a, b) = if self.as_value(a).is_some() {
            (b, a)
        } else {
            (a.min(b), a.max(b))
        };
        let (a, b) = if self.as_value(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        match (self.as_value(a), self.as_value(b)) {
            (Some(x), Some(y)) => return self.bool(x == y),
            (None, Some(Value::BitVec(1, 0))) => {
                let is_one = self.bit_to_bool(a);
                return self.not(is_one);
            }
            (None, Some(k)) => {
                if let Some(result) = self.equal_ite_constant(a, k) {
                    return result;
                }
            }
            _ => {}
        }
        self.intern(Node::Binary(Binary::Equal, a, b), Sort::Bool)
    }

    /// `(if c then x else y) = k` for constants x and y.
    fn equal_ite_constant(&mut self, a: Term, k: Value) -> Option<Term> {
        let Node::Ite(condition, x, y) = self.node(a) else {
            return None;
        };
        let (x, y) = (self.as_value(x)?, self.as_value(y)?);
        Some(match (x == k, y == k) {
            (true, true) => self.bool(true),
            (true, false) => condition,
            (false, true) => self.not(condition),
            (false, false) => self.bool(false),
        })
    }

    /// Unsigned `a < b`.
    pub fn unsigned_less(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let top = all_ones(self.width(a));
        match (self.as_bits(a), self.as_bits(b)) {
            (Some(x), Some(y)) => return self.bool(x < y),
            (Some(x), None) if x == top => return self.bool(false),
            (None, Some(0)) => return self.bool(false),
            _ if a == b => return self.bool(false),
            _ => {}
        }
        self.intern(Node::Binary(Binary::UnsignedLess, a, b), Sort::Bool)
    }

    /// Unsigned `a <= b`.
    pub fn unsigned_less_equal(&mut self, a: Term, b: Term) -> Term {
        let greater = self.unsigned_less(b, a);
        self.not(greater)
    }

    /// Signed `a < b`.
    pub fn signed_less(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let (Some(x), Some(y)) = (self.as_value(a), self.as_value(b)) {
            return self.constant(value::binary(Binary::SignedLess, x, y));
        }
        if a == b {
            return self.bool(false);
        }
        self.intern(Node::Binary(Binary::SignedLess, a, b), Sort::Bool)
    }

    /// Signed `a <= b`.
    pub fn signed_less_equal(&mut self, a: Term, b: Term) -> Term {
        let greater = self.signed_less(b, a);
        self.not(greater)
    }
}

fn is_commutative(operator: Binary) -> bool {
    matches!(
        operator,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Add | Binary::Multiply
    )
}
