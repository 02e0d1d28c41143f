//! Which wake-ups of threads that wait for a condition variable are spurious.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use program::model::ObjectId;

/// A condition variable: the object that contains it, and where it starts.
type Condition = (ObjectId, u32);

/// Who waits for a condition variable, and what was done to wake threads.
#[derive(Default)]
struct Waiting {
    /// Whether each thread that waits was woken by a broadcast.
    threads: BTreeMap<InstanceId, bool>,
    /// How many of the others were woken by signals, and have not gone on yet.
    signals: usize,
}

/// The threads that wait for condition variables.
#[derive(Default)]
pub(super) struct Wakeups {
    conditions: BTreeMap<Condition, Waiting>,
}

impl Wakeups {
    /// A thread begins to wait.
    pub fn wait(&mut self, condition: Condition, thread: InstanceId) {
        let waiting = self.conditions.entry(condition).or_default();
        waiting.threads.insert(thread, false);
    }

    /// A signal is for one thread that waits; if none does, it has no effect.
    pub fn signal(&mut self, condition: Condition) {
        let waiting = self.conditions.entry(condition).or_default();
        let sleeping = waiting.threads.values().filter(|woken| !**woken).count();
        waiting.signals = sleeping.min(waiting.signals + 1);
    }

    /// A broadcast is for all that wait.
    pub fn broadcast(&mut self, condition: Condition) {
        let waiting = self.conditions.entry(condition).or_default();
        waiting.threads.values_mut().for_each(|woken| *woken = true);
        waiting.signals = 0;
    }

    /// A thread goes on; says whether that is spurious.
    pub fn wake(&mut self, condition: Condition, thread: InstanceId) -> bool {
        let waiting = self.conditions.entry(condition).or_default();
        match waiting.threads.remove(&thread) {
            Some(true) => false,
            Some(false) | None if waiting.signals > 0 => {
                waiting.signals -= 1;
                false
            }
            Some(false) | None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wake_up_without_signal_is_spurious() {
        let condition = (ObjectId::from_u32(0), 0);
        let other = (ObjectId::from_u32(0), 48);
        let [first, second] = [1, 2].map(InstanceId);
        let mut wakeups = Wakeups::default();
        // Nobody waits yet.
        wakeups.signal(condition);
        wakeups.wait(condition, first);
        wakeups.wait(condition, second);
        wakeups.signal(other);
        wakeups.signal(condition);
        assert!(!wakeups.wake(condition, second));
        assert!(wakeups.wake(condition, first));
        wakeups.wait(condition, first);
        wakeups.wait(condition, second);
        wakeups.broadcast(condition);
        assert!(!wakeups.wake(condition, first));
        assert!(!wakeups.wake(condition, second));
    }
}
