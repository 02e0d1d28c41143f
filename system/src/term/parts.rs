//! Concatenation, extraction and extension.
//!
//! Concatenations lean to the right, zeros above are a zero extension, and extraction moves into its operand. Widths
//! are at most 128, and so is the depth of recursion over nested parts.

use super::{Binary, Node, Sort, Term, Terms, apply};

impl Terms {
    /// Concatenation; at most 128 bits in all.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (high_width, low_width) = (self.width(high), self.width(low));
        let width = high_width + low_width;
        debug_assert!(width <= 128);
        if let Some(joined) = self.joined(high, low) {
            return joined;
        }
        if let Some((first, second)) = self.operands_of(Binary::Concat, high) {
            let rest = self.concat(second, low);
            return self.concat(first, rest);
        }
        if let Some((second, rest)) = self.operands_of(Binary::Concat, low)
            && let Some(first) = self.joined(high, second)
        {
            return self.concat(first, rest);
        }
        if let Node::ZeroExtend(_, inner) = self.node(high) {
            let inner = self.concat(inner, low);
            return self.zero_extend(width, inner);
        }
        if let Node::SignExtend(_, inner) = self.node(high) {
            let inner = self.concat(inner, low);
            return self.sign_extend(width, inner);
        }
        if self.as_bits(high) == Some(0) {
            return self.zero_extend(width, low);
        }
        if let (Some(_), Node::ZeroExtend(_, inner)) = (self.as_bits(high), self.node(low)) {
            let zeros = self.bits(low_width - self.width(inner), 0);
            let high = self.concat(high, zeros);
            return self.concat(high, inner);
        }
        self.intern(Node::Binary(Binary::Concat, high, low), Sort::BitVec(width))
    }

    /// Two constants, or two adjacent parts of one term, as one.
    fn joined(&mut self, upper: Term, lower: Term) -> Option<Term> {
        if let (Some(x), Some(y)) = (self.as_value(upper), self.as_value(lower)) {
            return Some(self.constant(apply::binary(Binary::Concat, x, y)));
        }
        if let Node::Extract { high, low, of } = self.node(upper)
            && let Node::Extract {
                high: below,
                low: bottom,
                of: same,
            } = self.node(lower)
            && (same, below + 1) == (of, low)
        {
            return Some(self.extract(high, bottom, of));
        }
        None
    }

    /// Bits `high` to `low`, both included, of a bit-vector of more than `high` bits.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        debug_assert!(
            low <= high && high < self.width(a),
            "bits {high} to {low} of {}",
            self.width(a)
        );
        let width = high - low + 1;
        if width == self.width(a) {
            return a;
        }
        match self.node(a) {
            Node::Extract { low: below, of, .. } => self.extract(high + below, low + below, of),
            Node::Binary(Binary::Concat, upper, lower) => {
                self.extract_concat(high, low, upper, lower)
            }
            Node::ZeroExtend(_, inner) if low >= self.width(inner) => self.bits(width, 0),
            Node::ZeroExtend(_, inner) => {
                let part = self.extract(high.min(self.width(inner) - 1), low, inner);
                self.zero_extend(width, part)
            }
            Node::SignExtend(_, inner) => {
                let top = self.width(inner) - 1;
                let part = self.extract(high.min(top), low.min(top), inner);
                self.sign_extend(width, part)
            }
            Node::Constant(_)
            | Node::Symbol(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Ite(..) => self.intern(Node::Extract { high, low, of: a }, Sort::BitVec(width)),
        }
    }

    fn extract_concat(&mut self, high: u32, low: u32, upper: Term, lower: Term) -> Term {
        let split = self.width(lower);
        if low >= split {
            return self.extract(high - split, low - split, upper);
        }
        if high < split {
            return self.extract(high, low, lower);
        }
        let upper = self.extract(high - split, 0, upper);
        let lower = self.extract(split - 1, low, lower);
        self.concat(upper, lower)
    }

    /// Zero extension to a width that is not smaller.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        debug_assert!(self.width(a) <= width && width <= 128);
        if self.width(a) == width {
            return a;
        }
        let inner = if let Node::ZeroExtend(_, inner) = self.node(a) {
            inner
        } else {
            a
        };
        self.intern(Node::ZeroExtend(width, inner), Sort::BitVec(width))
    }

    /// Sign extension to a width that is not smaller.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        debug_assert!(self.width(a) <= width && width <= 128);
        if self.width(a) == width {
            return a;
        }
        if let Node::ZeroExtend(_, inner) = self.node(a) {
            return self.zero_extend(width, inner);
        }
        let inner = if let Node::SignExtend(_, inner) = self.node(a) {
            inner
        } else {
            a
        };
        self.intern(Node::SignExtend(width, inner), Sort::BitVec(width))
    }
}
