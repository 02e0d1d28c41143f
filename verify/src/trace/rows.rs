//! What happens in a run, event by event.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::{InstanceId, SiteId};
use explicit::interpret::{Observation, ReplayStep};
use program::model::{
    HavocOrigin, LocationKind, ObjectId, ObjectKind, SPURIOUS_FAILURE, Statement, Template,
};

use super::calls::{CallPart, Calls, PartRow};
use super::lives::Lives;
use super::phrases::is_internal;
use super::words::Words;
use super::{Frame, Importance, Row};
use crate::task::Task;

/// So many writes of one line of the source to one object are told as one.
const MANY_WRITES: usize = 5;

/// An event that is still to be told.
struct Event {
    instance: InstanceId,
    site: SiteId,
    what: What,
    /// Every access and effect.
    details: Vec<String>,
    /// What ends the thread or the run.
    ends: Vec<String>,
    importance: Importance,
    /// Whether the run cannot be understood without it, whenever it happens.
    is_needed: bool,
}

/// What an event is.
enum What {
    /// A statement that does this.
    Statement(String),
    /// Writes of a line to an object.
    Writes(ObjectId),
    /// A part of a call of a library function.
    Call(CallPart),
}

/// The events of a run so far.
struct Events<'a> {
    task: &'a Task,
    lives: &'a Lives,
    all: Vec<Event>,
    calls: Calls,
    /// Threads whose next read is that of a weak compare-and-swap that fails though the value is the expected one.
    failing: BTreeSet<InstanceId>,
}

/// What happens in a run, by the thread's position among `columns`.
pub(super) fn rows(task: &Task, steps: &[ReplayStep], columns: &[InstanceId]) -> Vec<Row> {
    let lives = Lives::of(task, steps);
    let mut events = Events {
        task,
        lives: &lives,
        all: Vec::new(),
        calls: Calls::default(),
        failing: BTreeSet::new(),
    };
    for (position, step) in steps.iter().enumerate() {
        events.step(position, step);
    }
    let Events { mut all, calls, .. } = events;
    mark_initialisation(&mut all, steps, task);
    let all = join_writes(task, all);
    let parts = Parts::of(&all, calls);
    let rows = all.into_iter().enumerate().filter_map(|(position, event)| {
        let thread = columns.binary_search(&event.instance).ok()?;
        Some(row(task, event, thread, position, &parts))
    });
    rows.collect()
}

