//! Exhaustive search with scheduling at external locations only, over the reference semantics.

use std::collections::{BTreeSet, HashSet};

use abi::ids::InstanceId;
use explicit::interpret::{
    Interpreter, NondeterministicChoice, Observation, Oracle, State, StepResult,
};
use program::model::{EdgeId, HavocOrigin, Instances, LimitKind, LocationKind, Program};

/// Larger searches are given up.
const MOST_STATES: usize = 4000;

/// What a search has met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Whether a thread was at an error location.
    pub error: bool,
    /// The limits that were met, by name.
    pub limits: BTreeSet<String>,
    /// Whether the search was given up.
    pub incomplete: bool,
    /// The number of states in which threads were scheduled.
    pub states: usize,
}

/// Searches all runs in which threads are interleaved at external locations only.
pub(super) fn reduced(program: &Program, instances: &Instances) -> Found {
    let mut search = ExplicitSearch::new(program, instances);
    search.run();
    search.found
}

/// Searches all runs, each location outside of atomic regions being external.
pub(super) fn unreduced(program: &Program, instances: &Instances) -> Found {
    let mut program = program.clone();
    for template in program.templates.values_mut() {
        template
            .locations
            .values_mut()
            .for_each(|location| location.external = true);
    }
    reduced(&program, instances)
}

/// Calls `visit` with all states, reachable without an error, in which no thread is inside of an atomic region.
pub(super) fn visit_states(
    program: &Program,
    instances: &Instances,
    mut visit: impl FnMut(&Interpreter, &State),
) {
    let interpreter = Interpreter::new(program, instances);
    let mut seen = HashSet::from([interpreter.initial()]);
    let mut pending = vec![interpreter.initial()];
    while let Some(state) = pending.pop() {
        visit(&interpreter, &state);
        for instance in instances.threads.keys() {
            for next in actions(&interpreter, program, instances, &state, instance) {
                let goes_on = !next.is_stopped() && !interpreter.kind(&next, instance).is_error();
                if goes_on && seen.insert(next.clone()) {
                    pending.push(next);
                }
            }
        }
    }
}

/// The states after one statement of a thread, or one whole atomic region.
pub(super) fn actions(
    interpreter: &Interpreter,
    program: &Program,
    instances: &Instances,
    state: &State,
    instance: InstanceId,
) -> Vec<State> {
    let template = &program.templates[instances.threads[instance].template];
    let inside = |state: &State| {
        let location = &template.locations[state.location(instance)];
        location.atomic_depth > 0 && location.kind == LocationKind::Ordinary && !state.is_stopped()
    };
    let (mut done, mut seen) = (Vec::new(), HashSet::new());
    let mut pending = steps(interpreter, state, instance);
    while let Some(next) = pending.pop() {
        if !inside(&next) {
            done.push(next);
        } else if seen.insert(next.clone()) {
            pending.extend(steps(interpreter, &next, instance));
        }
    }
    done
}

/// The states after one statement of a thread.
pub(super) fn steps(interpreter: &Interpreter, state: &State, instance: InstanceId) -> Vec<State> {
    let mut found = Vec::new();
    let mut odometer = Odometer::default();
    loop {
        match interpreter.step(state, instance, &mut odometer) {
            StepResult::Executed { state, .. } => found.push(state),
            StepResult::Waiting(_) | StepResult::Finished | StepResult::Rejected => {}
        }
        if !odometer.turn() {
            return found;
        }
    }
}

/// What the next statement of a thread, or its next atomic region, may do beyond registers, by the statements that do it.
pub(super) fn observations(
    interpreter: &Interpreter,
    program: &Program,
    instances: &Instances,
    state: &State,
    instance: InstanceId,
) -> Vec<(EdgeId, Observation)> {
    let template = &program.templates[instances.threads[instance].template];
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut pending = vec![state.clone()];
    while let Some(state) = pending.pop() {
        let mut odometer = Odometer::default();
        loop {
            odometer.observed.clear();
            if let StepResult::Executed {
                state, executed, ..
            } = interpreter.step(&state, instance, &mut odometer)
            {
                let events = odometer.observed.iter();
                found.extend(events.map(|&event| (executed.edge, event)));
                let location = &template.locations[state.location(instance)];
                let goes_on = location.kind == LocationKind::Ordinary && !state.is_stopped();
                if goes_on && location.atomic_depth > 0 && seen.insert(state.clone()) {
                    pending.push(state);
                }
            }
            if !odometer.turn() {
                break;
            }
        }
    }
    found
}

