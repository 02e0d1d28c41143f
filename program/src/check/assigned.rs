//! Registers are written before they are read on every path.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::automaton::Outgoing;
use crate::model::{EdgeId, LocationId, RegisterId, Template};

/// The reads of registers that some path from the entry reaches without a write, in the order of the edges.
pub(super) fn unassigned_uses(template: &Template) -> Vec<(EdgeId, RegisterId)> {
    let unassigned = possibly_unassigned(template);
    let mut found = Vec::new();
    for (id, edge) in &template.edges {
        if let Some(missing) = &unassigned[edge.source] {
            edge.statement.for_each_use(|register| {
                if missing.contains(register) {
                    found.push((id, register));
                }
            });
        }
    }
    found
}

/// For every reachable location the registers that some path there does not write.
fn possibly_unassigned(
    template: &Template,
) -> SecondaryMap<LocationId, Option<EntitySet<RegisterId>>> {
    let outgoing = Outgoing::new(template);
    let mut unassigned = SecondaryMap::with_default(None);
    unassigned.resize(template.locations.len());
    let mut first = EntitySet::new();
    first.extend(
        template
            .registers
            .keys()
            .filter(|register| !template.parameters.contains(register)),
    );
    unassigned[template.entry] = Some(first);
    let mut pending = vec![template.entry];
    while let Some(location) = pending.pop() {
        for &edge in outgoing.of(location) {
            let edge = &template.edges[edge];
            let Some(mut missing) = unassigned[location].clone() else {
                continue;
            };
            edge.statement.for_each_definition(|register| {
                missing.remove(register);
            });
            if join(&mut unassigned[edge.target], missing) {
                pending.push(edge.target);
            }
        }
    }
    unassigned
}

/// Adds a path's set to a location's; whether that changed it.
fn join(known: &mut Option<EntitySet<RegisterId>>, missing: EntitySet<RegisterId>) -> bool {
    let Some(known) = known else {
        *known = Some(missing);
        return true;
    };
    let new: Vec<_> = missing
        .iter()
        .filter(|&register| !known.contains(register))
        .collect();
    let changed = !new.is_empty();
    known.extend(new);
    changed
}
