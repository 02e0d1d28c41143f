//! Gives turns to threads. The thread that has the turn runs; every other thread sleeps in one of the functions here.
//!
//! In these functions, the running thread is the caller itself, which has the turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

use abi::ids::{InstanceId, SiteId};
use abi::native::{REPLAY_VARIABLE, SEED_VARIABLE};
use abi::turns::{Allocation, ExternalLocation};

use crate::current;
use crate::ending;
use crate::phase;
use crate::policy::{Policy, RandomPolicy, Replay};
use crate::real;
use crate::state::{State, ThreadStatus};

/// The turns of this process.
pub static SCHEDULER: LazyLock<Scheduler> = LazyLock::new(|| {
    // Other threads are created by the main thread, so this is it.
    current::is(InstanceId::MAIN);
    real::at_exit(main_returned);
    Scheduler::new(policy())
});

/// Whose turn it is.
#[derive(Debug)]
pub struct Scheduler {
    table: Mutex<Table>,
}

#[derive(Debug)]
struct Table {
    state: State,
    policy: Policy,
    /// Where threads sleep.
    beds: BTreeMap<InstanceId, Arc<Condvar>>,
}

/// What the environment asks for.
fn policy() -> Policy {
    match std::env::var(REPLAY_VARIABLE) {
        Ok(file) => {
            let turns = std::fs::read_to_string(&file).map_err(|error| error.to_string());
            let turns = turns.and_then(|text| text.parse().map_err(|error| format!("{error}")));
            match turns {
                Ok(turns) => Policy::Replay(Box::new(Replay::new(turns))),
                Err(error) => ending::fault(&format!(
                    "cannot follow `{file}` ({REPLAY_VARIABLE}): {error}"
                )),
            }
        }
        Err(_) => {
            let seed = std::env::var(SEED_VARIABLE).ok();
            Policy::Chance(RandomPolicy::new(
                seed.and_then(|text| text.parse().ok()).unwrap_or(0),
            ))
        }
    }
}

impl Scheduler {
    fn new(policy: Policy) -> Self {
        let mut table = Table {
            state: State::new(),
            policy,
            beds: BTreeMap::new(),
        };
        table.wakeup(InstanceId::MAIN);
        Self {
            table: Mutex::new(table),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The running thread is at an external location.
    pub fn pass(&self, thread: InstanceId, site: SiteId) {
        let mut table = self.table();
        table.state.advance();
        let place = ExternalLocation::Yield(site);
        table.state.set(thread, ThreadStatus::External(place));
        table.hand_over();
        self.sleep(thread, table);
    }

    /// The running thread cannot go on before others do. A `retry` follows a wait without having changed anything.
    pub fn wait(&self, thread: InstanceId, retry: bool) {
        phase::check_wait(thread);
        let mut table = self.table();
        if !retry {
            table.state.advance();
        }
        table.state.wait(thread);
        table.hand_over();
        self.sleep(thread, table);
    }

    /// The running thread never goes on.
    pub fn stop(&self, thread: InstanceId) -> ! {
        let mut table = self.table();
        table.state.advance();
        table.state.set(thread, ThreadStatus::Stopped);
        table.hand_over();
        self.sleep(thread, table);
        unreachable!("a stopped thread has no turn")
    }

    /// The running thread has returned; it does not touch shared memory any more.
    pub fn exit(&self, thread: InstanceId, result: usize) {
        let mut table = self.table();
        table.state.advance();
        table.state.set(thread, ThreadStatus::Exited(result));
        if table.state.is_over() {
            // The C library ends the process, too, but not while a sanitizer has a thread of its own.
            drop(table);
            std::process::exit(0);
        }
        table.hand_over();
    }

    /// A thread that is about to be created: it stands at its start.
    pub fn create(&self) -> InstanceId {
        let mut table = self.table();
        let Table { state, policy, .. } = &mut *table;
        let thread = match policy.created(state) {
            Ok(thread) => thread,
            Err(message) => ending::fault(&message),
        };
        table
            .state
            .set(thread, ThreadStatus::External(ExternalLocation::Start));
        table.wakeup(thread);
        thread
    }

    /// A created thread waits for its first turn.
    pub fn begin(&self, thread: InstanceId) {
        self.sleep(thread, self.table());
    }

    /// Where a thread stands, if there is one.
    pub fn status(&self, thread: InstanceId) -> Option<ThreadStatus> {
        self.table().state.status(thread)
    }

    /// A nondeterministic value for the call at a site.
    pub fn input(&self, site: Option<SiteId>) -> u64 {
        self.table().policy.input(site)
    }

    /// What the call at a site allocates, if that is told.
    pub fn allocation(&self, site: SiteId) -> Option<Allocation> {
        self.table().policy.allocation(site)
    }

    /// Whether the turn ends before the access at a site, which takes part in a data race.
    pub fn races(&self, site: SiteId) -> bool {
        self.table().policy.races(site)
    }

    /// Whether the run ends when the running thread meets its end: a violation or a limit. In a replay, one that the
    /// schedule does not mean stops its thread only.
    pub fn ends_in(&self, thread: InstanceId) -> bool {
        match &self.table().policy {
            Policy::Chance(_) => true,
            Policy::Replay(replay) => replay.ends_in(thread),
        }
    }

    /// Whether the turns of a counterexample are followed, and the last one is this thread's.
    pub fn ends_in_replay(&self, thread: InstanceId) -> bool {
        self.is_replay() && self.ends_in(thread)
    }

    /// Whether the turns of a counterexample are followed.
    pub fn is_replay(&self) -> bool {
        matches!(self.table().policy, Policy::Replay(_))
    }

    /// Sleeps until the thread has the turn.
    fn sleep(&self, thread: InstanceId, mut table: MutexGuard<'_, Table>) {
        let bed = table.wakeup(thread);
        while table.state.status(thread) != Some(ThreadStatus::Running) {
            table = bed.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
        real::turn_begins();
    }
}

impl Table {
    fn wakeup(&mut self, thread: InstanceId) -> Arc<Condvar> {
        self.beds.entry(thread).or_default().clone()
    }

    /// Gives the turn to the next thread. The process ends if there is none.
    fn hand_over(&mut self) {
        real::turn_ends();
        match self.policy.next(&self.state) {
            Ok(Some(next)) => {
                self.state.set(next, ThreadStatus::Running);
                self.wakeup(next).notify_one();
            }
            Ok(None) => ending::stuck(&self.state.to_string()),
            Err(message) => ending::fault(&message),
        }
    }
}

/// The process is about to end. The model's threads go on then, and a counterexample may need that.
extern "C" fn main_returned() {
    if SCHEDULER.is_replay() {
        SCHEDULER.stop(current::thread());
    }
}
