//! Which mutexes are used as mutexes only, so that to hold one means that no other thread holds it.
//!
//! A mutex is its memory. It excludes other threads only if all its operations name it for certain, or by an address of
//! which it is known that it is exactly one mutex; if only a thread that holds it releases it; and if no thread overwrites its
//! bytes while others may run. By induction over a run, a thread that holds such a mutex by [`crate::locksets`] is its owner:
//! nobody else could have released it. The kind of the mutex does not matter then, because kinds differ only in what the
//! owner's second lock and another's unlock do.

use std::collections::BTreeSet;

use program::model::{LocationId, MutexOperation, Statement};

use crate::access::{Access, AccessKind, Accesses, Occurrence, Target};
use crate::context::Context;
use crate::locksets::{Locksets, Mutex};
use crate::movers::same_cell;
use crate::parallel::Parallel;

/// The operations on mutexes that exclude.
pub(crate) struct Discipline {
    /// The mutexes that are named for certain.
    mutexes: BTreeSet<Mutex>,
    /// The operations each of whose mutexes excludes.
    operations: BTreeSet<Occurrence>,
}

impl Discipline {
    pub fn new(
        context: &Context,
        accesses: &Accesses,
        locksets: &Locksets,
        parallel: &Parallel,
    ) -> Self {
        let judge = Judge {
            context,
            accesses,
            locksets,
            parallel,
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
                let mut operated = accesses.of(operation).iter();
                if operated.all(|access| is_disciplined(access.target)) {
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
    accesses: &'a Accesses,
    locksets: &'a Locksets,
    parallel: &'a Parallel,
}

impl Judge<'_> {
    /// Whether the mutexes at all places that are meant exclude.
    fn is_disciplined(&self, target: Target) -> bool {
        let probe = Access {
            target,
            kind: AccessKind::Read,
        };
        self.accesses
            .overlapping(probe)
            .all(|(occurrence, access)| match access.kind {
                AccessKind::Mutex(operation) => {
                    same_cell(target, access.target) && self.releases_own(occurrence, operation)
                }
                AccessKind::Write | AccessKind::Update { .. } => {
                    !self.context.rules.mutex_is_memory
                        || self
                            .parallel
                            .alone(occurrence.instance, self.source(occurrence))
                }
                AccessKind::Read | AccessKind::Allocate => true,
            })
    }

    /// Whether an operation releases a mutex only if the thread holds it.
    fn releases_own(&self, occurrence: Occurrence, operation: MutexOperation) -> bool {
        operation != MutexOperation::Unlock
            || !self.context.rules.only_holders_unlock
            || self.holds_operand(occurrence)
    }

    fn holds_operand(&self, occurrence @ Occurrence { instance, edge }: Occurrence) -> bool {
        let statement = &self.context.template(instance).edges[edge].statement;
        let Statement::Mutex { mutex, .. } = *statement else {
            return false;
        };
        let source = self.source(occurrence);
        let named = self.context.definite_target(instance, mutex);
        named.is_some_and(|named| self.locksets.holds(instance, source, named))
            || self.locksets.taken(instance, source, mutex).is_some()
    }

    fn source(&self, occurrence: Occurrence) -> LocationId {
        self.context.template(occurrence.instance).edges[occurrence.edge].source
    }
}
