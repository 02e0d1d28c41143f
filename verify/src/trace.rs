//! A violating run as text for people: one column per thread, one line per event that other threads could observe.

use std::fmt;

use abi::ids::InstanceId;
use explicit::interpret::{Observation, ReplayStep, ReplayedRun};
use program::model::{
    Bits, HavocOrigin, LocationKind, ObjectId, ObjectKind, Program, RegisterId, Statement,
};
use serde::Serialize;

use crate::race::is_announcement;
use crate::task::Task;

/// A run, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceTrace {
    /// Names of the threads that occur, in the order of their creation.
    pub threads: Vec<String>,
    /// What happens, in order.
    pub rows: Vec<Row>,
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
}

const WIDEST_COLUMN: usize = 40;
const NARROWEST_COLUMN: usize = 8;

impl SourceTrace {
    /// How wide the column of each thread is: as wide as its longest text, within limits.
    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self
            .threads
            .iter()
            .map(|name| name.chars().count())
            .collect();
        for row in &self.rows {
            widths[row.thread] = widths[row.thread].max(row.text.chars().count());
        }
        widths
            .into_iter()
            .map(|width| width.clamp(NARROWEST_COLUMN, WIDEST_COLUMN))
            .collect()
    }
}

impl fmt::Display for SourceTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        // No line of a trace starts like one of a result, whatever the file is called.
        let place = |row: &Row| format!(" {}", row.place());
        let places: Vec<String> = self.rows.iter().map(place).collect();
        let place_width = places.iter().map(String::len).max().unwrap_or(0);
        let mut header = " ".repeat(place_width);
        for (name, width) in self.threads.iter().zip(&widths) {
            header += &format!("  {name:width$}");
        }
        writeln!(f, "{}", header.trim_end())?;
        let mut previous = None;
        for (row, place) in self.rows.iter().zip(&places) {
            if previous.is_some_and(|thread| thread != row.thread) {
                let rule: usize = place_width + widths.iter().map(|width| width + 2).sum::<usize>();
                writeln!(f, "{:-<rule$}", "")?;
            }
            previous = Some(row.thread);
            let indentation: usize = widths[..row.thread].iter().map(|width| width + 2).sum();
            writeln!(f, "{place:place_width$}  {:indentation$}{}", "", row.text)?;
        }
        Ok(())
    }
}

impl SourceTrace {
    /// Describes a run.
    pub fn new(task: &Task, replay: &ReplayedRun) -> Self {
        let words = Words::new(task);
        let mut columns: Vec<InstanceId> = replay.steps.iter().map(|step| step.instance).collect();
        columns.sort();
        columns.dedup();
        let rows = replay.steps.iter().filter_map(|step| {
            let text = words.step(step)?;
            let site = &task.program.sites[step.site];
            let thread = columns.binary_search(&step.instance).ok()?;
            Some(Row {
                thread,
                file: site.file.clone(),
                line: site.line,
                text,
            })
        });
        let rows = rows.collect();
        Self {
            threads: columns
                .into_iter()
                .map(|instance| task.names().thread(instance))
                .collect(),
            rows,
        }
    }
}

/// Describes parts of a run in the words of the C program.
pub(crate) struct Words<'a> {
    task: &'a Task,
}

impl<'a> Words<'a> {
    /// The words of a program.
    pub(crate) fn new(task: &'a Task) -> Self {
        Self { task }
    }

    fn program(&self) -> &Program {
        &self.task.program
    }

