//! Exclusions: conditions that never hold together, such as two threads being in a critical section.

use system::term::{Term, Terms};

/// With more literals, nothing is said of pairs.
const MOST: usize = 512;

/// What holds together in the states found so far, of the Boolean dimensions and their negations.
///
/// Literals have numbers: twice the position of the dimension for the dimension, and one more for its negation.
pub struct Exclusions {
    /// The dimensions, and the variables that they compare with constants for equality; none if there are too many.
    dimensions: Vec<(usize, Option<Term>)>,
    /// By literal, the literals that it has held with.
    together: Vec<Set>,
}

/// A set of numbers below [`MOST`].
type Set = [u64; MOST / 64];

impl Exclusions {
    /// No state has been found yet.
    pub fn new(dimensions: Vec<(usize, Option<Term>)>) -> Self {
        let dimensions = Some(dimensions).filter(|dimensions| 2 * dimensions.len() <= MOST);
        let dimensions = dimensions.unwrap_or_default();
        Self {
            together: vec![[0; MOST / 64]; 2 * dimensions.len()],
            dimensions,
        }
    }

    /// Adds what holds together at a point; `false` if it is no news.
    pub fn join(&mut self, point: &[u64]) -> bool {
        let literals = self.dimensions.iter().enumerate();
        let literals = literals
            .map(|(position, &(dimension, _))| 2 * position + usize::from(point[dimension] == 0));
        let literals: Vec<usize> = literals.collect();
        let mut held = [0; MOST / 64];
        for literal in &literals {
            held[literal / 64] |= 1 << (literal % 64);
        }
        let mut changed = false;
        for literal in literals {
            for (known, held) in self.together[literal].iter_mut().zip(held) {
                changed |= held & !*known != 0;
                *known |= held;
            }
        }
        changed
    }

    /// Clauses of one or two literals that say what never holds together, without those that follow from others by a chain.
    pub fn terms(&self, terms: &mut Terms, dimensions: &[Term]) -> Vec<Term> {
        let mut clauses = Vec::new();
        for literal in 0..self.together.len() {
            let negation = self.term(terms, dimensions, literal ^ 1);
            if !self.holds(literal, literal) {
                clauses.push(negation);
                continue;
            }
            for other in self.others(literal) {
                if self.excludes(literal, other)
                    && !self.is_evident(literal, other)
                    && !self.follows(literal, other)
                {
                    let other = self.term(terms, dimensions, other ^ 1);
                    clauses.push(terms.or(negation, other));
                }
            }
        }
        clauses
    }

    fn others(&self, literal: usize) -> impl Iterator<Item = usize> {
        (literal | 1) + 1..self.together.len()
    }

    fn term(&self, terms: &mut Terms, dimensions: &[Term], literal: usize) -> Term {
        let term = dimensions[self.dimensions[literal / 2].0];
        match literal % 2 {
            0 => term,
            _ => terms.not(term),
        }
    }

    fn holds(&self, literal: usize, with: usize) -> bool {
        self.together[literal][with / 64] >> (with % 64) & 1 == 1
    }

    /// Whether two literals that have held have not held together.
    fn excludes(&self, literal: usize, other: usize) -> bool {
        self.holds(other, other) && !self.holds(literal, other)
    }

    /// Whether two literals say that one variable has two values.
    fn is_evident(&self, literal: usize, other: usize) -> bool {
        let [(_, a), (_, b)] = [literal, other].map(|literal| self.dimensions[literal / 2]);
        [literal, other].iter().all(|literal| literal & 1 == 0) && a.is_some() && a == b
    }

    /// Whether some literal lies strictly between: one implies it, and it excludes the other.
    fn follows(&self, literal: usize, other: usize) -> bool {
        (0..self.together.len()).any(|between| {
            between / 2 != literal / 2
                && between / 2 != other / 2
                && self.excludes(literal, between ^ 1)
                && self.excludes(between, other)
                && !self.excludes(between, literal ^ 1)
                && !self.excludes(other ^ 1, between ^ 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use system::term::Sort;

    use super::*;

    #[test]
    fn chains_of_exclusions_are_not_repeated() {
        let mut terms = Terms::new();
        let dimensions = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Bool));
        let [a, b, c] = dimensions;
        let mut pairs = Exclusions::new(vec![(0, None), (1, None), (2, None)]);
        // a implies b, and b implies c.
        for point in [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]] {
            assert!(pairs.join(&point));
            assert!(!pairs.join(&point));
        }
        let chain = [terms.implies(a, b), terms.implies(b, c)];
        assert_eq!(pairs.terms(&mut terms, &dimensions), chain);
        assert!(pairs.join(&[1, 0, 1]));
        let found = pairs.terms(&mut terms, &dimensions);
        let chain = [terms.implies(a, c), terms.implies(b, c)];
        assert_eq!(found, chain);
    }

    #[test]
    fn what_never_holds_and_what_is_evident_is_not_paired() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(2));
        let dimensions = [0, 1, 2].map(|value| {
            let value = terms.bits(2, value);
            terms.equal(x, value)
        });
        let mut pairs = Exclusions::new((0..3).map(|dimension| (dimension, Some(x))).collect());
        for point in [[1, 0, 0], [0, 1, 0], [0, 0, 0]] {
            assert!(pairs.join(&point));
        }
        let never = terms.not(dimensions[2]);
        assert_eq!(pairs.terms(&mut terms, &dimensions), [never]);
    }
}
