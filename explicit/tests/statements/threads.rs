//! Statements that create and join threads, atomic regions, and variables of threads.

use super::undefined;
use crate::common::{main_only, run_main, run_thread};
use abi::ids::InstanceId;
use explicit::interpret::{Interpreter, Observation, Waiting};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::model::{LimitKind, LocationKind, Place, Program, RegisterId, Statement, Undefined};
use program::threads::{Bounds, instantiate};

/// Main creates a thread with an argument, joins it, and writes its result.
fn create_and_join(result: Option<i128>) -> Program {
    let mut builder = ProgramBuilder::new("join");
    let out = builder.global("out", &[0; 8]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    let argument = worker.parameter();
    worker.store(argument, global(out));
    match result {
        Some(result) => worker.return_value(constant(64, result)),
        None => worker.return_nothing(),
    }
    worker.complete();
    let mut main = builder.main();
    let (handle, value) = (main.local("handle", 8), main.local("value", 8));
    main.create(local(handle), function(start), constant(64, 5));
    let thread = main.load(64, local(handle));
    main.join(thread, Some(local(value)));
    let value = main.load(64, local(value));
    main.store(value, global(out));
    main.finish();
    builder.finish()
}

#[test]
fn threads_get_an_argument_and_yield_a_result() {
    for (result, inputs, expected) in [(Some(77), &[][..], 77), (None, &[1234][..], 1234)] {
        let program = create_and_join(result);
        let instances = instantiate(&program, &Bounds::default());
        assert_eq!(instances.threads.len(), 2);
        let interpreter = Interpreter::new(&program, &instances);
        let worker = InstanceId(1);
        let before = run_thread(&interpreter, interpreter.initial(), InstanceId::MAIN, &[]);
        assert_eq!(before.waiting, Some(Waiting::Join(worker)));
        let handle = u128::from(instances.handle(worker));
        assert_eq!(before.written(), [handle], "the handle");
        assert!(before.events.contains(&Observation::Started(worker)));
        let middle = run_thread(&interpreter, before.state, worker, &[]);
        assert_eq!(
            (middle.written(), middle.kind),
            (vec![5], LocationKind::Exited)
        );
        let after = run_thread(&interpreter, middle.state, InstanceId::MAIN, inputs);
        assert_eq!(
            (after.written(), after.kind),
            (vec![expected, expected], LocationKind::Exited)
        );
        assert_eq!(after.asked.len(), inputs.len());
    }
}

#[test]
fn creating_and_joining_nonsense_is_undefined() {
    let join = |handle| main_only("join", |main| main.join(constant(64, handle), None));
    assert_eq!(undefined(&join(0)), Undefined::Handle(0));
    assert_eq!(undefined(&join(9)), Undefined::Handle(9));
    let itself = main_only("join", |main| {
        let register = main.register(64);
        main.statement(Statement::SelfHandle { register });
        main.join(register, None);
    });
    let itself = run_main(&itself, &[]);
    assert_eq!((itself.waiting, itself.kind), (None, LocationKind::Exited));
    let create = main_only("create", |main| {
        let handle = main.local("handle", 8);
        main.create(local(handle), constant(64, 8), constant(64, 0));
    });
    assert_eq!(undefined(&create), Undefined::Start(8));
}

#[test]
fn more_threads_than_enumerated_are_a_limit() {
    let mut builder = ProgramBuilder::new("many");
    let start = builder.function("worker");
    builder.thread(start).finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    let head = main.location(LocationKind::Ordinary);
    main.jump(head);
    main.create(local(handle), function(start), constant(64, 0));
    main.jump(head);
    main.complete();
    let program = builder.finish();
    let instances = instantiate(&program, &Bounds::default());
    let run = run_main(&program, &[]);
    assert_eq!(run.kind, LocationKind::Limit(LimitKind::Threads));
    let handles = [1, 2, 3].map(|thread| u128::from(instances.handle(InstanceId(thread))));
    assert_eq!(run.written(), handles, "three handles by default");
}

/// Main creates a thread, detaches or joins it or not, and writes its number.
fn create_and_name(claim: fn(&mut TemplateBuilder<'_>, RegisterId)) -> Program {
    let mut builder = ProgramBuilder::new("name");
    let out = builder.global("out", &[0; 8]);
    let start = builder.function("worker");
    builder.thread(start).finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    main.create(local(handle), function(start), constant(64, 0));
    let thread = main.load(64, local(handle));
    claim(&mut main, thread);
    let number = main.number_of_thread(thread);
    main.store(number, global(out));
    main.finish();
    builder.finish()
}

#[test]
fn a_handle_names_a_thread_until_it_is_joined_or_detached() {
    let worker = InstanceId(1);
    let run = |claim| {
        let program = create_and_name(claim);
        let instances = instantiate(&program, &Bounds::default());
        let interpreter = Interpreter::new(&program, &instances);
        let created = run_thread(&interpreter, interpreter.initial(), InstanceId::MAIN, &[]);
        let Some(Waiting::Join(joined)) = created.waiting else {
            return (created.written().last().copied(), created.undefined);
        };
        let exited = run_thread(&interpreter, created.state, joined, &[]);
        let named = run_thread(&interpreter, exited.state, InstanceId::MAIN, &[]);
        (named.written().last().copied(), named.undefined)
    };
    assert_eq!(run(|_, _| {}), (Some(2), None));
    let (_, joined) = run(|main, thread| main.join(thread, None));
    assert_eq!(joined, Some(Undefined::Joined(worker)));
    let (_, detached) = run(|main, thread| main.detach(thread));
    assert_eq!(detached, Some(Undefined::Detached(worker)));
    let (_, unknown) = run(|main, _| {
        main.number_of_thread(constant(64, 3));
    });
    assert_eq!(unknown, Some(Undefined::Handle(3)));
}

#[test]
fn the_handle_of_the_executing_thread_names_it_even_when_it_is_detached() {
    let program = main_only("own", |main| {
        let (own, out) = (main.register(64), main.local("out", 4));
        main.statement(Statement::SelfHandle { register: own });
        main.detach(own);
        let number = main.number_of_thread(own);
        main.store(number, local(out));
    });
    assert_eq!(run_main(&program, &[]).written(), [1]);
}

#[test]
fn nobody_runs_while_a_thread_is_inside_an_atomic_region() {
    let mut builder = ProgramBuilder::new("atomic");
    let out = builder.global("out", &[0; 8]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    worker.store(constant(32, 1), global(out));
    worker.finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    main.create(local(handle), function(start), constant(64, 0));
    main.statement(Statement::AtomicBegin);
    main.statement(Statement::AtomicBegin);
    main.statement(Statement::AtomicEnd);
    let own = main.load(64, local(handle));
    main.join(own, None);
    main.statement(Statement::AtomicEnd);
    main.finish();
    let program = builder.finish();
    let instances = instantiate(&program, &Bounds::default());
    let interpreter = Interpreter::new(&program, &instances);
    let inside = run_thread(&interpreter, interpreter.initial(), InstanceId::MAIN, &[]);
    assert_eq!(inside.waiting, Some(Waiting::Join(InstanceId(1))));
    let other = run_thread(&interpreter, inside.state, InstanceId(1), &[]);
    assert_eq!(other.waiting, Some(Waiting::Atomic(InstanceId::MAIN)));
}

#[test]
fn each_thread_has_its_own_thread_local_variables() {
    let mut builder = ProgramBuilder::new("local");
    let own = builder.thread_local("own", &[3, 0, 0, 0]);
    let pointer = builder.thread_local("pointer", &[0; 8]);
    builder.relocation(pointer, 0, Place::Global(own), 0);
    let out = builder.global("out", &[0; 8]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    let address = worker.load(64, global(pointer));
    let value = worker.load(32, address);
    worker.store(value, global(out));
    worker.finish();
    let mut main = builder.main();
    main.store(constant(32, 8), global(own));
    let handle = main.local("handle", 8);
    main.create(local(handle), function(start), constant(64, 0));
    main.finish();
    let program = builder.finish();
    let instances = instantiate(&program, &Bounds::default());
    let interpreter = Interpreter::new(&program, &instances);
    let main = run_thread(&interpreter, interpreter.initial(), InstanceId::MAIN, &[]);
    assert_eq!(
        run_thread(&interpreter, main.state, InstanceId(1), &[]).written(),
        [3]
    );
}
