//! Partitions of the numbers of a register into classes that a program does not tell apart.

use super::intervals::Intervals;

/// The numbers from 0 on are cut into pieces. Two numbers are in the same class if they are in the same piece and differ by a multiple
/// of its period. Without pieces all are in one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Partition(Vec<Piece>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    first: u128,
    period: u128,
}

/// The period of a piece of which all numbers are told apart.
pub(super) const EXACT: u128 = 0;

/// Longer periods, and partitions of more pieces, count as [`EXACT`]: nobody tries so many values.
const LONGEST_PERIOD: u128 = 1 << 16;
const MOST_PIECES: usize = 1 << 6;

impl Partition {
    /// Every number is a class.
    pub(super) fn exact() -> Self {
        Self::periodic(EXACT)
    }

    /// One class for each remainder.
    pub(super) fn periodic(period: u128) -> Self {
        let period = if period > LONGEST_PERIOD {
            EXACT
        } else {
            period
        };
        match period {
            1 => Self::default(),
            _ => Self(vec![Piece { first: 0, period }]),
        }
    }

    /// Pieces with their periods, which have no number in common; other numbers up to `last` are cut off from these, and between them
    /// not told apart.
    pub(super) fn of(pieces: impl IntoIterator<Item = ((u128, u128), u128)>, last: u128) -> Self {
        let mut sorted: Vec<((u128, u128), u128)> = pieces.into_iter().collect();
        sorted.sort_unstable();
        let covered: Intervals = sorted.iter().map(|&(piece, _)| piece).collect();
        let gaps = covered.complement(last);
        sorted.extend(gaps.iter().map(|gap| (gap, 1)));
        sorted.sort_unstable();
        let pieces = sorted
            .into_iter()
            .map(|((first, _), period)| Piece { first, period });
        Self(pieces.collect()).simplified()
    }

    /// Whether all numbers are in one class.
    pub(super) fn is_coarsest(&self) -> bool {
        self.0.is_empty()
    }

    /// The pieces up to `last`, each with its period.
    pub(super) fn pieces(&self, last: u128) -> impl Iterator<Item = ((u128, u128), u128)> + '_ {
        let coarsest = self.is_coarsest().then_some(((0, last), 1));
        let pieces = self.0.iter().enumerate().map(move |(index, piece)| {
            let next = self.0.get(index + 1);
            (
                (piece.first, next.map_or(last, |next| next.first - 1)),
                piece.period,
            )
        });
        coarsest.into_iter().chain(pieces)
    }

    /// Tells apart what another one does, too; whether that changes anything.
    pub(super) fn refine(&mut self, other: &Self) -> bool {
        if other.is_coarsest() || self == other || *self == Self::exact() {
            return false;
        }
        let both = self.0.iter().chain(&other.0);
        let mut firsts: Vec<u128> = both.map(|piece| piece.first).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let pieces = firsts.into_iter().map(|first| Piece {
            first,
            period: common_multiple(self.period_at(first), other.period_at(first)),
        });
        let refined = Self(pieces.collect()).simplified();
        let changed = refined != *self;
        *self = refined;
        changed
    }

    /// The same for a register that holds only some numbers: the others are cut off.
    pub(super) fn within(&self, numbers: &Intervals, last: u128) -> Self {
        if self.is_coarsest() || numbers.is_up_to(last) {
            return self.clone();
        }
        let pieces = self.pieces(last).flat_map(|(piece, period)| {
            let inside = Intervals::from_iter([piece]).intersection(numbers);
            let inside: Vec<(u128, u128)> = inside.iter().collect();
            inside.into_iter().map(move |part| (part, period))
        });
        Self::of(pieces, last)
    }

    /// A number of each class, up to `last`; none if there are more than `most`.
    pub(super) fn representatives(&self, last: u128, most: u128) -> Option<Vec<u128>> {
        let mut found = Vec::new();
        for ((first, last), period) in self.pieces(last) {
            let others = match period {
                EXACT => last - first,
                period => (period - 1).min(last - first),
            };
            if others >= most.saturating_sub(found.len() as u128) {
                return None;
            }
            found.extend(first..=first + others);
        }
        Some(found)
    }

    fn period_at(&self, number: u128) -> u128 {
        let index = self.0.partition_point(|piece| piece.first <= number);
        index.checked_sub(1).map_or(1, |index| self.0[index].period)
    }

    /// Without cuts between pieces of which all numbers are told apart.
    fn simplified(mut self) -> Self {
        self.0
            .dedup_by(|next, piece| next.period == EXACT && piece.period == EXACT);
        if self.0.len() > MOST_PIECES {
            return Self::exact();
        }
        if let [Piece { period: 1, .. }] = self.0[..] {
            self.0.clear();
        }
        self
    }
}

fn common_multiple(one: u128, other: u128) -> u128 {
    if one == EXACT || other == EXACT {
        return EXACT;
    }
    let (mut divisor, mut rest) = (one, other);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    let multiple = one / divisor * other;
    if multiple > LONGEST_PERIOD {
        EXACT
    } else {
        multiple
    }
}
