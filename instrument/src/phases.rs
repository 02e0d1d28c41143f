//! Phases of transactions: where an external location is needed because a transaction may have committed.
//!
//! A transaction starts at an external location in the pre phase, in which statements are right movers. Any other statement
//! commits it. In the post phase only left movers follow; before anything else the transaction ends, at a location that is
//! made external (Sec. 4.2 and Table 1 of the paper, with phases resolved statically).

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use program::automaton::Outgoing;
use program::model::{Edge, EdgeId, LocationId, Template};

use crate::class::Class;
use crate::flow::{Facts, Flow, solve};
use crate::plan::YieldReason;

/// Where a thread is in its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// It has not committed on any way here.
    Pre,
    /// It may have committed.
    Post,
}

/// One template with the classes of its statements.
pub(crate) struct Phases<'a> {
    pub template: &'a Template,
    pub outgoing: &'a Outgoing,
    /// The class of each statement that stands outside of atomic regions, or begins one.
    pub classes: &'a SecondaryMap<EdgeId, Class>,
    /// Whether one way in the post phase makes the phase of a location post; only tests say no.
    pub post_if_maybe_post: bool,
    /// Locations that are external in any case.
    pub external: BTreeSet<LocationId>,
}

impl Phases<'_> {
    /// The phase in which each location is reached, before an external location there resets it.
    pub fn solve(&self) -> Facts<Phase> {
        solve(self.template, self.outgoing, Phase::Pre, self)
    }

    /// The locations where transactions must end because what follows does not move left.
    pub fn required(&self, phases: &Facts<Phase>) -> BTreeMap<LocationId, YieldReason> {
        let committed = phases
            .iter()
            .filter(|&(_, &phase)| phase == Some(Phase::Post));
        committed
            .filter_map(|(location, _)| Some((location, self.offender(location)?)))
            .collect()
    }

    /// Whether the thread lets others run at the location, if it gets there in the phase.
    fn ends_transaction(&self, location: LocationId, phase: Phase) -> bool {
        location == self.template.entry
            || self.external.contains(&location)
            || phase == Phase::Post && self.offender(location).is_some()
    }

    /// A statement at the location that must not follow a commit.
    fn offender(&self, location: LocationId) -> Option<YieldReason> {
        if self.inside_region(location) {
            return None;
        }
        let edge = self
            .outgoing
            .of(location)
            .iter()
            .find(|&&edge| !self.classes[edge].moves_left())?;
        Some(YieldReason::AfterCommit(*edge))
    }

    fn inside_region(&self, location: LocationId) -> bool {
        self.template.locations[location].atomic_depth > 0
    }
}

impl Flow for Phases<'_> {
    type Fact = Phase;

    fn transfer(&self, id: EdgeId, edge: &Edge, &before: &Phase) -> Phase {
        if self.inside_region(edge.source) {
            return before; // the beginning of the region counted for all of it
        }
        let phase = if self.ends_transaction(edge.source, before) {
            Phase::Pre
        } else {
            before
        };
        match self.classes[id] {
            Class::Both | Class::Right => phase,
            Class::Left | Class::Non => Phase::Post,
        }
    }

    fn merge(&self, fact: &mut Phase, &other: &Phase) {
        *fact = if self.post_if_maybe_post {
            (*fact).max(other)
        } else {
            (*fact).min(other)
        };
    }
}
