//! The abstraction (Def. 3.1 of the paper): threads, initial values, and that every read reads from some write. Nothing is said of the
//! order of events.
//!
//! Only what the question depends on is part of it: the reads that its conditions are made of, the writes that these may read from, and
//! what their conditions and values are made of in turn.

use std::collections::BTreeSet;

use encode::semantics::path::Variable;
use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Sort, Substitution, Term, Terms};

use crate::candidates::{Candidates, ReadId, WriteId};
use crate::event::{EventId, Narrowed, Unwinding};
use crate::order::{OrderEncoding, OrderSize};
use crate::sums::total;

/// A read that reads from a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The write.
    pub write: WriteId,
    /// The read.
    pub read: ReadId,
    /// Whether it does, where the read happens; Boolean. Implies that the write happens.
    pub literal: Term,
}

/// An order that a sum depends on.
#[derive(Clone, Copy, Debug)]
pub struct ChosenOrder {
    /// The event that comes first if the literal holds.
    pub first: EventId,
    /// The event that comes then.
    pub then: EventId,
    /// Whether that is the order; Boolean.
    pub literal: Term,
}

impl ChosenOrder {
    /// Both directions of an order.
    fn both(terms: &mut Terms, first: EventId, then: EventId, literal: Term) -> [Self; 2] {
        let opposite = terms.not(literal);
        [(first, then, literal), (then, first, opposite)].map(|(first, then, literal)| Self {
            first,
            then,
            literal,
        })
    }
}

/// What a question depends on, as constraints.
#[derive(Debug, Default)]
pub struct Abstraction {
    /// Boolean terms that all runs satisfy.
    pub constraints: Vec<Term>,
    /// What may be read from where.
    pub links: Vec<Link>,
    /// The variables that are read.
    pub variables: BTreeSet<Variable>,
    /// The reads of sums.
    pub sums: Vec<ReadId>,
    /// The orders that sums depend on, in both directions.
    pub orders: Vec<ChosenOrder>,
    /// The ends at which more is written than what it depends on looks at.
    pub too_wide: BTreeSet<usize>,
}

impl Abstraction {
    /// What some conditions depend on.
    pub fn new(
        unwinding: &Unwinding,
        candidates: &Candidates,
        (terms, adds): (&mut Terms, bool),
        roots: impl IntoIterator<Item = Term>,
    ) -> (Self, Substitution) {
        let mut reads = FxHashMap::default();
        for (event, content) in &unwinding.events {
            for (index, read) in content.reads.iter().enumerate() {
                reads.insert(read.value, ReadId { event, index });
            }
        }
        let mut slice = Slice {
            unwinding,
            candidates,
            adds,
            reads,
            open: roots.into_iter().collect(),
            numbers: FxHashMap::default(),
            met: FxHashSet::default(),
            result: Self::default(),
        };
        slice.collect(terms);
        let mut result = slice.result;
        let definitions: Vec<Term> = slice
            .numbers
            .iter()
            .map(|(&symbol, &number)| terms.equal(symbol, number))
            .collect();
        let mut substitution = Substitution::new(slice.numbers);
        for constraint in &mut result.constraints {
            *constraint = substitution.apply(terms, *constraint);
        }
        result.constraints.extend(definitions);
        (result, substitution)
    }

    /// Adds the scheduling constraint, and returns its literals; nothing, if that takes too many. Without clocks, and with too many
    /// triples of events, it leaves out cycles among three threads and more.
    pub fn order<'u>(
        &mut self,
        unwinding: &'u Unwinding,
        candidates: &Candidates,
        terms: &mut Terms,
        size: OrderSize,
    ) -> Option<OrderEncoding<'u>> {
        let sums = self.sums.iter().flat_map(|&id| {
            let variable = unwinding.events[id.event].reads[id.index].variable;
            let sum = &candidates.sums[&variable];
            let added = sum.added.iter().map(|(write, _)| write.event);
            added.chain([sum.base.event, id.event])
        });
        let sums: Vec<EventId> = sums.collect();
        let writes = &candidates.writes;
        let written = self.variables.iter().flat_map(|variable| &writes[variable]);
        let written = written.map(|write| write.event);
        let read = self.links.iter().map(|link| link.read.event);
        let constraints = &mut self.constraints;
        let events = written.chain(read).chain(sums);
        let order = OrderEncoding::new(unwinding, events, (terms, size.literals), constraints)?;
        if size.clocks {
            order.clocks(terms, constraints);
        }
        if order.triples() <= size.triples {
            order.transitivity(terms, constraints);
        }
        for link in &self.links {
            let event = &unwinding.events[link.read.event];
            let variable = event.reads[link.read.index].variable;
            order.link(terms, link, &writes[&variable], constraints);
        }
        for &id in &self.sums {
            let event = &unwinding.events[id.event];
            let read = event.reads[id.index];
            let sum = &candidates.sums[&read.variable];
            // What is certain of the order of two events is so only where both happen.
            let mut is_before = |terms: &mut Terms, (first, happens), (then, reads)| {
                let literal = order.before(terms, first, then);
                if terms.as_value(literal).is_some() {
                    return literal;
                }
                if candidates.order.is_before(unwinding, first, then) {
                    let both = terms.and(happens, reads);
                    constraints.push(terms.implies(both, literal));
                }
                self.orders
                    .extend(ChosenOrder::both(terms, first, then, literal));
                literal
            };
            let base = (sum.base.event, unwinding.write(sum.base).guard);
            let reader = (id.event, event.guard);
            is_before(terms, base, reader);
            let mut added = Vec::new();
            for &(write, number) in &sum.added {
                if write.event != id.event {
                    let guard = unwinding.write(write).guard;
                    is_before(terms, base, (write.event, guard));
                    let before = is_before(terms, (write.event, guard), reader);
                    added.push((terms.and(guard, before), number));
                }
            }
            let base = unwinding.write(sum.base).value;
            let total = total(terms, sum.width, base, &added);
            let same = terms.equal(read.value, total);
            constraints.push(terms.implies(event.guard, same));
        }
        Some(order)
    }
}

