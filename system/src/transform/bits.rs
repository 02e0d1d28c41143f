//! The bits in which the values of a set differ.

use rustc_hash::FxHashMap;

use super::values::{Range, Values};
use crate::term::{Node, Term, Terms};

/// How the bits of a variable are made of those of its code, which are some of them.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    /// Lowest first.
    sources: Vec<Source>,
    /// The positions in the variable of the bits of the code, lowest first.
    kept: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Constant(bool),
    /// This bit of the code.
    Code(u32),
}

impl Bits {
    /// The bits that tell the values apart: of those that always agree the lowest, of those that never change none.
    pub(super) fn that_differ(width: u32, values: &Values) -> Self {
        match values {
            Values::Few(values) => Self::of_few(width, values),
            Values::Range(range) => Self::of_range(width, range),
        }
    }

    fn of_range(width: u32, range: &Range) -> Self {
        let differing = 128 - (range.first ^ range.last).leading_zeros();
        let mut bits = Self {
            sources: Vec::new(),
            kept: Vec::new(),
        };
        for bit in 0..width {
            let (same, one) = (bit >= differing, |number: u128| number >> bit & 1 == 1);
            bits.sources.push(if same || !one(range.ones) {
                Source::Constant(same && one(range.first))
            } else {
                bits.kept.push(bit);
                Source::Code(bits.kept() - 1)
            });
        }
        bits
    }

    fn of_few(width: u32, values: &[u128]) -> Self {
        let mut bits = Self {
            sources: Vec::new(),
            kept: Vec::new(),
        };
        let mut columns: Vec<Vec<bool>> = Vec::new();
        for bit in 0..width {
            let column: Vec<bool> = values.iter().map(|value| value >> bit & 1 == 1).collect();
            let first = column.first().copied().unwrap_or_default();
            let source = if column.iter().all(|&value| value == first) {
                Source::Constant(first)
            } else {
                let known = columns.iter().position(|known| *known == column);
                if known.is_none() {
                    columns.push(column);
                    bits.kept.push(bit);
                }
                Source::Code(known.unwrap_or(columns.len() - 1) as u32)
            };
            bits.sources.push(source);
        }
        bits
    }

    /// The width of the code.
    pub(super) fn kept(&self) -> u32 {
        self.kept.len() as u32
    }

    /// The value with a code.
    pub(super) fn decode(&self, terms: &mut Terms, code: Term) -> Term {
        let mut value: Option<Term> = None;
        let mut rest = &self.sources[..];
        while let Some(&first) = rest.first() {
            let run = rest.iter().take_while(|source| **source == first).count();
            let width = run as u32;
            let part = match first {
                Source::Constant(bit) => terms.bits(width, if bit { u128::MAX } else { 0 }),
                Source::Code(position) => {
                    let bit = terms.extract(position, position, code);
                    terms.sign_extend(width, bit)
                }
            };
            value = Some(value.map_or(part, |low| terms.concat(part, low)));
            rest = &rest[run..];
        }
        value.unwrap_or(code)
    }

    /// The code of a term that has values of the set, with what it is made of looked at through if-then-else.
    pub(super) fn encode(
        &self,
        terms: &mut Terms,
        codes: &mut FxHashMap<Term, Term>,
        root: Term,
    ) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if codes.contains_key(&term) {
                open.pop();
                continue;
            }
            let code = match terms.node(term) {
                Node::Ite(condition, a, b) => match (codes.get(&a), codes.get(&b)) {
                    (Some(&a), Some(&b)) => terms.ite(condition, a, b),
                    (_, _) => {
                        open.extend([a, b]);
                        continue;
                    }
                },
                Node::Constant(_)
                | Node::Symbol(_)
                | Node::Unary(..)
                | Node::Binary(..)
                | Node::Extract { .. }
                | Node::ZeroExtend(..)
                | Node::SignExtend(..) => self.select(terms, term),
            };
            codes.insert(term, code);
            open.pop();
        }
        codes[&root]
    }

    /// The bits of a term that make its code.
    pub(super) fn select(&self, terms: &mut Terms, term: Term) -> Term {
        let mut code: Option<Term> = None;
        for (low, high) in self.runs() {
            let part = terms.extract(high, low, term);
            code = Some(code.map_or(part, |below| terms.concat(part, below)));
        }
        code.unwrap_or(term)
    }

    /// Lowest and highest positions of the runs of adjacent bits that are kept.
    fn runs(&self) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for &bit in &self.kept {
            match runs.last_mut() {
                Some((_, high)) if *high + 1 == bit => *high = bit,
                _ => runs.push((bit, bit)),
            }
        }
        runs
    }
}
