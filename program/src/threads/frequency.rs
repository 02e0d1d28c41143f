//! How often a run of a template executes a statement: once at most, or any number of times.

use std::collections::BTreeMap;

use abi::ids::SiteId;

use crate::automaton::Outgoing;
use crate::model::{LocationId, Statement, Template};

/// How often the statements of one site are executed in one run of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frequency {
    /// At most once.
    Once,
    /// Any number of times.
    Repeated,
}

/// How often each site with a reachable statement of the wanted kind is executed in a run. Several edges may carry the
/// same site, as instrumentation copies statements: they count once unless one can follow the other.
pub(super) fn site_frequencies(
    template: &Template,
    wanted: fn(&Statement) -> bool,
) -> BTreeMap<SiteId, Frequency> {
    let outgoing = Outgoing::new(template);
    let reachable = outgoing.reachable(template, [template.entry]);
    let mut edges: BTreeMap<SiteId, Vec<(LocationId, LocationId)>> = BTreeMap::new();
    for edge in template.edges.values() {
        if wanted(&edge.statement) && reachable.contains(edge.source) {
            edges
                .entry(edge.site)
                .or_default()
                .push((edge.source, edge.target));
        }
    }
    let frequency = |copies: &[(LocationId, LocationId)]| {
        let repeated = copies.iter().any(|&(_, target)| {
            let later = outgoing.reachable(template, [target]);
            copies.iter().any(|&(source, _)| later.contains(source))
        });
        if repeated {
            Frequency::Repeated
        } else {
            Frequency::Once
        }
    };
    edges
        .into_iter()
        .map(|(site, copies)| (site, frequency(&copies)))
        .collect()
}
