//! Interning: equal nodes give equal terms, and a node with one possible value gives a constant.

use super::apply::apply;
use super::arena::Terms;
use super::node::{Node, Symbol, Term};
use super::value::{Sort, Value};

impl Terms {
    /// A fresh variable. Names need not be unique; printers make them so.
    pub fn symbol(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let symbol = Symbol(self.symbols.len() as u32);
        self.symbols.push((name.into(), sort));
        self.intern(Node::Symbol(symbol), sort)
    }

    /// A constant.
    pub fn constant(&mut self, value: Value) -> Term {
        debug_assert!(value.is_well_formed(), "{value:?}");
        self.intern(Node::Constant(value), value.sort())
    }

    /// The term of a node; a constant if only one value is possible.
    pub(super) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&term) = self.index.get(&node) {
            return term;
        }
        let possible = self.possible(node, sort);
        let term = match (self.single(&possible, node, sort), self.lifted(node)) {
            (Some(value), _) => self.constant(value),
            (None, Some(lifted)) => lifted,
            (None, None) => self.push(node, sort, possible),
        };
        self.index.insert(node, term);
        term
    }

    /// An operator on a selection between two constants, and else on constants, as a selection between its results.
    fn lifted(&mut self, node: Node) -> Option<Term> {
        if matches!(node, Node::Ite(..)) {
            return None;
        }
        let selection = node
            .operands()
            .find(|&operand| self.as_value(operand).is_none())?;
        let Node::Ite(condition, a, b) = self.node(selection) else {
            return None;
        };
        let result = |choice: Term| {
            let chosen = self.as_value(choice)?;
            let value = |term| {
                if term == selection {
                    Some(chosen)
                } else {
                    self.as_value(term)
                }
            };
            if node.operands().any(|operand| value(operand).is_none()) {
                return None;
            }
            apply(node, |operand| value(operand).unwrap_or(chosen))
        };
        let (a, b) = (result(a)?, result(b)?);
        let (a, b) = (self.constant(a), self.constant(b));
        Some(self.ite(condition, a, b))
    }
}
