//! Removal of ends of lifetimes that make no difference, so that a program without dangling pointers costs nothing.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use program::lifetimes::{Addresses, Mortal};
use program::model::{EdgeId, HeapSite, HeapSiteId, LocationId, Statement, Template};

/// Drops ends of lifetimes that make no difference: the ends behind which the thread only returns, because a return
/// ends all lifetimes of locals; and the ends of an object whose address does not escape and that is accessed, and
/// compared with others, only where it is alive.
pub(super) fn drop_useless_ends(template: &mut Template, sites: &PrimaryMap<HeapSiteId, HeapSite>) {
    let returning = Returning::new(template);
    let useless: Vec<EdgeId> = template
        .edges
        .iter()
        .filter(|(_, edge)| matches!(edge.statement, Statement::LifetimeEnd { .. }))
        .map(|(id, _)| id)
        .filter(|&id| returning.0[template.edges[id].target])
        .collect();
    for id in useless {
        template.edges[id].statement = Statement::Skip;
    }
    let addresses = Addresses::new(template, sites);
    let escaping = addresses.dangling(template);
    for edge in template.edges.values_mut() {
        if let Statement::LifetimeEnd { locals } = &mut edge.statement {
            locals.retain(|&local| escaping.contains(Mortal::new(local.index())));
            if locals.is_empty() {
                edge.statement = Statement::Skip;
            }
        } else if let Statement::Free {
            address,
            automatic: true,
        } = edge.statement
            && addresses
                .of(address)
                .into_iter()
                .all(|mortal| !escaping.contains(mortal))
        {
            edge.statement = Statement::Skip;
        }
    }
}

/// The locations from which a thread returns without doing anything that others notice, and without a choice but that.
struct Returning(SecondaryMap<LocationId, bool>);

impl Returning {
    /// Locations are added while all their edges lead to some that were added before, so cycles are none.
    fn new(template: &Template) -> Self {
        let mut outgoing: SecondaryMap<LocationId, Vec<EdgeId>> = SecondaryMap::new();
        let mut incoming: SecondaryMap<LocationId, Vec<LocationId>> = SecondaryMap::new();
        for (id, edge) in &template.edges {
            outgoing[edge.source].push(id);
            incoming[edge.target].push(edge.source);
        }
        let mut found = Self(SecondaryMap::new());
        let mut pending: Vec<LocationId> = template.locations.keys().collect();
        while let Some(location) = pending.pop() {
            let returns = |&id: &EdgeId| {
                let edge = &template.edges[id];
                let ends = matches!(
                    edge.statement,
                    Statement::LifetimeEnd { .. }
                        | Statement::Free {
                            automatic: true,
                            ..
                        }
                );
                let passed = edge.statement.is_private() || ends;
                matches!(edge.statement, Statement::Return { .. }) || passed && found.0[edge.target]
            };
            let edges = &outgoing[location];
            if !found.0[location] && !edges.is_empty() && edges.iter().all(returns) {
                found.0[location] = true;
                pending.extend(&incoming[location]);
            }
        }
        found
    }
}
