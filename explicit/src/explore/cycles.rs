//! Cycles of the kept states: runs that go on for ever.

use abi::ids::InstanceId;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

/// A turn of a thread from a kept state to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub from: u32,
    pub to: u32,
    pub instance: InstanceId,
}

/// The turns that a search has taken.
#[derive(Debug, Default)]
pub(super) struct Turns {
    edges: Vec<Edge>,
    /// Turns that end the run.
    ends: Vec<(u32, InstanceId)>,
}

impl Turns {
    /// A turn ended in a kept state.
    pub fn take(&mut self, edge: Edge) {
        if self.edges.last() != Some(&edge) {
            self.edges.push(edge);
        }
    }

    /// A turn of a thread ended the run.
    pub fn end(&mut self, from: u32, instance: InstanceId) {
        self.ends.push((from, instance));
    }

    /// The memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>()
            + self.ends.capacity() * size_of::<(u32, InstanceId)>()
    }

    /// Turns that lead from a state back to it; under fair scheduling a thread that can take a turn from one of the states takes one of
    /// these turns.
    pub fn cycle(&self, states: usize, fair: bool) -> Option<Vec<Edge>> {
        let mut edges = self.edges.clone();
        let able = match fair {
            true => self.able(),
            false => FxHashSet::default(),
        };
        loop {
            let components = Components::new(states, &edges);
            edges.retain(|edge| components.are_together(edge));
            let left_out = left_out(&components, &edges, &able);
            // The component with the first state that was found.
            let component = |edge: &Edge| components.of[edge.from as usize];
            let is_fair = |edge: &&Edge| {
                let mut unfair = left_out.iter().map(|&(component, _)| component);
                unfair.all(|unfair| unfair != component(edge))
            };
            let first = edges.iter().filter(is_fair).min_by_key(|edge| edge.from);
            if let Some(&first) = first {
                edges.retain(|edge| component(edge) == component(&first));
                return Some(around(first.from, &edges, fair));
            }
            if edges.is_empty() {
                return None;
            }
            // A fair run leaves the states in which a thread can move that never does there.
            let is_left = |state: u32| {
                let component = components.of[state as usize];
                let mut threads = left_out.iter().filter(|&&(unfair, _)| unfair == component);
                threads.any(|&(_, thread)| able.contains(&(state, thread)))
            };
            edges.retain(|edge| !is_left(edge.from) && !is_left(edge.to));
        }
    }

    /// The states in which threads can take turns.
    fn able(&self) -> FxHashSet<(u32, InstanceId)> {
        let going = self.edges.iter().map(|edge| (edge.from, edge.instance));
        going.chain(self.ends.iter().copied()).collect()
    }
}

/// The threads that can take a turn in some state of a component, and take none within it.
fn left_out(
    components: &Components,
    inside: &[Edge],
    able: &FxHashSet<(u32, InstanceId)>,
) -> FxHashSet<(usize, InstanceId)> {
    let within = |&(state, thread): &(u32, InstanceId)| (components.of[state as usize], thread);
    let moving: FxHashSet<(usize, InstanceId)> = inside
        .iter()
        .map(|edge| within(&(edge.from, edge.instance)))
        .collect();
    let cyclic: FxHashSet<usize> = moving.iter().map(|&(component, _)| component).collect();
    let able = able.iter().map(within);
    able.filter(|thread| cyclic.contains(&thread.0) && !moving.contains(thread))
        .collect()
}

/// The strongly connected components of the states, by state.
struct Components {
    of: Vec<usize>,
}

impl Components {
    fn new(states: usize, edges: &[Edge]) -> Self {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(states, edges.len());
        for _ in 0..states {
            graph.add_node(());
        }
        for edge in edges {
            graph.add_edge(NodeIndex::from(edge.from), NodeIndex::from(edge.to), ());
        }
        let mut of = vec![0; states];
        for (component, states) in kosaraju_scc(&graph).into_iter().enumerate() {
            for state in states {
                of[state.index()] = component;
            }
        }
        Self { of }
    }

    fn are_together(&self, edge: &Edge) -> bool {
        self.of[edge.from as usize] == self.of[edge.to as usize]
    }
}

