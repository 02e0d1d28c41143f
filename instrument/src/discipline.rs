//! Which mutexes are used as mutexes only, so that to hold one means that no other thread holds it.
//!
//! A mutex is its memory. It excludes other threads only if all its operations name it for certain, only a thread that
//! holds it releases it, and no thread overwrites its bytes while others may run. By induction over a run, a thread that
//! holds such a mutex by [`crate::locksets`] is its owner: nobody else could have released it. The kind of the mutex does
//! not matter then, because kinds differ only in what the owner's second lock and another's unlock do.

use std::collections::{BTreeMap, BTreeSet};

use program::model::{LocationId, MutexOperation, Operand, Statement};

use crate::access::{Access, AccessKind, Accesses, Occurrence};
use crate::context::Context;
use crate::locksets::{Locksets, Mutex, mutex_target};
use crate::parallel::Parallel;

/// The mutexes that exclude, and all operations that name their mutex for certain.
pub(crate) struct Discipline {
    disciplined: BTreeSet<Mutex>,
    named: BTreeMap<Occurrence, Mutex>,
}

impl Discipline {
    pub fn new(
        context: &Context,
        accesses: &Accesses,
        locksets: &Locksets,
        parallel: &Parallel,
    ) -> Self {
        let named = named_mutexes(context);
        let mutexes: BTreeSet<Mutex> = named.values().copied().collect();
        let judge = Judge {
            context,
            accesses,
            locksets,
            parallel,
            named: &named,
        };
        let disciplined = mutexes
            .into_iter()
            .filter(|&mutex| judge.is_disciplined(mutex))
            .collect();
        Self { disciplined, named }
    }

    /// Whether holding the mutex excludes other threads.
    pub fn excludes(&self, mutex: Mutex) -> bool {
        self.disciplined.contains(&mutex)
    }

    /// The mutex that an operation is applied to, if that is known and it excludes.
    pub fn mutex(&self, operation: Occurrence) -> Option<Mutex> {
        self.named
            .get(&operation)
            .copied()
            .filter(|&mutex| self.excludes(mutex))
    }
}

fn named_mutexes(context: &Context) -> BTreeMap<Occurrence, Mutex> {
    let mut named = BTreeMap::new();
    for instance in context.instances.threads.keys() {
        for (edge, content) in context.edges(instance) {
            if let Some(target) = mutex_operand(&content.statement)
                .and_then(|mutex| context.definite_target(instance, mutex))
            {
                named.insert(Occurrence { instance, edge }, target);
            }
        }
    }
    named
}

fn mutex_operand(statement: &Statement) -> Option<Operand> {
    if let Statement::Mutex { mutex, .. } = statement {
        Some(*mutex)
    } else {
        None
    }
}

struct Judge<'a> {
    context: &'a Context<'a>,
    accesses: &'a Accesses,
    locksets: &'a Locksets,
    parallel: &'a Parallel,
    named: &'a BTreeMap<Occurrence, Mutex>,
}

impl Judge<'_> {
    fn is_disciplined(&self, mutex: Mutex) -> bool {
        let probe = Access {
            target: mutex_target(mutex),
            kind: AccessKind::Read,
        };
        self.accesses
            .overlapping(probe)
            .all(|(occurrence, access)| match access.kind {
                AccessKind::Mutex(operation) => {
                    self.operates_properly(occurrence, operation, mutex)
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

    /// Whether an operation that may touch the bytes of a mutex is one on exactly this mutex, and releases it only if held.
    fn operates_properly(
        &self,
        occurrence: Occurrence,
        operation: MutexOperation,
        mutex: Mutex,
    ) -> bool {
        let held = || {
            self.locksets
                .holds(occurrence.instance, self.source(occurrence), mutex)
        };
        self.named.get(&occurrence) == Some(&mutex)
            && match operation {
                MutexOperation::Lock | MutexOperation::TryLock => true,
                MutexOperation::Unlock => !self.context.rules.only_holders_unlock || held(),
            }
    }

    fn source(&self, occurrence: Occurrence) -> LocationId {
        self.context.template(occurrence.instance).edges[occurrence.edge].source
    }
}
