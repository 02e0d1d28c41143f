//! The threads of a deadlock: who waits where, for what, and who holds that.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use explicit::interpret::{Observation, ReplayStep, ReplayedRun};
use program::model::{LocationKind, ObjectId, ObjectKind, Property};

use crate::task::Task;
use crate::trace::{Lives, Lock, Words};

/// The variable of the library that says which threads the one waits for that writes it, as a set.
const AWAITED: &str = "__mazurka_awaited";

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
        let reason = match (lock, holder) {
            (Some(lock), Some(holder)) => format!(" for {lock}, held by {holder}"),
            (Some(awaited), None) | (None, Some(awaited)) => format!(" for {awaited}"),
            (None, None) => String::new(),
        };
        format!("{thread} waits in {function} at {place}{reason}")
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
    let lives = Lives::of(task, &run.steps);
    let words = Words::during(task, &lives, run.steps.len() - 1);
    let waiting = last.into_values().filter_map(|step| {
        let is_last = step.instance == end.instance;
        let library = task.program.sites[step.site].library.as_ref();
        let library = library.filter(|_| is_last || kind(step) == LocationKind::Blocked)?;
        let lock = lock((task, words), run, step.instance);
        Some(Waiting {
            thread: task.names().thread(step.instance),
            function: library.function.clone(),
            place: task.place(step.site),
            holder: awaited(task, run, step.instance),
            lock: lock.map(|lock| lock.name),
            is_last,
        })
    });
    waiting.collect()
}

/// The lock that a thread has looked at last in the call of the library that it is in.
fn lock(
    (task, words): (&Task, Words<'_>),
    run: &ReplayedRun,
    instance: InstanceId,
) -> Option<Lock> {
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

/// The thread that another one waits for: it holds the lock, runs the routine of `pthread_once`, or has to end. The library notes it.
fn awaited(task: &Task, run: &ReplayedRun, instance: InstanceId) -> Option<String> {
    let is_note = |object: ObjectId| {
        let kind = task.instances.objects[object].kind;
        matches!(kind, ObjectKind::Global(variable) if task.program.globals[variable].name == AWAITED)
    };
    let mut own = run.steps.iter().rev();
    let set = own.find_map(|step| {
        let mut events = step.events.iter().filter(|_| step.instance == instance);
        events.find_map(|event| {
            let Observation::Write { object, value, .. } = *event else {
                return None;
            };
            is_note(object).then_some(value.value)
        })
    })?;
    let mut threads = task.instances.threads.keys();
    let is_in = |thread: &InstanceId| set >> thread.number() & 1 == 1;
    threads
        .find(is_in)
        .map(|thread| task.names().thread(thread))
}
