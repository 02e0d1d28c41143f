//! What another thread could notice of a statement: such effects must survive when the thread is blocked behind them.

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
