//! Small sets of values a bit-vector term can have.
//!
//! A term that selects among a few constants, as a program counter does, keeps the set of them. A comparison whose
//! outcome is the same for all members is a constant, and so is an operation with one possible result. In an unrolling
//! from a concrete initial state this removes the transitions that no thread can have reached yet.

use super::apply::apply;
use super::arena::{Possible, Terms};
use super::node::{Node, Term};
use super::value::{Sort, Value};

/// Larger sets are not kept.
const MAX_VALUES: usize = 16;

/// An operation with more combinations of possible operands is not computed.
const MAX_COMBINATIONS: usize = 64;

impl Terms {
    /// Whether two terms are known to have no value in common.
    pub(super) fn are_disjoint(&self, a: Term, b: Term) -> bool {
        match (&self.possible[a.index()], &self.possible[b.index()]) {
            (Some(a), Some(b)) => a.iter().all(|value| b.binary_search(value).is_err()),
            (None, _) | (_, None) => false,
        }
    }

    /// The possible values of a node that is about to be made.
    pub(super) fn possible(&self, node: Node, sort: Sort) -> Possible {
        let set = |term: Term| self.possible[term.index()].as_deref();
        let values = match node {
            Node::Constant(value) => vec![value.bits()],
            Node::Symbol(_) => return None,
            Node::Ite(_, a, b) => [set(a)?, set(b)?].concat(),
            Node::Unary(_, a)
            | Node::ZeroExtend(_, a)
            | Node::SignExtend(_, a)
            | Node::Extract { of: a, .. } => self.results(node, a, a)?,
            Node::Binary(_, a, b) => self.results(node, a, b)?,
        };
        keep(values, sort)
    }

    /// The results of an operator for all possible values of its operands; a unary one has the same operand twice.
    fn results(&self, node: Node, a: Term, b: Term) -> Option<Vec<u128>> {
        let set = |term: Term| self.possible[term.index()].as_deref();
        let (left, right) = (set(a)?, if a == b { &[0][..] } else { set(b)? });
        if left.len() * right.len() > MAX_COMBINATIONS {
            return None;
        }
        let mut values = Vec::with_capacity(left.len() * right.len());
        for &x in left {
            for &y in right {
                let operand = |term| of_sort(self.sort(term), if term == a { x } else { y });
                values.push(apply(node, operand)?.bits());
            }
        }
        Some(values)
    }

    /// The only value of a node that is not a constant itself.
    pub(super) fn single(&self, possible: &Possible, node: Node, sort: Sort) -> Option<Value> {
        match (possible.as_deref(), node) {
            (Some(_), Node::Constant(_)) => None,
            (Some(&[bits]), _) => Some(of_sort(sort, bits)),
            (Some(_) | None, _) => None,
        }
    }
}

/// The set of the values, if it is small and says something: both truth values say nothing.
fn keep(mut values: Vec<u128>, sort: Sort) -> Possible {
    values.sort_unstable();
    values.dedup();
    let limit = if sort == Sort::Bool { 1 } else { MAX_VALUES };
    (values.len() <= limit).then(|| values.into_boxed_slice())
}

fn of_sort(sort: Sort, bits: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(bits != 0),
        Sort::BitVec(width) => Value::BitVec(width, bits),
    }
}
