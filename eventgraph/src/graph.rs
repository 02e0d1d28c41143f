//! The event order graph of a model (section 4 of the paper), and why it has a cycle (section 5).
//!
//! Its nodes are the events that happen in the model. The events of a thread are in their order, a creation is before what the created
//! thread does, and a write before what reads from it. Other orders are derived: another write of the same variable that is before the read
//! is before the write that is read from (rule 2), and one that is behind that write is behind the read (rule 3). A cycle says that no run
//! is like the model. Its reasons are the links and the writes that it was derived from.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use abi::ids::InstanceId;
use encode::semantics::path::Variable;
use system::term::Term;

use crate::event::{EventId, Unwinding};

/// What an order was derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// This literal holds: that of a link, or that a write happens.
    Holds(Term),
    /// An order that was tried.
    Assumed(u32),
}

/// All that an order was derived from.
pub type Reason = BTreeSet<Atom>;

/// A link of a model.
#[derive(Clone, Copy, Debug)]
pub struct ActiveLink {
    /// The variable that is read.
    pub variable: Variable,
    /// The event that writes.
    pub write: EventId,
    /// The event that reads.
    pub read: EventId,
    /// The literal of the link.
    pub literal: Term,
}

/// What happens in a model.
#[derive(Clone, Debug, Default)]
pub struct ActiveEvents {
    /// The events that happen, with all first ones of threads that do something.
    pub events: BTreeSet<EventId>,
    /// The writes that happen, with the literals that say so.
    pub writes: BTreeMap<Variable, Vec<(EventId, Term)>>,
    /// What is read from where.
    pub links: Vec<ActiveLink>,
}

/// An order of two nodes that is not the order of their thread.
#[derive(Clone, Debug)]
struct Edge {
    to: usize,
    reason: Reason,
}

/// The graph. Nodes are numbered in the order of threads, and within a thread in its order.
#[derive(Clone, Debug)]
pub struct EventOrderGraph<'a> {
    active: &'a ActiveEvents,
    nodes: Vec<EventId>,
    numbers: BTreeMap<EventId, usize>,
    /// The thread of each node; the first one has its own.
    threads: Vec<usize>,
    /// The nodes of each thread.
    ranges: Vec<std::ops::Range<usize>>,
    edges: Vec<Vec<Edge>>,
    /// Edges by their ends, so that each is there once.
    known: BTreeSet<(usize, usize)>,
    /// How many orders were tried.
    assumed: u32,
}

/// Which nodes are before which, where there is no cycle.
struct Order {
    /// For each node and thread: how many nodes of the thread are before it.
    before: Vec<Vec<u32>>,
}

/// So many cycles are explained at once.
const CYCLES: usize = 64;

impl<'a> EventOrderGraph<'a> {
    /// The graph of a model, without derived orders.
    pub fn new(unwinding: &Unwinding, active: &'a ActiveEvents) -> Self {
        let mut by_thread: BTreeMap<Option<InstanceId>, Vec<EventId>> = BTreeMap::new();
        by_thread.entry(None).or_default().push(EventId::FIRST);
        for &event in &active.events {
            if let Some(instance) = unwinding.events[event].instance {
                by_thread.entry(Some(instance)).or_default().push(event);
            }
        }
        let mut graph = Self {
            active,
            nodes: Vec::new(),
            numbers: BTreeMap::new(),
            threads: Vec::new(),
            ranges: Vec::new(),
            edges: Vec::new(),
            known: BTreeSet::new(),
            assumed: 0,
        };
        for (thread, events) in by_thread.into_values().enumerate() {
            let first = graph.nodes.len();
            for event in events {
                graph.numbers.insert(event, graph.nodes.len());
                graph.nodes.push(event);
                graph.threads.push(thread);
                graph.edges.push(Vec::new());
            }
            graph.ranges.push(first..graph.nodes.len());
        }
        for thread in 1..graph.ranges.len() {
            let first = graph.ranges[thread].start;
            graph.add(0, first, Reason::new());
        }
        for (&thread, creation) in &unwinding.creations {
            let start = unwinding.threads[&thread].events.first();
            if let (Some(&from), Some(&to)) = (
                graph.numbers.get(creation),
                start.and_then(|start| graph.numbers.get(start)),
            ) {
                graph.add(from, to, Reason::new());
            }
        }
        for link in &active.links {
            let (write, read) = (graph.numbers[&link.write], graph.numbers[&link.read]);
            graph.add(write, read, Reason::from([Atom::Holds(link.literal)]));
        }
        graph
    }

    fn add(&mut self, from: usize, to: usize, reason: Reason) -> bool {
        let is_chain = self.threads[from] == self.threads[to] && from < to;
        if is_chain || !self.known.insert((from, to)) {
            return false;
        }
        self.edges[from].push(Edge { to, reason });
        true
    }

    /// The node behind a node in its thread.
    fn next(&self, node: usize) -> Option<usize> {
        let next = node + 1;
        self.ranges[self.threads[node]]
            .contains(&next)
            .then_some(next)
    }

