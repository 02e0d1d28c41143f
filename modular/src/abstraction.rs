//! Abstract states of threads.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use system::term::{Term, Terms, Value};

use crate::moves::MoveId;
use crate::threads::ThreadedSystem;

/// Which terms over the state tell the states of a thread apart, at each of its places.
#[derive(Clone, Debug)]
pub(crate) struct Precision {
    /// By thread: where it is; a constant if it has no place.
    pub(crate) places: Vec<Term>,
    tracked: Vec<BTreeMap<Value, Vec<Term>>>,
}

impl Precision {
    /// Nothing is tracked but places.
    pub(crate) fn new(threaded: &ThreadedSystem, terms: &mut Terms) -> Self {
        let always = terms.bool(true);
        let threads = threaded.threads.iter();
        let places: Vec<Term> = threads
            .map(|thread| thread.place.unwrap_or(always))
            .collect();
        Self {
            tracked: vec![BTreeMap::new(); places.len()],
            places,
        }
    }

    /// What is tracked of a thread at a place.
    pub(crate) fn at(&self, thread: usize, place: Value) -> &[Term] {
        self.tracked[thread].get(&place).map_or(&[], Vec::as_slice)
    }

    /// Tracks one more term of a thread at a place; whether it was not tracked there.
    pub(crate) fn track(&mut self, thread: usize, place: Value, term: Term) -> bool {
        let tracked = self.tracked[thread].entry(place).or_default();
        let is_new = !tracked.contains(&term);
        if is_new {
            tracked.push(term);
        }
        is_new
    }

    /// What is tracked of a thread anywhere, its place included.
    pub(crate) fn of(&self, thread: usize) -> Vec<Term> {
        let tracked = self.tracked[thread].values().flatten().copied();
        let mut terms: Vec<Term> = tracked.chain([self.places[thread]]).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

/// An abstract state, by its position among those found.
pub(crate) type StateId = usize;

/// A set of states of a thread: those at a place where the tracked terms have these values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AbstractState {
    /// Whose.
    pub(crate) thread: usize,
    /// Where the thread is.
    pub(crate) place: Value,
    /// The values of what the precision tracks there.
    pub(crate) values: Vec<Value>,
}

impl AbstractState {
    /// The conditions on terms over the state that define the set, where `term` gives what stands for each of them.
    pub(crate) fn conditions(
        &self,
        terms: &mut Terms,
        precision: &Precision,
        term: impl Fn(Term) -> Term,
    ) -> Vec<Term> {
        let place = (precision.places[self.thread], self.place);
        let tracked = precision.at(self.thread, self.place).iter().copied();
        let mut conditions = Vec::with_capacity(self.values.len() + 1);
        for (tracked, value) in tracked.zip(self.values.iter().copied()).chain([place]) {
            let value = terms.constant(value);
            conditions.push(terms.equal(term(tracked), value));
        }
        conditions
    }
}

/// How an abstract state was found: by a clause of the proof rule, from states of its premises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It has initial states.
    Initial,
    /// A move leads from a state of `mover` into it. It is a move of another thread if `rests` is a state of this one.
    Move {
        /// A state of the thread that moves.
        mover: StateId,
        /// What the thread does.
        by: MoveId,
        /// A state of the thread that rests.
        rests: Option<StateId>,
    },
}

/// The abstract states found so far.
#[derive(Debug, Default)]
pub(crate) struct Found {
    states: Vec<(AbstractState, Origin)>,
    ids: FxHashMap<AbstractState, StateId>,
}

impl Found {
    /// Adds a state; gives its number if it is new.
    pub(crate) fn add(&mut self, state: AbstractState, origin: Origin) -> Option<StateId> {
        if self.ids.contains_key(&state) {
            return None;
        }
        let id = self.states.len();
        self.ids.insert(state.clone(), id);
        self.states.push((state, origin));
        Some(id)
    }

    /// The number of a state.
    pub(crate) fn id(&self, state: &AbstractState) -> Option<StateId> {
        self.ids.get(state).copied()
    }

    pub(crate) fn state(&self, id: StateId) -> &AbstractState {
        &self.states[id].0
    }

    pub(crate) fn origin(&self, id: StateId) -> Origin {
        self.states[id].1
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// That each thread is in one of its states; a Boolean term over the state.
    pub(crate) fn invariant(&self, terms: &mut Terms, precision: &Precision) -> Term {
        let mut cubes: BTreeMap<(usize, Value), Vec<Term>> = BTreeMap::new();
        for (state, _) in &self.states {
            let conditions = state.conditions(terms, precision, |term| term);
            let cube = terms.and_all(conditions);
            let place = (state.thread, state.place);
            cubes.entry(place).or_default().push(cube);
        }
        let mut threads: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
        for ((thread, _), cubes) in cubes {
            let here = terms.or_all(cubes);
            threads.entry(thread).or_default().push(here);
        }
        let threads: Vec<Term> = threads
            .into_values()
            .map(|places| terms.or_all(places))
            .collect();
        terms.and_all(threads)
    }
}
