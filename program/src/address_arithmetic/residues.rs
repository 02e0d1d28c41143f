//! Sets of offsets: one number, or all numbers with the same remainder, both with or without pointer tags added.

use crate::model::Offsets;

/// The offsets `first + k * step + tag` for every integer `k` and every tag from 0 to `tags`; `k` is 0 if `step` is. They are integers,
/// not bounded by the object, so that a pointer may leave the object and come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Residues {
    first: i64,
    step: i64,
    tags: i64,
}

/// Offsets that are so far apart may differ by a tag.
const MOST_TAGS: i64 = 3;

/// How two ranges of bytes at such offsets lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// They never share a byte.
    Disjoint,
    /// They share all bytes or none.
    Same,
    /// They may share some bytes.
    Partial,
}

impl Residues {
    /// Every offset.
    pub(crate) const ANY: Self = Self {
        first: 0,
        step: 1,
        tags: 0,
    };

    pub(crate) fn exact(first: i64) -> Self {
        Self::new(first, 0, 0)
    }

    fn new(first: i64, step: i64, tags: i64) -> Self {
        match step {
            0 => Self { first, step, tags },
            _ if tags >= step - 1 => Self::ANY,
            _ => Self {
                first: first.rem_euclid(step),
                step,
                tags,
            },
        }
    }

    /// All of both, and maybe more.
    pub(crate) fn join(self, other: Self) -> Self {
        let step = gcd(self.step, other.step);
        let distance = other.first.wrapping_sub(self.first);
        // As tags of one of both, where nothing else would be known.
        let tagged = |lower: Self, upper: Self, distance: i64| {
            let distance = match step {
                0 => distance,
                step => distance.rem_euclid(step),
            };
            let tags = lower.tags.max(distance.saturating_add(upper.tags));
            (distance >= 0 && tags <= MOST_TAGS.max(lower.tags))
                .then(|| Self::new(lower.first, step, tags))
        };
        let stepped = Self::new(self.first, gcd(step, distance), self.tags.max(other.tags));
        if !stepped.is_any() {
            return stepped;
        }
        tagged(self, other, distance)
            .or_else(|| tagged(other, self, distance.wrapping_neg()))
            .unwrap_or(stepped)
    }

    /// Whether all are offsets of bytes of an object of `size` bytes.
    pub(crate) fn is_within(self, size: u32) -> bool {
        let offsets = 0..i64::from(size);
        self.step == 0
            && offsets.contains(&self.first)
            && offsets.contains(&self.first.saturating_add(self.tags))
    }

    /// Whether an offset and one of the others may differ by a multiple of `unit`, but for 0.
    pub(crate) fn may_be_units_apart(self, other: Self, unit: i64) -> bool {
        if self.step != 0 || other.step != 0 {
            return true;
        }
        let distance = self.first.wrapping_sub(other.first);
        let mut distances =
            distance.saturating_sub(other.tags)..=distance.saturating_add(self.tags);
        distances.any(|distance| distance != 0 && distance % unit == 0)
    }

    /// Whether it is one place, but for tags.
    pub(crate) fn is_exact(self) -> bool {
        self.step == 0
    }

    /// Whether it is one place, but for tags, and lies before the start of the object without one.
    pub(crate) fn is_before(self) -> bool {
        self.step == 0 && self.first < 0
    }

    /// Whether nothing is known.
    pub(crate) fn is_any(self) -> bool {
        self.step == 1
    }

    /// Moved by a constant.
    pub(crate) fn add(self, distance: i64) -> Self {
        Self::new(self.first.wrapping_add(distance), self.step, self.tags)
    }

    /// With a tag in the lowest bits of the address, none of which is above those of `tag`: where the object is aligned so far.
    pub(crate) fn with_tag(self, tag: u32) -> Self {
        let below = lowest_bits(tag);
        match self.in_units(below) {
            Some(floor) => Self::new(floor, self.step, below),
            None => Self::ANY,
        }
    }

    /// With this tag, if there was none.
    pub(crate) fn with_exact_tag(self, tag: u32) -> Self {
        let below = lowest_bits(tag);
        match self.in_units(below) {
            Some(_) if self.tags == 0 => Self::new(self.first | i64::from(tag), self.step, 0),
            Some(_) | None => self.with_tag(tag),
        }
    }

    /// Without the bits of a tag: where the object is aligned as far as these reach.
    pub(crate) fn without_tag(self, tag: u32) -> Self {
        let below = lowest_bits(tag);
        match self.in_units(below) {
            Some(_) if self.tags == 0 => Self::new(self.first & !i64::from(tag), self.step, 0),
            Some(floor) if i64::from(tag) == below => Self::new(floor, self.step, 0),
            Some(floor) => Self::new(floor, self.step, below),
            None if i64::from(tag) == below => Self::new(0, below + 1, 0),
            None => Self::ANY,
        }
    }

    /// The first of the offsets without the bits of `below`, if all tags and steps are known to leave the other bits as they are.
    fn in_units(self, below: i64) -> Option<i64> {
        let unit = below + 1;
        let keeps = self.step % unit == 0 && self.first.rem_euclid(unit) + self.tags < unit;
        keeps.then_some(self.first & !below)
    }

