//! Sets of values, and what operators make of them.

use crate::term::{Binary, Node, Sort, Term, Terms, Value, all_ones, apply};

/// Larger sets are kept as ranges.
const MAX_VALUES: usize = 32;

/// An operation with more combinations of operands is computed on ranges.
const MAX_COMBINATIONS: usize = 1024;

/// A set of values of one sort, which contains all that a term can have; bit-vectors are unsigned numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// These, in ascending order. None at all: the term is not evaluated in any state found so far.
    Few(Vec<u128>),
    /// Those from the first to the second.
    Range(u128, u128),
}

impl Values {
    pub(super) const NONE: Self = Self::Few(Vec::new());

    /// All values of a sort.
    pub(super) fn all(sort: Sort) -> Self {
        let greatest = match sort {
            Sort::Bool => 1,
            Sort::BitVec(width) => all_ones(width),
        };
        if greatest < MAX_VALUES as u128 {
            Self::Few((0..=greatest).collect())
        } else {
            Self::Range(0, greatest)
        }
    }

    /// A set that contains these values.
    fn of(mut values: Vec<u128>) -> Self {
        values.sort_unstable();
        values.dedup();
        match (values.first(), values.last()) {
            (Some(&first), Some(&last)) if values.len() > MAX_VALUES => Self::Range(first, last),
            _ => Self::Few(values),
        }
    }

    /// The only value, if there is one only.
    pub(super) fn single(&self) -> Option<u128> {
        match self {
            Self::Few(values) => <[u128; 1]>::try_from(values.as_slice())
                .ok()
                .map(|[only]| only),
            Self::Range(..) => None,
        }
    }

    /// The least and the greatest value.
    pub(super) fn ends(&self) -> Option<(u128, u128)> {
        match self {
            Self::Few(values) => Some((*values.first()?, *values.last()?)),
            &Self::Range(first, last) => Some((first, last)),
        }
    }

    /// A set that contains both.
    pub(super) fn union(&self, other: &Self) -> Self {
        if let (Self::Few(a), Self::Few(b)) = (self, other) {
            return Self::of([a.as_slice(), b].concat());
        }
        match (self.ends(), other.ends()) {
            (Some((a, b)), Some((c, d))) => Self::Range(a.min(c), b.max(d)),
            (None, _) => other.clone(),
            (_, None) => self.clone(),
        }
    }

    /// A set that contains both and is, if it is a range, one of few: each is at least twice as long as those within.
    pub(super) fn widened(&self, more: &Self) -> Self {
        let union = self.union(more);
        match (self.ends(), union) {
            (Some((first, last)), Self::Range(low, high)) => {
                let covered = u128::MAX >> high.leading_zeros().min(127);
                Self::Range(
                    if low < first { 0 } else { low },
                    if high > last { covered } else { high },
                )
            }
            (_, union) => union,
        }
    }

    /// The values one by one, or the parts of a range that start at the cuts, which are in ascending order.
    pub(super) fn pieces(&self, cuts: &[u128]) -> Vec<Self> {
        match self {
            Self::Few(values) => values.iter().map(|&value| Self::Few(vec![value])).collect(),
            &Self::Range(first, last) => {
                let cuts = cuts
                    .iter()
                    .copied()
                    .filter(|cut| (first + 1..=last).contains(cut));
                let starts: Vec<u128> = [first].into_iter().chain(cuts).collect();
                let ends = starts[1..].iter().map(|start| start - 1).chain([last]);
                starts
                    .iter()
                    .zip(ends)
                    .map(|(&first, last)| Self::Range(first, last))
                    .collect()
            }
        }
    }

    fn may_be(&self, value: bool) -> bool {
        match self {
            Self::Few(values) => values.contains(&u128::from(value)),
            Self::Range(..) => true,
        }
    }
}

/// The value of a sort with these bits.
pub(super) fn value(sort: Sort, bits: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(bits != 0),
        Sort::BitVec(width) => Value::BitVec(width, bits),
    }
}

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
    let (Some(left), Some(right)) = (set(a).ends(), set(b).ends()) else {
        return Values::NONE;
    };
    if let Some(results) = combinations(terms, term, (a, set(a)), (b, set(b))) {
        return results;
    }
    match range(terms, node, left, right) {
        Some((first, last)) if first == last => Values::Few(vec![first]),
        Some((first, last)) => Values::Range(first, last),
        None => Values::all(terms.sort(term)),
    }
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

type Ends = (u128, u128);

/// The least and the greatest result for operands between these; nothing if it is not known. A unary operator has the
/// same operand twice.
fn range(terms: &Terms, node: Node, (a, b): Ends, (c, d): Ends) -> Option<Ends> {
    match node {
        Node::ZeroExtend(..) => Some((a, b)),
        Node::SignExtend(width, inner) => sign_extended(terms.width(inner), width, (a, b)),
        Node::Extract { high, low, .. } => {
            let fits = high == 127 || b >> (high + 1) == 0;
            fits.then_some((a >> low, b >> low))
        }
        Node::Binary(Binary::Concat, _, low) => {
            let width = terms.width(low);
            Some((a << width | c, b << width | d))
        }
        Node::Binary(operator, x, _) => binary(operator, terms.width(x), (a, b), (c, d)),
        Node::Constant(_) | Node::Symbol(_) | Node::Unary(..) | Node::Ite(..) => None,
    }
}

