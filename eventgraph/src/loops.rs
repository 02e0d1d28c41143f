//! The loops of an automaton, and where a thread is in their unwinding.
//!
//! A strongly connected part of the automaton is a loop; one of its locations, through which it is entered if possible, is its header.
//! Without the edges to the header the part is taken apart again, so loops nest. Where a thread is when it has gone through the header of
//! every loop around it so many times is a [`Position`]. Positions in ascending order are a topological order of the unwinding.

use std::collections::{BTreeMap, BTreeSet};

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
    /// The cuts of loops, by their headers.
    cuts: BTreeMap<LocationId, LocationId>,
}

/// Where a location is in the nest of loops.
#[derive(Clone, Debug, Default)]
struct Nesting {
    /// The numbers in topological order: among the parts of the automaton, then among those of the outermost loop, and so on.
    numbers: Vec<u32>,
    /// The headers of the loops around it, the outermost first; one less than there are numbers.
    headers: Vec<LocationId>,
}

/// An automaton whose loops are looked for.
#[derive(Clone, Copy)]
struct Shape<'a> {
    template: &'a Template,
    graph: &'a Outgoing,
    /// Whether other threads may run while this one is at a location.
    lets_others_run: &'a dyn Fn(LocationId) -> bool,
}

impl Shape<'_> {
    fn targets(&self, location: LocationId) -> impl Iterator<Item = LocationId> {
        let edges = self.graph.of(location).iter();
        edges.map(|&edge| self.template.edges[edge].target)
    }
}

impl LoopForest {
    /// Finds the loops of a template. Of each location it is known whether other threads may run while this one is there.
    pub fn new(
        template: &Template,
        graph: &Outgoing,
        lets_others_run: &dyn Fn(LocationId) -> bool,
    ) -> Self {
        let mut forest = Self {
            places: SecondaryMap::new(),
            cuts: BTreeMap::new(),
        };
        let reachable = graph.reachable(template, [template.entry]);
        let all: Vec<LocationId> = reachable.iter().collect();
        let shape = Shape {
            template,
            graph,
            lets_others_run,
        };
        forest.split(shape, (&all, &reachable), None);
        forest
    }

    /// Numbers the strongly connected parts of some locations, without the edges to a header, and then those of each part that is a loop.
    fn split(
        &mut self,
        shape: Shape<'_>,
        (locations, within): (&[LocationId], &EntitySet<LocationId>),
        header: Option<LocationId>,
    ) {
        let targets = |location: LocationId| {
            let targets = shape.targets(location);
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
                let entries = entries(shape, &part, &members);
                let header = entries.first().copied().unwrap_or(first);
                for &location in &part {
                    self.places[location].headers.push(header);
                }
                self.split(shape, (&part, &members), Some(header));
                if entries.len() == 1
                    && let Some(cut) = self.find_cut(shape, header)
                {
                    self.cuts.insert(header, cut);
                }
            }
        }
    }

    /// The location of a loop to which all ways through it come first where others may run. Inner loops have cuts of their own.
    fn find_cut(&self, shape: Shape<'_>, header: LocationId) -> Option<LocationId> {
        if (shape.lets_others_run)(header) {
            return Some(header);
        }
        let around = self.headers(header);
        let mut cut = None;
        let mut met = EntitySet::new();
        let mut open = vec![header];
        while let Some(location) = open.pop() {
            let targets = shape.targets(location);
            for target in targets.filter(|&target| self.headers(target).starts_with(around)) {
                if target == header || self.headers(target) != around {
                    return None;
                }
                if !(shape.lets_others_run)(target) {
                    if met.insert(target) {
                        open.push(target);
                    }
                } else if *cut.get_or_insert(target) != target {
                    return None;
                }
            }
        }
        cut
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

    /// The headers of the loops around a location, the outermost first.
    pub fn headers(&self, location: LocationId) -> &[LocationId] {
        &self.places[location].headers
    }

    /// The cut of a loop, by its header: where others may run first in a round, if that is the same location of the loop for all rounds. A
    /// loop that is entered otherwise than through its header has none.
    pub fn cut(&self, header: LocationId) -> Option<LocationId> {
        self.cuts.get(&header).copied()
    }

    /// The header of the loop that has its cut at a location.
    pub fn loop_cut_at(&self, location: LocationId) -> Option<LocationId> {
        let &header = self.headers(location).last()?;
        (self.cut(header) == Some(location)).then_some(header)
    }

    /// Whether an edge may go beyond the bound of a loop, at its header.
    pub fn may_end_at(&self, source: LocationId, target: LocationId) -> bool {
        let around = self.headers(target);
        around.last() == Some(&target)
            && self.headers(source).starts_with(around)
            && self.cut(target).is_none_or(|cut| cut == target)
    }

    /// Where an edge leads to, if the headers of loops may be passed again as often as `bound` says. Where a loop has a cut, more is known
    /// of whether a thread goes on when it is there; so it may pass the header once more, and not the cut.
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
        }
        if common == around.len()
            && let (Some(&header), Some(&count)) = (around.last(), passed.last())
            && target == self.cut(header).unwrap_or(header)
            && count > bound(header)
        {
            return Successor::Beyond(header);
        }
        Successor::Position(self.enter(target, &passed))
    }
}

