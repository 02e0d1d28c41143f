//! Runs the engines side by side until one of them is conclusive.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ic3::Budget;
use program::explore::Explored;
use system::transition_system::{Proof, Reason, Trace, TransitionSystem};

use crate::engines;
use crate::options::{EngineChoice, Options, name};
use crate::pipeline::Prepared;
use crate::priorities;
use crate::progress::Progress;
use crate::report::{EngineStatistics, Queries, rounded};

/// How long cancelled engines may take to end before the verdict goes on without them: solvers cannot be interrupted
/// everywhere.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long the others go on after a proof by unrolling: its check may take far longer than another engine takes to end.
const SECOND_PROOF: Duration = Duration::from_millis(500);

/// What an engine found out about the program.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A run of the encoded system reaches the error.
    Trace(Trace),
    /// A run of the program reaches the error.
    Schedule(abi::schedule::Schedule),
    /// A run of the program over concrete states reaches the error, but does not count, because a machine may decide otherwise. Other
    /// engines may know that none does.
    Doubted(abi::schedule::Schedule),
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
    Beyond(Vec<LimitReached>),
    /// Neither.
    Undecided {
        /// Why not.
        reason: String,
        /// Limits that runs meet all the same, in words, with their places.
        met: Vec<String>,
    },
    /// Engines contradict each other: a fault of the verifier, never a verdict.
    Contradiction(String),
}

/// A limit that some run meets.
#[derive(Clone, Debug)]
pub enum LimitReached {
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
    choice: EngineChoice,
    answer: Answer,
    statistics: EngineStatistics,
}

