//! Terms as SMT-LIB 2 text.
//!
//! Shared subterms become nullary `define-fun`s, so the text is linear in the number of terms; so do subterms that would
//! nest deeper than a dozen levels, so that no reader needs a deep stack.

use std::collections::BTreeSet;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::names::SymbolNames;
pub use super::names::quoted;
use crate::term::{Binary, Node, Sort, Term, Terms, Unary, Value};

/// A subterm that nests deeper gets a name.
const MAX_NESTING: usize = 12;

/// Writes terms of one arena. Names of variables are unique and quoted where necessary.
#[derive(Clone, Debug)]
pub struct Writer<'a> {
    terms: &'a Terms,
    /// What a term is written as: the name of a variable or of a definition.
    texts: FxHashMap<Term, String>,
    names: SymbolNames,
    suffix: String,
    /// How many terms were given names by [`Writer::define`].
    definitions: usize,
}

impl<'a> Writer<'a> {
    /// Nothing is declared or defined.
    pub fn new(terms: &'a Terms) -> Self {
        Self {
            terms,
            texts: FxHashMap::default(),
            names: SymbolNames::new(),
            suffix: String::new(),
            definitions: 0,
        }
    }

    /// All names will end in `suffix`.
    pub fn with_suffix(terms: &'a Terms, suffix: &str) -> Self {
        Self {
            suffix: suffix.to_owned(),
            ..Self::new(terms)
        }
    }

    /// A name that nothing has yet, in SMT-LIB syntax, made from a wish.
    pub fn unique(&mut self, wish: &str) -> String {
        self.names.unique(wish, &self.suffix)
    }

    /// The name of a variable; the first call chooses it.
    pub fn name(&mut self, symbol: Term) -> String {
        if let Some(text) = self.texts.get(&symbol) {
            return text.clone();
        }
        let name = self.terms.symbol_name(symbol).unwrap_or_default();
        let name = self.unique(name);
        self.texts.insert(symbol, name.clone());
        name
    }

    /// `declare-fun` for a variable.
    pub fn declare(&mut self, out: &mut String, symbol: Term) {
        let name = self.name(symbol);
        line(
            out,
            format_args!("(declare-fun {name} () {})", sort(self.terms.sort(symbol))),
        );
    }

    /// Names and sorts of the variables of `roots` that had no name yet.
    pub fn name_all(&mut self, roots: &[Term]) -> Vec<(String, String)> {
        let terms = self.terms;
        let cone = terms.cone(roots).into_iter();
        let symbols = cone.filter(|&term| terms.is_symbol(term));
        symbols
            .filter_map(|symbol| {
                let is_new = !self.texts.contains_key(&symbol);
                is_new.then(|| (self.name(symbol), sort(terms.sort(symbol))))
            })
            .collect()
    }

