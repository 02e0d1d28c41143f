//! External locations that cut cycles, so that every post phase ends (Def. 2 and item 2 of Def. 5 of the paper).
//!
//! A thread that goes round for ever after its commit would hide the commit from the others. Cycles that are passed before
//! the commit hide nothing and are left to the encoder. Cycles inside of one atomic region cannot be cut: no other thread
//! runs there in any case, and a region with a cycle never follows a commit without an external location (see
//! [`crate::regions`]).

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use program::automaton::Outgoing;
use program::model::{LocationId, Template};

/// A location on some cycle through `members` without an external location, if there is one outside of atomic regions; a
/// preferred one if the cycle has one.
pub(crate) fn uncut_cycle(
    template: &Template,
    outgoing: &Outgoing,
    members: &BTreeSet<LocationId>,
    anchored: &BTreeSet<LocationId>,
    preferred: impl Fn(LocationId) -> bool,
) -> Option<LocationId> {
    let mut graph = DiGraph::<LocationId, ()>::new();
    let nodes: BTreeMap<LocationId, NodeIndex> = members
        .iter()
        .map(|&location| (location, graph.add_node(location)))
        .collect();
    for (&source, &node) in &nodes {
        for &edge in outgoing.of(source) {
            if let Some(&target) = nodes.get(&template.edges[edge].target) {
                graph.add_edge(node, target, ());
            }
        }
    }
    let cyclic = |component: &Vec<NodeIndex>| {
        component.len() > 1
            || component
                .iter()
                .any(|&node| graph.contains_edge(node, node))
    };
    let found = kosaraju_scc(&graph)
        .into_iter()
        .filter(cyclic)
        .filter_map(|component| {
            let locations = component.into_iter().map(|node| graph[node]);
            let outside =
                locations.filter(|&location| template.locations[location].atomic_depth == 0);
            outside.min_by_key(|&location| {
                (
                    !preferred(location),
                    !anchored.contains(&location),
                    location,
                )
            })
        });
    found.min_by_key(|&location| (!preferred(location), location))
}
