//! The search on classic small programs.

use std::cell::RefCell;

use crate::common::{assert_safe, search, violation};
use abi::schedule::Schedule;
use explicit::explore::{
    Incompleteness, LimitMet, SearchLimits, SearchVerdict, explore, explore_until,
};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::model::{
    BinaryOperator, Comparison, FunctionId, GlobalId, LimitKind, LocationKind, MutexOperation,
    Operand, Program, Property, Statement,
};
use program::threads::{Bounds, instantiate};

/// Creates one thread per start routine, joins them all, and asserts that `x` has a value.
fn main_of(
    builder: &mut ProgramBuilder,
    threads: &[FunctionId],
    checked: Option<(GlobalId, i128)>,
) {
    let mut main = builder.main();
    let handles: Vec<_> = threads.iter().map(|_| main.local("handle", 8)).collect();
    for (&handle, &start) in handles.iter().zip(threads) {
        main.create(local(handle), function(start), constant(64, 0));
    }
    for &handle in &handles {
        let thread = main.load(64, local(handle));
        main.join(thread, None);
    }
    if let Some((variable, expected)) = checked {
        let value = main.load(32, global(variable));
        let good = main.compare(Comparison::Equal, value, constant(32, expected));
        main.assert(good);
    }
    main.finish();
}

fn increment(thread: &mut TemplateBuilder<'_>, variable: GlobalId) {
    let value = thread.load(32, global(variable));
    let sum = thread.binary(BinaryOperator::Add, value, constant(32, 1));
    thread.store(sum, global(variable));
}

