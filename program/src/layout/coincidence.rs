//! Addresses of different objects that may be equal: the end of one object may be the start of another, an object without bytes
//! may lie anywhere, a compiler may put equal constants into one place, and a thread may get the handle of one that is over.

use std::collections::BTreeSet;

use abi::ids::InstanceId;
use cranelift_entity::SecondaryMap;

use crate::automaton::Outgoing;
use crate::model::{Edge, Instances, ObjectId, ObjectKind, Operand, Program, Statement, Template};
use crate::points_to::{PointsTo, Set};
use crate::threads::Sharing;

/// What is known of the objects of a program.
#[derive(Debug)]
pub(super) struct Coincidence<'a> {
    program: &'a Program,
    instances: &'a Instances,
    /// The least size of what may be allocated in each slot of the heap.
    heap: SecondaryMap<ObjectId, Option<u32>>,
    /// The threads whose handles another one may get.
    given_again: BTreeSet<InstanceId>,
}

impl<'a> Coincidence<'a> {
    pub(super) fn new(
        program: &'a Program,
        instances: &'a Instances,
        points_to: &PointsTo,
    ) -> Self {
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
            given_again: given_again(program, instances, points_to),
        }
    }

    /// Whether machines may disagree on whether addresses of these two sets are equal.
    pub(super) fn is_possible(&self, left: &Set, right: &Set) -> bool {
        left.may_be_computed()
            || right.may_be_computed()
            || left.objects().any(|first| {
                right.objects().any(|second| {
                    let shares = match self.instances.sharing(self.program, first, second) {
                        Sharing::Impossible => false,
                        Sharing::Possible => true,
                        Sharing::Unless(threads) => threads
                            .iter()
                            .any(|thread| self.given_again.contains(thread)),
                    };
                    let outside = [(left, first), (right, second)]
                        .iter()
                        .any(|&(set, object)| set.may_be_outside(object, self.least_size(object)));
                    first != second && (shares || outside)
                })
            })
    }

    /// How many addresses an object has for itself, at least.
    fn least_size(&self, object: ObjectId) -> u32 {
        match self.instances.objects[object].kind {
            ObjectKind::Function(_) | ObjectKind::Thread(_) => 1,
            ObjectKind::Heap { .. } => self.heap[object].unwrap_or(0).max(1),
            ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Base(_) => self.instances.objects[object].size,
        }
    }
}

/// The threads that may be joined or detached before another one is created.
fn given_again(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
) -> BTreeSet<InstanceId> {
    let mut claimed = BTreeSet::new();
    for (claimer, thread) in &instances.threads {
        let template = &program.templates[thread.template];
        for edge in template.edges.values() {
            let (Statement::Join { thread: handle, .. } | Statement::Detach { thread: handle }) =
                edge.statement
            else {
                continue;
            };
            if !is_followed_by_creation(program, instances, claimer, edge) {
                continue;
            }
            let handle = points_to.set(claimer, handle);
            let threads = instances.threads.keys();
            claimed.extend(threads.filter(|&thread| {
                let object = instances.thread(thread);
                handle.may_be_other() || handle.objects().any(|named| named == object)
            }));
        }
    }
    claimed
}

/// Whether a thread may be created after `edge` was executed: by the same thread behind it, or by any other one.
fn is_followed_by_creation(
    program: &Program,
    instances: &Instances,
    executing: InstanceId,
    edge: &Edge,
) -> bool {
    let creates = |edge: &Edge| matches!(edge.statement, Statement::Create { .. });
    instances.threads.iter().any(|(creator, thread)| {
        let template: &Template = &program.templates[thread.template];
        let mut creations = template.edges.values().filter(|edge| creates(edge));
        if creator != executing {
            return creations.next().is_some();
        }
        let behind = Outgoing::new(template).reachable(template, [edge.target]);
        creations.any(|creation| behind.contains(creation.source))
    })
}
