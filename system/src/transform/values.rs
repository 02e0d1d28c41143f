//! Sets of values, as lists or as ranges.

use crate::term::{Sort, Value, all_ones};

/// Larger sets are kept as ranges.
const MAX_VALUES: usize = 16;

/// A set of values of one sort, which contains all that a term can have; bit-vectors are unsigned numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// These, in ascending order. None at all: the term is not evaluated in any state found so far.
    Few(Vec<u128>),
    /// Those of a range.
    Range(Range),
}

/// The values from `first` to `last` that have no other bits than `ones`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: u128,
    pub(super) last: u128,
    pub(super) ones: u128,
}

impl Range {
    /// The range of these values, with ends that do not lie outside.
    pub(super) fn new(first: u128, last: u128, ones: u128) -> Self {
        let ones = ones & up_to(last);
        let last = last.min(ones);
        let first = first.min(last);
        Self { first, last, ones }
    }

    fn union(self, other: Self) -> Self {
        Self {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
            ones: self.ones | other.ones,
        }
    }

    /// The only value, if there is one only.
    pub(super) fn single(self) -> Option<u128> {
        (self.first == self.last).then_some(self.first)
    }
}

/// All bits up to the highest one of a number.
fn up_to(number: u128) -> u128 {
    u128::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
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
            Self::Range(Range::new(0, greatest, greatest))
        }
    }

    /// A set that contains these values.
    pub(super) fn of(mut values: Vec<u128>) -> Self {
        values.sort_unstable();
        values.dedup();
        let few = Self::Few(values);
        match (&few, few.range()) {
            (Self::Few(values), Some(range)) if values.len() > MAX_VALUES => Self::Range(range),
            _ => few,
        }
    }

    /// The values of a range.
    pub(super) fn within(range: Range) -> Self {
        if range.last - range.first >= MAX_VALUES as u128 {
            return Self::Range(range);
        }
        let values = range.first..=range.last;
        Self::Few(values.filter(|bits| bits & !range.ones == 0).collect())
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

    /// The least range that contains the set; nothing for no values.
    pub(super) fn range(&self) -> Option<Range> {
        match self {
            Self::Few(values) => Some(Range {
                first: *values.first()?,
                last: *values.last()?,
                ones: values.iter().fold(0, |ones, value| ones | value),
            }),
            &Self::Range(range) => Some(range),
        }
    }

    /// A set that contains both.
    pub(super) fn union(&self, other: &Self) -> Self {
        if let (Self::Few(a), Self::Few(b)) = (self, other) {
            return Self::of([a.as_slice(), b].concat());
        }
        match (self.range(), other.range()) {
            (Some(a), Some(b)) => Self::Range(a.union(b)),
            (None, _) => other.clone(),
            (_, None) => self.clone(),
        }
    }

    /// A set that contains both. A range grows to one with further bits, so that this ends soon.
    pub(super) fn widened(&self, more: &Self) -> Self {
        match (self.range(), self.union(more)) {
            (Some(before), Self::Range(after)) => {
                let falls = after.first < before.first;
                let rises = after.last > before.last;
                Self::Range(Range::new(
                    if falls { 0 } else { after.first },
                    if rises { up_to(after.last) } else { after.last },
                    after.ones,
                ))
            }
            (_, union) => union,
        }
    }

    /// The values one by one, or the parts of a range that start at the cuts, which are in ascending order.
    pub(super) fn pieces(&self, cuts: &[u128]) -> Vec<Self> {
        match self {
            Self::Few(values) => values.iter().map(|&value| Self::Few(vec![value])).collect(),
            &Self::Range(Range { first, last, ones }) => {
                let cuts = cuts.iter().copied();
                let cuts = cuts.filter(|cut| (first + 1..=last).contains(cut));
                let starts: Vec<u128> = [first].into_iter().chain(cuts).collect();
                let ends = starts[1..].iter().map(|start| start - 1).chain([last]);
                let pieces = starts.iter().zip(ends);
                pieces
                    .map(|(&first, last)| Self::Range(Range::new(first, last, ones)))
                    .collect()
            }
        }
    }

    pub(super) fn may_be(&self, value: bool) -> bool {
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

#[cfg(test)]
impl Values {
    /// Whether it contains a value.
    pub(super) fn contains(&self, bits: u128) -> bool {
        match self {
            Self::Few(values) => values.contains(&bits),
            Self::Range(range) => {
                (range.first..=range.last).contains(&bits) && bits & !range.ones == 0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_ends_and_contains_both() {
        let mut set = Values::of(vec![200]);
        let mut steps = 0;
        for value in (0..200).rev().chain(201..100_000) {
            let wider = set.widened(&Values::of(vec![value]));
            assert!(wider.contains(value) && wider.union(&set) == wider);
            steps += usize::from(wider != set);
            set = wider;
        }
        assert!(steps < 64, "{steps}");
    }

    #[test]
    fn pieces_make_the_set() {
        let range = |first, last| Values::Range(Range::new(first, last, 127));
        let pieces = range(10, 99).pieces(&[5, 10, 11, 50, 99, 100]);
        let expected = [(10, 10), (11, 49), (50, 98), (99, 99)].map(|(a, b)| range(a, b));
        assert_eq!(pieces, expected);
        let few = Values::of(vec![7, 3, 7]);
        assert_eq!(few.pieces(&[5]), [vec![3], vec![7]].map(Values::Few));
    }
}
