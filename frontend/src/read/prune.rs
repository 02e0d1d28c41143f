//! Removing what computes registers that nothing reads.

use cranelift_entity::SecondaryMap;

use program::model::{RegisterId, Statement, Template};

/// Turns invisible statements whose results are never read into `Skip`.
pub(super) fn drop_unread(template: &mut Template) {
    let mut reads: SecondaryMap<RegisterId, u32> = SecondaryMap::new();
    for edge in template.edges.values() {
        edge.statement.for_each_use(|register| reads[register] += 1);
    }
    loop {
        let mut changed = false;
        for edge in template.edges.values_mut() {
            let Some(reduced) = without_unread(&edge.statement, &reads) else {
                continue;
            };
            edge.statement.for_each_use(|register| reads[register] -= 1);
            reduced.for_each_use(|register| reads[register] += 1);
            edge.statement = reduced;
            changed = true;
        }
        if !changed {
            return;
        }
    }
}

/// The statement without its writes to unread registers; `None` if it stays as it is.
fn without_unread(
    statement: &Statement,
    reads: &SecondaryMap<RegisterId, u32>,
) -> Option<Statement> {
    match statement {
        Statement::Assign { register, .. }
        | Statement::Havoc { register, .. }
        | Statement::SelfHandle { register }
        | Statement::SelfNumber { register }
        | Statement::Number { register, .. }
        | Statement::TestConflicts { register, .. } => {
            (reads[*register] == 0).then_some(Statement::Skip)
        }
        Statement::ParallelAssign(moves)
            if moves.iter().any(|(register, _)| reads[*register] == 0) =>
        {
            let kept: Vec<_> = moves
                .iter()
                .copied()
                .filter(|(register, _)| reads[*register] > 0)
                .collect();
            Some(if kept.is_empty() {
                Statement::Skip
            } else {
                Statement::ParallelAssign(kept)
            })
        }
        Statement::ParallelAssign(_)
        | Statement::Skip
        | Statement::Guard { .. }
        | Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::AtomicRmw { .. }
        | Statement::CompareExchange { .. }
        | Statement::LifetimeStart { .. }
        | Statement::LifetimeEnd { .. }
        | Statement::Allocate { .. }
        | Statement::Free { .. }
        | Statement::Size { .. }
        | Statement::Create { .. }
        | Statement::Join { .. }
        | Statement::Detach { .. }
        | Statement::Mutex { .. }
        | Statement::AtomicBegin
        | Statement::AtomicEnd
        | Statement::Return { .. } => None,
    }
}
