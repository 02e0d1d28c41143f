//! May happen in parallel: the other threads that may run while a thread is at a location.
//!
//! A thread that was not yet created, or that has been joined, takes no step: statements that only such threads could
//! conflict with are both-movers. Both facts are invariants of all runs, found by one forward analysis per thread.

pub(crate) mod joins;
pub(crate) mod starts;

use std::collections::BTreeSet;

use abi::ids::InstanceId;
use cranelift_entity::PrimaryMap;
use program::model::{Edge, EdgeId, LocationId};

use self::joins::Joins;
use self::starts::Starts;

use crate::context::Context;
use crate::dataflow::{FlowFacts, ForwardAnalysis, solve};
use crate::occurrence::Occurrence;

type Threads = BTreeSet<InstanceId>;

/// The other threads that may run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Others {
    /// Those that may have been started.
    started: Threads,
    /// Those that have certainly exited.
    exited: Threads,
}

/// Which other threads may run, per thread and location.
pub(crate) struct Mhp {
    facts: PrimaryMap<InstanceId, FlowFacts<Others>>,
}

impl Mhp {
    pub fn new(context: &Context, starts: &Starts, joins: &Joins) -> Self {
        let family = Family::new(context, starts);
        let all: Threads = context.instances.threads.keys().collect();
        let mut mhp = Self {
            facts: PrimaryMap::new(),
        };
        for instance in context.instances.threads.keys() {
            let flow = ThreadLives {
                context,
                starts,
                joins,
                family: &family,
                instance,
            };
            let exited = if instance == InstanceId::MAIN {
                Threads::new()
            } else {
                all.clone()
            };
            mhp.facts.push(flow.solve(exited));
        }
        while mhp.refine(context, starts, joins, &family) {}
        mhp
    }

    /// Who has exited when a thread starts is who has exited at all of its creations. Assuming everybody at first, the
    /// sets shrink to the greatest solution.
    fn refine(
        &mut self,
        context: &Context,
        starts: &Starts,
        joins: &Joins,
        family: &Family,
    ) -> bool {
        let mut changed = false;
        for instance in context
            .instances
            .threads
            .keys()
            .filter(|&instance| instance != InstanceId::MAIN)
        {
            let mut exited: Threads = context.instances.threads.keys().collect();
            for (creation, started) in starts.iter() {
                let source = context.template(creation.instance).edges[creation.edge].source;
                if let (true, Some(others)) = (
                    started.contains(&instance),
                    &self.facts[creation.instance][source],
                ) {
                    exited = exited.intersection(&others.exited).copied().collect();
                }
            }
            let facts = ThreadLives {
                context,
                starts,
                joins,
                family,
                instance,
            }
            .solve(exited);
            if facts != self.facts[instance] {
                self.facts[instance] = facts;
                changed = true;
            }
        }
        changed
    }

    /// Whether `other` may take a step while `instance` is at `location`.
    pub fn may_run(&self, instance: InstanceId, location: LocationId, other: InstanceId) -> bool {
        other != instance
            && self.facts[instance][location]
                .as_ref()
                .is_some_and(|others| {
                    others.started.contains(&other) && !others.exited.contains(&other)
                })
    }

    /// Whether no other thread takes a step while `instance` is at `location`.
    pub fn single_threaded(&self, instance: InstanceId, location: LocationId) -> bool {
        self.facts[instance][location]
            .as_ref()
            .is_none_or(|others| {
                others
                    .started
                    .iter()
                    .all(|other| *other == instance || others.exited.contains(other))
            })
    }

    /// Whether two threads may be about to execute these statements at the same time.
    pub fn concurrent(&self, context: &Context, first: Occurrence, second: Occurrence) -> bool {
        let source = |id: Occurrence| context.template(id.instance).edges[id.edge].source;
        self.may_run(first.instance, source(first), second.instance)
            && self.may_run(second.instance, source(second), first.instance)
    }
}

/// Which threads are started by which, directly or through others.
struct Family {
    /// For each thread: the threads that it may start, the threads that these may start, and so on; and the thread
    /// itself.
    descendants: PrimaryMap<InstanceId, Threads>,
    /// For each thread: the threads that can run although this thread has started no thread.
    independent: PrimaryMap<InstanceId, Threads>,
}

impl Family {
    fn new(context: &Context, starts: &Starts) -> Self {
        let instances = || context.instances.threads.keys();
        let mut children = PrimaryMap::<InstanceId, Threads>::new();
        for _ in instances() {
            children.push(Threads::new());
        }
        for (creation, started) in starts.iter() {
            children[creation.instance].extend(started);
        }
        let without =
            |excluded: Option<InstanceId>, root: InstanceId| closure(&children, excluded, root);
        let descendants = if context.rules.starts_are_transitive {
            instances()
                .map(|instance| without(None, instance))
                .collect()
        } else {
            instances()
                .map(|instance| Threads::from([instance]))
                .collect()
        };
        let independent = instances()
            .map(|instance| without(Some(instance), InstanceId::MAIN))
            .collect();
        Self {
            descendants,
            independent,
        }
    }
}

/// The threads that `root` starts, directly or through others, and `root` itself, if `excluded` starts no thread.
fn closure(
    children: &PrimaryMap<InstanceId, Threads>,
    excluded: Option<InstanceId>,
    root: InstanceId,
) -> Threads {
    let mut found = Threads::new();
    let mut pending = vec![root];
    while let Some(instance) = pending.pop() {
        if found.insert(instance) && Some(instance) != excluded {
            pending.extend(&children[instance]);
        }
    }
    found
}

/// The analysis of one thread.
struct ThreadLives<'a> {
    context: &'a Context<'a>,
    starts: &'a Starts,
    joins: &'a Joins,
    family: &'a Family,
    instance: InstanceId,
}

impl ThreadLives<'_> {
    fn solve(&self, exited: Threads) -> FlowFacts<Others> {
        let started = self.family.independent[self.instance].clone();
        let template = self.context.template(self.instance);
        solve(
            template,
            &self.context.graph(self.instance).outgoing,
            Others { started, exited },
            self,
        )
    }
}

impl ForwardAnalysis for ThreadLives<'_> {
    type Fact = Others;

    fn transfer(&self, id: EdgeId, _edge: &Edge, before: &Others) -> Others {
        let mut after = before.clone();
        let occurrence = Occurrence {
            instance: self.instance,
            edge: id,
        };
        for &child in self.starts.of(occurrence) {
            after.started.extend(&self.family.descendants[child]);
        }
        after.exited.extend(self.joins.exited_after(occurrence));
        after
    }

    fn merge(&self, fact: &mut Others, other: &Others) {
        fact.started.extend(&other.started);
        fact.exited = fact.exited.intersection(&other.exited).copied().collect();
    }
}
