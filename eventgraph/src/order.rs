//! The scheduling constraint: that the events happen one after the other, and that a read reads from the last write before.
//!
//! Each thread is a chain, so the order of two threads is a staircase: whether an event is before another one says the same of all earlier
//! events of its thread and all later ones of the other's. That needs two clauses for each pair of events. Cycles among three threads are
//! excluded by two clauses for each triple of events, or by a clock for each event, or not here.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use system::term::{Sort, Term, Terms};

use crate::abstraction::Link;
use crate::candidates::WriteId;
use crate::engine::Scheduling;
use crate::event::{EventId, Unwinding};

/// How much a formula may say of the order of events.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrderSize {
    /// With more literals than these, nothing is said.
    pub literals: usize,
    /// With more triples than these, nothing is said of triples.
    pub triples: usize,
    /// Whether events have clocks.
    pub clocks: bool,
}

impl OrderSize {
    /// How much is said.
    pub fn of(scheduling: Scheduling) -> Self {
        let pairs = Self {
            literals: 1 << 20,
            ..Self::default()
        };
        match scheduling {
            Scheduling::Refined => Self::default(),
            Scheduling::Pairs => pairs,
            Scheduling::Encoded | Scheduling::Blocks => Self {
                triples: 100_000,
                ..pairs
            },
            Scheduling::Clocks => Self {
                clocks: true,
                ..pairs
            },
        }
    }
}

/// The literals that say which events are before which.
pub struct OrderEncoding<'a> {
    unwinding: &'a Unwinding,
    /// The events of each thread that are ordered.
    chains: Vec<Vec<EventId>>,
    /// The chain of an event, and its place there.
    places: FxHashMap<EventId, (usize, usize)>,
    /// Whether an event is before one of a later chain.
    literals: FxHashMap<(EventId, EventId), Term>,
}

/// How many literals say how all events are ordered.
pub fn literals(unwinding: &Unwinding) -> usize {
    let lengths = unwinding.threads.values().map(|thread| thread.events.len());
    pairs(lengths)
}

/// How many pairs of events are in different threads, by how many events threads have.
fn pairs(lengths: impl Iterator<Item = usize> + Clone) -> usize {
    let all: usize = lengths.clone().sum();
    let within: usize = lengths.map(|length| length * length).sum();
    (all * all - within) / 2
}

impl<'a> OrderEncoding<'a> {
    /// Orders some events, with at most so many literals.
    pub fn new(
        unwinding: &'a Unwinding,
        events: impl IntoIterator<Item = EventId>,
        (terms, limit): (&mut Terms, usize),
        constraints: &mut Vec<Term>,
    ) -> Option<Self> {
        let mut chains: BTreeMap<_, Vec<EventId>> = BTreeMap::new();
        for event in events {
            if let Some(instance) = unwinding.events[event].instance {
                chains.entry(instance).or_default().push(event);
            }
        }
        for (instance, chain) in &mut chains {
            chain.extend(unwinding.threads[instance].events.first());
            chain.sort_unstable();
            chain.dedup();
        }
        let mut order = Self {
            unwinding,
            chains: chains.into_values().collect(),
            places: FxHashMap::default(),
            literals: FxHashMap::default(),
        };
        if pairs(order.chains.iter().map(Vec::len)) > limit {
            return None;
        }
        for (number, chain) in order.chains.iter().enumerate() {
            for (place, &event) in chain.iter().enumerate() {
                order.places.insert(event, (number, place));
            }
        }
        order.stairs(terms, constraints);
        order.creations(terms, constraints);
        Some(order)
    }

    /// The events of different chains, those of the earlier chain first.
    fn pairs(&self) -> impl Iterator<Item = (EventId, EventId)> {
        let chains = self.chains.iter().enumerate();
        chains.flat_map(|(number, chain)| {
            let later = self.chains[number + 1..].iter().flatten();
            later.flat_map(move |&then| chain.iter().map(move |&first| (first, then)))
        })
    }

    fn stairs(&mut self, terms: &mut Terms, constraints: &mut Vec<Term>) {
        for first in 0..self.chains.len() {
            for second in first + 1..self.chains.len() {
                for &a in &self.chains[first] {
                    for &b in &self.chains[second] {
                        let literal = terms.symbol(format!("{a}.before.{b}"), Sort::Bool);
                        self.literals.insert((a, b), literal);
                    }
                }
                for (i, &a) in self.chains[first].iter().enumerate() {
                    for (j, &b) in self.chains[second].iter().enumerate() {
                        let here = self.literals[&(a, b)];
                        if i > 0 {
                            let earlier = self.literals[&(self.chains[first][i - 1], b)];
                            constraints.push(terms.implies(here, earlier));
                        }
                        if j > 0 {
                            let earlier = self.literals[&(a, self.chains[second][j - 1])];
                            constraints.push(terms.implies(earlier, here));
                        }
                    }
                }
            }
        }
    }

