//! What all ways to look for a proof of a system share.

use rustc_hash::FxHashMap;
use system::term::{Binary, Node, Substitution, Term, Terms, Value};

use crate::derivation::Instances;
use crate::liveness::views;
use crate::moves::Moves;
use crate::samples::{Expected, Samples};
use crate::simulation::Machine;
use crate::steps::Symbols;
use crate::threads::ThreadedSystem;
use crate::vocabulary::Vocabulary;
use crate::witnesses::Witnesses;

/// The terms of a system, and what is known of it under any precision.
pub(crate) struct Context<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) moves: Moves,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) expected: Expected,
    pub(crate) witnesses: Witnesses,
    pub(crate) instances: Instances,
    pub(crate) machine: Machine,
    pub(crate) symbols: Symbols,
    /// So many abstract states were found under all precisions.
    pub(crate) states: usize,
    /// By thread and place: whether a state may be bad where the thread is there, as far as is known.
    suspicious: FxHashMap<(usize, Value), bool>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(threaded: &ThreadedSystem, terms: &'a mut Terms) -> Self {
        let moves = Moves::new(threaded);
        let views = views(threaded, terms);
        let sampled = Samples::new(&threaded.system, &views, terms);
        Self {
            vocabulary: Vocabulary::new(threaded, terms, &moves, (&views, &sampled.variables)),
            expected: Expected::new(&threaded.system, &views, sampled),
            witnesses: Witnesses::default(),
            instances: Instances::default(),
            machine: Machine::new(threaded, terms),
            symbols: Symbols::new(threaded.threads.len(), terms, &moves),
            states: 0,
            suspicious: FxHashMap::default(),
            terms,
            moves,
        }
    }

    /// Whether a state may be bad because a thread is at a place, as far as is known.
    pub(crate) fn is_suspicious(
        &mut self,
        threaded: &ThreadedSystem,
        thread: usize,
        place: Value,
    ) -> bool {
        let Some(variable) = threaded.threads[thread].place else {
            return true;
        };
        if let Some(&known) = self.suspicious.get(&(thread, place)) {
            return known;
        }
        let here = self.terms.constant(place);
        let mut here = Substitution::new([(variable, here)].into_iter().collect());
        let properties = threaded.system.properties.iter();
        let mut disjuncts: Vec<Term> = properties.map(|property| property.bad).collect();
        let mut is_suspicious = false;
        while let Some(term) = disjuncts.pop() {
            if let Node::Binary(Binary::Or, a, b) = self.terms.node(term) {
                disjuncts.extend([a, b]);
                continue;
            }
            let involved = threaded.involved(self.terms, term);
            if involved.is_empty() || involved.contains(&thread) {
                let here = here.apply(self.terms, term);
                let known = self.terms.as_value(here);
                is_suspicious |= known.is_none_or(Value::is_true);
            }
        }
        self.suspicious.insert((thread, place), is_suspicious);
        is_suspicious
    }
}