    /// Derives orders until there are no more. If there is a cycle, why.
    ///
    /// # Errors
    /// The reasons of cycles; none contains another one.
    pub fn saturate(&mut self) -> Result<(), Vec<Reason>> {
        loop {
            let Some(order) = self.order() else {
                return Err(self.cycles());
            };
            let derived = self.derive(&order);
            if derived.is_empty() {
                return Ok(());
            }
            for (from, to, reason) in derived {
                self.add(from, to, reason);
            }
        }
    }

    /// The order of the nodes, if there is no cycle.
    fn order(&self) -> Option<Order> {
        let sorted = self.sorted()?;
        let mut before = vec![vec![0; self.ranges.len()]; self.nodes.len()];
        for node in sorted {
            let mut clock = before[node].clone();
            let thread = self.threads[node];
            clock[thread] = (node - self.ranges[thread].start) as u32 + 1;
            let targets = self.edges[node].iter().map(|edge| edge.to);
            for to in targets.chain(self.next(node)) {
                for (known, &more) in before[to].iter_mut().zip(&clock) {
                    *known = (*known).max(more);
                }
            }
        }
        Some(Order { before })
    }

    /// The nodes in a topological order, if there is one.
    fn sorted(&self) -> Option<Vec<usize>> {
        let mut open = vec![0; self.nodes.len()];
        for node in 0..self.nodes.len() {
            let targets = self.edges[node].iter().map(|edge| edge.to);
            targets.chain(self.next(node)).for_each(|to| open[to] += 1);
        }
        let mut ready: VecDeque<usize> = (0..open.len()).filter(|&node| open[node] == 0).collect();
        let mut sorted = Vec::with_capacity(open.len());
        while let Some(node) = ready.pop_front() {
            sorted.push(node);
            let targets = self.edges[node].iter().map(|edge| edge.to);
            for to in targets.chain(self.next(node)) {
                open[to] -= 1;
                if open[to] == 0 {
                    ready.push_back(to);
                }
            }
        }
        (sorted.len() == open.len()).then_some(sorted)
    }

    fn is_before(&self, order: &Order, first: usize, then: usize) -> bool {
        let thread = self.threads[first];
        let number = (first - self.ranges[thread].start) as u32;
        first != then && number < order.before[then][thread]
    }

    /// The orders that follow by rules 2 and 3 and are not there.
    fn derive(&self, order: &Order) -> Vec<(usize, usize, Reason)> {
        let mut derived = Vec::new();
        for link in &self.active.links {
            let (write, read) = (self.numbers[&link.write], self.numbers[&link.read]);
            for &(event, literal) in &self.active.writes[&link.variable] {
                let other = self.numbers[&event];
                if other == write || other == read {
                    continue;
                }
                if self.is_before(order, other, read) && !self.is_before(order, other, write) {
                    let reason = self.because(link.literal, literal, other, read);
                    derived.push((other, write, reason));
                }
                if self.is_before(order, write, other) && !self.is_before(order, read, other) {
                    let reason = self.because(link.literal, literal, write, other);
                    derived.push((read, other, reason));
                }
            }
        }
        derived
    }

    /// A link, a write, and an order.
    fn because(&self, link: Term, write: Term, from: usize, to: usize) -> Reason {
        let mut reason = self.path(from, to).unwrap_or_default();
        reason.insert(Atom::Holds(link));
        reason.insert(Atom::Holds(write));
        reason
    }

    /// Why a node is before another one: the reasons of a path with few edges.
    fn path(&self, from: usize, to: usize) -> Option<Reason> {
        let mut came: Vec<Option<(usize, Option<usize>)>> = vec![None; self.nodes.len()];
        let mut open = VecDeque::from([from]);
        while let Some(node) = open.pop_front() {
            // The order of a thread costs nothing, so it is followed first.
            if let Some(next) = self.next(node)
                && came[next].is_none()
            {
                came[next] = Some((node, None));
                if next == to {
                    break;
                }
                open.push_front(next);
            }
            for (position, edge) in self.edges[node].iter().enumerate() {
                if came[edge.to].is_none() {
                    came[edge.to] = Some((node, Some(position)));
                    open.push_back(edge.to);
                }
            }
            if came[to].is_some() {
                break;
            }
        }
        let mut reason = Reason::new();
        let mut node = to;
        loop {
            let (before, position) = came[node]?;
            if let Some(position) = position {
                reason.extend(&self.edges[before][position].reason);
            }
            node = before;
            if node == from {
                return Some(reason);
            }
        }
    }

    /// The reasons of cycles through edges; none contains another one.
    fn cycles(&self) -> Vec<Reason> {
        let mut found: Vec<Reason> = Vec::new();
        for from in 0..self.nodes.len() {
            for edge in &self.edges[from] {
                if let Some(back) = self.path(edge.to, from) {
                    let mut reason = back;
                    reason.extend(&edge.reason);
                    found.push(reason);
                }
            }
        }
        found.sort_by_key(BTreeSet::len);
        let mut kept: Vec<Reason> = Vec::new();
        for reason in found {
            if kept.len() == CYCLES {
                break;
            }
            if !kept.iter().any(|smaller| smaller.is_subset(&reason)) {
                kept.push(reason);
            }
        }
        kept
    }

