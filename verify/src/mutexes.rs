//! Mutexes that a run writes over while they are held, and copies of held ones that it uses. The model looks for both with one lock
//! that is watched, so a run that has chosen another one goes on.

use std::collections::BTreeSet;

use abi::ids::SiteId;
use abi::mutex::{FIELD, OWNER};
use program::interpret::{Event, Replay, ReplayStep};
use program::model::{Bits, ObjectId, Statement};

use crate::pipeline::Prepared;

/// A byte of memory.
type Byte = (ObjectId, u32);

/// The first such write or use: where it is, and what it is in words.
pub(crate) fn first_misuse(prepared: &Prepared, run: &Replay) -> Option<(SiteId, &'static str)> {
    let mut owners = Owners::default();
    run.steps.iter().find_map(|step| {
        let template = prepared.instances.threads[step.instance].template;
        let edge = &prepared.program.templates[template].edges[step.edge];
        let misuse = if matches!(edge.statement, Statement::Mutex { .. }) {
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
        let (object, start) = field?;
        let bytes = (start..start + FIELD).map(|at| (object, at));
        if bytes.clone().any(|byte| self.foreign.contains(&byte)) {
            return Some("use of a copy of a lock that was in use");
        }
        for (byte, value) in step.events.iter().filter_map(|&event| written(event)) {
            if byte == (object, start) && value.value != 0 {
                self.held.insert(byte);
            } else if byte == (object, start) {
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
            let Some(((object, start), value)) = written(event) else {
                continue;
            };
            for number in 0..value.width / 8 {
                let byte = (object, start + number);
                if self.held.contains(&byte) {
                    return Some("writes over a lock that is in use");
                }
                if value.value >> (8 * number) & 0xff == 0 {
                    self.foreign.remove(&byte);
                } else {
                    self.foreign.insert(byte);
                }
            }
        }
        None
    }
}

/// Where an event writes, and what.
fn written(event: Event) -> Option<(Byte, Bits)> {
    let Event::Write {
        object,
        offset,
        value,
    } = event
    else {
        return None;
    };
    Some(((object, offset), value))
}
