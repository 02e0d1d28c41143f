//! Evaluation of terms and systems on concrete values.

use rustc_hash::FxHashMap;

use crate::term::{Term, Terms, Value, apply};

/// The values of `roots` when the variables have the values of `symbols`; variables that are missing there are zero.
pub fn evaluate(terms: &Terms, roots: &[Term], symbols: &FxHashMap<Term, Value>) -> Vec<Value> {
    let mut evaluator = Evaluator::new(symbols.clone());
    roots
        .iter()
        .map(|&root| evaluator.value(terms, root))
        .collect()
}

/// Evaluates many terms under one valuation and remembers the values of their subterms.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    values: FxHashMap<Term, Value>,
}

impl Evaluator {
    /// Starts from the values of variables (or of any other terms); variables that are missing are zero.
    pub fn new(symbols: FxHashMap<Term, Value>) -> Self {
        Self { values: symbols }
    }

    /// The value of a term.
    pub fn value(&mut self, terms: &Terms, root: Term) -> Value {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.values.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            let node = terms.node(term);
            open.extend(
                node.operands()
                    .filter(|operand| !self.values.contains_key(operand)),
            );
            if open.len() == before {
                let value = apply(node, |operand| self.values[&operand]);
                self.values
                    .insert(term, value.unwrap_or_else(|| Value::zero(terms.sort(term))));
                open.pop();
            }
        }
        self.values[&root]
    }
}
