//! The search, which lets threads take turns only where it matters, against one that interrupts after every statement.

use std::collections::HashSet;

use crate::common::{Script, assert_replays};
use abi::ids::InstanceId;
use explicit::explore::{
    Incompleteness, Scheduling, SearchLimits, SearchVerdict, explore, explore_and_keep,
    for_each_state, inductiveness,
};
use explicit::interpret::{Interpreter, State, StepResult};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::check::check;
use program::model::{
    BinaryOperator, Comparison, GlobalId, Instances, LimitKind, LocationKind, MutexOperation,
    Program, Statement,
};
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;

/// What a thread does; variables and branches by number.
#[derive(Clone, Debug)]
enum Action {
    Increment(usize),
    Set(usize, u8),
    Copy(usize, usize),
    Assert(usize, u8),
    Assume(usize, u8),
    Limit(usize, u8),
    Lock,
    Unlock,
    Choose(Vec<Action>),
    Atomic(Vec<Action>),
    Spin(usize),
    Halt(usize, u8),
}

fn action() -> impl Strategy<Value = Action> {
    let variable = || 0usize..2;
    let value = || 0u8..3;
    let leaf = prop_oneof![
        3 => variable().prop_map(Action::Increment),
        3 => (variable(), value()).prop_map(|(x, v)| Action::Set(x, v)),
        2 => (variable(), variable()).prop_map(|(x, y)| Action::Copy(x, y)),
        3 => (variable(), value()).prop_map(|(x, v)| Action::Assert(x, v)),
        2 => (variable(), value()).prop_map(|(x, v)| Action::Assume(x, v)),
        1 => (variable(), value()).prop_map(|(x, v)| Action::Limit(x, v)),
        1 => Just(Action::Lock),
        1 => Just(Action::Unlock),
        1 => variable().prop_map(Action::Spin),
        1 => (variable(), value()).prop_map(|(x, v)| Action::Halt(x, v)),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Action::Choose),
            prop::collection::vec(inner, 1..3).prop_map(Action::Atomic),
        ]
    })
}

/// The variables of a program.
struct Names {
    variables: [GlobalId; 2],
    mutex: GlobalId,
}

fn act(thread: &mut TemplateBuilder<'_>, names: &Names, action: &Action) {
    let test = |thread: &mut TemplateBuilder<'_>, comparison, variable: usize, value: u8| {
        let loaded = thread.load(8, global(names.variables[variable]));
        thread.compare(comparison, loaded, constant(8, i128::from(value)))
    };
    match action {
        Action::Increment(x) => {
            let loaded = thread.load(8, global(names.variables[*x]));
            let sum = thread.binary(BinaryOperator::Add, loaded, constant(8, 1));
            thread.store(sum, global(names.variables[*x]));
        }
        Action::Set(x, value) => {
            thread.store(constant(8, i128::from(*value)), global(names.variables[*x]))
        }
        Action::Copy(x, y) => {
            let loaded = thread.load(8, global(names.variables[*x]));
            thread.store(loaded, global(names.variables[*y]));
        }
        Action::Assert(x, value) => {
            let good = test(thread, Comparison::NotEqual, *x, *value);
            thread.assert(good);
        }
        Action::Assume(x, value) => {
            let good = test(thread, Comparison::NotEqual, *x, *value);
            thread.assume(good);
        }
        Action::Limit(x, value) => {
            let good = test(thread, Comparison::NotEqual, *x, *value);
            thread.otherwise(good, LocationKind::Limit(LimitKind::Recursion));
        }
        Action::Halt(x, value) => {
            let good = test(thread, Comparison::NotEqual, *x, *value);
            thread.otherwise(good, LocationKind::Halted);
        }
        Action::Lock => {
            thread.mutex(MutexOperation::Lock, global(names.mutex));
        }
        Action::Unlock => {
            thread.mutex(MutexOperation::Unlock, global(names.mutex));
        }
        Action::Choose(actions) => {
            let choice = thread.havoc(1);
            let (_, no) = thread.branch(choice);
            for action in actions {
                act(thread, names, action);
            }
            thread.jump(no);
        }
        Action::Atomic(actions) => {
            thread.statement(Statement::AtomicBegin);
            for action in actions {
                act(thread, names, action);
            }
            thread.statement(Statement::AtomicEnd);
        }
        Action::Spin(x) => {
            // The value is loaded once: either it goes on, or it loops on its registers for ever.
            let zero = test(thread, Comparison::Equal, *x, 0);
            let head = thread.location(LocationKind::Ordinary);
            thread.jump(head);
            let (yes, no) = thread.branch(zero);
            thread.go_to(no);
            thread.jump(head);
            thread.go_to(yes);
        }
    }
}

