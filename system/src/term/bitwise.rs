//! Bitwise operators and shifts.

use super::{Binary, Node, Sort, Term, Terms, Unary, all_ones};

impl Terms {
    /// Bitwise complement.
    pub fn bit_not(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        if sort == Sort::BitVec(1) {
            let is_one = self.bit_to_bool(a);
            let is_zero = self.not(is_one);
            return self.bool_to_bit(is_zero);
        }
        match self.operand_of(Unary::BitNot, a) {
            Some(inner) => inner,
            None => self.intern(Node::Unary(Unary::BitNot, a), sort),
        }
    }

    fn are_complements(&self, a: Term, b: Term) -> bool {
        self.operand_of(Unary::BitNot, a) == Some(b) || self.operand_of(Unary::BitNot, b) == Some(a)
    }

    /// Bitwise and. A constant mask of adjacent ones cuts that part out.
    pub fn bit_and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.are_complements(a, b) {
            return self.bits(width, 0);
        }
        let Some(mask) = self.as_bits(b) else {
            return self.word(Binary::BitAnd, a, b);
        };
        if let Some((x, inner)) = self.with_constant(Binary::BitAnd, a) {
            let mask = self.bits(width, mask & inner);
            return self.bit_and(x, mask);
        }
        if mask == 0 {
            return b;
        }
        let (low, ones) = (mask.trailing_zeros(), mask.count_ones());
        if mask >> low == all_ones(ones) {
            let part = self.extract(low + ones - 1, low, a);
            return self.placed(width, part, low);
        }
        self.word(Binary::BitAnd, a, b)
    }

    /// The bit-vector of a width that has `part` from bit `low` on, and zeros elsewhere.
    fn placed(&mut self, width: u32, part: Term, low: u32) -> Term {
        let shifted = if low == 0 {
            part
        } else {
            let zeros = self.bits(low, 0);
            self.concat(part, zeros)
        };
        self.zero_extend(width, shifted)
    }

    /// Bitwise or.
    pub fn bit_or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.are_complements(a, b) {
            return self.bits(width, u128::MAX);
        }
        match (self.as_bits(b), self.with_constant(Binary::BitOr, a)) {
            (Some(0), _) => a,
            (Some(bits), _) if bits == all_ones(width) => b,
            (Some(bits), Some((x, inner))) => {
                let both = self.bits(width, bits | inner);
                self.bit_or(x, both)
            }
            (Some(_), None) | (None, _) => self.word(Binary::BitOr, a, b),
        }
    }

    /// Bitwise exclusive or; complements move outwards.
    pub fn bit_xor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(bits) = self.as_bits(b) {
            return self.bit_xor_constant(a, bits);
        }
        match (
            self.operand_of(Unary::BitNot, a),
            self.operand_of(Unary::BitNot, b),
        ) {
            (Some(x), Some(y)) => self.bit_xor(x, y),
            (Some(x), None) => self.complemented_xor(x, b),
            (None, Some(y)) => self.complemented_xor(a, y),
            (None, None) => self.word(Binary::BitXor, a, b),
        }
    }

    fn complemented_xor(&mut self, a: Term, b: Term) -> Term {
        let inner = self.bit_xor(a, b);
        self.bit_not(inner)
    }

    fn bit_xor_constant(&mut self, a: Term, bits: u128) -> Term {
        let width = self.width(a);
        let (base, inner) = self.with_constant(Binary::BitXor, a).unwrap_or((a, 0));
        let bits = bits ^ inner;
        if bits == 0 {
            return base;
        }
        if bits == all_ones(width) {
            return self.bit_not(base);
        }
        let constant = self.bits(width, bits);
        self.word(Binary::BitXor, base, constant)
    }

    /// Left shift by an unsigned number of bits.
    pub fn shift_left(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_bits(b) {
            Some(0) => a,
            Some(amount) if amount >= u128::from(width) => self.bits(width, 0),
            Some(amount) => {
                let kept = self.extract(width - 1 - amount as u32, 0, a);
                self.placed(width, kept, amount as u32)
            }
            None => self.word(Binary::ShiftLeft, a, b),
        }
    }

    /// Right shift by an unsigned number of bits, filling with zeros.
    pub fn logical_shift_right(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_bits(b) {
            Some(amount) if amount >= u128::from(width) => self.bits(width, 0),
            Some(amount) => {
                let kept = self.extract(width - 1, amount as u32, a);
                self.zero_extend(width, kept)
            }
            None => self.word(Binary::LogicalShiftRight, a, b),
        }
    }

    /// Right shift by an unsigned number of bits, filling with the sign.
    pub fn arithmetic_shift_right(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_bits(b) {
            Some(amount) => {
                let amount = amount.min(u128::from(width - 1)) as u32;
                let kept = self.extract(width - 1, amount, a);
                self.sign_extend(width, kept)
            }
            None => self.word(Binary::ArithmeticShiftRight, a, b),
        }
    }
}
