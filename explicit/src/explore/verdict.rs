//! The result of a search, and the reasons why it may be no proof.

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;
use program::model::{HeapSite, LimitKind, Property, Undefined};
use program::names::Names;
use system::transition_system::{Reason, Verdict};

/// What a search found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The answer.
    pub verdict: SearchVerdict,
    /// Number of different states kept.
    pub states: u64,
    /// Number of turns taken from these states.
    pub transitions: u64,
    /// Number of statements executed in these turns.
    pub statements: u64,
}

/// What a search says: all states were seen and none is bad; a run reaches an error; or what was left out, in order.
pub type SearchVerdict = Verdict<(), FoundViolation, Vec<Incompleteness>>;

/// A reachable error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundViolation {
    /// A run that ends in the error, for [`crate::interpret::replay`].
    pub schedule: Schedule,
    /// The thread that is there.
    pub instance: InstanceId,
    /// The site of the edge that leads to it.
    pub site: SiteId,
    /// What is violated.
    pub property: Property,
}

/// Why a search is not complete.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Incompleteness {
    /// A limit location was reached: real runs may go on.
    #[error("{kind} at {site}")]
    Location {
        /// Which limit.
        kind: LimitMet,
        /// The site of the edge that leads there.
        site: SiteId,
    },
    /// More than [`super::SearchLimits::complete_width`] allows would have to be tried of a nondeterministic value, and only some were.
    #[error("only some values of {what} were tried at {site}")]
    Sampled {
        /// Its width in bits.
        width: u32,
        /// What it is, in the user's words: "`x`", "the result of `clock`".
        what: String,
        /// The statement that asked for it.
        site: SiteId,
    },
    /// [`super::SearchLimits::states`].
    #[error("limit of {0} states")]
    States(u64),
    /// [`super::SearchLimits::turns`].
    #[error("limit of {0} turns")]
    Turns(u64),
    /// [`super::SearchLimits::memory`], in bytes.
    #[error("memory limit of {0} bytes")]
    Memory(u64),
    /// [`super::SearchLimits::budget`].
    #[error("{0}")]
    Stopped(Reason),
}

impl Incompleteness {
    /// Whether the search ended for this reason before everything within reach was seen.
    pub fn ends_search(&self) -> bool {
        match self {
            Self::States(_) | Self::Turns(_) | Self::Memory(_) | Self::Stopped(_) => true,
            Self::Location { .. } | Self::Sampled { .. } => false,
        }
    }
}

/// A limit location that was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LimitMet {
    /// The statement has no defined meaning, for this reason where it is known.
    #[error("undefined behaviour ({0})")]
    Undefined(String),
    /// More threads than are enumerated.
    #[error("more threads than enumerated (raise --threads)")]
    Threads,
    /// More or larger heap objects than are enumerated.
    #[error(
        "more heap objects than enumerated (raise --heap), or one of a computed size above {} bytes",
        HeapSite::RESERVED
    )]
    Heap,
    /// Deeper recursion than unrolled.
    #[error("deeper recursion than unrolled (raise --recursion)")]
    Recursion,
    /// A construct that is not read.
    #[error("unsupported {0}")]
    Unsupported(String),
}

impl LimitMet {
    /// `freed` is as in [`Names::undefined_at`].
    pub(super) fn new(
        names: Names<'_>,
        kind: LimitKind,
        (undefined, site): (Option<Undefined>, SiteId),
        freed: Option<SiteId>,
    ) -> Self {
        match kind {
            LimitKind::Undefined => {
                let words = names.undefined_at(undefined, site, freed);
                match names.is_of_unread(undefined) {
                    true => Self::Unsupported(words),
                    false => Self::Undefined(words),
                }
            }
            LimitKind::Threads => Self::Threads,
            LimitKind::Heap => Self::Heap,
            LimitKind::Recursion => Self::Recursion,
            LimitKind::Unsupported(id) => {
                Self::Unsupported(names.program.unsupported[id].what.clone())
            }
        }
    }
}
