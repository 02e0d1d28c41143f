//! Calls of library functions in a run, each told as one event.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use explicit::interpret::{Observation, ReplayStep};
use program::model::LibraryCall;

use super::phrases::{Phrase, may_give_up, phrase};
use super::wakeups::Wakeups;
use super::words::{Lock, Words};

/// A call is told with at most so many of its accesses.
const SHOWN_ACCESSES: usize = 3;

/// What is known of a call, or of its part until other threads run.
#[derive(Debug)]
pub(super) struct CallPart {
    /// Which call of the run it is a part of.
    pub call: usize,
    function: String,
    phrase: Phrase,
    /// The object that the call is about.
    about: Option<Lock>,
    /// What matters of what it does, in words.
    effects: Vec<String>,
    /// The first object that it frees.
    freed: Option<String>,
    /// How it allocates an object the last time.
    allocated: Option<String>,
    /// What it reads and writes, in words.
    accesses: Vec<String>,
    /// Whether the object that the call is about was written.
    has_written: bool,
    /// Whether this is the part behind the wait for a condition variable; then whether nothing has woken the thread.
    spurious: Option<bool>,
    /// Whether a mutex was released for a wait.
    has_released: bool,
    /// Whether the library chose a time limit to be over.
    is_over: bool,
    /// Whether it created, joined or detached a thread.
    acts_on_thread: bool,
}

/// Where a part of a call is told.
pub(super) enum PartRow {
    /// In the last row, at this position: other threads have done nothing since the part began.
    Last(usize),
    /// In a new row, with what is known of the call.
    New(Box<CallPart>),
}

/// The calls in a run so far.
#[derive(Default)]
pub(super) struct Calls {
    count: usize,
    wakeups: Wakeups,
    /// The calls that are over.
    finished: BTreeSet<usize>,
    /// The calls that threads are in, each with its number and the position of the row of its last part.
    current: BTreeMap<InstanceId, (LibraryCall, usize, usize)>,
}

impl Calls {
    /// The position of the row of the part that a thread is in.
    pub fn row(&self, instance: InstanceId) -> Option<usize> {
        self.current.get(&instance).map(|&(.., row)| row)
    }

    /// The part of a call that a step adds to. `current` is that in the row of the thread; `last` is the position of the last row.
    pub fn part(
        &mut self,
        step: &ReplayStep,
        library: &LibraryCall,
        current: Option<&CallPart>,
        last: Option<usize>,
    ) -> PartRow {
        let acquires = step
            .events
            .iter()
            .any(|event| matches!(event, Observation::Acquired { .. }));
        match (self.current.get(&step.instance), current) {
            // A call acts on one thread: in an unrolled loop the next one follows at once.
            (Some((known, _, row)), Some(part))
                if known == library && !(part.acts_on_thread && acts_on_thread(step)) =>
            {
                let wakes = part.phrase == Phrase::Wait && part.has_released && acquires;
                match Some(*row) == last && !wakes {
                    true => PartRow::Last(*row),
                    false => PartRow::New(Box::new(part.next())),
                }
            }
            (_, _) => {
                self.leave(step.instance);
                self.count += 1;
                PartRow::New(Box::new(CallPart::new(self.count, &library.function)))
            }
        }
    }

    /// The thread is in the part of a call with this number now, which this row tells.
    pub fn enter(&mut self, instance: InstanceId, library: &LibraryCall, call: usize, row: usize) {
        self.current.insert(instance, (library.clone(), call, row));
    }

    /// The thread is in no call of the library any more.
    pub fn leave(&mut self, instance: InstanceId) {
        if let Some((_, call, _)) = self.current.remove(&instance) {
            self.finished.insert(call);
        }
    }

    /// Whether the run goes on behind a call.
    pub fn is_finished(&self, part: &CallPart) -> bool {
        self.finished.contains(&part.call)
    }

    /// Adds a step to a part of a call.
    pub fn add(&mut self, part: &mut CallPart, step: &ReplayStep, words: &Words<'_>) {
        part.acts_on_thread |= acts_on_thread(step);
        part.is_over |= may_give_up(&part.function) && step.inputs.contains(&1);
        for &event in &step.events {
            let is_first = part.find_object(event, words);
            if is_first && let Some(about) = &part.about {
                let condition = (about.object, about.offset);
                match part.phrase {
                    Phrase::Signal => self.wakeups.signal(condition),
                    Phrase::Broadcast => self.wakeups.broadcast(condition),
                    Phrase::Wait
                    | Phrase::Verb(..)
                    | Phrase::Name
                    | Phrase::Resize
                    | Phrase::Accesses
                    | Phrase::Internal => {}
                }
            }
            part.add(event, words);
            let condition = part
                .about
                .as_ref()
                .map(|about| (about.object, about.offset));
            let condition = condition.filter(|_| part.phrase == Phrase::Wait);
            match (condition, event) {
                (Some(condition), Observation::Released { .. }) => {
                    part.has_released = true;
                    self.wakeups.wait(condition, step.instance);
                }
                (Some(condition), Observation::Acquired { .. }) if part.has_released => {
                    part.spurious = Some(self.wakeups.wake(condition, step.instance));
                }
                (_, _) => {}
            }
        }
    }
}

/// Whether a step creates, joins or detaches a thread.
fn acts_on_thread(step: &ReplayStep) -> bool {
    step.events.iter().any(|event| {
        matches!(
            event,
            Observation::Started(_) | Observation::Joined(_) | Observation::Detached(_)
        )
    })
}

