//! Lock pointer conditions: a conflict test that omits acquisitions makes the reduction miss an error, and conditions on mutexes save states.

use program::builder::{TemplateBuilder, constant, function, global};
use program::model::{Comparison, ConflictTest, Program};

use super::super::movers::check_classes;
use super::super::programs::{BESIDE, Body, Shared, Statements, Subject, threads, with_main};
use super::super::seeded::needs;
use super::{effect, needs_to_ask, region};
use crate::conditions::ConditionKind;
use crate::reduction::Reduction;
use crate::rules::Rules;

/// Writes 1 and then 2 under the mutex that is the guard now, once y is 1.
fn write_twice_under_the_first_guard(thread: &mut TemplateBuilder, shared: &Shared) {
    let guard = thread.guard(shared);
    let ready = thread.get(shared.y);
    thread.only_if(ready, 1);
    let first = thread.compare(Comparison::Equal, guard, global(shared.mutex));
    thread.assume(first);
    thread.lock(guard);
    thread.set(shared.x, 1);
    thread.set(shared.x, 2);
    thread.unlock(guard);
}

#[test]
fn mutexes_that_are_not_the_same_count() {
    let program = threads(&[write_twice_under_the_first_guard, |thread, shared| {
        thread.guard_by(shared, shared.other_mutex);
        thread.set(shared.y, 1);
        let guard = thread.guard(shared);
        thread.lock(guard);
        let found = thread.get(shared.x);
        thread.only_if(found, 1);
        thread.fail();
    }]);
    let same = |_: &Program, test: &mut ConflictTest| {
        if let ConflictTest::MayLockOther { accesses, .. } = test {
            accesses.clear();
        }
    };
    needs_to_ask(same, program);
}

#[test]
fn threads_that_hold_another_mutex_already_count() {
    let program = threads(&[write_twice_under_the_first_guard, |thread, shared| {
        thread.guard_by(shared, shared.other_mutex);
        let guard = thread.guard(shared);
        thread.lock(guard);
        thread.set(shared.y, 1);
        let found = thread.get(shared.x);
        thread.only_if(found, 1);
        thread.fail();
    }]);
    let before_locks_only = |_: &Program, test: &mut ConflictTest| {
        if let Some(region) = region(test) {
            region.clear();
        }
    };
    needs_to_ask(before_locks_only, program);
}

#[test]
fn parameters_of_threads_that_were_not_started_count() {
    let program = with_main(
        &[|thread, shared| {
            thread.set(shared.other_mutex, 1);
            thread.set(shared.x, 1);
            thread.set(shared.x, 2);
        }],
        |thread, shared| {
            let ready = thread.get(shared.other_mutex);
            thread.only_if(ready, 1);
            let choice = thread.havoc(1);
            let (elsewhere, here) = thread.branch(choice);
            thread.go_to(elsewhere);
            thread.aim(shared, shared.y);
            thread.jump(here);
            thread.go_to(here);
            let given = thread.pointer(shared);
            thread.create(global(shared.handles[3]), function(shared.extra), given);
        },
        |thread, _| {
            let given = thread.parameter();
            let found = thread.load(32, given);
            thread.only_if(found, 1);
            thread.fail();
        },
    );
    let all_started = |_: &Program, test: &mut ConflictTest| {
        if let ConflictTest::Unstarted(templates) = test {
            templates.clear();
        }
    };
    needs_to_ask(all_started, program);
}

#[test]
fn a_guard_that_another_thread_changes_protects_nothing() {
    let program = threads(&[
        |thread, shared| {
            let guard = thread.guard(shared);
            thread.lock(guard);
            thread.set(shared.x, 1);
            thread.set(shared.x, 2);
            thread.unlock(guard);
        },
        |thread, shared| {
            thread.guard_by(shared, shared.other_mutex);
            let guard = thread.guard(shared);
            thread.lock(guard);
            let found = thread.get(shared.x);
            thread.only_if(found, 1);
            thread.fail();
        },
    ]);
    needs(|rules| rules.pointers_change = false, program);
}

/// Counts under the mutex that the thread is given.
fn count_under_given(thread: &mut TemplateBuilder, shared: &Shared) {
    let given = thread.parameter();
    thread.lock(given);
    for value in 1..4 {
        thread.set(shared.x, value);
        thread.get(shared.x);
    }
    thread.unlock(given);
}

#[test]
fn mutexes_that_turn_out_to_be_the_same_save_states() {
    let program = with_main(&[], give_one_mutex, count_under_given);
    let (held, with, without) = effect(ConditionKind::Lock, program);
    assert!(held > 5 && with < without, "{held}: {with}, {without}");
}

/// Starts two threads of the extra routine, which are given the same mutex, whichever an input picks.
fn give_one_mutex(thread: &mut TemplateBuilder, shared: &Shared) {
    let choice = thread.havoc(1);
    let (other, create) = thread.branch(choice);
    thread.go_to(other);
    thread.guard_by(shared, shared.other_mutex);
    thread.jump(create);
    thread.go_to(create);
    let guard = thread.guard(shared);
    for handle in [2, 3] {
        let (handle, routine) = (shared.handles[handle], shared.extra);
        thread.create(global(handle), function(routine), guard);
    }
}

/// Changes what lies beside a mutex that the thread is given while it holds the one at a distance from it.
fn change_beside(thread: &mut TemplateBuilder, distance: u64) {
    let given = thread.parameter();
    let mutex = thread.behind(given, distance);
    thread.lock(mutex);
    let beside = thread.behind(given, BESIDE);
    thread.store(constant(32, 1), beside);
    thread.store(constant(32, 2), beside);
    thread.unlock(mutex);
}

#[test]
fn the_mutex_of_an_element_protects_it() {
    let program = with_main(&[], give_one_mutex, |thread, _| change_beside(thread, 0));
    let subject = Subject::new(program);
    check_classes(&subject);
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    let inside = plan.templates.values().flat_map(|plan| &plan.yields);
    assert!(
        inside.count() <= 1,
        "only creations end transactions, of which the last stays"
    );
}

#[test]
fn the_mutex_of_an_element_is_at_the_same_distance() {
    let program = with_main(&[], give_one_mutex, |thread, _| {
        let choice = thread.havoc(1);
        let (writes, reads) = thread.branch(choice);
        thread.go_to(writes);
        change_beside(thread, 0);
        thread.return_value(constant(64, 0));
        thread.go_to(reads);
        let given = thread.parameter();
        let mutex = thread.behind(given, 40);
        thread.lock(mutex);
        let beside = thread.behind(given, BESIDE);
        let found = thread.load(32, beside);
        thread.only_if(found, 1);
        thread.fail();
    });
    needs(|rules| rules.same_mutex = false, program);
}

#[test]
fn a_guard_that_nobody_changes_protects() {
    let count: Body = |thread, shared| {
        let guard = thread.guard(shared);
        thread.lock(guard);
        thread.set(shared.x, 1);
        thread.get(shared.x);
        let again = thread.guard(shared);
        thread.unlock(again);
    };
    let subject = Subject::new(threads(&[count, count]));
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    let inside = plan
        .templates
        .values()
        .flat_map(|plan| plan.yields.values());
    assert_eq!(inside.count(), 0, "critical sections are transactions");
}
