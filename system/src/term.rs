//! Hash-consed terms over Booleans and bit-vectors.
//!
//! A [`Term`] is a handle into one [`Terms`] arena; equal terms have equal handles. Constructors simplify locally, so the
//! term that comes back may have another operator than the one asked for, but always the same value. Some operators have
//! constructors but no node, so that equal things look equal: `a <= b` is `not (b < a)`, `a xor b` on Booleans is
//! `not (a = b)`, and `implies` is a disjunction.
//!
//! No function here recurses on the depth of terms: operands come before the terms made of them, so a walk is a loop.

mod arithmetic;
mod bitwise;
mod boolean;
mod equality;
mod order;
mod parts;
mod possible;
mod substitute;
mod value;

use rustc_hash::{FxHashMap, FxHashSet};

use possible::Possible;
pub use substitute::Substitution;
pub use value::{Value, all_ones, apply, signed};

/// A handle into the arena that made it; `u32` so that tables over terms are dense vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

/// A named variable of the arena: state variable, input, or any other free symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// What values a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of 1 to 128 bits.
    BitVec(u32),
}

/// The root of a term. Operators are those of SMT-LIB's theory of fixed-size bit-vectors, with its semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Constant(Value),
    /// A free variable.
    Symbol(Symbol),
    /// An operator applied to one term.
    Unary(Unary, Term),
    /// An operator applied to two terms.
    Binary(Binary, Term, Term),
    /// If-then-else; the condition is Boolean, the branches have equal sorts.
    Ite(Term, Term, Term),
    /// Bits `high` to `low`, both included.
    Extract {
        /// Highest bit taken.
        high: u32,
        /// Lowest bit taken.
        low: u32,
        /// The bit-vector.
        of: Term,
    },
    /// Zero extension to a width.
    ZeroExtend(u32, Term),
    /// Sign extension to a width.
    SignExtend(u32, Term),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// Boolean negation.
    Not,
    /// Bitwise complement.
    BitNot,
    /// Two's complement.
    Negate,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// Boolean conjunction.
    And,
    /// Boolean disjunction.
    Or,
    /// Equality of Booleans or of bit-vectors.
    Equal,
    /// Unsigned less.
    UnsignedLess,
    /// Signed less.
    SignedLess,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Addition.
    Add,
    /// Subtraction.
    Subtract,
    /// Multiplication.
    Multiply,
    /// Unsigned division; by zero: all ones.
    UnsignedDivide,
    /// Unsigned remainder; by zero: the dividend.
    UnsignedRemainder,
    /// Signed division, rounding to zero; by zero: 1 for a negative dividend, else -1.
    SignedDivide,
    /// Signed remainder, sign of the dividend; by zero: the dividend.
    SignedRemainder,
    /// Left shift.
    ShiftLeft,
    /// Right shift with zeros.
    LogicalShiftRight,
    /// Right shift with the sign.
    ArithmeticShiftRight,
    /// Concatenation; the first operand is the high part.
    Concat,
}

/// The arena.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    index: FxHashMap<Node, Term>,
    symbols: Vec<(String, Sort)>,
    possible: Vec<Possible>,
}

impl Term {
    /// Position in the arena; operands have smaller positions than the terms made of them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Node {
    /// The operands, first to last.
    pub fn operands(self) -> impl Iterator<Item = Term> {
        let (a, b, c) = match self {
            Self::Constant(_) | Self::Symbol(_) => (None, None, None),
            Self::Unary(_, a) | Self::ZeroExtend(_, a) | Self::SignExtend(_, a) => {
                (Some(a), None, None)
            }
            Self::Extract { of, .. } => (Some(of), None, None),
            Self::Binary(_, a, b) => (Some(a), Some(b), None),
            Self::Ite(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }
}

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
    fn as_bits(&self, term: Term) -> Option<u128> {
        self.as_value(term).map(Value::bits)
    }

    /// A fresh variable. Names need not be unique; printers make them so.
    pub fn symbol(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let symbol = Symbol(self.symbols.len() as u32);
        self.symbols.push((name.into(), sort));
        self.intern(Node::Symbol(symbol), sort)
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

    /// A constant.
    pub fn constant(&mut self, value: Value) -> Term {
        debug_assert!(value.is_well_formed(), "{value:?}");
        self.intern(Node::Constant(value), value.sort())
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

    /// The term of a node; a constant if only one value is possible.
    fn intern(&mut self, node: Node, sort: Sort) -> Term {
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

    fn push(&mut self, node: Node, sort: Sort, possible: Possible) -> Term {
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node);
        self.sorts.push(sort);
        self.possible.push(possible);
        term
    }
}
