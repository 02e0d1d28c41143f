//! Programs by hand: what the encoded system reaches is what the program reaches, and errors replay.

use crate::common::{Encoded, agrees, encoded, mark_visible, search};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::model::{
    BinaryOperator, Cast, Comparison, FunctionId, GlobalId, LocationKind, MutexOperation, Operand,
    Operation, Program, Statement, UpdateOperator,
};

/// Whether the error is reachable, after comparing with the explicit search of the program.
fn is_unsafe(mut program: Program) -> bool {
    mark_visible(&mut program);
    let encoded = encoded(program);
    assert!(
        agrees(&encoded, 100_000),
        "too large: {:?}",
        encoded.encoding.statistics
    );
    search(&encoded.encoding.system, 100_000).is_some_and(|found| found.contains_key(&0))
}

/// Main starts `count` threads that run `body`, joins them and runs `check`.
fn threads(
    count: usize,
    bytes: &[u8],
    body: impl Fn(&mut TemplateBuilder<'_>, GlobalId),
    check: impl Fn(&mut TemplateBuilder<'_>, GlobalId),
) -> Program {
    let mut builder = ProgramBuilder::new("threads");
    let shared = builder.global("shared", bytes);
    let worker = builder.function("worker");
    let mut thread = builder.thread(worker);
    body(&mut thread, shared);
    thread.finish();
    let mut main = builder.main();
    let handles = create_all(&mut main, count, worker);
    join_all(&mut main, handles);
    check(&mut main, shared);
    main.finish();
    builder.finish()
}

fn create_all(main: &mut TemplateBuilder<'_>, count: usize, worker: FunctionId) -> Vec<Operand> {
    (0..count)
        .map(|_| {
            let handle = local(main.local("handle", 8));
            main.create(handle, function(worker), constant(64, 0));
            handle
        })
        .collect()
}

fn join_all(main: &mut TemplateBuilder<'_>, handles: Vec<Operand>) {
    for handle in handles {
        let handle = main.load(64, handle);
        main.join(handle, None);
    }
}

fn increment(thread: &mut TemplateBuilder<'_>, shared: GlobalId) {
    let old = thread.load(8, global(shared));
    let new = thread.binary(BinaryOperator::Add, old, constant(8, 1));
    thread.store(new, global(shared));
}

fn assert_is(thread: &mut TemplateBuilder<'_>, shared: GlobalId, value: i128) {
    let now = thread.load(8, global(shared));
    let good = thread.compare(Comparison::Equal, now, constant(8, value));
    thread.assert(good);
}

#[test]
fn an_update_is_lost() {
    assert!(is_unsafe(threads(2, &[0], increment, |main, shared| {
        assert_is(main, shared, 2)
    })));
}

#[test]
fn an_atomic_update_is_not_lost() {
    let body = |thread: &mut TemplateBuilder<'_>, shared| {
        let register = thread.register(8);
        thread.statement(Statement::AtomicRmw {
            register,
            address: global(shared),
            operator: UpdateOperator::Add,
            operand: constant(8, 1),
        });
    };
    assert!(!is_unsafe(threads(
        2,
        &[0],
        body,
        |main, shared| assert_is(main, shared, 2)
    )));
}

#[test]
fn an_atomic_region_is_not_interrupted() {
    let body = |thread: &mut TemplateBuilder<'_>, shared| {
        thread.statement(Statement::AtomicBegin);
        increment(thread, shared);
        thread.statement(Statement::AtomicEnd);
    };
    assert!(!is_unsafe(threads(
        2,
        &[0],
        body,
        |main, shared| assert_is(main, shared, 2)
    )));
}

/// It has a place where its blocks end, in which it lets no other thread in.
#[test]
fn a_loop_in_an_atomic_region_is_not_interrupted() {
    let body = |thread: &mut TemplateBuilder<'_>, shared| {
        thread.statement(Statement::AtomicBegin);
        let old = thread.load(8, global(shared));
        let head = thread.location(LocationKind::Ordinary);
        thread.jump(head);
        let more = thread.havoc(1);
        let (_, done) = thread.branch(more);
        thread.jump(head);
        thread.go_to(done);
        let new = thread.binary(BinaryOperator::Add, old, constant(8, 1));
        thread.store(new, global(shared));
        thread.statement(Statement::AtomicEnd);
    };
    assert!(!is_unsafe(threads(
        2,
        &[0],
        body,
        |main, shared| assert_is(main, shared, 2)
    )));
}

#[test]
fn a_mutex_protects() {
    let body = |thread: &mut TemplateBuilder<'_>, shared: GlobalId| {
        let mutex = Operand::Address(program::model::Place::Global(shared), 4);
        thread.mutex(MutexOperation::Lock, mutex);
        increment(thread, shared);
        thread.mutex(MutexOperation::Unlock, mutex);
    };
    assert!(!is_unsafe(threads(2, &[0; 24], body, |main, shared| {
        assert_is(main, shared, 2)
    })));
}

