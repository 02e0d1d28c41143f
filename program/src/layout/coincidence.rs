//! Addresses of different objects that may be equal: the end of one object may be the start of another, an object without bytes
//! may lie anywhere, and a compiler may put equal constants into one place.

use cranelift_entity::SecondaryMap;

use crate::model::{Instances, ObjectId, ObjectKind, Operand, Program, Statement};
use crate::points_to::Set;

/// What is known of the objects of a program.
#[derive(Debug)]
pub(super) struct Coincidence<'a> {
    program: &'a Program,
    instances: &'a Instances,
    /// The least size of what may be allocated in each slot of the heap.
    heap: SecondaryMap<ObjectId, Option<u32>>,
}

impl<'a> Coincidence<'a> {
    pub(super) fn new(program: &'a Program, instances: &'a Instances) -> Self {
        let mut heap: SecondaryMap<ObjectId, Option<u32>> = SecondaryMap::new();
        for (instance, thread) in &instances.threads {
            for edge in program.templates[thread.template].edges.values() {
                if let Statement::Allocate { site, size, .. } = edge.statement {
                    let size = match size {
                        Operand::Constant(bits) => u32::try_from(bits.value).unwrap_or(u32::MAX),
                        Operand::Register(_) | Operand::Address(..) => 0,
                    };
                    for slot in instances.allocated(site, instance) {
                        let least = heap[slot].map_or(size, |known| known.min(size));
                        heap[slot] = Some(least);
                    }
                }
            }
        }
        Self {
            program,
            instances,
            heap,
        }
    }

    /// Whether machines may disagree on whether addresses of these two sets are equal.
    pub(super) fn is_possible(&self, left: &Set, right: &Set) -> bool {
        left.may_be_computed()
            || right.may_be_computed()
            || left.objects().any(|first| {
                right.objects().any(|second| {
                    let may_merge = self.instances.may_merge(self.program, first, second);
                    let outside = [(left, first), (right, second)]
                        .iter()
                        .any(|&(set, object)| set.may_be_outside(object, self.least_size(object)));
                    first != second && (may_merge || outside)
                })
            })
    }

    /// How many addresses an object has for itself, at least.
    fn least_size(&self, object: ObjectId) -> u32 {
        match self.instances.objects[object].kind {
            ObjectKind::Function(_) => 1,
            ObjectKind::Heap { .. } => self.heap[object].unwrap_or(0).max(1),
            ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Base(_) => self.instances.objects[object].size,
        }
    }
}
