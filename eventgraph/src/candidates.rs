//! Which write each read may read from, as far as that is known before any search.
//!
//! Some events are before others in every run in which both happen: those of one thread, a creation and what the created thread does, and a
//! write that is the only one that something can be read from. A write is no candidate if it is behind the read, if another write that
//! surely happens comes between, or if the read needs another value.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use cranelift_entity::SecondaryMap;
use encode::semantics::path::Variable;
use system::budget::Budget;
use system::term::{Term, Terms};

use crate::event::{Event, EventId, Unwinding, Write};
use crate::sums::{Sum, sums};

/// A write, by its event and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriteId {
    /// The event.
    pub event: EventId,
    /// The number among its writes.
    pub index: usize,
}

/// A read, by its event and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReadId {
    /// The event.
    pub event: EventId,
    /// The number among its reads.
    pub index: usize,
}

impl Unwinding {
    /// A write.
    pub fn write(&self, id: WriteId) -> &Write {
        &self.events[id.event].writes[id.index]
    }

    /// The writes of each variable.
    fn writes(&self) -> BTreeMap<Variable, Vec<WriteId>> {
        let mut writes: BTreeMap<Variable, Vec<WriteId>> = BTreeMap::new();
        for (event, content) in &self.events {
            for (index, write) in content.writes.iter().enumerate() {
                let all = writes.entry(write.variable).or_default();
                all.push(WriteId { event, index });
            }
        }
        writes
    }
}

/// Which events are certainly before which.
#[derive(Debug)]
pub struct MustHappenBefore {
    threads: BTreeMap<InstanceId, usize>,
    /// How many events of each thread are before an event.
    clocks: SecondaryMap<EventId, Vec<u32>>,
    /// Events that happen, and before, if the key does.
    needed: BTreeMap<EventId, Vec<EventId>>,
}

impl MustHappenBefore {
    fn new(unwinding: &Unwinding) -> Self {
        let threads = unwinding.threads.keys().zip(0..);
        let mut order = Self {
            threads: threads.map(|(&thread, number)| (thread, number)).collect(),
            clocks: SecondaryMap::new(),
            needed: BTreeMap::new(),
        };
        for event in unwinding.events.keys() {
            order.clocks[event] = vec![0; order.threads.len()];
        }
        for (&thread, &creation) in &unwinding.creations {
            if let Some(&start) = unwinding.threads[&thread].events.first() {
                order.needed.entry(start).or_default().push(creation);
            }
        }
        order.propagate(unwinding);
        order
    }

    /// Lets events be before all that is behind those that need them.
    fn propagate(&mut self, unwinding: &Unwinding) {
        let mut changed = true;
        while changed {
            changed = false;
            for thread in unwinding.threads.values() {
                let mut anchors: Vec<(EventId, Vec<u32>)> = Vec::new();
                for &event in &thread.events {
                    if let Some(needed) = self.needed.get(&event) {
                        let mut clock = self.clocks[event].clone();
                        for &before in needed {
                            let content = &unwinding.events[before];
                            join(&mut clock, &self.clocks[before]);
                            if let Some(instance) = content.instance {
                                let known = &mut clock[self.threads[&instance]];
                                *known = (*known).max(content.number + 1);
                            }
                        }
                        anchors.push((event, clock));
                    }
                    for (anchor, clock) in &anchors {
                        if implies(&unwinding.events[event], &unwinding.events[*anchor]) {
                            changed |= join(&mut self.clocks[event], clock);
                        }
                    }
                }
            }
        }
    }

    /// Whether an event is before another one in each run in which both happen.
    pub fn is_before(&self, unwinding: &Unwinding, first: EventId, then: EventId) -> bool {
        if first == then {
            return false;
        }
        let (a, b) = (&unwinding.events[first], &unwinding.events[then]);
        match (a.instance, b.instance) {
            (None, _) => true,
            (_, None) => false,
            (Some(thread), Some(other)) if thread == other => a.number < b.number,
            (Some(thread), Some(_)) => a.number < self.clocks[then][self.threads[&thread]],
        }
    }
}

/// Lets each number be at least that of another clock; whether one was smaller.
fn join(clock: &mut [u32], other: &[u32]) -> bool {
    let mut changed = false;
    for (known, &more) in clock.iter_mut().zip(other) {
        changed |= *known < more;
        *known = (*known).max(more);
    }
    changed
}

/// Whether an event of a thread happens only if another one of the thread does.
fn implies(event: &Event, other: &Event) -> bool {
    holds_under(&other.conditions, event)
}

/// Whether conditions are among those of an event.
pub fn holds_under(conditions: &[Term], event: &Event) -> bool {
    conditions
        .iter()
        .all(|condition| event.conditions.contains(condition))
}

