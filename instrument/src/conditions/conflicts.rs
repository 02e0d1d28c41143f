//! The conflicts of a statement: which instructions of other threads do not commute with it.

use std::collections::{BTreeMap, BTreeSet};

use crate::future_accesses::accessed;
use abi::ids::SiteId;
use program::model::{EdgeId, Operand, Statement, Template, TemplateId};

use crate::footprint::Footprint;
use crate::mover_analysis::MoverAnalysis;
use crate::mover_type::MoverType;
use crate::occurrence::Occurrence;

/// The own footprint, the statement of the other thread, and its footprint.
pub(super) type Conflict = (Footprint, Occurrence, Footprint);

/// A statement that other threads conflict with.
pub(super) struct Conflicts<'a> {
    pub template: &'a Template,
    pub edge: EdgeId,
    /// The mover type of what it does beside touching memory.
    pub mover_type: MoverType,
    /// The conflicts by the instruction of the other thread.
    pub with: BTreeMap<SiteId, Vec<Conflict>>,
    /// The threads of the template.
    pub own: Vec<Occurrence>,
}

impl<'a> Conflicts<'a> {
    /// What a statement conflicts with, whichever thread of the template executes it.
    pub fn new(analysis: &'a MoverAnalysis, id: TemplateId, edge: EdgeId) -> Self {
        let instances = analysis.context.instances.by_template(id);
        let mut conflicts = Self {
            template: &analysis.context.program.templates[id],
            edge,
            mover_type: MoverType::Both,
            with: BTreeMap::new(),
            own: instances
                .map(|instance| Occurrence { instance, edge })
                .filter(|&occurrence| !analysis.single_threaded(occurrence))
                .collect(),
        };
        for &occurrence in &conflicts.own {
            let own = analysis.own_mover(occurrence, analysis.edge(occurrence));
            conflicts.mover_type = conflicts.mover_type.meet(own.mover_type);
            for &footprint in analysis.footprints.of(occurrence) {
                for (other, other_footprint) in analysis.footprints.overlapping(footprint) {
                    let others = other.instance != occurrence.instance;
                    let pair = ((occurrence, footprint), (other, other_footprint));
                    if others && analysis.pair_mover(pair.0, pair.1).mover_type != MoverType::Both {
                        let site = analysis.edge(other).site;
                        let with = conflicts.with.entry(site).or_default();
                        with.push((footprint, other, other_footprint));
                    }
                }
            }
        }
        conflicts
    }

    /// The instruction of the statement.
    pub fn site(&self) -> SiteId {
        self.template.edges[self.edge].site
    }

    /// Address and size of the own access, if its instruction makes no other one and can be asked for the address before.
    pub fn own_access(&self) -> Option<(Operand, u32)> {
        let own = accessed(self.template, &self.template.edges[self.edge].statement)?;
        let edges = self.template.edges.values();
        let mut instruction = edges.filter(|edge| edge.site == self.site());
        let fits = |statement: &Statement| {
            let access = accessed(self.template, statement);
            let mut computes = false;
            statement.for_each_definition(|register| {
                computes |= own.0 == Operand::Register(register);
            });
            !computes && (statement.is_private() || access.is_some_and(|(at, _)| at == own.0))
        };
        instruction.all(|edge| fits(&edge.statement)).then_some(own)
    }
}

/// The templates of the threads that a statement conflicts with.
pub(super) fn templates_of(analysis: &MoverAnalysis, pairs: &[Conflict]) -> BTreeSet<TemplateId> {
    let threads = pairs.iter().map(|(_, other, _)| other.instance);
    let templates = threads.map(|thread| analysis.context.instances.threads[thread].template);
    templates.collect()
}