struct ExplicitSearch<'a> {
    program: &'a Program,
    instances: &'a Instances,
    interpreter: Interpreter<'a>,
    seen: HashSet<State>,
    pending: Vec<State>,
    found: Found,
}

impl<'a> ExplicitSearch<'a> {
    fn new(program: &'a Program, instances: &'a Instances) -> Self {
        let interpreter = Interpreter::new(program, instances);
        let pending = vec![interpreter.initial()];
        Self {
            program,
            instances,
            interpreter,
            seen: HashSet::new(),
            pending,
            found: Found::default(),
        }
    }

    fn run(&mut self) {
        while let Some(state) = self.pending.pop() {
            if self.seen.len() > MOST_STATES {
                self.found.incomplete = true;
                break;
            }
            if self.seen.insert(state.clone()) {
                for instance in self.instances.threads.keys() {
                    self.transaction(&state, instance);
                }
            }
        }
        self.found.states = self.seen.len();
    }

    /// All ways of a thread from one external location to the next; the others stay where they are.
    fn transaction(&mut self, state: &State, instance: InstanceId) {
        let mut seen = HashSet::new();
        let mut internal = vec![state.clone()];
        while let Some(state) = internal.pop() {
            for next in steps(&self.interpreter, &state, instance) {
                self.note(&next, instance);
                if next.is_stopped() {
                    continue;
                }
                if self.is_external(&next, instance) {
                    self.pending.push(next);
                } else if seen.insert(next.clone()) {
                    internal.push(next);
                }
            }
        }
    }

    fn note(&mut self, state: &State, instance: InstanceId) {
        match self.interpreter.kind(state, instance) {
            LocationKind::Error(_) => self.found.error = true,
            LocationKind::Limit(kind) => {
                self.found.limits.insert(limit_name(kind));
            }
            LocationKind::Ordinary
            | LocationKind::Exited
            | LocationKind::Halted
            | LocationKind::Blocked => {}
        }
    }

    fn is_external(&self, state: &State, instance: InstanceId) -> bool {
        let template = &self.program.templates[self.instances.threads[instance].template];
        let id = state.location(instance);
        let location = &template.locations[id];
        location.kind != LocationKind::Ordinary
            || location.atomic_depth == 0 && (location.external || id == template.entry)
    }
}

fn limit_name(kind: LimitKind) -> String {
    format!("{kind:?}")
}

/// Answers questions in all combinations, the last one turning fastest. Wide values are 0 or 1; what an atomic access finds of others whose
/// order is weak is 2, too, as the programs of `orders` write no more.
#[derive(Default)]
struct Odometer {
    wheels: Vec<(usize, Vec<u128>)>,
    position: usize,
    /// What the current run has done.
    observed: Vec<Observation>,
}

impl Odometer {
    fn turn(&mut self) -> bool {
        self.position = 0;
        while let Some((position, values)) = self.wheels.last_mut() {
            *position += 1;
            if *position < values.len() {
                return true;
            }
            self.wheels.pop();
        }
        false
    }
}

impl Oracle for Odometer {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        if self.position == self.wheels.len() {
            let values = match choice {
                NondeterministicChoice::Slot { slots, .. } => {
                    slots.iter().map(|slot| u128::from(slot.as_u32())).collect()
                }
                NondeterministicChoice::Havoc {
                    origin: HavocOrigin::Watch,
                    width: 2..,
                    ..
                } => vec![0, 1, 2],
                NondeterministicChoice::Havoc { .. }
                | NondeterministicChoice::Content { .. }
                | NondeterministicChoice::Result { .. } => vec![0, 1],
            };
            self.wheels.push((0, values));
        }
        self.position += 1;
        let (position, values) = &self.wheels[self.position - 1];
        values[*position]
    }

    fn observe(&mut self, event: Observation) {
        self.observed.push(event);
    }
}
