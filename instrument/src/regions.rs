//! Atomic regions, each of which counts as one action at its beginning.
//!
//! No other thread takes a step inside of a region, so a region is one statement for them, with the mover types of all
//! statements that may run in it. A region that may stop the run inside, by a false
//! assumption, by a limit, or for ever in a cycle, is a
//! statement that may wait: it is no left mover.

use std::collections::BTreeSet;

use program::model::{EdgeId, LocationId, LocationKind, Statement, Template};

use crate::mover_analysis::MoverAnalysis;
use crate::mover_type::MoverType;
use crate::occurrence::Occurrence;
use crate::reason::{Classification, MoverReason};
use crate::validity::certainly_defined;

/// Whether an edge enters an atomic region from outside of all regions.
pub(crate) fn is_region(template: &Template, edge: EdgeId) -> bool {
    let edge = &template.edges[edge];
    edge.statement == Statement::AtomicBegin && template.locations[edge.source].atomic_depth == 0
}

impl MoverAnalysis<'_> {
    /// How a statement, or the atomic region that it enters, moves against the statements of other threads.
    pub fn action_mover(&self, occurrence: Occurrence) -> Classification {
        let template = self.context.template(occurrence.instance);
        if is_region(template, occurrence.edge) {
            self.region_mover(occurrence)
        } else {
            self.mover(occurrence)
        }
    }

    fn region_mover(&self, begin: Occurrence) -> Classification {
        let mut mover = self.mover(begin);
        let inside = self.region_edges(begin);
        if self.context.rules.region_joins_classes {
            let edges = inside.iter();
            mover = mover.meet_all(edges.map(|&edge| self.mover(Occurrence { edge, ..begin })));
        }
        if self.context.rules.blocked_region_is_not_left
            && !self.single_threaded(begin)
            && self.may_stop(begin, &inside)
        {
            mover = mover.meet(Classification::new(MoverType::Right, MoverReason::Stops));
        }
        mover
    }

    /// The statements that may run inside of the region.
    fn region_edges(&self, begin: Occurrence) -> BTreeSet<EdgeId> {
        let template = self.context.template(begin.instance);
        let outgoing = &self.context.graph(begin.instance).outgoing;
        let mut found = BTreeSet::new();
        let mut pending = vec![template.edges[begin.edge].target];
        while let Some(location) = pending.pop() {
            if template.locations[location].atomic_depth > 0 {
                let new = outgoing
                    .of(location)
                    .iter()
                    .filter(|&&edge| found.insert(edge));
                pending.extend(new.map(|&edge| template.edges[edge].target));
            }
        }
        found
    }

    fn may_stop(&self, begin: Occurrence, inside: &BTreeSet<EdgeId>) -> bool {
        let template = self.context.template(begin.instance);
        let stops = |location: LocationId| match template.locations[location].kind {
            LocationKind::Blocked | LocationKind::Halted | LocationKind::Limit(_) => true,
            LocationKind::Ordinary | LocationKind::Exited | LocationKind::Error(_) => false,
        };
        let mut edges = inside.iter().map(|&edge| &template.edges[edge]);
        edges.any(|edge| {
            stops(edge.target)
                || !certainly_defined(&self.context, begin.instance, edge)
                || self.returns_inside(begin, edge.source)
        })
    }

    /// Whether a run can come back to a location inside of a region without leaving the region.
    fn returns_inside(&self, begin: Occurrence, location: LocationId) -> bool {
        let template = self.context.template(begin.instance);
        let outgoing = &self.context.graph(begin.instance).outgoing;
        let mut found = BTreeSet::new();
        let mut pending = vec![location];
        while let Some(current) = pending.pop() {
            for &edge in outgoing.of(current) {
                let target = template.edges[edge].target;
                if target == location {
                    return true;
                }
                if template.locations[target].atomic_depth > 0 && found.insert(target) {
                    pending.push(target);
                }
            }
        }
        false
    }
}
