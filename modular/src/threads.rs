//! Transition systems whose transitions are moves of threads.

use std::collections::BTreeSet;

use system::term::Term;
use system::transition_system::TransitionSystem;

/// A transition system, with what its threads do.
#[derive(Clone, Debug)]
pub struct ThreadedSystem {
    /// States, properties and constraints. Its transitions are those of the moves.
    pub system: TransitionSystem,
    /// What each thread may do.
    pub threads: Vec<Vec<Move>>,
    /// The threads that alone read or write the variables, by their positions in the state; none of a variable that is global.
    pub owners: Vec<Option<usize>>,
}

/// A part of the transition relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Whether it is possible; a Boolean term over state and inputs.
    pub guard: Term,
    /// The variables that change, by their positions in the state, with their next values. All others keep theirs.
    pub updates: Vec<(usize, Term)>,
}

impl ThreadedSystem {
    /// Finds out which variables are local to threads.
    pub fn new(system: TransitionSystem, threads: Vec<Vec<Move>>) -> Self {
        let mut owners = vec![Access::None; system.state.len()];
        for (thread, moves) in threads.iter().enumerate() {
            for part in moves {
                let values = part.updates.iter().map(|&(_, value)| value);
                let roots: Vec<Term> = values.chain([part.guard]).collect();
                let read: BTreeSet<Term> = system.terms.cone(&roots).into_iter().collect();
                for (owner, variable) in owners.iter_mut().zip(&system.state) {
                    if read.contains(&variable.current) {
                        owner.add(thread);
                    }
                }
                for &(variable, _) in &part.updates {
                    owners[variable].add(thread);
                }
            }
        }
        let owners = owners.into_iter().map(|access| match access {
            Access::One(thread) => Some(thread),
            Access::None | Access::Many => None,
        });
        Self {
            owners: owners.collect(),
            system,
            threads,
        }
    }
}

/// The threads that access a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    None,
    One(usize),
    Many,
}

impl Access {
    fn add(&mut self, thread: usize) {
        *self = match *self {
            Self::None => Self::One(thread),
            Self::One(known) if known == thread => Self::One(thread),
            Self::One(_) | Self::Many => Self::Many,
        };
    }
}
