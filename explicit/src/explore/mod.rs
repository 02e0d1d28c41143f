//! Exhaustive search through all interleavings: an engine for small programs, and the oracle for all other engines.
//!
//! States are stored in full, so a search that meets no limit is a proof. Threads take turns only where the order of
//! threads can make a difference. Of the values of nondeterministic choices the search tries those that a program can tell
//! apart, if they are no more than [`SearchLimits::complete_width`] bits have. Everything that keeps a search from being
//! complete is an [`Incompleteness`].

mod choices;
mod cycles;
mod explored;
mod frontier;
pub mod inductiveness;
mod intern;
mod limits;
mod points;
mod search;
mod store;
mod verdict;
mod written;

use abi::schedule::Schedule;
use program::model::{Instances, Program};

pub use self::explored::Explored;
pub use self::limits::{Scheduling, SearchLimits};
use self::search::Search;
pub use self::verdict::{Exploration, FoundViolation, Incompleteness, LimitMet, SearchVerdict};
pub use self::written::MalformedStates;
use crate::interpret::State;

/// Searches all interleavings until an error is met.
pub fn explore(program: &Program, instances: &Instances, limits: &SearchLimits) -> Exploration {
    explore_and_keep(program, instances, limits).0
}

/// As [`explore`], and hands out the states if that is a proof; see [`inductiveness::check`].
pub fn explore_and_keep(
    program: &Program,
    instances: &Instances,
    limits: &SearchLimits,
) -> (Exploration, Option<Explored>) {
    explore_until(program, instances, limits, &|_| true)
}

/// As [`explore_and_keep`], until an error is met by a run that is accepted. Others end their turn only; if none is accepted, the answer is
/// the first of these.
pub fn explore_until(
    program: &Program,
    instances: &Instances,
    limits: &SearchLimits,
    accept: &dyn Fn(&Schedule) -> bool,
) -> (Exploration, Option<Explored>) {
    let search = Search::new(program, instances, limits);
    let (exploration, explored) = search.run(&mut |_| {}, Some(accept));
    let proof = matches!(exploration.verdict, SearchVerdict::Safe(()));
    (exploration, proof.then_some(explored))
}

/// Searches all interleavings and shows every kept state once: those where a thread is about to do something that others
/// see, or to make a choice. Errors do not end the search; the verdict tells of limits only.
pub fn for_each_state(
    program: &Program,
    instances: &Instances,
    limits: &SearchLimits,
    visit: &mut dyn FnMut(&State),
) -> Exploration {
    Search::new(program, instances, limits).run(visit, None).0
}
