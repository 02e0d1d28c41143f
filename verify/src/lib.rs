//! The verifier: from C or bitcode to a verdict that carries its evidence.
//!
//! [`Source`] reads the input and makes a [`Task`] of it for each reduction and property, [`decide`] runs the engines on a
//! task side by side, [`evidence`] replays or certifies what they say, and [`report`](mod@report) prints the result.
//! [`supervisor`] keeps the limits.

mod accessed;
mod any_number;
mod approximations;
mod arguments;
mod bounds;
pub mod check_certificate;
pub mod command;
pub mod compare;
mod counted;
mod deadlock;
mod dependence;
mod describe;
mod elsewhere;
pub mod engines;
mod event_orders;
pub mod evidence;
pub mod expected_verdict;
pub mod export;
mod invariant;
mod misuse;
pub mod native;
pub mod options;
pub mod output_files;
pub mod portfolio;
mod program_arguments;
pub mod program_options;
pub mod progress;
pub mod properties;
pub mod property_file;
pub mod property_option;
mod race;
mod recurrence;
pub mod replay;
pub mod report;
mod states;
mod stopped;
mod subject;
pub mod supervisor;
pub mod task;
pub mod task_definition;
pub mod thread_bound;
pub mod trace;
mod unwritten;
pub mod user_property_options;
mod vacuity;
pub mod verdict;
mod violation;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use abi::schedule::Schedule;
use abi::text;
use certify::SolverCommand;
use program::model::{Property, Unsupported};
use system::budget::{Budget, peak_mebibytes};
use system::term::Term;
use system::transition_system::Proof;

use crate::approximations::approximations;
use crate::engines::{Answer, LimitReached, explicit};
use crate::evidence::Evidence;
use crate::invariant::{contracts, lemmas};
use crate::options::{EngineOptions, Options};
use crate::portfolio::{Decision, decide};
use crate::program_options::ProgramOptions;
use crate::progress::Progress;
use crate::report::{CertificateFile, ConflictingAccesses, Report, Statistics};
use crate::states::StateCertificate;
pub use crate::stopped::stopped;
use crate::task::{Encoded, Source, Task};
use crate::thread_bound::ThreadBound;
use crate::verdict::{Failure, Verdict};

/// Verifies what the options say, and keeps their time and memory limits as well as the engines do.
pub fn run(options: &Options) -> Result<Report, Failure> {
    run_showing(options, &Progress::hidden())
}

/// As [`run`], of a program that was read already. The time limit is for what is left to do.
pub fn run_read(source: &Source, options: &Options) -> Result<Report, Failure> {
    let budget = budget(options);
    check(options)?;
    let progress = Progress::hidden();
    if options.program.asks_for_each() {
        return verify_each(source, options, &budget, &progress);
    }
    if is_for_any_number(options) {
        return verify_any_number(source, options, &budget, &progress);
    }
    verify_together(source.task(&options.program)?, options, &budget, &progress)
}

/// As [`run`], and shows meanwhile what is going on.
pub fn run_showing(options: &Options, progress: &Progress) -> Result<Report, Failure> {
    let budget = budget(options);
    check(options)?;
    progress.stage("reading");
    let source = Source::read(&options.program)?;
    if options.program.asks_for_each() {
        return verify_each(&source, options, &budget, progress);
    }
    if is_for_any_number(options) {
        return verify_any_number(&source, options, &budget, progress);
    }
    let task = source.task(&options.program)?;
    // What was read is large, and the engines do without it.
    drop(source);
    verify_together(task, options, &budget, progress)
}

fn is_for_any_number(options: &Options) -> bool {
    options.program.threads == Some(ThreadBound::Any)
}

