//! Memory accesses of statements: the bytes that each may access, and how.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use program::model::{
    self, Edge, EdgeId, Extent, LifeEffect, MutexOperation, ObjectId, Operand, Place, Statement,
    ThreadEffect, UpdateOperator, Words,
};
use program::points_to::{Offsets, Targets};
use program::threads::Allocation;

use crate::context::Context;
use crate::range::Range;

/// One way in which a statement may touch memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub target: Target,
    pub kind: AccessKind,
}

/// Where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Some of these bytes of an object.
    Object(ObjectId, Range),
    /// Anywhere: the address comes from where the points-to analysis cannot follow.
    Anywhere,
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// Only reads.
    Read,
    /// Writes, or reads and writes.
    Write,
    /// Writes a function of the old value.
    Update {
        operator: UpdateOperator,
        /// Whether the thread never looks at the old value.
        unused: bool,
    },
    /// Operates on a mutex.
    Mutex(MutexOperation),
    /// Asks whether the object is alive.
    AskForLife,
    /// Brings an object to life that no pointer can point to before; only pointers out of nowhere notice.
    Allocate,
}

/// A statement of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Occurrence {
    pub instance: InstanceId,
    pub edge: EdgeId,
}

/// All accesses of all threads.
pub(crate) struct Accesses {
    /// Per thread and statement.
    of: PrimaryMap<InstanceId, SecondaryMap<EdgeId, Vec<Access>>>,
    /// Per object, in order of thread and statement.
    to: SecondaryMap<ObjectId, Vec<(Occurrence, Access)>>,
    /// Those that may go anywhere.
    anywhere: Vec<(Occurrence, Access)>,
}

impl Accesses {
    pub fn new(context: &Context) -> Self {
        let mut all = Self {
            of: PrimaryMap::new(),
            to: SecondaryMap::new(),
            anywhere: Vec::new(),
        };
        for instance in context.instances.threads.keys() {
            let mut accesses = SecondaryMap::<EdgeId, Vec<Access>>::new();
            for (edge, content) in context.edges(instance) {
                accesses[edge] = statement_accesses(context, instance, content);
                for &access in &accesses[edge] {
                    all.record(Occurrence { instance, edge }, access);
                }
            }
            all.of.push(accesses);
        }
        all
    }

    fn record(&mut self, occurrence: Occurrence, access: Access) {
        match access.target {
            Target::Object(object, _) => self.to[object].push((occurrence, access)),
            Target::Anywhere => self.anywhere.push((occurrence, access)),
        }
    }

    /// The accesses of a statement.
    pub fn of(&self, occurrence: Occurrence) -> &[Access] {
        &self.of[occurrence.instance][occurrence.edge]
    }

    /// The accesses to any object by addresses from nowhere.
    pub fn anywhere(&self) -> &[(Occurrence, Access)] {
        &self.anywhere
    }

    /// The accesses whose target is this object, without those that may go anywhere.
    pub fn to(&self, object: ObjectId) -> &[(Occurrence, Access)] {
        &self.to[object]
    }

    /// All accesses that may touch a byte that `access` may touch, whatever they do there.
    pub fn overlapping(&self, access: Access) -> impl Iterator<Item = (Occurrence, Access)> + '_ {
        let own: Box<dyn Iterator<Item = &(Occurrence, Access)> + '_> = match access.target {
            Target::Object(object, _) => Box::new(self.to[object].iter()),
            Target::Anywhere => Box::new(self.to.values().flatten()),
        };
        own.chain(&self.anywhere)
            .copied()
            .filter(move |(_, other)| access.target.overlaps(other.target))
    }
}

impl Target {
    pub fn overlaps(self, other: Self) -> bool {
        match (self, other) {
            (Self::Anywhere, _) | (_, Self::Anywhere) => true,
            (Self::Object(object, range), Self::Object(other_object, other_range)) => {
                object == other_object && range.overlaps(other_range)
            }
        }
    }
}

impl AccessKind {
    /// Whether the access may change what is there.
    pub fn writes(self) -> bool {
        self.writes_data() || matches!(self, Self::Mutex(_))
    }

    /// Whether the access may change what is there, other than by operating on a mutex as a mutex.
    pub fn writes_data(self) -> bool {
        match self {
            Self::Write | Self::Update { .. } => true,
            Self::Read | Self::AskForLife | Self::Mutex(_) | Self::Allocate => false,
        }
    }
}

/// The accesses of one statement when a thread executes it.
fn statement_accesses(context: &Context, instance: InstanceId, edge: &Edge) -> Vec<Access> {
    let effects = edge.statement.effects();
    let mut accesses = Vec::new();
    if let Some(access) = effects.access {
        let targets = context.points_to.targets(instance, access.address);
        let size = access.size(context.template(instance));
        let kind = access_kind(context, instance, access);
        accesses.extend(addressed(&targets, size, kind));
        if let Some(words) = access.words {
            accesses.extend(parts(&targets, words, kind));
        }
    }
    if let Some(life) = effects.life {
        accesses.extend(life_accesses(context, instance, edge, life));
    }
    if let Some(ThreadEffect::Exits { .. }) = effects.thread
        && context.rules.returning_is_an_access
    {
        let objects = context.instances.objects.keys();
        let own = objects.filter(|&object| context.instances.owner(object) == Some(instance));
        accesses.extend(own.map(|object| whole(context, object, AccessKind::Write)));
    }
    accesses
}

