//! Where a thread ends up that does not go on.

use program::model::{LimitKind, LocationKind, Property};

/// Why a thread may not go on. Locations of the same kind are one value of the program counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sink {
    /// It has returned.
    Exited,
    /// A property is violated.
    Error(Property),
    /// The whole run has ended.
    Halted,
    /// A false assumption.
    Blocked,
    /// A limit of the program.
    Limit {
        /// Which.
        kind: LimitKind,
        /// Whether it was met inside an atomic region, so that no thread goes on.
        atomic: bool,
    },
    /// A limit of the encoding.
    NotEncoded {
        /// Which.
        what: NotEncoded,
        /// Whether it was met inside an atomic region.
        atomic: bool,
    },
}

/// What this crate does not encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotEncoded {
    /// An access to an object of too many cells, or with too many possible addresses.
    LargeObject,
    /// An access through an address that the pointer analysis could not follow.
    UnknownAddress,
    /// An invalid access that may be to an object of which not everything is read. Only an access to others violates a property.
    UnreadObject,
}

impl Sink {
    /// Where a thread is at a location of this kind, which it reached inside an atomic region or not; `None` where it may go on.
    pub fn of(kind: LocationKind, atomic: bool) -> Option<Self> {
        Some(match kind {
            LocationKind::Ordinary => return None,
            LocationKind::Exited => Self::Exited,
            LocationKind::Error(property) => Self::Error(property),
            LocationKind::Halted => Self::Halted,
            LocationKind::Blocked => Self::Blocked,
            LocationKind::Limit(kind) => Self::Limit { kind, atomic },
        })
    }

    /// Whether no other thread may run either.
    pub fn is_exclusive(self) -> bool {
        match self {
            Self::Halted => true,
            Self::Limit { atomic, .. } | Self::NotEncoded { atomic, .. } => atomic,
            Self::Exited | Self::Error(_) | Self::Blocked => false,
        }
    }
}
