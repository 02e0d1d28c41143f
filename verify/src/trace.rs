//! A violating run for people: what happens, in the words of the C program.
//!
//! `rows` makes one row of each event that other threads could observe (`events`), and of each call of a library function (`calls`,
//! `phrases`, `wakeups`). `words` names what they are about; `lives` does so for heap objects. `text` shows the rows. `orders` says why a row
//! comes before one of another thread, and `drawing` draws that.

mod calls;
mod drawing;
mod events;
mod lives;
mod orders;
mod phrases;
mod rows;
mod text;
mod wakeups;
mod words;

use abi::ids::InstanceId;
use explicit::interpret::ReplayedRun;
use serde::Serialize;

pub(crate) use self::lives::Lives;
pub use self::orders::Effect;
pub use self::text::Rendering;
pub(crate) use self::words::{Lock, Words, lies_at};
use crate::deadlock;
use crate::task::Task;

/// A run, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceTrace {
    /// Names of the threads that occur, in the order of their creation.
    pub threads: Vec<String>,
    /// What happens, in order.
    pub rows: Vec<Row>,
    /// What is to be said of the state behind the last row, a line each: who waits for what, and who holds it. Empty where the last row says all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ending: Vec<String>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Which thread, by position in [`SourceTrace::threads`].
    pub thread: usize,
    /// Source file; empty if unknown.
    pub file: String,
    /// Line in it; 0 if unknown.
    pub line: u32,
    /// What the thread does.
    pub text: String,
    /// The C function, innermost where it was called by others; empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// The calls that led to that function, from the innermost; none if it is run as a thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Frame>,
    /// Every access and effect, where the text has not all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// What orders it among the rows of other threads.
    #[serde(skip)]
    pub effects: Vec<Effect>,
    /// Whether it matters to who reads the run.
    #[serde(skip_serializing_if = "Importance::is_event")]
    pub importance: Importance,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// The function that calls.
    pub function: String,
    /// Source file of the call; empty if unknown.
    pub file: String,
    /// Line in it; 0 if unknown.
    pub line: u32,
}

/// Whether an event matters to who reads the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Importance {
    /// It may.
    Event,
    /// It happens before there is a second thread.
    Initialisation,
    /// A variable gets memory or its first content, or the library looks after what is its own.
    Bookkeeping,
}

impl Importance {
    fn is_event(&self) -> bool {
        *self == Self::Event
    }
}

impl SourceTrace {
    /// Describes a run.
    pub fn new(task: &Task, replay: &ReplayedRun) -> Self {
        let mut columns: Vec<InstanceId> = replay.steps.iter().map(|step| step.instance).collect();
        columns.sort();
        columns.dedup();
        Self {
            rows: rows::rows(task, &replay.steps, &columns),
            threads: columns
                .into_iter()
                .map(|instance| task.names().thread(instance))
                .collect(),
            ending: deadlock::table(task, replay),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn row(thread: usize, line: u32, text: &str) -> Row {
        Row {
            thread,
            file: "dir/a.c".into(),
            line,
            text: text.into(),
            function: String::new(),
            calls: Vec::new(),
            details: Vec::new(),
            effects: Vec::new(),
            importance: Importance::Event,
        }
    }
}
