//! The answers of engines.

use std::sync::Arc;

use abi::schedule::Schedule;
use eventgraph::{Claim, Refutation};
use explicit::explore::Explored;
use system::transition_system::{Proof, Trace, TransitionSystem};

use crate::verdict::Failure;

/// What an engine found out about the program.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A run of the program reaches the error.
    Schedule(Schedule),
    /// A run of the program over concrete states reaches the error, but does not count, because a machine may decide otherwise. Other
    /// engines may know that none does.
    Doubted(Schedule),
    /// Nothing bad is reachable.
    Proved {
        /// The simplified system, with the arena of the proof.
        system: Box<TransitionSystem>,
        /// Why.
        proof: Proof,
    },
    /// Nothing bad is reachable: all states were seen.
    Explored(Arc<Explored>),
    /// Nothing bad is reachable: formulas that say so of all orders of events have no model.
    Refuted(Claim, Vec<Refutation>),
    /// No error is reachable within these limits, which are.
    Beyond(Vec<LimitReached>),
    /// No error is reachable before this run ends, at what the encoding leaves out. Engines that work on the program may know what follows.
    Unencoded(Trace),
    /// Neither.
    Undecided {
        /// Why not.
        reason: String,
        /// Limits that runs meet all the same, in words, with their places.
        met: Vec<String>,
    },
    /// A fault of the verifier, never a verdict: engines contradict each other, or themselves.
    Fault(Failure),
}

/// A limit that some run meets.
#[derive(Clone, Debug)]
pub enum LimitReached {
    /// A run of the encoded system into the limit's property.
    Trace(Trace),
    /// The limit in words, with its place.
    Described(String),
}

impl Answer {
    /// Nothing was found out, for this reason.
    pub(crate) fn undecided(reason: impl Into<String>) -> Self {
        Self::Undecided {
            reason: reason.into(),
            met: Vec::new(),
        }
    }

    pub(crate) fn is_conclusive(&self) -> bool {
        !matches!(
            self,
            Self::Doubted(_) | Self::Unencoded(_) | Self::Undecided { .. }
        )
    }

    /// Whether this is a proof that a solver checks by unrolling the system anew.
    pub(crate) fn is_unrolled(&self) -> bool {
        matches!(
            self,
            Self::Proved {
                proof: Proof::KInduction { .. } | Proof::Exhausted { .. },
                ..
            }
        )
    }

    /// Whether this says that an error is reachable, or that none is; `None` if it says neither. Where not the whole program is
    /// encoded, a symbolic engine that meets a limit does not know what lies behind.
    pub(crate) fn finds_error(&self, is_whole: bool) -> Option<bool> {
        let is_explicit = |limit: &LimitReached| matches!(limit, LimitReached::Described(_));
        match self {
            Self::Schedule(_) => Some(true),
            Self::Proved { .. } | Self::Explored(_) | Self::Refuted(..) => Some(false),
            Self::Beyond(limits) => (is_whole || limits.iter().all(is_explicit)).then_some(false),
            Self::Doubted(_) | Self::Unencoded(_) | Self::Undecided { .. } | Self::Fault(_) => None,
        }
    }

    pub(crate) fn summary(&self) -> String {
        match self {
            Self::Schedule(_) => "violation".into(),
            Self::Doubted(_) => "violation that does not count".into(),
            Self::Proved { proof, .. } => describe(proof),
            Self::Explored(explored) => format!("all {} states", explored.states()),
            Self::Refuted(..) => "no order of events".into(),
            Self::Beyond(_) => "no violation within the limits".into(),
            Self::Unencoded(_) => "no violation in what is encoded".into(),
            Self::Undecided { reason, .. } => reason.clone(),
            Self::Fault(failure) => failure.to_string(),
        }
    }
}

fn describe(proof: &Proof) -> String {
    match proof {
        Proof::Inductive(_) => "inductive invariant".into(),
        Proof::KInduction { depth, .. } => format!("{depth}-inductive"),
        Proof::Exhausted { depth } => format!("no run has more than {depth} transitions"),
    }
}
