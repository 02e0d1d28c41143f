//! The status of every thread.

use std::collections::BTreeMap;
use std::fmt;

use abi::ids::InstanceId;
use abi::turns::ExternalLocation;

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadStatus {
    /// It has the turn.
    Running,
    /// It is at an external location, the one that it publishes.
    External(ExternalLocation),
    /// It found that it had to wait when there was so much progress, for a mutex, another thread or a condition.
    Waiting {
        /// As [`State::progress`].
        since: u64,
    },
    /// It never goes on: an assumption was false.
    Stopped,
    /// It has returned this value.
    Exited(usize),
}

/// All threads.
#[derive(Debug)]
pub struct State {
    standing: BTreeMap<InstanceId, ThreadStatus>,
    /// How often a thread did something that another one may wait for.
    progress: u64,
}

impl State {
    /// The main thread runs.
    pub fn new() -> Self {
        Self {
            standing: BTreeMap::from([(InstanceId::MAIN, ThreadStatus::Running)]),
            progress: 0,
        }
    }

    /// Where a thread stands, if there is one.
    pub fn status(&self, thread: InstanceId) -> Option<ThreadStatus> {
        self.standing.get(&thread).copied()
    }

    /// Moves a thread, or adds it.
    pub fn set(&mut self, thread: InstanceId, standing: ThreadStatus) {
        self.standing.insert(thread, standing);
    }

    /// Says that others may find what they wait for.
    pub fn advance(&mut self) {
        self.progress += 1;
    }

    /// Lets a thread wait until there is progress.
    pub fn wait(&mut self, thread: InstanceId) {
        let since = self.progress;
        self.set(thread, ThreadStatus::Waiting { since });
    }

    /// The least number that no thread has.
    pub fn unused(&self) -> InstanceId {
        let next = self.standing.keys().next_back();
        InstanceId(next.map_or(0, |last| last.0 + 1))
    }

    /// The threads that can have the next turn, in ascending order.
    pub fn ready(&self) -> impl Iterator<Item = InstanceId> {
        let ready = |standing: &ThreadStatus| match *standing {
            ThreadStatus::External(_) => true,
            ThreadStatus::Waiting { since } => since < self.progress,
            ThreadStatus::Running | ThreadStatus::Stopped | ThreadStatus::Exited(_) => false,
        };
        let threads = self.standing.iter();
        threads.filter_map(move |(&thread, standing)| ready(standing).then_some(thread))
    }

    /// Whether all threads have returned.
    pub fn is_over(&self) -> bool {
        let exited = |standing: &ThreadStatus| matches!(standing, ThreadStatus::Exited(_));
        self.standing.values().all(exited)
    }
}

impl fmt::Display for ThreadStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("runs"),
            Self::External(ExternalLocation::Start) => f.write_str("is at its start"),
            Self::External(ExternalLocation::Yield(site)) => {
                write!(f, "is at the yield with site {}", site.0)
            }
            Self::Waiting { .. } => f.write_str("waits"),
            Self::Stopped => f.write_str("is stopped by a false assumption"),
            Self::Exited(_) => f.write_str("has returned"),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (thread, standing) in &self.standing {
            write!(f, "{separator}{thread} {standing}")?;
            separator = ", ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_ready_again_only_after_progress() {
        let mut state = State::new();
        state.wait(InstanceId::MAIN);
        assert_eq!(state.ready().count(), 0);
        state.advance();
        assert_eq!(state.ready().collect::<Vec<_>>(), [InstanceId::MAIN]);
        state.wait(InstanceId::MAIN);
        assert_eq!(state.ready().count(), 0);
    }

    #[test]
    fn a_run_is_over_when_all_have_returned_and_not_when_one_is_stopped() {
        let mut state = State::new();
        let second = state.unused();
        state.set(second, ThreadStatus::Exited(0));
        state.set(InstanceId::MAIN, ThreadStatus::Stopped);
        assert!(!state.is_over());
        state.set(InstanceId::MAIN, ThreadStatus::Exited(0));
        assert!(state.is_over());
        assert_eq!(second, InstanceId(1));
    }
}
