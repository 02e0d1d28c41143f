//! Parts of threads that exclude each other, such as critical sections: found out, and used to search faster.
//!
//! A *block* of a thread begins with an event that reads a variable and decides by its value whether the thread goes on, and ends before
//! the thread writes that variable, or with that write: from where a lock is taken to where it is given back. That blocks do not overlap
//! is no more than a guess. It is proved by induction on time: of all overlaps of a run consider the one that begins first. If no run has
//! an overlap that begins before all others, none has any. That is a much easier question than whether a run violates something, as it is
//! about two blocks and the moment in which the second one begins. Where a run has such an overlap, all guesses about the same places of
//! the program are given up.
//!
//! Nothing here changes what a formula means: what is added holds in all of its runs. No proof contains it.

use std::collections::{BTreeMap, BTreeSet};

use encode::semantics::path::Variable;
use program::model::LocationId;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Measured};
use system::budget::Budget;
use system::term::{Sort, Substitution, Term, Terms};
use system::transition_system::Reason;

use crate::abstraction::Abstraction;
use crate::candidates::{Candidates, ReadId, WriteId, holds_under};
use crate::event::{Event, EventId, Read, Unwinding};
use crate::order::OrderEncoding;

/// With more pairs of blocks than these, nothing is guessed: questions about so many took longer than they saved.
const MOST_PAIRS: usize = 4_000;

/// A part of a thread.
#[derive(Clone, Copy, Debug)]
struct Block {
    variable: Variable,
    /// Its first event.
    enter: EventId,
    /// Its last one.
    leave: EventId,
    /// When the thread goes on until the last one; Boolean.
    guard: Term,
}

/// The variable of two blocks, and the places of the program where they begin and end.
type Kind = (Variable, [Option<LocationId>; 4]);

/// Guesses about the same places of the program.
#[derive(Debug)]
struct Guess {
    /// A symbol that says that it is still there; Boolean.
    active: Term,
    /// When two blocks overlap; Boolean.
    overlaps: Vec<Term>,
}

/// What is guessed of some runs, and what is known of them.
#[derive(Debug)]
pub struct Exclusions {
    guesses: Vec<Guess>,
    /// For each event that begins a block: whether an overlap begins there, and none of a guess that is still there before; Boolean.
    first: Vec<Term>,
    /// What follows from the formula, but not by few steps of a solver; Boolean. It makes questions about guesses easier.
    between_threads: Vec<Term>,
    /// The same, for what is asked once overlaps are excluded.
    within_threads: Vec<Term>,
}

impl Exclusions {
    /// Guesses, if there are some and not too many.
    pub fn new(
        (unwinding, candidates): (&Unwinding, &Candidates),
        (abstraction, order): (&Abstraction, &OrderEncoding<'_>),
        substitution: &mut Substitution,
        terms: &mut Terms,
    ) -> Option<Self> {
        let links = abstraction.links.iter();
        let linked = links.clone().map(|link| link.read);
        let mut builder = Builder {
            unwinding,
            candidates,
            abstraction,
            order,
            reads: linked.chain(abstraction.sums.iter().copied()).collect(),
            writes: links.map(|link| link.write).collect(),
            terms,
        };
        let blocks = builder.blocks();
        let (guesses, first) = builder.guesses(&blocks)?;
        let mut result = Self {
            guesses,
            first,
            between_threads: builder.between_threads(&blocks),
            within_threads: builder.within_threads(&blocks),
        };
        let overlaps = result.guesses.iter_mut();
        let overlaps = overlaps.flat_map(|guess| &mut guess.overlaps);
        let all = overlaps
            .chain(&mut result.first)
            .chain(&mut result.between_threads)
            .chain(&mut result.within_threads);
        all.for_each(|term| *term = substitution.apply(terms, *term));
        Some(result)
    }

    /// Finds out which guesses are right, and tells the solver: it has to know the formula already. Returns all that it told.
    ///
    /// # Errors
    /// The search was stopped.
    pub fn prove(
        mut self,
        solver: &mut Measured,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Vec<Term>, Reason> {
        for &fact in &self.between_threads {
            solver.assert(terms, fact);
        }
        // How many questions were answered since a guess was given up.
        let mut answered = 0;
        let mut next = (0..self.first.len()).cycle();
        while answered < self.first.len()
            && !self.guesses.is_empty()
            && let Some(question) = next.next()
        {
            let active = self.guesses.iter().map(|guess| guess.active);
            let assumptions: Vec<Term> = active.chain([self.first[question]]).collect();
            match solver.check("exclusion", terms, &assumptions) {
                Answer::Unsat(_) => answered += 1,
                Answer::Unknown(stop) => return Err(stop),
                Answer::Sat(mut model) => {
                    answered = 0;
                    let mut given_up = Vec::new();
                    self.guesses.retain(|guess| {
                        let wrong = guess.overlaps.iter().any(|&term| model.holds(terms, term));
                        given_up.extend(wrong.then_some(guess.active));
                        !wrong
                    });
                    for active in given_up {
                        let inactive = terms.not(active);
                        solver.assert(terms, inactive);
                    }
                }
            }
            if let Some(stop) = budget.exhausted() {
                return Err(stop);
            }
        }
        let overlaps = self.guesses.iter().flat_map(|guess| &guess.overlaps);
        let mut told: Vec<Term> = overlaps.map(|&overlap| terms.not(overlap)).collect();
        told.extend(self.within_threads);
        for &fact in &told {
            solver.assert(terms, fact);
        }
        told.extend(self.between_threads);
        Ok(told)
    }
}

struct Builder<'a> {
    unwinding: &'a Unwinding,
    candidates: &'a Candidates,
    abstraction: &'a Abstraction,
    order: &'a OrderEncoding<'a>,
    /// The reads of which the formula says what they find.
    reads: FxHashSet<ReadId>,
    /// The writes of which it says what they write.
    writes: FxHashSet<WriteId>,
    terms: &'a mut Terms,
}

impl Builder<'_> {
    fn event(&self, event: EventId) -> &Event {
        &self.unwinding.events[event]
    }

