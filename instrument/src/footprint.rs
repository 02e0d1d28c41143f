//! Footprints of statements: the bytes of which objects each may touch when a thread executes it, and how.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use program::leaks::AddressWords;
use program::model::{
    Access, AccessKind, Edge, EdgeId, Extent, LeakSearch, LifeEffect, MutexOperation, ObjectId,
    Operand, Place, Statement, ThreadEffect, UpdateOperator, Words,
};
use program::points_to::{Offsets, Targets};
use program::threads::Allocation;

use crate::byte_range::ByteRange;
use crate::context::Context;
use crate::occurrence::Occurrence;

/// One way in which a statement may touch memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footprint {
    pub target: Target,
    pub kind: FootprintKind,
}

/// Where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Some of these bytes of an object.
    Object(ObjectId, ByteRange),
    /// Anywhere: the address comes from where the points-to analysis cannot follow.
    Anywhere,
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FootprintKind {
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

/// The footprints of all statements of all threads.
pub(crate) struct Footprints {
    /// Per thread and statement.
    of: PrimaryMap<InstanceId, SecondaryMap<EdgeId, Vec<Footprint>>>,
    /// Per object, in order of thread and statement.
    to: SecondaryMap<ObjectId, Vec<(Occurrence, Footprint)>>,
    /// Those that may go anywhere.
    anywhere: Vec<(Occurrence, Footprint)>,
}

impl Footprints {
    pub fn new(context: &Context) -> Self {
        let mut all = Self {
            of: PrimaryMap::new(),
            to: SecondaryMap::new(),
            anywhere: Vec::new(),
        };
        for instance in context.instances.threads.keys() {
            let mut footprints = SecondaryMap::<EdgeId, Vec<Footprint>>::new();
            for (edge, content) in context.edges(instance) {
                footprints[edge] = statement_footprints(context, instance, content);
                for &footprint in &footprints[edge] {
                    all.record(Occurrence { instance, edge }, footprint);
                }
            }
            all.of.push(footprints);
        }
        all
    }

    fn record(&mut self, occurrence: Occurrence, footprint: Footprint) {
        match footprint.target {
            Target::Object(object, _) => self.to[object].push((occurrence, footprint)),
            Target::Anywhere => self.anywhere.push((occurrence, footprint)),
        }
    }

    /// The footprints of a statement.
    pub fn of(&self, occurrence: Occurrence) -> &[Footprint] {
        &self.of[occurrence.instance][occurrence.edge]
    }

    /// The footprints in any object, by addresses from nowhere.
    pub fn anywhere(&self) -> &[(Occurrence, Footprint)] {
        &self.anywhere
    }

    /// The footprints whose target is this object, without those that may go anywhere.
    pub fn to(&self, object: ObjectId) -> &[(Occurrence, Footprint)] {
        &self.to[object]
    }

    /// All footprints that may have a byte in common with this one, whatever they do there.
    pub fn overlapping(
        &self,
        footprint: Footprint,
    ) -> impl Iterator<Item = (Occurrence, Footprint)> + '_ {
        let own: Box<dyn Iterator<Item = &(Occurrence, Footprint)> + '_> = match footprint.target {
            Target::Object(object, _) => Box::new(self.to[object].iter()),
            Target::Anywhere => Box::new(self.to.values().flatten()),
        };
        own.chain(&self.anywhere)
            .copied()
            .filter(move |(_, other)| footprint.target.overlaps(other.target))
    }
}

impl Target {
    /// Whether two targets are the same bytes if they have a common one.
    pub fn is_same_cell(self, other: Self) -> bool {
        match (self, other) {
            (Self::Object(_, range), Self::Object(_, other_range)) => {
                range.same_or_apart(other_range)
            }
            (Self::Anywhere, _) | (_, Self::Anywhere) => false,
        }
    }

