//! Turns an engine's answer into a verdict with evidence, or into an internal error where the evidence fails.

use std::collections::BTreeSet;
use std::sync::Arc;

use abi::ids::SiteId;
use abi::schedule::Schedule;
use certify::{Certificate, CertifyError, SolverCommand};
use encode::counterexample::Run;
use encode::properties::{Limit, describe};
use encode::semantics::sink::NotEncoded;
use eventgraph::{Claim, ClaimError, Refutation};
use explicit::explore::inductiveness::{self, NotInductive};
use explicit::explore::{Explored, Scheduling};
use explicit::interpret::{ReplayEnd, ReplayStep, ReplayedRun, replay};
use program::model::{LimitKind, LocationKind, Property, Undefined};
use system::budget::Budget;
use system::eval::check_trace;
use system::transition_system::{Proof, Trace, TransitionSystem};

use crate::counted;
use crate::dependence::{Doubt, doubt};
use crate::engines::{LimitReached, eventgraph as eventgraph_engine};
use crate::recurrence;
use crate::report::FOR_ANY_NUMBER;
use crate::task::{Task, UNLIKE};
use crate::trace::SourceTrace;
use crate::unwritten::{Use, first_use};
use crate::verdict::{Failure, Verdict, listed, with_remedy};
use crate::violation::{Violation, over};

/// A verdict and why it can be believed.
#[derive(Debug)]
pub struct Evidence {
    /// The verdict.
    pub verdict: Verdict,
    /// The property that it says is violated.
    pub violated: Option<Property>,
    /// Why, in a sentence.
    pub text: Option<String>,
    /// The violating run, and its schedule.
    pub run: Option<(SourceTrace, Schedule)>,
    /// The proof, and the encoded system that it is about.
    pub proof: Option<(TransitionSystem, Proof)>,
    /// The states of an exhaustive search that was a proof.
    pub states: Option<Arc<Explored>>,
    /// The refutations of all orders of events, and what they follow from.
    pub orders: Option<(Claim, Vec<Refutation>)>,
    /// Limits of the program that runs were shown to meet, with their places.
    pub limits: Vec<String>,
}

impl Evidence {
    pub(crate) fn new(verdict: Verdict, text: Option<String>) -> Self {
        Self {
            verdict,
            violated: None,
            text,
            run: None,
            proof: None,
            states: None,
            orders: None,
            limits: Vec::new(),
        }
    }
}

/// Follows a run of the encoded system on the program as it was read. There is none where a number looks like an address of the model: the
/// system knows which addresses a word may hold, and takes others for numbers.
pub fn follow(task: &Task, trace: &Trace) -> Result<Option<Run>, Failure> {
    let encoded = task.encoded();
    let trace = encoded.original_trace(trace.clone()).ok_or_else(lost)?;
    check_trace(&encoded.encoding.system, &trace).map_err(|error| {
        Failure::Internal(format!(
            "an engine's trace is no run of the system: {error}"
        ))
    })?;
    let back = &encoded.encoding.back;
    match back.run(&task.program, &task.reduced, &task.instances, &trace) {
        Ok(run) => Ok(Some(run)),
        Err(_) if task.instances.has_numbers() => Ok(None),
        Err(error) => Err(Failure::Internal(format!(
            "a run of the encoding is none of the program: {error}"
        ))),
    }
}

/// Why a run cannot be followed.
pub const LOOKS_LIKE_ADDRESS: &str = "a run in which a number looks like an address";

fn lost() -> Failure {
    Failure::Internal("a simplification of the system has no way back".into())
}

