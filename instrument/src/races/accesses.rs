//! The accesses that may race, and what is known of each pair that conflicts.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;
use program::model::{
    AccessKind, Edge, LibraryCall, Operand, Program, RegisterId, Statement, Template, WeakOrder,
};

use super::Place;
use crate::footprint::Footprint;
use crate::mover_analysis::MoverAnalysis;
use crate::occurrence::Occurrence;

/// What a statement does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// Where; as wide as an address.
    pub address: Operand,
    /// How many bytes.
    pub size: u32,
    /// Whether the thread looks at what it reads.
    reads: bool,
    /// Whether it may write there.
    pub writes: bool,
    /// Whether C declares it atomic.
    pub atomic: bool,
    /// Whether it stands in an atomic region.
    in_region: bool,
    /// Whether it writes only if it finds what is expected.
    may_fail: bool,
    weak: WeakOrder,
}

impl Kind {
    /// Whether the thread may wait before the access and say then what it will do.
    pub fn may_announce(&self) -> bool {
        !self.in_region && !self.may_fail
    }
}

/// What is known of two conflicting accesses. The later ones are true of a pair of statements if they are of one pair of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    /// They are never next at the same time.
    Apart,
    /// Both threads hold the same mutex.
    Locked,
    /// Nothing that excludes a race.
    Open,
}

/// The accesses of a program.
pub(super) struct Accesses {
    pub kinds: BTreeMap<Place, Kind>,
    /// The pairs of conflicting accesses; the first place is not after the second.
    pub conflicts: BTreeMap<(Place, Place), Pair>,
    /// Atomic accesses that may read what another thread writes at the same time, where one of the two has a weak order.
    pub unordered: BTreeSet<Place>,
}

impl Accesses {
    pub(super) fn new(analysis: &MoverAnalysis<'_>) -> Self {
        let mut accesses = Self {
            kinds: BTreeMap::new(),
            conflicts: BTreeMap::new(),
            unordered: BTreeSet::new(),
        };
        let context = &analysis.context;
        let mut occurrences = Vec::new();
        for (instance, thread) in &context.instances.threads {
            for (id, edge) in context.edges(instance) {
                let template = &context.program.templates[thread.template];
                // The library orders its own accesses, and what the user demands is evaluated in one step.
                if is_of_library(context.program, edge)
                    || context.program.demand_accesses.contains(&edge.site)
                {
                    continue;
                }
                if let Some(mut kind) = kind(template, edge, &context.graph(instance).used) {
                    let weak = context.program.weak_orders.get(&edge.site);
                    kind.weak = weak.copied().unwrap_or_default();
                    accesses.kinds.insert((thread.template, id), kind);
                    occurrences.push(Occurrence { instance, edge: id });
                }
            }
        }
        for own in occurrences {
            for &footprint in analysis.footprints.of(own) {
                for (other, other_footprint) in analysis.footprints.overlapping(footprint) {
                    // Of two threads, the second looks at the first one.
                    if other.instance < own.instance {
                        accesses.compare(analysis, (own, footprint), (other, other_footprint));
                    }
                }
            }
        }
        accesses
    }

    fn compare(
        &mut self,
        analysis: &MoverAnalysis<'_>,
        (own, footprint): (Occurrence, Footprint),
        (other, other_footprint): (Occurrence, Footprint),
    ) {
        let place = |occurrence: Occurrence| {
            let threads = &analysis.context.instances.threads;
            (threads[occurrence.instance].template, occurrence.edge)
        };
        let places = [place(own), place(other)];
        let [Some(&kind), Some(&other_kind)] = places.map(|place| self.kinds.get(&place)) else {
            return;
        };
        let kinds = [kind, other_kind];
        if !kinds.iter().any(|kind| kind.writes) {
            return;
        }
        let concurrent = || analysis.concurrent(own, other);
        if kinds.iter().all(|kind| kind.atomic) {
            for (at, from) in [(0, 1), (1, 0)] {
                let (reading, writing) = (kinds[at], kinds[from]);
                let is_weak = reading.weak.reads || writing.weak.writes;
                if is_weak && reading.reads && writing.writes && concurrent() {
                    self.unordered.insert(places[at]);
                }
            }
            return;
        }
        let mut key = places;
        key.sort();
        let known = self
            .conflicts
            .entry((key[0], key[1]))
            .or_insert(Pair::Apart);
        if *known == Pair::Open {
            return;
        }
        let object = footprint.target.common_object(other_footprint.target);
        let found = if kinds.iter().all(|kind| kind.in_region) || !concurrent() {
            Pair::Apart
        } else {
            let protected = analysis.protected((own, footprint), (other, other_footprint), object);
            match protected {
                Some(_) => Pair::Locked,
                None => Pair::Open,
            }
        };
        *known = found.max(*known);
    }
}

/// What an edge does to memory, other than with mutexes; registers are looked at that are used.
fn kind(template: &Template, edge: &Edge, used: &EntitySet<RegisterId>) -> Option<Kind> {
    let access = edge.statement.effects().access?;
    let may_fail = access.kind == AccessKind::CompareExchange;
    let (reads, atomic) = match access.kind {
        AccessKind::Read => (true, declared_atomic(&edge.statement)),
        AccessKind::Write => (false, declared_atomic(&edge.statement)),
        AccessKind::Update(_) => {
            let mut is_used = false;
            edge.statement
                .for_each_definition(|old| is_used |= used.contains(old));
            (is_used, true)
        }
        AccessKind::CompareExchange => (true, true),
        AccessKind::Mutex(_) => return None,
    };
    Some(Kind {
        address: access.address,
        size: access.size(template),
        reads,
        writes: access.kind.writes(),
        atomic,
        may_fail,
        in_region: template.locations[edge.source].atomic_depth > 0,
        weak: WeakOrder::default(),
    })
}

/// Whether C declares a load or store atomic.
fn declared_atomic(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Load { atomic: true, .. } | Statement::Store { atomic: true, .. }
    )
}

/// How names of library functions begin that look at memory for the program, and what names of others contain.
const READERS_BEGIN: [&str; 3] = ["mem", "str", "bc"];
const READERS_CONTAIN: [&str; 9] = [
    "printf",
    "scan",
    "write",
    "strto",
    "ato",
    "open",
    "getenv",
    "__mazurka_put",
    "__mazurka_read",
];

/// Whether an access is the library's own, which it orders. What it looks at for the program is not.
fn is_of_library(program: &Program, edge: &Edge) -> bool {
    let call = program.sites[edge.site].library.as_ref();
    let is_for_program = call.is_some_and(|LibraryCall { function, .. }| {
        READERS_BEGIN
            .iter()
            .any(|start| function.starts_with(start))
            || READERS_CONTAIN.iter().any(|part| function.contains(part))
    });
    program.library_accesses.contains(&edge.site) && !is_for_program
}
