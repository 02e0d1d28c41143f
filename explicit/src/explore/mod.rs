//! Exhaustive search through all interleavings: an engine for small programs, and the oracle of all others.
//!
//! States are kept in full, so a search that meets no limit is a proof. Threads take turns only where it
//! can make a difference; values that the semantics leaves open are all tried up to
//! [`Limits::complete_width`] bits. Everything that keeps a search from being complete is a [`Reason`].

mod choices;
pub mod inductiveness;
mod intern;
mod points;
mod search;
mod store;
mod written;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use abi::ids::{InstanceId, SiteId};
use abi::schedule::Schedule;

use cranelift_entity::{PrimaryMap, SecondaryMap};

use self::points::SchedulingPoint;
use self::search::Search;
use self::store::{StateTable, Unpacked};
pub use self::written::Malformed;
use crate::interpret::{Interpreter, State};
use program::model::{HeapSite, Instances, LimitKind, LocationId, Program, TemplateId, Undefined};
use program::names::Names;

/// How a search goes and when it gives up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Number of states.
    pub states: u64,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Memory for states, in bytes.
    pub memory: u64,
    /// Whether to search breadth-first, so that an error is found with the fewest turns of threads.
    pub shortest: bool,
    /// Nondeterministic values of up to so many bits are enumerated completely.
    pub complete_width: u32,
    /// Where threads take turns.
    pub scheduling: Scheduling,
    /// Set by somebody who is no longer interested.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Where threads take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// Before every statement that others can see.
    Visible,
    /// Only where [`program::model::Location::external`] says so: the reduced relation of the paper, Sec. 4.3.
    External,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: u64::from(u32::MAX - 1),
            time: None,
            memory: 4 << 30,
            shortest: false,
            complete_width: 8,
            scheduling: Scheduling::Visible,
            cancel: None,
        }
    }
}

/// What a search found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The answer.
    pub outcome: Outcome,
    /// Number of different states kept.
    pub states: u64,
    /// Number of turns taken from these states.
    pub transitions: u64,
    /// Number of statements executed in these turns.
    pub statements: u64,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No error was met, and everything within reach was searched.
    NoError {
        /// Whether that is a proof; then there are no reasons against it.
        complete: bool,
        /// What was left out.
        reasons: Vec<Reason>,
    },
    /// An error is reachable.
    Error(Violation),
    /// The search was given up before everything was searched.
    LimitReached(Vec<Reason>),
}

/// A reachable error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A run that ends in the error, for [`crate::interpret::replay`].
    pub schedule: Schedule,
    /// The thread that is there.
    pub instance: InstanceId,
    /// The site of the edge that leads to it.
    pub site: SiteId,
    /// What is violated, in the user's words.
    pub property: String,
}

/// The states of a search and how it went: what [`inductiveness::check`] needs to confirm a proof. Its text form is read by
/// [`Explored::read`].
#[derive(Debug)]
pub struct Explored {
    kept: StateTable,
    points: PrimaryMap<TemplateId, SecondaryMap<LocationId, SchedulingPoint>>,
    complete_width: u32,
}

impl Explored {
    /// Number of states.
    pub fn states(&self) -> u64 {
        self.kept.len() as u64
    }

    /// Shows every state once.
    fn for_each(
        &self,
        interpreter: &Interpreter<'_>,
        instances: &Instances,
        visit: &mut dyn FnMut(&State),
    ) {
        let mut spread = Unpacked::new(interpreter, instances);
        for number in 0..self.kept.len() as u32 {
            visit(spread.load(&self.kept, number));
        }
    }
}

/// Why a search is not complete.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Reason {
    /// A limit location was reached: real runs may go on.
    #[error("{kind} at {site}")]
    Location {
        /// Which limit.
        kind: Limit,
        /// The site of the edge that leads there.
        site: SiteId,
    },
    /// A nondeterministic value of more than [`Limits::complete_width`] bits was tried with some values only.
    #[error("only some values of {what} were tried at {site}")]
    Sampled {
        /// Its width in bits.
        width: u32,
        /// What it is, in the user's words: "`x`", "the result of `clock`".
        what: String,
        /// The statement that asked for it.
        site: SiteId,
    },
    /// [`Limits::states`].
    #[error("limit of {0} states")]
    States(u64),
    /// [`Limits::time`], in milliseconds.
    #[error("time limit of {0} ms")]
    Time(u128),
    /// [`Limits::memory`], in bytes.
    #[error("memory limit of {0} bytes")]
    Memory(u64),
    /// [`Limits::cancel`].
    #[error("cancelled")]
    Cancelled,
}

/// A limit location that was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Limit {
    /// The statement has no defined meaning, for this reason where it is known.
    #[error("undefined behaviour ({0})")]
    Undefined(String),
    /// More threads than are enumerated.
    #[error("more threads than enumerated (raise --threads)")]
    Threads,
    /// More or larger heap objects than are enumerated.
    #[error(
        "more heap objects than enumerated (raise --heap), or one of a computed size above {} bytes",
        HeapSite::RESERVED
    )]
    Heap,
    /// Deeper recursion than unrolled.
    #[error("deeper recursion than unrolled (raise --recursion)")]
    Recursion,
    /// A construct that is not read.
    #[error("unsupported {0}")]
    Unsupported(String),
}

/// Searches all interleavings until an error is met.
pub fn explore(program: &Program, instances: &Instances, limits: &Limits) -> Exploration {
    Search::new(program, instances, limits)
        .run(&mut |_| {}, true)
        .0
}

/// As [`explore`], and hands out the states if that is a proof; see [`inductiveness::check`].
pub fn explore_and_keep(
    program: &Program,
    instances: &Instances,
    limits: &Limits,
) -> (Exploration, Option<Explored>) {
    let (exploration, explored) = Search::new(program, instances, limits).run(&mut |_| {}, true);
    let proof = matches!(exploration.outcome, Outcome::NoError { complete: true, .. });
    (exploration, proof.then_some(explored))
}

/// Searches all interleavings and shows every kept state once: those where a thread is about to do something that others
/// see, or to make a choice. Errors do not end the search; the outcome tells of limits only.
pub fn for_each_state(
    program: &Program,
    instances: &Instances,
    limits: &Limits,
    visit: &mut dyn FnMut(&State),
) -> Exploration {
    Search::new(program, instances, limits).run(visit, false).0
}

impl Limit {
    /// `freed` is as in [`Names::undefined_at`].
    fn new(
        names: Names<'_>,
        kind: LimitKind,
        (undefined, site): (Option<Undefined>, SiteId),
        freed: Option<SiteId>,
    ) -> Self {
        match kind {
            LimitKind::Undefined => {
                let words = names.undefined_at(undefined, site, freed);
                match names.is_of_unread(undefined) {
                    true => Self::Unsupported(words),
                    false => Self::Undefined(words),
                }
            }
            LimitKind::Threads => Self::Threads,
            LimitKind::Heap => Self::Heap,
            LimitKind::Recursion => Self::Recursion,
            LimitKind::Unsupported(id) => {
                Self::Unsupported(names.program.unsupported[id].what.clone())
            }
        }
    }
}
