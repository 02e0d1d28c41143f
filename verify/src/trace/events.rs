//! What happens in a run: the steps of a thread, and calls of library functions, that other threads could observe.

use std::collections::BTreeSet;

use abi::ids::{InstanceId, SiteId};
use explicit::interpret::{Observation, ReplayStep};
use program::model::{
    HavocOrigin, LibraryCall, LocationKind, ObjectId, ObjectKind, SPURIOUS_FAILURE, Statement,
    Template,
};

use super::Importance;
use super::calls::{CallPart, Calls, PartRow};
use super::lives::Lives;
use super::phrases::is_internal;
use super::words::Words;
use crate::accessed::read;
use crate::task::Task;

/// An event that is still to be told.
pub(super) struct Event {
    pub instance: InstanceId,
    pub site: SiteId,
    pub what: What,
    /// Every access and effect.
    pub details: Vec<String>,
    /// The same, as they were observed.
    pub observations: Vec<Observation>,
    /// What ends the thread or the run.
    pub ends: Vec<String>,
    pub importance: Importance,
    /// Whether the run cannot be understood without it, whenever it happens.
    pub is_needed: bool,
    /// Whether a thread is created.
    pub starts: bool,
}

/// What an event is.
pub(super) enum What {
    /// A statement that does this.
    Statement(String),
    /// Writes of a line to an object.
    Writes(ObjectId),
    /// A part of a call of a library function.
    Call(CallPart),
}

/// The events of a run so far.
pub(super) struct Events<'a> {
    task: &'a Task,
    lives: &'a Lives,
    pub all: Vec<Event>,
    /// The calls of library functions among them.
    pub calls: Calls,
    /// Threads whose next read is that of a weak compare-and-swap that fails though the value is the expected one.
    failing: BTreeSet<InstanceId>,
}

impl<'a> Events<'a> {
    /// No event yet.
    pub fn new(task: &'a Task, lives: &'a Lives) -> Self {
        Self {
            task,
            lives,
            all: Vec::new(),
            calls: Calls::default(),
            failing: BTreeSet::new(),
        }
    }

    /// Adds a step of the run; it may be none that is told.
    pub fn step(&mut self, position: usize, step: &ReplayStep) {
        let words = Words::during(self.task, self.lives, position);
        let site = &self.task.program.sites[step.site];
        let details: Vec<String> = step
            .events
            .iter()
            .filter_map(|&event| words.event(event))
            .collect();
        let ends = self.ends(step, &words);
        match &site.library {
            Some(library) => self.library_step(step, library, &words, (details, ends)),
            None => {
                if !self.is_called_back(step.site) {
                    self.calls.leave(step.instance);
                }
                self.statement(step, &words, details, ends);
            }
        }
    }

    /// A step of a library function. What nobody else observes of it, such as a choice, may matter to how the call is told.
    fn library_step(
        &mut self,
        step: &ReplayStep,
        library: &LibraryCall,
        words: &Words<'_>,
        (details, ends): (Vec<String>, Vec<String>),
    ) {
        let is_told = !details.is_empty() || !ends.is_empty();
        let last = self.all.len().checked_sub(1);
        let current = self.calls.row(step.instance).map(|row| &self.all[row].what);
        let current = match current {
            Some(What::Call(part)) => Some(part),
            Some(What::Statement(_) | What::Writes(_)) | None => None,
        };
        let row = match self.calls.part(step, library, current, last) {
            PartRow::Last(row) => row,
            PartRow::New(_) if !is_told => return,
            PartRow::New(part) => {
                self.all.push(Event::new(step, What::Call(*part)));
                self.all.len() - 1
            }
        };
        let event = &mut self.all[row];
        event.details.extend(details);
        event.observations.extend(&step.events);
        event.starts |= starts(step);
        event.is_needed |= !ends.is_empty();
        event.ends.extend(ends);
        if let What::Call(part) = &mut event.what {
            self.calls.add(part, step, words);
            self.calls.enter(step.instance, library, part.call, row);
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
        let is_failure =
            matches!(statement, Statement::Load { .. }) && self.failing.remove(&step.instance);
        let inputs = inputs(statement, step, words);
        if details.is_empty() && inputs.is_empty() && ends.is_empty() {
            return;
        }
        let frees = |event: &Observation| matches!(event, Observation::Freed(_));
        let is_needed =
            is_failure || step.events.iter().any(frees) || !inputs.is_empty() || !ends.is_empty();
        let is_bookkeeping =
            !is_needed && step.events.iter().all(|&event| self.is_bookkeeping(event));
        let what = match step.events[..] {
            [Observation::Write { object, .. }] if ends.is_empty() => What::Writes(object),
            _ => {
                let texts = match is_failure {
                    true => vec![format!(
                        "compare-and-swap fails spuriously: {}",
                        details.join(", ")
                    )],
                    false => effects(statement, step, words, &details),
                };
                What::Statement([texts, inputs].concat().join(", "))
            }
        };
        self.all.push(Event {
            details,
            observations: step.events.clone(),
            ends,
            is_needed,
            starts: starts(step),
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
            LocationKind::Error(_) => Some(
                self.explanation(step.site)
                    .unwrap_or("assertion violated")
                    .to_owned(),
            ),
            LocationKind::Exited => Some("returns".to_owned()),
            LocationKind::Halted => Some("ends the run".to_owned()),
            LocationKind::Blocked => {
                let library = self.task.program.sites[step.site].library.as_ref();
                Some(match (self.explanation(step.site), library) {
                    (Some(words), _) => words.to_owned(),
                    (None, Some(_)) => "waits for good".to_owned(),
                    (None, None) => "blocked by a false assumption".to_owned(),
                })
            }
            LocationKind::Limit(_) => Some("stops at a limit".to_owned()),
            LocationKind::Ordinary => None,
        };
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
            observations: Vec::new(),
            ends: Vec::new(),
            importance: Importance::Event,
            is_needed: false,
            starts: false,
        }
    }

    /// Whether an event goes on with the writes of another one.
    pub fn continues(&self, task: &Task, other: &Self) -> bool {
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

/// What a statement does, in words; `details` has every access.
fn effects(
    statement: &Statement,
    step: &ReplayStep,
    words: &Words<'_>,
    details: &[String],
) -> Vec<String> {
    if let Statement::Mutex { .. } = statement {
        // The accesses to the memory of the mutex are those of the operation.
        let of_mutex = step.events.iter().copied().filter(is_of_mutex);
        let effects: Vec<String> = of_mutex.filter_map(|event| words.event(event)).collect();
        let accessed = step.events.iter().find_map(|&event| {
            let (object, offset, _) = read(event)?;
            Some(words.lock(object, offset).name)
        });
        return match (effects.is_empty(), accessed) {
            (true, Some(mutex)) => vec![format!("uses {mutex}")],
            (_, _) => effects,
        };
    }
    let mut texts = details.to_vec();
    if matches!(statement, Statement::CompareExchange { .. }) && !writes(step) {
        texts.push("compare-and-swap fails".into());
    }
    texts
}

/// What the program is given by a statement, in words.
fn inputs(statement: &Statement, step: &ReplayStep, words: &Words<'_>) -> Vec<String> {
    let Statement::Havoc {
        register,
        origin: HavocOrigin::Input | HavocOrigin::External,
    } = *statement
    else {
        return Vec::new();
    };
    let values = step.inputs.iter();
    values
        .map(|&value| words.input(step.instance, register, value))
        .collect()
}

/// Whether a step creates a thread.
fn starts(step: &ReplayStep) -> bool {
    let mut events = step.events.iter();
    events.any(|event| matches!(event, Observation::Started(_)))
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
