//! What all ways to look for a proof of a system share.

use system::term::Terms;

use crate::derivation::Instances;
use crate::liveness::views;
use crate::moves::Moves;
use crate::samples::{Expected, Samples};
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
            terms,
            moves,
        }
    }
}