    /// The object that both may be in, if one of them says so.
    pub fn common_object(self, other: Self) -> Option<ObjectId> {
        match (self, other) {
            (Self::Object(object, _), _) | (_, Self::Object(object, _)) => Some(object),
            (Self::Anywhere, Self::Anywhere) => None,
        }
    }

    /// Whether two targets may have a common byte.
    pub fn overlaps(self, other: Self) -> bool {
        match (self, other) {
            (Self::Anywhere, _) | (_, Self::Anywhere) => true,
            (Self::Object(object, range), Self::Object(other_object, other_range)) => {
                object == other_object && range.overlaps(other_range)
            }
        }
    }
}

impl FootprintKind {
    /// Whether the access may change the accessed memory.
    pub fn writes(self) -> bool {
        self.writes_data() || matches!(self, Self::Mutex(_))
    }

    /// Whether the access may change the accessed memory, other than by operating on a mutex as a mutex.
    pub fn writes_data(self) -> bool {
        match self {
            Self::Write | Self::Update { .. } => true,
            Self::Read | Self::AskForLife | Self::Mutex(_) | Self::Allocate => false,
        }
    }
}

/// The footprints of one statement when a thread executes it.
fn statement_footprints(context: &Context, instance: InstanceId, edge: &Edge) -> Vec<Footprint> {
    let effects = edge.statement.effects();
    let mut footprints = Vec::new();
    if let Some(access) = effects.access {
        let targets = context.points_to.targets(instance, access.address);
        let size = access.size(context.template(instance));
        let kind = footprint_kind(context, instance, access);
        footprints.extend(addressed(&targets, size, kind));
        if let Some(words) = access.words {
            footprints.extend(parts(
                context.program.data_model.address_bytes(),
                &targets,
                words,
                kind,
            ));
        }
    }
    if let Some(life) = effects.life {
        footprints.extend(life_footprints(context, instance, edge, life));
    }
    if let Some(ThreadEffect::Exits { .. }) = effects.thread
        && context.rules.returning_is_an_access
    {
        let objects = context.instances.objects.keys();
        let own = objects.filter(|&object| context.instances.owner(object) == Some(instance));
        footprints.extend(own.map(|object| whole(context, object, FootprintKind::Write)));
    }
    footprints
}

fn footprint_kind(context: &Context, instance: InstanceId, access: Access<'_>) -> FootprintKind {
    match access.kind {
        AccessKind::Read => FootprintKind::Read,
        AccessKind::Write | AccessKind::CompareExchange => FootprintKind::Write,
        AccessKind::Update(operator) => {
            let used = &context.graph(instance).used;
            let is_used = match access.extent {
                Extent::Of(Operand::Register(old)) => used.contains(old),
                Extent::Of(Operand::Constant(_) | Operand::Address(..))
                | Extent::Address
                | Extent::Mutex => true,
            };
            let unused = !context.rules.results_unused || !is_used;
            FootprintKind::Update { operator, unused }
        }
        AccessKind::Mutex(operation) => FootprintKind::Mutex(operation),
    }
}

fn life_footprints(
    context: &Context,
    instance: InstanceId,
    edge: &Edge,
    life: LifeEffect<'_>,
) -> Vec<Footprint> {
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
        LifeEffect::FindsLeaks(LeakSearch::Beside | LeakSearch::Any) => leaks(context),
        // Nothing of other threads comes next to it: it passes only when they have ended.
        LifeEffect::FindsLeaks(LeakSearch::Certain | LeakSearch::Hidden) => Vec::new(),
        LifeEffect::Locates { .. } | LifeEffect::Compares(_) => lives(context, instance, edge),
    }
}

/// The words that hold addresses of which an access may be a part.
fn parts(word: u32, targets: &Targets, words: &Words, kind: FootprintKind) -> Vec<Footprint> {
    let around = |&(object, _): &(ObjectId, Offsets)| {
        words.0.iter().map(move |&offsets| Footprint {
            target: Target::Object(
                object,
                ByteRange {
                    offsets,
                    size: word,
                },
            ),
            kind,
        })
    };
    targets.objects.iter().flat_map(around).collect()
}