    /// What the creator of a thread does until it creates it is before all that the thread does.
    fn creations(&self, terms: &mut Terms, constraints: &mut Vec<Term>) {
        for (thread, &creation) in &self.unwinding.creations {
            let start = self.unwinding.threads[thread].events[0];
            let creator = self.unwinding.events[creation].instance;
            let of_creator =
                |chain: &&Vec<EventId>| self.unwinding.events[chain[0]].instance == creator;
            let chain = self.chains.iter().find(of_creator);
            let until = |chain: &Vec<EventId>| {
                let mut events = chain.iter().rev();
                events.find(|&&event| event <= creation).copied()
            };
            if let (true, Some(last)) = (self.places.contains_key(&start), chain.and_then(until)) {
                constraints.push(self.before(terms, last, start));
            }
        }
    }

    /// Whether an event is one of those that are ordered.
    pub fn contains(&self, event: EventId) -> bool {
        self.places.contains_key(&event)
    }

    /// How many triples of events of three threads there are.
    pub fn triples(&self) -> usize {
        let (mut singles, mut pairs, mut triples) = (0usize, 0usize, 0usize);
        for length in self.chains.iter().map(Vec::len) {
            triples = triples.saturating_add(pairs.saturating_mul(length));
            pairs = pairs.saturating_add(singles.saturating_mul(length));
            singles += length;
        }
        triples
    }

    /// No three events of three threads are a cycle. Then there is no cycle at all: as any two are in order, and an event that is before
    /// another one is before all later ones of its thread, each has one of those in it.
    pub fn transitivity(&self, terms: &mut Terms, constraints: &mut Vec<Term>) {
        for (number, firsts) in self.chains.iter().enumerate() {
            let behind = &self.chains[number + 1..];
            for (number, seconds) in behind.iter().enumerate() {
                let thirds = || behind[number + 1..].iter().flatten();
                for (&a, &b) in firsts
                    .iter()
                    .flat_map(|a| seconds.iter().map(move |b| (a, b)))
                {
                    let ab = self.literals[&(a, b)];
                    for &c in thirds() {
                        let (bc, ac) = (self.literals[&(b, c)], self.literals[&(a, c)]);
                        let [not_ab, not_bc, not_ac] =
                            [ab, bc, ac].map(|literal| terms.not(literal));
                        constraints.push(terms.or_all([not_ab, not_bc, ac]));
                        constraints.push(terms.or_all([ab, bc, not_ac]));
                    }
                }
            }
        }
    }

    /// An event that is before another one has a smaller clock. So events of all threads have one order.
    pub fn clocks(&self, terms: &mut Terms, constraints: &mut Vec<Term>) {
        let events = self.chains.iter().map(Vec::len).sum::<usize>();
        let width = usize::BITS - events.leading_zeros();
        let sort = Sort::BitVec(width);
        let clocks: FxHashMap<EventId, Term> = self
            .chains
            .iter()
            .flatten()
            .map(|&event| (event, terms.symbol(format!("{event}.clock"), sort)))
            .collect();
        for chain in &self.chains {
            for pair in chain.windows(2) {
                constraints.push(terms.unsigned_less(clocks[&pair[0]], clocks[&pair[1]]));
            }
        }
        for (first, then) in self.pairs() {
            let literal = self.literals[&(first, then)];
            let negated = terms.not(literal);
            for (earlier, later, literal) in [(first, then, literal), (then, first, negated)] {
                let less = terms.unsigned_less(clocks[&earlier], clocks[&later]);
                constraints.push(terms.implies(literal, less));
            }
        }
    }

    /// Whether an event is before another one; Boolean.
    pub fn before(&self, terms: &mut Terms, first: EventId, then: EventId) -> Term {
        if first == EventId::FIRST || then == EventId::FIRST {
            return terms.bool(first == EventId::FIRST && then != first);
        }
        let (a, b) = (self.places[&first], self.places[&then]);
        if a.0 == b.0 {
            return terms.bool(a.1 < b.1);
        }
        match self.literals.get(&(first, then)) {
            Some(&literal) => literal,
            None => {
                let literal = self.literals[&(then, first)];
                terms.not(literal)
            }
        }
    }

    /// A read reads from the last write before.
    pub fn link(
        &self,
        terms: &mut Terms,
        link: &Link,
        writes: &[WriteId],
        constraints: &mut Vec<Term>,
    ) {
        let (write, read) = (link.write.event, link.read.event);
        let before = self.before(terms, write, read);
        constraints.push(terms.implies(link.literal, before));
        for &other in writes {
            if other.event == write || other.event == read {
                continue;
            }
            let earlier = self.before(terms, other.event, write);
            let later = self.before(terms, read, other.event);
            let elsewhere = terms.or(earlier, later);
            let both = terms.and(link.literal, self.unwinding.write(other).guard);
            constraints.push(terms.implies(both, elsewhere));
        }
    }
}
