//! Removal of edges without effect, and of unreachable locations.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use program::model::{
    Edge, Location, LocationId, LocationKind, PhaseAnnotation, Statement, Template,
};

/// Lets edges go past `Skip` edges between ordinary locations, and renumbers what is left in the order of the edges.
pub(super) fn compact(template: &mut Template) {
    let shortcut = shortcuts(template);
    template.invalid_access = template.undefined;
    template.invalid_free = template.undefined;
    template.lock_misuse = template.undefined;
    template.edges = std::mem::take(&mut template.edges)
        .into_iter()
        .map(|(_, item)| item)
        .filter(|edge| shortcut[edge.source].is_none())
        .map(|edge| Edge {
            target: follow(&shortcut, edge.target),
            ..edge
        })
        .collect();
    template.entry = follow(&shortcut, template.entry);
    drop_unreachable(template);
}

/// For each location that only does nothing: where its edge leads.
fn shortcuts(template: &Template) -> SecondaryMap<LocationId, Option<LocationId>> {
    let mut shortcut: SecondaryMap<LocationId, Option<LocationId>> = SecondaryMap::new();
    for edge in template.edges.values() {
        let (source, target) = (
            &template.locations[edge.source],
            &template.locations[edge.target],
        );
        let movable = target.kind == LocationKind::Ordinary
            && source.atomic_depth == target.atomic_depth
            && (!source.external || target.external)
            && source.phase == PhaseAnnotation::default();
        // A cycle of such edges is a loop that does nothing: its last edge stays.
        if edge.statement == Statement::Skip
            && movable
            && follow(&shortcut, edge.target) != edge.source
        {
            shortcut[edge.source] = Some(edge.target);
        }
    }
    shortcut
}

fn follow(
    shortcut: &SecondaryMap<LocationId, Option<LocationId>>,
    location: LocationId,
) -> LocationId {
    std::iter::successors(Some(location), |location| shortcut[*location])
        .last()
        .unwrap_or(location)
}

/// Renumbers locations: the four that every template has, then in the order in which edges meet them.
fn drop_unreachable(template: &mut Template) {
    let reached = reachable(template);
    let mut locations: PrimaryMap<LocationId, Location> = PrimaryMap::new();
    let mut renumbered: SecondaryMap<LocationId, Option<LocationId>> = SecondaryMap::new();
    let old = std::mem::take(&mut template.locations);
    let mut keep = |location: LocationId| {
        *renumbered[location].get_or_insert_with(|| locations.push(old[location].clone()))
    };
    for fixed in [
        &mut template.entry,
        &mut template.undefined,
        &mut template.thread_limit,
        &mut template.heap_limit,
    ] {
        *fixed = keep(*fixed);
    }
    template.edges = std::mem::take(&mut template.edges)
        .into_iter()
        .map(|(_, item)| item)
        .filter(|edge| reached[edge.source])
        .map(|edge| Edge {
            source: keep(edge.source),
            target: keep(edge.target),
            ..edge
        })
        .collect();
    template.locations = locations;
}

fn reachable(template: &Template) -> SecondaryMap<LocationId, bool> {
    let mut targets: Vec<Vec<LocationId>> = vec![Vec::new(); template.locations.len()];
    for edge in template.edges.values() {
        targets[edge.source.index()].push(edge.target);
    }
    let mut reached: SecondaryMap<LocationId, bool> = SecondaryMap::new();
    let mut pending = vec![template.entry];
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut reached[location], true) {
            pending.extend(&targets[location.index()]);
        }
    }
    reached
}
