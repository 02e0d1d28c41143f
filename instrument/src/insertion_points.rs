//! Locations between two instructions of the bitcode, where a call can be inserted.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;
use cranelift_entity::SecondaryMap;
use program::model::{Edge, LocationId, Statement, Template};

/// The locations at which an instruction starts: where its first edge leaves.
pub(crate) fn insertion_points(template: &Template) -> BTreeSet<LocationId> {
    starts(template).into_keys().collect()
}

/// The instruction that starts at a location, for all locations where that is so. An instruction may have several edges;
/// it starts where an edge of it leaves that no other edge of it leads to. Code that is run inside and outside of atomic regions
/// has locations for both; what counts is where it starts outside.
pub(crate) fn starts(template: &Template) -> BTreeMap<LocationId, SiteId> {
    let mut edges = BTreeMap::<SiteId, Vec<&Edge>>::new();
    let mut leaving = BTreeMap::<LocationId, BTreeSet<SiteId>>::new();
    for edge in template.edges.values() {
        edges.entry(edge.site).or_default().push(edge);
        leaving.entry(edge.source).or_default().insert(edge.site);
    }
    let mut found = BTreeMap::new();
    for (site, mut edges) in edges {
        let is_outside = |edge: &&Edge| template.locations[edge.source].atomic_depth == 0;
        if edges.iter().any(is_outside) {
            edges.retain(is_outside);
        }
        let mut sources: BTreeSet<LocationId> = edges.iter().map(|edge| edge.source).collect();
        for edge in edges.iter().filter(|edge| edge.source != edge.target) {
            sources.remove(&edge.target);
        }
        if let (1, Some(&first)) = (sources.len(), sources.first())
            && leaving[&first].len() == 1
        {
            found.insert(first, site);
        }
    }
    found
}

/// Moves locations that lie inside of an instruction to its start where only statements on registers lie in between: whether
/// other threads run before or after these makes no difference. What is moved is told the statements that it passes, and what
/// several locations come to have in common is merged.
pub(crate) fn to_insertion_points<T>(
    template: &Template,
    locations: BTreeMap<LocationId, T>,
    pass: impl Fn(&mut T, &Statement),
    merge: impl Fn(&mut T, T),
) -> BTreeMap<LocationId, T> {
    let anchored = insertion_points(template);
    let mut incoming = SecondaryMap::<LocationId, Vec<&Edge>>::new();
    for edge in template.edges.values() {
        incoming[edge.target].push(edge);
    }
    let way = |location: LocationId| {
        let (mut start, mut passed) = (location, Vec::new());
        while !anchored.contains(&start) {
            match incoming[start][..] {
                [edge] if edge.source != location && is_local(&edge.statement) => {
                    start = edge.source;
                    passed.push(&edge.statement);
                }
                _ => return (location, Vec::new()),
            }
        }
        (start, passed)
    };
    let mut moved = BTreeMap::new();
    for (location, mut value) in locations {
        let (start, passed) = way(location);
        passed
            .into_iter()
            .for_each(|statement| pass(&mut value, statement));
        match moved.entry(start) {
            Entry::Vacant(entry) => {
                entry.insert(value);
            }
            Entry::Occupied(mut entry) => merge(entry.get_mut(), value),
        }
    }
    moved
}

/// Whether a statement concerns the registers of its thread alone.
fn is_local(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Skip
            | Statement::Guard { .. }
            | Statement::Assign { .. }
            | Statement::ParallelAssign(_)
            | Statement::Havoc { .. }
    )
}
