//! The loops of an automaton, and where a thread is in their unwinding.
//!
//! A strongly connected part of the automaton is a loop; one of its locations, through which it is entered if possible, is its header.
//! Without the edges to the header the part is taken apart again, so loops nest. Where a thread is when it has gone through the header of
//! every loop around it so many times is a [`Position`]. Positions in ascending order are a topological order of the unwinding.

use std::collections::BTreeMap;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use program::automaton::Outgoing;
use program::model::{LocationId, Template, TemplateId};
use rustc_hash::FxBuildHasher;

/// A loop of a template, named by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loop {
    /// The template.
    pub template: TemplateId,
    /// The header.
    pub header: LocationId,
}

/// Where a thread is in the unwinding of its template. The order is that of the unwinding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// From the outermost loop to the location: a number in topological order, and for each loop how often its header was passed again.
    order: Vec<u32>,
    /// The location.
    pub location: LocationId,
}

/// What an edge of the automaton leads to in the unwinding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Successor {
    /// A position within the bounds.
    Position(Position),
    /// The header of this loop, too often.
    Beyond(LocationId),
}

/// The loops of a template.
#[derive(Clone, Debug)]
pub struct LoopForest {
    places: SecondaryMap<LocationId, Nesting>,
}

/// Where a location is in the nest of loops.
#[derive(Clone, Debug, Default)]
struct Nesting {
    /// The numbers in topological order: among the parts of the automaton, then among those of the outermost loop, and so on.
    numbers: Vec<u32>,
    /// The headers of the loops around it, the outermost first; one less than there are numbers.
    headers: Vec<LocationId>,
}

impl LoopForest {
    /// Finds the loops of a template.
    pub fn new(template: &Template, graph: &Outgoing) -> Self {
        let mut forest = Self {
            places: SecondaryMap::new(),
        };
        let reachable = graph.reachable(template, [template.entry]);
        let all: Vec<LocationId> = reachable.iter().collect();
        forest.split(template, graph, (&all, &reachable), None);
        forest
    }

    /// Numbers the strongly connected parts of some locations, without the edges to a header, and then those of each part that is a loop.
    fn split(
        &mut self,
        template: &Template,
        graph: &Outgoing,
        (locations, within): (&[LocationId], &EntitySet<LocationId>),
        header: Option<LocationId>,
    ) {
        let targets = |location: LocationId| {
            let edges = graph.of(location).iter();
            let targets = edges.map(|&edge| template.edges[edge].target);
            targets.filter(|&target| within.contains(target) && Some(target) != header)
        };
        let mut part_graph: DiGraphMap<LocationId, (), FxBuildHasher> = DiGraphMap::default();
        for &location in locations {
            part_graph.add_node(location);
        }
        for &location in locations {
            for target in targets(location) {
                part_graph.add_edge(location, target, ());
            }
        }
        // The parts come in reverse topological order.
        for (number, mut part) in tarjan_scc(&part_graph).into_iter().rev().enumerate() {
            part.sort_unstable();
            for &location in &part {
                self.places[location].numbers.push(number as u32);
            }
            let first = part[0];
            let is_loop = part.len() > 1 || targets(first).any(|target| target == first);
            if is_loop {
                let mut members = EntitySet::new();
                members.extend(part.iter().copied());
                let header = header_of(template, &part, &members);
                for &location in &part {
                    self.places[location].headers.push(header);
                }
                self.split(template, graph, (&part, &members), Some(header));
            }
        }
    }

    /// Where a thread begins.
    pub fn entry(&self, template: &Template) -> Position {
        self.enter(template.entry, &[])
    }

    /// The position at a location for which the headers of the outer loops were passed again so many times.
    fn enter(&self, location: LocationId, passed: &[u32]) -> Position {
        let Nesting { numbers, headers } = &self.places[location];
        let mut order = Vec::with_capacity(2 * numbers.len());
        for (level, &number) in numbers.iter().enumerate() {
            order.push(number);
            if level < headers.len() {
                order.push(passed.get(level).copied().unwrap_or(0));
            }
        }
        Position { order, location }
    }

    /// Whether an edge goes back to the header of a loop that it is in.
    pub fn goes_back(&self, source: LocationId, target: LocationId) -> bool {
        let around = &self.places[target].headers;
        around.last() == Some(&target) && self.places[source].headers.starts_with(around)
    }

