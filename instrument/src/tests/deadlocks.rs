//! Deadlocks of random programs: under every reduction, a program that looks for deadlocks finds one if and only if the program without that
//! has a state in which no thread can move and one has not ended.

use abi::ids::InstanceId;
use explicit::explore::{Scheduling, SearchLimits, SearchVerdict, explore, for_each_state};
use explicit::interpret::{Interpreter, NondeterministicChoice, Oracle, State, StepResult};
use frontend::ReadOptions;
use frontend::testing::read_with;
use program::model::{Instances, LocationKind, Program, Property};
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::programs::Subject;
use crate::reduction::Reduction;
use crate::rules::Rules;

/// What a thread does next.
#[derive(Clone, Debug)]
enum Piece {
    /// Holds a mutex meanwhile, which it then gives back or not.
    Hold(usize, Vec<Piece>, bool),
    /// Does that only if the mutex is free.
    TryToHold(usize, Vec<Piece>),
    /// Holds a read-write lock for reading or writing.
    Share(bool, Vec<Piece>),
    /// Posts a semaphore, or waits for it.
    Post,
    WaitForPost,
    /// Waits for the end of a thread, by its number.
    Join(usize),
    /// Chooses between two ways.
    Choose(Vec<Piece>, Vec<Piece>),
}

fn piece() -> impl Strategy<Value = Piece> {
    let simple = prop_oneof![
        2 => Just(Piece::Post),
        2 => Just(Piece::WaitForPost),
        1 => (0..2usize).prop_map(Piece::Join),
    ];
    simple.prop_recursive(3, 6, 2, |inner| {
        let several = || prop::collection::vec(inner.clone(), 0..2);
        prop_oneof![
            6 => (0..2usize, several(), prop::bool::weighted(0.9))
                .prop_map(|(mutex, body, ends)| Piece::Hold(mutex, body, ends)),
            1 => (0..2usize, several()).prop_map(|(mutex, body)| Piece::TryToHold(mutex, body)),
            2 => (any::<bool>(), several()).prop_map(|(writes, body)| Piece::Share(writes, body)),
            1 => (several(), several()).prop_map(|(one, other)| Piece::Choose(one, other)),
        ]
    })
}

impl Piece {
    fn text(&self) -> String {
        match self {
            Self::Hold(mutex, body, ends) => {
                let end = match ends {
                    true => format!("pthread_mutex_unlock(&m{mutex});"),
                    false => String::new(),
                };
                format!("pthread_mutex_lock(&m{mutex}); {} {end}", all(body))
            }
            Self::TryToHold(mutex, body) => format!(
                "if (pthread_mutex_trylock(&m{mutex}) == 0) {{ {} pthread_mutex_unlock(&m{mutex}); }}",
                all(body)
            ),
            Self::Share(writes, body) => {
                let how = if *writes { "wr" } else { "rd" };
                format!(
                    "if (pthread_rwlock_{how}lock(&shared) == 0) {{ {} pthread_rwlock_unlock(&shared); }}",
                    all(body)
                )
            }
            Self::Post => "sem_post(&posts);".to_owned(),
            Self::WaitForPost => "sem_wait(&posts);".to_owned(),
            Self::Join(thread) => join(*thread),
            Self::Choose(one, other) => format!(
                "if (__VERIFIER_nondet_bool()) {{ {} }} else {{ {} }}",
                all(one),
                all(other)
            ),
        }
    }
}

fn all(pieces: &[Piece]) -> String {
    let texts: Vec<String> = pieces.iter().map(Piece::text).collect();
    texts.join(" ")
}

/// A program of two threads and `main`, which is the last of these, whose process ends when all threads have ended. The handles are known
/// before the threads go on.
pub(super) fn program_of(variables: &str, [first, second, main]: [String; 3]) -> String {
    format!(
        "#include <pthread.h>\n#include <semaphore.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
        extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
        {variables} pthread_rwlock_t shared; sem_t posts; pthread_t t0, t1; int joined0, joined1;\n\
        void *f0(void *x) {{ {first} return x; }}\n\
        void *f1(void *x) {{ {second} return x; }}\n\
        int main(void) {{\n\
            sem_init(&posts, 0, 0);\n\
            __VERIFIER_atomic_begin(); pthread_create(&t0, 0, f0, 0); pthread_create(&t1, 0, f1, 0); __VERIFIER_atomic_end();\n\
            {main} pthread_exit(0);\n\
        }}\n"
    )
}

