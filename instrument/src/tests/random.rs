//! Random programs: all reductions meet the errors and limits that all runs meet, and every mover type holds.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::explorer::unreduced;
use super::life_pieces::{Life, life};
use super::movers::{check_classes, check_conditions, check_conditions_of};
use super::programs::{BESIDE, Shared, Statements, Subject};
use crate::conditions::ConditionKind;
use crate::reason::YieldReason;
use crate::reduction::Reduction;
use crate::rules::Rules;
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global};
use program::model::{GlobalId, LocalId, LocationKind, MutexOperation, Program, Property};

/// One statement, or a few that belong together, of a random thread.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Set(bool, i128),
    Check(bool, i128),
    Assume(bool, i128),
    Copy(bool),
    Toggle(bool, bool),
    Lock(bool, Vec<Piece>),
    TryLock(bool, Vec<Piece>),
    Unlock(bool),
    Atomic(Vec<Piece>),
    Repeat(Vec<Piece>),
    Halt(bool, i128),
    Create,
    Owner(bool),
    Swap(bool, i128, i128),
    Aim(bool),
    Through(i128, Vec<Piece>),
    GuardBy(bool),
    Guarded(bool, Vec<Piece>),
    Given(Vec<Piece>),
    BesideGiven(i128),
    Life(Life),
}

fn piece() -> impl Strategy<Value = Piece> {
    let simple = prop_oneof![
        4 => (any::<bool>(), 0..3i128).prop_map(|(variable, value)| Piece::Set(variable, value)),
        3 => (any::<bool>(), 0..3i128).prop_map(|(variable, value)| Piece::Check(variable, value)),
        1 => (any::<bool>(), 0..3i128).prop_map(|(variable, value)| Piece::Assume(variable, value)),
        1 => any::<bool>().prop_map(Piece::Copy),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(variable, used)| Piece::Toggle(variable, used)),
        1 => any::<bool>().prop_map(Piece::Unlock),
        1 => (any::<bool>(), 0..3i128).prop_map(|(variable, value)| Piece::Halt(variable, value)),
        1 => Just(Piece::Create),
        1 => any::<bool>().prop_map(Piece::Owner),
        4 => (any::<bool>(), 0..3i128, 0..3i128)
            .prop_map(|(variable, expected, value)| Piece::Swap(variable, expected, value)),
        1 => any::<bool>().prop_map(Piece::Aim),
        1 => any::<bool>().prop_map(Piece::GuardBy),
        1 => (0..3i128).prop_map(Piece::BesideGiven),
    ];
    nested(simple)
}

/// Statements about what begins and ends, among others.
fn life_piece() -> impl Strategy<Value = Piece> {
    let lives = || life().prop_map(Piece::Life);
    prop_oneof![3 => lives(), 1 => nested(lives()), 1 => piece()]
}

/// Such statements, and mutexes, regions and loops around them.
fn nested(simple: impl Strategy<Value = Piece> + 'static) -> impl Strategy<Value = Piece> {
    simple.prop_recursive(2, 8, 3, |inner| {
        let several = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            3 => (any::<bool>(), several()).prop_map(|(mutex, body)| Piece::Lock(mutex, body)),
            1 => (any::<bool>(), several()).prop_map(|(mutex, body)| Piece::TryLock(mutex, body)),
            1 => several().prop_map(Piece::Atomic),
            1 => several().prop_map(Piece::Repeat),
            1 => (0..3i128, several()).prop_map(|(value, body)| Piece::Through(value, body)),
            4 => (any::<bool>(), several()).prop_map(|(again, body)| Piece::Guarded(again, body)),
            3 => several().prop_map(Piece::Given),
        ]
    })
}