    /// Where an edge leads to, if the headers of loops may be passed again as often as `bound` says.
    pub fn successor(
        &self,
        from: &Position,
        target: LocationId,
        bound: impl Fn(LocationId) -> u32,
    ) -> Successor {
        let (source, around) = (
            &self.places[from.location].headers,
            &self.places[target].headers,
        );
        let common = source
            .iter()
            .zip(around)
            .take_while(|(a, b)| a == b)
            .count();
        let mut passed: Vec<u32> = (0..common).map(|level| from.order[2 * level + 1]).collect();
        if common == around.len() && around.last() == Some(&target) {
            let count = &mut passed[common - 1];
            *count += 1;
            if *count > bound(target) {
                return Successor::Beyond(target);
            }
        }
        Successor::Position(self.enter(target, &passed))
    }
}

/// A location of a loop to which an edge leads from outside of it.
fn header_of(
    template: &Template,
    part: &[LocationId],
    members: &EntitySet<LocationId>,
) -> LocationId {
    let entered = template.edges.values().find_map(|edge| {
        let enters = members.contains(edge.target) && !members.contains(edge.source);
        enters.then_some(edge.target)
    });
    match entered {
        Some(header) => header,
        None if members.contains(template.entry) => template.entry,
        None => part[0],
    }
}

/// How often headers of loops may be passed again.
#[derive(Clone, Debug)]
pub struct UnwindingBounds {
    default: u32,
    raised: BTreeMap<Loop, u32>,
}

impl UnwindingBounds {
    /// The same for all loops.
    pub fn all(bound: u32) -> Self {
        Self {
            default: bound,
            raised: BTreeMap::new(),
        }
    }

    /// How often the header of a loop may be passed again.
    pub fn of(&self, which: Loop) -> u32 {
        self.raised.get(&which).copied().unwrap_or(self.default)
    }

    /// Gives a loop a bound of its own.
    pub fn raise(&mut self, which: Loop, bound: u32) {
        self.raised.insert(which, bound);
    }

    /// Doubles the bound of a loop.
    pub fn double(&mut self, which: Loop) {
        self.raise(which, self.of(which).saturating_mul(2).max(1));
    }

    /// The bound of loops that have none of their own.
    pub fn of_others(&self) -> u32 {
        self.default
    }

    /// The loops that have bounds of their own.
    pub fn raised(&self) -> impl Iterator<Item = (Loop, u32)> {
        self.raised.iter().map(|(&which, &bound)| (which, bound))
    }
}

/// The loops of all templates of a program.
pub type Forests = PrimaryMap<TemplateId, LoopForest>;

#[cfg(test)]
mod tests {
    use program::builder::ProgramBuilder;
    use program::model::LocationKind;

    use super::*;

    /// `while (..) while (..);`
    #[test]
    fn positions_follow_the_unwinding() {
        let mut builder = ProgramBuilder::new("loops");
        let mut main = builder.main();
        let outer = main.location(LocationKind::Ordinary);
        let inner = main.location(LocationKind::Ordinary);
        main.jump(outer);
        main.go_to(outer);
        let more = main.havoc(1);
        let (body, end) = main.branch(more);
        main.go_to(body);
        main.jump(inner);
        main.go_to(inner);
        let again = main.havoc(1);
        let (same, back) = main.branch(again);
        main.go_to(same);
        main.jump(inner);
        main.go_to(back);
        main.jump(outer);
        main.go_to(end);
        main.finish();
        let program = builder.finish();
        let template = &program.templates[program.main];
        let forest = LoopForest::new(template, &Outgoing::new(template));
        let go = |from: &Position, target, bound: u32| forest.successor(from, target, |_| bound);
        let at = |successor| match successor {
            Successor::Position(position) => position,
            Successor::Beyond(header) => panic!("{header} is passed too often"),
        };
        let first = at(go(&forest.entry(template), outer, 2));
        let inside = at(go(&first, inner, 2));
        let once = at(go(&inside, inner, 2));
        let twice = at(go(&once, inner, 2));
        assert!(first < inside && inside < once && once < twice);
        assert_eq!(go(&twice, inner, 2), Successor::Beyond(inner));
        let second = at(go(&twice, outer, 2));
        assert!(twice < second);
        // The inner loop begins anew.
        let again = at(go(&second, inner, 2));
        assert!(second < again && at(go(&again, inner, 2)) > again);
        assert_eq!(go(&second, outer, 1), Successor::Beyond(outer));
    }
}