    /// An order of all events in which each read reads from the last write before, if there is one. Where the rules do not decide, one of
    /// two orders is tried and then the other, so this is complete (section 4.3).
    ///
    /// # Errors
    /// The reasons why there is none.
    pub fn linearise(&mut self) -> Result<Vec<EventId>, Vec<Reason>> {
        self.saturate()?;
        if let Some(order) = self.greedy() {
            return Ok(order);
        }
        let Some((link, other, literal)) = self.undecided() else {
            let sorted = self.sorted().unwrap_or_default();
            return Ok(sorted.into_iter().map(|node| self.nodes[node]).collect());
        };
        let assumed = self.assumed;
        let (write, read) = (self.numbers[&link.write], self.numbers[&link.read]);
        let mut both = Reason::from([Atom::Holds(link.literal), Atom::Holds(literal)]);
        for (from, to) in [(other, write), (read, other)] {
            let mut tried = self.clone();
            tried.assumed = assumed + 1;
            tried.add(from, to, Reason::from([Atom::Assumed(assumed)]));
            match tried.linearise() {
                Ok(order) => return Ok(order),
                Err(reasons) => {
                    let assumption = Atom::Assumed(assumed);
                    let independent = reasons
                        .iter()
                        .filter(|reason| !reason.contains(&assumption));
                    let independent: Vec<Reason> = independent.cloned().collect();
                    if !independent.is_empty() {
                        return Err(independent);
                    }
                    let smallest = reasons.into_iter().min_by_key(BTreeSet::len);
                    both.extend(
                        smallest
                            .into_iter()
                            .flatten()
                            .filter(|&atom| atom != assumption),
                    );
                }
            }
        }
        Err(vec![both])
    }

    /// A link and a write of its variable that is neither certainly before the link nor certainly behind it.
    fn undecided(&self) -> Option<(super::graph::ActiveLink, usize, Term)> {
        let order = self.order()?;
        self.active.links.iter().find_map(|link| {
            let (write, read) = (self.numbers[&link.write], self.numbers[&link.read]);
            let others = self.active.writes[&link.variable].iter();
            others
                .map(|&(event, literal)| (self.numbers[&event], literal))
                .find(|&(other, _)| {
                    other != write
                        && other != read
                        && !self.is_before(&order, other, write)
                        && !self.is_before(&order, read, other)
                })
                .map(|(other, literal)| (*link, other, literal))
        })
    }

    /// An order that is found by taking what may come next: no write between a write and what reads from it.
    fn greedy(&self) -> Option<Vec<EventId>> {
        let mut open = vec![0; self.nodes.len()];
        for node in 0..self.nodes.len() {
            let targets = self.edges[node].iter().map(|edge| edge.to);
            targets.chain(self.next(node)).for_each(|to| open[to] += 1);
        }
        let mut writes: Vec<Vec<Variable>> = vec![Vec::new(); self.nodes.len()];
        for (&variable, all) in &self.active.writes {
            for (event, _) in all {
                writes[self.numbers[event]].push(variable);
            }
        }
        let mut reads: Vec<Vec<(Variable, usize)>> = vec![Vec::new(); self.nodes.len()];
        let mut read_by: Vec<Vec<(Variable, usize)>> = vec![Vec::new(); self.nodes.len()];
        for link in &self.active.links {
            let (write, read) = (self.numbers[&link.write], self.numbers[&link.read]);
            reads[read].push((link.variable, write));
            read_by[write].push((link.variable, read));
        }
        // Who still reads what was written last.
        let mut awaited: BTreeMap<Variable, BTreeSet<usize>> = BTreeMap::new();
        let mut ready: BTreeSet<usize> = (0..open.len()).filter(|&node| open[node] == 0).collect();
        let mut order = Vec::with_capacity(open.len());
        while !ready.is_empty() {
            let may = |node: usize| {
                writes[node].iter().all(|variable| {
                    let readers = awaited.get(variable).into_iter().flatten();
                    readers.copied().all(|reader| reader == node)
                })
            };
            let node = ready.iter().copied().find(|&node| may(node))?;
            ready.remove(&node);
            for (variable, _) in &reads[node] {
                if let Some(readers) = awaited.get_mut(variable) {
                    readers.remove(&node);
                }
            }
            for &variable in &writes[node] {
                let readers = read_by[node].iter().filter(|(read, _)| *read == variable);
                awaited.insert(variable, readers.map(|&(_, reader)| reader).collect());
            }
            order.push(self.nodes[node]);
            let targets = self.edges[node].iter().map(|edge| edge.to);
            for to in targets.chain(self.next(node)) {
                open[to] -= 1;
                if open[to] == 0 {
                    ready.insert(to);
                }
            }
        }
        (order.len() == self.nodes.len()).then_some(order)
    }
}