/// `count` threads increment a counter, each under a mutex or not.
fn counter(count: usize, locked: bool) -> Program {
    let mut builder = ProgramBuilder::new("counter");
    let x = builder.global("x", &[0; 4]);
    let mutex = builder.global("mutex", &[0; 40]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    if locked {
        worker.mutex(MutexOperation::Lock, global(mutex));
    }
    increment(&mut worker, x);
    if locked {
        worker.mutex(MutexOperation::Unlock, global(mutex));
    }
    worker.finish();
    main_of(&mut builder, &vec![start; count], Some((x, count as i128)));
    builder.finish()
}

#[test]
fn a_lost_update_is_found() {
    let exploration = search(&counter(2, false));
    let found = violation(&exploration);
    let turns = |thread| {
        found
            .schedule
            .events
            .iter()
            .filter(|event| event.instance.0 == thread)
            .count()
    };
    assert!(
        turns(1) > 1 || turns(2) > 1,
        "somebody is interrupted between load and store: {}",
        found.schedule
    );
    assert_eq!(found.property, Property::UnreachCall);
}

#[test]
fn a_search_goes_on_behind_violations_that_are_not_accepted() {
    let program = counter(2, false);
    let instances = instantiate(&program, &Bounds::default());
    let asked = RefCell::new(Vec::new());
    let search = |accepted: usize| {
        asked.borrow_mut().clear();
        let accept = |schedule: &Schedule| {
            asked.borrow_mut().push(schedule.clone());
            asked.borrow().len() == accepted
        };
        let limits = SearchLimits::default();
        let (exploration, explored) = explore_until(&program, &instances, &limits, &accept);
        assert!(explored.is_none());
        violation(&exploration).schedule.clone()
    };
    let third = search(3);
    assert_eq!(asked.borrow().len(), 3);
    assert_eq!(asked.borrow().last(), Some(&third));
    let none = search(usize::MAX);
    assert!(asked.borrow().len() > 3);
    assert_eq!(asked.borrow().first(), Some(&none));
}

#[test]
fn the_shortest_counterexample_has_the_fewest_turns() {
    let program = counter(2, false);
    let instances = instantiate(&program, &Bounds::default());
    let shortest = explore(
        &program,
        &instances,
        &SearchLimits {
            shortest: true,
            ..SearchLimits::default()
        },
    );
    let any = explore(&program, &instances, &SearchLimits::default());
    let steps = |exploration| {
        violation(exploration)
            .schedule
            .events
            .iter()
            .map(|event| event.steps)
            .sum::<u32>()
    };
    // Every statement of all threads: main 2 x (create, store), 2 x (load, join), load, compare, guard, skip; 2 x 4 in the threads.
    assert_eq!(steps(&shortest), 12 + 8);
    assert!(steps(&any) >= steps(&shortest));
}

#[test]
fn a_mutex_protects_the_counter() {
    assert_safe(&search(&counter(2, true)));
    assert_safe(&search(&counter(3, true)));
}

/// Announce, then look whether the other one has announced, then enter: `order` says whether in this order.
fn flags(announce_first: bool) -> Program {
    let mut builder = ProgramBuilder::new("flags");
    let flags = [
        builder.global("flag0", &[0; 4]),
        builder.global("flag1", &[0; 4]),
    ];
    let inside = builder.global("inside", &[0; 4]);
    let starts = [builder.function("zero"), builder.function("one")];
    for (me, &start) in starts.iter().enumerate() {
        let mut thread = builder.thread(start);
        if announce_first {
            thread.store(constant(32, 1), global(flags[me]));
        }
        let other = thread.load(32, global(flags[1 - me]));
        if !announce_first {
            thread.store(constant(32, 1), global(flags[me]));
        }
        let free = thread.compare(Comparison::Equal, other, constant(32, 0));
        thread.assume(free);
        critical_section(&mut thread, inside);
        thread.finish();
    }
    main_of(&mut builder, &starts, None);
    builder.finish()
}

/// Asserts that no other thread is inside.
fn critical_section(thread: &mut TemplateBuilder<'_>, inside: GlobalId) {
    let before = thread.load(32, global(inside));
    let alone = thread.compare(Comparison::Equal, before, constant(32, 0));
    thread.assert(alone);
    thread.store(constant(32, 1), global(inside));
    thread.store(constant(32, 0), global(inside));
}

#[test]
fn announcing_before_looking_excludes() {
    assert_safe(&search(&flags(true)));
    violation(&search(&flags(false)));
}

/// Peterson's algorithm; `yielding` says whether a thread gives the turn to the other one.
fn peterson(yielding: bool) -> Program {
    let mut builder = ProgramBuilder::new("peterson");
    let flags = [
        builder.global("flag0", &[0; 4]),
        builder.global("flag1", &[0; 4]),
    ];
    let turn = builder.global("turn", &[0; 4]);
    let inside = builder.global("inside", &[0; 4]);
    let starts = [builder.function("zero"), builder.function("one")];
    for (me, &start) in starts.iter().enumerate() {
        let given = if yielding { 1 - me } else { me };
        let mut thread = builder.thread(start);
        thread.store(constant(32, 1), global(flags[me]));
        thread.store(constant(32, given as i128), global(turn));
        let enter = thread.location(LocationKind::Ordinary);
        let spin = thread.location(LocationKind::Ordinary);
        thread.jump(spin);
        let wanted = thread.load(32, global(flags[1 - me]));
        let wanted = thread.compare(Comparison::NotEqual, wanted, constant(32, 0));
        let (contended, quiet) = thread.branch(wanted);
        thread.go_to(quiet);
        thread.jump(enter);
        thread.go_to(contended);
        let whose = thread.load(32, global(turn));
        let mine = thread.compare(Comparison::Equal, whose, constant(32, me as i128));
        let (my_turn, their_turn) = thread.branch(mine);
        thread.go_to(my_turn);
        thread.jump(enter);
        thread.go_to(their_turn);
        thread.jump(spin);
        thread.go_to(enter);
        critical_section(&mut thread, inside);
        thread.store(constant(32, 0), global(flags[me]));
        thread.finish();
    }
    main_of(&mut builder, &starts, None);
    builder.finish()
}

#[test]
fn petersons_algorithm_excludes() {
    assert_safe(&search(&peterson(true)));
    violation(&search(&peterson(false)));
}

/// Dekker's algorithm for one entry each; without `back_off` a thread goes in although the other one wants to.
fn dekker(back_off: bool) -> Program {
    let mut builder = ProgramBuilder::new("dekker");
    let wants = [
        builder.global("want0", &[0; 4]),
        builder.global("want1", &[0; 4]),
    ];
    let turn = builder.global("turn", &[0; 4]);
    let inside = builder.global("inside", &[0; 4]);
    let starts = [builder.function("zero"), builder.function("one")];
    for (me, &start) in starts.iter().enumerate() {
        let mut thread = builder.thread(start);
        let (mine, other) = (wants[me], wants[1 - me]);
        thread.store(constant(32, 1), global(mine));
        let look = thread.location(LocationKind::Ordinary);
        let enter = thread.location(LocationKind::Ordinary);
        thread.jump(look);
        let wanted = thread.load(32, global(other));
        let wanted = thread.compare(Comparison::NotEqual, wanted, constant(32, 0));
        let (contended, quiet) = thread.branch(wanted);
        thread.go_to(quiet);
        thread.jump(enter);
        thread.go_to(contended);
        let whose = thread.load(32, global(turn));
        let is_mine = thread.compare(Comparison::Equal, whose, constant(32, me as i128));
        let (my_turn, their_turn) = thread.branch(is_mine);
        thread.go_to(my_turn);
        thread.jump(if back_off { look } else { enter });
        thread.go_to(their_turn);
        thread.store(constant(32, 0), global(mine));
        let wait = thread.location(LocationKind::Ordinary);
        thread.jump(wait);
        let whose = thread.load(32, global(turn));
        let is_mine = thread.compare(Comparison::Equal, whose, constant(32, me as i128));
        let (my_turn, their_turn) = thread.branch(is_mine);
        thread.go_to(their_turn);
        thread.jump(wait);
        thread.go_to(my_turn);
        thread.store(constant(32, 1), global(mine));
        thread.jump(look);
        thread.go_to(enter);
        critical_section(&mut thread, inside);
        thread.store(constant(32, 1 - me as i128), global(turn));
        thread.store(constant(32, 0), global(mine));
        thread.finish();
    }
    main_of(&mut builder, &starts, None);
    builder.finish()
}

#[test]
fn dekkers_algorithm_excludes() {
    assert_safe(&search(&dekker(true)));
    violation(&search(&dekker(false)));
}

#[test]
fn a_thread_that_loops_on_its_registers_does_not_hide_the_others() {
    let mut builder = ProgramBuilder::new("spin");
    let x = builder.global("x", &[0; 4]);
    let (spinner, writer) = (builder.function("spinner"), builder.function("writer"));
    let mut thread = builder.thread(spinner);
    let head = thread.location(LocationKind::Ordinary);
    thread.jump(head);
    thread.havoc(1);
    thread.jump(head);
    thread.complete();
    let mut thread = builder.thread(writer);
    thread.store(constant(32, 1), global(x));
    thread.finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    main.create(local(handle), function(spinner), constant(64, 0));
    main.create(local(handle), function(writer), constant(64, 0));
    let value = main.load(32, global(x));
    let zero = main.compare(Comparison::Equal, value, constant(32, 0));
    main.assert(zero);
    main.finish();
    violation(&search(&builder.finish()));
}

#[test]
fn an_exit_right_after_a_store_does_not_hide_what_others_see_between() {
    let mut builder = ProgramBuilder::new("exit");
    let x = builder.global("x", &[0; 4]);
    let reader = builder.function("reader");
    let mut thread = builder.thread(reader);
    let value = thread.load(32, global(x));
    let zero = thread.compare(Comparison::Equal, value, constant(32, 0));
    thread.assert(zero);
    thread.finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    main.create(local(handle), function(reader), constant(64, 0));
    main.store(constant(32, 1), global(x));
    let halted = main.location(LocationKind::Halted);
    main.jump(halted);
    main.complete();
    violation(&search(&builder.finish()));
}

#[test]
fn a_return_right_after_a_store_does_not_hide_what_others_see_between() {
    let mut builder = ProgramBuilder::new("lent");
    let lent = builder.global("lent", &[0; 8]);
    let lender = builder.function("lender");
    let mut thread = builder.thread(lender);
    let own = thread.local("own", 4);
    thread.store(constant(32, 3), local(own));
    thread.store(local(own), global(lent));
    thread.finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    main.create(local(handle), function(lender), constant(64, 0));
    let address = main.load(64, global(lent));
    let set = main.compare(Comparison::NotEqual, address, constant(64, 0));
    main.assume(set);
    let value = main.load(32, address);
    let other = main.compare(Comparison::NotEqual, value, constant(32, 3));
    main.assert(other);
    main.finish();
    violation(&search(&builder.finish()));
}

#[test]
fn atomic_regions_are_indivisible() {
    for atomic in [false, true] {
        let mut builder = ProgramBuilder::new("atomic");
        let x = builder.global("x", &[0; 4]);
        let start = builder.function("worker");
        let mut worker = builder.thread(start);
        if atomic {
            worker.statement(Statement::AtomicBegin);
        }
        increment(&mut worker, x);
        if atomic {
            worker.statement(Statement::AtomicEnd);
        }
        worker.finish();
        main_of(&mut builder, &[start, start], Some((x, 2)));
        let exploration = search(&builder.finish());
        if atomic {
            assert_safe(&exploration)
        } else {
            assert!(violation(&exploration).schedule.events.len() > 2)
        }
    }
}

#[test]
fn a_false_assumption_in_an_atomic_region_ends_the_run() {
    let mut builder = ProgramBuilder::new("atomic assume");
    let x = builder.global("x", &[0; 4]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    worker.statement(Statement::AtomicBegin);
    worker.store(constant(32, 1), global(x));
    worker.assume(constant(1, 0));
    worker.statement(Statement::AtomicEnd);
    worker.finish();
    let mut main = builder.main();
    let handle = main.local("handle", 8);
    main.create(local(handle), function(start), constant(64, 0));
    let value = main.load(32, global(x));
    let zero = main.compare(Comparison::Equal, value, constant(32, 0));
    main.assert(zero);
    main.finish();
    assert_safe(&search(&builder.finish()));
}

#[test]
fn narrow_inputs_are_enumerated_and_wide_ones_sampled() {
    let program = |width, secret| {
        crate::common::main_only("input", |main| {
            let input = main.havoc(width);
            let product = main.binary(BinaryOperator::Multiply, input, constant(width, 3));
            let good = main.compare(Comparison::NotEqual, product, constant(width, secret));
            main.assert(good);
        })
    };
    violation(&search(&program(8, 77)));
    let exploration = search(&program(32, 3 * 1000));
    let SearchVerdict::Unknown(reasons) = exploration.verdict else {
        panic!("complete")
    };
    assert!(
        matches!(reasons[..], [Incompleteness::Sampled { width: 32, .. }]),
        "{reasons:?}"
    );
    // A constant of the program is among the values that are tried.
    let program = crate::common::main_only("constant", |main| {
        let input = main.havoc(32);
        let good = main.compare(Comparison::NotEqual, input, constant(32, 123_456));
        main.assert(good);
    });
    violation(&search(&program));
}

#[test]
fn an_input_that_is_never_read_needs_no_enumeration() {
    let program = crate::common::main_only("unused", |main| {
        main.havoc(64);
    });
    assert_safe(&search(&program));
}

#[test]
fn reached_limits_are_reasons_and_the_search_goes_on() {
    let mut program = None;
    let source = crate::common::main_only("limit", |main| {
        let input = main.havoc(1);
        let site = main.otherwise(input, LocationKind::Limit(LimitKind::Recursion));
        program = Some(site);
        main.load(32, constant(64, 0));
    });
    let exploration = search(&source);
    let SearchVerdict::Unknown(reasons) = exploration.verdict else {
        panic!("complete")
    };
    let site = program.expect("built");
    let [
        Incompleteness::Location {
            kind: LimitMet::Undefined(what),
            ..
        },
        second,
    ] = &reasons[..]
    else {
        panic!("{reasons:?}")
    };
    assert_eq!(what, "access through the null pointer");
    assert_eq!(
        *second,
        Incompleteness::Location {
            kind: LimitMet::Recursion,
            site
        }
    );
}

#[test]
fn limits_of_the_search_are_reported() {
    let program = counter(3, true);
    let instances = instantiate(&program, &Bounds::default());
    let limited = explore(
        &program,
        &instances,
        &SearchLimits {
            states: 10,
            ..SearchLimits::default()
        },
    );
    assert_eq!(
        limited.verdict,
        SearchVerdict::Unknown(vec![Incompleteness::States(10)])
    );
}

#[test]
fn freed_memory_is_reused() {
    let program = |slots: i128| {
        let mut builder = ProgramBuilder::new("reuse");
        let mut main = builder.main();
        let first = main.allocate(constant(64, 4), 4, false);
        main.statement(Statement::Free {
            address: Operand::Register(first),
            automatic: false,
        });
        let second = main.allocate(constant(64, 4), 4, false);
        let same = main.compare(Comparison::Equal, first, second);
        let good = main.compare(Comparison::NotEqual, same, constant(1, slots));
        main.assert(good);
        main.finish();
        builder.finish()
    };
    violation(&search(&program(0)));
    violation(&search(&program(1)));
}
