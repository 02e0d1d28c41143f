//! What memory holds in the first state.

use std::collections::{BTreeMap, BTreeSet};

use program::model::{Instances, Object, ObjectId, ObjectKind, Program, Statement};
use program::threads::Allocation;

/// The first content of objects, where it is not arbitrary: that of globals, and zeros for heap slots where an
/// allocation of arbitrary content does not rely on the first content to be arbitrary.
pub fn contents(program: &Program, instances: &Instances) -> BTreeMap<ObjectId, Vec<u8>> {
    let mut contents = BTreeMap::new();
    for (object, Object { kind, .. }) in instances.objects.iter() {
        let (global, owner) = match *kind {
            ObjectKind::Global(global) => (global, instances.main()),
            ObjectKind::ThreadLocal(global, owner) => (global, owner),
            ObjectKind::Function(_)
            | ObjectKind::Local(..)
            | ObjectKind::Heap { .. }
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => continue,
        };
        let global = &program.globals[global];
        let mut bytes = global.bytes.clone();
        for &(at, place, offset) in &global.relocations {
            let address = instances.address(owner, place, offset);
            let size = instances.data_model.address_bytes() as usize;
            if let Some(field) = bytes.get_mut(at as usize..at as usize + size) {
                field.copy_from_slice(&address.to_le_bytes()[..size]);
            }
        }
        contents.insert(object, bytes);
    }
    for object in zeroed_slots(program, instances) {
        contents.insert(object, vec![0; instances.objects[object].size as usize]);
    }
    contents
}

/// The heap slots that are filled with zeros whenever they are taken, or with something else when they are taken: then what
/// they hold before does not matter.
fn zeroed_slots(program: &Program, instances: &Instances) -> BTreeSet<ObjectId> {
    let (mut zeroed, mut other) = (BTreeSet::new(), BTreeSet::new());
    for (instance, thread) in instances.threads.iter() {
        for edge in program.templates[thread.template].edges.values() {
            if let Statement::Allocate {
                site,
                zeroed: zeros,
                ..
            } = edge.statement
            {
                let reused = matches!(instances.allocation(site, instance), Allocation::Reused(_));
                let set = if zeros || reused {
                    &mut zeroed
                } else {
                    &mut other
                };
                set.extend(instances.allocated(site, instance));
            }
        }
    }
    zeroed.difference(&other).copied().collect()
}
