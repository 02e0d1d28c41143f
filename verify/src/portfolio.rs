//! Runs the engines side by side until one of them is conclusive.

use std::collections::BTreeSet;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use program::model::Property;
use rustix::process::setpriority_process;
use system::budget::Budget;
use system::transition_system::Reason;

use crate::engines::{Answer, Engine, EngineInput, Question};
use crate::options::Options;
use crate::progress::Progress;
use crate::report::{EngineStatistics, Queries, rounded};
use crate::supervisor::STACK;
use crate::task::{Encoded, Task};
use crate::verdict::Failure;

/// How long cancelled engines may take to end before the verdict goes on without them: solvers cannot be interrupted
/// everywhere.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long the others go on after a proof by unrolling: its check may take far longer than another engine takes to end.
const SECOND_PROOF: Duration = Duration::from_millis(500);

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

impl Report {
    /// Of an engine that started at `start` and ended, or was given up, now.
    fn new(engine: &str, start: Instant, (answer, queries): (Answer, Option<Queries>)) -> Self {
        let statistics = EngineStatistics {
            engine: engine.to_owned(),
            answer: answer.summary(),
            seconds: rounded(start.elapsed()),
            queries,
        };
        Self { answer, statistics }
    }
}

/// Decides a task, and shows meanwhile who is at work.
pub fn decide(
    task: &Arc<Task>,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Decision {
    let mut engines = options.engines.engine.engines();
    if !task.program.families.is_empty() {
        engines.retain(|engine| engine.for_any_number);
    }
    if task.program.properties.contains(&Property::NoInfiniteRun) {
        engines.retain(|engine| engine.for_infinite_runs);
    }
    progress.stage(format!("running {}", names(&engines)));
    let mut reports = side_by_side(&engines, task, options, budget, progress);
    // An engine that needs it has not answered before.
    let is_whole = task.encoded_by_now().is_some_and(Encoded::is_whole);
    let (engine, answer) = choose(&reports, is_whole);
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
///
/// Engines that work on the program run while it is encoded. The others are not started if there is a conclusive answer by then.
fn side_by_side(
    engines: &[&'static Engine],
    task: &Arc<Task>,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Vec<Report> {
    let start = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let all = Work {
        task: Arc::clone(task),
        options: options.clone(),
        budget: budget.child(),
        progress: progress.clone(),
        reports: sender,
    };
    let shared = all.budget.clone();
    let (on_system, on_program): (Vec<&'static Engine>, Vec<&'static Engine>) = engines
        .iter()
        .partition(|engine| engine.input == EngineInput::System);
    let mut threads: Vec<JoinHandle<()>> = on_program
        .into_iter()
        .map(|engine| all.start(engine))
        .collect();
    if on_system.is_empty() {
        drop(all);
    } else {
        let encoder = thread::Builder::new().stack_size(STACK);
        match encoder.spawn(move || all.encode_and_run(on_system)) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                let failure = Answer::Fault(no_thread(&error));
                return vec![Report::new("none", start, (failure, None))];
            }
        }
    }
    let (mut reports, late) = collect(&receiver, &shared);
    for thread in threads {
        if (!late || thread.is_finished())
            && let Err(panic) = thread.join()
        {
            resume_unwind(panic);
        }
    }
    for engine in engines {
        if reports
            .iter()
            .all(|report| report.statistics.engine != engine.name)
        {
            tracing::debug!(engine = engine.name, "late, or not started");
            let answer = Answer::undecided(Reason::Cancelled.to_string());
            reports.push(Report::new(engine.name, start, (answer, None)));
        }
    }
    reports
}

/// A thread with a stack of [`STACK`] bytes cannot be started.
pub(crate) fn no_thread(error: &io::Error) -> Failure {
    Failure::Usage(format!(
        "cannot start a thread with a stack of {STACK} bytes: {error}; raise the limit of memory (ulimit -v)"
    ))
}

/// What all engines work on, and where they report.
#[derive(Clone)]
struct Work {
    task: Arc<Task>,
    options: Options,
    budget: Budget,
    progress: Progress,
    reports: Sender<Report>,
}

impl Work {
    fn start(&self, engine: &'static Engine) -> JoinHandle<()> {
        let work = self.clone();
        thread::spawn(move || work.run(engine))
    }

    /// Encodes the program, then runs engines that need that, unless they were cancelled meanwhile.
    fn encode_and_run(self, engines: Vec<&'static Engine>) {
        self.task.encoded();
        if self.budget.exhausted() == Some(Reason::Cancelled) {
            return;
        }
        let threads: Vec<JoinHandle<()>> = engines
            .into_iter()
            .map(|engine| self.start(engine))
            .collect();
        drop(self);
        for thread in threads {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
    }

    fn run(&self, engine: &Engine) {
        let start = Instant::now();
        let question = Question {
            task: &self.task,
            settings: self.options.engines.settings,
            alone: self.options.engines.engine.only().is_some(),
            memory: self.options.limits.memory,
            budget: &self.budget,
            progress: &self.progress,
        };
        if !question.alone {
            // Without the right to do so everybody gets the same share, which is slower and no error.
            let _ = setpriority_process(None, engine.niceness);
        }
        let outcome = (engine.run)(&question);
        // The receiver is gone if the verdict went on without this engine, or after a panic elsewhere, which is reported there.
        let _ = self.reports.send(Report::new(engine.name, start, outcome));
    }
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

fn names(engines: &[&Engine]) -> String {
    let names: Vec<&str> = engines.iter().map(|engine| engine.name).collect();
    names.join(", ")
}

/// The first conclusive answer, faults and then violations before all others, and proofs by unrolling behind them, unless engines
/// contradict each other. If there is none, what is doubted or lies beyond the encoding says more than that time is over.
fn choose(reports: &[Report], is_whole: bool) -> (String, Answer) {
    let says = |error| {
        let mut all = reports.iter();
        all.find(|report| report.answer.finds_error(is_whole) == Some(error))
    };
    let violation = says(true);
    if let (Some(with), Some(without)) = (violation, says(false)) {
        let claims = [with, without]
            .map(|report| format!("{}: {}", report.statistics.engine, report.statistics.answer));
        let disagree = format!("engines disagree: {}", claims.join(", but "));
        return ("none".into(), Answer::Fault(Failure::Internal(disagree)));
    }
    let conclusive = reports
        .iter()
        .filter(|report| report.answer.is_conclusive())
        .min_by_key(|report| report.answer.is_unrolled());
    let is_fault = |report: &&Report| matches!(report.answer, Answer::Fault(_));
    let fault = reports.iter().find(is_fault);
    let is_doubted = |report: &&Report| matches!(report.answer, Answer::Doubted(_));
    let doubted = || reports.iter().find(is_doubted);
    let is_unencoded = |report: &&Report| matches!(report.answer, Answer::Unencoded(_));
    let unencoded = || reports.iter().find(is_unencoded);
    let inconclusive = || doubted().or_else(unencoded);
    match fault.or(violation).or(conclusive).or_else(inconclusive) {
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
        Answer::Schedule(_)
        | Answer::Doubted(_)
        | Answer::Proved { .. }
        | Answer::Explored(_)
        | Answer::Refuted(..)
        | Answer::Beyond(_)
        | Answer::Unencoded(_)
        | Answer::Fault(_) => Vec::new(),
    };
    let met: BTreeSet<String> = reports.iter().flat_map(met).collect();
    let answer = Answer::Undecided {
        reason: reasons.join(", "),
        met: met.into_iter().collect(),
    };
    ("none".into(), answer)
}

#[cfg(test)]
mod tests {
    use system::term::Terms;
    use system::transition_system::{Proof, Trace, TransitionSystem};

    use super::*;
    use crate::engines::LimitReached;

    fn report(engine: &str, answer: Answer) -> Report {
        Report::new(engine, Instant::now(), (answer, None))
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
            matches!(answer, Answer::Fault(Failure::Internal(claims)) if claims.contains("bmc") && claims.contains("kind"))
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
    fn what_is_not_encoded_is_told_if_nobody_knows_better() {
        let unencoded = || {
            let trace = Trace {
                property: 1,
                steps: Vec::new(),
            };
            report("bmc", Answer::Unencoded(trace))
        };
        let knows = report("explicit", Answer::Beyond(Vec::new()));
        assert_eq!(choose(&[unencoded(), knows], false).0, "explicit");
        let late = report("explicit", Answer::undecided("time"));
        assert_eq!(choose(&[late, unencoded()], false).0, "bmc");
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
        assert!(matches!(answer, Answer::Fault(_)));
    }
}
