//! Literals and cubes over predicates.

use std::fmt;
use std::ops::Not;

/// A predicate of [`super::predicates::Predicates`], by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Predicate(pub u32);

impl Predicate {
    /// The position in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that says that the predicate has this truth value.
    pub fn literal(self, value: bool) -> Literal {
        Literal(self.0 << 1 | u32::from(!value))
    }
}

/// A predicate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The predicate.
    pub fn predicate(self) -> Predicate {
        Predicate(self.0 >> 1)
    }

    /// The truth value of the predicate that this literal claims.
    pub fn value(self) -> bool {
        self.0 & 1 == 0
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.value() { "" } else { "!" }, self.0 >> 1)
    }
}

/// A conjunction of literals, ascending and without repetition. Its negation is a clause; blocking a cube means learning
/// that clause.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    literals: Vec<Literal>,
    /// One bit per literal, several literals to a bit: a subset has a subset of the bits.
    signature: u64,
}

impl Cube {
    /// The literals.
    pub fn iter(&self) -> impl Iterator<Item = Literal> + '_ {
        self.literals.iter().copied()
    }

    /// Number of literals.
    pub fn len(&self) -> usize {
        self.literals.len()
    }

    /// Whether this is the cube of all states.
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    /// Whether a literal is among them.
    pub fn contains(&self, literal: Literal) -> bool {
        self.literals.binary_search(&literal).is_ok()
    }

    /// Whether every literal of this cube is one of `other`, so that every state of `other` is one of this.
    pub fn subsumes(&self, other: &Self) -> bool {
        self.signature & !other.signature == 0
            && self.len() <= other.len()
            && self.iter().all(|literal| other.contains(literal))
    }

    /// The cube without one literal.
    pub fn without(&self, removed: Literal) -> Self {
        self.filter(|literal| literal != removed)
    }

    /// The literals that satisfy a condition.
    pub fn filter(&self, mut keep: impl FnMut(Literal) -> bool) -> Self {
        self.iter().filter(|&literal| keep(literal)).collect()
    }

    /// The literals of both.
    pub fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }
}

impl FromIterator<Literal> for Cube {
    fn from_iter<I: IntoIterator<Item = Literal>>(literals: I) -> Self {
        let mut literals: Vec<Literal> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        let signature = literals
            .iter()
            .fold(0, |signature, literal| signature | 1 << (literal.0 % 64));
        Self {
            literals,
            signature,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(literals: &[(u32, bool)]) -> Cube {
        literals
            .iter()
            .map(|&(predicate, value)| Predicate(predicate).literal(value))
            .collect()
    }

    #[test]
    fn smaller_cubes_subsume_larger_ones() {
        let small = cube(&[(3, true), (40, false)]);
        let large = cube(&[(40, false), (72, true), (3, true), (3, true)]);
        assert!(small.subsumes(&large) && small.subsumes(&small));
        assert!(!large.subsumes(&small));
        assert!(!cube(&[(3, false)]).subsumes(&large), "the other sign");
        assert!(
            !cube(&[(35, true)]).subsumes(&large),
            "the same signature bit"
        );
        assert!(Cube::default().subsumes(&small));
    }

    #[test]
    fn literals_know_predicate_and_sign() {
        let literal = Predicate(5).literal(false);
        assert_eq!(
            (literal.predicate(), literal.value()),
            (Predicate(5), false)
        );
        assert_eq!(!literal, Predicate(5).literal(true));
    }
}