/// Verifies the properties of a program for any number of threads until one is violated.
fn verify_any_number(
    source: &Source,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Result<Report, Failure> {
    let (_, report) = any_number::verify(source, &options.program, options, budget, progress)?;
    Ok(output_files::certify(&options.output, report))
}

/// Verifies the properties of a task until one is violated.
fn verify_together(
    task: Task,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Result<Report, Failure> {
    let (_, report) = verify(&Arc::new(task), options, budget, progress)?;
    Ok(output_files::certify(&options.output, report))
}

/// What is looked for by runs that the program does not have otherwise.
const HAVE_MORE_RUNS: [Property; 2] = [Property::ValidMemtrack, Property::NoDataRace];

/// What is looked for in a system of its own.
const IS_APART: Property = Property::NoInfiniteRun;

/// Verifies all properties of the options at once, and if one is violated, the others without it. Those that are not supported stay
/// open. A program that looks for data races or leaks has more runs: where these leave something open, each comes last and alone. Runs that
/// go on for ever are always looked for alone.
fn verify_each(
    source: &Source,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Result<Report, Failure> {
    let mut left = options.program.verified();
    let mut reports = Vec::new();
    for property in options.program.verified() {
        if let Some(reason) = source.refuses(property)
            && left.len() > 1
        {
            left.remove(&property);
            reports.push((property, Report::undecided(Verdict::unknown(reason))));
        }
    }
    progress.reports(&reports);
    let mut are_apart = false;
    while !left.is_empty() {
        let mut alone = BTreeSet::from([IS_APART]);
        if are_apart {
            alone.extend(HAVE_MORE_RUNS);
        }
        let others: BTreeSet<Property> = left.difference(&alone).copied().collect();
        let next = match others.is_empty() {
            true => left.first().copied().into_iter().collect(),
            false => others,
        };
        let asked = ProgramOptions {
            properties: vec![next.iter().copied().collect()],
            ..options.program.clone()
        };
        let other = source.again(&asked)?;
        let source = other.as_ref().unwrap_or(source);
        let outcome = match is_for_any_number(options) {
            true => Ok(any_number::verify(
                source, &asked, options, budget, progress,
            )),
            false => source
                .task(&asked)
                .map(|task| verify(&Arc::new(task), options, budget, progress)),
        };
        let (violated, report) = match outcome {
            Ok(outcome) => outcome?,
            // Instrumented bitcode does not keep what the others need once the first is violated.
            Err(Failure::Usage(reason)) if !reports.is_empty() => {
                let open = Report::undecided(Verdict::unknown(reason));
                reports.extend(left.iter().map(|&property| (property, open.clone())));
                break;
            }
            Err(failure) => return Err(failure),
        };
        let is_open = violated.is_none() && report.verdict != Verdict::Safe;
        let has_more_runs = HAVE_MORE_RUNS
            .iter()
            .any(|property| next.contains(property));
        if is_open && next.len() > 1 && has_more_runs {
            are_apart = true;
            continue;
        }
        let decided = match violated {
            Some(property) => BTreeSet::from([property]),
            None => next,
        };
        left = left.difference(&decided).copied().collect();
        reports.extend(
            decided
                .into_iter()
                .map(|property| (property, report.clone())),
        );
        progress.reports(&reports);
    }
    let report = Report::worst(reports, options.program.open());
    Ok(output_files::certify(&options.output, report))
}

fn verify(
    task: &Arc<Task>,
    options: &Options,
    budget: &Budget,
    progress: &Progress,
) -> Result<(Option<Property>, Report), Failure> {
    progress.task(task);
    let decision = decide(task, options, budget, progress);
    progress.stage("checking the evidence");
    let evidence = judge(task, &decision, options, budget)?;
    let violated = evidence.violated;
    Ok((violated, report(task, decision, evidence, options, budget)?))
}

/// Finds out whether the options can be followed, before the work is done.
fn check(options: &Options) -> Result<(), Failure> {
    refuse_contradictions(&options.engines)?;
    let engine = options.engines.engine.only();
    if is_for_any_number(options) && engine.is_some_and(|engine| !engine.for_any_number) {
        return Err(Failure::Usage(
            "--threads any is for engines that prove for any number of threads: say --engine ic3 or --engine modular, or leave the \
             engine out"
                .into(),
        ));
    }
    let looks_for_infinite_runs = options.program.verified().contains(&IS_APART);
    if looks_for_infinite_runs && engine.is_some_and(|engine| !engine.for_infinite_runs) {
        return Err(Failure::Usage(format!(
            "`{IS_APART}` is for engines that look for runs that go on for ever: say --engine ic3, bmc, kind or explicit, or leave the engine out"
        )));
    }
    refuse_fairness_to_nothing(&options.program)?;
    let ProgramOptions {
        files,
        descriptions,
        ..
    } = &options.program;
    output_files::check(&options.output, &[files.as_slice(), descriptions].concat())
}

/// Fair scheduling, where nothing is looked for that it is about.
fn refuse_fairness_to_nothing(program: &ProgramOptions) -> Result<(), Failure> {
    match program.fair && !program.is_fair() {
        true => Err(Failure::Usage(format!(
            "--fair is about runs that go on for ever: say --property {IS_APART} or --property termination, too"
        ))),
        false => Ok(()),
    }
}

/// Options that the chosen engine would ignore.
fn refuse_contradictions(options: &EngineOptions) -> Result<(), Failure> {
    let engine = options.engine.only();
    if options.settings.predicates.is_some()
        && !engine.is_some_and(|engine| engine.takes_predicates)
    {
        return Err(Failure::Usage(
            "--predicates is for one engine: say --engine ic3, too".into(),
        ));
    }
    let orders = options.settings.unwind.is_some() || options.settings.scheduling.is_some();
    if orders && !engine.is_some_and(|engine| engine.orders_events) {
        return Err(Failure::Usage(
            "--unwind and --scheduling are for one engine: say --engine eventgraph, too".into(),
        ));
    }
    if options.settings.scope.is_some() && !engine.is_some_and(|engine| engine.takes_scope) {
        return Err(Failure::Usage(
            "--scope is for one engine: say --engine modular, too".into(),
        ));
    }
    Ok(())
}

fn budget(options: &Options) -> Budget {
    let mut budget = Budget::unlimited();
    if let Some(time) = options.limits.timeout {
        budget = budget.with_time_before(time, supervisor::grace(time));
    }
    if let Some(mebibytes) = options.limits.memory {
        budget = budget.with_memory(mebibytes);
    }
    budget
}

/// The solver that checks proofs; it has what time is left.
fn checker(options: &Options, budget: &Budget) -> SolverCommand {
    let most = SolverCommand::default().time_limit;
    let left = options
        .limits
        .timeout
        .map_or(most, |limit| limit.saturating_sub(budget.elapsed()));
    SolverCommand::z3(left.min(most))
}

/// Turns the engines' answer into a verdict with evidence.
fn judge(
    task: &Task,
    decision: &Decision,
    options: &Options,
    budget: &Budget,
) -> Result<Evidence, Failure> {
    match &decision.answer {
        Answer::Schedule(schedule) | Answer::Doubted(schedule) => {
            violated(task, schedule.clone(), options, budget)
        }
        Answer::Proved { system, proof } => {
            evidence::proved(task, system, proof, &checker(options, budget))
        }
        Answer::Explored(explored) => evidence::explored(task, explored, budget),
        Answer::Refuted(claim, refutations) => {
            let checker = checker(options, budget);
            match options.output.certificate {
                Some(_) => evidence::refuted_anew(task, claim, budget, &checker),
                None => evidence::refuted(refutations, &checker),
            }
        }
        Answer::Beyond(limits) => beyond(task, limits, options, budget),
        Answer::Unencoded(trace) => {
            beyond(task, &[LimitReached::Trace(trace.clone())], options, budget)
        }
        Answer::Fault(failure) => Err(failure.clone()),
        Answer::Undecided { reason, met } => Ok(evidence::undecided(budget, reason, met)),
    }
}

/// UNKNOWN because of limits: those that an engine met, or those that a search meets that does not depend on which engine was first. An
/// engine that was asked for by name tells its own.
fn beyond(
    task: &Task,
    limits: &[LimitReached],
    options: &Options,
    budget: &Budget,
) -> Result<Evidence, Failure> {
    let found = evidence::beyond(task, limits)?;
    if options.engines.engine.only().is_some() || found.verdict.is_conclusive() {
        return Ok(found);
    }
    match explicit::limits_met(task, budget) {
        Ok(met) if met.is_empty() => Ok(found),
        Ok(met) => {
            let met: Vec<LimitReached> = met.into_iter().map(LimitReached::Described).collect();
            evidence::beyond(task, &met)
        }
        Err(schedule) => {
            let violated = evidence::violated(task, schedule)?;
            match violated.verdict {
                // A violation may lie behind what is encoded, and nowhere else.
                Verdict::Unsafe { .. } if !task.encoded().is_whole() => Ok(violated),
                Verdict::Unsafe { .. } => Err(Failure::Internal(
                    "engines disagree: one finds no violation, and a search does".into(),
                )),
                Verdict::Safe | Verdict::Unknown { .. } => Ok(found),
            }
        }
    }
}

/// UNSAFE, by the run that an engine found or by a shorter one that does not depend on which engine was first. An engine
/// that was asked for by name shows its own, which is always the same.
fn violated(
    task: &Task,
    schedule: Schedule,
    options: &Options,
    budget: &Budget,
) -> Result<Evidence, Failure> {
    let is_repeated = schedule.repeats_from.is_some();
    let found = evidence::violated(task, schedule)?;
    let engine = options.engines.engine.only();
    if is_repeated || engine.is_some_and(|engine| engine.shows_own_run) {
        return Ok(found);
    }
    let Some(shortest) = explicit::shortest(task, budget) else {
        return Ok(found);
    };
    let shortest = evidence::violated(task, shortest)?;
    // The shortest run may depend on an approximation that the other one does without. If both do, the shortest is told.
    let is_real = |evidence: &Evidence| matches!(evidence.verdict, Verdict::Unsafe { .. });
    let is_better = is_real(&found) && !is_real(&shortest);
    Ok(if is_better { found } else { shortest })
}

/// The constructs that are not read, with their places, and with what defines the function where that is what is missing.
fn unsupported_constructs(task: &Task, files: &[PathBuf]) -> Vec<String> {
    let constructs = task.program.unsupported.values();
    let constructs = constructs.filter(|construct| !construct.is_of_runs);
    let missing = constructs
        .clone()
        .filter_map(Unsupported::undefined_function);
    let definitions = elsewhere::definitions(files, missing.collect());
    let describe = |construct: &Unsupported| {
        let line = format!("{} at {}", construct.what, task.place(construct.site));
        let function = construct.undefined_function();
        match function.and_then(|name| definitions.get(name)) {
            Some(file) => format!("{line}; name `{}`, too, which defines it", text::path(file)),
            None => line,
        }
    };
    constructs.map(describe).collect()
}

fn report(
    task: &Task,
    decision: Decision,
    evidence: Evidence,
    options: &Options,
    budget: &Budget,
) -> Result<Report, Failure> {
    let Options {
        output, program, ..
    } = options;
    let engines = options.engines.engine;
    let is_safe = evidence.verdict == Verdict::Safe;
    // Who reads the statistics has the sizes of the encoding in all runs. A verdict alone does not wait for them.
    let is_measured = engines.needs_encoding() && output.json;
    let encoded = is_measured.then(|| task.encoded());
    let proof = evidence.proof.as_ref().filter(|_| output.invariant);
    let invariant = proof.and_then(|(system, proof)| Some((system, invariant_of(proof)?)));
    let lemmas = invariant.map(|(system, invariant)| lemmas(task, &system.terms, invariant));
    let contracts = invariant.map(|invariant| {
        let budget = budget.child_with_time(EXPLANATION_TIME);
        contracts(task, invariant, &budget)
    });
    let certificate = output
        .certificate
        .as_ref()
        .map(|_| certificate(task, &evidence));
    let (trace, schedule) = evidence.run.unzip();
    Ok(Report {
        verdict: evidence.verdict,
        evidence: evidence.text,
        properties: Vec::new(),
        side_by_side: engines.only().is_none(),
        assumptions: task.assumptions.clone(),
        trace,
        schedule,
        invariant: lemmas,
        contracts: contracts.unwrap_or_default(),
        certificate: certificate.transpose()?.flatten(),
        limits: evidence.limits,
        warnings: match is_safe {
            true => vacuity::warnings(&task.program, &task.instances),
            false => Vec::new(),
        },
        // SAFE says that no run reaches any of them.
        unsupported: match is_safe {
            true => Vec::new(),
            false => unsupported_constructs(task, &program.files),
        },
        approximations: approximations(task),
        conflicting_accesses: task.races.map(ConflictingAccesses::from),
        statistics: Statistics {
            threads: task.instances.threads.len(),
            objects: task.instances.objects.len() - task.instances.threads.len(),
            external_locations: task.external_locations,
            blocks: encoded.map(|encoded| encoded.encoding.statistics.blocks),
            state_bits: encoded.map(Encoded::state_bits),
            preparation_seconds: task.seconds,
            peak_mebibytes: peak_mebibytes(),
            engine: decision.engine,
            engines: decision.statistics,
        },
    })
}

/// How long it may take to find out what the threads of a proof rely on.
const EXPLANATION_TIME: Duration = Duration::from_secs(10);

/// The invariant of a proof, if it has one.
fn invariant_of(proof: &Proof) -> Option<Term> {
    match *proof {
        Proof::Inductive(invariant) | Proof::KInduction { invariant, .. } => Some(invariant),
        Proof::Exhausted { .. } => None,
    }
}

/// The certificate of SAFE.
fn certificate(task: &Task, evidence: &Evidence) -> Result<Option<CertificateFile>, Failure> {
    if let Some((system, proof)) = &evidence.proof {
        let certificate = evidence::certificate(task, system, proof);
        let certificate = certificate.map_err(|error| Failure::Internal(error.to_string()))?;
        let certificate = certificate.with_subject(task.subject()?);
        return Ok(Some(CertificateFile::Proof(
            certificate.print(&task.description_of_encoding()),
        )));
    }
    if let Some((claim, refutations)) = &evidence.orders {
        let certificates = event_orders::certificates(refutations)?;
        let text = event_orders::print(&task.description, &task.subject()?, (claim, &certificates));
        return Ok(Some(CertificateFile::Proof(text?)));
    }
    let Some(states) = &evidence.states else {
        return Ok(None);
    };
    Ok(Some(CertificateFile::States(StateCertificate {
        comments: task.description.clone(),
        subject: task.subject()?,
        states: Arc::clone(states),
    })))
}
