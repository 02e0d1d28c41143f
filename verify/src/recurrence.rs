//! Runs that go on for ever: their evidence.

use abi::schedule::Schedule;
use explicit::interpret::{Repeated, ReplayStep, repeat};
use program::model::{LocationKind, Property};

use crate::dependence::doubt;
use crate::evidence::{Evidence, schedule_of, why_doubted};
use crate::task::Task;
use crate::trace::SourceTrace;
use crate::verdict::{Failure, Verdict};

/// UNSAFE, after the interpreter has repeated what is said to be repeated for ever on the program as it was read.
///
/// # Errors
/// The program does not repeat it.
pub(crate) fn goes_on(task: &Task, schedule: Schedule) -> Result<Evidence, Failure> {
    let repeated = repeat(&task.program, &task.instances, &schedule);
    let Repeated {
        mut run,
        stem,
        round,
        same_state,
        left_out,
    } = repeated.map_err(|error| {
        Failure::Internal(format!(
            "a run that should go on for ever does not when replayed: {error}"
        ))
    })?;
    let doubted = doubt(task, &run);
    let rounds = (run.steps.len() - stem) / round.max(1);
    run.steps.truncate(stem + round);
    let site = place(task, &run.steps[stem..]).site;
    let mut trace = SourceTrace::new(task, &run);
    trace.ending.push(format!(
        "the last {round} statements, from {} on, are repeated for ever",
        task.place(site)
    ));
    let open = |reason: String| {
        let replayed = Some("replayed".to_owned());
        Evidence {
            run: Some((trace.clone(), schedule.clone())),
            ..Evidence::new(Verdict::unknown(reason), replayed)
        }
    };
    if let Some(doubt) = doubted {
        return Ok(open(why_doubted(task, site, doubt)));
    }
    if let Some(function) = changing(task, &run.steps[stem..]) {
        return Ok(open(format!(
            "a run goes on for ever as long as `{function}` gives the same"
        )));
    }
    if task.assumptions.fair {
        let names = task.names();
        if let Some(thread) = left_out {
            return Ok(open(format!(
                "a run that goes on for ever is not fair to `{}`",
                names.thread(thread)
            )));
        }
        let threads = task.instances.threads.keys();
        for thread in threads.filter(|&thread| run.state.is_started(thread)) {
            let template = &task.program.templates[task.instances.threads[thread].template];
            let stops_at = match template.locations[run.state.location(thread)].kind {
                LocationKind::Blocked => "a false assumption",
                LocationKind::Limit(_) => "a limit",
                LocationKind::Ordinary
                | LocationKind::Exited
                | LocationKind::Error(_)
                | LocationKind::Halted => continue,
            };
            return Ok(open(format!(
                "a run goes on for ever in which `{}` stops at {stops_at}",
                names.thread(thread)
            )));
        }
    }
    let position = &task.program.sites[site];
    let verdict = Verdict::Unsafe {
        property: "run that goes on for ever".to_owned(),
        file: position.file.clone(),
        line: position.line,
        related: None,
    };
    let until = match same_state {
        true => "back to a state in which it was before".to_owned(),
        false => format!("{rounds} times, with all threads back at their places"),
    };
    let text = format!(
        "schedule of {stem} statements and {round} more replayed on the program, the latter {until}"
    );
    let mut schedule = schedule_of(&run.steps[..stem]);
    schedule.repeat_from_here();
    for step in &run.steps[stem..] {
        schedule.push_step(step.instance, &step.inputs);
    }
    Ok(Evidence {
        run: Some((trace, schedule)),
        violated: Some(Property::NoInfiniteRun),
        ..Evidence::new(verdict, Some(text))
    })
}

/// Functions whose result is open in the model each time that they are called, and on a machine is another one at some time.
const CHANGING: [&str; 9] = [
    "clock",
    "clock_gettime",
    "ftime",
    "gettimeofday",
    "pthread_clockjoin_np",
    "pthread_timedjoin_np",
    "pthread_tryjoin_np",
    "time",
    "timespec_get",
];

/// The first of these functions that decides something in some steps.
fn changing(task: &Task, steps: &[ReplayStep]) -> Option<&'static str> {
    steps.iter().find_map(|step| {
        let site = &task.program.sites[step.site];
        let called = site.library.as_ref().map(|call| call.function.as_str());
        let chosen = (!step.inputs.is_empty()).then_some(called)?;
        CHANGING.into_iter().find(|&name| Some(name) == chosen)
    })
}

/// The first of the steps that is no part of the library, if there is one.
fn place<'a>(task: &Task, steps: &'a [ReplayStep]) -> &'a ReplayStep {
    let is_of_program = |step: &&ReplayStep| task.program.sites[step.site].library.is_none();
    steps.iter().find(is_of_program).unwrap_or(&steps[0])
}
