//! From terms to words of gates.

use system::term::{Binary, Node, Sort, Term, Terms, Unary, Value};

use super::aig::{Aig, Literal};
use super::words::{Word, complement, sign};

/// The words of the terms translated so far, as slices of one pool. A Boolean term is one bit.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// By term index: where its word starts in `pool`, or [`ABSENT`].
    start: Vec<u32>,
    pool: Vec<Literal>,
}

const ABSENT: u32 = u32::MAX;

impl Translation {
    /// The word of a term that was translated.
    pub fn word(&self, terms: &Terms, term: Term) -> Option<&[Literal]> {
        let start = *self
            .start
            .get(term.index())
            .filter(|start| **start != ABSENT)? as usize;
        Some(&self.pool[start..start + width(terms, term)])
    }

    /// Translates a term and all it is made of, operands first; `false` if `stop` said to stop before the end.
    pub fn translate(
        &mut self,
        aig: &mut Aig,
        terms: &Terms,
        root: Term,
        stop: impl Fn() -> bool,
    ) -> bool {
        if self.start.len() < terms.len() {
            self.start.resize(terms.len(), ABSENT);
        }
        let mut open = vec![root];
        let mut translated = 0u32;
        while let Some(&term) = open.last() {
            let before = open.len();
            if self.is_absent(term) {
                open.extend(
                    terms
                        .node(term)
                        .operands()
                        .filter(|&operand| self.is_absent(operand)),
                );
                if open.len() > before {
                    continue;
                }
                let word = self.gates(aig, terms, term);
                self.start[term.index()] = self.pool.len() as u32;
                self.pool.extend(word);
                translated += 1;
                if translated.is_multiple_of(1024) && stop() {
                    return false;
                }
            }
            open.pop();
        }
        true
    }

    fn is_absent(&self, term: Term) -> bool {
        self.start[term.index()] == ABSENT
    }

    fn operand(&self, terms: &Terms, term: Term) -> &[Literal] {
        let start = self.start[term.index()] as usize;
        &self.pool[start..start + width(terms, term)]
    }

    /// The word of a term whose operands are translated.
    fn gates(&self, aig: &mut Aig, terms: &Terms, term: Term) -> Word {
        let word = |term| self.operand(terms, term);
        match terms.node(term) {
            Node::Constant(Value::Bool(value)) => vec![Literal::constant(value)],
            Node::Constant(Value::BitVec(width, value)) => (0..width)
                .map(|bit| Literal::constant(value >> bit & 1 == 1))
                .collect(),
            Node::Symbol(_) => (0..width(terms, term)).map(|_| aig.input()).collect(),
            Node::Unary(Unary::Not | Unary::BitNot, a) => complement(word(a)),
            Node::Unary(Unary::Negate, a) => aig.negate(word(a)),
            Node::Binary(operator, a, b) => binary(aig, operator, word(a), word(b)),
            Node::Ite(condition, a, b) => aig.choose(word(condition)[0], word(a), word(b)),
            Node::Extract { high, low, of } => word(of)[low as usize..=high as usize].to_vec(),
            Node::ZeroExtend(width, a) => extended(word(a), width, Literal::FALSE),
            Node::SignExtend(width, a) => extended(word(a), width, sign(word(a))),
        }
    }
}

fn width(terms: &Terms, term: Term) -> usize {
    match terms.sort(term) {
        Sort::Bool => 1,
        Sort::BitVec(width) => width as usize,
    }
}

fn extended(word: &[Literal], width: u32, fill: Literal) -> Word {
    let mut extended = word.to_vec();
    extended.resize(width as usize, fill);
    extended
}

fn binary(aig: &mut Aig, operator: Binary, a: &[Literal], b: &[Literal]) -> Word {
    match operator {
        Binary::And | Binary::BitAnd => aig.bitwise(a, b, Aig::and),
        Binary::Or | Binary::BitOr => aig.bitwise(a, b, Aig::or),
        Binary::BitXor => aig.bitwise(a, b, Aig::xor),
        Binary::Equal => vec![aig.equal_words(a, b)],
        Binary::UnsignedLess => vec![aig.unsigned_less(a, b)],
        Binary::SignedLess => vec![aig.signed_less(a, b)],
        Binary::Add => aig.add(a, b),
        Binary::Subtract => aig.subtract(a, b),
        Binary::Multiply => aig.multiply(a, b),
        Binary::UnsignedDivide => aig.divide(a, b).0,
        Binary::UnsignedRemainder => aig.divide(a, b).1,
        Binary::SignedDivide => aig.divide_signed(a, b).0,
        Binary::SignedRemainder => aig.divide_signed(a, b).1,
        Binary::ShiftLeft => aig.shift_left(a, b),
        Binary::LogicalShiftRight => aig.shift_right(a, b, Literal::FALSE),
        Binary::ArithmeticShiftRight => aig.shift_right(a, b, sign(a)),
        Binary::Concat => [b, a].concat(),
    }
}
