//! Look-up in the enumeration: which object a place, a handle or an address means, where the object of an allocation comes
//! from, and which threads a statement may start.

use std::ops::Range;

use abi::ids::InstanceId;
use cranelift_entity::EntityRef;

use crate::model::{
    FunctionId, HeapSiteId, Instances, ObjectId, ObjectKind, Operand, Place, PoolKind, Program,
    TemplateId,
};

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
                let (first, thread_local) = self.table.globals[global.index()];
                ObjectId::from_u32(if thread_local {
                    first + instance.0
                } else {
                    first
                })
            }
            Place::Local(local) => {
                ObjectId::from_u32(self.table.locals[instance.index()] + local.as_u32())
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
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => None,
        }
    }

    /// The object that is a thread.
    pub fn thread(&self, instance: InstanceId) -> ObjectId {
        ObjectId::from_u32(self.table.threads + instance.0)
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
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => None,
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
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => None,
        }
    }

    /// The address of the first byte of an object.
    pub fn base(&self, object: ObjectId) -> u64 {
        self.data_model.base(object)
    }

    /// Which object and offset an address points to, if the object exists; the offset may lie outside of it.
    pub fn locate(&self, address: u64) -> Option<(ObjectId, u32)> {
        let (number, distance) = self.data_model.parts(address);
        let object = ObjectId::from_u32(number.checked_sub(1)?);
        self.objects.is_valid(object).then_some((object, distance))
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
        let pool = &self.table.pools[site.index()];
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
