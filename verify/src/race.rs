//! The other access of a data race: the one that a thread has announced.

use explicit::interpret::{Observation, ReplayedRun};
use instrument::{ANNOUNCED_WORD, announced_bytes};
use program::model::{ObjectId, ObjectKind};

use crate::task::Task;
use crate::trace::{Lives, Words};

/// Which access a thread is about to make at the end of a run, with its place.
pub(crate) fn announced(task: &Task, run: &ReplayedRun) -> Option<String> {
    let written = |wanted: u32| {
        run.steps.iter().enumerate().find_map(|(position, step)| {
            let mut events = step.events.iter();
            let value = events.find_map(|event| {
                let Observation::Write {
                    object,
                    offset,
                    value,
                } = *event
                else {
                    return None;
                };
                (offset == wanted && is_announcement(task, object)).then_some(value)
            })?;
            Some((position, value))
        })
    };
    let ((position, address), (_, word)) = (written(0)?, written(ANNOUNCED_WORD)?);
    let step = &run.steps[position];
    let last = run.steps[position + 1..]
        .iter()
        .take_while(|later| later.instance == step.instance)
        .last()?;
    let words = task.program.explanations.get(&last.site)?;
    let (place, thread) = (task.place(step.site), task.names().thread(step.instance));
    let lives = Lives::of(task, &run.steps);
    let names = Words::during(task, &lives, run.steps.len() - 1);
    let accessed = names.accessed(address, announced_bytes(word))?;
    Some(format!("while `{thread}` {words} {accessed} at {place}"))
}

/// Whether threads announce their accesses in an object.
pub(crate) fn is_announcement(task: &Task, object: ObjectId) -> bool {
    let kind = task.instances.objects[object].kind;
    matches!(kind, ObjectKind::Global(variable) if Some(variable) == task.program.announcement)
}
