//! Listing everything that is not read, also what lies behind something else that is not read.
//!
//! A path of the program ends at the first construct that is not read. If there is one, the module is read a second time by
//! a reader that goes on behind such constructs, whose values are then arbitrary, and nothing of that reading is kept but
//! the list: it cannot change what the program means.

use cranelift_entity::PrimaryMap;

use super::thread::{DEEPEST_NESTING, ThreadReader};
use crate::llvm::{Block, Value};
use program::model::{
    HavocOrigin, LimitKind, LocationKind, Program, Site, Unsupported, UnsupportedId,
};

impl ThreadReader<'_, '_> {
    /// Goes on behind an instruction that is not read, if this reading is a survey.
    pub fn pass_over(&mut self, instruction: Value) {
        if let Ok(widths) = self.widths(instruction.value_type_of()) {
            let value = self.arbitrary(&widths, HavocOrigin::Undefined);
            self.values.entry(instruction).or_insert(value);
        }
        if instruction.block().terminator() == Some(instruction) {
            for target in instruction.successors() {
                self.survey_from(target);
            }
        }
    }

    /// Goes on at a block even if its phi nodes have no values from here, if this reading is a survey.
    pub fn survey_from(&mut self, target: Block) {
        if self.reader.survey && self.builder.depth <= DEEPEST_NESTING {
            self.start(target, self.builder.depth);
        }
    }
}

/// Adds what a survey found to the constructs that end paths of the program. The list is then in source order.
pub(super) fn complete(program: &mut Program, found: PrimaryMap<UnsupportedId, Unsupported>) {
    let sites = &program.sites;
    let mut all: Vec<Unsupported> = program.unsupported.values().cloned().collect();
    all.extend(found.into_iter().map(|(_, item)| item));
    all.sort_by(|left, right| position(sites, left).cmp(&position(sites, right)));
    let mut list: PrimaryMap<UnsupportedId, Unsupported> = PrimaryMap::new();
    for item in all {
        if find(sites, &list, &item).is_none() {
            list.push(item);
        }
    }
    for template in program.templates.values_mut() {
        for location in template.locations.values_mut() {
            if let LocationKind::Limit(LimitKind::Unsupported(id)) = &mut location.kind
                && let Some(renumbered) = find(sites, &list, &program.unsupported[*id])
            {
                *id = renumbered;
            }
        }
    }
    program.unsupported = list;
}

/// The listed construct of the same name in the same line: one of several columns, or of several inlined copies.
pub(super) fn find(
    sites: &PrimaryMap<abi::ids::SiteId, Site>,
    list: &PrimaryMap<UnsupportedId, Unsupported>,
    item: &Unsupported,
) -> Option<UnsupportedId> {
    let line = |item: &Unsupported| {
        let site = &sites[item.site];
        (site.file.clone(), site.line)
    };
    list.iter()
        .find(|(_, listed)| listed.what == item.what && line(listed) == line(item))
        .map(|(id, _)| id)
}

fn position<'s>(
    sites: &'s PrimaryMap<abi::ids::SiteId, Site>,
    item: &Unsupported,
) -> (&'s str, u32, u32) {
    let site = &sites[item.site];
    (&site.file, site.line, site.column)
}
