//! Program counters: the cut points and sinks that an instance reaches, as numbers.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::LocationId;
use system::term::{Sort, Term, Terms};

use crate::blocks::Cut;
use crate::constant_propagation::ConstantPropagation;
use crate::context::{EncodingContext, bits_for};
use crate::encoding::Place;
use crate::execute::Stop;
use crate::semantics::sink::Sink;

/// The values of the program counter of one instance.
#[derive(Clone, Debug)]
pub struct ProgramCounter {
    /// Where the thread stops: position `k` has number `k`, or `k + 1` if there is a number for "not started".
    stops: Vec<Stop>,
    /// Whether 0 says that the thread was not started yet.
    starts_later: bool,
    /// The state variable; a constant if there is only one value.
    pub term: Term,
}

impl ProgramCounter {
    /// The counters of all instances that may run.
    pub fn all(
        context: &EncodingContext<'_>,
        facts: &ConstantPropagation,
        terms: &mut Terms,
    ) -> BTreeMap<InstanceId, Self> {
        let mut stops: BTreeMap<InstanceId, Vec<Stop>> = BTreeMap::new();
        for &(instance, cut) in facts.cuts.keys() {
            stops.entry(instance).or_default().push(Stop::Cut(cut));
        }
        for &(instance, sink) in &facts.sinks {
            stops.entry(instance).or_default().push(Stop::Sink(sink));
        }
        let counter = |(instance, stops): (InstanceId, Vec<Stop>)| {
            let starts_later = instance != InstanceId::MAIN;
            let maximum = stops.len() - usize::from(!starts_later);
            let name = format!("{}.pc", crate::names::thread(context, instance));
            let term = if maximum == 0 {
                terms.bits(1, 0)
            } else {
                terms.symbol(name, Sort::BitVec(bits_for(maximum as u128)))
            };
            (
                instance,
                Self {
                    stops,
                    starts_later,
                    term,
                },
            )
        };
        stops.into_iter().map(counter).collect()
    }

    /// Where the thread is.
    pub fn place(&self) -> Place {
        let returned = Stop::Sink(Sink::Exited);
        Place {
            number: self.term,
            numbers: self.stops.len() as u128 + u128::from(self.starts_later),
            returned: self
                .stops
                .contains(&returned)
                .then(|| self.number(returned)),
        }
    }

    /// The number of a stop.
    pub fn number(&self, stop: Stop) -> u128 {
        let position = self.stops.iter().position(|&known| known == stop);
        position.expect("every stop that is reached has a number") as u128
            + u128::from(self.starts_later)
    }

    /// The stop with a number; `None` for a thread that was not started.
    pub fn stop(&self, number: u128) -> Option<Stop> {
        let position = number.checked_sub(u128::from(self.starts_later))?;
        self.stops.get(position as usize).copied()
    }

    /// The stops of the thread.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// The number as a term.
    pub fn value(&self, terms: &mut Terms, stop: Stop) -> Term {
        let number = self.number(stop);
        terms.bits(terms.width(self.term), number)
    }

    /// Whether the thread is at a stop.
    pub fn is_at(&self, terms: &mut Terms, stop: Stop) -> Term {
        let value = self.value(terms, stop);
        terms.equal(self.term, value)
    }

    /// Whether the thread is at one of the stops that satisfy a condition.
    pub fn is_at_any(&self, terms: &mut Terms, wanted: impl Fn(Stop) -> bool) -> Term {
        let stops: Vec<Stop> = self
            .stops
            .iter()
            .copied()
            .filter(|&stop| wanted(stop))
            .collect();
        let conditions: Vec<Term> = stops
            .into_iter()
            .map(|stop| self.is_at(terms, stop))
            .collect();
        terms.or_all(conditions)
    }

    /// Whether the thread was started.
    pub fn is_started(&self, terms: &mut Terms) -> Term {
        if !self.starts_later {
            return terms.bool(true);
        }
        let zero = terms.bits(terms.width(self.term), 0);
        let not_started = terms.equal(self.term, zero);
        terms.not(not_started)
    }

    /// Whether the thread is at one of the locations, or is not started and its entry is one of them.
    pub fn is_within(
        &self,
        terms: &mut Terms,
        region: &BTreeSet<LocationId>,
        entry: LocationId,
    ) -> Term {
        let at = self.is_at_any(
            terms,
            |stop| matches!(stop, Stop::Cut(cut) if region.contains(&cut)),
        );
        if !region.contains(&entry) {
            return at;
        }
        let started = self.is_started(terms);
        let unused = terms.not(started);
        terms.or(at, unused)
    }

    /// Whether the thread is where no other thread may run.
    pub fn excludes_others(
        &self,
        terms: &mut Terms,
        context: &EncodingContext<'_>,
        instance: InstanceId,
    ) -> Term {
        self.is_at_any(terms, |stop| match stop {
            Stop::Cut(cut) => context.automaton(instance).cuts.kind(cut) == Some(Cut::Internal),
            Stop::Sink(sink) => sink.is_exclusive(),
        })
    }

    /// Whether the thread has returned.
    pub fn is_exited(&self, terms: &mut Terms) -> Term {
        self.is_at_any(terms, |stop| stop == Stop::Sink(Sink::Exited))
    }
}