/// UNSAFE, after the schedule was executed on the program as it was read.
pub fn violated(task: &Task, schedule: Schedule) -> Result<Evidence, Failure> {
    if schedule.repeats_from.is_some() {
        return recurrence::goes_on(task, schedule);
    }
    let mut replay = replay(&task.program, &task.instances, &schedule);
    let site = match &replay.end {
        ReplayEnd::Error { site, .. } => *site,
        ReplayEnd::NoError => {
            return Err(Failure::Internal(
                "a counterexample does not reach the error when replayed".into(),
            ));
        }
        ReplayEnd::Impossible { event, error } => {
            return Err(Failure::Internal(format!(
                "a counterexample cannot be replayed beyond event {event}: {error}"
            )));
        }
    };
    let doubt = doubt(task, &replay);
    let Some(violation) = Violation::found(task, &replay, doubt.as_ref()) else {
        let reason = match doubt {
            Some(doubt) => why_doubted(task, site, doubt),
            None => "a run that ends without a violation".into(),
        };
        return Ok(Evidence {
            run: Some((SourceTrace::new(task, &replay), schedule)),
            ..self::unknown(reason, Some("replayed".into()))
        });
    };
    replay.steps.truncate(violation.step + 1);
    let text = Some(format!(
        "schedule of {} statements replayed on the program",
        replay.steps.len()
    ));
    Ok(Evidence {
        run: Some((SourceTrace::new(task, &replay), schedule_of(&replay.steps))),
        violated: Some(violation.property),
        ..Evidence::new(violation.verdict(task), text)
    })
}

/// The schedule of a run.
pub(crate) fn schedule_of(steps: &[ReplayStep]) -> Schedule {
    let mut schedule = Schedule::default();
    for step in steps {
        schedule.push_step(step.instance, &step.inputs);
    }
    schedule
}

/// Why a violation does not count.
pub(crate) fn why_doubted(task: &Task, violated: SiteId, doubt: Doubt) -> String {
    let (unknown, names) = match doubt {
        Doubt::Depends(unknown) => (unknown, task.names()),
        Doubt::Unjustified { site } => {
            return format!(
                "the violation at {} depends on a result that only data races are looked for with, {}",
                task.place(violated),
                task.place(site)
            );
        }
        Doubt::Undefined { site, what, .. } => {
            let place = task.place(site);
            return format!("undefined behaviour ({what}) at {place}");
        }
        Doubt::Over { site, object, .. } => {
            let undefined = task.names().undefined(over(task, object).into());
            let place = task.place(site);
            return format!("undefined behaviour ({undefined}) at {place}");
        }
    };
    let value = match unknown.lies {
        Some(object) => names.placement(object),
        None => task
            .program
            .explanations
            .get(&unknown.site)
            .map_or("the unknown result of a library function", String::as_str)
            .to_owned(),
    };
    format!(
        "the violation at {} depends on {value}, {}",
        task.place(violated),
        task.place(unknown.site)
    )
}

/// The certificate of a proof about the encoding of a task: where threads stand for any number of others, it says that the proof holds for
/// all of these.
///
/// # Errors
/// The proof is none of the system, or does not hold for others.
pub(crate) fn certificate(
    task: &Task,
    system: &TransitionSystem,
    proof: &Proof,
) -> Result<Certificate, CertifyError> {
    let certificate = Certificate::new(system, proof)?;
    let encoded = task.encoded();
    match encoded.encoding.families.as_deref() {
        Some([]) => Ok(certificate),
        Some(families) => {
            let encoding = &encoded.encoding;
            let counted = encoded.counted();
            let counts = counted.map_or_else(Vec::new, |counted| {
                counted::certified(encoding, &counted.counting.counts)
            });
            let mut all = counts.iter();
            match all.find(|count| counted::counts_returned(encoding, count)) {
                Some(count) => Err(CertifyError::Proof(format!(
                    "threads that have returned are counted: {count}"
                ))),
                None => certificate.for_all(families.to_vec(), counts),
            }
        }
        None => Err(CertifyError::Proof(UNLIKE.to_owned())),
    }
}

