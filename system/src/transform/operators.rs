//! The results of operators on sets of values.

use super::values::{Range, Values, value};
use crate::term::{Binary, Node, Sort, Term, Terms, all_ones, apply};

/// An operation with more combinations of operands is computed on ranges.
const MAX_COMBINATIONS: usize = 256;

/// The values of a term that is neither constant nor variable, from those of its operands.
pub(super) fn results<'a>(terms: &Terms, term: Term, set: impl Fn(Term) -> &'a Values) -> Values {
    let node = terms.node(term);
    if let Node::Ite(condition, a, b) = node {
        let (may_hold, may_fail) = (set(condition).may_be(true), set(condition).may_be(false));
        return match (may_hold, may_fail) {
            (true, true) => set(a).union(set(b)),
            (true, false) => set(a).clone(),
            (false, true) => set(b).clone(),
            (false, false) => Values::NONE,
        };
    }
    let Some(a) = node.operands().next() else {
        return Values::all(terms.sort(term));
    };
    let b = node.operands().nth(1).unwrap_or(a);
    let (Some(left), Some(right)) = (set(a).range(), set(b).range()) else {
        return Values::NONE;
    };
    if let Some(results) = combinations(terms, term, (a, set(a)), (b, set(b))) {
        return results;
    }
    let Sort::BitVec(width) = terms.sort(term) else {
        let known = comparison(terms, node, left, right);
        return known.map_or(Values::all(Sort::Bool), |holds| {
            Values::Few(vec![u128::from(holds)])
        });
    };
    let (first, last) = ends(terms, node, left, right).unwrap_or((0, all_ones(width)));
    Values::within(Range::new(
        first,
        last,
        ones(terms, node, width, left, right),
    ))
}

/// The results for all operands, if those are few.
fn combinations(
    terms: &Terms,
    term: Term,
    (a, left): (Term, &Values),
    (b, right): (Term, &Values),
) -> Option<Values> {
    let (Values::Few(left), Values::Few(right)) = (left, right) else {
        return None;
    };
    let right = if a == b { &[0][..] } else { right };
    if left.len() * right.len() > MAX_COMBINATIONS {
        return None;
    }
    let mut results = Vec::with_capacity(left.len() * right.len());
    for &x in left {
        for &y in right {
            let operand = |term: Term| value(terms.sort(term), if term == a { x } else { y });
            results.push(apply(terms.node(term), operand)?.bits());
        }
    }
    Some(Values::of(results))
}

/// Whether a comparison holds for operands of these ranges, if that is known.
fn comparison(terms: &Terms, node: Node, a: Range, b: Range) -> Option<bool> {
    let ends = |range: Range| (range.first, range.last);
    if let Node::Binary(Binary::UnsignedLess, ..) = node {
        return less(ends(a), ends(b));
    }
    if let Node::Binary(Binary::SignedLess, operand, _) = node {
        let width = terms.width(operand);
        return less(signed_ends(width, a)?, signed_ends(width, b)?);
    }
    let outside = |a: Range, b: Range| a.single().is_some_and(|bits| bits & !b.ones != 0);
    let disjoint = a.last < b.first || b.last < a.first || outside(a, b) || outside(b, a);
    (matches!(node, Node::Binary(Binary::Equal, ..)) && disjoint).then_some(false)
}

/// The least and the greatest element of a range.
type Ends = (u128, u128);

fn less((a, b): Ends, (c, d): Ends) -> Option<bool> {
    match (b < c, d <= a) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    }
}

/// The ends in an order in which signed numbers are ascending, if all have one sign.
fn signed_ends(width: u32, Range { first, last, .. }: Range) -> Option<Ends> {
    let sign = 1 << (width - 1);
    (first & sign == last & sign).then_some((first ^ sign, last ^ sign))
}

