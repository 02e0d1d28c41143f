//! The mover type of a statement with its reason, and the reason why a location is external.

use abi::ids::SiteId;
use program::model::{EdgeId, GlobalId, ObjectId, TemplateId};

use crate::mover_type::MoverType;

/// The mover type of a statement, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classification {
    /// How it moves.
    pub mover_type: MoverType,
    /// The strongest reason why it does so, or the first one why it does not move further.
    pub reason: MoverReason,
}

/// Why a statement has its mover type. Reasons for moving come first, in the order in which they say more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoverReason {
    /// It touches only registers.
    Private,
    /// No other thread touches this object.
    ThreadLocal(ObjectId),
    /// No other thread that touches the object may be about to do so at the same time.
    Apart(ObjectId),
    /// No other thread runs.
    Alone,
    /// Others only read what it reads.
    OnlyRead(ObjectId),
    /// Others only update the object in a way that commutes.
    Commutes(ObjectId),
    /// All that conflict with it hold this mutex: object and byte offset.
    Protected(ObjectId, u32),
    /// All that conflict with it hold the mutex that this variable points to.
    ProtectedThrough(GlobalId),
    /// All that access this object hold the mutex at the same distance from what they access.
    ProtectedBeside(ObjectId),
    /// It takes a mutex, and may have to wait.
    Acquires,
    /// It releases a mutex.
    Releases,
    /// It waits for a thread to exit.
    Joins,
    /// It starts a thread.
    Starts,
    /// It ends its thread.
    Exits,
    /// It ends the run.
    Halts,
    /// It is an atomic region that may stop the run: by a false assumption or by running for ever.
    Stops,
    /// Another thread may start the same template.
    Competes(TemplateId),
    /// A statement of another thread touches the same object, or may if it is absent.
    Conflicts {
        /// What both touch, if it is known.
        object: Option<ObjectId>,
        /// Whose statement it is.
        template: TemplateId,
        /// Which statement.
        site: SiteId,
    },
}

/// Why a location is external.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YieldReason {
    /// This statement is visible, and nothing is reduced.
    Visible(EdgeId),
    /// The transaction may have committed, and this statement does not move left.
    AfterCommit(EdgeId),
    /// It cuts a cycle, so that the transaction ends.
    Cycle,
}

impl Classification {
    /// A both mover without any access.
    pub(crate) const PRIVATE: Self = Self {
        mover_type: MoverType::Both,
        reason: MoverReason::Private,
    };

    pub(crate) fn new(mover_type: MoverType, reason: MoverReason) -> Self {
        Self { mover_type, reason }
    }

    /// What holds of a statement of which both hold.
    pub(crate) fn meet(self, other: Self) -> Self {
        let mover_type = self.mover_type.meet(other.mover_type);
        let says_more = mover_type == MoverType::Both && other.reason > self.reason;
        let reason = if mover_type == self.mover_type && !says_more {
            self.reason
        } else {
            other.reason
        };
        Self { mover_type, reason }
    }

    /// The same for all others. None is asked for once nothing moves any more.
    pub(crate) fn meet_all(self, others: impl IntoIterator<Item = Self>) -> Self {
        let mut others = others.into_iter();
        let mut all = self;
        while all.mover_type != MoverType::Non
            && let Some(other) = others.next()
        {
            all = all.meet(other);
        }
        all
    }
}
