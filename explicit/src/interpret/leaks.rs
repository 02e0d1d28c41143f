//! Memory that is lost.

use abi::ids::InstanceId;
use cranelift_entity::EntitySet;
use program::leaks::AddressWord;
use program::model::{LeakSearch, ObjectId, ObjectKind};

use super::execute::{Execution, Interruption};
use super::memory::{AccessPurpose, Slot};
use super::{Interpreter, State, ThreadStatus, Waiting};

impl Execution<'_, '_> {
    /// Goes on only where something is lost.
    pub(super) fn find_leak(&self, search: LeakSearch) -> Result<(), Interruption> {
        let (state, instance) = (&*self.state, self.instance);
        let words = self.interpreter.address_words.as_ref();
        let is_allowed = words.is_some_and(|words| words.allow(search));
        let is_alone = self.interpreter.is_alone(state, instance);
        let may_end = match search {
            LeakSearch::Certain | LeakSearch::Hidden => is_alone,
            LeakSearch::Beside => !is_alone,
            LeakSearch::Any => true,
        };
        match is_allowed && may_end && !self.interpreter.lost(state, instance).is_empty() {
            true => Ok(()),
            false => Err(Interruption::Waiting(Waiting::Leak)),
        }
    }
}

impl Interpreter<'_> {
    /// Whether all other threads that were created have ended.
    fn is_alone(&self, state: &State, instance: InstanceId) -> bool {
        let mut others = self.instances.threads.keys().filter(|&id| id != instance);
        others.all(|other| match state.thread(other).status {
            ThreadStatus::Unused | ThreadStatus::Returned(_) => true,
            ThreadStatus::Running => false,
        })
    }

    /// The heap objects that live and that no variable of static storage leads to, nor one of the thread, in ascending order. Bytes that
    /// were never written lead nowhere: they may hold anything.
    pub fn lost(&self, state: &State, instance: InstanceId) -> Vec<ObjectId> {
        let Some(found) = &self.address_words else {
            return Vec::new();
        };
        let is_live = |object: ObjectId| {
            let slot = self.memory.slot(&state.memory, object);
            matches!(slot, Some(Slot::Live(_)))
        };
        let mut reached = EntitySet::new();
        loop {
            let leads = |word: &&AddressWord| match self.instances.objects[word.holder].kind {
                ObjectKind::Global(_) => true,
                ObjectKind::ThreadLocal(_, owner) => owner == instance,
                ObjectKind::Heap { .. } => reached.contains(word.holder),
                ObjectKind::Function(_)
                | ObjectKind::Local(..)
                | ObjectKind::Thread(_)
                | ObjectKind::Base(_)
                | ObjectKind::Nowhere => false,
            };
            let targets = found.words.iter().filter(leads);
            let targets: Vec<ObjectId> = targets
                .filter_map(|word| self.target(state, word))
                .filter(|&target| is_live(target) && !reached.contains(target))
                .collect();
            if targets.is_empty() {
                break;
            }
            reached.extend(targets);
        }
        let objects = found.objects.iter().copied();
        objects
            .filter(|&object| is_live(object) && !reached.contains(object))
            .collect()
    }

    /// The object of the address that a word holds, if it is one that it may hold.
    fn target(&self, state: &State, word: &AddressWord) -> Option<ObjectId> {
        let data_model = self.instances.data_model;
        let address = self.instances.base(word.holder) + u64::from(word.offset);
        let size = data_model.address_bytes();
        let purpose = AccessPurpose::Read;
        let range = self.memory.access(&state.memory, address, size, purpose);
        let range = range.ok()?;
        if self.memory.arbitrary(&state.memory, range) != 0 {
            return None;
        }
        let value = self.memory.read(&state.memory, range) as u64;
        let (object, _) = data_model.origin(value)?;
        word.targets.binary_search(&object).ok().map(|_| object)
    }
}
