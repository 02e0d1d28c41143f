//! Claims that events have no order: what a refinement of the scheduling constraint adds to a formula.
//!
//! An event order graph with a cycle says that some links and writes do not come together. That is checked here without graphs: by looking
//! for an order of the events that are concerned, step by step, as the threads could take them. If a run had all of the links and writes,
//! its events would come in such an order.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use system::term::Term;

use crate::error::CertifyError;

/// The events that claims are about, in an order that keeps the order of each thread.
#[derive(Clone, Debug, Default)]
pub struct EventOrder {
    /// The thread of each event; the first event, which writes initial values, has none.
    pub threads: Vec<Option<u32>>,
    /// The event that creates a thread, if only one may. All that the thread does is behind it.
    pub creations: BTreeMap<u32, usize>,
    /// Where a read reads from, if the literal holds.
    pub links: Vec<OrderedLink>,
    /// Where a variable is written, if the literal holds.
    pub writes: Vec<OrderedWrite>,
    /// Orders of two events, if the literal holds.
    pub orders: Vec<OrderedPair>,
}

/// An event that is before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedPair {
    /// Boolean.
    pub literal: Term,
    /// The event that comes first.
    pub first: usize,
    /// The event that comes then.
    pub then: usize,
}

/// A read that reads from the last write of a variable before it. The literal implies that of the write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedLink {
    /// Boolean.
    pub literal: Term,
    /// The variable, by a number.
    pub variable: u32,
    /// The event that writes.
    pub write: usize,
    /// The event that reads.
    pub read: usize,
}

/// A write of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedWrite {
    /// Boolean.
    pub literal: Term,
    /// The variable, by a number.
    pub variable: u32,
    /// The event.
    pub event: usize,
}

/// So many states of a search are looked at.
const STATES: usize = 1 << 20;

impl EventOrder {
    /// Checks that some literals do not hold together.
    ///
    /// # Errors
    /// [`CertifyError::Refuted`] if there is an order of events in which they do, [`CertifyError::Unknown`] if the search is too long.
    pub fn check(&self, literals: &[Term]) -> Result<(), CertifyError> {
        self.check_within(literals, STATES)
    }

    fn check_within(&self, literals: &[Term], states: usize) -> Result<(), CertifyError> {
        let holds = |literal: &Term| literals.contains(literal);
        let links = self.links.iter().filter(|link| holds(&link.literal));
        let links: Vec<OrderedLink> = links.copied().collect();
        let is_source = |write: &OrderedWrite| {
            let mut links = links.iter();
            links.any(|link| link.write == write.event && link.variable == write.variable)
        };
        let sources = self.writes.iter().filter(|write| is_source(write));
        let implied: BTreeSet<Term> = sources.map(|write| write.literal).collect();
        let writes = self.writes.iter();
        let writes: BTreeSet<(usize, u32)> = writes
            .filter(|write| holds(&write.literal) || implied.contains(&write.literal))
            .map(|write| (write.event, write.variable))
            .collect();
        let mut events: BTreeSet<usize> = writes.iter().map(|&(event, _)| event).collect();
        events.extend(links.iter().flat_map(|link| [link.write, link.read]));
        let orders = self.orders.iter().filter(|order| holds(&order.literal));
        let orders: Vec<OrderedPair> = orders.copied().collect();
        events.extend(orders.iter().flat_map(|order| [order.first, order.then]));
        self.add_creations(&mut events);
        let mut search = Search {
            links: &links,
            writes: &writes,
            orders: &orders,
            chains: self.chains(&events),
            creations: &self.creations,
            met: HashSet::new(),
            states,
        };
        let start = State {
            done: vec![0; search.chains.len()],
            last: BTreeMap::new(),
        };
        let obligation = || "a cycle of events".to_owned();
        match search.completes(start) {
            Some(false) => Ok(()),
            Some(true) => Err(CertifyError::Refuted {
                obligation: obligation(),
            }),
            None => Err(CertifyError::Unknown {
                obligation: obligation(),
            }),
        }
    }

    /// Creations of the threads of some events, of the threads that create these, and so on.
    fn add_creations(&self, events: &mut BTreeSet<usize>) {
        let mut open: Vec<usize> = events.iter().copied().collect();
        while let Some(event) = open.pop() {
            let creation = self.threads[event].and_then(|thread| self.creations.get(&thread));
            open.extend(
                creation
                    .copied()
                    .filter(|&creation| events.insert(creation)),
            );
        }
    }

    /// Some events by their threads.
    fn chains(&self, events: &BTreeSet<usize>) -> Vec<(Option<u32>, Vec<usize>)> {
        let mut chains: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
        for &event in events {
            chains.entry(self.threads[event]).or_default().push(event);
        }
        chains.into_iter().collect()
    }
}

