//! Limits of time and memory for an engine, and its cancellation.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::transition_system::Reason;

/// Limits on wall-clock time and on the memory of the process, and a flag that cancels.
///
/// Clones share everything, so the flag can be raised from any thread. An engine that works under a budget asks
/// [`Budget::exhausted`] often enough (at least every 100 ms) and stops with the reason that it gives.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    time: Option<TimeLimit>,
    memory: Option<Arc<MemoryLimit>>,
    /// One flag per level: a child is cancelled with its parents, not the other way round.
    cancelled: Vec<Arc<AtomicBool>>,
}

/// A limit on the time since the budget was made.
#[derive(Clone, Copy, Debug)]
struct TimeLimit {
    /// What the limit is called in reasons.
    named: Duration,
    /// When work stops.
    stops: Duration,
}

/// A limit on the resident set of the process, polled at most every `POLL_MILLISECONDS`.
#[derive(Debug)]
struct MemoryLimit {
    mebibytes: u64,
    exceeded: AtomicBool,
    /// Milliseconds since the start of the budget.
    next_poll: AtomicU64,
}

const POLL_MILLISECONDS: u64 = 20;

impl Budget {
    /// No limits; the clock starts now.
    pub fn unlimited() -> Self {
        Self {
            started: Instant::now(),
            time: None,
            memory: None,
            cancelled: vec![Arc::default()],
        }
    }

    /// Limits the wall-clock time since the budget was made.
    pub fn with_time(self, limit: Duration) -> Self {
        self.with_time_before(limit, Duration::ZERO)
    }

    /// Limits the wall-clock time so that work stops `margin` before the limit, which is named in full: its owner needs
    /// the rest to tell what happened.
    pub fn with_time_before(mut self, limit: Duration, margin: Duration) -> Self {
        self.time = Some(TimeLimit {
            named: limit,
            stops: limit.saturating_sub(margin),
        });
        self
    }

    /// Limits the resident set of the whole process.
    pub fn with_memory(mut self, mebibytes: u64) -> Self {
        self.memory = Some(Arc::new(MemoryLimit {
            mebibytes,
            exceeded: AtomicBool::new(false),
            next_poll: AtomicU64::new(0),
        }));
        self
    }

    /// A budget with the same limits that can be cancelled on its own, and is cancelled with this one.
    pub fn child(&self) -> Self {
        let mut child = self.clone();
        child.cancelled.push(Arc::default());
        child
    }

    /// As [`Budget::child`], and it lasts no longer than `time` from now.
    pub fn child_with_time(&self, time: Duration) -> Self {
        let mut child = self.child();
        let stops = self.elapsed() + time;
        if child.time.is_none_or(|limit| stops < limit.stops) {
            child.time = Some(TimeLimit { named: time, stops });
        }
        child
    }

    /// Asks everybody who works under this budget, or under a child of it, to stop.
    pub fn cancel(&self) {
        if let Some(flag) = self.cancelled.last() {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time left, if it is limited.
    pub fn remaining(&self) -> Option<Duration> {
        let limit = self.time?;
        Some(limit.stops.saturating_sub(self.elapsed()))
    }

    /// Why work has to stop now; `None` while it may go on. Once there is a reason there is always one.
    pub fn exhausted(&self) -> Option<Reason> {
        if self
            .cancelled
            .iter()
            .any(|flag| flag.load(Ordering::Relaxed))
        {
            return Some(Reason::Cancelled);
        }
        if self.time.is_none() && self.memory.is_none() {
            return None;
        }
        let elapsed = self.elapsed();
        if let Some(limit) = self.time.filter(|limit| elapsed >= limit.stops) {
            return Some(Reason::Time(limit.named));
        }
        let memory = self.memory.as_deref()?;
        memory
            .is_exceeded(elapsed)
            .then_some(Reason::Memory(memory.mebibytes))
    }
}

impl MemoryLimit {
    fn is_exceeded(&self, elapsed: Duration) -> bool {
        let now = elapsed.as_millis() as u64;
        if now >= self.next_poll.load(Ordering::Relaxed) {
            self.next_poll
                .store(now + POLL_MILLISECONDS, Ordering::Relaxed);
            if resident_mebibytes().is_some_and(|resident| resident > self.mebibytes) {
                self.exceeded.store(true, Ordering::Relaxed);
            }
        }
        self.exceeded.load(Ordering::Relaxed)
    }
}

/// The resident set of this process in MiB, where the operating system tells.
pub fn resident_mebibytes() -> Option<u64> {
    status_mebibytes("VmRSS:")
}

/// The largest that the resident set of this process has been, in MiB, where the operating system tells.
pub fn peak_mebibytes() -> Option<u64> {
    status_mebibytes("VmHWM:")
}

fn status_mebibytes(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_cancelled_with_its_parent_only() {
        let parent = Budget::unlimited();
        let (one, other) = (parent.child(), parent.child());
        one.cancel();
        assert_eq!(one.exhausted(), Some(Reason::Cancelled));
        assert_eq!(other.exhausted(), None);
        assert_eq!(parent.exhausted(), None);
        parent.clone().cancel();
        assert_eq!(other.exhausted(), Some(Reason::Cancelled));
    }

    #[test]
    fn limits_name_themselves() {
        let budget = Budget::unlimited().with_time(Duration::ZERO);
        assert_eq!(budget.exhausted(), Some(Reason::Time(Duration::ZERO)));
        let half = Duration::from_millis(500);
        let early = Budget::unlimited().with_time_before(half, half);
        let reason = early.exhausted().map(|reason| reason.to_string());
        assert_eq!(reason.as_deref(), Some("time limit of 0.5 s"));
        assert_eq!(
            Budget::unlimited()
                .with_time(Duration::from_secs(3600))
                .exhausted(),
            None
        );
        assert_eq!(
            Budget::unlimited().with_memory(0).exhausted(),
            Some(Reason::Memory(0))
        );
        assert_eq!(Budget::unlimited().with_memory(1 << 40).exhausted(), None);
    }
}
