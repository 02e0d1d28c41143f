//! Parts of addresses: what is read of a word by single bytes, or as another member of a union, while the word holds an address.
//!
//! Memory holds addresses of the model. A load that may get a part of one is told where such words may lie ([`Words`]), and
//! reads that part of the machine's number; a store of a part makes the rest of the word that of the number. At run time, no word is
//! told from one that holds two small numbers side by side and looks like an address. So a load is left alone that
//! reads what the program stores in this width at this place, such as a member of a union or of a structure, and a store to a
//! word that the program stores by several members. That an address was stored there last is not noticed.

use crate::model::{EdgeId, Instances, Program, Statement, TemplateId, Words};
use crate::points_to::PointsTo;
use crate::threads::{Bounds, instantiate};

/// The loads and stores of what may be a part of an address, with the words.
type Parts = Vec<(TemplateId, EdgeId, Words)>;

/// Tells all loads and stores of what may be parts of addresses where these may lie. Returns whether there is one.
pub(super) fn mark(
    program: &mut Program,
    instances: &Instances,
    points_to: &PointsTo,
    bounds: &Bounds,
) -> bool {
    if parts(program, instances, points_to).is_empty() {
        return false;
    }
    // Memory that is freed is used again by all allocations, so that everything in the heap seems to hold everything. Whoever
    // reads what another allocation left there reads through a pointer that C gives no value.
    let mut kept = program.clone();
    let edges = kept.templates.values_mut();
    for edge in edges.flat_map(|template| template.edges.values_mut()) {
        if matches!(edge.statement, Statement::Free { .. }) {
            edge.statement = Statement::Skip;
        }
    }
    let instances = instantiate(&kept, bounds);
    let found = parts(&kept, &instances, &PointsTo::analyse(&kept, &instances));
    for (template, edge, holding) in &found {
        let edge = &mut program.templates[*template].edges[*edge];
        if let Statement::Load { words, .. } | Statement::Store { words, .. } = &mut edge.statement
        {
            words.0.extend(&holding.0);
        }
    }
    !found.is_empty()
}

fn parts(program: &Program, instances: &Instances, points_to: &PointsTo) -> Parts {
    let mut parts = Vec::new();
    for (instance, thread) in &instances.threads {
        let template = &program.templates[thread.template];
        for (id, edge) in &template.edges {
            let words = if let Statement::Load {
                register, address, ..
            } = edge.statement
            {
                let size = template.registers[register].width.div_ceil(8);
                let is_part = size < Words::SIZE;
                is_part.then(|| points_to.read_parts(instance, address, size))
            } else if let Statement::Store { value, address, .. } = edge.statement {
                let size = template.width(value).div_ceil(8);
                let is_part = size < Words::SIZE;
                is_part.then(|| points_to.written_parts(instance, address, size))
            } else {
                None
            };
            let words = words.filter(|words| !words.is_empty());
            parts.extend(words.map(|words| (thread.template, id, words)));
        }
    }
    parts
}