impl Piece {
    fn build(&self, thread: &mut TemplateBuilder, shared: &Shared, own: LocalId) {
        let variable = |second: bool| if second { shared.y } else { shared.x };
        let mutex = |second: bool| {
            if second {
                shared.other_mutex
            } else {
                shared.mutex
            }
        };
        match self {
            Self::Set(second, value) => thread.set(variable(*second), *value),
            Self::Check(second, value) => {
                let found = thread.get(variable(*second));
                let forbidden = thread.equals(found, *value);
                let (bad, good) = thread.branch(forbidden);
                let error = thread.location(LocationKind::Error(Property::UnreachCall));
                thread.go_to(bad);
                thread.edge(error, program::model::Statement::Skip);
                thread.go_to(good);
            }
            Self::Assume(second, value) => {
                let found = thread.get(variable(*second));
                thread.assume_equal(found, *value);
            }
            Self::Copy(second) => {
                let found = thread.get(variable(*second));
                thread.store(found, global(variable(!*second)));
            }
            Self::Toggle(second, used) => {
                let old = thread.toggle(variable(*second));
                if *used {
                    thread.require(old, 0);
                }
            }
            Self::Lock(second, body) => {
                thread.lock(global(mutex(*second)));
                build_all(body, thread, shared, own);
                thread.unlock(global(mutex(*second)));
            }
            Self::TryLock(second, body) => try_lock(thread, mutex(*second), |thread| {
                build_all(body, thread, shared, own)
            }),
            Self::Unlock(second) => thread.unlock(global(mutex(*second))),
            Self::Atomic(body) => thread.atomically(|thread| build_all(body, thread, shared, own)),
            Self::Repeat(body) => repeat(thread, |thread| build_all(body, thread, shared, own)),
            Self::Halt(second, value) => {
                let found = thread.get(variable(*second));
                let harmless = thread.equals(found, *value);
                thread.otherwise(harmless, LocationKind::Halted);
            }
            Self::Create => {
                thread.create(
                    global(shared.handles[3]),
                    function(shared.extra),
                    global(shared.other_mutex),
                );
            }
            Self::Swap(second, expected, value) => {
                let old = thread.compare_exchange(variable(*second), *expected, *value);
                if *expected == *value {
                    thread.require(old, *value);
                }
            }
            Self::Aim(second) => thread.aim(shared, variable(*second)),
            Self::Through(value, body) => {
                let pointer = thread.pointer(shared);
                build_all(body, thread, shared, own);
                thread.store(constant(32, *value), pointer);
                let found = thread.load(32, pointer);
                thread.require(found, *value);
            }
            Self::GuardBy(second) => thread.guard_by(shared, mutex(*second)),
            Self::Guarded(again, body) => {
                let taken = thread.guard(shared);
                thread.lock(taken);
                build_all(body, thread, shared, own);
                let released = match again {
                    true => thread.guard(shared),
                    false => taken,
                };
                thread.unlock(released);
            }
            Self::Given(body) => {
                let given = thread.parameter();
                thread.lock(given);
                build_all(body, thread, shared, own);
                thread.unlock(given);
            }
            Self::BesideGiven(value) => {
                let given = thread.parameter();
                let beside = thread.behind(given, BESIDE);
                thread.store(constant(32, *value), beside);
                let found = thread.load(32, beside);
                thread.require(found, *value);
            }
            Self::Life(life) => life.build(thread, shared, own),
            Self::Owner(second) => {
                let owner = thread.load(32, super::programs::bytes_of(mutex(*second), 8));
                thread.require(owner, 0);
            }
        }
    }
}

fn build_all(pieces: &[Piece], thread: &mut TemplateBuilder, shared: &Shared, own: LocalId) {
    for piece in pieces {
        piece.build(thread, shared, own);
    }
}

/// What a thread does, which has a variable of its own.
fn build_thread(pieces: &[Piece], thread: &mut TemplateBuilder, shared: &Shared) {
    let own = thread.local("own", 4);
    build_all(pieces, thread, shared, own);
}

