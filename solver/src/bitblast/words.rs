//! Circuits for the operators on bit-vectors.
//!
//! A word is its bits, least significant first. All circuits are plain functions of their operands, total as SMT-LIB
//! defines them: division by zero and shifts by the width or more come out of the construction, without special cases.

use super::aig::{Aig, Literal};

/// The bits of a bit-vector, least significant first.
pub type Word = Vec<Literal>;

impl Aig {
    /// Applies `operation` bit by bit.
    pub fn bitwise(
        &mut self,
        a: &[Literal],
        b: &[Literal],
        operation: fn(&mut Self, Literal, Literal) -> Literal,
    ) -> Word {
        a.iter()
            .zip(b)
            .map(|(&a, &b)| operation(self, a, b))
            .collect()
    }

    /// Chooses between two words.
    pub fn choose(&mut self, condition: Literal, then: &[Literal], otherwise: &[Literal]) -> Word {
        then.iter()
            .zip(otherwise)
            .map(|(&then, &otherwise)| self.ite(condition, then, otherwise))
            .collect()
    }

    /// Whether two words are equal.
    pub fn equal_words(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let bits = self.bitwise(a, b, Self::equal);
        self.and_all(bits)
    }

    /// Sum of two words and a carry, of their width.
    pub fn add_with_carry(&mut self, a: &[Literal], b: &[Literal], carry: Literal) -> Word {
        let mut carry = carry;
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        sum
    }

    /// Sum.
    pub fn add(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        self.add_with_carry(a, b, Literal::FALSE)
    }

    /// Difference.
    pub fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        self.add_with_carry(a, &complement(b), Literal::TRUE)
    }

    /// Two's complement.
    pub fn negate(&mut self, a: &[Literal]) -> Word {
        self.add_with_carry(
            &complement(a),
            &vec![Literal::FALSE; a.len()],
            Literal::TRUE,
        )
    }

    /// Two's complement if `condition` holds.
    pub fn negate_if(&mut self, condition: Literal, a: &[Literal]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.add_with_carry(&flipped, &vec![Literal::FALSE; a.len()], condition)
    }

    /// Unsigned `a < b`: the borrow out of `a - b`.
    pub fn unsigned_less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        a.iter().zip(b).fold(Literal::FALSE, |borrow, (&a, &b)| {
            self.majority(!a, b, borrow)
        })
    }

    /// Signed `a < b`: the unsigned order with the sign bits exchanged.
    pub fn signed_less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let sign = a.len() - 1;
        let below = self.unsigned_less(&a[..sign], &b[..sign]);
        self.majority(a[sign], !b[sign], below)
    }

    /// Product modulo 2^width, by shifted additions of one operand for the set bits of the other.
    pub fn multiply(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        let free = |word: &[Literal]| word.iter().filter(|bit| **bit != Literal::FALSE).count();
        let (rows, row) = if free(a) <= free(b) { (a, b) } else { (b, a) };
        let width = row.len();
        let mut product = vec![Literal::FALSE; width];
        for (shift, &bit) in rows
            .iter()
            .enumerate()
            .filter(|(_, bit)| **bit != Literal::FALSE)
        {
            let partial: Word = row[..width - shift]
                .iter()
                .map(|&other| self.and(bit, other))
                .collect();
            let high = self.add(&product[shift..], &partial);
            product.splice(shift.., high);
        }
        product
    }

    /// Quotient and remainder by restoring division. A zero divisor gives all ones and the dividend.
    pub fn divide(&mut self, dividend: &[Literal], divisor: &[Literal]) -> (Word, Word) {
        let width = dividend.len();
        // The partial remainder is below 2 * divisor, or a prefix of the dividend: one bit more than the width holds it.
        let mut wide_divisor = divisor.to_vec();
        wide_divisor.push(Literal::FALSE);
        let mut remainder = vec![Literal::FALSE; width + 1];
        let mut quotient = vec![Literal::FALSE; width];
        for position in (0..width).rev() {
            remainder.rotate_right(1);
            remainder[0] = dividend[position];
            let fits = !self.unsigned_less(&remainder, &wide_divisor);
            let difference = self.subtract(&remainder, &wide_divisor);
            remainder = self.choose(fits, &difference, &remainder);
            remainder[width] = Literal::FALSE;
            quotient[position] = fits;
        }
        remainder.truncate(width);
        (quotient, remainder)
    }

    /// Signed quotient and remainder: those of the absolute values, with the signs put back.
    pub fn divide_signed(&mut self, dividend: &[Literal], divisor: &[Literal]) -> (Word, Word) {
        let (negative, divisor_negative) = (sign(dividend), sign(divisor));
        let absolute = self.negate_if(negative, dividend);
        let divisor = self.negate_if(divisor_negative, divisor);
        let (quotient, remainder) = self.divide(&absolute, &divisor);
        let opposite = self.xor(negative, divisor_negative);
        (
            self.negate_if(opposite, &quotient),
            self.negate_if(negative, &remainder),
        )
    }

    /// Left shift.
    pub fn shift_left(&mut self, word: &[Literal], amount: &[Literal]) -> Word {
        let reversed: Word = word.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, amount, Literal::FALSE);
        shifted.reverse();
        shifted
    }

    /// Right shift that moves `fill` in from the top: a stage per bit of the amount that is worth less than the width,
    /// and `fill` everywhere if a bit above those is set.
    pub fn shift_right(&mut self, word: &[Literal], amount: &[Literal], fill: Literal) -> Word {
        let width = word.len();
        let stages = amount
            .len()
            .min(width.next_power_of_two().trailing_zeros() as usize);
        let mut shifted = word.to_vec();
        for (stage, &bit) in amount[..stages].iter().enumerate() {
            let distance = 1 << stage;
            let moved: Word = (0..width)
                .map(|position| shifted.get(position + distance).copied().unwrap_or(fill))
                .collect();
            shifted = self.choose(bit, &moved, &shifted);
        }
        let fits = self.and_all(amount[stages..].iter().map(|&bit| !bit));
        self.choose(fits, &shifted, &vec![fill; width])
    }
}

/// Bitwise complement; free, because literals carry signs.
pub fn complement(word: &[Literal]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

/// The most significant bit.
pub fn sign(word: &[Literal]) -> Literal {
    word[word.len() - 1]
}