/// Turns from a state of a strongly connected component, which has these turns, back to it: few, or some of each thread that has any.
fn around(start: u32, edges: &[Edge], every_thread: bool) -> Vec<Edge> {
    let mut leaving: FxHashMap<u32, Vec<Edge>> = FxHashMap::default();
    for &edge in edges {
        leaving.entry(edge.from).or_default().push(edge);
    }
    let mut path: Vec<Edge> = Vec::new();
    let mut threads: Vec<InstanceId> = match every_thread {
        true => edges.iter().map(|edge| edge.instance).collect(),
        false => Vec::new(),
    };
    threads.sort_unstable();
    threads.dedup();
    for thread in threads {
        if path.iter().all(|edge| edge.instance != thread) {
            let from = path.last().map_or(start, |edge| edge.to);
            path.extend(shortest(&leaving, from, &|edge| edge.instance == thread));
        }
    }
    let from = path.last().map_or(start, |edge| edge.to);
    if path.is_empty() || from != start {
        path.extend(shortest(&leaving, from, &|edge| edge.to == start));
    }
    path
}

/// The fewest turns from a state of which the last one is accepted; none if there is no such turn.
fn shortest(
    leaving: &FxHashMap<u32, Vec<Edge>>,
    from: u32,
    accept: &dyn Fn(&Edge) -> bool,
) -> Vec<Edge> {
    let mut before: FxHashMap<u32, Edge> = FxHashMap::default();
    let mut open = vec![from];
    while !open.is_empty() {
        let mut next = Vec::new();
        for state in open {
            for &edge in leaving.get(&state).into_iter().flatten() {
                if accept(&edge) {
                    let mut path = vec![edge];
                    let mut state = edge.from;
                    while state != from {
                        let edge = before[&state];
                        path.push(edge);
                        state = edge.from;
                    }
                    path.reverse();
                    return path;
                }
                if edge.to != from && !before.contains_key(&edge.to) {
                    before.insert(edge.to, edge);
                    next.push(edge.to);
                }
            }
        }
        open = next;
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(edges: &[(u32, u32, u32)], ends: &[(u32, u32)]) -> Turns {
        let mut turns = Turns::default();
        for &(from, to, thread) in edges {
            let instance = InstanceId(thread);
            turns.take(Edge { from, to, instance });
        }
        for &(from, thread) in ends {
            turns.end(from, InstanceId(thread));
        }
        turns
    }

    fn cycle(turns: &Turns, fair: bool) -> Option<Vec<(u32, u32)>> {
        let cycle = turns.cycle(6, fair)?;
        Some(cycle.iter().map(|edge| (edge.from, edge.to)).collect())
    }

    #[test]
    fn a_state_that_leads_to_itself_is_a_cycle() {
        assert_eq!(cycle(&turns(&[(0, 1, 0), (1, 2, 0)], &[]), false), None);
        let itself = turns(&[(0, 1, 0), (1, 1, 0)], &[]);
        assert_eq!(cycle(&itself, false), Some(vec![(1, 1)]));
        let later = turns(&[(0, 1, 0), (1, 2, 0), (2, 3, 1), (3, 1, 0)], &[]);
        assert_eq!(cycle(&later, false), Some(vec![(1, 2), (2, 3), (3, 1)]));
    }

    #[test]
    fn a_thread_that_can_move_must_move_in_a_fair_cycle() {
        // Thread 1 spins in state 1 until thread 0 moves.
        let spinning = [(0, 1, 1), (1, 1, 1), (1, 2, 0)];
        assert_eq!(cycle(&turns(&spinning, &[]), true), None);
        assert_eq!(cycle(&turns(&spinning[..2], &[]), true), Some(vec![(1, 1)]));
        assert_eq!(cycle(&turns(&spinning[..2], &[(1, 0)]), true), None);
        // What is left when thread 0 has moved is a cycle of thread 1 alone.
        let after = [spinning.as_slice(), &[(2, 3, 1), (3, 2, 1)]].concat();
        let expected = Some(vec![(2, 3), (3, 2)]);
        assert_eq!(cycle(&turns(&after, &[]), true), expected);
    }

    #[test]
    fn a_fair_cycle_avoids_states_in_which_a_thread_can_leave_it() {
        // Thread 2 can leave from state 2 only, and the cycle 0, 1 does without that.
        let turns = turns(
            &[(0, 1, 0), (1, 0, 1), (1, 2, 0), (2, 0, 1), (2, 3, 2)],
            &[],
        );
        assert_eq!(cycle(&turns, true), Some(vec![(0, 1), (1, 0)]));
    }

    #[test]
    fn a_fair_cycle_has_a_turn_of_each_thread() {
        let turns = turns(&[(0, 0, 0), (0, 1, 1), (1, 0, 1)], &[]);
        let cycle = turns.cycle(2, true).expect("a cycle");
        for thread in [0, 1] {
            let is_own = |edge: &Edge| edge.instance == InstanceId(thread);
            assert!(cycle.iter().any(is_own), "{thread}");
        }
        assert_eq!(cycle.first().map(|edge| edge.from), Some(0));
        assert_eq!(cycle.last().map(|edge| edge.to), Some(0));
    }
}