impl Events<'_> {
    fn step(&mut self, position: usize, step: &ReplayStep) {
        let words = Words::during(self.task, self.lives, position);
        let site = &self.task.program.sites[step.site];
        let details: Vec<String> = step
            .events
            .iter()
            .filter_map(|&event| words.event(event))
            .collect();
        let ends = self.ends(step, &words);
        match &site.library {
            Some(library) if details.is_empty() && ends.is_empty() => {
                // What the call does for itself, such as to choose.
                if let PartRow::Last(row) =
                    self.calls
                        .part(step, library, self.all.len().checked_sub(1))
                    && let Event {
                        what: What::Call(part),
                        ..
                    } = &mut self.all[row]
                {
                    self.calls.add(part, step, &words);
                }
            }
            Some(library) => {
                let library = library.clone();
                let last = self.all.len().checked_sub(1);
                let row = match self.calls.part(step, &library, last) {
                    PartRow::Last(row) => row,
                    PartRow::New(part) => {
                        self.all.push(Event::new(step, What::Call(*part)));
                        self.all.len() - 1
                    }
                };
                let event = &mut self.all[row];
                event.details.extend(details);
                event.is_needed |= !ends.is_empty();
                event.ends.extend(ends);
                if let What::Call(part) = &mut event.what {
                    self.calls.add(part, step, &words);
                    self.calls.enter(step.instance, &library, part.clone(), row);
                }
            }
            None => {
                if !self.is_called_back(step.site) {
                    self.calls.leave(step.instance);
                }
                self.statement(step, &words, details, ends);
            }
        }
    }

    /// Whether a library function has called the function of a site.
    fn is_called_back(&self, site: SiteId) -> bool {
        let program = &self.task.program;
        let mut caller = program.sites[site].caller;
        while let Some(call) = caller {
            let call = &program.call_sites[call];
            if call.file.is_empty() {
                return true;
            }
            caller = call.caller;
        }
        false
    }

    /// A statement of the program itself.
    fn statement(
        &mut self,
        step: &ReplayStep,
        words: &Words<'_>,
        details: Vec<String>,
        ends: Vec<String>,
    ) {
        let template = self.task.instances.threads[step.instance].template;
        let statement = &self.task.program.templates[template].edges[step.edge].statement;
        let fails = matches!(statement, Statement::Havoc { .. })
            && self.explanation(step.site) == Some(SPURIOUS_FAILURE)
            && step.inputs.first().is_some_and(|&value| value != 0);
        if fails {
            self.failing.insert(step.instance);
        }
        let mut texts = details.clone();
        let is_read = matches!(statement, Statement::Load { .. });
        let is_failure = is_read && self.failing.remove(&step.instance);
        if is_failure {
            texts = vec![format!(
                "compare-and-swap fails spuriously: {}",
                details.join(", ")
            )];
        }
        if matches!(statement, Statement::CompareExchange { .. }) && !writes(step) {
            texts.push("compare-and-swap fails".into());
        }
        if let Statement::Mutex { .. } = statement {
            let effects = step.events.iter().copied().filter(is_of_mutex);
            texts = effects.filter_map(|event| words.event(event)).collect();
        }
        let mut inputs = Vec::new();
        if let Statement::Havoc {
            register,
            origin: HavocOrigin::Input | HavocOrigin::External,
        } = *statement
        {
            let values = step.inputs.iter();
            inputs.extend(values.map(|&value| words.input(step.instance, register, value)));
        }
        let is_told = !details.is_empty() || !inputs.is_empty() || !ends.is_empty();
        if !is_told {
            return;
        }
        let frees = step
            .events
            .iter()
            .any(|event| matches!(event, Observation::Freed(_)));
        let is_needed = is_failure || frees || !inputs.is_empty() || !ends.is_empty();
        let is_bookkeeping =
            !is_needed && step.events.iter().all(|&event| self.is_bookkeeping(event));
        texts.extend(inputs);
        let what = match step.events[..] {
            [Observation::Write { object, .. }] if ends.is_empty() => What::Writes(object),
            _ => What::Statement(texts.join(", ")),
        };
        self.all.push(Event {
            details,
            ends,
            is_needed,
            importance: match is_bookkeeping {
                true => Importance::Bookkeeping,
                false => Importance::Event,
            },
            ..Event::new(step, what)
        });
    }

    fn template(&self, instance: InstanceId) -> &Template {
        &self.task.program.templates[self.task.instances.threads[instance].template]
    }

    fn explanation(&self, site: SiteId) -> Option<&str> {
        self.task
            .program
            .explanations
            .get(&site)
            .map(String::as_str)
    }

    /// Whether an event is none of the program: a variable gets memory, which holds anything; a constant is read that clang makes of an
    /// initialiser; it is looked whether a lock is in use.
    fn is_bookkeeping(&self, event: Observation) -> bool {
        let (Observation::Read { object, .. }
        | Observation::Write { object, .. }
        | Observation::Uninitialised(object)) = event
        else {
            return false;
        };
        match self.task.instances.objects[object].kind {
            ObjectKind::Local(..) | ObjectKind::Base(_) => {
                matches!(event, Observation::Uninitialised(_))
            }
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                let name = &self.task.program.globals[global].name;
                name.starts_with("__const.") || is_internal(name)
            }
            ObjectKind::Heap { .. }
            | ObjectKind::Function(_)
            | ObjectKind::Thread(_)
            | ObjectKind::Nowhere => false,
        }
    }

    /// How the thread or the run ends with a step.
    fn ends(&self, step: &ReplayStep, words: &Words<'_>) -> Vec<String> {
        let undefined = step.undefined.map(|undefined| words.undefined(undefined));
        let location = match self.template(step.instance).locations[step.location].kind {
            // What has no meaning was named above.
            LocationKind::Error(_) if step.undefined.is_some() => None,
            LocationKind::Error(_) => {
                Some(self.explanation(step.site).unwrap_or("assertion violated"))
            }
            LocationKind::Exited => Some("returns"),
            LocationKind::Halted => Some("ends the run"),
            LocationKind::Blocked => Some("blocked by a false assumption"),
            LocationKind::Limit(_) => Some("stops at a limit"),
            LocationKind::Ordinary => None,
        };
        let location = location.map(str::to_owned);
        undefined.into_iter().chain(location).collect()
    }
}

impl Event {
    fn new(step: &ReplayStep, what: What) -> Self {
        Self {
            instance: step.instance,
            site: step.site,
            what,
            details: Vec::new(),
            ends: Vec::new(),
            importance: Importance::Event,
            is_needed: false,
        }
    }

    /// Whether an event goes on with the writes of another one.
    fn continues(&self, task: &Task, other: &Self) -> bool {
        let sites = &task.program.sites;
        let place = |event: &Self| {
            let site = &sites[event.site];
            (event.instance, &site.file, site.line, site.caller)
        };
        match (&self.what, &other.what) {
            (What::Writes(one), What::Writes(other_one)) => {
                one == other_one
                    && place(self) == place(other)
                    && self.importance == other.importance
            }
            (_, _) => false,
        }
    }
}

fn writes(step: &ReplayStep) -> bool {
    let mut events = step.events.iter();
    events.any(|event| matches!(event, Observation::Write { .. }))
}

/// Whether an event is the effect of an operation on a mutex, rather than an access to the memory of the mutex.
fn is_of_mutex(event: &Observation) -> bool {
    matches!(
        event,
        Observation::Acquired { .. } | Observation::Released { .. } | Observation::Refused { .. }
    )
}

/// What happens before the first other thread is created is initialisation, if one is created.
fn mark_initialisation(all: &mut [Event], steps: &[ReplayStep], task: &Task) {
    let started = steps
        .iter()
        .flat_map(|step| &step.events)
        .find_map(|event| {
            let Observation::Started(instance) = event else {
                return None;
            };
            Some(*instance)
        });
    let Some(started) = started else {
        return;
    };
    let text = format!("creates {}", task.names().thread(started));
    let before = all
        .iter_mut()
        .take_while(|event| !event.details.contains(&text));
    let is_shown = |event: &&mut Event| event.importance == Importance::Event;
    for event in before.filter(|event| !event.is_needed).filter(is_shown) {
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
        let details: Vec<String> = run.drain(1..).flat_map(|event| event.details).collect();
        run[0].details.extend(details);
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