/// The least and the greatest result for operands of these ranges, if they are known. A unary operator has the same
/// operand twice.
fn ends(terms: &Terms, node: Node, x: Range, y: Range) -> Option<Ends> {
    let (a, b) = (x.first, x.last);
    match node {
        Node::ZeroExtend(..) => Some((a, b)),
        Node::SignExtend(to, inner) => {
            let from = terms.width(inner);
            let (first, last) = (a >> (from - 1), b >> (from - 1));
            let sign = if first == 1 {
                all_ones(to) ^ all_ones(from)
            } else {
                0
            };
            (first == last).then_some((a | sign, b | sign))
        }
        Node::Extract { high, low, .. } => {
            (b <= all_ones(high + 1)).then_some((a >> low, b >> low))
        }
        Node::Binary(Binary::Concat, _, low) => {
            let width = terms.width(low);
            Some((a << width | y.first, b << width | y.last))
        }
        Node::Binary(operator, operand, _) => arithmetic(
            operator,
            all_ones(terms.width(operand)),
            (a, b),
            (y.first, y.last),
        ),
        Node::Constant(_) | Node::Symbol(_) | Node::Unary(..) | Node::Ite(..) => None,
    }
}

fn arithmetic(operator: Binary, top: u128, (a, b): Ends, (c, d): Ends) -> Option<Ends> {
    let none_is_negative = b <= top >> 1 && d <= top >> 1;
    match operator {
        Binary::Add => {
            let (first, last) = (a.checked_add(c)?, b.checked_add(d)?);
            let none_wraps = (last <= top).then_some((first, last));
            let all_wrap = (first > top).then_some((first & top, last & top));
            none_wraps.or(all_wrap)
        }
        Binary::Subtract if a >= d => Some((a - d, b - c)),
        Binary::Subtract if b < c => Some((a.wrapping_sub(d) & top, b.wrapping_sub(c) & top)),
        Binary::Multiply => {
            let last = b.checked_mul(d).filter(|&last| last <= top)?;
            Some((a * c, last))
        }
        Binary::UnsignedDivide if c > 0 => Some((a / d, b / c)),
        Binary::UnsignedRemainder if c > 0 => Some((0, b.min(d - 1))),
        Binary::SignedDivide if none_is_negative => {
            arithmetic(Binary::UnsignedDivide, top, (a, b), (c, d))
        }
        Binary::SignedRemainder if none_is_negative => {
            arithmetic(Binary::UnsignedRemainder, top, (a, b), (c, d))
        }
        Binary::Subtract
        | Binary::UnsignedDivide
        | Binary::UnsignedRemainder
        | Binary::SignedDivide
        | Binary::SignedRemainder
        | Binary::ShiftLeft
        | Binary::LogicalShiftRight
        | Binary::ArithmeticShiftRight
        | Binary::And
        | Binary::Or
        | Binary::Equal
        | Binary::UnsignedLess
        | Binary::SignedLess
        | Binary::BitAnd
        | Binary::BitOr
        | Binary::BitXor
        | Binary::Concat => None,
    }
}

/// The bits that may be 1 in the result for operands of these ranges.
fn ones(terms: &Terms, node: Node, width: u32, x: Range, y: Range) -> u128 {
    let (a, b, top) = (x.ones, y.ones, all_ones(width));
    match node {
        Node::ZeroExtend(..) => a,
        Node::SignExtend(_, inner) => {
            let from = terms.width(inner);
            let sign = a >> (from - 1) & 1 == 1;
            a | if sign { top ^ all_ones(from) } else { 0 }
        }
        Node::Extract { low, .. } => a >> low & top,
        Node::Binary(Binary::Concat, _, low) => a << terms.width(low) | b,
        // A carry comes out of bits of both operands, and goes on where one has a bit.
        Node::Binary(Binary::Add, ..) => (a.wrapping_add(b) | a | b) & top,
        Node::Binary(Binary::BitAnd, ..) => a & b,
        Node::Binary(Binary::BitOr | Binary::BitXor, ..) => a | b,
        Node::Binary(Binary::ShiftLeft, ..) => y
            .single()
            .map_or(top, |by| shifted(by, a, u128::checked_shl) & top),
        Node::Binary(Binary::LogicalShiftRight, ..) => y
            .single()
            .map_or(top, |by| shifted(by, a, u128::checked_shr)),
        Node::Constant(_)
        | Node::Symbol(_)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Ite(..) => top,
    }
}

