//! How many bits of shared variables are looked at.
//!
//! Most numbers are small, and a formula in which they have few bits is solved much faster. So variables are taken to hold numbers of few
//! bits, with a sign: a write stores the lowest bits only. Where that changes what is stored is an end like that of a loop which goes on
//! behind its bound: if a run comes there, the variable gets more bits. If none does, all numbers fit, and nothing was left out.

use std::collections::BTreeMap;

use encode::context::EncodingContext;
use encode::semantics::path::Variable;
use program::model::ObjectId;
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
    /// The bits of a variable that are looked at, if these are not all.
    pub fn of(&self, context: &EncodingContext<'_>, variable: Variable) -> Option<u32> {
        let (Variable::Cell(cell), Sort::BitVec(all)) = (variable, context.sort(variable)) else {
            return None;
        };
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

    /// Gives the object of a variable more bits.
    pub fn widen(&mut self, context: &EncodingContext<'_>, variable: Variable) {
        if let Some(bits) = self.of(context, variable) {
            self.raise(context, variable, more(bits));
            self.widened += 1;
            if self.widened % PATIENCE == 0 {
                self.least = more(self.least);
            }
        }
    }
}

fn more(bits: u32) -> u32 {
    bits + bits / 2
}

/// How many bits a number has, with its sign.
fn needed(value: Value) -> u32 {
    match value {
        Value::Bool(_) => 1,
        Value::BitVec(width, bits) => {
            let number = signed(width, bits);
            let magnitude = if number < 0 { !number } else { number };
            i128::BITS - magnitude.leading_zeros() + 1
        }
    }
}

/// How many bits a term needs as far as its form tells; `None` if it does not.
pub fn evident_width(terms: &Terms, term: Term) -> Option<u32> {
    match terms.node(term) {
        Node::Constant(value) => Some(needed(value)),
        Node::Symbol(_) => None,
        Node::SignExtend(_, of) => Some(terms.width(of)),
        Node::ZeroExtend(_, of) => Some(terms.width(of) + 1),
        Node::Ite(_, a, b) => match (terms.node(a), terms.node(b)) {
            (Node::Ite(..), _) | (_, Node::Ite(..)) => None,
            _ => Some(evident_width(terms, a)?.max(evident_width(terms, b)?)),
        },
        Node::Unary(..) | Node::Binary(..) | Node::Extract { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_sign() {
        for (number, bits) in [(0, 1), (-1, 1), (1, 2), (-2, 2), (127, 8), (128, 9), (-128, 8), (-129, 9)] {
            let number: i32 = number;
            let value = Value::truncated(32, number as u32 as u128);
            assert_eq!(needed(value), bits, "{number}");
        }
        assert_eq!(needed(Value::truncated(128, 1 << 127)), 128);
    }
}
