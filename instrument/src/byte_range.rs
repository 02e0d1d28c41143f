//! Ranges of bytes within an object whose first byte is known only as [`Offsets`].

use program::points_to::Offsets;

/// Some run of `size` bytes that starts at one of the offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRange {
    pub offsets: Offsets,
    pub size: u32,
}

impl ByteRange {
    /// Whether two ranges of the same object may have a byte in common.
    pub fn overlaps(self, other: Self) -> bool {
        match (self.offsets, other.offsets) {
            (Offsets::Any, _) | (_, Offsets::Any) => true,
            (Offsets::Exact(first), Offsets::Exact(second)) => {
                let (first, second) = (u64::from(first), u64::from(second));
                first < second + u64::from(other.size) && second < first + u64::from(self.size)
            }
            (Offsets::Stride { first, step }, Offsets::Exact(second)) => {
                meets(first, step, self.size, second, other.size)
            }
            (
                Offsets::Exact(first),
                Offsets::Stride {
                    first: second,
                    step,
                },
            ) => meets(second, step, other.size, first, self.size),
            (
                Offsets::Stride { first, step },
                Offsets::Stride {
                    first: second,
                    step: other_step,
                },
            ) => {
                let period = u64::from(greatest_common_divisor(step, other_step).max(1));
                let distance =
                    (i64::from(second) - i64::from(first)).rem_euclid(period as i64) as u64;
                distance < u64::from(self.size) || distance + u64::from(other.size) > period
            }
        }
    }

    /// Whether two ranges of the same object have all of their bytes in common or none.
    pub fn same_or_apart(self, other: Self) -> bool {
        let in_phase = || match (self.phase(), other.phase()) {
            (Some(phase), Some(other)) => phase == other,
            (None, _) | (_, None) => false,
        };
        !self.overlaps(other) || self.size == other.size && (in_phase() || self.steps_over(other))
    }

    /// Whether the distances between all possible offsets are multiples of a number that is not less than the size.
    fn steps_over(self, other: Self) -> bool {
        let (Some((first, step)), Some((second, other_step))) = (self.start(), other.start())
        else {
            return false;
        };
        match greatest_common_divisor(step, other_step) {
            0 => first == second,
            period => period >= self.size && first.abs_diff(second) % period == 0,
        }
    }

    /// The first offset and the distance between offsets.
    fn start(self) -> Option<(u32, u32)> {
        match self.offsets {
            Offsets::Exact(offset) => Some((offset, 0)),
            Offsets::Stride { first, step } => Some((first, step)),
            Offsets::Any => None,
        }
    }

    /// The remainder of all possible offsets by the size, if they have the same.
    fn phase(self) -> Option<u32> {
        match self.offsets {
            Offsets::Exact(offset) => offset.checked_rem(self.size),
            Offsets::Stride { first, step } if step.checked_rem(self.size) == Some(0) => {
                first.checked_rem(self.size)
            }
            Offsets::Stride { .. } | Offsets::Any => None,
        }
    }
}

/// Whether `size` bytes at some `first + k * step` meet `other_size` bytes at `other`.
fn meets(first: u32, step: u32, size: u32, other: u32, other_size: u32) -> bool {
    let [first, step, size, other, other_size] =
        [first, step, size, other, other_size].map(u64::from);
    // The first run that does not end before `other`.
    let skipped = (other + 1)
        .saturating_sub(first + size)
        .div_ceil(step.max(1));
    first + skipped * step < other + other_size && size > 0
}

/// 0 for two zeros.
fn greatest_common_divisor(first: u32, second: u32) -> u32 {
    if second == 0 {
        first
    } else {
        greatest_common_divisor(second, first % second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LENGTH: u32 = 64;

    fn offsets() -> impl Strategy<Value = Offsets> {
        prop_oneof![
            (0..LENGTH).prop_map(Offsets::Exact),
            (2u32..12, 0u32..12).prop_map(|(step, first)| Offsets::Stride {
                first: first % step,
                step
            }),
            Just(Offsets::Any),
        ]
    }

    /// Every range of bytes that is meant, within an object of `LENGTH` bytes.
    fn concrete(range: ByteRange) -> Vec<(u32, u32)> {
        let starts: Vec<u32> = match range.offsets {
            Offsets::Exact(offset) => vec![offset],
            Offsets::Stride { first, step } => (first..LENGTH).step_by(step as usize).collect(),
            Offsets::Any => (0..LENGTH).collect(),
        };
        starts
            .into_iter()
            .map(|start| (start, start + range.size))
            .collect()
    }

    proptest! {
        #[test]
        fn disjoint_ranges_share_no_byte(a in offsets(), b in offsets(), sizes in (1u32..9, 1u32..9)) {
            let (a, b) = (ByteRange { offsets: a, size: sizes.0 }, ByteRange { offsets: b, size: sizes.1 });
            prop_assert_eq!(a.overlaps(b), b.overlaps(a));
            for (start, end) in concrete(a) {
                for (other_start, other_end) in concrete(b) {
                    let common = start < other_end && other_start < end;
                    prop_assert!(!common || a.overlaps(b));
                    let same = (start, end) == (other_start, other_end);
                    prop_assert!(!common || same || !a.same_or_apart(b));
                }
            }
        }
    }

    #[test]
    fn elements_of_arrays_are_the_same_or_apart() {
        let field = |offsets| ByteRange { offsets, size: 20 };
        let elements = field(Offsets::Stride { first: 4, step: 48 });
        assert!(elements.same_or_apart(elements));
        assert!(elements.same_or_apart(field(Offsets::Exact(100))));
        assert!(!elements.same_or_apart(field(Offsets::Exact(101))));
    }

    #[test]
    fn fields_of_array_elements_are_apart() {
        let field = |first| ByteRange {
            offsets: Offsets::Stride { first, step: 8 },
            size: 4,
        };
        assert!(!field(0).overlaps(field(4)));
        assert!(field(4).overlaps(field(4)));
        assert!(!field(4).overlaps(ByteRange {
            offsets: Offsets::Exact(16),
            size: 4
        }));
    }
}