/// An access of `size` bytes by an address with these targets.
fn addressed(targets: &Targets, size: u32, kind: FootprintKind) -> Vec<Footprint> {
    let known = targets.objects.iter().map(|&(object, offsets)| Footprint {
        target: Target::Object(object, ByteRange { offsets, size }),
        kind,
    });
    known
        .chain(targets.other.then_some(Footprint {
            target: Target::Anywhere,
            kind,
        }))
        .collect()
}

/// An access to a whole object. An object without bytes still has a life, so it counts as one byte.
fn whole(context: &Context, object: ObjectId, kind: FootprintKind) -> Footprint {
    let size = context.instances.objects[object].size.max(1);
    Footprint {
        target: Target::Object(
            object,
            ByteRange {
                offsets: Offsets::Exact(0),
                size,
            },
        ),
        kind,
    }
}

/// Starts and ends of lifetimes are accesses to all of each local: a thread that accesses the local observes them.
fn lifetimes(context: &Context, instance: InstanceId, statement: &Statement) -> Vec<Footprint> {
    let locals = statement.lifetimes().iter();
    locals
        .map(|&local| context.instances.resolve(instance, Place::Local(local)))
        .map(|object| whole(context, object, FootprintKind::Write))
        .collect()
}

/// Whether memory is lost depends on all that may lead to heap objects, and on their lives.
fn leaks(context: &Context) -> Vec<Footprint> {
    let (program, instances) = (context.program, &context.instances);
    let Some(found) = AddressWords::new(program, instances, context.points_to) else {
        return Vec::new();
    };
    let mut holders: Vec<ObjectId> = found.words.iter().map(|word| word.holder).collect();
    holders.dedup();
    let reads = holders
        .into_iter()
        .map(|holder| (holder, FootprintKind::Read));
    let asks = found
        .objects
        .iter()
        .map(|&object| (object, FootprintKind::AskForLife));
    let all = reads.chain(asks);
    all.map(|(object, kind)| whole(context, object, kind))
        .collect()
}

/// To ask whether a variable of another thread is alive is an access to it. That of the thread itself ends by no other one.
fn lives(context: &Context, instance: InstanceId, edge: &Edge) -> Vec<Footprint> {
    if !context.rules.comparing_is_an_access {
        return Vec::new();
    }
    let objects = context.asked_for(instance, edge).into_iter();
    objects
        .filter(|&object| context.instances.owner(object) != Some(instance))
        .map(|object| whole(context, object, FootprintKind::AskForLife))
        .collect()
}

/// A slot that was never used is the thread's own until it passes the address on, but which one it is depends on who
/// else takes slots there. A slot that is used again may still be known to others.
fn allocation(context: &Context, allocation: Allocation) -> Vec<Footprint> {
    let slots = |range: std::ops::Range<u32>, kind| {
        range
            .map(|slot| whole(context, ObjectId::from_u32(slot), kind))
            .collect()
    };
    match allocation {
        Allocation::Fixed(object) => vec![whole(context, object, FootprintKind::Allocate)],
        Allocation::Fresh(range) => slots(range, FootprintKind::Allocate),
        Allocation::Reused(range) if context.rules.freeing_is_an_access => {
            slots(range, FootprintKind::Write)
        }
        Allocation::Reused(range) => slots(range, FootprintKind::Allocate),
    }
}

fn freed(context: &Context, targets: &Targets, automatic: bool) -> Vec<Footprint> {
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
        .map(|&(object, _)| (object, whole(context, object, FootprintKind::Write)));
    let mut footprints: Vec<_> = heap.collect::<BTreeMap<_, _>>().into_values().collect();
    if targets.other {
        footprints.push(Footprint {
            target: Target::Anywhere,
            kind: FootprintKind::Write,
        });
    }
    footprints
}
