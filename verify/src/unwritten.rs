//! Locks that a run uses although nothing was ever written there: fresh memory holds anything, also what looks initialised.

use std::collections::BTreeSet;

use abi::ids::SiteId;
use program::interpret::{Event, Replay, ReplayStep};
use program::model::{ObjectId, ObjectKind, Statement};

use crate::pipeline::Prepared;

/// The first use of a lock, a semaphore, a barrier or a condition variable that was never initialised: where, and the object it lies in.
pub(crate) fn first_use(prepared: &Prepared, run: &Replay) -> Option<(SiteId, ObjectId)> {
    let mut content = Content {
        prepared,
        zeroed: BTreeSet::new(),
        written: BTreeSet::new(),
    };
    run.steps.iter().find_map(|step| {
        let used = content.used(step);
        content.follow(step);
        used.map(|object| (step.site, object))
    })
}

/// What the content of variables and heap objects was written to.
struct Content<'a> {
    prepared: &'a Prepared,
    /// Objects that were allocated with zero bytes.
    zeroed: BTreeSet<ObjectId>,
    /// Bytes of other objects that were written since they came to life.
    written: BTreeSet<(ObjectId, u32)>,
}

impl<'a> Content<'a> {
    fn statement(&self, step: &ReplayStep) -> &'a Statement {
        let template = self.prepared.instances.threads[step.instance].template;
        &self.prepared.program.templates[template].edges[step.edge].statement
    }

    /// The object of a lock that a step uses, if that was not written.
    fn used(&self, step: &ReplayStep) -> Option<ObjectId> {
        let is_use = self.prepared.program.lock_uses.contains(&step.site);
        step.events.iter().find_map(|event| match *event {
            Event::Read {
                object,
                offset,
                value,
            } if is_use => self.lacks(object, offset, value.width / 8),
            Event::Acquired { object, offset }
            | Event::Released { object, offset }
            | Event::Refused { object, offset, .. } => {
                let fields = [abi::mutex::OWNER, abi::mutex::KIND];
                let mut fields = fields.into_iter();
                fields.find_map(|field| self.lacks(object, offset + field, abi::mutex::FIELD))
            }
            Event::Read { .. }
            | Event::Write { .. }
            | Event::Uninitialised(_)
            | Event::Died(_)
            | Event::Allocated { .. }
            | Event::Freed(_)
            | Event::Started(_)
            | Event::Joined(_)
            | Event::Detached(_) => None,
        })
    }

    /// The object if one of these bytes still holds anything.
    fn lacks(&self, object: ObjectId, offset: u32, size: u32) -> Option<ObjectId> {
        let starts_as_anything = match self.prepared.instances.objects[object].kind {
            ObjectKind::Local(..) => true,
            ObjectKind::Heap { .. } => !self.zeroed.contains(&object),
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_) => false,
        };
        let mut bytes = offset..offset + size;
        let lacks = starts_as_anything && bytes.any(|at| !self.written.contains(&(object, at)));
        lacks.then_some(object)
    }

    fn follow(&mut self, step: &ReplayStep) {
        for event in &step.events {
            match *event {
                Event::Write {
                    object,
                    offset,
                    value,
                } => {
                    let bytes = offset..offset + value.width / 8;
                    self.written.extend(bytes.map(|at| (object, at)));
                }
                Event::Uninitialised(object) => self.forget(object),
                Event::Allocated { object, .. } => {
                    self.forget(object);
                    if matches!(
                        self.statement(step),
                        Statement::Allocate { zeroed: true, .. }
                    ) {
                        self.zeroed.insert(object);
                    }
                }
                Event::Read { .. }
                | Event::Died(_)
                | Event::Freed(_)
                | Event::Started(_)
                | Event::Joined(_)
                | Event::Detached(_)
                | Event::Acquired { .. }
                | Event::Released { .. }
                | Event::Refused { .. } => {}
            }
        }
    }

    fn forget(&mut self, object: ObjectId) {
        self.zeroed.remove(&object);
        let own: Vec<_> = self
            .written
            .range((object, 0)..=(object, u32::MAX))
            .copied()
            .collect();
        for byte in own {
            self.written.remove(&byte);
        }
    }
}
