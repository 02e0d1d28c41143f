//! When does a term have a given value? Exact rewriting of equations `term = constant`, so that case splits over
//! addresses become conditions on indices and on the conditions of `ite`s instead of 64-bit comparisons.

use rustc_hash::{FxHashMap, FxHashSet};
use system::eval::Evaluator;
use system::term::{Binary, Node, Term, Terms, Value};

/// Solves equations `term = constant` for one term and many constants.
#[derive(Debug, Default)]
pub struct Equations {
    /// Selections.
    solved: FxHashMap<(Term, u128), Term>,
    /// Whether a condition depends on a term alone.
    dependent: FxHashMap<(Term, Term), bool>,
    depth: u32,
}

/// Deeper terms are compared as they are: the stack is finite.
const MAXIMUM_DEPTH: u32 = 1000;

impl Equations {
    /// The condition under which the bit-vector `term` equals `value`.
    pub fn condition(&mut self, terms: &mut Terms, term: Term, value: u128) -> Term {
        // Only a choice leads to two equations; to remember others costs more than to solve them again.
        let branches = matches!(terms.node(term), Node::Ite(..));
        if branches && let Some(&known) = self.solved.get(&(term, value)) {
            return known;
        }
        self.depth += 1;
        let condition = if self.depth > MAXIMUM_DEPTH {
            leaf(terms, term, value)
        } else {
            self.solve(terms, term, value)
        };
        self.depth -= 1;
        if branches {
            self.solved.insert((term, value), condition);
        }
        condition
    }

    fn solve(&mut self, terms: &mut Terms, term: Term, value: u128) -> Term {
        let width = terms.width(term);
        match terms.node(term) {
            Node::Constant(known) => terms.bool(known.bits() == value),
            Node::Ite(condition, a, b) => {
                let a = self.condition(terms, a, value);
                let b = self.condition(terms, b, value);
                self.choose(terms, condition, a, b)
            }
            Node::Binary(Binary::BitOr, a, b) => match constant_operand(terms, a, b) {
                Some((_, constant)) if constant & !value != 0 => terms.bool(false),
                Some(_) | None => leaf(terms, term, value),
            },
            Node::Binary(Binary::Add, a, b) => match constant_operand(terms, a, b) {
                Some((other, constant)) => {
                    let rest = Value::truncated(width, value.wrapping_sub(constant)).bits();
                    self.condition(terms, other, rest)
                }
                None => leaf(terms, term, value),
            },
            Node::Binary(Binary::Multiply, a, b) => match constant_operand(terms, a, b) {
                Some((other, constant)) => self.solve_product(terms, other, constant, value),
                None => leaf(terms, term, value),
            },
            Node::Binary(Binary::Concat, high, low) => {
                let low_width = terms.width(low);
                let low_value = Value::truncated(low_width, value).bits();
                let low = self.condition(terms, low, low_value);
                let high = self.condition(terms, high, value >> low_width);
                terms.and(high, low)
            }
            Node::ZeroExtend(_, of) => {
                if Value::truncated(terms.width(of), value).bits() == value {
                    self.condition(terms, of, value)
                } else {
                    terms.bool(false)
                }
            }
            Node::SignExtend(to, of) => self.solve_sign_extended(terms, to, of, value),
            Node::Symbol(_) | Node::Unary(..) | Node::Binary(..) | Node::Extract { .. } => {
                leaf(terms, term, value)
            }
        }
    }

    /// `ite(condition, a, b)`. Where one side is impossible and the other is `x = k`, a condition on `x` alone is taken at
    /// `x = k`: that an element of an array is meant implies that the index is near.
    fn choose(&mut self, terms: &mut Terms, condition: Term, a: Term, b: Term) -> Term {
        let no = terms.bool(false);
        let (possible, wanted) = match (a == no, b == no) {
            (true, false) => (b, false),
            (false, true) => (a, true),
            (true, true) | (false, false) => return terms.ite(condition, a, b),
        };
        if let Node::Binary(Binary::Equal, x, k) = terms.node(possible)
            && let Some(k) = terms.as_value(k)
            && self.depends_on(terms, condition, x)
        {
            let there = Evaluator::new(FxHashMap::from_iter([(x, k)])).value(terms, condition);
            return if there.is_true() == wanted {
                possible
            } else {
                no
            };
        }
        let needed = if wanted {
            condition
        } else {
            terms.not(condition)
        };
        terms.and(needed, possible)
    }

    /// Whether a condition is small, and known wherever the value of `x` is.
    fn depends_on(&mut self, terms: &Terms, condition: Term, x: Term) -> bool {
        *self.dependent.entry((condition, x)).or_insert_with(|| {
            let mut seen = FxHashSet::from_iter([condition, x]);
            let mut open = vec![condition];
            while let Some(term) = open.pop() {
                if terms.is_symbol(term) || seen.len() > SMALL {
                    return false;
                }
                open.extend(
                    terms
                        .node(term)
                        .operands()
                        .filter(|&operand| seen.insert(operand)),
                );
            }
            true
        })
    }