/// The writes that each read may read from.
#[derive(Debug)]
pub struct Candidates {
    /// In the order of reads.
    pub of: BTreeMap<ReadId, Vec<WriteId>>,
    /// All writes of each variable.
    pub writes: BTreeMap<Variable, Vec<WriteId>>,
    /// What is known of the order of events.
    pub order: MustHappenBefore,
    /// Variables that threads only add to.
    pub sums: BTreeMap<Variable, Sum>,
}

impl Candidates {
    /// Finds them, as far as the budget allows.
    pub fn new(unwinding: &Unwinding, terms: &mut Terms, budget: &Budget) -> Self {
        let mut candidates = Self {
            of: BTreeMap::new(),
            writes: unwinding.writes(),
            order: MustHappenBefore::new(unwinding),
            sums: BTreeMap::new(),
        };
        loop {
            candidates.of = candidates.find(unwinding, terms);
            if budget.exhausted().is_some() || !candidates.learn() {
                break;
            }
            candidates.order.propagate(unwinding);
        }
        candidates.sums = sums(unwinding, &candidates, terms);
        candidates
    }

    /// Whether a write happens before an event in each run in which that happens.
    pub fn is_certainly_before(
        &self,
        unwinding: &Unwinding,
        write: WriteId,
        event: EventId,
    ) -> bool {
        self.order.is_before(unwinding, write.event, event)
            && self.is_certain(unwinding, write, event)
    }

    /// What can be read from one write only, is behind it.
    fn learn(&mut self) -> bool {
        let mut learnt = false;
        for (read, writes) in &self.of {
            if let [only] = writes[..]
                && only.event != EventId::FIRST
            {
                let needed = self.order.needed.entry(read.event).or_default();
                if !needed.contains(&only.event) {
                    needed.push(only.event);
                    learnt = true;
                }
            }
        }
        learnt
    }

    fn find(&self, unwinding: &Unwinding, terms: &Terms) -> BTreeMap<ReadId, Vec<WriteId>> {
        let mut found = BTreeMap::new();
        for (event, content) in &unwinding.events {
            for (index, read) in content.reads.iter().enumerate() {
                let all = self.writes[&read.variable].iter().copied();
                let possible = all.filter(|&write| {
                    let value = terms.as_value(unwinding.write(write).value);
                    write.event != event
                        && !self.order.is_before(unwinding, event, write.event)
                        && (read.expected.is_none() || value.is_none() || value == read.expected)
                });
                let last = self.last_writes(unwinding, event, &self.writes[&read.variable]);
                let visible = possible.filter(|write| {
                    let mut later = last.iter();
                    !later.any(|&later| self.order.is_before(unwinding, write.event, later))
                });
                found.insert(ReadId { event, index }, visible.collect());
            }
        }
        found
    }

    /// Of each thread the last write that surely happens before an event.
    fn last_writes(
        &self,
        unwinding: &Unwinding,
        event: EventId,
        writes: &[WriteId],
    ) -> Vec<EventId> {
        let mut last: BTreeMap<InstanceId, EventId> = BTreeMap::new();
        for &write in writes {
            let content = &unwinding.events[write.event];
            let Some(thread) = content.instance else {
                continue;
            };
            if self.is_certainly_before(unwinding, write, event) {
                last.insert(thread, write.event);
            }
        }
        last.into_values().collect()
    }

    /// Whether a write that is before an event happens if the event does.
    fn is_certain(&self, unwinding: &Unwinding, write: WriteId, event: EventId) -> bool {
        let Some(conditions) = &unwinding.write(write).conditions else {
            return false;
        };
        let content = &unwinding.events[event];
        if unwinding.events[write.event].instance == content.instance {
            return holds_under(conditions, content);
        }
        self.certain_before(unwinding, event)
            .into_iter()
            .any(|needed| {
                let needed = &unwinding.events[needed];
                let same = needed.instance == unwinding.events[write.event].instance;
                let behind = needed.number >= unwinding.events[write.event].number;
                same && behind && holds_under(conditions, needed)
            })
    }

    /// Events of all threads that happen before an event if that happens: what it needs, and what that needs.
    fn certain_before(&self, unwinding: &Unwinding, event: EventId) -> Vec<EventId> {
        let mut found = vec![event];
        let mut next = 0;
        while next < found.len() {
            let content = &unwinding.events[found[next]];
            next += 1;
            let Some(instance) = content.instance else {
                continue;
            };
            for &anchor in &unwinding.threads[&instance].events {
                let behind = unwinding.events[anchor].number > content.number;
                if behind || !implies(content, &unwinding.events[anchor]) {
                    continue;
                }
                for &needed in self.order.needed.get(&anchor).into_iter().flatten() {
                    if !found.contains(&needed) {
                        found.push(needed);
                    }
                }
            }
        }
        found
    }
}