fn sign_extended(from: u32, to: u32, (a, b): Ends) -> Option<Ends> {
    let negative = |bits: u128| bits >> (from - 1) == 1;
    let sign = all_ones(to) ^ all_ones(from);
    match (negative(a), negative(b)) {
        (false, false) => Some((a, b)),
        (true, true) => Some((a | sign, b | sign)),
        (_, _) => None,
    }
}

fn binary(operator: Binary, width: u32, (a, b): Ends, (c, d): Ends) -> Option<Ends> {
    let top = all_ones(width);
    match operator {
        Binary::Add => {
            let (low, high) = (a.checked_add(c)?, b.checked_add(d)?);
            if low > top {
                Some((low & top, high & top))
            } else {
                (high <= top).then_some((low, high))
            }
        }
        Binary::Subtract if a >= d => Some((a - d, b - c)),
        Binary::Subtract if b < c => Some((a.wrapping_sub(d) & top, b.wrapping_sub(c) & top)),
        Binary::Multiply => b
            .checked_mul(d)
            .filter(|&high| high <= top)
            .map(|high| (a * c, high)),
        Binary::UnsignedDivide if c > 0 => Some((a / d, b / c)),
        Binary::UnsignedRemainder if c > 0 => Some((0, b.min(d - 1))),
        Binary::LogicalShiftRight if c == d && c < 128 => Some((a >> c, b >> c)),
        Binary::ShiftLeft if c == d && c < 128 && b <= top >> c => Some((a << c, b << c)),
        Binary::BitAnd => Some((0, b.min(d))),
        Binary::Equal if b < c || d < a => Some((0, 0)),
        Binary::UnsignedLess => less((a, b), (c, d)),
        Binary::SignedLess => less(shifted(width, (a, b))?, shifted(width, (c, d))?),
        Binary::Subtract
        | Binary::UnsignedDivide
        | Binary::UnsignedRemainder
        | Binary::ShiftLeft
        | Binary::LogicalShiftRight
        | Binary::Equal
        | Binary::And
        | Binary::Or
        | Binary::BitOr
        | Binary::BitXor
        | Binary::SignedDivide
        | Binary::SignedRemainder
        | Binary::ArithmeticShiftRight
        | Binary::Concat => None,
    }
}

fn less((a, b): Ends, (c, d): Ends) -> Option<Ends> {
    match (b < c, d <= a) {
        (true, _) => Some((1, 1)),
        (_, true) => Some((0, 0)),
        (false, false) => None,
    }
}

/// The ends in an order in which signed numbers are ascending, if no end of that order is between them.
fn shifted(width: u32, (a, b): Ends) -> Option<Ends> {
    let sign = 1 << (width - 1);
    (a & sign == b & sign).then_some((a ^ sign, b ^ sign))
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::eval::Evaluator;
    use crate::testing::{Random, grow};

    impl Values {
        fn contains(&self, bits: u128) -> bool {
            match self {
                Self::Few(values) => values.contains(&bits),
                &Self::Range(first, last) => (first..=last).contains(&bits),
            }
        }
    }

    /// Some values of a symbol, and a set that contains them and little else.
    fn random_set(random: &mut Random, sort: Sort) -> (Vec<u128>, Values) {
        let length = [1, 3, 8][random.below(3)];
        let start = random.value(sort).bits();
        if random.below(3) == 0 {
            let values: Vec<u128> = (0..length).map(|_| random.value(sort).bits()).collect();
            return (values.clone(), Values::of(values));
        }
        let greatest = Values::all(sort).ends().expect("not empty").1;
        let end = greatest.min(start + length);
        ((start..=end).collect(), Values::Range(start, end))
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

    #[test]
    fn widening_ends_and_contains_both() {
        let mut set = Values::of(vec![200]);
        let mut steps = 0;
        for value in (0..200).rev().chain(201..100_000) {
            let wider = set.widened(&Values::of(vec![value]));
            assert!(
                wider.contains(value)
                    && set
                        .ends()
                        .is_some_and(|(a, b)| wider.contains(a) && wider.contains(b))
            );
            steps += usize::from(wider != set);
            set = wider;
        }
        assert!(steps < 64, "{steps}");
    }

    #[test]
    fn pieces_make_the_set() {
        let range = Values::Range(10, 99);
        let pieces = range.pieces(&[5, 10, 11, 50, 99, 100]);
        let expected = [(10, 10), (11, 49), (50, 98), (99, 99)].map(|(a, b)| Values::Range(a, b));
        assert_eq!(pieces, expected);
        let few = Values::of(vec![7, 3, 7]);
        assert_eq!(few.pieces(&[5]), [vec![3], vec![7]].map(Values::Few));
    }
}
