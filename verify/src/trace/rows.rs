//! The rows of a trace: which events of a run are told together, which matter, and where they happen.

use std::collections::BTreeMap;

use abi::ids::{InstanceId, SiteId};
use explicit::interpret::ReplayStep;

use super::calls::{CallPart, Calls};
use super::events::{Event, Events, What};
use super::lives::Lives;
use super::orders::Effect;
use super::phrases::is_internal;
use super::{Frame, Importance, Row};
use crate::task::Task;

/// So many writes of one line of the source to one object are told as one.
const MANY_WRITES: usize = 5;

/// What happens in a run, by the thread's position among `columns`.
pub(super) fn rows(task: &Task, steps: &[ReplayStep], columns: &[InstanceId]) -> Vec<Row> {
    let lives = Lives::of(task, steps);
    let mut events = Events::new(task, &lives);
    for (position, step) in steps.iter().enumerate() {
        events.step(position, step);
    }
    let Events { mut all, calls, .. } = events;
    mark_initialisation(&mut all);
    let all = join_writes(task, all);
    let parts = Parts::of(&all, calls);
    let rows = all.into_iter().enumerate().filter_map(|(position, event)| {
        let thread = columns.binary_search(&event.instance).ok()?;
        let effects = event.observations.iter();
        let effects = effects.filter_map(|&observation| Effect::of(observation, columns));
        Some(Row {
            effects: effects.collect(),
            ..row(task, event, thread, position, &parts)
        })
    });
    rows.collect()
}

/// What happens before the first other thread is created is initialisation, if one is created.
fn mark_initialisation(all: &mut [Event]) {
    let first = all.iter().position(|event| event.starts).unwrap_or(0);
    let is_shown = |event: &&mut Event| event.importance == Importance::Event && !event.is_needed;
    for event in all[..first].iter_mut().filter(is_shown) {
        event.importance = Importance::Initialisation;
    }
}

/// Tells many writes of one line to one object as one event.
fn join_writes(task: &Task, all: Vec<Event>) -> Vec<Event> {
    let mut joined: Vec<Vec<Event>> = Vec::new();
    for event in all {
        match joined.last_mut() {
            Some(run) if run[0].continues(task, &event) => run.push(event),
            Some(_) | None => joined.push(vec![event]),
        }
    }
    let join = |mut run: Vec<Event>| {
        if run.len() < MANY_WRITES {
            return run;
        }
        let rest: Vec<Event> = run.drain(1..).collect();
        for event in rest {
            run[0].details.extend(event.details);
            run[0].observations.extend(event.observations);
        }
        run
    };
    joined.into_iter().flat_map(join).collect()
}

/// The first and the last event of each call of a library function.
struct Parts {
    calls: Calls,
    ends: BTreeMap<usize, (usize, usize)>,
}

impl Parts {
    fn of(all: &[Event], calls: Calls) -> Self {
        let mut ends: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (position, event) in all.iter().enumerate() {
            if let What::Call(part) = &event.what {
                let (_, last) = ends.entry(part.call).or_insert((position, position));
                *last = position;
            }
        }
        Self { calls, ends }
    }

    /// A part of a call in words.
    fn text(&self, part: &CallPart, position: usize) -> String {
        let ends = self.ends.get(&part.call).copied();
        let (first, last) = ends.unwrap_or((position, position));
        let is_end = position == last && self.calls.is_finished(part);
        part.text(position == first, is_end)
    }
}

fn row(task: &Task, event: Event, thread: usize, position: usize, parts: &Parts) -> Row {
    let site = &task.program.sites[event.site];
    let (text, is_short) = match &event.what {
        What::Statement(text) => (text.clone(), false),
        What::Writes(_) => match event.details.len() {
            0..MANY_WRITES => (event.details.join(", "), false),
            count => {
                let first = &event.details[0];
                (format!("{first}, and {} more writes", count - 1), true)
            }
        },
        What::Call(part) => (parts.text(part, position), true),
    };
    let is_internal = matches!(&event.what, What::Call(part) if part.is_internal());
    let ends = event.ends;
    let importance = match is_internal && ends.is_empty() {
        true => Importance::Bookkeeping,
        false => event.importance,
    };
    let text = match text.is_empty() && ends.is_empty() {
        true => event.details.join(", "),
        false => text,
    };
    let texts = [text].into_iter().filter(|text| !text.is_empty());
    let text = texts.chain(ends).collect::<Vec<String>>().join(", ");
    let is_short = is_short || event.details.iter().any(|detail| !text.contains(detail));
    let details = match is_short && event.details != [text.as_str()] {
        true => event.details,
        false => Vec::new(),
    };
    Row {
        thread,
        file: site.file.clone(),
        line: site.line,
        text,
        function: site.function.clone(),
        calls: calls(task, event.site),
        details,
        effects: Vec::new(),
        importance,
    }
}

/// The calls that lead to a site, from the innermost.
fn calls(task: &Task, site: SiteId) -> Vec<Frame> {
    let program = &task.program;
    let mut frames = Vec::new();
    let mut caller = program.sites[site].caller;
    let mut is_in_library = false;
    while let Some(call) = caller {
        let call = &program.call_sites[call];
        // Which functions the library uses for itself does not matter.
        let is_library = call.file.is_empty();
        if is_library && is_in_library {
            frames.pop();
        }
        is_in_library = is_library;
        let function = match is_library && is_internal(&call.function) {
            true => "the library".to_owned(),
            false => call.function.clone(),
        };
        frames.push(Frame {
            function,
            file: call.file.clone(),
            line: call.line,
        });
        caller = call.caller;
    }
    frames
}