impl Report {
    /// Of an engine that started at `start` and ended, or was given up, now.
    fn new(
        choice: EngineChoice,
        start: Instant,
        (engine, answer, queries): (impl Into<String>, Answer, Option<Queries>),
    ) -> Self {
        let statistics = EngineStatistics {
            engine: engine.into(),
            answer: answer.summary(),
            seconds: rounded(start.elapsed()),
            queries,
        };
        Self {
            choice,
            answer,
            statistics,
        }
    }
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
            Self::Doubted(_) | Self::Undecided { .. } | Self::Contradiction(_)
        )
    }

    /// Whether this is a proof that a solver checks by unrolling the system anew.
    fn is_unrolled(&self) -> bool {
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
    fn finds_error(&self, is_whole: bool) -> Option<bool> {
        let is_explicit = |limit: &LimitReached| matches!(limit, LimitReached::Described(_));
        match self {
            Self::Trace(_) | Self::Schedule(_) => Some(true),
            Self::Proved { .. } | Self::Explored(_) => Some(false),
            Self::Beyond(limits) => (is_whole || limits.iter().all(is_explicit)).then_some(false),
            Self::Doubted(_) | Self::Undecided { .. } | Self::Contradiction(_) => None,
        }
    }

    fn summary(&self) -> String {
        match self {
            Self::Trace(trace) => format!("violation after {} transitions", trace.steps.len() - 1),
            Self::Schedule(_) => "violation".into(),
            Self::Doubted(_) => "violation that does not count".into(),
            Self::Proved { proof, .. } => describe(proof),
            Self::Explored(explored) => format!("all {} states", explored.states()),
            Self::Beyond(_) => "no violation within the limits".into(),
            Self::Undecided { reason, .. } | Self::Contradiction(reason) => reason.clone(),
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
    prepared: &Arc<Prepared>,
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
    let mut reports = side_by_side(&engines, prepared, options, budget, progress);
    let (engine, answer) = choose(&reports, prepared.is_whole());
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

/// The reports of all engines in the order in which they ended; those that are late when they are cancelled come last, and
/// their threads end by themselves.
fn side_by_side(
    engines: &[EngineChoice],
    prepared: &Arc<Prepared>,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Vec<Report> {
    let start = Instant::now();
    let shared = budget.child();
    let (sender, receiver) = mpsc::channel();
    let mut threads: Vec<(EngineChoice, JoinHandle<()>)> = Vec::new();
    for &engine in engines {
        let (sender, budget) = (sender.clone(), shared.clone());
        let (prepared, options, progress) =
            (Arc::clone(prepared), options.clone(), progress.clone());
        let work = move || run(engine, &prepared, &options, &budget, &progress, &sender);
        threads.push((engine, thread::spawn(work)));
    }
    drop(sender);
    let (mut reports, late) = collect(&receiver, &shared);
    for (engine, thread) in threads {
        if (!late || thread.is_finished())
            && let Err(panic) = thread.join()
        {
            resume_unwind(panic);
        }
        if reports.iter().all(|report| report.choice != engine) {
            tracing::debug!(engine = name(&engine), "late");
            let answer = Answer::undecided(Reason::Cancelled.to_string());
            let outcome = (name(&engine), answer, None);
            reports.push(Report::new(engine, start, outcome));
        }
    }
    reports
}

/// What arrives until all engines have ended, or [`PATIENCE`] after one was conclusive and the others were cancelled, which is
/// [`SECOND_PROOF`] later if it has a proof by unrolling; and whether some were late then.
fn collect(receiver: &Receiver<Report>, shared: &Budget) -> (Vec<Report>, bool) {
    let mut reports: Vec<Report> = Vec::new();
    let mut proved: Option<Instant> = None;
    loop {
        let next = match proved {
            None => receiver.recv().ok(),
            Some(at) => {
                let left = SECOND_PROOF.saturating_sub(at.elapsed());
                receiver.recv_timeout(left).ok()
            }
        };
        let Some(report) = next else { break };
        let conclusive = report.answer.is_conclusive();
        let is_unrolled = report.answer.is_unrolled();
        reports.push(report);
        if conclusive && !is_unrolled {
            break;
        }
        if is_unrolled {
            proved.get_or_insert_with(Instant::now);
        }
    }
    shared.cancel();
    let cancelled = Instant::now();
    loop {
        match receiver.recv_timeout(PATIENCE.saturating_sub(cancelled.elapsed())) {
            Ok(report) => reports.push(report),
            Err(error) => {
                tracing::debug!(after = ?cancelled.elapsed(), "went on");
                return (reports, error == RecvTimeoutError::Timeout);
            }
        }
    }
}

fn names(engines: &[EngineChoice]) -> String {
    let names: Vec<String> = engines.iter().map(name).collect();
    names.join(", ")
}

/// The first conclusive answer, violations before all others and proofs by unrolling behind them, unless engines contradict each other.
fn choose(reports: &[Report], is_whole: bool) -> (String, Answer) {
    let says = |error| {
        let mut all = reports.iter();
        all.find(|report| report.answer.finds_error(is_whole) == Some(error))
    };
    let violation = says(true);
    if let (Some(with), Some(without)) = (violation, says(false)) {
        let claims = [with, without]
            .map(|report| format!("{}: {}", report.statistics.engine, report.statistics.answer));
        return ("none".into(), Answer::Contradiction(claims.join(", but ")));
    }
    let conclusive = reports
        .iter()
        .filter(|report| report.answer.is_conclusive())
        .min_by_key(|report| report.answer.is_unrolled());
    let is_doubted = |report: &&Report| matches!(report.answer, Answer::Doubted(_));
    let doubted = || reports.iter().find(is_doubted);
    match violation.or(conclusive).or_else(doubted) {
        Some(first) => (first.statistics.engine.clone(), first.answer.clone()),
        None => undecided(reports),
    }
}

/// All reasons, one per engine, and what some of them met.
fn undecided(reports: &[Report]) -> (String, Answer) {
    let mut reasons: Vec<String> = reports
        .iter()
        .map(|report| format!("{}: {}", report.statistics.engine, report.statistics.answer))
        .collect();
    reasons.sort();
    let met = |report: &Report| match &report.answer {
        Answer::Undecided { met, .. } => met.clone(),
        Answer::Trace(_)
        | Answer::Schedule(_)
        | Answer::Doubted(_)
        | Answer::Proved { .. }
        | Answer::Explored(_)
        | Answer::Beyond(_)
        | Answer::Contradiction(_) => Vec::new(),
    };
    let met: BTreeSet<String> = reports.iter().flat_map(met).collect();
    let answer = Answer::Undecided {
        reason: reasons.join(", "),
        met: met.into_iter().collect(),
    };
    ("none".into(), answer)
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
    priorities::step_back(choice, options);
    let outcome = engines::run(choice, prepared, options, budget, progress);
    // The receiver is gone if the verdict went on without this engine, or after a panic elsewhere, which is reported there.
    let _ = reports.send(Report::new(choice, start, outcome));
}

#[cfg(test)]
mod tests {
    use system::term::Terms;

    use super::*;

    fn report(engine: &str, answer: Answer) -> Report {
        let outcome = (engine, answer, None);
        Report::new(EngineChoice::Portfolio, Instant::now(), outcome)
    }

    #[test]
    fn the_first_conclusive_answer_is_chosen() {
        let open = report("kind", Answer::undecided("time"));
        let error = report("bmc", Answer::Schedule(abi::schedule::Schedule::default()));
        let (engine, answer) = choose(&[open, error], true);
        assert_eq!(engine, "bmc");
        assert!(matches!(answer, Answer::Schedule(_)));
    }

    #[test]
    fn a_proof_by_unrolling_is_the_last_choice() {
        let unrolled = || {
            let mut terms = Terms::default();
            let system = TransitionSystem {
                guard: terms.bool(true),
                terms,
                state: Vec::new(),
                inputs: Vec::new(),
                initial_constraints: Vec::new(),
                invariant_constraints: Vec::new(),
                properties: Vec::new(),
            };
            let proof = Proof::Exhausted { depth: 3 };
            let system = Box::new(system);
            report("bmc", Answer::Proved { system, proof })
        };
        let other = report("explicit", Answer::Beyond(Vec::new()));
        let (engine, _) = choose(&[unrolled(), other], true);
        assert_eq!(engine, "explicit");
        let (engine, _) = choose(
            &[unrolled(), report("ic3", Answer::undecided("time"))],
            true,
        );
        assert_eq!(engine, "bmc");
    }

    #[test]
    fn a_contradiction_is_no_verdict() {
        let safe = report("kind", Answer::Beyond(Vec::new()));
        let error = report("bmc", Answer::Schedule(abi::schedule::Schedule::default()));
        let (_, answer) = choose(&[safe, error], true);
        assert!(
            matches!(answer, Answer::Contradiction(claims) if claims.contains("bmc") && claims.contains("kind"))
        );
    }

    #[test]
    fn a_violation_that_does_not_count_is_answered_if_nobody_knows_better() {
        let doubted = || {
            let schedule = abi::schedule::Schedule::default();
            report("explicit", Answer::Doubted(schedule))
        };
        let (engine, _) = choose(
            &[doubted(), report("bmc", Answer::Beyond(Vec::new()))],
            true,
        );
        assert_eq!(engine, "bmc");
        let (engine, _) = choose(&[report("bmc", Answer::undecided("time")), doubted()], true);
        assert_eq!(engine, "explicit");
    }

    #[test]
    fn a_violation_may_lie_behind_what_is_encoded() {
        let limited = || {
            let trace = Trace {
                property: 1,
                steps: Vec::new(),
            };
            report("bmc", Answer::Beyond(vec![LimitReached::Trace(trace)]))
        };
        let error = || {
            report(
                "explicit",
                Answer::Schedule(abi::schedule::Schedule::default()),
            )
        };
        let (engine, _) = choose(&[limited(), error()], false);
        assert_eq!(engine, "explicit");
        let (_, answer) = choose(&[limited(), error()], true);
        assert!(matches!(answer, Answer::Contradiction(_)));
    }
}