    /// The effect of a statement in words, if it is observable.
    fn step(&self, step: &ReplayStep) -> Option<String> {
        let template =
            &self.program().templates[self.task.instances.threads[step.instance].template];
        let mut parts: Vec<String> = step
            .events
            .iter()
            .filter_map(|&event| match lies_at(self.task, event) {
                Some((object, address)) => {
                    let name = self.object(object, 0);
                    Some(if self.task.instances.is_thread(object) {
                        format!("the handle of {name} is {address:#x}")
                    } else {
                        format!("{name} lies at {address:#x}")
                    })
                }
                None => self.event(event),
            })
            .collect();
        if let Statement::Havoc {
            register,
            origin: HavocOrigin::Input | HavocOrigin::External,
        } = template.edges[step.edge].statement
        {
            parts.extend(
                step.inputs
                    .iter()
                    .map(|&value| self.input(step, register, value)),
            );
        }
        if let Some(undefined) = step.undefined {
            parts.push(self.task.names().undefined(undefined));
        }
        match template.locations[step.location].kind {
            // What has no meaning was named above.
            LocationKind::Error(_) if step.undefined.is_some() => {}
            LocationKind::Error(_) => match self.program().explanations.get(&step.site) {
                Some(error) => parts.push(error.clone()),
                None => parts.push("assertion violated".into()),
            },
            LocationKind::Exited => parts.push("returns".into()),
            LocationKind::Halted => parts.push("ends the run".into()),
            LocationKind::Blocked => match self.program().explanations.get(&step.site) {
                Some(reason) => parts.push(reason.clone()),
                None => parts.push("blocked by a false assumption".into()),
            },
            LocationKind::Limit(_) => parts.push("stops at a limit".into()),
            LocationKind::Ordinary => {}
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn input(&self, step: &ReplayStep, register: RegisterId, value: u128) -> String {
        let template =
            &self.program().templates[self.task.instances.threads[step.instance].template];
        let register = &template.registers[register];
        let value = self.value(Bits::new(register.width, value));
        match &register.variable {
            Some(variable) => format!("{variable} = {value} (input)"),
            None => format!("{value} (input)"),
        }
    }

    /// What happened; nothing if that is that an object may lie elsewhere from now on, or that threads speak of their accesses.
    fn event(&self, event: Observation) -> Option<String> {
        if let Observation::Read { object, .. } | Observation::Write { object, .. } = event
            && is_announcement(self.task, object)
        {
            return None;
        }
        if let Observation::Uninitialised(object) = event
            && matches!(
                self.task.instances.objects[object].kind,
                ObjectKind::Base(_)
            )
        {
            return None;
        }
        Some(match event {
            Observation::Read {
                object,
                offset,
                value,
            } => {
                format!(
                    "reads {} = {}",
                    self.object(object, offset),
                    self.value(value)
                )
            }
            Observation::Write {
                object,
                offset,
                value,
            } => {
                format!("{} := {}", self.object(object, offset), self.value(value))
            }
            Observation::Uninitialised(object) => {
                format!("{} becomes arbitrary", self.object(object, 0))
            }
            Observation::Died(object) => format!("{} goes out of scope", self.object(object, 0)),
            Observation::Allocated { object, size } => {
                format!("allocates {} ({size} bytes)", self.object(object, 0))
            }
            Observation::Freed(object) => format!("frees {}", self.object(object, 0)),
            Observation::Started(instance) => {
                format!("creates {}", self.task.names().thread(instance))
            }
            Observation::Joined(instance) => {
                format!("joins {}", self.task.names().thread(instance))
            }
            Observation::Detached(instance) => {
                format!("detaches {}", self.task.names().thread(instance))
            }
            Observation::Acquired { object, offset } => {
                format!("locks {}", self.object(object, offset))
            }
            Observation::Released { object, offset } => {
                format!("unlocks {}", self.object(object, offset))
            }
            Observation::Refused {
                object,
                offset,
                code,
            } => {
                format!(
                    "fails on mutex {} (error {code})",
                    self.object(object, offset)
                )
            }
        })
    }

    /// `name` or `name+offset`.
    fn object(&self, object: ObjectId, offset: u32) -> String {
        let name = self.task.names().object(object);
        if offset == 0 {
            name
        } else {
            format!("{name}+{offset}")
        }
    }

    /// What lies at an address, if something does.
    pub(crate) fn pointee(&self, address: Bits) -> Option<String> {
        let (object, offset) = self.task.instances.locate(address.value as u64)?;
        Some(self.object(object, offset))
    }

    /// Signed decimal, or the object that a pointer points to, or the thread of a handle.
    pub(crate) fn value(&self, value: Bits) -> String {
        let target = (value.width == self.program().data_model.address_bits())
            .then(|| self.task.instances.locate(value.value as u64))
            .flatten();
        match target {
            Some((object, offset)) if self.task.instances.is_thread(object) => {
                format!("handle of {}", self.object(object, offset))
            }
            Some((object, offset)) => format!("&{}", self.object(object, offset)),
            None => value.signed().to_string(),
        }
    }
}

/// Where an object lies, or the handle of a thread, if that is what was read.
pub(crate) fn lies_at(task: &Task, event: Observation) -> Option<(ObjectId, u64)> {
    let Observation::Read { object, value, .. } = event else {
        return None;
    };
    let ObjectKind::Base(of) = task.instances.objects[object].kind else {
        return None;
    };
    Some((of, task.instances.lies_at(of, value.value as u64)))
}

impl Row {
    fn place(&self) -> String {
        let name = self.file.rsplit('/').next().unwrap_or_default();
        if self.line == 0 {
            name.to_string()
        } else {
            format!("{name}:{}", self.line)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_column_and_switches_are_ruled() {
        let row = |thread, line, text: &str| Row {
            thread,
            file: "dir/a.c".into(),
            line,
            text: text.into(),
        };
        let trace = SourceTrace {
            threads: vec!["main".into(), "worker#1".into()],
            rows: vec![
                row(0, 3, "create worker#1"),
                row(1, 12, "x = 1"),
                row(1, 13, "assertion fails"),
            ],
        };
        assert_eq!(
            trace.to_string(),
            "         main             worker#1\n \
             a.c:3   create worker#1\n\
             -----------------------------------------\n \
             a.c:12                   x = 1\n \
             a.c:13                   assertion fails\n"
        );
    }
}
