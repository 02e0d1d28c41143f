//! The threads and memory objects of all runs within the bounds.
//!
//! A creating statement outside of cycles gives one instance per run of the thread that executes it; a statement in a
//! cycle, or one through which templates create each other, gives as many as [`Bounds::threads`] says. More are a limit
//! of the run, never an omission. Heap objects are enumerated in the same way; see [`Allocation`].

mod count;
mod frequency;
mod objects;
mod places;

use std::ops::{Range, RangeInclusive};

use abi::ids::InstanceId;
use cranelift_entity::{EntityRef, PrimaryMap};

use self::count::count_instances;
use self::objects::Enumeration;

pub use self::places::{
    ADDRESS_BITS, FAR, LOWEST, MARK, NOWHERE, REACH, Sharing, is_near, is_small, object_number,
    of_nowhere, origin,
};
use crate::model::{
    FunctionId, HeapSiteId, Instance, Instances, ObjectId, ObjectKind, Operand, Place, Program,
    TemplateId,
};

/// How far what a loop or recursion creates is enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Instances per template that is created in a loop or recursively.
    pub threads: u32,
    /// Heap objects per allocation in a loop.
    pub heap: u32,
}

impl Bounds {
    /// How many threads of a template may be asked for.
    pub const THREADS: RangeInclusive<u32> = 1..=64;
    /// How many heap objects of an allocation may be asked for.
    pub const HEAP: RangeInclusive<u32> = 1..=4096;
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            threads: 3,
            heap: 5,
        }
    }
}

/// Enumerations stop here, so that a chain of templates that create each other twice does not exhaust the memory; what is
/// beyond is met as a limit of the run like every other bound.
const MAXIMUM: u32 = 4096;

/// Where the object of an allocation statement comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Always this object: the statement is executed once by each thread.
    Fixed(ObjectId),
    /// The first of these that was never used; without one the heap limit is reached. Nothing is ever freed.
    Fresh(Range<u32>),
    /// One of these that is not alive: one that was freed, or the first that was never used.
    Reused(Range<u32>),
}

/// Where the objects of places are: the order of objects is functions, globals, thread-locals, locals, heap, threads, bases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The object of a global, or the main thread's copy of a thread-local one; the copies of others follow.
    globals: Vec<(u32, bool)>,
    /// The first local of each instance.
    locals: Vec<u32>,
    /// The slots of each allocation statement.
    pools: Vec<Pool>,
    /// The first thread; the others follow in order.
    threads: u32,
    /// The first object that tells where another one lies; those of the others follow in order.
    bases: Option<u32>,
}

/// The slots of an allocation statement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pool {
    slots: Range<u32>,
    kind: PoolKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PoolKind {
    /// Slot `k` belongs to instance `k` of the template.
    PerInstance,
    /// Slots are used in order.
    Fresh,
    /// Slots are used again.
    Reused,
}

/// Enumerates threads and objects.
pub fn instantiate(program: &Program, bounds: &Bounds) -> Instances {
    let counts = count_instances(program, bounds);
    let mut threads = PrimaryMap::new();
    threads.push(Instance {
        template: program.main,
        ordinal: 0,
    });
    for (template, &count) in counts.iter() {
        let first = u32::from(template == program.main);
        for ordinal in first..count {
            threads.push(Instance { template, ordinal });
        }
    }
    let mut enumeration = Enumeration {
        program,
        threads: &threads,
        objects: PrimaryMap::new(),
    };
    let mut layout = enumeration.places();
    layout.pools = enumeration.heap(&counts, bounds);
    layout.threads = enumeration.threads();
    layout.bases = enumeration.bases();
    let objects = enumeration.objects;
    Instances {
        bounds: *bounds,
        threads,
        objects,
        layout,
    }
}

impl Instances {
    /// The thread that runs `main`.
    pub fn main(&self) -> InstanceId {
        InstanceId::MAIN
    }

    /// The object that `place` is for a thread, which has its own copies of locals and thread-local variables.
    pub fn resolve(&self, instance: InstanceId, place: Place) -> ObjectId {
        match place {
            Place::Function(function) => ObjectId::from_u32(function.as_u32()),
            Place::Global(global) => {
                let (first, thread_local) = self.layout.globals[global.index()];
                ObjectId::from_u32(if thread_local {
                    first + instance.0
                } else {
                    first
                })
            }
            Place::Local(local) => {
                ObjectId::from_u32(self.layout.locals[instance.index()] + local.as_u32())
            }
        }
    }

