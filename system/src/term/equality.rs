//! Equality of bit-vectors.
//!
//! The constructor peels operators off both sides while one smaller equality remains. Then it adds the conditions that
//! it passed on the way. So a test of a value that was selected by conditions becomes a test of these conditions.

use super::{Binary, Node, Sort, Term, Terms, Unary, Value, all_ones, apply};

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
                let low = apply::extract(self.width(x) - 1, 0, constant);
                if apply::sign_extend(width, low) == constant {
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
