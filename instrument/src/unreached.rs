//! Statements that move both ways once no other thread can get to a statement that conflicts with them: dynamic movers by
//! reachability (Sec. 4.1 of the paper).
//!
//! Once true this stays true: threads do not come back from where the conflicting statements cannot be reached, and a thread
//! that is not started counts as at its entry.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;
use program::model::{EdgeId, TemplateId};

use crate::access::Occurrence;
use crate::class::Class;
use crate::movers::Analysis;
use crate::reason::Mover;
use crate::regions::is_region;

/// How a statement moves while no other thread can get to a statement that it conflicts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The class then.
    pub class: Class,
    /// The instructions of the conflicting statements.
    pub conflicts: BTreeSet<SiteId>,
}

impl Analysis<'_> {
    /// The non-movers of a template that move then. Atomic regions are not among them.
    pub fn unreached(
        &self,
        template: TemplateId,
        movers: &BTreeMap<EdgeId, Mover>,
    ) -> BTreeMap<EdgeId, Unreached> {
        let automaton = &self.context.program.templates[template];
        let mut found = BTreeMap::new();
        for (&edge, mover) in movers {
            // What moves in one direction anyway gains little, and every condition is part of the transition relation.
            let inside = automaton.locations[automaton.edges[edge].source].atomic_depth > 0;
            if mover.class != Class::Non || inside || is_region(automaton, edge) {
                continue;
            }
            let mut unreached = Unreached {
                class: Class::Both,
                conflicts: BTreeSet::new(),
            };
            for instance in self.context.instances.by_template(template) {
                self.add_conflicts(Occurrence { instance, edge }, &mut unreached);
            }
            if unreached.class != Class::Non && !unreached.conflicts.is_empty() {
                found.insert(edge, unreached);
            }
        }
        found
    }

    /// Adds what a statement of one thread conflicts with.
    fn add_conflicts(&self, occurrence: Occurrence, unreached: &mut Unreached) {
        if self.alone(occurrence) {
            return;
        }
        let own = self.own_mover(occurrence, self.edge(occurrence));
        unreached.class = unreached.class.meet(own.class);
        for &access in self.accesses.of(occurrence) {
            for (other, other_access) in self.accesses.overlapping(access) {
                let others = other.instance != occurrence.instance;
                let pair = ((occurrence, access), (other, other_access));
                if others && self.pair_mover(pair.0, pair.1).class != Class::Both {
                    unreached.conflicts.insert(self.edge(other).site);
                }
            }
        }
    }
}
