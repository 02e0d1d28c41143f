//! A program in which no memory is freed. Freed memory is used again by all allocations, so that every object of the
//! heap seems to hold the content of all. But a statement that reads there what another allocation left reads through a
//! pointer that C gives no value.

use crate::model::{Edge, Instances, Program, Statement};
use crate::points_to::PointsTo;
use crate::threads::{Bounds, instantiate};

/// The program as if nothing was freed, unless nothing is.
pub(super) fn without_frees(program: &Program) -> Option<Program> {
    let is_free = |edge: &Edge| matches!(edge.statement, Statement::Free { .. });
    let mut templates = program.templates.values();
    if !templates.any(|template| template.edges.values().any(is_free)) {
        return None;
    }
    let mut kept = program.clone();
    let edges = kept.templates.values_mut();
    for edge in edges.flat_map(|template| template.edges.values_mut()) {
        if is_free(edge) {
            edge.statement = Statement::Skip;
        }
    }
    Some(kept)
}

/// What `find` finds in a program if the analysis takes nothing for freed.
pub(super) fn found<T>(
    program: &Program,
    (instances, points_to): (&Instances, &PointsTo),
    bounds: &Bounds,
    find: impl Fn(&Program, &Instances, &PointsTo) -> Vec<T>,
) -> Vec<T> {
    let found = find(program, instances, points_to);
    match without_frees(program).filter(|_| !found.is_empty()) {
        Some(kept) => {
            let instances = instantiate(&kept, bounds);
            find(&kept, &instances, &PointsTo::analyse(&kept, &instances))
        }
        None => found,
    }
}
