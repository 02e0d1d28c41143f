//! Terms as expressions in the style of C. `<u`, `/u`, `%u` and `>>u` are unsigned.

use std::collections::BTreeMap;

use program::model::Bits;
use system::export::smt_lib;
use system::term::{Binary, Node, Term, Terms, Unary, Value};

use super::literal::Literal;
use crate::task::Task;
use crate::trace::Words;

/// Beyond that many operators a term is written as SMT-LIB, which names what occurs several times.
const LONGEST: usize = 60;

/// Prints terms of one arena.
pub struct Printer<'a> {
    /// The arena.
    pub terms: &'a Terms,
    words: Words<'a>,
}

impl<'a> Printer<'a> {
    /// Pointers are shown by the objects of a program.
    pub fn new(task: &'a Task, terms: &'a Terms) -> Self {
        let words = Words::new(task);
        Self { terms, words }
    }

    /// A formula or its negation.
    pub fn literal(&self, (formula, holds): Literal) -> String {
        if self.size(formula) > LONGEST {
            let text = smt_lib::text(self.terms, formula);
            return if holds { text } else { format!("(not {text})") };
        }
        if holds {
            self.expression(formula)
        } else {
            self.negation(formula)
        }
    }

    /// Number of operators, repeated ones included.
    fn size(&self, root: Term) -> usize {
        let mut sizes: BTreeMap<Term, usize> = BTreeMap::new();
        for term in self.terms.cone(&[root]) {
            let operands = self.terms.node(term).operands();
            let size = operands.fold(1_usize, |sum, operand| sum.saturating_add(sizes[&operand]));
            sizes.insert(term, size);
        }
        sizes[&root]
    }

    fn negation(&self, formula: Term) -> String {
        let node = self.terms.node(formula);
        if let Node::Unary(Unary::Not, inner) = node {
            return self.expression(inner);
        }
        if let Node::Binary(operator, a, b) = node {
            if operator == Binary::Equal {
                return self.infix(a, "!=", b);
            } else if operator == Binary::UnsignedLess {
                return self.unsigned(b, "<=u", a);
            } else if operator == Binary::SignedLess {
                return self.infix(b, "<=", a);
            }
        }
        format!("!{}", self.operand(formula))
    }

    fn expression(&self, term: Term) -> String {
        match self.terms.node(term) {
            Node::Constant(value) => self.constant(value),
            Node::Symbol(symbol) => self.terms.name(symbol).to_owned(),
            Node::Unary(Unary::Not, a) => self.negation(a),
            Node::Unary(Unary::BitNot, a) => format!("~{}", self.operand(a)),
            Node::Unary(Unary::Negate, a) => format!("-{}", self.operand(a)),
            Node::Binary(Binary::UnsignedLess, a, b) => self.unsigned(a, "<u", b),
            Node::Binary(operator, a, b) => self.infix(a, sign(operator), b),
            Node::Ite(condition, a, b) => {
                let [condition, a, b] = [condition, a, b].map(|term| self.operand(term));
                format!("{condition} ? {a} : {b}")
            }
            Node::Extract { high, low, of } if high == low => {
                format!("bit {low} of {}", self.operand(of))
            }
            Node::Extract { high, low, of } => {
                format!("bits {high} to {low} of {}", self.operand(of))
            }
            Node::ZeroExtend(_, a) => format!("zero_extend({})", self.expression(a)),
            Node::SignExtend(_, a) => format!("sign_extend({})", self.expression(a)),
        }
    }

    fn infix(&self, a: Term, sign: &str, b: Term) -> String {
        format!("{} {sign} {}", self.operand(a), self.operand(b))
    }

    /// Constants as numbers without sign.
    fn unsigned(&self, a: Term, sign: &str, b: Term) -> String {
        let [a, b] = [a, b].map(|operand| match self.terms.as_value(operand) {
            Some(value) => value.bits().to_string(),
            None => self.operand(operand),
        });
        format!("{a} {sign} {b}")
    }

    /// In parentheses if it is made of several parts.
    fn operand(&self, term: Term) -> String {
        let text = self.expression(term);
        match self.terms.node(term) {
            Node::Unary(..) | Node::Binary(..) | Node::Ite(..) | Node::Extract { .. } => {
                format!("({text})")
            }
            Node::Constant(_) | Node::Symbol(_) | Node::ZeroExtend(..) | Node::SignExtend(..) => {
                text
            }
        }
    }

    fn constant(&self, value: Value) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            Value::BitVec(1, bit) => bit.to_string(),
            Value::BitVec(width, bits) => self.words.value(Bits::new(width, bits)),
        }
    }
}

fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Equal => "==",
        Binary::UnsignedLess => "<u",
        Binary::SignedLess => "<",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::UnsignedDivide => "/u",
        Binary::UnsignedRemainder => "%u",
        Binary::SignedDivide => "/",
        Binary::SignedRemainder => "%",
        Binary::ShiftLeft => "<<",
        Binary::LogicalShiftRight => ">>u",
        Binary::ArithmeticShiftRight => ">>",
        Binary::Concat => "++",
    }
}