    /// Moved by every multiple of `scale`.
    pub(crate) fn spread(self, scale: i64) -> Self {
        Self::new(self.first, gcd(self.step, scale), self.tags)
    }

    /// How `size` bytes here and `other_size` bytes at other offsets of the same object lie to each other.
    pub(crate) fn overlap(self, size: u32, other: Self, other_size: u32) -> Overlap {
        let distance = other.first.wrapping_sub(self.first);
        let period = gcd(self.step, other.step);
        let has_tags = self.tags != 0 || other.tags != 0;
        let size = i64::from(size).saturating_add(self.tags);
        let other_size = i64::from(other_size).saturating_add(other.tags);
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
        if !has_tags && after == 0 && size == other_size && before >= size {
            Overlap::Same
        } else if after < size || before < other_size {
            Overlap::Partial
        } else {
            Overlap::Disjoint
        }
    }

    /// Whether `size` bytes here may have some of `other_size` bytes at other offsets of the same object, and are not just these.
    pub(crate) fn is_divided_by(self, size: u32, other: Self, other_size: u32) -> bool {
        let (size, other_size) = (i64::from(size), i64::from(other_size));
        let mut common = (1 - other_size..size).filter(|&behind| self.may_be_behind(other, behind));
        common.any(|behind| behind != 0 || other_size != size)
    }

    /// Whether `size` bytes here may be all among `other_size` bytes at other offsets of the same object.
    pub(crate) fn may_be_within(self, size: u32, other: Self, other_size: u32) -> bool {
        let (size, other_size) = (i64::from(size), i64::from(other_size));
        (size - other_size..=0).any(|behind| self.may_be_behind(other, behind))
    }

    /// Whether some of the other offsets may be so many bytes behind one of these.
    fn may_be_behind(self, other: Self, behind: i64) -> bool {
        let distance = other.first.wrapping_sub(self.first);
        let apart =
            (-self.tags..=other.tags).map(|tags| behind.wrapping_sub(distance).wrapping_sub(tags));
        match gcd(self.step, other.step) {
            0 => apart.into_iter().any(|apart| apart == 0),
            period => apart.into_iter().any(|apart| apart % period == 0),
        }
    }

    /// Those within an object of `size` bytes; none if there is none.
    pub(crate) fn offsets(self, size: u32) -> Option<Offsets> {
        let first = u32::try_from(self.first).ok();
        if self.tags != 0 {
            return Some(Offsets::Any);
        }
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

/// All bits up to the highest one of a number.
fn lowest_bits(number: u32) -> i64 {
    (1 << (u32::BITS - number.leading_zeros())) - 1
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
        let tags = prop_oneof![Just(0i64), 0i64..6];
        (-40i64..40, 0i64..20, tags)
            .prop_map(|(first, step, tags)| Residues::new(first, step, tags))
    }

    fn members(set: Residues) -> Vec<i64> {
        (-200..200)
            .filter(|&n| {
                if set.step == 0 {
                    (set.first..=set.first + set.tags).contains(&n)
                } else {
                    (n - set.first).rem_euclid(set.step) <= set.tags
                }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn operations_keep_all_members(a in residues(), b in residues(), distance in -30i64..30, scale in -9i64..9, tag in 1u32..16) {
            for n in members(a).into_iter().filter(|n| n.abs() < 100) {
                prop_assert!(members(a.join(b)).contains(&n));
                prop_assert!(members(b.join(a)).contains(&n));
                prop_assert!(members(a.add(distance)).contains(&(n + distance)));
                let bits = i64::from(tag);
                prop_assert!(members(a.without_tag(tag)).contains(&(n & !bits)));
                prop_assert!(members(a.with_exact_tag(tag)).contains(&(n | bits)));
                for less in 0..=bits {
                    prop_assert!(members(a.with_tag(tag)).contains(&(n | less)));
                    prop_assert!(members(a.with_tag(tag)).contains(&(n ^ less)));
                }
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
        fn distances_are_those_of_the_members(a in residues(), b in residues(), unit in 1i64..17) {
            for m in members(a).into_iter().filter(|n| n.abs() < 100) {
                for &n in &members(b) {
                    prop_assert!(m == n || (m - n) % unit != 0 || a.may_be_units_apart(b, unit));
                }
                prop_assert!(!a.is_before() || m < 0 || a.tags != 0);
                prop_assert!(!a.is_exact() || (0..=a.tags).contains(&(m - a.first)));
            }
        }

        #[test]
        fn ranges_are_divided_by_members_that_have_a_part(a in residues(), size in 1u32..17, b in residues(), other in 1u32..17) {
            let is_divided = a.is_divided_by(size, b, other);
            let mut found = false;
            for m in members(a).into_iter().filter(|n| n.abs() < 100) {
                for &n in &members(b) {
                    let meet = m < n + i64::from(other) && n < m + i64::from(size);
                    found |= meet && (m != n || other != size);
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
                let is_member = members(set).contains(&i64::from(n));
                prop_assert!(found == is_member || found && set.tags != 0);
            }
        }
    }
}
