//! Sets of byte offsets within an object, and the words of memory that lie there.

use std::collections::BTreeSet;
use std::ops::Range;

use super::DataModel;

/// Byte offsets within an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offsets {
    /// This one.
    Exact(u32),
    /// `first + k * step` for every `k` from 0 for which it lies within the object; `first < step`.
    Stride {
        /// The smallest.
        first: u32,
        /// The distance, at least 2.
        step: u32,
    },
    /// Every offset.
    Any,
}

impl Offsets {
    /// Whether this is one of them.
    pub fn contains(self, offset: u32) -> bool {
        match self {
            Self::Exact(only) => only == offset,
            Self::Stride { first, step } => offset % step == first,
            Self::Any => true,
        }
    }
}

/// Where in an object words may lie that hold addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub BTreeSet<Offsets>);

impl FromIterator<Offsets> for Words {
    fn from_iter<I: IntoIterator<Item = Offsets>>(offsets: I) -> Self {
        Self(offsets.into_iter().collect())
    }
}

impl Words {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first bytes of those that have some of the `size` bytes from `offset` on, but are not just these.
    pub fn divided(
        &self,
        data_model: DataModel,
        offset: u32,
        size: u32,
    ) -> impl Iterator<Item = u32> + '_ {
        let word = data_model.address_bytes();
        let end = offset.saturating_add(size);
        let starts = offset.saturating_sub(word - 1)..end;
        starts.filter(move |&start| {
            let is_whole = offset == start && size == word;
            !is_whole && self.0.iter().any(|offsets| offsets.contains(start))
        })
    }

    /// The bytes that a word has in common with `size` bytes from `offset` on.
    pub fn common(data_model: DataModel, start: u32, offset: u32, size: u32) -> Range<u32> {
        start.max(offset)
            ..start
                .saturating_add(data_model.address_bytes())
                .min(offset.saturating_add(size))
    }
}