    /// The thread with which an object ends; none for those that are not one thread's own.
    pub fn owner(&self, object: ObjectId) -> Option<InstanceId> {
        match self.objects[object].kind {
            ObjectKind::ThreadLocal(_, owner) | ObjectKind::Local(_, owner) => Some(owner),
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::Heap { .. }
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_) => None,
        }
    }

    /// The object that is a thread.
    pub fn thread(&self, instance: InstanceId) -> ObjectId {
        ObjectId::from_u32(self.layout.threads + instance.0)
    }

    /// Whether an object is a thread, so that its address is a handle.
    pub fn is_thread(&self, object: ObjectId) -> bool {
        matches!(self.objects[object].kind, ObjectKind::Thread(_))
    }

    /// What creating a thread yields, and its own `pthread_self`.
    pub fn handle(&self, instance: InstanceId) -> u64 {
        self.base(self.thread(instance))
    }

    /// The thread with this handle.
    pub fn named(&self, handle: u64) -> Option<InstanceId> {
        let (object, 0) = self.locate(handle)? else {
            return None;
        };
        match self.objects[object].kind {
            ObjectKind::Thread(instance) => Some(instance),
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Heap { .. }
            | ObjectKind::Base(_) => None,
        }
    }

    /// The first allocation statement whose object a slot of the heap may be; none for other objects. All statements that
    /// share slots are alike in taking memory of the stack or not.
    pub fn pool(&self, object: ObjectId) -> Option<HeapSiteId> {
        match self.objects[object].kind {
            ObjectKind::Heap { pool, .. } => Some(HeapSiteId::from_u32(pool)),
            ObjectKind::Function(_)
            | ObjectKind::Thread(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Base(_) => None,
        }
    }

    /// The address of the first byte of an object.
    pub fn base(&self, object: ObjectId) -> u64 {
        MARK + ((u64::from(object.as_u32()) + 1) << 32)
    }

    /// Which object and offset an address points to, if the object exists; the offset may lie outside of it.
    pub fn locate(&self, address: u64) -> Option<(ObjectId, u32)> {
        let number = (address.wrapping_sub(MARK) >> 32) as u32;
        let object = ObjectId::from_u32(number.checked_sub(1)?);
        self.objects
            .is_valid(object)
            .then_some((object, address as u32))
    }

    /// The value of an address operand's place and offset for a thread.
    pub fn address(&self, instance: InstanceId, place: Place, offset: u32) -> u64 {
        self.base(self.resolve(instance, place)) | u64::from(offset)
    }

    /// The instances of a template in the order in which they are started.
    pub fn by_template(&self, template: TemplateId) -> impl Iterator<Item = InstanceId> + '_ {
        self.threads
            .iter()
            .filter(move |(_, instance)| instance.template == template)
            .map(|(id, _)| id)
    }

    /// The instances that a create statement with this start routine may start; never the main thread.
    pub fn start_candidates(&self, program: &Program, start: Operand) -> Vec<InstanceId> {
        let templates = start_templates(program, start);
        let started = self.threads.iter().filter(|(id, instance)| {
            *id != InstanceId::MAIN && templates.contains(&instance.template)
        });
        started.map(|(id, _)| id).collect()
    }

    /// Where the objects of an allocation statement come from when `instance` executes it. An empty range, or
    /// [`Allocation::Fresh`] for a thread beyond the enumerated ones, leads to the heap limit.
    pub fn allocation(&self, site: HeapSiteId, instance: InstanceId) -> Allocation {
        let pool = &self.layout.pools[site.index()];
        let slots = pool.slots.clone();
        match pool.kind {
            PoolKind::PerInstance => {
                let slot = slots.start + self.threads[instance].ordinal;
                if slots.contains(&slot) {
                    Allocation::Fixed(ObjectId::from_u32(slot))
                } else {
                    Allocation::Fresh(slots.start..slots.start)
                }
            }
            PoolKind::Fresh => Allocation::Fresh(slots),
            PoolKind::Reused => Allocation::Reused(slots),
        }
    }

    /// The objects that an allocation statement may yield when `instance` executes it.
    pub fn allocated(&self, site: HeapSiteId, instance: InstanceId) -> Vec<ObjectId> {
        match self.allocation(site, instance) {
            Allocation::Fixed(object) => vec![object],
            Allocation::Fresh(slots) | Allocation::Reused(slots) => {
                slots.map(ObjectId::from_u32).collect()
            }
        }
    }
}

/// The templates that a create statement with this start routine may start: one for the constant address of a function,
/// every one whose function has its address taken otherwise.
pub fn start_templates(program: &Program, start: Operand) -> Vec<TemplateId> {
    let template = |function: FunctionId| program.functions[function].template;
    match start {
        Operand::Address(Place::Function(function), 0) => template(function).into_iter().collect(),
        Operand::Address(..) | Operand::Constant(_) => Vec::new(),
        Operand::Register(_) => {
            let mut templates: Vec<_> = program.functions.keys().filter_map(template).collect();
            templates.sort_unstable();
            templates.dedup();
            templates
        }
    }
}