/// How far each thread is, and which event wrote each variable last.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    done: Vec<usize>,
    last: BTreeMap<u32, usize>,
}

struct Search<'a> {
    links: &'a [OrderedLink],
    writes: &'a BTreeSet<(usize, u32)>,
    orders: &'a [OrderedPair],
    chains: Vec<(Option<u32>, Vec<usize>)>,
    creations: &'a BTreeMap<u32, usize>,
    met: HashSet<State>,
    states: usize,
}

impl Search<'_> {
    /// Whether all events can come one after the other; `None` if that takes too long to find out.
    fn completes(&mut self, start: State) -> Option<bool> {
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            if self.met.len() > self.states {
                return None;
            }
            let is_complete = |(&done, (_, chain)): (&usize, &(_, Vec<usize>))| done == chain.len();
            if state.done.iter().zip(&self.chains).all(is_complete) {
                return Some(true);
            }
            for number in 0..self.chains.len() {
                if let Some(next) = self.step(&state, number)
                    && self.met.insert(next.clone())
                {
                    open.push(next);
                }
            }
        }
        Some(false)
    }

    /// Lets a thread do its next event, if it reads what it is said to read.
    fn step(&self, state: &State, number: usize) -> Option<State> {
        let (thread, chain) = &self.chains[number];
        let &event = chain.get(state.done[number])?;
        // The initial values come first.
        let starts =
            |position: usize| self.chains[position].0.is_none() && state.done[position] == 0;
        if thread.is_some() && (0..self.chains.len()).any(starts) {
            return None;
        }
        let creation = thread.and_then(|thread| self.creations.get(&thread));
        if creation.is_some_and(|&creation| !self.has_happened(state, creation)) {
            return None;
        }
        let mut orders = self.orders.iter().filter(|order| order.then == event);
        if orders.any(|order| !self.has_happened(state, order.first)) {
            return None;
        }
        let mut reads = self.links.iter().filter(|link| link.read == event);
        if reads.any(|link| state.last.get(&link.variable) != Some(&link.write)) {
            return None;
        }
        let mut next = state.clone();
        next.done[number] += 1;
        for &(_, variable) in self.writes.range((event, 0)..=(event, u32::MAX)) {
            next.last.insert(variable, event);
        }
        Some(next)
    }

    fn has_happened(&self, state: &State, event: usize) -> bool {
        let mut chains = self.chains.iter().zip(&state.done);
        chains.any(|((_, chain), &done)| chain[..done].contains(&event))
    }
}

#[cfg(test)]
mod tests {
    use system::term::{Sort, Terms};

    use super::*;

    /// Events: 0 the first one; 1 and 2 of thread 0, which writes x and reads y; 3 and 4 of thread 1, which writes y and reads x. The
    /// literals say that y is read as 0 or 1, that x is, and that the threads write.
    fn store_buffering(terms: &mut Terms) -> (EventOrder, [Term; 5]) {
        let names = ["y is 0", "y is 1", "x is 0", "x is 1", "they write"];
        let literals = names.map(|name| terms.symbol(name, Sort::Bool));
        let always = terms.bool(true);
        let (x, y) = (0, 1);
        let link = |literal, variable, write, read| OrderedLink {
            literal,
            variable,
            write,
            read,
        };
        let write = |literal, variable, event| OrderedWrite {
            literal,
            variable,
            event,
        };
        let [y_0, y_1, x_0, x_1, written] = literals;
        let order = EventOrder {
            threads: vec![None, Some(0), Some(0), Some(1), Some(1)],
            creations: BTreeMap::new(),
            links: vec![
                link(y_0, y, 0, 2),
                link(y_1, y, 3, 2),
                link(x_0, x, 0, 4),
                link(x_1, x, 1, 4),
            ],
            writes: vec![
                write(always, x, 0),
                write(always, y, 0),
                write(written, x, 1),
                write(written, y, 3),
            ],
            orders: Vec::new(),
        };
        (order, literals)
    }

    #[test]
    fn a_cycle_is_certified_and_nothing_else() {
        let mut terms = Terms::new();
        let (order, [y_0, y_1, x_0, x_1, written]) = store_buffering(&mut terms);
        assert!(order.check(&[y_0, x_0, written]).is_ok());
        for possible in [[y_0, x_1], [y_1, x_0], [y_1, x_1]] {
            let literals = [possible[0], possible[1], written];
            assert!(order.check(&literals).is_err(), "{possible:?}");
        }
        // Without the writes, nothing is between the first values and the reads.
        assert!(order.check(&[y_0, x_0]).is_err());
    }

