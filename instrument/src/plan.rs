//! The plan: the external locations of each template as plain data, with a reason for each.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::PrimaryMap;
use program::model::{EdgeId, LocationId, PhaseAnnotation, Program, Template, TemplateId};
use program::threads::Bounds;

use crate::conditions::{ConditionKind, Conditional};
use crate::reason::{Classification, YieldReason};
use crate::reduction::Reduction;
use crate::regions::is_region;

/// Where threads let others run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The reduction that was asked for.
    pub reduction: Reduction,
    /// The kinds of both-moving conditions that [`Reduction::Dynamic`] may use.
    pub kinds: BTreeSet<ConditionKind>,
    /// The enumeration of threads and heap objects under which the decisions hold.
    pub bounds: Bounds,
    /// The decisions for each template of the program.
    pub templates: PrimaryMap<TemplateId, TemplatePlan>,
}

/// The decisions for one template. Entries and sinks are external in any case and are not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplatePlan {
    /// The external locations.
    pub yields: BTreeMap<LocationId, YieldReason>,
    /// The locations that are external if the transaction has committed; `phase` says when exactly.
    pub yields_if_committed: BTreeMap<LocationId, YieldReason>,
    /// The locations where the phase is known at run time and matters.
    pub phase: BTreeMap<LocationId, PhaseAnnotation>,
    /// How statements move under a condition that do not otherwise.
    pub conditions: BTreeMap<EdgeId, Conditional>,
    /// How the statements move that some thread may execute. The beginning of an atomic region stands for the region.
    pub movers: BTreeMap<EdgeId, Classification>,
    /// The statements that other threads may notice.
    pub visible: BTreeSet<EdgeId>,
}

impl Plan {
    /// Marks the locations of the program that was planned for; [`crate::lower_phases`] makes statements of marks
    /// that concern the phase.
    pub fn apply(&self, program: &mut Program) {
        for (template, plan) in self.templates.iter() {
            for (id, location) in program.templates[template].locations.iter_mut() {
                location.external = plan.yields.contains_key(&id);
                location.phase = plan.phase.get(&id).cloned().unwrap_or_default();
            }
        }
    }
}

impl TemplatePlan {
    /// Whether an edge begins an atomic region, so that its mover type is that of the region.
    pub fn is_region(template: &Template, edge: EdgeId) -> bool {
        is_region(template, edge)
    }
}