struct Slice<'a> {
    unwinding: &'a Unwinding,
    candidates: &'a Candidates,
    /// Whether sums are read as such.
    adds: bool,
    /// By their symbols.
    reads: FxHashMap<Term, ReadId>,
    open: Vec<Term>,
    numbers: FxHashMap<Term, Term>,
    met: FxHashSet<Term>,
    result: Abstraction,
}

impl Slice<'_> {
    fn collect(&mut self, terms: &mut Terms) {
        while let Some(term) = self.open.pop() {
            if !self.met.insert(term) {
                continue;
            }
            self.open.extend(terms.node(term).operands());
            if let Some(&read) = self.reads.get(&term) {
                self.read(terms, read);
            }
            if let Some(&completed) = self.unwinding.waits.get(&term) {
                let constraint = terms.implies(term, completed);
                self.constrain(constraint);
            }
            if let Some(&Narrowed { bits, end, .. }) = self.unwinding.narrowed.get(&term) {
                let sort = terms.sort(bits);
                let symbol = terms.symbol("bits", sort);
                let number = terms.sign_extend(terms.width(term), symbol);
                self.numbers.insert(term, number);
                let constraint = terms.equal(symbol, bits);
                self.constrain(constraint);
                self.open.push(self.unwinding.ends[end].guard);
                self.result.too_wide.insert(end);
            }
        }
    }

    fn constrain(&mut self, constraint: Term) {
        self.result.constraints.push(constraint);
        self.open.push(constraint);
    }

    /// A read reads from one of its candidates.
    fn read(&mut self, terms: &mut Terms, id: ReadId) {
        let event = &self.unwinding.events[id.event];
        let read = &event.reads[id.index];
        self.open.push(event.guard);
        if let Some(value) = read.expected {
            let value = terms.constant(value);
            let same = terms.equal(read.value, value);
            let constraint = terms.implies(event.guard, same);
            self.constrain(constraint);
        }
        if let Some(sum) = self
            .candidates
            .sums
            .get(&read.variable)
            .filter(|_| self.adds)
        {
            let base = self.unwinding.write(sum.base);
            let constraint = terms.implies(event.guard, base.guard);
            self.constrain(constraint);
            self.open.push(base.value);
            for &(write, number) in &sum.added {
                let guard = self.unwinding.write(write).guard;
                self.open.extend([guard, number]);
            }
            return self.result.sums.push(id);
        }
        if self.result.variables.insert(read.variable) {
            let writes = self.candidates.writes[&read.variable].iter();
            self.open
                .extend(writes.map(|&write| self.unwinding.write(write).guard));
        }
        let mut bits = read.value;
        if let Some(width) = read.bits {
            let name = format!("read.{}.{}.bits", id.event.as_u32(), id.index);
            bits = terms.symbol(name, Sort::BitVec(width));
            let number = terms.sign_extend(terms.width(read.value), bits);
            self.numbers.insert(read.value, number);
        }
        let candidates = &self.candidates.of[&id];
        let mut literals = Vec::new();
        for &write in candidates {
            let literal = match candidates.len() {
                1 => event.guard,
                _ => terms.symbol(link_name(id, write), Sort::Bool),
            };
            literals.push(literal);
            self.result.links.push(Link {
                write,
                read: id,
                literal,
            });
            let content = self.unwinding.write(write);
            let mut value = content.value;
            if let Some(width) = read.bits {
                value = terms.extract(width - 1, 0, value);
            }
            let same = terms.equal(bits, value);
            let read_from = terms.and(content.guard, same);
            let constraint = terms.implies(literal, read_from);
            self.constrain(constraint);
        }
        let some = terms.or_all(literals);
        let constraint = terms.implies(event.guard, some);
        self.constrain(constraint);
    }
}

fn link_name(read: ReadId, write: WriteId) -> String {
    let number = |event: EventId| event.as_u32();
    format!(
        "read.{}.{}.from.{}.{}",
        number(read.event),
        read.index,
        number(write.event),
        write.index
    )
}