    /// What an event reads of a variable, if the formula says what it finds.
    fn read(&self, event: EventId, variable: Variable) -> Option<Read> {
        let mut reads = self.event(event).reads.iter().enumerate();
        let (index, read) = reads.find(|(_, read)| read.variable == variable)?;
        let is_known = self.reads.contains(&ReadId { event, index });
        is_known.then_some(*read)
    }

    /// The events of each thread of which an order is known.
    fn threads(&self) -> Vec<Vec<EventId>> {
        let threads = self.unwinding.threads.values().map(|thread| {
            let events = thread.events.iter().copied();
            events.filter(|&event| self.order.contains(event)).collect()
        });
        threads.collect()
    }

    fn blocks(&self) -> Vec<Block> {
        let mut found = Vec::new();
        let threads = self.threads();
        for &variable in &self.abstraction.variables {
            let writes = self.candidates.writes[&variable].iter();
            let writers = writes.filter_map(|write| self.event(write.event).instance);
            if writers.collect::<BTreeSet<_>>().len() > 1 {
                for thread in &threads {
                    for place in 0..thread.len() {
                        found.extend(self.blocks_from(variable, &thread[place..]));
                    }
                }
            }
        }
        found
    }

    /// The blocks that begin with the first of some events of a thread: one for each condition under which the thread goes on.
    fn blocks_from(&self, variable: Variable, events: &[EventId]) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let Some((&enter, behind)) = events.split_first() else {
            return blocks;
        };
        let Some(read) = self.read(enter, variable) else {
            return blocks;
        };
        let first = self.event(enter);
        let certain = |event: &&EventId| holds_under(&first.conditions, self.event(**event));
        for &leave in behind.iter().filter(certain) {
            let event = self.event(leave);
            let mut writes = event.writes.iter();
            let write = writes.find(|write| write.variable == variable);
            let guard = write.map_or(event.guard, |write| write.guard);
            let block = Block {
                variable,
                enter,
                leave,
                guard,
            };
            match blocks.last_mut() {
                Some(last) if last.guard == guard => *last = block,
                _ if guard != first.guard && self.terms.cone(&[guard]).contains(&read.value) => {
                    blocks.push(block);
                }
                _ => {}
            }
            if write.is_some() {
                break;
            }
        }
        blocks
    }

    /// That blocks of different threads about the same variable do not overlap.
    fn guesses(&mut self, blocks: &[Block]) -> Option<(Vec<Guess>, Vec<Term>)> {
        let mut guesses: BTreeMap<Kind, Guess> = BTreeMap::new();
        let mut begins: BTreeMap<EventId, Vec<Term>> = BTreeMap::new();
        let places = places(self.unwinding);
        let never = self.terms.bool(false);
        let mut pairs = 0;
        for earlier in blocks {
            for later in blocks {
                if earlier.variable != later.variable
                    || self.event(earlier.enter).instance == self.event(later.enter).instance
                {
                    continue;
                }
                let terms = &mut *self.terms;
                let enters = self.order.before(terms, earlier.enter, later.enter);
                let leaves = self.order.before(terms, later.enter, earlier.leave);
                let overlap = terms.and_all([enters, leaves, earlier.guard, later.guard]);
                if overlap == never {
                    continue;
                }
                pairs += 1;
                if pairs > MOST_PAIRS {
                    return None;
                }
                let events = [earlier.enter, earlier.leave, later.enter, later.leave];
                let kind = (
                    earlier.variable,
                    events.map(|event| places.get(&event).copied()),
                );
                let number = guesses.len();
                let guess = guesses.entry(kind).or_insert_with(|| Guess {
                    active: terms.symbol(format!("exclusion.{number}"), Sort::Bool),
                    overlaps: Vec::new(),
                });
                guess.overlaps.push(overlap);
                let counts = terms.and(guess.active, overlap);
                begins.entry(later.enter).or_default().push(counts);
            }
        }
        let first = self.first(begins);
        let guesses: Vec<Guess> = guesses.into_values().collect();
        (!guesses.is_empty()).then_some((guesses, first))
    }

    /// For each event at which overlaps begin: that one does, and that none begins before.
    fn first(&mut self, begins: BTreeMap<EventId, Vec<Term>>) -> Vec<Term> {
        let begins: Vec<(EventId, Term)> = begins
            .into_iter()
            .map(|(event, overlaps)| (event, self.terms.or_all(overlaps)))
            .collect();
        let mut first = Vec::new();
        for &(event, here) in &begins {
            let mut all = vec![here];
            for &(other, there) in begins.iter().filter(|(other, _)| *other != event) {
                let before = self.order.before(self.terms, other, event);
                let earlier = self.terms.and(there, before);
                all.push(self.terms.not(earlier));
            }
            first.push(self.terms.and_all(all));
        }
        first
    }

    /// What two events of different threads read that begin blocks, and that sums grow.
    fn between_threads(&mut self, blocks: &[Block]) -> Vec<Term> {
        let begins = blocks.iter().map(|block| (block.variable, block.enter));
        let begins: BTreeSet<(Variable, EventId)> = begins.collect();
        let mut facts = Vec::new();
        for &(variable, first) in &begins {
            for &(other, then) in &begins {
                if variable == other && self.event(first).instance != self.event(then).instance {
                    facts.extend(self.unchanged(variable, first, then));
                }
            }
        }
        for &reader in &self.abstraction.sums {
            facts.extend(self.grown(reader));
        }
        facts
    }

    /// What two successive events of a thread read.
    fn within_threads(&mut self, blocks: &[Block]) -> Vec<Term> {
        let variables: BTreeSet<Variable> = blocks.iter().map(|block| block.variable).collect();
        let threads = self.threads();
        let mut facts = Vec::new();
        for variable in variables {
            for thread in &threads {
                let reads = thread.iter().copied();
                let reads = reads.filter(|&event| self.read(event, variable).is_some());
                let reads: Vec<EventId> = reads.collect();
                for pair in reads.windows(2) {
                    if holds_under(&self.event(pair[0]).conditions, self.event(pair[1])) {
                        facts.extend(self.unchanged(variable, pair[0], pair[1]));
                    }
                }
            }
        }
        facts
    }

    /// An event reads what an earlier one left there, unless something is written between them.
    fn unchanged(&mut self, variable: Variable, first: EventId, then: EventId) -> Option<Term> {
        let read = self.read(then, variable)?;
        let mut left = self.read(first, variable)?.value;
        let unwinding = self.unwinding;
        let (earlier, later) = (&unwinding.events[first], &unwinding.events[then]);
        // There is one for each way through the event that writes; one of them happens at most.
        for (index, write) in earlier.writes.iter().enumerate() {
            if write.variable == variable {
                let id = WriteId {
                    event: first,
                    index,
                };
                if !self.writes.contains(&id) {
                    return None;
                }
                left = self.terms.ite(write.guard, write.value, left);
            }
        }
        let terms = &mut *self.terms;
        let mut found = read.value;
        if let Some(bits) = read.bits {
            left = terms.extract(bits - 1, 0, left);
            found = terms.extract(bits - 1, 0, found);
        }
        let mut cases = vec![terms.equal(left, found)];
        for &write in &self.candidates.writes[&variable] {
            if write.event != first && write.event != then {
                let behind = self.order.before(terms, first, write.event);
                let before = self.order.before(terms, write.event, then);
                let guard = unwinding.write(write).guard;
                cases.push(terms.and_all([guard, behind, before]));
            }
        }
        let before = self.order.before(terms, first, then);
        let both = terms.and_all([earlier.guard, later.guard, before]);
        let some = terms.or_all(cases);
        Some(terms.implies(both, some))
    }

    /// Who reads a sum that only grows reads more than each before who adds to it.
    fn grown(&mut self, reader: ReadId) -> Vec<Term> {
        let event = self.event(reader.event);
        let (happens, read) = (event.guard, event.reads[reader.index]);
        let sum = &self.candidates.sums[&read.variable];
        let mut facts = Vec::new();
        for &(write, _) in sum.added.iter().filter(|_| sum.grows) {
            let Some(own) = self.read(write.event, read.variable) else {
                continue;
            };
            if write.event != reader.event {
                let guard = self.unwinding.write(write).guard;
                let before = self.order.before(self.terms, write.event, reader.event);
                let all = self.terms.and_all([guard, happens, before]);
                let less = self.terms.signed_less(own.value, read.value);
                facts.push(self.terms.implies(all, less));
            }
        }
        facts
    }
}

/// The places of the program where events begin.
fn places(unwinding: &Unwinding) -> FxHashMap<EventId, LocationId> {
    let mut places = FxHashMap::default();
    for thread in unwinding.threads.values() {
        for (place, visit) in &thread.visits {
            if let Some(event) = visit.event {
                places
                    .entry(event)
                    .or_insert_with(|| place.begins().location);
            }
        }
    }
    places
}
