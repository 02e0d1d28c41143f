//! Forward data-flow analysis of one automaton: the least solution of a set of equations over locations.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use program::automaton::Outgoing;
use program::model::{Edge, EdgeId, LocationId, Template};

/// What holds at each location; `None` at a location that no run reaches.
pub(crate) type FlowFacts<F> = SecondaryMap<LocationId, Option<F>>;

/// A forward analysis. Facts only get weaker by [`ForwardAnalysis::merge`], and finitely often.
pub(crate) trait ForwardAnalysis {
    /// What holds at a location.
    type Fact: Clone + PartialEq;

    /// What holds after the edge, given what holds before it.
    fn transfer(&self, id: EdgeId, edge: &Edge, before: &Self::Fact) -> Self::Fact;

    /// Weakens `fact` so that it holds where `other` does, too.
    fn merge(&self, fact: &mut Self::Fact, other: &Self::Fact);
}

/// Solves the equations of `flow` for a template whose runs start with `entry`.
pub(crate) fn solve<F: ForwardAnalysis>(
    template: &Template,
    outgoing: &Outgoing,
    entry: F::Fact,
    flow: &F,
) -> FlowFacts<F::Fact> {
    let mut facts = FlowFacts::with_capacity(template.locations.len());
    facts[template.entry] = Some(entry);
    let mut pending = BTreeSet::from([template.entry]);
    while let Some(location) = pending.pop_first() {
        let Some(before) = facts[location].clone() else {
            continue;
        };
        for &id in outgoing.of(location) {
            let edge = &template.edges[id];
            let after = flow.transfer(id, edge, &before);
            if weaken(flow, &mut facts[edge.target], after) {
                pending.insert(edge.target);
            }
        }
    }
    facts
}

/// Merges `after` into the fact of a location; returns whether that changed it.
fn weaken<F: ForwardAnalysis>(flow: &F, fact: &mut Option<F::Fact>, after: F::Fact) -> bool {
    match fact {
        None => {
            *fact = Some(after);
            true
        }
        Some(known) => {
            let old = known.clone();
            flow.merge(known, &after);
            *known != old
        }
    }
}
