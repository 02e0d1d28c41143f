//! The graph of a template: outgoing edges and reachability.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::model::{Edge, EdgeId, LocationId, Template};

/// The outgoing edges of every location, in the order of the edges.
#[derive(Clone, Debug)]
pub struct Outgoing(SecondaryMap<LocationId, Vec<EdgeId>>);

impl Outgoing {
    /// Collects the edges of a template by their source.
    pub fn new(template: &Template) -> Self {
        Self::passing(template, |_| true)
    }

    /// Collects only edges that may be passed.
    pub fn passing(template: &Template, may_pass: impl Fn(&Edge) -> bool) -> Self {
        let mut edges = SecondaryMap::with_default(Vec::new());
        edges.resize(template.locations.len());
        for (id, edge) in template.edges.iter().filter(|(_, edge)| may_pass(edge)) {
            edges[edge.source].push(id);
        }
        Self(edges)
    }

    /// The edges that leave a location; none for a sink.
    pub fn of(&self, location: LocationId) -> &[EdgeId] {
        &self.0[location]
    }

    /// The locations that a run which starts at one of `from` can visit, `from` included.
    pub fn reachable(
        &self,
        template: &Template,
        from: impl IntoIterator<Item = LocationId>,
    ) -> EntitySet<LocationId> {
        let mut found = EntitySet::with_capacity(template.locations.len());
        let mut pending: Vec<LocationId> = from.into_iter().collect();
        while let Some(location) = pending.pop() {
            if found.insert(location) {
                pending.extend(
                    self.of(location)
                        .iter()
                        .map(|&edge| template.edges[edge].target),
                );
            }
        }
        found
    }
}
