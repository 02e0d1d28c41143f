//! Removal of statements that compute registers which no statement reads.

use cranelift_entity::SecondaryMap;

use program::model::{LifeEffect, Operand, RegisterId, Statement, Template};

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
    if let Statement::ParallelAssign(moves) = statement {
        let is_read = |&&(register, _): &&(RegisterId, Operand)| reads[register] > 0;
        let kept: Vec<_> = moves.iter().filter(is_read).copied().collect();
        return match kept.len() {
            0 => Some(Statement::Skip),
            count if count < moves.len() => Some(Statement::ParallelAssign(kept)),
            _ => None,
        };
    }
    let effects = statement.effects();
    let only_locates = matches!(effects.life, Some(LifeEffect::Locates { .. }));
    let mut defines = false;
    let mut is_read = false;
    statement.for_each_definition(|register| {
        defines = true;
        is_read |= reads[register] > 0;
    });
    let computes = statement.is_private() || only_locates;
    (computes && defines && !is_read).then_some(Statement::Skip)
}
