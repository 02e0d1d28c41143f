//! What another thread could notice of a statement.
//!
//! Two questions need an answer. Must the effects of a block survive when the thread is blocked behind them? Then every
//! effect counts. And where must a block end before a statement that waits, although the plan puts no external location
//! there? Then effects count that the plan cannot have taken for right movers.

use abi::ids::InstanceId;
use program::model::{ObjectId, Statement, Template};
use program::points_to::{Offsets, PointsTo};

use crate::layout::Layout;
use crate::shape;

/// Whether a statement may write memory that another thread accesses.
pub fn writes_shared(
    layout: &Layout,
    points_to: &PointsTo,
    template: &Template,
    statement: &Statement,
    instance: InstanceId,
) -> bool {
    shape::accesses(template, statement).iter().any(|access| {
        let targets = points_to.targets(instance, access.address);
        let shared = |&(object, _): &(ObjectId, Offsets)| layout.is_shared(object);
        access.writes && (targets.other || targets.objects.iter().any(shared))
    })
}

/// Whether a statement has an effect beyond memory that others may observe.
pub fn is_observable(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Create { .. } | Statement::Free { .. } | Statement::Allocate { .. }
    )
}

/// Whether a statement ends a thread's pre-phase for sure if it writes shared memory. A statement that waits does not:
/// taking a mutex and joining are right movers where the plan leaves out the external location behind them. An allocation
/// is a both-mover, but for running out of slots.
pub fn may_commit(statement: &Statement) -> bool {
    !shape::waits(statement) && !matches!(statement, Statement::Allocate { .. })
}
