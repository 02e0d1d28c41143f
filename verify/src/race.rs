//! The other access of a data race: the one that a thread has announced.

use explicit::interpret::{Observation, ReplayedRun};
use program::model::{ObjectId, ObjectKind};

use crate::task::Task;
use crate::trace::Words;

/// Which access a thread is about to make at the end of a run, with its place.
pub(crate) fn announced(task: &Task, run: &ReplayedRun) -> Option<String> {
    let mut steps = run.steps.iter();
    let (step, address) = steps.find_map(|step| {
        let mut events = step.events.iter();
        let address = events.find_map(|event| {
            let Observation::Write { object, value, .. } = *event else {
                return None;
            };
            is_announcement(task, object).then_some(value)
        })?;
        Some((step, address))
    })?;
    let last = steps
        .take_while(|later| later.instance == step.instance)
        .last()?;
    let words = task.program.explanations.get(&last.site)?;
    let (place, thread) = (task.place(step.site), task.names().thread(step.instance));
    let accessed = Words::new(task).pointee(address)?;
    Some(format!("while `{thread}` {words} {accessed} at {place}"))
}

/// Whether threads announce their accesses in an object.
pub(crate) fn is_announcement(task: &Task, object: ObjectId) -> bool {
    let kind = task.instances.objects[object].kind;
    matches!(kind, ObjectKind::Global(variable) if Some(variable) == task.program.announcement)
}
