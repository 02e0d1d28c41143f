//! Equality and order of bit-vectors.
//!
//! Equality peels both sides as long as that leaves one smaller equality, then rebuilds what it passed on the way, so
//! that a test of a value that was chosen by conditions becomes a test of the conditions.

use super::{Binary, Node, Sort, Term, Terms, Unary, Value, all_ones, signed, value};

/// How many conditions an equality may pass; it bounds the growth of tests of long selections.
const MAX_PASSED: usize = 16;

/// A condition that an equality went past; the result is `condition or rest`, or `condition and rest`.
struct Passed {
    operator: Binary,
    condition: Term,
}

/// What is left of an equality after one step.
enum Peeled {
    Known(bool),
    Equal(Term, Term),
    Past(Passed, Term, Term),
}

impl Terms {
    /// Equality of bit-vectors of equal width.
    pub(super) fn equal_bits(&mut self, a: Term, b: Term) -> Term {
        let (mut a, mut b) = self.ordered(a, b);
        let mut passed: Vec<Passed> = Vec::new();
        let mut result = loop {
            match self.peel(a, b, passed.len() < MAX_PASSED) {
                None => break self.equality(a, b),
                Some(Peeled::Known(value)) => break self.bool(value),
                Some(Peeled::Equal(x, y)) => (a, b) = self.ordered(x, y),
                Some(Peeled::Past(condition, x, y)) => {
                    passed.push(condition);
                    (a, b) = self.ordered(x, y);
                }
            }
        };
        while let Some(Passed {
            operator,
            condition,
        }) = passed.pop()
        {
            result = self.binary(operator, condition, result);
        }
        result
    }

    /// An equality that cannot be peeled, of ordered operands.
    fn equality(&mut self, a: Term, b: Term) -> Term {
        if self.as_value(b) == Some(Value::BitVec(1, 0)) {
            let one = self.bits(1, 1);
            let is_one = self.equal_bits(a, one);
            return self.not(is_one);
        }
        if let (Some((upper, lower)), Some((x, y))) = (self.halves(a), self.halves_like(b, a)) {
            let (upper, lower) = (self.equal(upper, x), self.equal(lower, y));
            return self.and(upper, lower);
        }
        self.intern(Node::Binary(Binary::Equal, a, b), Sort::Bool)
    }

    fn halves(&self, term: Term) -> Option<(Term, Term)> {
        self.operands_of(Binary::Concat, term)
    }

    /// The parts of `term` at the place where `model` is concatenated.
    fn halves_like(&mut self, term: Term, model: Term) -> Option<(Term, Term)> {
        let (_, lower) = self.halves(model)?;
        let (width, split) = (self.width(term), self.width(lower));
        let same_split = self
            .halves(term)
            .is_some_and(|(_, other)| self.width(other) == split);
        if self.as_value(term).is_none() && !same_split {
            return None;
        }
        Some((
            self.extract(width - 1, split, term),
            self.extract(split - 1, 0, term),
        ))
    }

    /// One step of an equality of ordered operands; `may_pass` says whether a condition may be gone past.
    fn peel(&mut self, a: Term, b: Term, may_pass: bool) -> Option<Peeled> {
        if a == b {
            return Some(Peeled::Known(true));
        }
        let selected = if may_pass {
            self.peel_selection(a, b)
                .or_else(|| self.peel_selection(b, a))
        } else {
            None
        };
        if selected.is_some() {
            return selected;
        }
        match self.as_value(b) {
            Some(constant) => self.peel_constant(a, b, constant),
            None => self.peel_common(a, b),
        }
    }

    /// `if c then x else y` against a term that one of the branches certainly equals, or certainly differs from.
    fn peel_selection(&mut self, a: Term, b: Term) -> Option<Peeled> {
        let Node::Ite(condition, x, y) = self.node(a) else {
            return None;
        };
        let (at_x, at_y) = (self.known_equal(x, b), self.known_equal(y, b));
        let (chosen, equal, rest) = match (at_x, at_y) {
            (Some(equal), _) => (true, equal, y),
            (None, Some(equal)) => (false, equal, x),
            (None, None) => return None,
        };
        let operator = if equal { Binary::Or } else { Binary::And };
        // c or rest, if the first branch is equal; not c and rest, if it differs; dually for the second
        let condition = if chosen == equal {
            condition
        } else {
            self.not(condition)
        };
        Some(Peeled::Past(
            Passed {
                operator,
                condition,
            },
            rest,
            b,
        ))
    }