/// SAFE, after the proof was checked by a separate solver.
pub fn proved(
    task: &Task,
    simplified: &TransitionSystem,
    proof: &Proof,
    solver: &SolverCommand,
) -> Result<Evidence, Failure> {
    let (system, proof) = task
        .encoded()
        .original_proof(simplified.clone(), proof.clone())
        .ok_or_else(lost)?;
    let certificate = certificate(task, &system, &proof);
    match certificate.and_then(|certificate| certificate.discharge(solver)) {
        Ok(certified) => {
            let names: Vec<_> = certified
                .discharged
                .into_iter()
                .map(|obligation| obligation.name)
                .collect();
            let for_whom = match task.program.families.is_empty() {
                true => "",
                false => FOR_ANY_NUMBER,
            };
            let names = names.join(", ");
            let text = format!("{names} discharged by {}{for_whom}", solver.program);
            Ok(Evidence {
                proof: Some((system, proof)),
                ..Evidence::new(Verdict::Safe, Some(text))
            })
        }
        // That threads are alike is taken for granted before, and shows here.
        Err(error @ CertifyError::Refuted { .. }) if !task.program.families.is_empty() => {
            Ok(unknown(
                format!("a proof was found that does not hold for any number of threads: {error}"),
                None,
            ))
        }
        Err(error @ (CertifyError::Refuted { .. } | CertifyError::Proof(_))) => {
            Err(Failure::Internal(format!(
                "a proof was refuted by the separate checker: {error}"
            )))
        }
        Err(error) => Ok(unknown(
            format!("a proof was found and could not be certified: {error}"),
            None,
        )),
    }
}

/// SAFE, after a separate checker refuted the formulas and found no order for what they exclude.
pub fn refuted(refutations: &[Refutation], solver: &SolverCommand) -> Result<Evidence, Failure> {
    let mut cycles = 0;
    for Refutation {
        system,
        order,
        excluded,
    } in refutations
    {
        let checked = excluded
            .iter()
            .try_for_each(|literals| order.check(literals));
        let proof = Proof::Exhausted { depth: 0 };
        let checked =
            checked.and_then(|()| certify::check_proof(system, &proof, solver).map(|_| ()));
        match checked {
            Ok(()) => cycles += excluded.len(),
            Err(error @ (CertifyError::Refuted { .. } | CertifyError::Proof(_))) => {
                return Err(Failure::Internal(format!(
                    "a refutation does not hold for the separate checker: {error}"
                )));
            }
            Err(error) => {
                return Ok(unknown(
                    format!(
                        "all orders of events were refuted, which could not be certified: {error}"
                    ),
                    None,
                ));
            }
        }
    }
    let text = format!(
        "{} about all orders of events refuted, {cycles} cycles of events checked",
        match refutations.len() {
            1 => "1 formula".to_owned(),
            number => format!("{number} formulas"),
        }
    );
    Ok(Evidence::new(Verdict::Safe, Some(text)))
}

/// As [`refuted`], of formulas that are made anew from what is kept, so that what is written is what was checked.
pub fn refuted_anew(
    task: &Task,
    claim: &Claim,
    budget: &Budget,
    solver: &SolverCommand,
) -> Result<Evidence, Failure> {
    match eventgraph_engine::refutations(task, claim, budget) {
        Ok(refutations) => {
            let evidence = refuted(&refutations, solver)?;
            Ok(Evidence {
                orders: Some((claim.clone(), refutations)),
                ..evidence
            })
        }
        Err(ClaimError::Stopped(_)) => Ok(undecided(
            budget,
            "all orders of events were refuted, and the certificate was not made yet",
            &[],
        )),
        Err(error @ ClaimError::Unusable(_)) => Err(Failure::Internal(error.to_string())),
    }
}

