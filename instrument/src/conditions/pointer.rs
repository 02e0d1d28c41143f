//! Static pointer conditions: conflicts excluded because the addresses differ.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::future_accesses::{accessed, future_accesses};
use abi::ids::SiteId;
use program::model::{AddressSource, GlobalId, Program, TemplateId};

use super::conflicts::{Conflict, Conflicts, templates_of};
use crate::mover_analysis::MoverAnalysis;
use crate::occurrence::Occurrence;

/// With how many pointers of others an address is compared at most. More would make the transition relation larger than the
/// reduction makes the search smaller.
const LIMIT: usize = 32;

/// The registers and variables that hold the addresses with which threads of a template may reach an instruction;
/// computed once.
#[derive(Debug, Default)]
pub(crate) struct AddressOrigins {
    found: RefCell<BTreeMap<(TemplateId, SiteId), Held>>,
}

type Held = Rc<BTreeSet<AddressSource>>;

impl AddressOrigins {
    fn of(&self, program: &Program, id: TemplateId, site: SiteId) -> Held {
        let mut found = self.found.borrow_mut();
        let origins = found.entry((id, site)).or_insert_with(|| {
            let footprints = future_accesses(program, id, &BTreeSet::from([site]));
            Rc::new(footprints.address_sources().collect())
        });
        origins.clone()
    }
}

/// Instructions of others that may be ruled out, as many as addresses are compared.
#[derive(Debug, Default)]
pub(super) struct PointerComparison {
    /// The instructions.
    pub others: BTreeSet<SiteId>,
    /// What their addresses come from.
    origins: BTreeSet<(TemplateId, AddressSource)>,
}

impl PointerComparison {
    /// The variables from which addresses come.
    pub fn cells(&self) -> impl Iterator<Item = (GlobalId, u32)> {
        self.origins
            .iter()
            .filter_map(|(_, pointer)| pointer.cell())
    }

    /// Adds an instruction to those that addresses rule out, if there is something to compare: the addresses of the other
    /// accesses are known somewhere before they are made, and may be other ones than the own.
    pub fn add(
        &mut self,
        analysis: &MoverAnalysis,
        address_origins: &AddressOrigins,
        conflicts: &Conflicts<'_>,
        (site, pairs): (SiteId, &[Conflict]),
    ) -> bool {
        let is_certain = |occurrence: Occurrence| {
            let template = analysis.context.template(occurrence.instance);
            let footprint = accessed(template, &analysis.edge(occurrence).statement);
            footprint.is_some_and(|(address, _)| {
                let target = analysis
                    .context
                    .definite_target(occurrence.instance, address);
                target.is_some()
            })
        };
        let own_is_certain = conflicts.own.iter().all(|&own| is_certain(own));
        let others_are_certain = pairs.iter().all(|&(_, other, _)| is_certain(other));
        if own_is_certain && others_are_certain {
            return false;
        }
        let mut origins = self.origins.clone();
        let before = origins.len();
        let mut is_known = false;
        for id in templates_of(analysis, pairs) {
            let found = address_origins.of(analysis.context.program, id, site);
            is_known |= !found.is_empty();
            origins.extend(found.iter().map(|&pointer| (id, pointer)));
        }
        let fits = origins.len() <= LIMIT || origins.len() == before;
        if is_known && fits {
            self.others.insert(site);
            self.origins = origins;
        }
        is_known && fits
    }
}
