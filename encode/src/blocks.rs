//! Cut points and blocks of a template (Sec. 5 of the paper).
//!
//! A *cut point* is a location where a block starts or ends: the entry, external locations, sinks, and enough further
//! locations that no cycle is left without one. The further ones are *internal*: a thread standing there excludes all
//! others. A *block* is the loop-free region from one cut point to the next ones.

use std::collections::BTreeSet;

use cranelift_entity::{EntitySet, SecondaryMap};
use program::automaton::Outgoing;
use program::model::{EdgeId, LocationId, Template};

use crate::statement_accesses;

/// Whether other threads may run while a thread stands at a cut point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// They may.
    External,
    /// They may not.
    Internal,
}

/// The cut points of a template that are not sinks.
#[derive(Clone, Debug)]
pub struct Cuts {
    kinds: SecondaryMap<LocationId, Option<Cut>>,
}

impl Cuts {
    /// Chooses the cut points. That a wait after a commit has an external location before it is up to the plan.
    pub fn choose(template: &Template, graph: &Outgoing) -> Self {
        let mut cuts = Self {
            kinds: SecondaryMap::new(),
        };
        for (id, location) in template.locations.iter() {
            let external = location.external && location.atomic_depth == 0;
            if id == template.entry || (external && !statement_accesses::is_sink(location.kind)) {
                cuts.kinds[id] = Some(Cut::External);
            }
        }
        cuts.cut_cycles(template, graph);
        cuts
    }

    /// Whether and how a location is a cut point; `None` for sinks.
    pub fn kind(&self, location: LocationId) -> Option<Cut> {
        self.kinds[location]
    }

    /// All cut points, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (LocationId, Cut)> {
        self.kinds
            .iter()
            .filter_map(|(id, kind)| kind.map(|kind| (id, kind)))
    }

    /// The locations that may be reached after an effect without an external cut point in between. External cut
    /// points themselves count as reached before the cut.
    pub fn after_effect(
        &self,
        template: &Template,
        graph: &Outgoing,
        effects: &EntitySet<EdgeId>,
    ) -> EntitySet<LocationId> {
        let effects = effects.iter().map(|id| &template.edges[id]);
        let mut open: Vec<LocationId> = effects.map(|edge| edge.target).collect();
        let mut found = EntitySet::with_capacity(template.locations.len());
        while let Some(location) = open.pop() {
            if found.insert(location) && self.kinds[location] != Some(Cut::External) {
                open.extend(
                    graph
                        .of(location)
                        .iter()
                        .map(|&edge| template.edges[edge].target),
                );
            }
        }
        found
    }

    /// Makes the target of every back edge of a depth-first search that stops at cut points an internal cut point.
    fn cut_cycles(&mut self, template: &Template, graph: &Outgoing) {
        let mut finished: SecondaryMap<LocationId, bool> = SecondaryMap::new();
        let mut on_path: SecondaryMap<LocationId, bool> = SecondaryMap::new();
        let roots: Vec<LocationId> = self.iter().map(|(id, _)| id).collect();
        for root in roots {
            on_path[root] = true;
            let mut path = vec![(root, 0)];
            while let Some((location, next)) = path.last_mut() {
                let Some(&edge) = graph.of(*location).get(*next) else {
                    (on_path[*location], finished[*location]) = (false, true);
                    path.pop();
                    continue;
                };
                *next += 1;
                let target = template.edges[edge].target;
                if self.kinds[target].is_some() || finished[target] {
                    continue;
                }
                if on_path[target] {
                    self.kinds[target] = Some(Cut::Internal);
                } else {
                    on_path[target] = true;
                    path.push((target, 0));
                }
            }
        }
    }

    /// The locations of the block that starts at `source`, `source` first, every location after those it is reached
    /// from. Cut points and sinks where the block ends are not included.
    pub fn block(
        &self,
        template: &Template,
        graph: &Outgoing,
        source: LocationId,
    ) -> Vec<LocationId> {
        let mut seen = BTreeSet::from([source]);
        let mut path = vec![(source, 0)];
        let mut order = Vec::new();
        while let Some((location, next)) = path.last_mut() {
            let Some(&edge) = graph.of(*location).get(*next) else {
                order.push(*location);
                path.pop();
                continue;
            };
            *next += 1;
            let target = template.edges[edge].target;
            let inside = self.kinds[target].is_none()
                && !statement_accesses::is_sink(template.locations[target].kind);
            if inside && seen.insert(target) {
                path.push((target, 0));
            }
        }
        order.reverse();
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::builder::{ProgramBuilder, TemplateBuilder, constant, global};
    use program::model::{GlobalId, LocationKind, Program, Statement};

    fn program(build: impl FnOnce(&mut TemplateBuilder<'_>, GlobalId)) -> Program {
        let mut builder = ProgramBuilder::new("blocks");
        let shared = builder.global("shared", &[0; 20]);
        let mut main = builder.main();
        build(&mut main, shared);
        main.finish();
        builder.finish()
    }

    fn cuts(program: &Program) -> Vec<(LocationId, Cut)> {
        let template = &program.templates[program.main];
        let cuts = Cuts::choose(template, &Outgoing::new(template));
        cuts.iter()
            .filter(|&(location, _)| location != template.entry)
            .collect()
    }

    #[test]
    fn a_cycle_is_cut_once_at_its_head() {
        let mut head = None;
        let program = program(|main, _| {
            let location = main.location(LocationKind::Ordinary);
            head = Some(location);
            main.jump(location);
            let more = main.havoc(1);
            let (_, end) = main.branch(more);
            main.jump(location);
            main.go_to(end);
        });
        assert_eq!(cuts(&program), [(head.expect("set"), Cut::Internal)]);
    }

    #[test]
    fn no_location_inside_of_a_region_is_external() {
        let mut program = program(|main, shared| {
            main.statement(Statement::AtomicBegin);
            main.store(constant(8, 1), global(shared));
            main.statement(Statement::AtomicEnd);
        });
        let main = program.main;
        for location in program.templates[main].locations.values_mut() {
            location.external = location.atomic_depth > 0;
        }
        assert_eq!(cuts(&program), []);
    }

    #[test]
    fn every_location_of_a_block_comes_after_those_before_it() {
        let program = program(|main, _| {
            let condition = main.havoc(1);
            let (_, no) = main.branch(condition);
            let end = main.location(LocationKind::Ordinary);
            main.jump(end);
            main.go_to(no);
            main.jump(end);
        });
        let template = &program.templates[program.main];
        let graph = Outgoing::new(template);
        let cuts = Cuts::choose(template, &graph);
        let order = cuts.block(template, &graph, template.entry);
        let position = |location| order.iter().position(|&other| other == location);
        for edge in template.edges.values() {
            if let (Some(source), Some(target)) = (position(edge.source), position(edge.target)) {
                assert!(source < target);
            }
        }
        assert_eq!(order.len(), 5);
    }
}