/// SAFE, after the states of the search were checked to be an inductive invariant by code other than the search's.
pub fn explored(
    task: &Task,
    explored: &Arc<Explored>,
    budget: &Budget,
) -> Result<Evidence, Failure> {
    let program = task.searched(explored.scheduling());
    let of = match explored.scheduling() {
        Scheduling::Visible => "",
        Scheduling::External => " of the reduced program",
    };
    let instances = &task.instances;
    let interrupted = || budget.exhausted().is_some();
    match inductiveness::check_unless(program, instances, explored, &interrupted) {
        Ok(()) => {
            let ends = match program.properties.contains(&Property::NoInfiniteRun) {
                true => ", none leads back to itself",
                false => "",
            };
            let text = format!(
                "all {} states{of} checked: the initial state is among them, none violates anything, every successor is among them{ends}",
                explored.states()
            );
            Ok(Evidence {
                states: Some(Arc::clone(explored)),
                ..Evidence::new(Verdict::Safe, Some(text))
            })
        }
        Err(NotInductive::Interrupted) => Ok(undecided(
            budget,
            "all states were seen, and not yet checked to be all",
            &[],
        )),
        Err(error) => Err(Failure::Internal(format!(
            "the states of the exhaustive search are no inductive invariant: {error}"
        ))),
    }
}

/// UNKNOWN, because of the limit that stopped the engines if there is one. Runs meet some limits of the program all the same.
pub fn undecided(budget: &Budget, reason: &str, met: &[String]) -> Evidence {
    let mut reason = match budget.exhausted() {
        Some(limit) => format!("{}; {reason}", with_remedy(&limit)),
        None => reason.to_owned(),
    };
    if !met.is_empty() {
        reason = format!("{reason}; met by a run: {}", listed(met, NAMED));
    }
    Evidence {
        limits: met.to_vec(),
        ..unknown(reason, None)
    }
}

fn unknown(reason: String, text: Option<String>) -> Evidence {
    Evidence::new(Verdict::unknown(reason), text)
}

/// What a run into a limit of the encoded system is a run to.
#[derive(Debug)]
pub enum Met {
    /// A limit.
    Limit {
        /// Which, in words, with its place.
        reason: String,
        /// Whether it is one of the program, and not only of the encoding.
        is_of_program: bool,
    },
    /// An error, behind a limit of the encoding.
    Error(Schedule),
}

/// Follows a run into a limit on the program.
///
/// # Errors
/// It is no run of the program, or meets no limit there.
pub fn met(task: &Task, trace: &Trace) -> Result<Met, Failure> {
    let Some(run) = follow(task, trace)? else {
        return Ok(Met::Limit {
            reason: LOOKS_LIKE_ADDRESS.into(),
            is_of_program: false,
        });
    };
    let replay = replay(&task.program, &task.instances, &run.schedule);
    let is_of_program = matches!(
        limit_met(task, &replay, trace.property),
        Some(Limit::Program(_))
    );
    // A run of the program goes on where the encoding ends, and what a statement without meaning violates is seen there.
    if matches!(replay.end, ReplayEnd::Error { .. }) {
        return Ok(Met::Error(run.schedule));
    }
    let reason = match run.stray_access {
        Some(access) if !meets_limit(task, &replay, trace.property) => format!(
            "undefined behaviour (access through an undefined address) at {}",
            task.place(access)
        ),
        Some(_) | None => describe_limit(task, &replay, trace.property)?,
    };
    Ok(Met::Limit {
        reason,
        is_of_program,
    })
}

/// So many reasons are named.
const NAMED: usize = 8;

/// UNKNOWN: no violation, and a limit that is reachable; or UNSAFE, if a run violates the property behind a limit of the encoding.
pub fn beyond(task: &Task, limits: &[LimitReached]) -> Result<Evidence, Failure> {
    let (mut reasons, mut of_program) = (BTreeSet::new(), Vec::new());
    for limit in limits {
        let (reason, is_of_program) = match limit {
            LimitReached::Described(text) => (text.clone(), true),
            LimitReached::Trace(trace) => match met(task, trace)? {
                Met::Limit {
                    reason,
                    is_of_program,
                } => (reason, is_of_program),
                Met::Error(schedule) => return violated(task, schedule),
            },
        };
        if reasons.insert(reason.clone()) && is_of_program {
            of_program.push(reason);
        }
    }
    let reasons: Vec<String> = reasons.into_iter().collect();
    let text = "no violation within the limits".into();
    Ok(Evidence {
        limits: of_program,
        ..unknown(listed(&reasons, NAMED), Some(text))
    })
}

