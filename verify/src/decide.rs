//! Runs the engines side by side until one of them is conclusive.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use ic3::Budget;
use program::explore::Explored;
use system::transition_system::{Proof, Trace, TransitionSystem};

use crate::engines;
use crate::options::{EngineChoice, Options};
use crate::pipeline::Prepared;
use crate::progress::Progress;
use crate::report::EngineStatistics;
use crate::shares;

/// What an engine found out about the program.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A run of the encoded system reaches the error.
    Trace(Trace),
    /// A run of the program reaches the error.
    Schedule(abi::schedule::Schedule),
    /// Nothing bad is reachable.
    Proved {
        /// The simplified system, with the arena of the proof.
        system: Box<TransitionSystem>,
        /// Why.
        proof: Proof,
    },
    /// Nothing bad is reachable: all states were seen.
    Explored(Arc<Explored>),
    /// No error is reachable within these limits, which are.
    Beyond(Vec<Beyond>),
    /// Nothing was found out.
    Undecided(String),
    /// Engines contradict each other: a fault of the verifier, never a verdict.
    Contradiction(String),
}

/// A limit that some run meets.
#[derive(Clone, Debug)]
pub enum Beyond {
    /// A run of the encoded system into the limit's property.
    Trace(Trace),
    /// The limit in words, with its place.
    Described(String),
}

/// Who found out what, first conclusive answer first; all answers of engines that had ended by then.
#[derive(Debug)]
pub struct Decision {
    /// The name of the engine.
    pub engine: String,
    /// Its answer.
    pub answer: Answer,
    /// What each engine did.
    pub statistics: Vec<EngineStatistics>,
}

struct Report {
    answer: Answer,
    statistics: EngineStatistics,
}

impl Answer {
    pub(crate) fn is_conclusive(&self) -> bool {
        !matches!(self, Self::Undecided(_) | Self::Contradiction(_))
    }

    /// Whether this says that an error is reachable, or that none is; `None` if it says neither.
    fn finds_error(&self) -> Option<bool> {
        match self {
            Self::Trace(_) | Self::Schedule(_) => Some(true),
            Self::Proved { .. } | Self::Explored(_) | Self::Beyond(_) => Some(false),
            Self::Undecided(_) | Self::Contradiction(_) => None,
        }
    }

    fn summary(&self) -> String {
        match self {
            Self::Trace(trace) => format!("violation after {} transitions", trace.steps.len() - 1),
            Self::Schedule(_) => "violation".into(),
            Self::Proved { proof, .. } => describe(proof),
            Self::Explored(explored) => format!("all {} states", explored.states()),
            Self::Beyond(_) => "no violation within the limits".into(),
            Self::Undecided(reason) | Self::Contradiction(reason) => reason.clone(),
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

/// Decides the prepared program, and shows meanwhile who is at work.
pub fn decide(
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Decision {
    let engines = match options.engines.engine {
        EngineChoice::Portfolio => vec![
            EngineChoice::Ic3,
            EngineChoice::Ic3Exact,
            EngineChoice::Bmc,
            EngineChoice::Kind,
            EngineChoice::Explicit,
        ],
        EngineChoice::Ic3
        | EngineChoice::Ic3Exact
        | EngineChoice::Bmc
        | EngineChoice::Kind
        | EngineChoice::Explicit => vec![options.engines.engine],
    };
    progress.stage(names(&engines));
    let mut reports: Vec<Report> = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let shared = budget.child();
        for &engine in &engines {
            let (sender, budget) = (sender.clone(), shared.clone());
            scope.spawn(move || run(engine, prepared, options, &budget, progress, &sender));
        }
        drop(sender);
        let mut reports: Vec<Report> = Vec::new();
        let mut cancelled = None;
        for report in receiver {
            if report.answer.is_conclusive() {
                shared.cancel();
                cancelled.get_or_insert_with(Instant::now);
            }
            reports.push(report);
        }
        if let Some(cancelled) = cancelled {
            tracing::debug!(after = ?cancelled.elapsed(), "the other engines have ended");
        }
        reports
    });
    let (engine, answer) = choose(&reports);
    reports.sort_by(|left, right| left.statistics.engine.cmp(&right.statistics.engine));
    Decision {
        engine,
        answer,
        statistics: reports
            .into_iter()
            .map(|report| report.statistics)
            .collect(),
    }
}

fn names(engines: &[EngineChoice]) -> String {
    let names = engines.iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
    names.join(", ")
}

/// The first conclusive answer, unless engines contradict each other.
fn choose(reports: &[Report]) -> (String, Answer) {
    let says = |error| {
        let mut all = reports.iter();
        all.find(|report| report.answer.finds_error() == Some(error))
    };
    if let (Some(with), Some(without)) = (says(true), says(false)) {
        let claims = [with, without]
            .map(|report| format!("{}: {}", report.statistics.engine, report.statistics.answer));
        return ("none".into(), Answer::Contradiction(claims.join(", but ")));
    }
    match reports.iter().find(|report| report.answer.is_conclusive()) {
        Some(first) => (first.statistics.engine.clone(), first.answer.clone()),
        None => undecided(reports),
    }
}

/// All reasons, one per engine.
fn undecided(reports: &[Report]) -> (String, Answer) {
    let mut reasons: Vec<String> = reports
        .iter()
        .map(|report| format!("{}: {}", report.statistics.engine, report.statistics.answer))
        .collect();
    reasons.sort();
    ("none".into(), Answer::Undecided(reasons.join(", ")))
}

fn run(
    choice: EngineChoice,
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
    reports: &Sender<Report>,
) {
    let start = Instant::now();
    shares::step_back(choice, options);
    let (engine, answer, queries) = engines::run(choice, prepared, options, budget, progress);
    let statistics = EngineStatistics {
        engine: engine.into(),
        answer: answer.summary(),
        seconds: rounded(start.elapsed()),
        queries,
    };
    // The receiver is gone only after a panic elsewhere, which is reported there.
    let _ = reports.send(Report { answer, statistics });
}

fn rounded(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(engine: &str, answer: Answer) -> Report {
        let statistics = EngineStatistics {
            engine: engine.into(),
            answer: answer.summary(),
            seconds: 0.0,
            queries: serde_json::Value::Null,
        };
        Report { answer, statistics }
    }

    #[test]
    fn the_first_conclusive_answer_is_chosen() {
        let open = report("kind", Answer::Undecided("time".into()));
        let error = report("bmc", Answer::Schedule(abi::schedule::Schedule::default()));
        let (engine, answer) = choose(&[open, error]);
        assert_eq!(engine, "bmc");
        assert!(matches!(answer, Answer::Schedule(_)));
    }

    #[test]
    fn a_contradiction_is_no_verdict() {
        let safe = report("kind", Answer::Beyond(Vec::new()));
        let error = report("bmc", Answer::Schedule(abi::schedule::Schedule::default()));
        let (_, answer) = choose(&[safe, error]);
        assert!(
            matches!(answer, Answer::Contradiction(claims) if claims.contains("bmc") && claims.contains("kind"))
        );
    }
}
