//! Abstract states of threads.

use rustc_hash::FxHashMap;
use system::term::{Term, Terms, Value};

use crate::moves::MoveId;
use crate::threads::ThreadedSystem;

/// Which terms over the state tell the states of a thread apart.
#[derive(Clone, Debug)]
pub(crate) struct Precision {
    /// By thread: where it is; a constant if it has no place.
    pub(crate) places: Vec<Term>,
    /// By thread: what else.
    pub(crate) tracked: Vec<Vec<Term>>,
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
            tracked: vec![Vec::new(); places.len()],
            places,
        }
    }

    /// The place of a thread and what is tracked of it.
    pub(crate) fn of(&self, thread: usize) -> impl Iterator<Item = Term> {
        let place = self.places[thread];
        [place]
            .into_iter()
            .chain(self.tracked[thread].iter().copied())
    }
}

/// An abstract state, by its position among those found.
pub(crate) type StateId = usize;

/// A set of states of a thread: those where the tracked terms have these values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AbstractState {
    /// Whose.
    pub(crate) thread: usize,
    /// The value of its place, and of what the precision tracks.
    pub(crate) values: Vec<Value>,
}

impl AbstractState {
    /// The conditions on terms over the state that define the set, where `term` gives what stands for each of them.
    pub(crate) fn conditions(
        &self,
        terms: &mut Terms,
        precision: &Precision,
        mut term: impl FnMut(&mut Terms, Term) -> Term,
    ) -> Vec<Term> {
        let tracked = precision.of(self.thread).zip(&self.values);
        let mut conditions = Vec::with_capacity(self.values.len());
        for (tracked, &value) in tracked {
            let value = terms.constant(value);
            let term = term(terms, tracked);
            conditions.push(terms.equal(term, value));
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
    /// Adds a state that was not found before; gives its number.
    pub(crate) fn add(&mut self, state: AbstractState, origin: Origin) -> StateId {
        let id = self.states.len();
        self.ids.insert(state.clone(), id);
        self.states.push((state, origin));
        id
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

    /// All states, in the order in which they were found.
    pub(crate) fn all(&self) -> impl Iterator<Item = &AbstractState> {
        self.states.iter().map(|(state, _)| state)
    }
}
