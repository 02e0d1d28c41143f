//! Disjunctions of equations with neighbouring constants, as comparisons: that an index is within an array takes one or two
//! predicates instead of one per element.

use std::collections::{BTreeMap, BTreeSet};

use system::term::{Binary, Node, Term, Terms};

use crate::semantics::address::{constant_operand, leaf};

/// Shorter runs of constants remain equations.
const SHORTEST: usize = 3;

/// The disjunction of conditions.
pub fn disjunction(terms: &mut Terms, conditions: impl IntoIterator<Item = Term>) -> Term {
    let mut equations: BTreeMap<Term, BTreeSet<u128>> = BTreeMap::new();
    let mut parts = Vec::new();
    for condition in conditions {
        if let Node::Binary(Binary::Equal, a, b) = terms.node(condition)
            && let Some((term, value)) = constant_operand(terms, a, b)
        {
            equations.entry(term).or_default().insert(value);
        } else {
            parts.push(condition);
        }
    }
    for (term, values) in equations {
        let values = Vec::from_iter(values);
        let mut rest = values.as_slice();
        while let [first, ..] = *rest {
            let (step, length) = run(rest);
            let part = if length < SHORTEST {
                rest = &rest[1..];
                leaf(terms, term, first)
            } else {
                let last = rest[length - 1];
                rest = &rest[length..];
                range(terms, term, (first, last), step)
            };
            parts.push(part);
        }
    }
    terms.or_all(parts)
}

/// The logarithm of the distance between the first of these ascending values, and how many of them have it, multiples of it
/// all; a single one if distances are no powers of two.
fn run(values: &[u128]) -> (u32, usize) {
    let &[first, second, ..] = values else {
        return (0, 1);
    };
    let distance = second - first;
    if !distance.is_power_of_two() {
        return (0, 1);
    }
    let pairs = values.windows(2);
    let alike = pairs.take_while(|pair| pair[1] - pair[0] == distance);
    (distance.trailing_zeros(), 1 + alike.count())
}

/// That a term is between `first` and `last` and differs from them by a multiple of two to the power of `step`.
///
/// Bits that all values share are compared for themselves: they often turn out to be constant.
fn range(terms: &mut Terms, term: Term, (first, last): (u128, u128), step: u32) -> Term {
    let width = terms.width(term);
    let end = if first == 0 && step == 0 {
        width
    } else {
        u128::BITS - (first ^ last).leading_zeros()
    };
    let mut parts = Vec::new();
    let mut shared = |terms: &mut Terms, high: u32, low: u32| {
        let bits = terms.extract(high, low, term);
        parts.push(leaf(terms, bits, first >> low));
    };
    if step > 0 {
        shared(terms, step - 1, 0);
    }
    if end < width {
        shared(terms, width - 1, end);
    }
    let varying = terms.extract(end - 1, step, term);
    let [first, last] = [first, last].map(|value| terms.bits(end - step, value >> step));
    parts.push(terms.unsigned_less_equal(first, varying));
    parts.push(terms.unsigned_less_equal(varying, last));
    terms.and_all(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;
    use system::eval::evaluate;
    use system::term::{Sort, Value};

    fn equations(terms: &mut Terms, term: Term, values: &[u128]) -> Vec<Term> {
        let values = values.iter();
        values.map(|&value| leaf(terms, term, value)).collect()
    }

    #[test]
    fn an_index_is_below_a_length() {
        let mut terms = Terms::new();
        let index = terms.symbol("i", Sort::BitVec(32));
        let equations = equations(&mut terms, index, &[3, 1, 0, 2, 4]);
        let four = terms.bits(32, 4);
        let expected = terms.unsigned_less_equal(index, four);
        assert_eq!(disjunction(&mut terms, equations), expected);
    }

    #[test]
    fn an_address_is_aligned_within_an_object() {
        let mut terms = Terms::new();
        let address = terms.symbol("p", Sort::BitVec(64));
        let elements: Vec<u128> = (0..8).map(|index| (7 << 32) + 4 * index).collect();
        let equations = equations(&mut terms, address, &elements);
        let parts = [(1, 0, 0), (63, 5, 7 << 27)].map(|(high, low, value)| {
            let part = terms.extract(high, low, address);
            let value = terms.bits(high + 1 - low, value);
            terms.equal(part, value)
        });
        let expected = terms.and_all(parts);
        assert_eq!(disjunction(&mut terms, equations), expected);
    }

    proptest! {
        #[test]
        fn the_same_values_are_meant(
            first: u8, step in 0u8..20, number in 0u8..20, others: Vec<u8>, condition: bool, small in any::<u8>()
        ) {
            let mut terms = Terms::new();
            let x = terms.symbol("x", Sort::BitVec(8));
            let c = terms.symbol("c", Sort::Bool);
            let run = (0..number).map(|index| first.wrapping_add(step.wrapping_mul(index)));
            let values: Vec<u128> = run.chain(others).map(u128::from).collect();
            let mut conditions = equations(&mut terms, x, &values);
            conditions.push(c);
            let found = disjunction(&mut terms, conditions);
            for x_is in values.iter().map(|&value| value as u8).chain([small, first.wrapping_sub(1)]) {
                let symbols = FxHashMap::from_iter([
                    (x, Value::BitVec(8, x_is.into())),
                    (c, Value::Bool(condition)),
                ]);
                let expected = condition || values.contains(&x_is.into());
                prop_assert_eq!(evaluate(&terms, &[found], &symbols)[0].is_true(), expected);
            }
        }
    }
}
