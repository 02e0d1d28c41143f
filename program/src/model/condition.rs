//! Dynamic both-moving conditions, where they are evaluated, and the conflicts that they look for (Sec. 4.1 of the paper).

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;

use super::{Bits, GlobalId, LocationId, Operand, TemplateId};

/// Where the phase of a transaction is read and changed (Table 1 of the paper). `instrument::lower_phases` lowers these annotations to
/// statements; until then they mean nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseAnnotation {
    /// If the transaction has committed, it ends here and other threads may run.
    pub yields_if_committed: Mark,
    /// The transaction commits with the statement that follows.
    pub commits: Mark,
    /// For [`Mark::UnlessBothMover`].
    pub both_mover: BothMoverCondition,
}

/// A dynamic both-moving condition (Def. 1 of the paper): in states in which all its parts hold, the statement at a location is a
/// both-mover. Without parts it never holds. No statement of another thread falsifies it while the thread stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BothMoverCondition {
    /// Reachability: no other thread can reach one of these instructions any more.
    pub unreached: BTreeSet<SiteId>,
    /// Static pointer: no other thread can access the same memory at certain instructions any more.
    pub apart: BTreeSet<NoAlias>,
    /// Monotonic atomic: memory does not hold certain values any more.
    pub differs: BTreeSet<MonotonicAtomic>,
    /// Lock pointer: no other thread can reach certain instructions any more without waiting for a mutex of this thread.
    pub locked: BTreeSet<LockPointer>,
}

/// No other thread can reach one of these instructions any more with an address such that the accesses overlap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoAlias {
    /// The instruction whose access this is about.
    pub site: SiteId,
    /// Its address; as wide as an address.
    pub address: Operand,
    /// Its size in bytes.
    pub size: u32,
    /// The instructions of the other threads.
    pub others: BTreeSet<SiteId>,
}

/// No other thread can reach one of these instructions any more without acquiring a mutex first that this thread holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockPointer {
    /// The instruction that took the mutex.
    pub site: SiteId,
    /// The address of the mutex; as wide as an address.
    pub mutex: Operand,
    /// The instructions of the other threads.
    pub others: BTreeSet<SiteId>,
    /// Where the other threads take mutexes.
    pub locks: BTreeSet<SiteId>,
}

/// Memory does not hold this value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MonotonicAtomic {
    /// The instruction whose access this is about.
    pub site: SiteId,
    /// Its address; as wide as an address.
    pub address: Operand,
    /// Of 8, 16, 32 or 64 bits.
    pub value: Bits,
}

/// Whether something happens at a location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// No.
    #[default]
    Never,
    /// Unless the both-moving condition of the statement holds.
    UnlessBothMover,
    /// Yes.
    Always,
}

/// A conflict that [`Statement::TestConflicts`](super::Statement::TestConflicts) looks for. A thread that was not started counts as at its entry, where the value of its
/// parameter is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConflictTest {
    /// Reachability: another thread is at one of these locations, by template.
    CanReach(BTreeMap<TemplateId, BTreeSet<LocationId>>),
    /// Another thread of one of these templates was not started.
    Unstarted(BTreeSet<TemplateId>),
    /// Static pointer: another thread may still perform an access that overlaps this one.
    MayAlias {
        /// As wide as an address.
        address: Operand,
        /// In bytes.
        size: u32,
        /// The accesses of others.
        accesses: Vec<FutureAccess>,
    },
    /// Lock pointer: another thread may still acquire a mutex whose address differs from `address`.
    MayLockOther {
        /// As wide as an address.
        address: Operand,
        /// The accesses of others.
        accesses: Vec<FutureAccess>,
    },
    /// Monotonic atomic: memory holds one of these values, of one width. So it does if the address does not point into a live object.
    CellHolds {
        /// As wide as an address.
        address: Operand,
        /// Of 8, 16, 32 or 64 bits.
        values: BTreeSet<Bits>,
    },
}

/// An access that a thread may still perform, with the symbolic address that it has then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FutureAccess {
    /// The thread's template.
    pub template: TemplateId,
    /// The locations of threads that may still perform it.
    pub locations: BTreeSet<LocationId>,
    /// What the address is computed from while the thread is there.
    pub pointer: AddressSource,
    /// Added to the pointer.
    pub offset: u64,
    /// In bytes.
    pub size: u32,
}

/// The base of a symbolic address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressSource {
    /// What this operand is in that thread.
    Operand(Operand),
    /// What memory holds, as much as an address has, at a byte offset of a global variable.
    Cell(GlobalId, u32),
}

impl AddressSource {
    /// The global variable and the byte offset, if the value comes from memory.
    pub fn cell(self) -> Option<(GlobalId, u32)> {
        match self {
            Self::Cell(global, at) => Some((global, at)),
            Self::Operand(_) => None,
        }
    }
}
