//! Locking discipline: the mutexes that are used as mutexes only, so that one thread at most holds each.
//!
//! A mutex is its memory. A mutex excludes other threads only if two requirements hold. All its operations name the
//! mutex for certain, or by an address of which it is known that it is exactly one mutex. No thread overwrites the
//! bytes of the mutex while other threads may run. By induction over a run, a thread that holds such a mutex by
//! [`crate::locksets`] is its owner: no other thread can release it. The kind of the mutex does not matter, because
//! kinds differ only in what the owner's second lock and another thread's unlock do, which is an error or undefined.

use std::collections::BTreeSet;

use program::model::{LocationId, Statement};

use crate::context::Context;
use crate::footprint::{Footprint, FootprintKind, Footprints, Target};
use crate::locksets::Mutex;
use crate::mhp::Mhp;
use crate::occurrence::Occurrence;

/// The operations on mutexes that exclude.
pub(crate) struct LockingDiscipline {
    /// The mutexes that are named for certain.
    mutexes: BTreeSet<Mutex>,
    /// The operations each of whose mutexes excludes.
    operations: BTreeSet<Occurrence>,
}

impl LockingDiscipline {
    pub fn new(context: &Context, footprints: &Footprints, mhp: &Mhp) -> Self {
        let judge = Judge {
            context,
            footprints,
            mhp,
        };
        let mut found = Self {
            mutexes: BTreeSet::new(),
            operations: BTreeSet::new(),
        };
        // Most operations are about a few mutexes.
        let mut judged: Vec<(Target, bool)> = Vec::new();
        let mut is_disciplined = |target: Target| {
            let known = judged.iter().find(|(other, _)| *other == target);
            known.map(|&(_, good)| good).unwrap_or_else(|| {
                let good = judge.is_disciplined(target);
                judged.push((target, good));
                good
            })
        };
        for instance in context.instances.threads.keys() {
            for (edge, content) in context.edges(instance) {
                let Statement::Mutex { mutex, .. } = content.statement else {
                    continue;
                };
                let operation = Occurrence { instance, edge };
                let mut operated = footprints.of(operation).iter();
                if operated.all(|footprint| is_disciplined(footprint.target)) {
                    found.operations.insert(operation);
                    let named = context.definite_target(instance, mutex);
                    found.mutexes.extend(named);
                }
            }
        }
        found
    }

    /// Whether holding the mutex excludes other threads.
    pub fn excludes(&self, mutex: Mutex) -> bool {
        self.mutexes.contains(&mutex)
    }

    /// Whether whichever mutex an operation is applied to excludes.
    pub fn is_proper(&self, operation: Occurrence) -> bool {
        self.operations.contains(&operation)
    }
}

struct Judge<'a> {
    context: &'a Context<'a>,
    footprints: &'a Footprints,
    mhp: &'a Mhp,
}

impl Judge<'_> {
    /// Whether the mutexes at all places that are meant exclude.
    fn is_disciplined(&self, target: Target) -> bool {
        let probe = Footprint {
            target,
            kind: FootprintKind::Read,
        };
        self.footprints
            .overlapping(probe)
            .all(|(occurrence, footprint)| match footprint.kind {
                FootprintKind::Mutex(_) => target.is_same_cell(footprint.target),
                FootprintKind::Write | FootprintKind::Update { .. } => {
                    !self.context.rules.mutex_is_memory
                        || self
                            .mhp
                            .single_threaded(occurrence.instance, self.source(occurrence))
                }
                FootprintKind::Read | FootprintKind::AskForLife | FootprintKind::Allocate => true,
            })
    }

    fn source(&self, occurrence: Occurrence) -> LocationId {
        self.context.template(occurrence.instance).edges[occurrence.edge].source
    }
}
