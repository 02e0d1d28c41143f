//! Locks that a run overwrites, copies or initialises again while they are in use. The model watches one lock at a time
//! (`frontend/library/watch.c`), so a run that watches another lock continues; here each lock is watched in turn.

use std::collections::VecDeque;

use abi::ids::{InstanceId, SiteId};
use explicit::interpret::{
    Interpreter, NondeterministicChoice, Oracle, ReplayStep, ReplayedRun, State, StepResult,
};
use program::model::{HavocOrigin, LimitKind, LocationId, LocationKind, Property};

use crate::task::Task;

/// A use of a lock that has no defined meaning though the run goes on.
pub(crate) struct Misuse {
    /// How many steps of the run come before it.
    pub step: usize,
    /// Where it is.
    pub site: SiteId,
    /// What it is, in words.
    pub what: String,
}

/// The first one.
pub(crate) fn first_misuse(task: &Task, run: &ReplayedRun) -> Option<Misuse> {
    let interpreter = Interpreter::new(&task.program, &task.instances);
    let mut watched = 0;
    loop {
        let mut variant = Variant {
            task,
            interpreter: &interpreter,
            state: interpreter.initial(),
            watch: Watch {
                inputs: VecDeque::new(),
                before: watched,
                is_asked: false,
            },
        };
        if let Err(Stop::Misuse(misuse)) = variant.follow(&run.steps) {
            return Some(misuse);
        }
        if !variant.watch.is_asked {
            return None;
        }
        watched += 1;
    }
}

/// Why a run goes no further.
enum Stop {
    /// A lock is used in a way that has no defined meaning.
    Misuse(Misuse),
    /// It left the run that it follows.
    Lost,
}

/// A run that differs from another one in the lock that is watched.
struct Variant<'a> {
    task: &'a Task,
    interpreter: &'a Interpreter<'a>,
    state: State,
    watch: Watch,
}

impl Variant<'_> {
    /// Follows a run. Where the watch makes another branch of the library be taken, the paths meet again soon, in the same thread.
    fn follow(&mut self, whole: &[ReplayStep]) -> Result<(), Stop> {
        /// The longest path in the library on which a run differs.
        const LONGEST: usize = 64;
        let (mut apart, mut run) = (0, whole);
        while let Some((step, rest)) = run.split_first() {
            let here = self.state.location(step.instance);
            let is_here = |step: &ReplayStep| self.source(step) == here;
            let others = run
                .iter()
                .take_while(|other| other.instance == step.instance);
            let (inputs, ahead) = if is_here(step) {
                apart = 0;
                (step.inputs.as_slice(), rest)
            } else if let Some(skipped) = others.take(LONGEST).position(is_here) {
                run = &run[skipped..];
                continue;
            } else {
                apart += 1;
                (&[][..], run)
            };
            if apart > LONGEST {
                return Err(Stop::Lost);
            }
            self.watch.inputs = inputs.iter().copied().collect();
            self.step(step.instance, whole.len() - run.len())?;
            run = ahead;
        }
        Ok(())
    }

    /// Where a thread was before a step.
    fn source(&self, step: &ReplayStep) -> LocationId {
        let template = self.task.instances.threads[step.instance].template;
        self.task.program.templates[template].edges[step.edge].source
    }

    /// Executes one statement, behind so many steps of the run.
    fn step(&mut self, instance: InstanceId, steps: usize) -> Result<(), Stop> {
        let next = self
            .interpreter
            .step(&self.state, instance, &mut self.watch);
        let StepResult::Executed {
            state, executed, ..
        } = next
        else {
            return Err(Stop::Lost);
        };
        self.state = state;
        match self.interpreter.kind(&self.state, instance) {
            LocationKind::Limit(LimitKind::Undefined)
            | LocationKind::Error(Property::NoLockMisuse) => {}
            LocationKind::Ordinary
            | LocationKind::Exited
            | LocationKind::Error(_)
            | LocationKind::Halted
            | LocationKind::Blocked
            | LocationKind::Limit(_) => return Ok(()),
        }
        let template = self.task.instances.threads[instance].template;
        let site = self.task.program.templates[template].edges[executed.edge].site;
        let words = self.task.program.explanations.get(&site);
        Err(words.map_or(Stop::Lost, |words| {
            Stop::Misuse(Misuse {
                step: steps,
                site,
                what: words.clone(),
            })
        }))
    }
}

/// Gives a run what another one was given, except that one lock is watched.
struct Watch {
    inputs: VecDeque<u128>,
    /// How many locks are not chosen before the one that is.
    before: usize,
    /// Whether that one was reached.
    is_asked: bool,
}

impl Oracle for Watch {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        let given = self.inputs.pop_front().unwrap_or(0);
        let NondeterministicChoice::Havoc {
            origin: HavocOrigin::Watch,
            ..
        } = choice
        else {
            return given;
        };
        let chosen = !self.is_asked && self.before == 0;
        self.is_asked |= chosen;
        self.before = self.before.saturating_sub(1);
        chosen.into()
    }
}