fn try_lock(
    thread: &mut TemplateBuilder,
    mutex: GlobalId,
    body: impl FnOnce(&mut TemplateBuilder),
) {
    let result = thread.mutex(MutexOperation::TryLock, global(mutex));
    let taken = thread.equals(result, 0);
    let (yes, no) = thread.branch(taken);
    let end = thread.location(LocationKind::Ordinary);
    thread.go_to(no);
    thread.jump(end);
    thread.go_to(yes);
    body(thread);
    thread.unlock(global(mutex));
    thread.jump(end);
}

/// A loop that ends at any time.
fn repeat(thread: &mut TemplateBuilder, body: impl FnOnce(&mut TemplateBuilder)) {
    let head = thread.location(LocationKind::Ordinary);
    thread.jump(head);
    let input = thread.havoc(1);
    let (again, end) = thread.branch(input);
    thread.go_to(again);
    body(thread);
    thread.jump(head);
    thread.go_to(end);
}

/// A program of random threads; main creates them, gives each another mutex if asked to, and joins the first if asked to.
pub(super) fn build(
    bodies: &[Vec<Piece>],
    main: &[Piece],
    extra: &[Piece],
    [joins, changes]: [bool; 2],
) -> Program {
    let mut builder = ProgramBuilder::new("random");
    let handles = [0, 1, 2, 3].map(|number| builder.global(&format!("handle{number}"), &[0; 8]));
    let shared = Shared {
        x: builder.global("x", &[0; 4]),
        y: builder.global("y", &[0; 4]),
        pointer: builder.global("pointer", &[0; 8]),
        guard: builder.global("guard", &[0; 8]),
        mutex: builder.global("mutex", &[0; 40]),
        other_mutex: builder.global("other_mutex", &[0; 40]),
        handles,
        extra: builder.function("extra"),
    };
    let routines: Vec<_> = (0..bodies.len())
        .map(|number| builder.function(&format!("thread{number}")))
        .collect();
    for (&routine, body) in routines.iter().zip(bodies) {
        let mut thread = builder.thread(routine);
        build_thread(body, &mut thread, &shared);
        thread.finish();
    }
    let mut thread = builder.thread(shared.extra);
    build_thread(extra, &mut thread, &shared);
    thread.finish();
    let mut first = builder.main();
    first.aim(&shared, shared.x);
    first.guard_by(&shared, shared.mutex);
    for (&routine, &handle) in routines.iter().zip(&handles) {
        let given = first.guard(&shared);
        first.create(global(handle), function(routine), given);
        if changes {
            first.guard_by(&shared, shared.other_mutex);
        }
    }
    if joins {
        let handle = first.load(64, global(handles[0]));
        first.join(handle, None);
    }
    build_thread(main, &mut first, &shared);
    first.finish();
    builder.finish()
}

/// External locations of `static` are external for `none`, too, but for those that cut cycles.
pub(super) fn check_order(subject: &Subject) {
    let none = subject.plan(Reduction::None, Rules::ALL);
    let reduced = subject.plan(Reduction::Static, Rules::ALL);
    for (template, plan) in &reduced.templates {
        for (location, reason) in &plan.yields {
            let known = none.templates[template].yields.contains_key(location);
            assert!(
                known || *reason == YieldReason::Cycle,
                "{location} of {template} is external for static only"
            );
        }
    }
}

/// The pieces in which there is none of a kind.
pub(super) fn without(pieces: Vec<Piece>, kind: &str) -> Vec<Piece> {
    let keeps = |piece: &Piece| !format!("{piece:?}").contains(kind);
    pieces.into_iter().filter(keeps).collect()
}

pub(super) fn pieces(most: usize) -> impl Strategy<Value = Vec<Piece>> {
    prop::collection::vec(piece(), 0..most)
}

fn life_pieces(most: usize) -> impl Strategy<Value = Vec<Piece>> {
    prop::collection::vec(life_piece(), 1..most)
}