    #[test]
    fn a_thread_is_behind_its_creation() {
        let mut terms = Terms::new();
        let (mut order, [.., x_1, _]) = store_buffering(&mut terms);
        assert!(order.check(&[x_1]).is_err());
        // Thread 0 begins when thread 1 has read.
        order.creations.insert(0, 4);
        assert!(order.check(&[x_1]).is_ok());
    }

    #[test]
    fn an_event_that_writes_what_it_reads_lets_no_other_between() {
        let mut terms = Terms::new();
        let [first, second] = ["first", "second"].map(|name| terms.symbol(name, Sort::Bool));
        let link = |literal, read| OrderedLink {
            literal,
            variable: 0,
            write: 0,
            read,
        };
        let always = terms.bool(true);
        let write = |event| OrderedWrite {
            literal: always,
            variable: 0,
            event,
        };
        let order = EventOrder {
            threads: vec![None, Some(0), Some(1)],
            creations: BTreeMap::new(),
            links: vec![link(first, 1), link(second, 2)],
            writes: vec![write(0), write(1), write(2)],
            orders: Vec::new(),
        };
        assert!(order.check(&[first, second, always]).is_ok());
        assert!(order.check(&[first, always]).is_err());
    }

    #[test]
    fn orders_that_a_model_has_chosen_have_no_cycle() {
        let mut terms = Terms::new();
        let (mut order, [y_0, ..]) = store_buffering(&mut terms);
        let [forth, back] = ["forth", "back"].map(|name| terms.symbol(name, Sort::Bool));
        let pair = |literal, first, then| OrderedPair {
            literal,
            first,
            then,
        };
        order.orders = vec![pair(forth, 2, 3), pair(back, 4, 1)];
        assert!(order.check(&[forth, y_0]).is_err());
        assert!(order.check(&[back, y_0]).is_err());
        assert!(order.check(&[forth, back]).is_ok());
    }

    /// An event that writes one variable need not write another one.
    #[test]
    fn a_source_of_a_link_writes_that_variable_alone() {
        let mut terms = Terms::new();
        let [reads_x, reads_y, writes_x, writes_y] = ["reads x", "reads y", "writes x", "writes y"]
            .map(|name| terms.symbol(name, Sort::Bool));
        let (x, y) = (0, 1);
        let link = |literal, variable, write, read| OrderedLink {
            literal,
            variable,
            write,
            read,
        };
        let write = |literal, variable, event| OrderedWrite {
            literal,
            variable,
            event,
        };
        let always = terms.bool(true);
        let order = EventOrder {
            threads: vec![None, Some(0), Some(1)],
            creations: BTreeMap::new(),
            links: vec![link(reads_x, x, 1, 2), link(reads_y, y, 0, 2)],
            writes: vec![
                write(always, x, 0),
                write(always, y, 0),
                write(writes_x, x, 1),
                write(writes_y, y, 1),
            ],
            orders: Vec::new(),
        };
        assert!(order.check(&[reads_x, reads_y, writes_y]).is_ok());
        assert!(order.check(&[reads_x, reads_y]).is_err());
    }

    /// A creation that no claim speaks of does not keep the thread from running.
    #[test]
    fn creations_are_among_the_events() {
        let mut terms = Terms::new();
        let (mut order, [y_0, ..]) = store_buffering(&mut terms);
        order.threads.extend([Some(2), Some(2)]);
        order.creations.insert(0, 5);
        order.creations.insert(2, 4);
        assert!(order.check(&[y_0]).is_err());
    }

    /// What takes too long to find out is not accepted.
    #[test]
    fn a_search_that_is_too_long_certifies_nothing() {
        let mut terms = Terms::new();
        let literal = terms.symbol("all write", Sort::Bool);
        let back = terms.symbol("back", Sort::Bool);
        // Ten threads in any order, and two that are in none.
        let threads = 12;
        let order = EventOrder {
            threads: (0..threads).map(Some).collect(),
            creations: BTreeMap::new(),
            links: Vec::new(),
            writes: (0..threads)
                .map(|event| OrderedWrite {
                    literal,
                    variable: event,
                    event: event as usize,
                })
                .collect(),
            orders: vec![
                OrderedPair {
                    literal: back,
                    first: 10,
                    then: 11,
                },
                OrderedPair {
                    literal: back,
                    first: 11,
                    then: 10,
                },
            ],
        };
        let checked = order.check_within(&[literal, back], 100);
        assert!(matches!(checked, Err(CertifyError::Unknown { .. })));
        assert!(order.check_within(&[literal, back], 2000).is_ok());
    }
}