/// Joins a thread of such a program: once, by whoever is first.
pub(super) fn join(thread: usize) -> String {
    format!("if (!__sync_lock_test_and_set(&joined{thread}, 1)) pthread_join(t{thread}, 0);")
}

fn program(threads: &[Vec<Piece>; 3]) -> String {
    let threads = threads.each_ref().map(|pieces| all(pieces));
    program_of("pthread_mutex_t m0, m1;", threads)
}

/// Takes the first way.
struct First;

impl Oracle for First {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        match choice {
            NondeterministicChoice::Slot { slots, .. } => {
                slots.first().map_or(0, |slot| slot.as_u32().into())
            }
            NondeterministicChoice::Havoc { .. }
            | NondeterministicChoice::Content { .. }
            | NondeterministicChoice::Result { .. } => 0,
        }
    }
}

/// Whether a thread can take its next statement, or the whole atomic region that begins there. What is chosen makes no difference here.
fn can_move(
    interpreter: &Interpreter<'_>,
    program: &Program,
    instances: &Instances,
    state: &State,
    thread: InstanceId,
) -> bool {
    let template = &program.templates[instances.threads[thread].template];
    let mut state = state.clone();
    loop {
        match interpreter.step(&state, thread, &mut First) {
            StepResult::Executed { state: next, .. } => state = next,
            StepResult::Waiting(_) | StepResult::Finished | StepResult::Rejected => return false,
        }
        let location = &template.locations[state.location(thread)];
        let stops = matches!(location.kind, LocationKind::Blocked);
        if stops || location.atomic_depth == 0 {
            return !(stops && state.is_stopped());
        }
    }
}

/// Whether no thread can move in some state, and one has not ended.
fn has_deadlock(program: &Program) -> bool {
    let instances = instantiate(program, &Bounds::default());
    let interpreter = Interpreter::new(program, &instances);
    let mut found = false;
    for_each_state(
        program,
        &instances,
        &SearchLimits::default(),
        &mut |state| {
            let left = instances.threads.keys().filter(|&thread| {
                state.is_started(thread) && interpreter.kind(state, thread) != LocationKind::Exited
            });
            let left: Vec<_> = left.collect();
            let moves = |&thread: &_| can_move(&interpreter, program, &instances, state, thread);
            found |= !state.is_stopped() && !left.is_empty() && !left.iter().any(moves);
        },
    );
    found
}

/// Whether the program finds that it has a deadlock, which it must under every reduction or under none; `None` if a limit is met.
pub(super) fn finds_deadlock(text: &str) -> Option<bool> {
    let options = ReadOptions {
        looks_for_deadlocks: true,
        ..ReadOptions::default()
    };
    let mut program = read_with(text, &options);
    program.verify([Property::NoDeadlock].into());
    let subject = Subject::new(program);
    let found = Reduction::ALL.map(|reduction| {
        let mut program = subject.program.clone();
        subject.plan(reduction, Rules::ALL).apply(&mut program);
        crate::lower_phases(&mut program);
        let limits = SearchLimits {
            scheduling: Scheduling::External,
            ..SearchLimits::default()
        };
        match explore(&program, &subject.instances, &limits).verdict {
            SearchVerdict::Safe(()) => Some(false),
            SearchVerdict::Unsafe(found) => Some(found.property == Property::NoDeadlock),
            SearchVerdict::Unknown(_) => None,
        }
    });
    assert!(
        found.iter().all(|other| *other == found[0]),
        "{found:?}\n{text}"
    );
    found[0]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn deadlocks_are_found(
        first in prop::collection::vec(piece(), 1..3),
        second in prop::collection::vec(piece(), 1..3),
        main in prop::collection::vec(piece(), 0..3),
    ) {
        let text = program(&[first, second, main]);
        let found = finds_deadlock(&text);
        prop_assume!(found.is_some());
        let expected = has_deadlock(&read_with(&text, &ReadOptions::default()));
        prop_assert_eq!(found, Some(expected), "{}", text);
    }
}

#[test]
fn some_random_programs_have_deadlocks() {
    let mut runner = TestRunner::deterministic();
    let pieces = || prop::collection::vec(piece(), 1..3);
    let mut numbers = [0, 0];
    for _ in 0..30 {
        let tree = (pieces(), pieces(), pieces()).new_tree(&mut runner);
        let (first, second, main) = tree.expect("there are pieces").current();
        let found = finds_deadlock(&program(&[first, second, main]));
        numbers[usize::from(found == Some(true))] += 1;
    }
    assert!(numbers.iter().all(|&number| number >= 5), "{numbers:?}");
}
