//! The arena: the node, the sort and the possible values of every term made so far.

use rustc_hash::{FxHashMap, FxHashSet};

use super::node::{Node, Symbol, Term};
use super::value::{Sort, Value};

/// The arena.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    pub(super) index: FxHashMap<Node, Term>,
    pub(super) symbols: Vec<(String, Sort)>,
    pub(super) possible: Vec<Possible>,
}

/// The possible values of a term, sorted; a single one for constants, nothing if they are too many or not known.
pub(super) type Possible = Option<Box<[u128]>>;

impl Terms {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no term was made.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All terms made so far, operands first.
    pub fn all(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    /// The root of a term.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The width of a bit-vector term; 1 for a Boolean one.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bool => 1,
            Sort::BitVec(width) => width,
        }
    }

    /// The value of a constant.
    pub fn as_value(&self, term: Term) -> Option<Value> {
        match self.node(term) {
            Node::Constant(value) => Some(value),
            Node::Symbol(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Ite(..)
            | Node::Extract { .. }
            | Node::ZeroExtend(..)
            | Node::SignExtend(..) => None,
        }
    }

    /// The unsigned value of a bit-vector constant, or 0 or 1 for a Boolean one.
    pub(super) fn as_bits(&self, term: Term) -> Option<u128> {
        self.as_value(term).map(Value::bits)
    }

    /// The name a variable was made with.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize].0
    }

    /// The name of a term that is a variable.
    pub fn symbol_name(&self, term: Term) -> Option<&str> {
        if let Node::Symbol(symbol) = self.node(term) {
            Some(self.name(symbol))
        } else {
            None
        }
    }

    /// Whether a term is a variable.
    pub fn is_symbol(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Symbol(_))
    }

    /// All terms that `roots` are made of, the roots included, operands first.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut cone = Vec::new();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                cone.push(term);
                open.extend(
                    self.node(term)
                        .operands()
                        .filter(|operand| !seen.contains(operand)),
                );
            }
        }
        cone.sort_unstable();
        cone
    }

    pub(super) fn push(&mut self, node: Node, sort: Sort, possible: Possible) -> Term {
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node);
        self.sorts.push(sort);
        self.possible.push(possible);
        term
    }
}
