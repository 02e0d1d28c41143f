//! What the tests of the semantics share.

pub mod c;

use abi::ids::InstanceId;
use abi::schedule::Schedule;
use explicit::explore::{Exploration, FoundViolation, SearchLimits, SearchVerdict, explore};
use explicit::interpret::{
    Interpreter, NondeterministicChoice, Observation, Oracle, ReplayEnd, State, StepResult,
    Waiting, replay,
};
use program::builder::{ProgramBuilder, TemplateBuilder};
use program::check::check;
use program::model::{Instances, LocationKind, Program, Undefined};
use program::threads::{Bounds, instantiate};

/// Answers from a list, and notes what happens.
#[derive(Default)]
pub struct Script {
    pub inputs: Vec<u128>,
    pub asked: Vec<u32>,
    pub events: Vec<Observation>,
}

impl Oracle for Script {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        let position = self.asked.len();
        self.asked.push(choice.width());
        self.inputs[position]
    }

    fn observe(&mut self, event: Observation) {
        self.events.push(event);
    }
}

/// A run of one thread until it cannot go on.
pub struct Run {
    pub state: State,
    pub kind: LocationKind,
    pub events: Vec<Observation>,
    pub asked: Vec<u32>,
    pub undefined: Option<Undefined>,
    pub waiting: Option<Waiting>,
}

impl Run {
    /// The values that were written, in order.
    pub fn written(&self) -> Vec<u128> {
        let value = |event: &Observation| {
            if let Observation::Write { value, .. } = *event {
                Some(value.value)
            } else {
                None
            }
        };
        self.events.iter().filter_map(value).collect()
    }
}

/// Runs the main thread alone.
pub fn run_main(program: &Program, inputs: &[u128]) -> Run {
    assert_eq!(check(program), []);
    let instances = instantiate(program, &Bounds::default());
    let interpreter = Interpreter::new(program, &instances);
    run_thread(
        &interpreter,
        interpreter.initial(),
        InstanceId::MAIN,
        inputs,
    )
}

/// Runs one thread from a state.
pub fn run_thread(
    interpreter: &Interpreter<'_>,
    mut state: State,
    thread: InstanceId,
    inputs: &[u128],
) -> Run {
    let mut script = Script {
        inputs: inputs.to_vec(),
        ..Script::default()
    };
    let mut undefined = None;
    let waiting = loop {
        match interpreter.step(&state, thread, &mut script) {
            StepResult::Executed {
                state: next,
                executed,
                ..
            } => {
                state = next;
                undefined = undefined.or(executed.undefined);
            }
            StepResult::Waiting(waiting) => break Some(waiting),
            StepResult::Finished => break None,
            StepResult::Rejected => panic!("the script is impossible"),
        }
    };
    let kind = interpreter.kind(&state, thread);
    Run {
        state,
        kind,
        events: script.events,
        asked: script.asked,
        undefined,
        waiting,
    }
}

/// A program with only a main function.
pub fn main_only(name: &str, build: impl FnOnce(&mut TemplateBuilder<'_>)) -> Program {
    let mut builder = ProgramBuilder::new(name);
    let mut main = builder.main();
    build(&mut main);
    main.finish();
    builder.finish()
}

/// Searches a program, breadth-first and depth-first; both must agree, and an error must replay.
pub fn search(program: &Program) -> Exploration {
    assert_eq!(check(program), []);
    let instances = instantiate(program, &Bounds::default());
    let [depth, breadth] = [false, true].map(|shortest| {
        let exploration = explore(
            program,
            &instances,
            &SearchLimits {
                shortest,
                ..SearchLimits::default()
            },
        );
        if let SearchVerdict::Unsafe(violation) = &exploration.verdict {
            assert_replays(program, &instances, violation);
        }
        exploration
    });
    match (&depth.verdict, &breadth.verdict) {
        (SearchVerdict::Unsafe(_), SearchVerdict::Unsafe(_)) => {}
        (one, other) => {
            assert_eq!(one, other);
            assert_eq!(
                (depth.states, depth.transitions),
                (breadth.states, breadth.transitions)
            );
        }
    }
    breadth
}

/// The schedule of a violation reaches the error, also after it was printed and parsed.
pub fn assert_replays(program: &Program, instances: &Instances, violation: &FoundViolation) {
    let text = violation.schedule.to_string();
    let schedule: Schedule = text.parse().expect("what is printed can be parsed");
    let end = ReplayEnd::Error {
        instance: violation.instance,
        site: violation.site,
    };
    assert_eq!(replay(program, instances, &schedule).end, end, "{text}");
}

pub fn violation(exploration: &Exploration) -> &FoundViolation {
    match &exploration.verdict {
        SearchVerdict::Unsafe(violation) => violation,
        SearchVerdict::Safe(()) | SearchVerdict::Unknown(_) => {
            panic!("no error: {exploration:?}")
        }
    }
}

/// Whether a search reached an error.
pub fn is_refuted(found: &SearchVerdict) -> bool {
    matches!(found, SearchVerdict::Unsafe(_))
}

pub fn assert_safe(exploration: &Exploration) {
    assert_eq!(exploration.verdict, SearchVerdict::Safe(()));
}