    /// As [`Writer::define`], by `let`: the text before the terms in which the names may occur, and that behind them.
    pub fn bind(&mut self, roots: &[Term]) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        for term in self.named_subterms(roots) {
            let name = self.unique(&format!("t{}", term.index()));
            before.push_str(&format!("(let (({name} {})) ", self.term(term)));
            after.push(')');
            self.texts.insert(term, name);
        }
        (before, after)
    }

    /// `define-fun` for the subterms of `roots` that are used several times or nest deeply, and have no name yet. The names are
    /// numbered, so they do not depend on what else there is in the arena.
    pub fn define(&mut self, out: &mut String, roots: &[Term]) {
        for term in self.named_subterms(roots) {
            let text = self.term(term);
            let name = self.unique(&format!("t{}", self.definitions));
            self.definitions += 1;
            line(
                out,
                format_args!(
                    "(define-fun {name} () {} {text})",
                    sort(self.terms.sort(term))
                ),
            );
            self.texts.insert(term, name);
        }
    }

    /// The subterms that are to have names, operands first.
    fn named_subterms(&self, roots: &[Term]) -> Vec<Term> {
        let cone = self.nameless(roots);
        let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
        for &term in &cone {
            for operand in self.terms.node(term).operands() {
                *uses.entry(operand).or_default() += 1;
            }
        }
        let mut nesting: FxHashMap<Term, usize> = FxHashMap::default();
        let mut named = Vec::new();
        for term in cone {
            let node = self.terms.node(term);
            if matches!(node, Node::Constant(_) | Node::Symbol(_)) {
                continue;
            }
            let inner = node
                .operands()
                .filter_map(|operand| nesting.get(&operand))
                .max();
            let depth = inner.map_or(0, |depth| depth + 1);
            if uses.get(&term).is_some_and(|&uses| uses > 1) || depth >= MAX_NESTING {
                named.push(term);
            } else {
                nesting.insert(term, depth);
            }
        }
        named
    }

    /// What `roots` are made of down to the terms that have names, operands first.
    fn nameless(&self, roots: &[Term]) -> Vec<Term> {
        let (mut found, mut open) = (BTreeSet::new(), roots.to_vec());
        while let Some(term) = open.pop() {
            if !self.texts.contains_key(&term) && found.insert(term) {
                open.extend(self.terms.node(term).operands());
            }
        }
        found.into_iter().collect()
    }

    /// The text of a term whose variables have names, and whose shared subterms were defined.
    pub fn term(&self, term: Term) -> String {
        if let Some(text) = self.texts.get(&term) {
            return text.clone();
        }
        match self.terms.node(term) {
            Node::Constant(value) => constant(value),
            Node::Symbol(_) => quoted(self.terms.symbol_name(term).unwrap_or_default().to_owned()),
            Node::Unary(Unary::Not, a) => self.negation(a),
            Node::Unary(operator, a) => format!("({} {})", unary(operator), self.term(a)),
            Node::Binary(operator, a, b) => {
                format!("({} {} {})", binary(operator), self.term(a), self.term(b))
            }
            Node::Ite(condition, a, b) => {
                format!(
                    "(ite {} {} {})",
                    self.term(condition),
                    self.term(a),
                    self.term(b)
                )
            }
            Node::Extract { high, low, of } => {
                format!("((_ extract {high} {low}) {})", self.term(of))
            }
            Node::ZeroExtend(width, a) => {
                format!(
                    "((_ zero_extend {}) {})",
                    width - self.terms.width(a),
                    self.term(a)
                )
            }
            Node::SignExtend(width, a) => {
                format!(
                    "((_ sign_extend {}) {})",
                    width - self.terms.width(a),
                    self.term(a)
                )
            }
        }
    }

    /// `not (b < a)` reads better as `a <= b`.
    fn negation(&self, inner: Term) -> String {
        let named = self.texts.contains_key(&inner);
        match self.terms.node(inner) {
            Node::Binary(Binary::UnsignedLess, a, b) if !named => {
                format!("(bvule {} {})", self.term(b), self.term(a))
            }
            Node::Binary(Binary::SignedLess, a, b) if !named => {
                format!("(bvsle {} {})", self.term(b), self.term(a))
            }
            Node::Constant(_)
            | Node::Symbol(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Ite(..)
            | Node::Extract { .. }
            | Node::ZeroExtend(..)
            | Node::SignExtend(..) => format!("(not {})", self.term(inner)),
        }
    }
}

/// A term on one line, for people: shared subterms are named by `let`.
pub fn text(terms: &Terms, root: Term) -> String {
    let mut writer = Writer::new(terms);
    let (before, after) = writer.bind(&[root]);
    format!("{before}{}{after}", writer.term(root))
}

/// Appends a line.
pub fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

/// The name of a sort.
pub fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
    }
}

/// A literal.
pub fn constant(value: Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::BitVec(width, bits) if width % 4 == 0 => {
            format!("#x{bits:0digits$x}", digits = width as usize / 4)
        }
        Value::BitVec(width, bits) => format!("#b{bits:0digits$b}", digits = width as usize),
    }
}

fn unary(operator: Unary) -> &'static str {
    match operator {
        Unary::Not => "not",
        Unary::BitNot => "bvnot",
        Unary::Negate => "bvneg",
    }
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Equal => "=",
        Binary::UnsignedLess => "bvult",
        Binary::SignedLess => "bvslt",
        Binary::BitAnd => "bvand",
        Binary::BitOr => "bvor",
        Binary::BitXor => "bvxor",
        Binary::Add => "bvadd",
        Binary::Subtract => "bvsub",
        Binary::Multiply => "bvmul",
        Binary::UnsignedDivide => "bvudiv",
        Binary::UnsignedRemainder => "bvurem",
        Binary::SignedDivide => "bvsdiv",
        Binary::SignedRemainder => "bvsrem",
        Binary::ShiftLeft => "bvshl",
        Binary::LogicalShiftRight => "bvlshr",
        Binary::ArithmeticShiftRight => "bvashr",
        Binary::Concat => "concat",
    }
}
