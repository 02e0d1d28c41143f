//! The moves of all threads, numbered, and what they do to terms.

use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Substitution, Term, Terms};

use crate::threads::{Move, ThreadedSystem};

/// A move, by its number among those of all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MoveId(pub(crate) usize);

/// All moves of a threaded system.
#[derive(Debug)]
pub(crate) struct Moves {
    moves: Vec<(usize, Move)>,
    after: Vec<Substitution>,
    written: Vec<FxHashSet<Term>>,
}

impl Moves {
    pub(crate) fn new(threaded: &ThreadedSystem) -> Self {
        let threads = threaded.threads.iter().enumerate();
        let moves: Vec<(usize, Move)> = threads
            .flat_map(|(thread, part)| part.moves.iter().map(move |part| (thread, part.clone())))
            .collect();
        let state = &threaded.system.state;
        let written = moves.iter().map(|(_, part)| {
            let positions = part.updates.iter().map(|&(position, _)| position);
            positions.map(|position| state[position].current).collect()
        });
        Self {
            after: moves
                .iter()
                .map(|(_, part)| part.after(&threaded.system))
                .collect(),
            written: written.collect(),
            moves,
        }
    }

    /// The numbers of all moves.
    pub(crate) fn all(&self) -> impl Iterator<Item = MoveId> + use<> {
        (0..self.moves.len()).map(MoveId)
    }

    /// The numbers of the moves of a thread.
    pub(crate) fn of(&self, thread: usize) -> impl Iterator<Item = MoveId> {
        self.all().filter(move |&id| self.thread(id) == thread)
    }

    /// Who makes a move.
    pub(crate) fn thread(&self, id: MoveId) -> usize {
        self.moves[id.0].0
    }

    /// Whether a move is possible.
    pub(crate) fn guard(&self, id: MoveId) -> Term {
        self.moves[id.0].1.guard
    }

    /// A term over the state after a move, in terms of the state before and inputs.
    pub(crate) fn after(&mut self, terms: &mut Terms, id: MoveId, term: Term) -> Term {
        self.after[id.0].apply(terms, term)
    }

    /// Whether a move writes one of these variables.
    pub(crate) fn writes(&self, id: MoveId, variables: &FxHashSet<Term>) -> bool {
        self.written[id.0]
            .iter()
            .any(|term| variables.contains(term))
    }

    /// The values that moves give to variables, and their guards.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Term> {
        let moves = self.moves.iter();
        moves.flat_map(|(_, part)| {
            let values = part.updates.iter().map(|&(_, value)| value);
            values.chain([part.guard])
        })
    }

    /// Which values moves give to the variables, by position.
    pub(crate) fn values(&self) -> FxHashMap<usize, Vec<Term>> {
        let mut values: FxHashMap<usize, Vec<Term>> = FxHashMap::default();
        for &(position, value) in self.moves.iter().flat_map(|(_, part)| &part.updates) {
            values.entry(position).or_default().push(value);
        }
        values
    }
}
