//! Mutexes that a run writes over while they are held, and copies of held ones that it uses. The model looks for both with one lock
//! that is watched, so a run that has chosen another one goes on.

use std::collections::BTreeSet;

use abi::ids::SiteId;
use abi::mutex::{FIELD, OWNER};
use program::interpret::{Event, Replay, ReplayStep};
use program::model::{ObjectId, Statement};

use crate::dependence::{bytes_of, written};
use crate::pipeline::Prepared;

/// A byte of memory.
type Byte = (ObjectId, u32);

/// The first such write or use: where it is, and what it is in words.
pub(crate) fn first_misuse(prepared: &Prepared, run: &Replay) -> Option<(SiteId, &'static str)> {
    let mut owners = Owners::default();
    run.steps.iter().find_map(|step| {
        let misuse = if matches!(prepared.statement(step), Statement::Mutex { .. }) {
            owners.operate(step)
        } else {
            owners.write(step)
        };
        misuse.map(|what| (step.site, what))
    })
}

/// What the fields hold that name the owners of mutexes.
#[derive(Default)]
struct Owners {
    /// The first bytes of the fields of mutexes that are held.
    held: BTreeSet<Byte>,
    /// Bytes other than 0 that no operation on a mutex has written.
    foreign: BTreeSet<Byte>,
}

impl Owners {
    /// A step is an operation on a mutex.
    fn operate(&mut self, step: &ReplayStep) -> Option<&'static str> {
        let field = step.events.iter().find_map(|event| {
            let (Event::Acquired { object, offset }
            | Event::Released { object, offset }
            | Event::Refused { object, offset, .. }) = *event
            else {
                return None;
            };
            Some((object, offset + OWNER))
        });
        let owner @ (object, start) = field?;
        let mut bytes = (start..start + FIELD).map(|at| (object, at));
        if bytes.any(|byte| self.foreign.contains(&byte)) {
            return Some("use of a copy of a lock that was in use");
        }
        for (object, offset, value) in step.events.iter().filter_map(|&event| written(event)) {
            let byte = (object, offset);
            if byte == owner && value.value != 0 {
                self.held.insert(byte);
            } else if byte == owner {
                self.held.remove(&byte);
            }
        }
        None
    }

    /// A step does anything else.
    fn write(&mut self, step: &ReplayStep) -> Option<&'static str> {
        for &event in &step.events {
            if let Event::Allocated { object, .. } | Event::Uninitialised(object) = event {
                self.held.retain(|&(held, _)| held != object);
                self.foreign.retain(|&(foreign, _)| foreign != object);
            }
            let Some(access) = written(event) else {
                continue;
            };
            let (_, _, content) = access;
            for (byte, number) in bytes_of(access).zip(0..) {
                if self.held.contains(&byte) {
                    return Some("writes over a lock that is in use");
                }
                if content.value >> (8 * number) & 0xff == 0 {
                    self.foreign.remove(&byte);
                } else {
                    self.foreign.insert(byte);
                }
            }
        }
        None
    }
}
