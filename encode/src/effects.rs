//! Effects of statements that other threads may observe: they must survive when the thread is blocked behind them.

use abi::ids::InstanceId;
use program::model::{Instances, LifeEffect, ObjectId, Place, Statement, Template, ThreadEffect};
use program::points_to::{Offsets, PointsTo};

use crate::layout::Layout;
use crate::statement_accesses;

/// Whether a statement may write memory that another thread accesses, or start or end its lifetime.
pub fn writes_shared(
    layout: &Layout,
    instances: &Instances,
    points_to: &PointsTo,
    template: &Template,
    statement: &Statement,
    instance: InstanceId,
) -> bool {
    let mut locals = statement.lifetimes().iter();
    let shared_local =
        locals.any(|&local| layout.is_shared(instances.resolve(instance, Place::Local(local))));
    let mut accesses = statement_accesses::accessed_bytes(template, statement).into_iter();
    shared_local
        || accesses.any(|access| {
            let targets = points_to.targets(instance, access.address);
            let shared = |&(object, _): &(ObjectId, Offsets)| layout.is_shared(object);
            access.writes && (targets.other || targets.objects.iter().any(shared))
        })
}

/// Whether a statement has an effect beyond memory that others may observe.
pub fn is_observable(statement: &Statement) -> bool {
    let effects = statement.effects();
    let of_thread = effects.thread.is_some_and(|thread| match thread {
        ThreadEffect::Creates { .. } | ThreadEffect::Detaches { .. } => true,
        ThreadEffect::Joins { .. } | ThreadEffect::Names { .. } | ThreadEffect::Exits { .. } => {
            false
        }
    });
    let of_heap = effects.life.is_some_and(|life| match life {
        LifeEffect::Allocates { .. } | LifeEffect::Frees { .. } => true,
        LifeEffect::Starts(_)
        | LifeEffect::Ends(_)
        | LifeEffect::Measures { .. }
        | LifeEffect::Locates { .. }
        | LifeEffect::FindsLeaks(_)
        | LifeEffect::Compares(_) => false,
    });
    of_thread || of_heap
}
