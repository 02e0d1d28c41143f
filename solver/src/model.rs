//! Models: a backend stores the values of some terms, and evaluation gives the values of all others.

use rustc_hash::{FxHashMap, FxHashSet};
use system::eval::Evaluator;
use system::term::{Term, Terms, Value};

/// A valuation that satisfies assertions and assumptions.
pub struct Model<'a> {
    source: &'a mut dyn Valuation,
}

/// The valuation behind a model, as a backend stores it.
pub trait Valuation {
    /// The value of a term, if it can be looked up. Variables always have one; those that no assertion mentions are zero.
    fn lookup(&mut self, terms: &Terms, term: Term) -> Option<Value>;
}

impl std::fmt::Debug for Model<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Model")
    }
}

impl<'a> Model<'a> {
    /// The model of a backend.
    pub fn new(source: &'a mut dyn Valuation) -> Self {
        Self { source }
    }

    /// The value of any term.
    pub fn value(&mut self, terms: &Terms, term: Term) -> Value {
        match self.source.lookup(terms, term) {
            Some(value) => value,
            None => self.evaluator(terms, &[term]).value(terms, term),
        }
    }

    /// The values of many terms, which may be of any size: every shared subterm is evaluated once.
    pub fn values(&mut self, terms: &Terms, roots: &[Term]) -> Vec<Value> {
        let mut evaluator = self.evaluator(terms, roots);
        roots
            .iter()
            .map(|&root| evaluator.value(terms, root))
            .collect()
    }

    /// Whether a Boolean term holds.
    pub fn holds(&mut self, terms: &Terms, term: Term) -> bool {
        self.value(terms, term) == Value::Bool(true)
    }

    /// Knows the topmost subterms of `roots` that can be looked up.
    fn evaluator(&mut self, terms: &Terms, roots: &[Term]) -> Evaluator {
        let mut known = FxHashMap::default();
        let mut met = FxHashSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if met.insert(term) {
                match self.source.lookup(terms, term) {
                    Some(value) => drop(known.insert(term, value)),
                    None => open.extend(terms.node(term).operands()),
                }
            }
        }
        Evaluator::new(known)
    }
}
