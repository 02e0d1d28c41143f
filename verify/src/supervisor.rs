//! Limits of time and memory for the whole process and its children.
//!
//! The work runs in a thread of its own with a large stack; the main thread waits for its result and checks clock and
//! memory meanwhile. Engines check their budget as well, so that they usually stop by themselves and can report their
//! progress. The supervisor covers everything else: clang, LLVM, encoding, one long solver query, native runs.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use process::uses_more_than;
use system::transition_system::Reason;

/// What the process and its children may use together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory in MiB.
    pub mebibytes: Option<u64>,
}

/// How supervised work ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended<T> {
    /// With a result.
    Done(T),
    /// At a limit of time or memory. Work and children go on.
    Limit(Reason),
    /// With a panic; its message stands on standard error.
    Panicked,
    /// Before it began: the system has no room for it.
    NotStarted,
}

/// Engines stop at most this long before the process does, so that their own account of the limit is heard.
const LONGEST_GRACE: Duration = Duration::from_millis(500);

/// How long before a time limit engines stop.
pub fn grace(limit: Duration) -> Duration {
    (limit / 5).min(LONGEST_GRACE)
}

const POLL: Duration = Duration::from_millis(20);
/// Enough for recursion over the terms of any system that fits into memory.
pub(crate) const STACK: usize = 1 << 30;

/// Runs `work` until it is done or a limit is reached. In the second case the work goes on in its thread, and the caller
/// is expected to end first the children ([`process::end_all`]) and then the process.
pub fn supervise<T: Send + 'static>(
    limits: Limits,
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    let start = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let spawned = thread::Builder::new()
        .name("verify".into())
        .stack_size(STACK)
        .spawn(move || {
            // The receiver is gone only when the process is about to end.
            let _ = sender.send(work());
        });
    if let Err(error) = spawned {
        tracing::error!(
            "cannot start a thread with a stack of {STACK} bytes: {error}; raise the limit of memory (ulimit -v)"
        );
        return Ended::NotStarted;
    }
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(result) => return Ended::Done(result),
            Err(RecvTimeoutError::Disconnected) => return Ended::Panicked,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(time) = limits.time.filter(|&limit| start.elapsed() >= limit) {
            return Ended::Limit(Reason::Time(time));
        }
        if let Some(mebibytes) = limits.mebibytes.filter(|&limit| uses_more_than(limit)) {
            return Ended::Limit(Reason::Memory(mebibytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_ends_gives_its_result() {
        assert_eq!(supervise(Limits::default(), || 7), Ended::Done(7));
    }

    #[test]
    fn work_that_does_not_end_meets_the_clock() {
        let limits = Limits {
            time: Some(Duration::ZERO),
            mebibytes: None,
        };
        assert_eq!(
            supervise(limits, || thread::sleep(Duration::from_secs(3600))),
            Ended::Limit(Reason::Time(Duration::ZERO))
        );
    }

    #[test]
    fn work_that_grows_meets_the_memory_limit() {
        let limits = Limits {
            time: None,
            mebibytes: system::budget::resident_mebibytes().map(|resident| resident + 32),
        };
        let grown = supervise(limits, || {
            // Otherwise the compiler removes memory that no code reads.
            let block = std::hint::black_box(vec![1u8; 256 << 20]);
            thread::sleep(Duration::from_secs(3600));
            block.len()
        });
        assert!(
            matches!(grown, Ended::Limit(Reason::Memory(_))),
            "{grown:?}"
        );
    }

    #[test]
    fn a_panic_is_told_apart() {
        assert_eq!(
            supervise(Limits::default(), || std::panic::panic_any(())),
            Ended::<()>::Panicked
        );
    }
}