/// The limit in which a run ends, in words, with its place.
fn describe_limit(task: &Task, replay: &ReplayedRun, property: usize) -> Result<String, Failure> {
    let name = &task.encoded().encoding.system.properties[property].name;
    if !meets_limit(task, replay, property) {
        return Err(Failure::Internal(format!(
            "a run into a limit ({name}) does not meet it when replayed"
        )));
    }
    let is_undefined =
        limit_met(task, replay, property) == Some(Limit::Program(LimitKind::Undefined));
    Ok(describe_end(task, replay, name, is_undefined))
}

/// The limit of the program in which a schedule ends, in words, with its place, if it ends in one.
pub(crate) fn describe_limit_of(task: &Task, schedule: &Schedule) -> Option<String> {
    let replay = replay(&task.program, &task.instances, schedule);
    let last = replay.steps.last()?;
    let template = task.instances.threads[last.instance].template;
    let LocationKind::Limit(kind) = task.program.templates[template].locations[last.location].kind
    else {
        return None;
    };
    let name = describe(&task.program, Limit::Program(kind));
    (replay.end == ReplayEnd::NoError)
        .then(|| describe_end(task, &replay, &name, kind == LimitKind::Undefined))
}

/// The place where a run ends in a limit of this name, and what has no meaning there.
fn describe_end(task: &Task, replay: &ReplayedRun, name: &str, is_undefined: bool) -> String {
    let Some(step) = replay.steps.last() else {
        return name.to_owned();
    };
    let place = task.place(step.site);
    if is_undefined {
        // An address that was never written points to no meaningful object.
        if let Some(Use { site, what, .. }) = first_use(task, replay) {
            let place = task.place(site);
            return format!("undefined behaviour ({what}) at {place}");
        }
        let freed = step.undefined.and_then(Undefined::freed);
        let freed = freed.and_then(|object| replay.freed_at(object));
        let names = task.names();
        let undefined = names.undefined_at(step.undefined, step.site, freed);
        return match names.is_of_unread(step.undefined) {
            true => format!("unsupported {undefined} at {place}"),
            false => format!("undefined behaviour ({undefined}) at {place}"),
        };
    }
    match name.ends_with(&place) {
        true => name.to_owned(),
        false => format!("{name} at {place}"),
    }
}

/// The limit of the system that a run meets; that of the program, where it is seen there whether an access has a meaning.
fn limit_met(task: &Task, replay: &ReplayedRun, property: usize) -> Option<Limit> {
    let limit = task.encoded().encoding.back.limit(property);
    let is_undefined = || {
        let last = replay.steps.last();
        last.is_some_and(|step| step.undefined.is_some())
    };
    if limit == Some(Limit::Encoding(NotEncoded::UnreadObject)) && is_undefined() {
        return Some(Limit::Program(LimitKind::Undefined));
    }
    limit
}

/// Whether a run ends where the program has the limit. One of the encoding is none of the program: there the run just ends.
fn meets_limit(task: &Task, replay: &ReplayedRun, property: usize) -> bool {
    let met = replay.steps.last().map(|step| {
        let template = task.instances.threads[step.instance].template;
        task.program.templates[template].locations[step.location].kind
    });
    let expected = match limit_met(task, replay, property) {
        Some(Limit::Program(kind)) => met == Some(LocationKind::Limit(kind)),
        Some(Limit::Encoding(_)) => true,
        None => false,
    };
    expected && replay.end == ReplayEnd::NoError
}
