//! The threads of a deadlock: who waits where, for what, and who holds that.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use explicit::interpret::{Observation, ReplayStep, ReplayedRun};
use program::model::{LocationKind, Property};

use crate::task::Task;
use crate::trace::{Lock, Words};

/// A thread that waits for good at the end of a run.
struct Waiting {
    thread: String,
    /// The library function that it waits in, and where that is called.
    function: String,
    place: String,
    /// What it waits for, if that is known.
    lock: Option<String>,
    /// Who holds that.
    holder: Option<String>,
    /// Whether it is the one that waits last: the violation is told of it.
    is_last: bool,
}

/// Where the other threads wait for good when the last step of a run says so of its thread, and for what; `None` if there are none.
pub(crate) fn others(task: &Task, run: &ReplayedRun) -> Option<String> {
    let all = all(task, run).into_iter();
    let others = all.filter(|waiting| !waiting.is_last).map(|waiting| {
        let Waiting {
            thread,
            function,
            place,
            lock,
            ..
        } = waiting;
        let lock = lock.map_or_else(String::new, |name| format!(" for {name}"));
        format!("`{thread}` waits{lock} in {function} at {place}")
    });
    let others: Vec<String> = others.collect();
    (!others.is_empty()).then(|| format!("while {}", others.join(", ")))
}

/// Who waits where, for what, held by whom, line by line; nothing of a run that ends in no deadlock.
pub(crate) fn table(task: &Task, run: &ReplayedRun) -> Vec<String> {
    let lines = all(task, run).into_iter().map(|waiting| {
        let Waiting {
            thread,
            function,
            place,
            lock,
            holder,
            ..
        } = waiting;
        let lock = lock.map_or_else(String::new, |name| format!(" for {name}"));
        let holder = holder.map_or_else(String::new, |holder| format!(", held by {holder}"));
        format!("{thread} waits in {function} at {place}{lock}{holder}")
    });
    lines.collect()
}

/// The threads that wait for good at the end of a run, in the order of their creation; none if it ends in no deadlock.
fn all(task: &Task, run: &ReplayedRun) -> Vec<Waiting> {
    let kind = |step: &ReplayStep| {
        let template = &task.program.templates[task.instances.threads[step.instance].template];
        template.locations[step.location].kind
    };
    let end = run.steps.last();
    let Some(end) = end.filter(|end| kind(end) == LocationKind::Error(Property::NoDeadlock)) else {
        return Vec::new();
    };
    let mut last: BTreeMap<InstanceId, &ReplayStep> = BTreeMap::new();
    for step in &run.steps {
        last.insert(step.instance, step);
    }
    let waiting = last.into_values().filter_map(|step| {
        let is_last = step.instance == end.instance;
        let library = task.program.sites[step.site].library.as_ref();
        let library = library.filter(|_| is_last || kind(step) == LocationKind::Blocked)?;
        let lock = lock(task, run, step.instance);
        Some(Waiting {
            thread: task.names().thread(step.instance),
            function: library.function.clone(),
            place: task.place(step.site),
            holder: lock.as_ref().and_then(|lock| holder(task, run, lock)),
            lock: lock.map(|lock| lock.name),
            is_last,
        })
    });
    waiting.collect()
}

/// The lock that a thread has looked at last in the call of the library that it is in.
fn lock(task: &Task, run: &ReplayedRun, instance: InstanceId) -> Option<Lock> {
    let words = Words::new(task);
    let steps = run.steps.iter().rev();
    let own = steps.filter(|step| step.instance == instance);
    let call = |step: &ReplayStep| task.program.sites[step.site].library.as_ref();
    let now = own.clone().next().and_then(call);
    let mut own = own.take_while(|step| call(step) == now);
    let lock = own.find_map(|step| {
        let mut events = step.events.iter().rev();
        events.find_map(|event| {
            let Observation::Read { object, offset, .. } = *event else {
                return None;
            };
            (!words.is_of_library(object)).then(|| words.lock(object, offset))
        })
    });
    lock.filter(|lock| lock.is_typed)
}

/// The thread that holds a mutex at the end of a run.
fn holder(task: &Task, run: &ReplayedRun, lock: &Lock) -> Option<String> {
    let words = Words::new(task);
    let is_it = |object, offset| {
        let other = words.lock(object, offset);
        (other.object, other.offset) == (lock.object, lock.offset)
    };
    let mut holders = Vec::new();
    for step in &run.steps {
        for event in &step.events {
            if let Observation::Acquired { object, offset } = *event
                && is_it(object, offset)
            {
                holders.push(step.instance);
            }
            if let Observation::Released { object, offset } = *event
                && is_it(object, offset)
            {
                holders.pop();
            }
        }
    }
    holders
        .last()
        .map(|&instance| task.names().thread(instance))
}
