//! Parts of addresses: what is read of a word by single bytes, or as another member of a union, while the word holds an address.
//!
//! Memory holds addresses of the model. A load that may get a part of one, or more than a whole one, is told where such words may lie
//! ([`Words`]), and reads that part of the machine's number; a store of a part makes the rest of the word that of the number. At run time,
//! a word holds an address if it looks like one ([`crate::threads::MARK`]). Another number that does so is taken for one, and may be its own
//! number.

use super::refusal::refuse;
use crate::model::{EdgeId, Instances, Program, Statement, TemplateId, Words};
use crate::points_to::PointsTo;

/// What reads or changes what may be parts of addresses, with the words.
pub(super) type Parts = Vec<(TemplateId, EdgeId, Words)>;

/// Tells all loads and stores of what may be parts of addresses where these may lie. What changes such a part in one step with
/// reading it is not supported.
pub(super) fn mark(program: &mut Program, found: &Parts) {
    for &(template, edge, ref holding) in found {
        let statement = &mut program.templates[template].edges[edge].statement;
        if let Statement::Load { words, .. } | Statement::Store { words, .. } = statement {
            words.0.extend(&holding.0);
        } else if let Statement::AtomicRmw { .. } | Statement::CompareExchange { .. } = statement {
            refuse(
                program,
                template,
                edge,
                "atomic change of a part of an address or a handle",
            );
        }
    }
}

/// All that may be parts of addresses.
pub(super) fn find(program: &Program, instances: &Instances, points_to: &PointsTo) -> Parts {
    let mut parts = Vec::new();
    for (instance, thread) in &instances.threads {
        let template = &program.templates[thread.template];
        for (id, edge) in &template.edges {
            let (address, width) = if let Statement::Load {
                register, address, ..
            } = edge.statement
            {
                (address, template.registers[register].width)
            } else if let Statement::Store { value, address, .. }
            | Statement::AtomicRmw {
                operand: value,
                address,
                ..
            }
            | Statement::CompareExchange {
                desired: value,
                address,
                ..
            } = edge.statement
            {
                (address, template.width(value))
            } else {
                continue;
            };
            let words = points_to.parts(instance, address, width.div_ceil(8));
            if !words.is_empty() {
                parts.push((thread.template, id, words));
            }
        }
    }
    parts
}