    /// Whether two bit-vectors are certainly equal, or certainly differ.
    fn known_equal(&self, a: Term, b: Term) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let ((x, c), (y, d)) = (self.base_and_offset(a), self.base_and_offset(b));
        (x == y && c != d || self.are_disjoint(a, b)).then_some(false)
    }

    /// A term against a constant.
    fn peel_constant(&mut self, a: Term, b: Term, constant: Value) -> Option<Peeled> {
        let (width, bits) = (self.width(a), constant.bits());
        let against = |terms: &mut Self, x: Term, bits: u128| {
            let constant = terms.bits(terms.width(x), bits);
            Some(Peeled::Equal(x, constant))
        };
        match self.node(a) {
            Node::Unary(Unary::Negate, x) => against(self, x, bits.wrapping_neg()),
            Node::Unary(Unary::BitNot, x) => against(self, x, !bits),
            Node::Binary(Binary::Add, x, c) => {
                against(self, x, bits.wrapping_sub(self.as_bits(c)?))
            }
            Node::Binary(Binary::BitXor, x, c) => against(self, x, bits ^ self.as_bits(c)?),
            Node::Binary(Binary::Subtract, x, y) if bits == 0 => Some(Peeled::Equal(x, y)),
            Node::ZeroExtend(_, x) if bits > all_ones(self.width(x)) => Some(Peeled::Known(false)),
            Node::ZeroExtend(_, x) => against(self, x, bits),
            Node::SignExtend(_, x) => {
                let low = value::extract(self.width(x) - 1, 0, constant);
                if value::sign_extend(width, low) == constant {
                    against(self, x, bits)
                } else {
                    Some(Peeled::Known(false))
                }
            }
            Node::Ite(..) if self.are_disjoint(a, b) => Some(Peeled::Known(false)),
            Node::Constant(known) => Some(Peeled::Known(known == constant)),
            Node::Symbol(_)
            | Node::Unary(Unary::Not, _)
            | Node::Binary(..)
            | Node::Ite(..)
            | Node::Extract { .. } => None,
        }
    }

    /// Two terms of which neither is constant, built alike.
    fn peel_common(&mut self, a: Term, b: Term) -> Option<Peeled> {
        let ((x, c), (y, d)) = (self.base_and_offset(a), self.base_and_offset(b));
        if c == d && c != 0 {
            return Some(Peeled::Equal(x?, y?));
        }
        if x == y {
            return Some(Peeled::Known(false));
        }
        match (self.node(a), self.node(b)) {
            (Node::Unary(f, x), Node::Unary(g, y)) if f == g => Some(Peeled::Equal(x, y)),
            (Node::ZeroExtend(_, x), Node::ZeroExtend(_, y)) => {
                Some(self.peel_extended(x, y, Self::zero_extend))
            }
            (Node::SignExtend(_, x), Node::SignExtend(_, y)) => {
                Some(self.peel_extended(x, y, Self::sign_extend))
            }
            (Node::Binary(Binary::Add, p, q), Node::Binary(Binary::Add, r, s)) => {
                cancel((p, q), (r, s))
            }
            (Node::Binary(Binary::BitXor, p, q), Node::Binary(Binary::BitXor, r, s)) => {
                cancel((p, q), (r, s))
            }
            _ => None,
        }
    }

    /// Two extensions of the same kind: the narrower operand is extended to the other's width.
    fn peel_extended(
        &mut self,
        x: Term,
        y: Term,
        extend: fn(&mut Self, u32, Term) -> Term,
    ) -> Peeled {
        let width = self.width(x).max(self.width(y));
        Peeled::Equal(extend(self, width, x), extend(self, width, y))
    }

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

/// Equality of two applications of a cancellative, commutative operator that share an operand.
fn cancel((p, q): (Term, Term), (r, s): (Term, Term)) -> Option<Peeled> {
    if p == r {
        return Some(Peeled::Equal(q, s));
    }
    if p == s {
        return Some(Peeled::Equal(q, r));
    }
    if q == r {
        return Some(Peeled::Equal(p, s));
    }
    (q == s).then_some(Peeled::Equal(p, r))
}
