//! Unsigned and signed order of bit-vectors.
//!
//! There is no node for less-or-equal: `a <= b` is `not (b < a)`. Comparisons with the ends of the range become
//! equalities, and comparisons of extensions become comparisons of the extended operands.

use super::{Binary, Node, Sort, Term, Terms, all_ones, signed};

impl Terms {
    /// Unsigned `a < b`.
    pub fn unsigned_less(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let top = all_ones(self.width(a));
        if top == 1 {
            let (zero, one) = (self.equal_to(a, 0), self.equal_to(b, 1));
            return self.and(zero, one);
        }
        if let (Node::ZeroExtend(_, x), Node::ZeroExtend(_, y)) = (self.node(a), self.node(b)) {
            let width = self.width(x).max(self.width(y));
            let (x, y) = (self.zero_extend(width, x), self.zero_extend(width, y));
            return self.unsigned_less(x, y);
        }
        match (self.as_bits(a), self.as_bits(b)) {
            _ if a == b => self.bool(false),
            (Some(bound), _) if bound == top => self.bool(false),
            (_, Some(0)) => self.bool(false),
            (Some(0), _) => self.differ(b, 0),
            (_, Some(1)) => self.equal_to(a, 0),
            (_, Some(bound)) if bound == top => self.differ(a, top),
            (Some(bound), _) if bound == top - 1 => self.equal_to(b, top),
            (Some(bound), None) => self.unsigned_above(bound, b),
            (None, Some(bound)) => self.unsigned_below(a, bound),
            (Some(_), Some(_)) | (None, None) => self.less(Binary::UnsignedLess, a, b),
        }
    }

    fn less(&mut self, operator: Binary, a: Term, b: Term) -> Term {
        self.intern(Node::Binary(operator, a, b), Sort::Bool)
    }

    fn equal_to(&mut self, a: Term, bits: u128) -> Term {
        let constant = self.bits(self.width(a), bits);
        self.equal(a, constant)
    }

    fn differ(&mut self, a: Term, bits: u128) -> Term {
        let equal = self.equal_to(a, bits);
        self.not(equal)
    }

    /// `bound < b`, where a zero extension on the right may be too small for the bound.
    fn unsigned_above(&mut self, bound: u128, b: Term) -> Term {
        let Node::ZeroExtend(_, x) = self.node(b) else {
            let bound = self.bits(self.width(b), bound);
            return self.less(Binary::UnsignedLess, bound, b);
        };
        if bound >= all_ones(self.width(x)) {
            return self.bool(false);
        }
        let bound = self.bits(self.width(x), bound);
        self.unsigned_less(bound, x)
    }

    /// `a < bound`, where a zero extension on the left may be too small for the bound.
    fn unsigned_below(&mut self, a: Term, bound: u128) -> Term {
        let Node::ZeroExtend(_, x) = self.node(a) else {
            let bound = self.bits(self.width(a), bound);
            return self.less(Binary::UnsignedLess, a, bound);
        };
        if bound > all_ones(self.width(x)) {
            return self.bool(true);
        }
        let bound = self.bits(self.width(x), bound);
        self.unsigned_less(x, bound)
    }

    /// Unsigned `a <= b`.
    pub fn unsigned_less_equal(&mut self, a: Term, b: Term) -> Term {
        let greater = self.unsigned_less(b, a);
        self.not(greater)
    }

    /// Signed `a < b`.
    pub fn signed_less(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(narrow) = self.signed_less_narrow(a, b) {
            return narrow;
        }
        let width = self.width(a);
        if width == 1 {
            // 1 is the sign.
            return self.unsigned_less(b, a);
        }
        let (least, greatest) = (1 << (width - 1), all_ones(width) >> 1);
        match (self.as_bits(a), self.as_bits(b)) {
            _ if a == b => self.bool(false),
            (Some(bound), _) if bound == greatest => self.bool(false),
            (_, Some(bound)) if bound == least => self.bool(false),
            (Some(bound), _) if bound == least => self.differ(b, least),
            (_, Some(bound)) if bound == least + 1 => self.equal_to(a, least),
            (_, Some(bound)) if bound == greatest => self.differ(a, greatest),
            (Some(bound), _) if bound.checked_add(1) == Some(greatest) => {
                self.equal_to(b, greatest)
            }
            _ => self.less(Binary::SignedLess, a, b),
        }
    }

    /// Signed comparison of extensions, as a comparison of what was extended.
    fn signed_less_narrow(&mut self, a: Term, b: Term) -> Option<Term> {
        if let (Node::SignExtend(_, x), Node::SignExtend(_, y)) = (self.node(a), self.node(b)) {
            let width = self.width(x).max(self.width(y));
            let (x, y) = (self.sign_extend(width, x), self.sign_extend(width, y));
            return Some(self.signed_less(x, y));
        }
        if self.is_nonnegative(a) && self.is_nonnegative(b) {
            return Some(self.unsigned_less(a, b));
        }
        if let (Node::SignExtend(_, x), Some(bound)) = (self.node(a), self.as_bits(b)) {
            return Some(self.signed_beside(x, signed(self.width(b), bound), false));
        }
        if let (Some(bound), Node::SignExtend(_, x)) = (self.as_bits(a), self.node(b)) {
            return Some(self.signed_beside(x, signed(self.width(a), bound), true));
        }
        None
    }

    fn is_nonnegative(&self, term: Term) -> bool {
        match self.as_bits(term) {
            Some(bits) => signed(self.width(term), bits) >= 0,
            None => matches!(self.node(term), Node::ZeroExtend(..)),
        }
    }

    /// `bound < x`, or `x < bound`, where the bound may not fit the width of x.
    fn signed_beside(&mut self, x: Term, bound: i128, above: bool) -> Term {
        let width = self.width(x);
        let greatest = (all_ones(width) >> 1).cast_signed();
        if bound > greatest || bound < -greatest - 1 {
            return self.bool((bound > greatest) != above);
        }
        let constant = self.bits(width, bound.cast_unsigned());
        if above {
            self.signed_less(constant, x)
        } else {
            self.signed_less(x, constant)
        }
    }

    /// Signed `a <= b`.
    pub fn signed_less_equal(&mut self, a: Term, b: Term) -> Term {
        let greater = self.signed_less(b, a);
        self.not(greater)
    }
}