fn access_kind(context: &Context, instance: InstanceId, access: model::Access<'_>) -> AccessKind {
    match access.kind {
        model::AccessKind::Read => AccessKind::Read,
        model::AccessKind::Write | model::AccessKind::CompareExchange => AccessKind::Write,
        model::AccessKind::Update(operator) => {
            let used = &context.graph(instance).used;
            let is_used = match access.extent {
                Extent::Of(Operand::Register(old)) => used.contains(old),
                Extent::Of(Operand::Constant(_) | Operand::Address(..)) | Extent::Bytes(_) => true,
            };
            let unused = !context.rules.results_unused || !is_used;
            AccessKind::Update { operator, unused }
        }
        model::AccessKind::Mutex(operation) => AccessKind::Mutex(operation),
    }
}

fn life_accesses(
    context: &Context,
    instance: InstanceId,
    edge: &Edge,
    life: LifeEffect<'_>,
) -> Vec<Access> {
    let freed = |address, automatic| {
        let targets = context.points_to.targets(instance, address);
        freed(context, &targets, automatic)
    };
    match life {
        LifeEffect::Starts(_) | LifeEffect::Ends(_) => {
            lifetimes(context, instance, &edge.statement)
        }
        LifeEffect::Allocates { site, .. } => {
            allocation(context, context.instances.allocation(site, instance))
        }
        LifeEffect::Frees { address, automatic } => freed(address, automatic),
        LifeEffect::Measures { address } => freed(address, false),
        LifeEffect::Locates { .. } | LifeEffect::Compares(_) => lives(context, instance, edge),
    }
}

/// The words that hold addresses of which an access may be a part.
fn parts(targets: &Targets, words: &Words, kind: AccessKind) -> Vec<Access> {
    let around = |&(object, _): &(ObjectId, Offsets)| {
        words.0.iter().map(move |&offsets| Access {
            target: Target::Object(
                object,
                Range {
                    offsets,
                    size: Words::SIZE,
                },
            ),
            kind,
        })
    };
    targets.objects.iter().flat_map(around).collect()
}

/// An access of `size` bytes by an address with these targets.
fn addressed(targets: &Targets, size: u32, kind: AccessKind) -> Vec<Access> {
    let known = targets.objects.iter().map(|&(object, offsets)| Access {
        target: Target::Object(object, Range { offsets, size }),
        kind,
    });
    known
        .chain(targets.other.then_some(Access {
            target: Target::Anywhere,
            kind,
        }))
        .collect()
}

/// An access to a whole object. An object without bytes still has a life, so it counts as one byte.
fn whole(context: &Context, object: ObjectId, kind: AccessKind) -> Access {
    let size = context.instances.objects[object].size.max(1);
    Access {
        target: Target::Object(
            object,
            Range {
                offsets: Offsets::Exact(0),
                size,
            },
        ),
        kind,
    }
}

/// Starts and ends of lifetimes are accesses to all of each local: whoever accesses it notices.
fn lifetimes(context: &Context, instance: InstanceId, statement: &Statement) -> Vec<Access> {
    let locals = statement.lifetimes().iter();
    locals
        .map(|&local| context.instances.resolve(instance, Place::Local(local)))
        .map(|object| whole(context, object, AccessKind::Write))
        .collect()
}

/// To ask whether a variable of another thread is alive is an access to it. That of the thread itself ends by no other one.
fn lives(context: &Context, instance: InstanceId, edge: &Edge) -> Vec<Access> {
    if !context.rules.comparing_is_an_access {
        return Vec::new();
    }
    let objects = context.asked_for(instance, edge).into_iter();
    objects
        .filter(|&object| context.instances.owner(object) != Some(instance))
        .map(|object| whole(context, object, AccessKind::AskForLife))
        .collect()
}

/// A slot that was never used is the thread's own until it passes the address on, but which one it is depends on who
/// else takes slots there. A slot that is used again may still be known to others.
fn allocation(context: &Context, allocation: Allocation) -> Vec<Access> {
    let slots = |range: std::ops::Range<u32>, kind| {
        range
            .map(|slot| whole(context, ObjectId::from_u32(slot), kind))
            .collect()
    };
    match allocation {
        Allocation::Fixed(object) => vec![whole(context, object, AccessKind::Allocate)],
        Allocation::Fresh(range) => slots(range, AccessKind::Allocate),
        Allocation::Reused(range) if context.rules.freeing_is_an_access => {
            slots(range, AccessKind::Write)
        }
        Allocation::Reused(range) => slots(range, AccessKind::Allocate),
    }
}

fn freed(context: &Context, targets: &Targets, automatic: bool) -> Vec<Access> {
    if !context.rules.freeing_is_an_access {
        return Vec::new();
    }
    let heap = targets
        .objects
        .iter()
        .filter(|&&(object, _)| {
            let pool = context.instances.pool(object);
            pool.is_some_and(|pool| context.program.heap_sites[pool].automatic == automatic)
        })
        .map(|&(object, _)| (object, whole(context, object, AccessKind::Write)));
    let mut accesses: Vec<_> = heap.collect::<BTreeMap<_, _>>().into_values().collect();
    if targets.other {
        accesses.push(Access {
            target: Target::Anywhere,
            kind: AccessKind::Write,
        });
    }
    accesses
}