impl CallPart {
    fn new(call: usize, function: &str) -> Self {
        Self {
            call,
            function: function.to_owned(),
            phrase: phrase(function),
            about: None,
            effects: Vec::new(),
            freed: None,
            allocated: None,
            accesses: Vec::new(),
            has_written: false,
            spurious: None,
            has_released: false,
            is_over: false,
            acts_on_thread: false,
        }
    }

    /// What is known of the call in its next part.
    fn next(&self) -> Self {
        Self {
            function: self.function.clone(),
            about: self.about.clone(),
            effects: Vec::new(),
            freed: self.freed.clone(),
            allocated: self.allocated.clone(),
            accesses: Vec::new(),
            spurious: None,
            ..*self
        }
    }

    /// Finds the object that the call is about: the first that is one of the library's by its type, and without types the first of all. Limits
    /// of time are looked at before. Says whether it was found.
    fn find_object(&mut self, event: Observation, words: &Words<'_>) -> bool {
        let (Observation::Read { object, offset, .. } | Observation::Write { object, offset, .. }) =
            event
        else {
            return false;
        };
        if self.about.is_some() || words.is_of_library(object) {
            return false;
        }
        let lock = words.lock(object, offset);
        if !lock.is_typed && may_give_up(&self.function) {
            return false;
        }
        self.about = Some(lock);
        true
    }

    fn add(&mut self, event: Observation, words: &Words<'_>) {
        let Some(text) = words.event(event) else {
            return;
        };
        match event {
            Observation::Read { object, .. } | Observation::Write { object, .. }
                if words.is_of_library(object) => {}
            Observation::Read { .. } => self.accesses.push(text),
            Observation::Write { object, offset, .. } => {
                let written = words.lock(object, offset);
                let is_about =
                    |about: &Lock| (about.object, about.offset) == (written.object, written.offset);
                self.has_written |= self.about.as_ref().is_some_and(is_about);
                self.accesses.push(text);
            }
            Observation::Uninitialised(_) | Observation::Died(_) => {}
            Observation::Freed(object) => {
                self.freed.get_or_insert_with(|| words.name(object));
                self.effects.push(text);
            }
            Observation::Allocated { .. } => {
                self.allocated = Some(text.clone());
                self.effects.push(text);
            }
            Observation::Started(_)
            | Observation::Joined(_)
            | Observation::Detached(_)
            | Observation::Acquired { .. }
            | Observation::Released { .. }
            | Observation::Refused { .. } => self.effects.push(text),
        }
    }

    /// Whether the library does in it what is no concern of the program: a wait begins when the mutex is released.
    pub fn is_internal(&self) -> bool {
        matches!(self.phrase, Phrase::Internal | Phrase::Wait) && self.effects.is_empty()
    }

    /// The part in words. Of a call with several, the last tells what the call does, if it comes to its end.
    pub fn text(&self, is_first: bool, is_end: bool) -> String {
        let about = self.about.as_ref().map_or("", |about| &about.name);
        let effects = self.effects.join(", ");
        if self.phrase == Phrase::Wait {
            return self.wait(about, &effects, is_first);
        }
        if let (Phrase::Resize, Some(from), Some(to)) = (self.phrase, &self.freed, &self.allocated)
        {
            return format!("resizes {from}: {to}");
        }
        if !effects.is_empty() {
            return effects;
        }
        let call = match self.phrase {
            Phrase::Verb(..) => format!("{}({about})", self.function),
            Phrase::Accesses
            | Phrase::Resize
            | Phrase::Internal
            | Phrase::Name
            | Phrase::Wait
            | Phrase::Signal
            | Phrase::Broadcast => self.function.clone(),
        };
        let is_named = matches!(self.phrase, Phrase::Verb(..) | Phrase::Name);
        match (is_first, is_end) {
            (true, false) if is_named => return format!("begins {call}"),
            (false, false) if is_named => return format!("goes on in {call}"),
            (true | false, true | false) => {}
        }
        match self.phrase {
            Phrase::Signal => format!("signals {about}"),
            Phrase::Broadcast => format!("wakes all that wait for {about}"),
            Phrase::Verb(_, verb) if may_give_up(&self.function) && !self.has_written => {
                format!("fails to {verb} {about}")
            }
            Phrase::Verb(verb, _) => format!("{verb} {about}"),
            Phrase::Internal => String::new(),
            Phrase::Accesses | Phrase::Resize if self.accesses.is_empty() => {
                format!("calls {call}")
            }
            Phrase::Accesses | Phrase::Resize => format!("calls {call}: {}", self.accesses()),
            Phrase::Name | Phrase::Wait => format!("calls {call}"),
        }
    }

    /// A part of a wait for a condition variable.
    fn wait(&self, about: &str, effects: &str, is_first: bool) -> String {
        match self.spurious {
            Some(_) if self.is_over => format!("stops waiting for {about} at its limit, {effects}"),
            Some(true) => format!("wakes up spuriously from waiting for {about}, {effects}"),
            Some(false) => format!("wakes up from waiting for {about}, {effects}"),
            None if effects.is_empty() && is_first => format!("begins {}", self.function),
            None if effects.is_empty() => format!("goes on in {}", self.function),
            None => format!("waits for {about}, {effects}"),
        }
    }

    fn accesses(&self) -> String {
        let shown = &self.accesses[..self.accesses.len().min(SHOWN_ACCESSES)];
        match self.accesses.len() - shown.len() {
            0 => shown.join(", "),
            more => format!("{}, and {more} more", shown.join(", ")),
        }
    }
}
