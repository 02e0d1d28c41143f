//! From terms to Z3's expressions and back to values.

use system::term::{Binary, Node, Sort, Term, Terms, Unary, Value};
use z3::Model;
use z3::ast::{BV, Bool};

/// The expressions of the terms translated so far.
#[derive(Default)]
pub struct Translation {
    /// By term index.
    expressions: Vec<Option<Expression>>,
}

/// A translated term.
#[derive(Clone)]
enum Expression {
    Bool(Bool),
    BitVec(BV),
}

impl Translation {
    /// The expression of a Boolean term.
    pub fn boolean(&mut self, terms: &Terms, root: Term) -> Bool {
        if self.expressions.len() < terms.len() {
            self.expressions.resize(terms.len(), None);
        }
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            let before = open.len();
            if self.expressions[term.index()].is_none() {
                let absent = |operand: &Term| self.expressions[operand.index()].is_none();
                open.extend(terms.node(term).operands().filter(absent));
                if open.len() > before {
                    continue;
                }
                self.expressions[term.index()] = Some(self.expression(terms, term));
            }
            open.pop();
        }
        self.bool(root).clone()
    }

    /// The value of a variable, if it occurs in a translated term.
    pub fn value(&self, model: &Model, symbol: Term) -> Option<Value> {
        match self.expressions.get(symbol.index())?.as_ref()? {
            Expression::Bool(expression) => {
                model.eval(expression, true)?.as_bool().map(Value::Bool)
            }
            Expression::BitVec(expression) => {
                let width = expression.get_size();
                let low = model
                    .eval(&expression.extract(width.min(64) - 1, 0), true)?
                    .as_u64()?;
                let high = match width {
                    0..=64 => 0,
                    _ => model
                        .eval(&expression.extract(width - 1, 64), true)?
                        .as_u64()?,
                };
                Some(Value::BitVec(
                    width,
                    u128::from(high) << 64 | u128::from(low),
                ))
            }
        }
    }

    fn bool(&self, term: Term) -> &Bool {
        match &self.expressions[term.index()] {
            Some(Expression::Bool(expression)) => expression,
            Some(Expression::BitVec(_)) | None => {
                unreachable!("operands are translated first and well-sorted")
            }
        }
    }

    fn bits(&self, term: Term) -> &BV {
        match &self.expressions[term.index()] {
            Some(Expression::BitVec(expression)) => expression,
            Some(Expression::Bool(_)) | None => {
                unreachable!("operands are translated first and well-sorted")
            }
        }
    }

    /// The expression of a term whose operands are translated.
    fn expression(&self, terms: &Terms, term: Term) -> Expression {
        use Expression::{BitVec, Bool as Boolean};
        match terms.node(term) {
            Node::Constant(value) => constant(value),
            Node::Symbol(symbol) => {
                let name = terms.name(symbol);
                match terms.sort(term) {
                    Sort::Bool => Boolean(Bool::fresh_const(name)),
                    Sort::BitVec(width) => BitVec(BV::fresh_const(name, width)),
                }
            }
            Node::Unary(Unary::Not, a) => Boolean(self.bool(a).not()),
            Node::Unary(Unary::BitNot, a) => BitVec(self.bits(a).bvnot()),
            Node::Unary(Unary::Negate, a) => BitVec(self.bits(a).bvneg()),
            Node::Binary(operator, a, b) => match terms.sort(a) {
                Sort::Bool => Boolean(connective(operator, self.bool(a), self.bool(b))),
                Sort::BitVec(_) => operation(operator, self.bits(a), self.bits(b)),
            },
            Node::Ite(condition, a, b) => match terms.sort(term) {
                Sort::Bool => Boolean(self.bool(condition).ite(self.bool(a), self.bool(b))),
                Sort::BitVec(_) => BitVec(self.bool(condition).ite(self.bits(a), self.bits(b))),
            },
            Node::Extract { high, low, of } => BitVec(self.bits(of).extract(high, low)),
            Node::ZeroExtend(width, a) => BitVec(self.bits(a).zero_ext(width - terms.width(a))),
            Node::SignExtend(width, a) => BitVec(self.bits(a).sign_ext(width - terms.width(a))),
        }
    }
}

fn constant(value: Value) -> Expression {
    match value {
        Value::Bool(value) => Expression::Bool(Bool::from_bool(value)),
        Value::BitVec(width @ 0..=64, value) => {
            Expression::BitVec(BV::from_u64(value as u64, width))
        }
        Value::BitVec(width, value) => {
            let high = BV::from_u64((value >> 64) as u64, width - 64);
            Expression::BitVec(high.concat(BV::from_u64(value as u64, 64)))
        }
    }
}

fn connective(operator: Binary, a: &Bool, b: &Bool) -> Bool {
    match operator {
        Binary::And => Bool::and(&[a, b]),
        Binary::Or => Bool::or(&[a, b]),
        Binary::Equal => a.iff(b),
        Binary::UnsignedLess
        | Binary::SignedLess
        | Binary::BitAnd
        | Binary::BitOr
        | Binary::BitXor
        | Binary::Add
        | Binary::Subtract
        | Binary::Multiply
        | Binary::UnsignedDivide
        | Binary::UnsignedRemainder
        | Binary::SignedDivide
        | Binary::SignedRemainder
        | Binary::ShiftLeft
        | Binary::LogicalShiftRight
        | Binary::ArithmeticShiftRight
        | Binary::Concat => unreachable!("{operator:?} has no Boolean operands"),
    }
}

fn operation(operator: Binary, a: &BV, b: &BV) -> Expression {
    use Expression::{BitVec, Bool};
    match operator {
        Binary::Equal => Bool(a.eq(b)),
        Binary::UnsignedLess => Bool(a.bvult(b)),
        Binary::SignedLess => Bool(a.bvslt(b)),
        Binary::BitAnd => BitVec(a.bvand(b)),
        Binary::BitOr => BitVec(a.bvor(b)),
        Binary::BitXor => BitVec(a.bvxor(b)),
        Binary::Add => BitVec(a.bvadd(b)),
        Binary::Subtract => BitVec(a.bvsub(b)),
        Binary::Multiply => BitVec(a.bvmul(b)),
        Binary::UnsignedDivide => BitVec(a.bvudiv(b)),
        Binary::UnsignedRemainder => BitVec(a.bvurem(b)),
        Binary::SignedDivide => BitVec(a.bvsdiv(b)),
        Binary::SignedRemainder => BitVec(a.bvsrem(b)),
        Binary::ShiftLeft => BitVec(a.bvshl(b)),
        Binary::LogicalShiftRight => BitVec(a.bvlshr(b)),
        Binary::ArithmeticShiftRight => BitVec(a.bvashr(b)),
        Binary::Concat => BitVec(a.concat(b)),
        Binary::And | Binary::Or => unreachable!("{operator:?} has Boolean operands"),
    }
}
