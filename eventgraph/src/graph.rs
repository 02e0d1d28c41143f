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

use crate::abstraction::ChosenOrder;
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
    /// Orders that the model has chosen.
    pub orders: Vec<ChosenOrder>,
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
        for order in &active.orders {
            let (first, then) = (graph.numbers[&order.first], graph.numbers[&order.then]);
            graph.add(first, then, Reason::from([Atom::Holds(order.literal)]));
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
    fn undecided(&self) -> Option<(ActiveLink, usize, Term)> {
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

#[cfg(test)]
mod tests {
    use certify::event_order::{OrderedLink, OrderedWrite};
    use cranelift_entity::PrimaryMap;
    use system::term::{Sort, Terms};

    use super::*;
    use crate::event::{Event, UnwoundThread};

    const VARIABLES: [Variable; 8] = [
        Variable::Started(InstanceId(0)),
        Variable::Started(InstanceId(1)),
        Variable::Started(InstanceId(2)),
        Variable::Started(InstanceId(3)),
        Variable::Started(InstanceId(4)),
        Variable::Started(InstanceId(5)),
        Variable::Started(InstanceId(6)),
        Variable::Started(InstanceId(7)),
    ];

    /// Threads that have so many events each, behind the first one; nothing is read or written.
    fn threads(terms: &mut Terms, lengths: &[u32]) -> Unwinding {
        let guard = terms.bool(true);
        let event = |instance, number| Event {
            instance,
            number,
            guard,
            conditions: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
        };
        let mut events = PrimaryMap::new();
        events.push(event(None, 0));
        let mut threads = BTreeMap::new();
        for (instance, &length) in (0..).map(InstanceId).zip(lengths) {
            let own = (0..length).map(|number| events.push(event(Some(instance), number)));
            let thread = UnwoundThread {
                events: own.collect(),
                visits: BTreeMap::new(),
                inputs: encode::semantics::inputs::Inputs::default(),
            };
            threads.insert(instance, thread);
        }
        Unwinding {
            events,
            threads,
            ends: Vec::new(),
            waits: BTreeMap::new(),
            narrowed: BTreeMap::new(),
            evident_widths: BTreeMap::new(),
            creations: BTreeMap::new(),
            first: BTreeMap::new(),
        }
    }

    /// What happens, by the numbers of events and variables.
    struct Model {
        active: ActiveEvents,
        terms: Terms,
    }

    impl Model {
        fn new(unwinding: &Unwinding) -> Self {
            let mut active = ActiveEvents::default();
            active.events.extend(unwinding.events.keys());
            Self {
                active,
                terms: Terms::new(),
            }
        }

        fn literal(&mut self, name: &str) -> Term {
            self.terms.symbol(name, Sort::Bool)
        }

        fn write(&mut self, event: u32, variable: usize) -> Term {
            let literal = self.literal("write");
            let writes = self.active.writes.entry(VARIABLES[variable]).or_default();
            writes.push((EventId::from_u32(event), literal));
            literal
        }

        fn link(&mut self, write: u32, read: u32, variable: usize) -> Term {
            let literal = self.literal("link");
            self.active.links.push(ActiveLink {
                variable: VARIABLES[variable],
                write: EventId::from_u32(write),
                read: EventId::from_u32(read),
                literal,
            });
            literal
        }
    }

    fn reason(literals: &[Term]) -> Reason {
        literals.iter().copied().map(Atom::Holds).collect()
    }

    /// Thread 0 writes x (event 1) and reads y (2), thread 1 writes y (3) and reads x (4).
    #[test]
    fn both_reads_of_store_buffering_are_not_from_the_first_values() {
        let unwinding = threads(&mut Terms::new(), &[2, 2]);
        let mut model = Model::new(&unwinding);
        model.write(0, 0);
        model.write(0, 1);
        let (x, y) = (model.write(1, 0), model.write(3, 1));
        let reads_y = model.link(0, 2, 1);
        let reads_x = model.link(0, 4, 0);
        let reasons = EventOrderGraph::new(&unwinding, &model.active).linearise();
        assert_eq!(reasons, Err(vec![reason(&[x, y, reads_x, reads_y])]));
        model.active.links.pop();
        model.link(1, 4, 0);
        let order = EventOrderGraph::new(&unwinding, &model.active).linearise();
        let order = order.expect("the second thread comes later");
        let place = |number| order.iter().position(|event| event.as_u32() == number);
        assert!(place(2) < place(3) && place(1) < place(4));
    }

    /// Two events that write what they read do not read from the same write.
    #[test]
    fn an_update_is_not_torn_apart() {
        let unwinding = threads(&mut Terms::new(), &[1, 1]);
        let mut model = Model::new(&unwinding);
        for event in 0..3 {
            model.write(event, 0);
        }
        model.link(0, 1, 0);
        let both = model.link(0, 2, 0);
        assert!(
            EventOrderGraph::new(&unwinding, &model.active)
                .linearise()
                .is_err()
        );
        model.active.links.retain(|link| link.literal != both);
        model.link(1, 2, 0);
        let order = EventOrderGraph::new(&unwinding, &model.active).linearise();
        assert_eq!(order, Ok([0, 1, 2].map(EventId::from_u32).to_vec()));
    }

    /// No rule derives an order here, and yet there is none. Events 1 and 2 write x, 5 and 6 read it, each from another one; so do 3 and 4
    /// with y, and 7 and 8. All writes of x are before all reads of y, and all writes of y before all reads of x. Whichever write comes
    /// first, its read comes before the other write, and so before the reads of the other variable, of which one is before a write.
    #[test]
    fn where_the_rules_do_not_decide_both_orders_are_tried() {
        let unwinding = threads(&mut Terms::new(), &[1; 8]);
        let mut model = Model::new(&unwinding);
        for (writes, reads, variable, others) in
            [([1, 2], [5, 6], 0, [7, 8]), ([3, 4], [7, 8], 1, [5, 6])]
        {
            for (&write, read) in writes.iter().zip(reads) {
                model.write(write, variable);
                model.link(write, read, variable);
                let own = 1 + write as usize;
                model.write(write, own);
                for other in others {
                    model.link(write, other, own);
                }
            }
        }
        let mut graph = EventOrderGraph::new(&unwinding, &model.active);
        let reasons = graph.linearise().expect_err("there is no order");
        assert!(graph.saturate().is_ok());
        for reason in reasons {
            assert!(
                event_order(&unwinding, &model.active)
                    .check(&literals(&reason))
                    .is_ok()
            );
        }
        // With one order less there is one.
        let link = model.active.links.pop();
        assert_eq!(link.map(|link| link.variable), Some(VARIABLES[5]));
        let order = EventOrderGraph::new(&unwinding, &model.active).linearise();
        assert_is_order(
            &unwinding,
            &model.active,
            &order.expect("event 4 is before 6 only by y"),
        );
    }

    /// Event 10 reads x from 9, and 11 writes it, which nobody reads. If 11 came before 9, 4 and 2 would, too, and so before 1 and 3, which
    /// are before 2 and 4. If it came behind 10, 5 and 7 would, too, and so behind 8 and 6, which are behind 7 and 5.
    #[test]
    fn a_write_that_is_tried_is_a_reason() {
        let unwinding = threads(&mut Terms::new(), &[2, 2, 2, 2, 1, 1, 1]);
        let mut model = Model::new(&unwinding);
        model.write(9, 0);
        model.link(9, 10, 0);
        let tried = model.write(11, 0);
        for (variable, write, other) in [(1, 1, 4), (2, 3, 2)] {
            model.write(write, variable);
            model.write(other, variable);
            model.link(write, 9, variable);
        }
        for (variable, other, read) in [(3, 5, 8), (4, 7, 6)] {
            model.write(10, variable);
            model.write(other, variable);
            model.link(10, read, variable);
        }
        for (variable, write, read) in [(5, 2, 11), (6, 4, 11), (7, 11, 5), (7, 11, 7)] {
            if !model.active.writes.contains_key(&VARIABLES[variable]) {
                model.write(write, variable);
            }
            model.link(write, read, variable);
        }
        let mut graph = EventOrderGraph::new(&unwinding, &model.active);
        let reasons = graph.linearise().expect_err("there is no order");
        assert!(graph.saturate().is_ok());
        for reason in reasons {
            let literals = literals(&reason);
            assert!(literals.contains(&tried));
            assert!(
                event_order(&unwinding, &model.active)
                    .check(&literals)
                    .is_ok()
            );
        }
        model
            .active
            .writes
            .values_mut()
            .for_each(|all| all.retain(|&(_, literal)| literal != tried));
        let order = EventOrderGraph::new(&unwinding, &model.active).linearise();
        assert_is_order(
            &unwinding,
            &model.active,
            &order.expect("nothing is between 9 and 10"),
        );
    }

    /// The literals of a reason that assumes nothing.
    fn literals(reason: &Reason) -> Vec<Term> {
        let literals = reason.iter().map(|atom| match atom {
            Atom::Holds(literal) => *literal,
            Atom::Assumed(number) => panic!("{number} was only tried"),
        });
        literals.collect()
    }

    /// A random model: up to four threads with up to four events each, of which some write, and some read from others.
    fn random(seed: u64) -> (Unwinding, Model) {
        let mut random = fastrand::Rng::with_seed(seed);
        let lengths: Vec<u32> = (0..random.usize(2..5)).map(|_| random.u32(1..5)).collect();
        let unwinding = threads(&mut Terms::new(), &lengths);
        let mut model = Model::new(&unwinding);
        let all = unwinding.events.len() as u32;
        let mut writers: Vec<(u32, usize)> = Vec::new();
        for variable in 0..random.usize(1..4) {
            writers.push((0, variable));
            writers.extend(
                (1..all)
                    .filter(|_| random.u8(..3) == 0)
                    .map(|event| (event, variable)),
            );
        }
        for &(event, variable) in &writers {
            model.write(event, variable);
        }
        for read in 1..all {
            let (write, variable) = writers[random.usize(..writers.len())];
            if write != read && random.bool() {
                model.link(write, read, variable);
            }
        }
        (unwinding, model)
    }

    /// What the separate check of orders needs to know of a model.
    fn event_order(unwinding: &Unwinding, active: &ActiveEvents) -> certify::EventOrder {
        let number = |variable| VARIABLES.iter().position(|&other| other == variable);
        let number = |variable| number(variable).expect("one of these") as u32;
        let position = |event: EventId| event.as_u32() as usize;
        let links = active.links.iter().map(|link| OrderedLink {
            literal: link.literal,
            variable: number(link.variable),
            write: position(link.write),
            read: position(link.read),
        });
        let writes = active.writes.iter().flat_map(|(&variable, events)| {
            events.iter().map(move |&(event, literal)| OrderedWrite {
                literal,
                variable: number(variable),
                event: position(event),
            })
        });
        let threads = unwinding.events.values();
        certify::EventOrder {
            threads: threads
                .map(|event| event.instance.map(|thread| thread.0))
                .collect(),
            creations: BTreeMap::new(),
            links: links.collect(),
            writes: writes.collect(),
            orders: Vec::new(),
        }
    }

    /// Each read reads from the last write before, and the events of a thread are in its order.
    fn assert_is_order(unwinding: &Unwinding, active: &ActiveEvents, order: &[EventId]) {
        let place = |event: EventId| order.iter().position(|&other| other == event);
        for thread in unwinding.threads.values() {
            assert!(thread.events.is_sorted_by_key(|&event| place(event)));
        }
        for link in &active.links {
            let writes = active.writes[&link.variable].iter();
            let before = writes.filter(|(event, _)| place(*event) < place(link.read));
            let last = before.max_by_key(|(event, _)| place(*event));
            assert_eq!(last.map(|&(event, _)| event), Some(link.write));
        }
    }

    #[test]
    fn random_models_have_an_order_or_reasons_that_are_right() {
        let (mut orders, mut cycles) = (0, 0);
        for seed in 0..4000 {
            let (unwinding, model) = random(seed);
            let active = &model.active;
            match EventOrderGraph::new(&unwinding, active).linearise() {
                Ok(order) => {
                    assert_is_order(&unwinding, active, &order);
                    orders += 1;
                }
                Err(reasons) => {
                    cycles += 1;
                    let checked = event_order(&unwinding, active);
                    for reason in reasons {
                        let literals = literals(&reason);
                        assert!(
                            checked.check(&literals).is_ok(),
                            "seed {seed}: {literals:?}"
                        );
                    }
                }
            }
        }
        assert!(
            orders > 500 && cycles > 500,
            "{orders} orders, {cycles} cycles"
        );
    }
}
