//! Replacing subterms, with simplification on the way up.

use rustc_hash::FxHashMap;

use super::{Binary, Node, Term, Terms, Unary};

/// A replacement of terms by terms that remembers what it has rebuilt, so that several applications share their work.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    images: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Replaces the keys of `map` by their values, at once: the values are not searched for keys again.
    pub fn new(map: FxHashMap<Term, Term>) -> Self {
        Self { images: map }
    }

    /// The image of a term; subterms that are keys are replaced by values of the same sort.
    pub fn apply(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.images.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(
                terms
                    .node(term)
                    .operands()
                    .filter(|operand| !self.images.contains_key(operand)),
            );
            if open.len() == before {
                let image = terms.rebuild(term, |operand| self.images[&operand]);
                self.images.insert(term, image);
                open.pop();
            }
        }
        self.images[&root]
    }
}

impl Terms {
    /// The images of `roots` when the keys of `map` are replaced by their values, at once.
    pub fn substitute(&mut self, roots: &[Term], map: &FxHashMap<Term, Term>) -> Vec<Term> {
        let mut substitution = Substitution::new(map.clone());
        roots
            .iter()
            .map(|&root| substitution.apply(self, root))
            .collect()
    }

    /// The term with each operand of its root replaced by the operand's `image`, a term of the same sort.
    pub fn rebuild(&mut self, term: Term, image: impl Fn(Term) -> Term) -> Term {
        let node = self.node(term);
        if node.operands().all(|operand| image(operand) == operand) {
            return term;
        }
        match node {
            Node::Constant(_) | Node::Symbol(_) => term,
            Node::Unary(operator, a) => self.unary(operator, image(a)),
            Node::Binary(operator, a, b) => self.binary(operator, image(a), image(b)),
            Node::Ite(condition, a, b) => self.ite(image(condition), image(a), image(b)),
            Node::Extract { high, low, of } => self.extract(high, low, image(of)),
            Node::ZeroExtend(width, a) => self.zero_extend(width, image(a)),
            Node::SignExtend(width, a) => self.sign_extend(width, image(a)),
        }
    }

    /// A unary operator applied to a term.
    pub fn unary(&mut self, operator: Unary, a: Term) -> Term {
        match operator {
            Unary::Not => self.not(a),
            Unary::BitNot => self.bit_not(a),
            Unary::Negate => self.negate(a),
        }
    }

    /// A binary operator applied to terms.
    pub fn binary(&mut self, operator: Binary, a: Term, b: Term) -> Term {
        match operator {
            Binary::And => self.and(a, b),
            Binary::Or => self.or(a, b),
            Binary::Equal => self.equal(a, b),
            Binary::UnsignedLess => self.unsigned_less(a, b),
            Binary::SignedLess => self.signed_less(a, b),
            Binary::BitAnd => self.bit_and(a, b),
            Binary::BitOr => self.bit_or(a, b),
            Binary::BitXor => self.bit_xor(a, b),
            Binary::Add => self.add(a, b),
            Binary::Subtract => self.subtract(a, b),
            Binary::Multiply => self.multiply(a, b),
            Binary::UnsignedDivide => self.unsigned_divide(a, b),
            Binary::UnsignedRemainder => self.unsigned_remainder(a, b),
            Binary::SignedDivide => self.signed_divide(a, b),
            Binary::SignedRemainder => self.signed_remainder(a, b),
            Binary::ShiftLeft => self.shift_left(a, b),
            Binary::LogicalShiftRight => self.logical_shift_right(a, b),
            Binary::ArithmeticShiftRight => self.arithmetic_shift_right(a, b),
            Binary::Concat => self.concat(a, b),
        }
    }
}
