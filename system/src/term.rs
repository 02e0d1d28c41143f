//! Hash-consed terms over Booleans and bit-vectors.
//!
//! A [`Term`] is a handle into one [`Terms`] arena; equal terms have equal handles. Constructors simplify locally, so the
//! term that comes back may have another operator than the one asked for, but always the same value.

use rustc_hash::FxHashMap;

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

/// A value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector: width and unsigned value, which is below 2^width.
    BitVec(u32, u128),
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
    /// Boolean exclusive or.
    Xor,
    /// Equality of Booleans or of bit-vectors.
    Equal,
    /// Unsigned less.
    UnsignedLess,
    /// Unsigned less or equal.
    UnsignedLessEqual,
    /// Signed less.
    SignedLess,
    /// Signed less or equal.
    SignedLessEqual,
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
    /// Signed division, rounding to zero.
    SignedDivide,
    /// Signed remainder, sign of the dividend.
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
}

impl Term {
    /// Position in the arena; operands have smaller positions than the terms made of them.
    pub fn index(self) -> usize {
        self.0 as usize
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

    /// The root of a term.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
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

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&term) = self.index.get(&node) {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node);
        self.sorts.push(sort);
        self.index.insert(node, term);
        term
    }
}
