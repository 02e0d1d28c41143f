//! Sets of offsets: one number, or all numbers with the same remainder.

use super::Offsets;

/// The offsets `first + k * step` for every integer `k`; only `first` if `step` is 0. They are integers, not bounded by
/// the object, so that a pointer may leave the object and come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Residues {
    first: i64,
    step: i64,
}

/// How two ranges of bytes at such offsets lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    /// They never share a byte.
    Disjoint,
    /// They share all bytes or none.
    Same,
    /// They may share some bytes.
    Partial,
}

impl Residues {
    /// Every offset.
    pub(super) const ANY: Self = Self { first: 0, step: 1 };

    pub(super) fn exact(first: i64) -> Self {
        Self { first, step: 0 }
    }

    fn new(first: i64, step: i64) -> Self {
        Self {
            first: if step == 0 {
                first
            } else {
                first.rem_euclid(step)
            },
            step,
        }
    }

    /// All of both, and maybe more.
    pub(super) fn join(self, other: Self) -> Self {
        let distance = self.first.wrapping_sub(other.first);
        Self::new(self.first, gcd(gcd(self.step, other.step), distance))
    }

    /// Whether all are offsets of bytes of an object of `size` bytes.
    pub(super) fn is_within(self, size: u32) -> bool {
        self.step == 0 && (0..i64::from(size)).contains(&self.first)
    }

    /// Whether nothing is known.
    pub(super) fn is_any(self) -> bool {
        self.step == 1
    }

    /// Moved by a constant.
    pub(super) fn add(self, distance: i64) -> Self {
        Self::new(self.first.wrapping_add(distance), self.step)
    }

    /// Moved by every multiple of `scale`.
    pub(super) fn spread(self, scale: i64) -> Self {
        Self::new(self.first, gcd(self.step, scale))
    }

    /// How `size` bytes here and `other_size` bytes at other offsets of the same object lie to each other.
    pub(super) fn overlap(self, size: u32, other: Self, other_size: u32) -> Overlap {
        let distance = other.first.wrapping_sub(self.first);
        let period = gcd(self.step, other.step);
        let (size, other_size) = (i64::from(size), i64::from(other_size));
        // The other range starts `after` bytes behind some start of this one, and `before` bytes ahead of the next one.
        let (after, before) = if period == 0 {
            if distance >= 0 {
                (distance, i64::MAX)
            } else {
                (i64::MAX, -distance)
            }
        } else {
            let after = distance.rem_euclid(period);
            (after, period - after)
        };
        if after == 0 && size == other_size && before >= size {
            Overlap::Same
        } else if after < size || before < other_size {
            Overlap::Partial
        } else {
            Overlap::Disjoint
        }
    }

    /// Whether `size` bytes here may have some of `other_size` bytes at other offsets of the same object, but not only such.
    pub(super) fn is_divided_by(self, size: u32, other: Self, other_size: u32) -> bool {
        let (size, other_size) = (i64::from(size), i64::from(other_size));
        let mut common = (1 - other_size..size).filter(|&behind| self.may_be_behind(other, behind));
        common.any(|behind| behind > 0 || behind + other_size < size)
    }

    /// Whether `size` bytes here may be all among `other_size` bytes at other offsets of the same object.
    pub(super) fn may_be_within(self, size: u32, other: Self, other_size: u32) -> bool {
        let (size, other_size) = (i64::from(size), i64::from(other_size));
        (size - other_size..=0).any(|behind| self.may_be_behind(other, behind))
    }

    /// Whether some of the other offsets may be so many bytes behind one of these.
    fn may_be_behind(self, other: Self, behind: i64) -> bool {
        let distance = other.first.wrapping_sub(self.first);
        match gcd(self.step, other.step) {
            0 => behind == distance,
            period => behind.wrapping_sub(distance) % period == 0,
        }
    }

    /// Those within an object of `size` bytes; none if there is none.
    pub(super) fn offsets(self, size: u32) -> Option<Offsets> {
        let first = u32::try_from(self.first).ok();
        match (self.step, first) {
            (0, first) => first.map(Offsets::Exact),
            (1, _) => Some(Offsets::Any),
            (step, first) => {
                let first = first.filter(|&first| first < size)?;
                let step = u32::try_from(step)
                    .ok()
                    .filter(|step| first.checked_add(*step).is_some_and(|next| next < size));
                Some(step.map_or(Offsets::Exact(first), |step| Offsets::Stride {
                    first,
                    step,
                }))
            }
        }
    }
}

/// The greatest common divisor, with `gcd(0, n) = |n|`.
fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn residues() -> impl Strategy<Value = Residues> {
        (-40i64..40, 0i64..20).prop_map(|(first, step)| Residues::new(first, step))
    }

    fn members(set: Residues) -> Vec<i64> {
        (-200..200)
            .filter(|&n| {
                if set.step == 0 {
                    n == set.first
                } else {
                    n.rem_euclid(set.step) == set.first
                }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn operations_keep_all_members(a in residues(), b in residues(), distance in -30i64..30, scale in -9i64..9) {
            for n in members(a).into_iter().filter(|n| n.abs() < 100) {
                prop_assert!(members(a.join(b)).contains(&n));
                prop_assert!(members(b.join(a)).contains(&n));
                prop_assert!(members(a.add(distance)).contains(&(n + distance)));
                for k in -2..=2 {
                    prop_assert!(members(a.spread(scale)).contains(&(n + k * scale)));
                }
            }
        }

        #[test]
        fn overlaps_are_those_of_the_members(a in residues(), size in 1u32..17, b in residues(), other in 1u32..17) {
            let overlap = a.overlap(size, b, other);
            for m in members(a).into_iter().filter(|n| n.abs() < 100) {
                for &n in &members(b) {
                    let disjoint = m + i64::from(size) <= n || n + i64::from(other) <= m;
                    let same = m == n && size == other;
                    match overlap {
                        Overlap::Disjoint => prop_assert!(disjoint),
                        Overlap::Same => prop_assert!(disjoint || same),
                        Overlap::Partial => {}
                    }
                }
            }
            prop_assert_eq!(overlap, b.overlap(other, a, size));
        }

        #[test]
        fn ranges_are_divided_by_members_that_have_a_part(a in residues(), size in 1u32..17, b in residues(), other in 1u32..17) {
            let is_divided = a.is_divided_by(size, b, other);
            let mut found = false;
            for m in members(a).into_iter().filter(|n| n.abs() < 100) {
                for &n in &members(b) {
                    let meet = m < n + i64::from(other) && n < m + i64::from(size);
                    found |= meet && (m < n || n + i64::from(other) < m + i64::from(size));
                }
            }
            // Members of different steps may meet far away only.
            let is_near = a.step == b.step || a.step == 0 || b.step == 0;
            prop_assert!(is_divided == found || is_divided && !is_near);
            let mut pairs = members(a).into_iter().filter(|n| n.abs() < 100).flat_map(|m| members(b).into_iter().map(move |n| (m, n)));
            let is_within = pairs.any(|(m, n)| n <= m && m + i64::from(size) <= n + i64::from(other));
            let may_be_within = a.may_be_within(size, b, other);
            prop_assert!(may_be_within == is_within || may_be_within && !is_near);
        }

        #[test]
        fn offsets_are_the_members_within_the_object(set in residues(), size in 0u32..64) {
            let offsets = set.offsets(size);
            for n in 0..size {
                let found = offsets.is_some_and(|offsets| offsets.contains(n));
                prop_assert_eq!(found, members(set).contains(&i64::from(n)));
            }
        }
    }
}
