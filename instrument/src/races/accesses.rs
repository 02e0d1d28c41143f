//! The accesses that may race, and what is known of each pair that conflicts.

use std::collections::BTreeMap;

use cranelift_entity::EntitySet;
use program::model::{AccessKind, Edge, Operand, RegisterId, Statement, Template, WeakOrder};

use super::Place;
use super::order::{Atomic, Order};
use crate::footprint::{Footprint, Target};
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
    pub reads: bool,
    /// Whether it may write there.
    pub writes: bool,
    /// Whether C declares it atomic.
    pub atomic: bool,
    /// Whether it stands in an atomic region.
    in_region: bool,
    /// Whether it writes only if it finds what is expected.
    may_fail: bool,
    /// What an atomic access does not order, if it is not sequentially consistent.
    pub weak: Option<WeakOrder>,
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
pub(super) struct Accesses<'a> {
    pub kinds: BTreeMap<Place, Kind>,
    /// The pairs of conflicting accesses; the first place is not after the second.
    pub conflicts: BTreeMap<(Place, Place), Pair>,
    /// What is open of atomic accesses.
    pub order: Order<'a>,
}

/// How many bytes a read counts that stands for one of all bytes from there on.
const WIDE: u32 = 1 << 24;

impl<'a> Accesses<'a> {
    pub(super) fn new(analysis: &MoverAnalysis<'a>) -> Self {
        let mut accesses = Self {
            kinds: BTreeMap::new(),
            conflicts: BTreeMap::new(),
            order: Order::default(),
        };
        let context = &analysis.context;
        let mut occurrences = Vec::new();
        for (instance, thread) in &context.instances.threads {
            for (id, edge) in context.edges(instance) {
                let template = &context.program.templates[thread.template];
                // What the user demands is evaluated in one step.
                let program = context.program;
                if program.ordered_accesses.contains(&edge.site)
                    || program.demand_accesses.contains(&edge.site)
                {
                    continue;
                }
                if let Some(mut kind) = kind(template, edge, &context.graph(instance).used) {
                    kind.weak = program.weak_orders.get(&edge.site).copied();
                    if program.wide_reads.contains(&edge.site) {
                        kind.size = WIDE;
                    }
                    accesses.kinds.insert((thread.template, id), kind);
                    occurrences.push(Occurrence { instance, edge: id });
                }
            }
        }
        for own in occurrences {
            for &footprint in analysis.footprints.of(own) {
                let (footprint, is_wide) = accesses.widened(analysis, own, footprint);
                for (other, other_footprint) in analysis.footprints.overlapping(footprint) {
                    // Two threads are compared once, unless only one of the footprints is larger than it seems.
                    if other.instance < own.instance || is_wide && other.instance != own.instance {
                        accesses.compare(analysis, (own, footprint), (other, other_footprint));
                    }
                }
            }
        }
        accesses
    }

    fn compare(
        &mut self,
        analysis: &MoverAnalysis<'a>,
        (own, footprint): (Occurrence, Footprint),
        (other, other_footprint): (Occurrence, Footprint),
    ) {
        let places = [own, other].map(|occurrence| place(analysis, occurrence));
        let [Some(&kind), Some(&other_kind)] = places.map(|place| self.kinds.get(&place)) else {
            return;
        };
        let kinds = [kind, other_kind];
        if !kinds.iter().any(|kind| kind.writes) {
            return;
        }
        let are_atomic = kinds.iter().all(|kind| kind.atomic);
        let mut key = places;
        key.sort();
        let known = self.conflicts.get(&(key[0], key[1]));
        if known == Some(&Pair::Open) && !are_atomic {
            return;
        }
        let object = footprint.target.common_object(other_footprint.target);
        let is_apart = kinds.iter().all(|kind| kind.in_region) || !analysis.concurrent(own, other);
        let is_protected = || {
            let protected = analysis.protected((own, footprint), (other, other_footprint), object);
            protected.is_some()
        };
        let found = match (is_apart, !is_apart && is_protected()) {
            (true, _) => Pair::Apart,
            (false, true) => Pair::Locked,
            (false, false) => Pair::Open,
        };
        if !are_atomic {
            let known = self.conflicts.entry((key[0], key[1])).or_insert(found);
            *known = found.max(*known);
        } else if found == Pair::Open {
            let address_bytes = analysis.context.program.data_model.address_bytes();
            let [one, another] = [(own, 0), (other, 1)].map(|(occurrence, position)| {
                let template = analysis.context.template(occurrence.instance);
                Atomic {
                    occurrence,
                    place: places[position],
                    kind: kinds[position],
                    statement: &template.edges[occurrence.edge].statement,
                    may_be_address: kinds[position].size == address_bytes,
                }
            });
            self.order.compare(one, another);
        }
    }

    /// A footprint, larger if the access stands for one of all bytes from there on; and whether it does.
    fn widened(
        &self,
        analysis: &MoverAnalysis<'_>,
        occurrence: Occurrence,
        mut footprint: Footprint,
    ) -> (Footprint, bool) {
        let kind = self.kinds.get(&place(analysis, occurrence));
        let is_wide = kind.is_some_and(|kind| kind.size == WIDE);
        if let (true, Target::Object(_, range)) = (is_wide, &mut footprint.target) {
            range.size = WIDE;
        }
        (footprint, is_wide)
    }
}

/// The statement of its template that a thread executes.
fn place(analysis: &MoverAnalysis<'_>, occurrence: Occurrence) -> Place {
    let threads = &analysis.context.instances.threads;
    (threads[occurrence.instance].template, occurrence.edge)
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
        weak: None,
    })
}

/// Whether C declares a load or store atomic.
fn declared_atomic(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Load { atomic: true, .. } | Statement::Store { atomic: true, .. }
    )
}
