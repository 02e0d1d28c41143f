//! Sets of numbers as intervals.

/// Intervals with both ends, in ascending order and apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Intervals(Vec<(u128, u128)>);

impl Intervals {
    /// All numbers up to `last`.
    pub(super) fn up_to(last: u128) -> Self {
        Self(vec![(0, last)])
    }

    /// One number.
    pub(super) fn only(number: u128) -> Self {
        Self(vec![(number, number)])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_up_to(&self, last: u128) -> bool {
        self.0 == [(0, last)]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u128, u128)> + '_ {
        self.0.iter().copied()
    }

    /// The numbers up to `last` that are none of these.
    pub(super) fn complement(&self, last: u128) -> Self {
        let mut gaps = Vec::new();
        let mut next = Some(0);
        for &(first, end) in &self.0 {
            if let Some(start) = next.filter(|&start| start < first) {
                gaps.push((start, first - 1));
            }
            next = end.checked_add(1);
        }
        gaps.extend(
            next.filter(|&start| start <= last)
                .map(|start| (start, last)),
        );
        Self(gaps)
    }

    /// The numbers of both.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        let mut common = Vec::new();
        for &(first, last) in &self.0 {
            let meeting = other
                .0
                .iter()
                .filter(|&&(start, end)| start <= last && first <= end);
            common.extend(meeting.map(|&(start, end)| (first.max(start), last.min(end))));
        }
        Self(common)
    }

    /// The numbers of one of both.
    pub(super) fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }
}

impl FromIterator<(u128, u128)> for Intervals {
    fn from_iter<I: IntoIterator<Item = (u128, u128)>>(intervals: I) -> Self {
        let mut sorted: Vec<(u128, u128)> = intervals.into_iter().collect();
        sorted.sort_unstable();
        let mut merged: Vec<(u128, u128)> = Vec::new();
        for (first, last) in sorted {
            match merged.last_mut() {
                Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                Some(_) | None => merged.push((first, last)),
            }
        }
        Self(merged)
    }
}