#[test]
fn a_mutex_that_is_tried_does_not() {
    for kind in 0..5 {
        let mut bytes = [0; 24];
        bytes[20] = kind;
        let body = |thread: &mut TemplateBuilder<'_>, shared: GlobalId| {
            let mutex = Operand::Address(program::model::Place::Global(shared), 4);
            let code = thread.mutex(MutexOperation::TryLock, mutex);
            let taken = thread.compare(Comparison::Equal, code, constant(32, 0));
            let (_, busy) = thread.branch(taken);
            let end = thread.location(LocationKind::Ordinary);
            let again = thread.mutex(MutexOperation::TryLock, mutex);
            let nested = thread.compare(Comparison::Equal, again, constant(32, 0));
            let (_, single) = thread.branch(nested);
            let rest = thread.location(LocationKind::Ordinary);
            thread.mutex(MutexOperation::Unlock, mutex);
            thread.jump(rest);
            thread.go_to(single);
            thread.jump(rest);
            increment(thread, shared);
            thread.mutex(MutexOperation::Unlock, mutex);
            thread.jump(end);
            thread.go_to(busy);
            let code = thread.mutex(MutexOperation::Unlock, mutex);
            let refused = thread.compare(Comparison::Equal, code, constant(32, 1));
            thread.assert(refused);
            thread.jump(end);
        };
        let check = |main: &mut TemplateBuilder<'_>, shared: GlobalId| {
            let now = main.load(8, global(shared));
            let good = main.compare(Comparison::NotEqual, now, constant(8, 0));
            main.assert(good);
        };
        is_unsafe(threads(2, &bytes, body, check));
    }
}

#[test]
fn an_effect_before_a_false_assumption_counts() {
    let body = |thread: &mut TemplateBuilder<'_>, shared| {
        increment(thread, shared);
        thread.assume(constant(1, 0));
    };
    let mut builder = ProgramBuilder::new("blocked");
    let shared = builder.global("shared", &[0]);
    let worker = builder.function("worker");
    let mut thread = builder.thread(worker);
    body(&mut thread, shared);
    thread.finish();
    let mut main = builder.main();
    create_all(&mut main, 1, worker);
    assert_is(&mut main, shared, 0);
    main.finish();
    assert!(is_unsafe(builder.finish()));
}

#[test]
fn heap_objects_are_distinct_and_end() {
    let heap = |free_first: bool| {
        let mut builder = ProgramBuilder::new("heap");
        let mut main = builder.main();
        let one = main.allocate(constant(64, 1), 1, true);
        let two = main.allocate(constant(64, 1), 1, true);
        main.store(constant(8, 7), one);
        if free_first {
            main.statement(Statement::Free {
                address: one.into(),
                automatic: false,
            });
        }
        let value = main.load(8, two);
        let good = main.compare(Comparison::Equal, value, constant(8, 0));
        main.assert(good);
        let value = main.load(8, one);
        let good = main.compare(Comparison::Equal, value, constant(8, 7));
        main.assert(good);
        main.finish();
        builder.finish()
    };
    assert!(!is_unsafe(heap(false)));
    assert!(!is_unsafe(heap(true)));
    let mut program = heap(true);
    mark_visible(&mut program);
    let names = |encoded: &Encoded| {
        let found = search(&encoded.encoding.system, 1000).expect("small");
        let names = found
            .keys()
            .map(|&at| encoded.encoding.system.properties[at].name.clone());
        names.collect::<Vec<_>>()
    };
    let names = names(&encoded(program));
    assert!(
        names.len() == 1 && names[0].starts_with("undefined"),
        "{names:?}"
    );
}

#[test]
fn arbitrary_memory_is_replayed() {
    for again in [false, true] {
        let mut builder = ProgramBuilder::new("uninitialised");
        let mut main = builder.main();
        let variable = main.local("x", 1);
        if again {
            main.store(constant(8, 0), local(variable));
            main.statement(Statement::LifetimeStart { local: variable });
        }
        let value = main.load(8, local(variable));
        let good = main.compare(Comparison::NotEqual, value, constant(8, 143));
        main.assert(good);
        main.finish();
        assert!(is_unsafe(builder.finish()));
    }
}

#[test]
fn loops_and_arrays_are_followed() {
    let mut builder = ProgramBuilder::new("array");
    let array = builder.global("array", &[3, 1, 4, 1, 5, 9]);
    let mut main = builder.main();
    let (index, sum) = (main.register(8), main.register(8));
    main.statement(Statement::ParallelAssign(vec![
        (index, constant(8, 0)),
        (sum, constant(8, 0)),
    ]));
    let head = main.location(LocationKind::Ordinary);
    main.jump(head);
    let more = main.compare(Comparison::UnsignedLess, index, constant(8, 6));
    let (_, done) = main.branch(more);
    let address = main.assign(
        64,
        Operation::Offset {
            base: global(array),
            constant: 0,
            indices: vec![(index.into(), 1)],
        },
    );
    let value = main.load(8, address);
    let next = main.binary(BinaryOperator::Add, sum, value);
    let step = main.binary(BinaryOperator::Add, index, constant(8, 1));
    main.statement(Statement::ParallelAssign(vec![
        (index, step.into()),
        (sum, next.into()),
    ]));
    main.jump(head);
    main.go_to(done);
    let good = main.compare(Comparison::Equal, sum, constant(8, 23));
    main.assert(good);
    main.finish();
    let program = builder.finish();
    assert!(!is_unsafe(program));
}