/// The locations of a loop to which edges lead from outside of it, and the entry of the template.
fn entries(
    shape: Shape<'_>,
    part: &[LocationId],
    members: &EntitySet<LocationId>,
) -> BTreeSet<LocationId> {
    let all = shape.template.locations.keys();
    let outside = all.filter(|&location| !members.contains(location));
    let targets = outside.flat_map(|location| shape.targets(location));
    let entered = targets.filter(|&target| members.contains(target));
    let entry = part.iter().copied();
    let entry = entry.filter(|&location| location == shape.template.entry);
    entered.chain(entry).collect()
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
        let forest = LoopForest::new(template, &Outgoing::new(template), &|_| false);
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

    /// The loops of an automaton with numbered locations, of which the first one is the entry and some let others run.
    fn cuts(edges: &[(usize, usize)], lets_others_run: &[usize]) -> Vec<(usize, Option<usize>)> {
        let mut builder = ProgramBuilder::new("cuts");
        let mut main = builder.main();
        let locations: Vec<LocationId> = (0..8)
            .map(|_| main.location(LocationKind::Ordinary))
            .collect();
        main.jump(locations[0]);
        for &(from, to) in edges {
            main.go_to(locations[from]);
            main.jump(locations[to]);
        }
        main.go_to(locations[7]);
        main.finish();
        let program = builder.finish();
        let template = &program.templates[program.main];
        let number = |location| locations.iter().position(|&other| other == location);
        let lets =
            |location| number(location).is_some_and(|number| lets_others_run.contains(&number));
        let forest = LoopForest::new(template, &Outgoing::new(template), &lets);
        let is_header = |&location: &LocationId| forest.headers(location).last() == Some(&location);
        let headers = locations.iter().copied().filter(is_header);
        let cuts = headers.map(|header| (header, forest.cut(header)));
        cuts.map(|(header, cut)| (number(header).expect("it is one"), cut.and_then(number)))
            .collect()
    }

    #[test]
    fn every_round_of_a_loop_passes_its_cut_first() {
        let ring = [(0, 1), (1, 2), (2, 3), (3, 1), (1, 7)];
        let none: &[usize] = &[];
        for (more, lets_others_run, expected) in [
            (&[][..], &[1, 3][..], &[(1, Some(1))][..]),
            (&[], &[2, 3], &[(1, Some(2))]),
            (&[], &[3], &[(1, Some(3))]),
            (&[], none, &[(1, None)]),
            // Another way leads to another location first, or to none, or out of the loop.
            (&[(1, 4), (4, 3)], &[2, 4], &[(1, None)]),
            (&[(1, 4), (4, 3)], &[2], &[(1, None)]),
            (&[(1, 4), (4, 7)], &[2, 4], &[(1, Some(2))]),
            // The first location is in an inner loop.
            (&[(2, 2)], &[2], &[(1, None), (2, Some(2))]),
            (&[(3, 3)], &[2, 3], &[(1, Some(2)), (3, Some(3))]),
            // The loop is entered in its middle.
            (&[(0, 3)], &[1, 2, 3], &[(1, None)]),
        ] {
            let edges = [&ring, more].concat();
            assert_eq!(cuts(&edges, lets_others_run), expected, "{more:?}");
        }
    }
}
