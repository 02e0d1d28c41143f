//! Simplifications of systems, each with its way back.
//!
//! A step gives a smaller system and a [`SystemReduction`], which turns a verdict on the smaller system into one on the
//! larger: a trace gets the values of the removed variables, and a proof gets the facts about the removed variables.
//! Handles of terms stay valid, because the arena moves on to the smaller system.
//!
//! ```
//! # use system::{export::vmt, transform::simplify, transition_system::{Reason, Verdict}};
//! # let original = vmt::parse("").unwrap();
//! let (mut small, way_back) = simplify(original);
//! let verdict = Verdict::Unknown(Reason::Depth(0)); // an engine checks `small`
//! let (original, verdict) = way_back.undo(small, verdict);
//! ```

mod bits;
mod constants;
mod equal_variables;
mod narrow;
mod operators;
mod reduction;
mod slice;
mod value_sets;
mod values;

pub use constants::constants;
pub use equal_variables::equal_variables;
pub use narrow::narrow;
pub use reduction::SystemReduction;
pub use slice::slice;

use crate::term::{Term, Terms};
use crate::transition_system::{TransitionSystem, Verdict};

/// The reductions of a system, first to last.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    reductions: Vec<SystemReduction>,
}

/// All simplifications. Slicing comes after those that cut the cones that it follows; variables of different widths may become
/// equal when they are narrowed.
pub fn simplify(system: TransitionSystem) -> (TransitionSystem, Pipeline) {
    Pipeline::of(
        system,
        &[
            constants,
            equal_variables,
            slice,
            narrow,
            equal_variables,
            slice,
        ],
    )
}

/// The simplifications that look at one variable at a time: what is alike in the system stays alike.
pub fn simplify_each(system: TransitionSystem) -> (TransitionSystem, Pipeline) {
    Pipeline::of(system, &[constants, slice, narrow, slice])
}

/// Gives a smaller system, and the way back from it.
type Simplification = fn(TransitionSystem) -> (TransitionSystem, SystemReduction);

impl Pipeline {
    /// Applies simplifications, first to last.
    fn of(system: TransitionSystem, steps: &[Simplification]) -> (TransitionSystem, Self) {
        let mut pipeline = Self::default();
        let steps = steps.iter();
        let system = steps.fold(system, |system, &step| pipeline.apply(system, step));
        (system, pipeline)
    }

    /// Applies one more simplification.
    pub fn apply(
        &mut self,
        system: TransitionSystem,
        simplification: Simplification,
    ) -> TransitionSystem {
        let (smaller, reduction) = simplification(system);
        self.reductions.push(reduction);
        smaller
    }

    /// A term over the system that the first simplification was applied to, as one over the system that came out. Variables that were
    /// sliced away stay in it.
    pub fn image(&self, terms: &mut Terms, term: Term) -> Term {
        let reductions = self.reductions.iter();
        reductions.fold(term, |term, reduction| reduction.image(terms, term))
    }

    /// The system that the first simplification was applied to, and the verdict on it.
    pub fn undo(self, system: TransitionSystem, verdict: Verdict) -> (TransitionSystem, Verdict) {
        let reductions = self.reductions.into_iter().rev();
        reductions.fold((system, verdict), |(system, verdict), reduction| {
            reduction.undo(system, verdict)
        })
    }
}