    fn solve_sign_extended(&mut self, terms: &mut Terms, to: u32, of: Term, value: u128) -> Term {
        let from = terms.width(of);
        let low = Value::truncated(from, value).bits();
        let sign = low >> (from - 1) == 1;
        let extended = if sign {
            low | (u128::MAX << (from - 1))
        } else {
            low
        };
        if Value::truncated(to, extended).bits() == value {
            self.condition(terms, of, low)
        } else {
            terms.bool(false)
        }
    }

    /// `a * (odd << shift) = value` modulo `2^width` says that the low `width - shift` bits of `a` are
    /// `(value >> shift) / odd`, and has no solution if `value` has fewer than `shift` trailing zeros.
    fn solve_product(&mut self, terms: &mut Terms, a: Term, factor: u128, value: u128) -> Term {
        let width = terms.width(a);
        if factor == 0 {
            return terms.bool(value == 0);
        }
        let shift = factor.trailing_zeros();
        if value != 0 && value.trailing_zeros() < shift {
            return terms.bool(false);
        }
        let rest = width - shift;
        let quotient = (value >> shift).wrapping_mul(inverse(factor >> shift));
        let low = low_bits(terms, a, rest);
        self.condition(terms, low, Value::truncated(rest, quotient).bits())
    }
}

/// Conditions of more terms are not evaluated.
const SMALL: usize = 64;

/// The other operand and the value of the constant one.
pub(crate) fn constant_operand(terms: &Terms, a: Term, b: Term) -> Option<(Term, u128)> {
    match (terms.as_value(a), terms.as_value(b)) {
        (Some(value), _) => Some((b, value.bits())),
        (None, Some(value)) => Some((a, value.bits())),
        (None, None) => None,
    }
}

/// The low `width` bits of a term; an extension is taken off instead of being cut.
fn low_bits(terms: &mut Terms, term: Term, width: u32) -> Term {
    match terms.node(term) {
        Node::ZeroExtend(_, of) if terms.width(of) <= width => terms.zero_extend(width, of),
        Node::SignExtend(_, of) if terms.width(of) <= width => terms.sign_extend(width, of),
        Node::Constant(_)
        | Node::Symbol(_)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Ite(..)
        | Node::Extract { .. }
        | Node::ZeroExtend(..)
        | Node::SignExtend(..) => terms.extract(width - 1, 0, term),
    }
}

/// The multiplicative inverse of an odd number modulo 2^128, by Newton's iteration: each round doubles the right bits.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// `term = value`, as it is.
pub(crate) fn leaf(terms: &mut Terms, term: Term, value: u128) -> Term {
    let constant = terms.bits(terms.width(term), value);
    terms.equal(term, constant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use system::eval::evaluate;
    use system::term::Sort;

    #[test]
    fn an_index_is_compared_instead_of_the_address() {
        let mut terms = Terms::new();
        let index = terms.symbol("i", Sort::BitVec(32));
        let wide = terms.sign_extend(64, index);
        let (scale, base) = (terms.bits(64, 12), terms.bits(64, 3 << 32));
        let product = terms.multiply(wide, scale);
        let address = terms.add(base, product);
        let mut equations = Equations::default();
        let two = terms.bits(32, 2);
        let expected = terms.equal(index, two);
        assert_eq!(
            equations.condition(&mut terms, address, (3 << 32) + 24),
            expected
        );
        let never = terms.bool(false);
        assert_eq!(
            equations.condition(&mut terms, address, (3 << 32) + 22),
            never
        );
    }

    #[test]
    fn a_condition_on_the_index_alone_is_decided_by_the_index() {
        let mut terms = Terms::new();
        let (index, other) = (
            terms.symbol("i", Sort::BitVec(32)),
            terms.symbol("j", Sort::BitVec(32)),
        );
        let (two, four, far) = (terms.bits(32, 2), terms.bits(32, 4), terms.bits(32, 99));
        let near = terms.unsigned_less(index, four);
        let address = terms.ite(near, index, far);
        let is_two = terms.equal(index, two);
        let mut equations = Equations::default();
        assert_eq!(equations.condition(&mut terms, address, 2), is_two);
        assert_eq!(
            equations.condition(&mut terms, address, 5),
            terms.bool(false)
        );

        let other_is_near = terms.unsigned_less(other, four);
        let address = terms.ite(other_is_near, index, far);
        let both = terms.and(other_is_near, is_two);
        assert_eq!(equations.condition(&mut terms, address, 2), both);
    }

    proptest! {
        #[test]
        fn the_condition_is_the_equation(
            x in any::<u8>(), factor in any::<u16>(), offset in any::<u16>(), value in any::<u16>(), signed: bool, hit: bool
        ) {
            let mut terms = Terms::new();
            let index = terms.symbol("x", Sort::BitVec(8));
            let wide = if signed { terms.sign_extend(16, index) } else { terms.zero_extend(16, index) };
            let (factor, offset) = (terms.bits(16, factor.into()), terms.bits(16, offset.into()));
            let product = terms.multiply(wide, factor);
            let sum = terms.add(product, offset);
            let symbols = FxHashMap::from_iter([(index, Value::BitVec(8, x.into()))]);
            let actual = evaluate(&terms, &[sum], &symbols)[0].bits();
            let value = if hit { actual } else { value.into() };
            let condition = Equations::default().condition(&mut terms, sum, value);
            prop_assert_eq!(evaluate(&terms, &[condition], &symbols)[0].is_true(), actual == value);
        }
    }
}
