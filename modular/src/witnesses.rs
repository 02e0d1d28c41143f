//! Concrete steps, and what they are in abstractions.

use solver::Model;
use system::eval::Evaluator;
use system::term::{Term, Terms, Value};
use system::transition_system::TransitionSystem;

use crate::abstraction::{AbstractState, Precision};
use crate::moves::{MoveId, Moves};

/// A state and inputs, with a move that is possible there; without one the state is initial. Its start need not be reachable.
#[derive(Debug)]
pub(crate) struct Witness {
    /// What is done.
    pub(crate) by: Option<MoveId>,
    values: Evaluator,
}

impl Witness {
    /// The step of a model.
    pub(crate) fn new(
        system: &TransitionSystem,
        terms: &Terms,
        model: &mut Model<'_>,
        by: Option<MoveId>,
    ) -> Self {
        let state = system.state.iter().map(|variable| variable.current);
        let symbols: Vec<Term> = state.chain(system.inputs.iter().copied()).collect();
        let values = model.values(terms, &symbols);
        Self {
            by,
            values: Evaluator::new(symbols.into_iter().zip(values).collect()),
        }
    }

    /// The concrete state after the step, by position.
    pub(crate) fn next(
        &mut self,
        system: &TransitionSystem,
        terms: &mut Terms,
        moves: &mut Moves,
    ) -> Vec<Value> {
        let state = system.state.iter().map(|variable| {
            let next = match self.by {
                None => variable.current,
                Some(by) => moves.after(terms, by, variable.current),
            };
            self.values.value(terms, next)
        });
        state.collect()
    }

    /// The abstract state of a thread before the step.
    pub(crate) fn before(
        &mut self,
        terms: &Terms,
        precision: &Precision,
        thread: usize,
    ) -> AbstractState {
        let tracked = precision.of(thread);
        AbstractState {
            thread,
            values: tracked.map(|term| self.values.value(terms, term)).collect(),
        }
    }

    /// The abstract state of a thread after the step.
    pub(crate) fn after(
        &mut self,
        terms: &mut Terms,
        moves: &mut Moves,
        precision: &Precision,
        thread: usize,
    ) -> AbstractState {
        let tracked = precision.of(thread).map(|term| match self.by {
            None => term,
            Some(by) => moves.after(terms, by, term),
        });
        let tracked: Vec<Term> = tracked.collect();
        let values = tracked.into_iter();
        AbstractState {
            thread,
            values: values.map(|term| self.values.value(terms, term)).collect(),
        }
    }
}

/// The steps found so far.
#[derive(Debug, Default)]
pub(crate) struct Witnesses {
    all: Vec<Witness>,
}

impl Witnesses {
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a step; gives its number.
    pub(crate) fn push(&mut self, witness: Witness) -> usize {
        self.all.push(witness);
        self.all.len() - 1
    }

    pub(crate) fn get(&mut self, number: usize) -> &mut Witness {
        &mut self.all[number]
    }
}
