//! The threads of a deadlock: who waits where.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use explicit::interpret::{Observation, ReplayStep, ReplayedRun};
use program::model::LocationKind;

use crate::task::Task;
use crate::trace::Words;

/// Where the other threads wait for good when the last step of a run says so of its thread, and for what; `None` if there are none.
pub(crate) fn waiting(task: &Task, run: &ReplayedRun) -> Option<String> {
    let mut last: BTreeMap<InstanceId, &ReplayStep> = BTreeMap::new();
    for step in &run.steps {
        last.insert(step.instance, step);
    }
    let waiting = last.into_values().filter_map(|step| {
        let template = &task.program.templates[task.instances.threads[step.instance].template];
        let kind = template.locations[step.location].kind;
        let library = task.program.sites[step.site].library.as_ref();
        let library = library.filter(|_| kind == LocationKind::Blocked)?;
        let lock = lock(task, run, step.instance);
        let lock = lock.map_or_else(String::new, |name| format!(" for {name}"));
        Some(format!(
            "`{}` waits{lock} in {} at {}",
            task.names().thread(step.instance),
            library.function,
            task.place(step.site)
        ))
    });
    let waiting: Vec<String> = waiting.collect();
    (!waiting.is_empty()).then(|| format!("while {}", waiting.join(", ")))
}

/// The lock that a thread has looked at last.
fn lock(task: &Task, run: &ReplayedRun, instance: InstanceId) -> Option<String> {
    let words = Words::new(task);
    let steps = run.steps.iter().rev();
    let mut own = steps.filter(|step| step.instance == instance);
    own.find_map(|step| {
        let mut events = step.events.iter().rev();
        events.find_map(|event| {
            let Observation::Read { object, offset, .. } = *event else {
                return None;
            };
            (!words.is_of_library(object)).then(|| words.lock(object, offset))
        })
    })
    .filter(|lock| lock.is_typed)
    .map(|lock| lock.name)
}
