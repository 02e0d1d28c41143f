//! The phase of the calling thread's transaction, and the check that a committed transaction can end.

use std::cell::Cell;
use std::sync::LazyLock;

use abi::ids::InstanceId;
use abi::native::CHECK_VARIABLE;

use crate::ending;

static CHECKS: LazyLock<bool> = LazyLock::new(|| std::env::var_os(CHECK_VARIABLE).is_some());

thread_local! {
    static PHASE: Cell<Phase> = const { Cell::new(Phase::Pre) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Pre,
    /// The statement that commits is next, or was a memory access, which the runtime does not see.
    Committing,
    Post,
}

/// A new transaction begins.
pub fn begin() {
    PHASE.set(Phase::Pre);
}

/// The statement that is next commits the transaction.
pub fn commit() {
    if PHASE.get() == Phase::Pre {
        PHASE.set(Phase::Committing);
    }
}

/// Whether the transaction has committed.
pub fn has_committed() -> bool {
    PHASE.get() != Phase::Pre
}

/// The thread has synchronised, and not waited for it.
pub fn step() {
    if has_committed() {
        PHASE.set(Phase::Post);
    }
}

/// The thread has to wait. A transaction that has committed must be able to end (Def. 5 of the paper): otherwise no
/// other thread would ever observe its effect in the reduced system. So the location before the waiting statement has
/// to be external if the transaction has committed.
pub fn check_wait(thread: InstanceId) {
    if *CHECKS && PHASE.get() == Phase::Post {
        ending::fault(&format!(
            "phase check: {thread} waits in the post phase of its transaction"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_itself_is_not_in_the_post_phase() {
        step();
        commit();
        assert!(PHASE.get() == Phase::Committing);
        step();
        commit();
        assert!(PHASE.get() == Phase::Post);
        begin();
        assert!(!has_committed());
    }
}
