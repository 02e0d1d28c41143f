//! Parts of addresses: a load may read single bytes of a word, or another member of a union, while the word holds an
//! address.
//!
//! Memory holds addresses of the model. A load that may read a part of an address, or more than one address, is
//! annotated with the places of such words ([`Words`]), and reads that part of the machine's number. A store to a part
//! of a word replaces the rest of the word by that of the machine's number. At run time, a word counts as an address if
//! it has the form of one ([`crate::model::DataModel::mark`]). Another number of this form is taken for an address, and may be
//! its own machine number.

use std::collections::BTreeMap;

use super::division::divide;
use super::refusal::refuse;
use crate::model::{EdgeId, Instances, Program, Statement, TemplateId, Words};
use crate::points_to::PointsTo;

/// What reads or changes what may be parts of addresses, with the words.
pub(super) type Parts = Vec<(TemplateId, EdgeId, Words)>;

/// Tells all loads and stores of what may be parts of addresses where these may lie. What changes such a part in one step with
/// reading it is divided into these.
pub(super) fn mark(program: &mut Program, found: &Parts) {
    let mut all: BTreeMap<(TemplateId, EdgeId), Words> = BTreeMap::new();
    for &(template, edge, ref words) in found {
        all.entry((template, edge)).or_default().0.extend(&words.0);
    }
    for ((template, edge), holding) in all {
        let statement = &mut program.templates[template].edges[edge].statement;
        if let Statement::Load { words, .. } | Statement::Store { words, .. } = statement {
            words.0.extend(&holding.0);
        } else if !divide(&mut program.templates[template], edge, &holding) {
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