#[test]
fn a_join_yields_the_result_and_an_argument_arrives() {
    for returned in [3, 4] {
        let mut builder = ProgramBuilder::new("result");
        let [handle, result] = ["handle", "result"].map(|name| builder.global(name, &[0; 8]));
        let worker = builder.function("worker");
        let mut thread = builder.thread(worker);
        let argument = thread.parameter();
        let sum = thread.binary(BinaryOperator::Add, argument, constant(64, 1));
        thread.return_value(sum);
        thread.complete();
        let mut main = builder.main();
        main.create(global(handle), function(worker), constant(64, returned - 1));
        let thread = main.load(64, global(handle));
        main.join(thread, Some(global(result)));
        let value = main.load(64, global(result));
        let good = main.compare(Comparison::Equal, value, constant(64, 3));
        main.assert(good);
        main.finish();
        assert_eq!(is_unsafe(builder.finish()), returned != 3);
    }
}

#[test]
fn an_unknown_handle_and_too_many_threads_are_limits() {
    let mut builder = ProgramBuilder::new("limits");
    let shared = builder.global("shared", &[0]);
    let handle = builder.global("handle", &[0; 8]);
    let worker = builder.function("worker");
    let mut thread = builder.thread(worker);
    increment(&mut thread, shared);
    thread.finish();
    let mut main = builder.main();
    let head = main.location(LocationKind::Ordinary);
    main.jump(head);
    let more = main.havoc(1);
    let (_, end) = main.branch(more);
    main.create(global(handle), function(worker), constant(64, 0));
    main.jump(head);
    main.go_to(end);
    main.join(constant(64, 77), None);
    main.finish();
    let mut program = builder.finish();
    mark_visible(&mut program);
    let encoded = encoded(program);
    assert!(agrees(&encoded, 100_000));
    let names = encoded
        .encoding
        .system
        .properties
        .iter()
        .map(|p| p.name.as_str());
    let limits: Vec<&str> = names.skip(1).map(|name| &name[..4]).collect();
    assert_eq!(limits, ["unde", "more"]);
}

#[test]
fn a_start_routine_may_be_chosen_and_threads_have_their_own_variables() {
    let mut builder = ProgramBuilder::new("choice");
    let shared = builder.global("shared", &[0]);
    let handle = builder.global("handle", &[0; 8]);
    let own = builder.thread_local("own", &[1]);
    let routines = [builder.function("two"), builder.function("three")];
    for (routine, amount) in routines.into_iter().zip([2, 3]) {
        let mut thread = builder.thread(routine);
        let one = thread.load(8, global(own));
        let sum = thread.binary(BinaryOperator::Add, one, constant(8, amount - 1));
        thread.store(sum, global(own));
        thread.store(sum, global(shared));
        thread.finish();
    }
    let mut main = builder.main();
    let which = main.havoc(1);
    let [two, three] = routines.map(function);
    let start = main.assign(64, Operation::Select(which.into(), two, three));
    main.create(global(handle), start, constant(64, 0));
    let thread = main.load(64, global(handle));
    main.join(thread, None);
    let here = main.load(8, global(own));
    let untouched = main.compare(Comparison::Equal, here, constant(8, 1));
    main.assert(untouched);
    let value = main.load(8, global(shared));
    let [is_two, is_three] =
        [2, 3].map(|amount| main.compare(Comparison::Equal, value, constant(8, amount)));
    let good = main.binary(BinaryOperator::Or, is_two, is_three);
    main.assert(good);
    main.finish();
    assert!(!is_unsafe(builder.finish()));
}

#[test]
fn a_thread_knows_its_number_and_a_halted_run_ends() {
    let build = |halts: bool| {
        let body = |thread: &mut TemplateBuilder<'_>, shared: GlobalId| {
            let register = thread.register(32);
            thread.statement(Statement::SelfNumber { register });
            let low = thread.assign(8, Operation::Cast(Cast::Truncate, register.into()));
            thread.store(low, global(shared));
            if halts {
                thread.otherwise(constant(1, 0), LocationKind::Halted);
            }
        };
        threads(1, &[0], body, |main, shared| assert_is(main, shared, 1))
    };
    assert!(is_unsafe(build(false)));
    assert!(!is_unsafe(build(true)));
}
