//! How many bits of shared variables are looked at.
//!
//! Most numbers are small, and a formula in which they have few bits is solved much faster. So variables are taken to hold numbers of few
//! bits, with a sign: a write stores the lowest bits only. Where that changes what is stored is an end like that of a loop which goes on
//! behind its bound: if a run comes there, the variable gets more bits. If none does, all numbers fit, and nothing was left out.

use std::cell::RefCell;
use std::collections::BTreeMap;

use encode::context::EncodingContext;
use encode::semantics::path::Variable;
use program::model::ObjectId;
use rustc_hash::FxHashMap;
use system::term::{Node, Sort, Term, Terms, Value, signed};

/// How many bits of the variables of each object are looked at.
#[derive(Clone, Debug)]
pub struct Widths {
    least: u32,
    raised: BTreeMap<ObjectId, u32>,
    /// How often variables got more bits one after the other.
    widened: u32,
}

/// What numbers begin with.
const FIRST: u32 = 8;

/// Longer numbers are mostly addresses, which need all bits.
const MOST: u32 = 32;

/// Once so many objects needed more bits, all get more.
const PATIENCE: u32 = 4;

impl Default for Widths {
    fn default() -> Self {
        Self {
            least: FIRST,
            raised: BTreeMap::new(),
            widened: 0,
        }
    }
}

impl Widths {
    /// Bits of all variables, and more of some objects.
    pub fn fixed(least: u32, raised: BTreeMap<ObjectId, u32>) -> Self {
        Self {
            least,
            raised,
            widened: 0,
        }
    }

    /// How many bits of each variable are looked at.
    pub fn least(&self) -> u32 {
        self.least
    }

    /// The objects that have bits of their own.
    pub fn raised(&self) -> impl Iterator<Item = (ObjectId, u32)> {
        self.raised.iter().map(|(&object, &bits)| (object, bits))
    }

    /// The bits of a variable that are looked at, if these are not all.
    pub fn of(&self, context: &EncodingContext<'_>, variable: Variable) -> Option<u32> {
        let (Variable::Cell(cell), Sort::BitVec(all)) = (variable, context.sort(variable)) else {
            return None;
        };
        if all > MOST {
            return None;
        }
        let initial = needed(context.initial_content(cell)?);
        let object = context.layout.cells[cell].object;
        let raised = self.raised.get(&object).copied();
        let bits = raised.unwrap_or_default().max(self.least).max(initial);
        (bits < all).then_some(bits)
    }

    /// Gives the object of a variable at least so many bits.
    pub fn raise(&mut self, context: &EncodingContext<'_>, variable: Variable, bits: u32) {
        if let Variable::Cell(cell) = variable {
            let object = context.layout.cells[cell].object;
            let raised = self.raised.entry(object).or_default();
            *raised = bits.max(*raised);
        }
    }

    /// Gives the object of a variable more bits, where it has to hold a number of so many.
    pub fn widen(&mut self, context: &EncodingContext<'_>, variable: Variable, needed: u32) {
        if let Some(bits) = self.of(context, variable) {
            self.raise(context, variable, needed.max(bits + bits / 2));
        }
    }

    /// After rounds in which ever more variables got more bits, all get more.
    pub fn after_round(&mut self) {
        self.widened += 1;
        if self.widened.is_multiple_of(PATIENCE) {
            self.least += self.least / 2;
        }
    }
}

/// How many bits a number has, with its sign.
pub fn needed(value: Value) -> u32 {
    match value {
        Value::Bool(_) => 1,
        Value::BitVec(width, bits) => {
            let number = signed(width, bits);
            let magnitude = if number < 0 { !number } else { number };
            i128::BITS - magnitude.leading_zeros() + 1
        }
    }
}

/// The symbols of which few bits count, while threads are executed.
#[derive(Debug)]
pub struct Narrowing<'a> {
    /// How many bits of variables count.
    pub widths: &'a Widths,
    symbols: RefCell<FxHashMap<Term, u32>>,
}

impl<'a> Narrowing<'a> {
    /// No symbols yet.
    pub fn new(widths: &'a Widths) -> Self {
        Self {
            widths,
            symbols: RefCell::default(),
        }
    }

    /// A symbol for what a variable holds.
    pub fn note(&self, symbol: Term, bits: u32) {
        self.symbols.borrow_mut().insert(symbol, bits);
    }

    /// How many bits a term needs as far as its form tells; `None` if it does not.
    pub fn evident(&self, terms: &Terms, term: Term) -> Option<u32> {
        match terms.node(term) {
            Node::Constant(value) => Some(needed(value)),
            Node::Symbol(_) => {
                let bits = self.symbols.borrow().get(&term).copied();
                Some(bits.unwrap_or_else(|| terms.width(term)))
            }
            Node::SignExtend(_, of) => Some(terms.width(of)),
            Node::ZeroExtend(_, of) => Some(terms.width(of) + 1),
            Node::Ite(_, a, b) => match (terms.node(a), terms.node(b)) {
                (Node::Ite(..), _) | (_, Node::Ite(..)) => None,
                _ => Some(self.evident(terms, a)?.max(self.evident(terms, b)?)),
            },
            Node::Unary(..) | Node::Binary(..) | Node::Extract { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_sign() {
        for (number, bits) in [
            (0, 1),
            (-1, 1),
            (1, 2),
            (-2, 2),
            (127, 8),
            (128, 9),
            (-128, 8),
            (-129, 9),
        ] {
            let number: i32 = number;
            let value = Value::truncated(32, number as u32 as u128);
            assert_eq!(needed(value), bits, "{number}");
        }
        assert_eq!(needed(Value::truncated(128, 1 << 127)), 128);
    }
}