fn shifted(by: u128, bits: u128, shift: fn(u128, u32) -> Option<u128>) -> u128 {
    u32::try_from(by)
        .ok()
        .and_then(|by| shift(bits, by))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::eval::Evaluator;
    use crate::testing::{Random, grow};

    /// Some values of a symbol, and a set that contains them and little else.
    fn random_set(random: &mut Random, sort: Sort) -> (Vec<u128>, Values) {
        let length = [1, 3, 8][random.below(3)];
        let start = random.value(sort).bits();
        if random.below(3) == 0 {
            let values: Vec<u128> = (0..length).map(|_| random.value(sort).bits()).collect();
            return (values.clone(), Values::of(values));
        }
        let greatest = Values::all(sort).range().expect("not empty").last;
        let end = greatest.min(start + length);
        (
            (start..=end).collect(),
            Values::Range(Range::new(start, end, u128::MAX)),
        )
    }

    /// A random number modulo 3, as signed C computes it, is one of three.
    #[test]
    fn signed_remainders_of_what_is_not_negative_are_few() {
        let mut terms = Terms::new();
        let byte = terms.symbol("x", Sort::BitVec(8));
        let number = terms.zero_extend(32, byte);
        let three = terms.bits(32, 3);
        let all = Values::all(Sort::BitVec(8));
        let number_set = results(&terms, number, |_| &all);
        let three_set = Values::of(vec![3]);
        let of = |operator: fn(&mut Terms, Term, Term) -> Term, terms: &mut Terms| {
            let term = operator(terms, number, three);
            results(terms, term, |operand| {
                if operand == three {
                    &three_set
                } else {
                    &number_set
                }
            })
        };
        assert_eq!(
            of(Terms::signed_remainder, &mut terms),
            Values::of(vec![0, 1, 2])
        );
        let quotient = Values::Range(Range::new(0, 85, 127));
        assert_eq!(
            of(Terms::signed_divide, &mut terms).range(),
            quotient.range()
        );
    }

    #[test]
    fn sets_contain_every_result() {
        let mut said = 0;
        for seed in 0..400 {
            let random = &mut Random::new(seed);
            let mut terms = Terms::new();
            let sorts = [1, 6, 6, 9, 9, 32].map(Sort::BitVec);
            let sorts = sorts.into_iter().chain([Sort::Bool; 2]);
            let mut pool: Vec<Term> = sorts.map(|sort| terms.symbol("x", sort)).collect();
            let symbols: Vec<_> = pool
                .iter()
                .map(|&symbol| (symbol, random_set(random, terms.sort(symbol))))
                .collect();
            grow(random, &mut terms, &mut pool, 60, 40);
            let mut sets: FxHashMap<Term, Values> = FxHashMap::default();
            for term in terms.cone(&pool) {
                let symbol = symbols.iter().find(|(symbol, _)| *symbol == term);
                let constant = terms
                    .as_value(term)
                    .map(|value| Values::of(vec![value.bits()]));
                let known = symbol.map(|(_, (_, set))| set.clone()).or(constant);
                let set = known.unwrap_or_else(|| results(&terms, term, |operand| &sets[&operand]));
                sets.insert(term, set);
            }
            said += pool
                .iter()
                .filter(|&&term| sets[&term] != Values::all(terms.sort(term)))
                .count();
            for _ in 0..20 {
                let valuation = symbols.iter().map(|(symbol, (values, _))| {
                    (*symbol, value(terms.sort(*symbol), random.pick(values)))
                });
                let mut evaluator = Evaluator::new(valuation.collect());
                for &term in &pool {
                    let bits = evaluator.value(&terms, term).bits();
                    assert!(
                        sets[&term].contains(bits),
                        "seed {seed}: {bits} of {:?}",
                        terms.node(term)
                    );
                }
            }
        }
        assert!(said >= 10000, "{said}");
    }
}