/// A program about what begins and ends. What was freed has no number, so there are no numbers where something is freed.
fn build_lives([first, second, main, extra]: [Vec<Piece>; 4], how: [bool; 2]) -> Program {
    let all = format!("{first:?}{second:?}{main:?}{extra:?}");
    let unwanted = if all.contains("Free") {
        "Compare"
    } else {
        "Free"
    };
    let keep = |pieces| without(pieces, unwanted);
    let (main, extra) = (without(main, "Given"), without(extra, "Create"));
    build(&[keep(first), keep(second)], &keep(main), &keep(extra), how)
}

/// Checks that all reductions meet the errors and limits that all runs meet; nothing if there are too many runs. A block
/// that ends with an error ends the run, so limits that other threads meet before may be lost. The verdict is UNSAFE
/// then, and limits only veto SAFE.
fn check_reductions(subject: &Subject) -> Result<(), TestCaseError> {
    check_order(subject);
    let all = unreduced(&subject.program, &subject.instances);
    prop_assume!(!all.incomplete);
    for reduction in Reduction::ALL {
        let found = subject.explore(&subject.plan(reduction, Rules::ALL));
        prop_assert_eq!(found.error, all.error, "{}", reduction);
        prop_assert!(found.limits.is_subset(&all.limits), "{}", reduction);
        prop_assert!(all.error || found.limits == all.limits, "{}", reduction);
        prop_assert!(!found.incomplete && found.states <= all.states);
    }
    Ok(())
}

#[test]
fn every_kind_of_condition_holds_somewhere() {
    let mut runner = TestRunner::deterministic();
    let strategy = (pieces(4), pieces(4), any::<[bool; 2]>());
    let mut held = BTreeMap::new();
    for _ in 0..150 {
        let tree = strategy.new_tree(&mut runner).expect("there are pieces");
        let (first, second, how) = tree.current();
        let subject = Subject::new(build(&[first, second], &[], &[], how));
        for kind in ConditionKind::ALL {
            let states = check_conditions_of(&subject, &[kind].into());
            *held.entry(kind).or_insert(0) += usize::from(states > 0);
        }
    }
    for kind in ConditionKind::ALL {
        assert!(held[&kind] >= 5, "{kind} in few programs: {held:?}");
    }
}

/// How many programs a test makes; more if the environment says so.
pub(super) fn cases() -> u32 {
    let given = std::env::var("INSTRUMENT_CASES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(200)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reductions_preserve_errors_and_limits(
        first in pieces(4), second in pieces(4), main in pieces(2), extra in pieces(2), how in any::<[bool; 2]>()
    ) {
        let main = without(main, "Given");
        // Creation by the extra thread would be endless.
        let extra = without(extra, "Create");
        let subject = Subject::new(build(&[first, second], &main, &extra, how));
        check_reductions(&subject)?;
    }

    #[test]
    fn reductions_preserve_errors_and_limits_of_lives(
        first in life_pieces(4), second in life_pieces(4), main in life_pieces(3), extra in life_pieces(3), how in any::<[bool; 2]>()
    ) {
        check_reductions(&Subject::new(build_lives([first, second, main, extra], how)))?;
    }

    #[test]
    fn classes_of_lives_hold(
        first in life_pieces(4), second in life_pieces(4), main in life_pieces(3), extra in life_pieces(2), how in any::<[bool; 2]>()
    ) {
        let subject = Subject::new(build_lives([first, second, main, extra], how));
        prop_assume!(!unreduced(&subject.program, &subject.instances).incomplete);
        check_classes(&subject);
        check_conditions(&subject);
    }

    #[test]
    fn classes_hold(first in pieces(4), second in pieces(3), main in pieces(2), how in any::<[bool; 2]>()) {
        let main = without(main, "Given");
        let subject = Subject::new(build(&[first, second], &main, &[], how));
        check_classes(&subject);
        check_conditions(&subject);
    }
}
