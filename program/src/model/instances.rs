//! The threads and memory objects of all runs within the bounds.

use std::ops::{Range, RangeInclusive};

use abi::ids::InstanceId;
use cranelift_entity::PrimaryMap;

use super::{DataModel, FunctionId, GlobalId, LocalId, ObjectId, TemplateId};

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

/// The threads and memory objects of all runs within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instances {
    /// Where the objects lie.
    pub data_model: DataModel,
    /// How far they were enumerated.
    pub bounds: Bounds,
    /// The threads; [`InstanceId::MAIN`] first. Instances of one template are started in order.
    pub threads: PrimaryMap<InstanceId, Instance>,
    /// The objects; [`DataModel::base`] tells their addresses.
    pub objects: PrimaryMap<ObjectId, Object>,
    /// Where the objects of places and allocation statements are.
    pub(crate) table: ObjectTable,
}

/// One run of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What it runs.
    pub template: TemplateId,
    /// Its number among the instances of the template, from 0.
    pub ordinal: u32,
}

/// A memory object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Size in bytes.
    pub size: u32,
    /// Its address is a multiple of this power of two.
    pub alignment: u32,
}

/// What a memory object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// A function; it has an address and no content.
    Function(FunctionId),
    /// A global variable.
    Global(GlobalId),
    /// A thread's copy of a thread-local variable.
    ThreadLocal(GlobalId, InstanceId),
    /// A thread's copy of an automatic variable.
    Local(LocalId, InstanceId),
    /// A thread. Its address is the handle, and the number of that what a machine has as the handle; it has no content.
    Thread(InstanceId),
    /// A slot for a heap object; dead until allocated. Sites share slots if the program frees anything.
    Heap {
        /// Which pool of slots, by the number of its first allocation statement; see [`Instances`].
        pool: u32,
        /// Number within the pool.
        slot: u32,
    },
    /// Where this object lies, as 64 arbitrary bits of which [`Instances::lies_at`] makes an address. No address points here.
    Base(ObjectId),
    /// What a pointer leads to that was moved [`DataModel::far`] at once: no byte, but it lies somewhere, so that the number of
    /// such a pointer is arbitrary.
    Nowhere,
}

/// Where the objects of places are: the order of objects is functions, globals, thread-locals, locals, heap, threads, nowhere, bases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObjectTable {
    /// The object of a global, or the main thread's copy of a thread-local one; the copies of others follow.
    pub(crate) globals: Vec<(u32, bool)>,
    /// The first local of each instance.
    pub(crate) locals: Vec<u32>,
    /// The slots of each allocation statement.
    pub(crate) pools: Vec<Pool>,
    /// The first thread; the others follow in order.
    pub(crate) threads: u32,
    /// The object that is nowhere.
    pub(crate) nowhere: u32,
    /// The first object that tells where another one lies; those of the others follow in order.
    pub(crate) bases: Option<u32>,
}

/// The slots of an allocation statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pool {
    pub(crate) slots: Range<u32>,
    pub(crate) kind: PoolKind,
}

/// Which slot a run of an allocation statement takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolKind {
    /// Slot `k` belongs to instance `k` of the template.
    PerInstance,
    /// Slots are used in order.
    Fresh,
    /// Slots are used again.
    Reused,
}
