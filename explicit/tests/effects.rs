//! The table of statement effects against the interpreter: what statements are seen to do in random runs is among their effects.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use abi::ids::InstanceId;
use explicit::interpret::{Interpreter, NondeterministicChoice, Observation, Oracle, StepResult};
use frontend::testing::{c_files, in_parallel, load_path};
use program::model::{
    AccessKind, Effects, Instances, LifeEffect, ObjectId, ObjectKind, Operand, Place, Program,
    Statement, ThreadEffect,
};
use program::threads::{Bounds, instantiate};

/// One of so many examples is run, chosen by its name, so that a new one changes nothing for the others.
const ONE_OF: u32 = 6;
/// How often each is.
const RUNS: usize = 12;
/// How long each run is.
const STEPS: usize = 600;

/// Chooses at random, small numbers more often, and notes what happens.
struct Chance {
    random: fastrand::Rng,
    events: Vec<Observation>,
}

impl Oracle for Chance {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        match choice {
            NondeterministicChoice::Slot { slots, .. } => {
                let slot = self.random.usize(..slots.len());
                slots[slot].as_u32().into()
            }
            NondeterministicChoice::Havoc { .. }
            | NondeterministicChoice::Content { .. }
            | NondeterministicChoice::Result { .. } => self.random.u128(..4),
        }
    }

    fn observe(&mut self, event: Observation) {
        self.events.push(event);
    }
}

/// What a thread does to memory, seen or allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    Reads,
    Writes,
    /// Says where an object lies.
    ReadsBase,
    WritesBase,
    Mutex,
    StartsLife,
    EndsLife,
    Allocates,
    Frees,
    Creates,
    Joins,
    Detaches,
}

fn seen(instances: &Instances, event: Observation) -> Effect {
    let is_base = |object: ObjectId| matches!(instances.objects[object].kind, ObjectKind::Base(_));
    match event {
        Observation::Read { object, .. } if is_base(object) => Effect::ReadsBase,
        Observation::Write { object, .. } if is_base(object) => Effect::WritesBase,
        Observation::Read { .. } => Effect::Reads,
        Observation::Write { .. } => Effect::Writes,
        Observation::Uninitialised(object) if is_base(object) => Effect::WritesBase,
        Observation::Uninitialised(_) => Effect::StartsLife,
        Observation::Died(_) => Effect::EndsLife,
        Observation::Allocated { .. } => Effect::Allocates,
        Observation::Freed(_) => Effect::Frees,
        Observation::Started(_) => Effect::Creates,
        Observation::Joined(_) => Effect::Joins,
        Observation::Detached(_) => Effect::Detaches,
        Observation::Acquired { .. }
        | Observation::Released { .. }
        | Observation::Refused { .. } => Effect::Mutex,
    }
}

fn allowed(effects: Effects<'_>) -> BTreeSet<Effect> {
    let mut allowed = BTreeSet::new();
    if let Some(access) = effects.access {
        // A part of an address depends on where its object lies. That is arbitrary until a statement asks for it.
        if access.may_divide_words() {
            allowed.extend([Effect::Reads, Effect::ReadsBase]);
        }
        allowed.extend(match access.kind {
            AccessKind::Read => vec![Effect::Reads],
            AccessKind::Write => vec![Effect::Writes],
            AccessKind::Update(_) | AccessKind::CompareExchange => {
                vec![Effect::Reads, Effect::Writes]
            }
            AccessKind::Mutex(_) => vec![Effect::Mutex, Effect::Reads, Effect::Writes],
        });
    }
    if let Some(life) = effects.life {
        allowed.extend(match life {
            LifeEffect::Starts(_) => vec![Effect::StartsLife],
            LifeEffect::Ends(_) => vec![Effect::EndsLife],
            LifeEffect::Allocates { .. } => {
                vec![Effect::Allocates, Effect::StartsLife, Effect::WritesBase]
            }
            LifeEffect::Frees {
                automatic: true, ..
            } => vec![Effect::EndsLife],
            LifeEffect::Frees {
                automatic: false, ..
            } => vec![Effect::Frees],
            LifeEffect::Locates { .. } => vec![Effect::ReadsBase],
            LifeEffect::Measures { .. } | LifeEffect::FindsLeaks(_) | LifeEffect::Compares(_) => {
                Vec::new()
            }
        });
    }
    allowed.extend(effects.thread.and_then(|thread| match thread {
        ThreadEffect::Creates { .. } => Some(Effect::Creates),
        ThreadEffect::Joins { .. } => Some(Effect::Joins),
        ThreadEffect::Detaches { .. } => Some(Effect::Detaches),
        ThreadEffect::Names { .. } => None,
        ThreadEffect::Exits { .. } => Some(Effect::EndsLife),
    }));
    allowed
}

/// Where a statement accesses memory, as far as the table tells without the values of registers.
fn is_elsewhere(
    statement: &Statement,
    (program, instances): (&Program, &Instances),
    instance: InstanceId,
    event: Observation,
) -> bool {
    let Some(access) = statement.effects().access else {
        return false;
    };
    let Operand::Address(place @ Place::Global(_), from) = access.address else {
        return false;
    };
    let template = &program.templates[instances.threads[instance].template];
    let end = from + access.size(template);
    let (Observation::Read {
        object,
        offset,
        value,
    }
    | Observation::Write {
        object,
        offset,
        value,
    }) = event
    else {
        return false;
    };
    let inside = from <= offset && offset + value.width / 8 <= end;
    let is_base = matches!(instances.objects[object].kind, ObjectKind::Base(_));
    !is_base
        && !access.may_divide_words()
        && (object != instances.resolve(instance, place) || !inside)
}

/// Runs a program at random; the effects that were seen.
fn run(program: &Program, seed: u64) -> BTreeSet<Effect> {
    let instances = instantiate(program, &Bounds::default());
    let interpreter = Interpreter::new(program, &instances);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut state = interpreter.initial();
    let mut all = BTreeSet::new();
    let threads: Vec<InstanceId> = instances.threads.keys().collect();
    for _ in 0..STEPS {
        let instance = threads[random.usize(..threads.len())];
        let mut oracle = Chance {
            random: random.fork(),
            events: Vec::new(),
        };
        let StepResult::Executed {
            state: next,
            executed,
            ..
        } = interpreter.step(&state, instance, &mut oracle)
        else {
            continue;
        };
        let template = &program.templates[instances.threads[instance].template];
        let statement = &template.edges[executed.edge].statement;
        let allowed = allowed(statement.effects());
        for event in oracle.events {
            let effect = seen(&instances, event);
            assert!(
                allowed.contains(&effect)
                    && !is_elsewhere(statement, (program, &instances), instance, event),
                "{statement:?}: {event:?} in {}",
                program.name
            );
            all.insert(effect);
        }
        state = next;
    }
    all
}

#[test]
fn what_statements_do_is_among_their_effects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples");
    let is_chosen = |path: &PathBuf| {
        let name = path.file_stem().expect("a file has a name");
        let sum: u32 = name.as_encoded_bytes().iter().copied().map(u32::from).sum();
        sum.is_multiple_of(ONE_OF)
    };
    let all = Mutex::new(BTreeSet::new());
    in_parallel(c_files(&folder).into_iter().filter(is_chosen), |path| {
        let program = load_path(&path, &[]).program;
        for seed in 0..RUNS {
            let effects = run(&program, seed as u64);
            all.lock().expect("no thread panicked").extend(effects);
        }
    });
    let all = all.into_inner().expect("no thread panicked");
    assert_eq!(all.len(), 12, "{all:?}");
}
