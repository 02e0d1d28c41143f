//! Phases of transactions: where an external location is needed because a transaction may have committed.
//!
//! A transaction starts at an external location in the pre phase, in which statements are right movers. Any other statement
//! commits it. In the post phase only left movers follow; before anything else the transaction ends, at a location that is
//! made external (Sec. 4.2 and Table 1 of the paper). Where the phase depends on the way that a run took, it counts as post,
//! or is left to the run (Flanagan and Qadeer).

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use program::automaton::Outgoing;
use program::model::{Edge, EdgeId, LocationId, LocationKind, Mark, Template};

use crate::dataflow::{FlowFacts, ForwardAnalysis, solve};
use crate::mover_type::MoverType;
use crate::reason::YieldReason;

/// Where a thread is in its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// It has not committed on any way here.
    Pre,
    /// It has on some ways; what is done about that is known at run time.
    Either,
    /// It has, or may have and that is taken for the same.
    Post,
}

/// What is made of a location that is reached in both phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ambiguity {
    /// It is pre, which is wrong; for tests.
    Pre,
    /// It is post, which is always right.
    Post,
    /// It is either, and the run remembers its phase.
    Dynamic,
}

impl Phase {
    /// Whether the transaction has committed on some way.
    pub fn may_be_post(self) -> bool {
        self != Self::Pre
    }
}

/// One template with the mover types of its statements.
pub(crate) struct Phases<'a> {
    pub template: &'a Template,
    pub outgoing: &'a Outgoing,
    /// The mover type of each statement that stands outside of atomic regions, or begins one.
    pub mover_types: &'a SecondaryMap<EdgeId, MoverType>,
    /// The mover type under the statement's condition; the run knows whether it holds.
    pub at_best: &'a SecondaryMap<EdgeId, MoverType>,
    /// What is made of a location that is reached in both phases.
    pub ambiguity: Ambiguity,
    /// Locations that are external in any case.
    pub external: BTreeSet<LocationId>,
}

impl Phases<'_> {
    /// The phase in which each location is reached, before an external location there resets it.
    pub fn solve(&self) -> FlowFacts<Phase> {
        solve(self.template, self.outgoing, Phase::Pre, self)
    }

    /// The locations where transactions must end because what follows does not move left.
    pub fn required(&self, phases: &FlowFacts<Phase>) -> BTreeMap<LocationId, YieldReason> {
        committed(phases, |location| self.offender(location))
    }

    /// The locations where transactions must end unless a condition holds.
    pub fn conditional(&self, phases: &FlowFacts<Phase>) -> BTreeMap<LocationId, YieldReason> {
        committed(phases, |location| self.conditional_offender(location))
    }

    /// The locations at which a statement commits a transaction that may not have committed before.
    pub fn commits(&self, phases: &FlowFacts<Phase>) -> BTreeMap<LocationId, Mark> {
        let mut marks = BTreeMap::new();
        for (id, edge) in &self.template.edges {
            let Some(phase) = phases[edge.source] else {
                continue;
            };
            let has_committed = phase == Phase::Post
                && !self.ends_transaction(edge.source, phase)
                && self.conditional_offender(edge.source).is_none();
            // At a sink the transaction has ended.
            let ends = self.template.locations[edge.target].kind != LocationKind::Ordinary;
            let inside = self.inside_region(edge.source);
            if has_committed || ends || inside || self.mover_types[id].moves_right() {
                continue;
            }
            let mark = if self.at_best[id].moves_right() {
                Mark::UnlessBothMover
            } else {
                Mark::Always
            };
            marks.insert(edge.source, mark);
        }
        marks
    }

    /// Whether the thread lets others run at the location, if it gets there in the phase and the phase is post.
    fn ends_transaction(&self, location: LocationId, phase: Phase) -> bool {
        location == self.template.entry
            || self.external.contains(&location)
            || phase.may_be_post() && self.offender(location).is_some()
    }

    /// A statement at the location that must not follow a commit.
    fn offender(&self, location: LocationId) -> Option<YieldReason> {
        self.not_left(location, self.at_best)
    }

    /// Whether transactions end at the location under a condition.
    pub fn may_yield(&self, location: LocationId) -> bool {
        self.conditional_offender(location).is_some()
    }

    /// A statement at the location that must not follow a commit unless its condition holds.
    fn conditional_offender(&self, location: LocationId) -> Option<YieldReason> {
        let certain = self.offender(location).is_some() || self.external.contains(&location);
        let offender = self.not_left(location, self.mover_types);
        offender.filter(|_| !certain && location != self.template.entry)
    }

    fn not_left(
        &self,
        location: LocationId,
        mover_types: &SecondaryMap<EdgeId, MoverType>,
    ) -> Option<YieldReason> {
        if self.inside_region(location) {
            return None;
        }
        let mut edges = self.outgoing.of(location).iter();
        let edge = edges.find(|&&edge| !mover_types[edge].moves_left())?;
        Some(YieldReason::AfterCommit(*edge))
    }

    fn inside_region(&self, location: LocationId) -> bool {
        self.template.locations[location].atomic_depth > 0
    }
}

/// The locations that may be reached in the post phase and have a reason for something.
fn committed<T>(
    phases: &FlowFacts<Phase>,
    reason: impl Fn(LocationId) -> Option<T>,
) -> BTreeMap<LocationId, T> {
    let committed = phases
        .iter()
        .filter(|&(_, &phase)| phase.is_some_and(Phase::may_be_post));
    committed
        .filter_map(|(location, _)| Some((location, reason(location)?)))
        .collect()
}

impl ForwardAnalysis for Phases<'_> {
    type Fact = Phase;

    fn transfer(&self, id: EdgeId, edge: &Edge, &before: &Phase) -> Phase {
        if self.inside_region(edge.source) {
            return before; // the beginning of the region counted for all of it
        }
        let phase = if self.ends_transaction(edge.source, before) {
            Phase::Pre
        } else if before == Phase::Post && self.conditional_offender(edge.source).is_some() {
            Phase::Either
        } else {
            before
        };
        match (
            self.mover_types[id].moves_right(),
            self.at_best[id].moves_right(),
        ) {
            (true, _) => phase,
            (false, true) if phase == Phase::Pre => Phase::Either,
            (false, true) => phase,
            (false, false) => Phase::Post,
        }
    }

    fn merge(&self, fact: &mut Phase, &other: &Phase) {
        *fact = match self.ambiguity {
            _ if *fact == other => other,
            Ambiguity::Post => Phase::Post,
            Ambiguity::Dynamic => Phase::Either,
            Ambiguity::Pre => Phase::Pre,
        };
    }
}
