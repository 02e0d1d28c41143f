//! Addresses of different objects that may be equal, for one of these reasons:
//!
//! * The end of one object may be the start of another one.
//! * An object without bytes may lie anywhere.
//! * A compiler may put equal constants into one place.
//! * A variable may lie where a variable lay whose lifetime is over.
//! * A thread may get the handle of a thread that is over.

use std::collections::BTreeSet;

use abi::ids::InstanceId;
use cranelift_entity::SecondaryMap;

use crate::address_arithmetic::AddressSet;
use crate::automaton::Outgoing;
use crate::lifetimes::Lifetimes;
use crate::model::{
    Edge, Instances, LocationId, ObjectId, ObjectKind, Operand, Program, Statement, Template,
};
use crate::points_to::PointsTo;
use crate::threads::Sharing;

/// When addresses of different objects are different on all machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distinctness {
    /// Not always.
    #[default]
    Open,
    /// While the objects are alive.
    WhileAlive,
    /// In any case: no object whose life may be over is compared.
    Always,
}

/// What is known of the objects of a program.
#[derive(Debug)]
pub(super) struct Coincidence<'a> {
    program: &'a Program,
    instances: &'a Instances,
    lifetimes: Lifetimes,
    /// The least size of what may be allocated in each slot of the heap.
    heap: SecondaryMap<ObjectId, Option<u32>>,
    /// Whether the program frees memory.
    frees: bool,
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
            lifetimes: Lifetimes::new(program),
            heap,
            frees: is_free_used(program),
            given_again: given_again(program, instances, points_to),
        }
    }

    /// Whether machines agree on whether two addresses are equal that a thread at a location compares.
    pub(super) fn distinctness(
        &self,
        place: (InstanceId, LocationId),
        [left, right]: [&AddressSet; 2],
        sides: &[Vec<ObjectId>; 2],
    ) -> Distinctness {
        if self.is_possible(left, right) {
            Distinctness::Open
        } else if self
            .lifetimes
            .compared(self.instances, place, sides)
            .is_empty()
        {
            Distinctness::Always
        } else {
            Distinctness::WhileAlive
        }
    }

    /// Whether the life of a variable of another thread matters where a thread compares addresses.
    pub(super) fn looks_elsewhere(
        &self,
        place: (InstanceId, LocationId),
        sides: &[Vec<ObjectId>; 2],
    ) -> bool {
        let compared = self.lifetimes.compared(self.instances, place, sides);
        let mut owners = compared
            .into_iter()
            .map(|object| self.instances.owner(object));
        owners.any(|owner| owner != Some(place.0))
    }

    /// Whether addresses of these two sets may be equal although the objects differ, also while these are alive.
    fn is_possible(&self, left: &AddressSet, right: &AddressSet) -> bool {
        left.may_be_number()
            || right.may_be_number()
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

    /// Whether one address may be in memory that was freed, and the other one in a new object that lies there, but does not start there. Where
    /// both start in one place, the new object is in the slot of the old one.
    pub(super) fn may_be_stale(&self, [left, right]: [&AddressSet; 2]) -> bool {
        self.frees
            && left.objects().any(|first| {
                right.objects().any(|second| {
                    let alignment = self.instances.objects[first].alignment;
                    self.instances.share_memory(self.program, first, second)
                        && left.may_be_apart(first, (right, second), alignment)
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
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => self.instances.objects[object].size,
        }
    }
}

fn is_free_used(program: &Program) -> bool {
    let edges = program.templates.values().flat_map(|t| t.edges.values());
    let mut statements = edges.map(|edge| &edge.statement);
    statements.any(|s| {
        matches!(
            s,
            Statement::Free {
                automatic: false,
                ..
            }
        )
    })
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