fn program_of(threads: &[Vec<Action>; 2], main_actions: &[Action]) -> Program {
    let mut builder = ProgramBuilder::new("random");
    let variables = [builder.global("x", &[0]), builder.global("y", &[0])];
    let names = Names {
        variables,
        mutex: builder.global("mutex", &[0; 20]),
    };
    let starts = [builder.function("one"), builder.function("other")];
    for (actions, &start) in threads.iter().zip(&starts) {
        let mut thread = builder.thread(start);
        actions
            .iter()
            .for_each(|action| act(&mut thread, &names, action));
        thread.finish();
    }
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    for start in starts {
        main.create(local(handle), function(start), constant(64, 0));
    }
    main_actions
        .iter()
        .for_each(|action| act(&mut main, &names, action));
    let last = main.load(64, local(handle));
    main.join(last, None);
    let good = main.load(8, global(variables[0]));
    let good = main.compare(Comparison::NotEqual, good, constant(8, 2));
    main.assert(good);
    main.finish();
    builder.finish()
}

/// Whether an error and whether a limit is reachable, by looking at all interleavings of single statements.
fn naive(program: &Program, instances: &Instances) -> Option<(bool, bool)> {
    let interpreter = Interpreter::new(program, instances);
    let mut known: HashSet<State> = HashSet::from([interpreter.initial()]);
    let mut pending = vec![interpreter.initial()];
    let (mut error, mut limit) = (false, false);
    while let Some(state) = pending.pop() {
        if known.len() > 60_000 {
            return None;
        }
        for thread in instances.threads.keys() {
            match interpreter.kind(&state, thread) {
                LocationKind::Error(_) => error = true,
                LocationKind::Limit(_) => limit = true,
                LocationKind::Ordinary
                | LocationKind::Exited
                | LocationKind::Halted
                | LocationKind::Blocked => {}
            }
            for input in 0..2 {
                let mut script = Script {
                    inputs: vec![input],
                    ..Script::default()
                };
                if let StepResult::Executed { state: next, .. } =
                    interpreter.step(&state, thread, &mut script)
                    && known.insert(next.clone())
                {
                    pending.push(next);
                }
            }
        }
    }
    Some((error, limit))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn turns_at_visible_statements_are_enough(
        one in prop::collection::vec(action(), 1..4),
        other in prop::collection::vec(action(), 1..4),
        main in prop::collection::vec(action(), 0..2),
    ) {
        let program = program_of(&[one, other], &main);
        prop_assert_eq!(check(&program), []);
        let instances = instantiate(&program, &Bounds::default());
        let Some((error, limit)) = naive(&program, &instances) else { return Ok(()) };
        for shortest in [false, true] {
            let limits = SearchLimits { shortest, ..SearchLimits::default() };
            let (found, explored) = explore_and_keep(&program, &instances, &limits);
            prop_assert_eq!(explored.is_some(), !error && !limit);
            if let Some(explored) = explored {
                prop_assert_eq!(inductiveness::check(&program, &instances, &explored), Ok(()));
            }
            match &found.verdict {
                SearchVerdict::Unsafe(violation) => {
                    prop_assert!(error);
                    assert_replays(&program, &instances, violation);
                }
                SearchVerdict::Safe(()) => {
                    prop_assert!(!error);
                    prop_assert!(!limit);
                }
                SearchVerdict::Unknown(reasons) => {
                    prop_assert!(!error);
                    prop_assert!(limit);
                    prop_assert!(!reasons.iter().any(Incompleteness::ends_search), "{:?}", reasons);
                }
            }
        }
    }

    #[test]
    fn turns_everywhere_may_be_asked_for(
        one in prop::collection::vec(action(), 1..3),
        other in prop::collection::vec(action(), 1..3),
    ) {
        let mut program = program_of(&[one, other], &[]);
        for template in program.templates.values_mut() {
            for location in template.locations.values_mut() {
                location.external = true;
            }
        }
        let instances = instantiate(&program, &Bounds::default());
        let Some((error, _)) = naive(&program, &instances) else { return Ok(()) };
        let limits = SearchLimits { scheduling: Scheduling::External, ..SearchLimits::default() };
        let found = explore(&program, &instances, &limits);
        prop_assert_eq!(matches!(found.verdict, SearchVerdict::Unsafe(_)), error);
    }
}

#[test]
fn every_kept_state_is_shown_once() {
    let program = program_of(
        &[vec![Action::Increment(0)], vec![Action::Increment(0)]],
        &[],
    );
    let instances = instantiate(&program, &Bounds::default());
    let mut shown = HashSet::new();
    let mut both = false;
    let found = for_each_state(
        &program,
        &instances,
        &SearchLimits::default(),
        &mut |state| {
            both |= state.is_started(InstanceId(1)) && state.is_started(InstanceId(2));
            assert!(shown.insert(state.clone()), "shown twice");
        },
    );
    assert_eq!(found.states, shown.len() as u64);
    assert!(both);
}
