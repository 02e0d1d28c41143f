//! Each rule is needed: a program with an error that the reduction misses when the rule is dropped.

mod phases;

use program::builder::{TemplateBuilder, constant, function, global};
use program::model::{
    Comparison, LocationKind, MutexOperation, Operation, Program, Statement, Words,
};

use super::explorer::unreduced;
use super::programs::{Shared, Statements, Subject, bytes_of, halt, threads, with_main};
use crate::reduction::Reduction;
use crate::rules::Rules;

/// Checks that all reductions find the error of the program, and that `static` does not if a rule is dropped.
pub(super) fn needs(rule: fn(&mut Rules), program: Program) {
    needs_under(Reduction::Static, rule, program);
}

/// Checks that all reductions find the error of the program, and that this one does not if a rule is dropped.
pub(super) fn needs_under(weakened: Reduction, rule: fn(&mut Rules), program: Program) {
    let subject = Subject::new(program);
    assert!(
        unreduced(&subject.program, &subject.instances).error,
        "the program has an error"
    );
    for reduction in Reduction::ALL {
        let plan = subject.plan(reduction, Rules::ALL);
        assert!(subject.explore(&plan).error, "{reduction} finds it");
    }
    let mut rules = Rules::ALL;
    rule(&mut rules);
    let plan = subject.plan(weakened, rules);
    assert!(
        !subject.explore(&plan).error,
        "without the rule it is missed"
    );
}

#[test]
fn waiting_is_not_left_for_locks() {
    let program = threads(&[
        |thread, shared| {
            thread.set(shared.x, 1);
            thread.lock(global(shared.mutex));
            thread.unlock(global(shared.mutex));
        },
        |thread, shared| {
            thread.lock(global(shared.mutex));
            let first = thread.get(shared.x);
            let second = thread.get(shared.x);
            thread.only_if(first, 0);
            thread.require(second, 0);
            thread.unlock(global(shared.mutex));
        },
    ]);
    needs(|rules| rules.waiting_is_not_left = false, program);
}

#[test]
fn waiting_is_not_left_for_own_mutexes() {
    let program = threads(&[
        |thread, shared| {
            thread.set(shared.x, 1);
            thread.lock(global(shared.mutex));
            thread.lock(global(shared.mutex));
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        },
    ]);
    needs(|rules| rules.waiting_is_not_left = false, program);
}

#[test]
fn waiting_is_not_left_for_joins() {
    let program = with_main(
        &[|thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        }],
        |main, shared| {
            main.set(shared.x, 1);
            let handle = main.load(64, global(shared.handles[0]));
            main.join(handle, None);
        },
        |_, _| {},
    );
    needs(|rules| rules.waiting_is_not_left = false, program);
}

#[test]
fn halting_is_not_left() {
    let program = threads(&[
        |thread, shared| {
            thread.set(shared.x, 1);
            halt(thread);
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        },
    ]);
    needs(|rules| rules.halting_is_not_left = false, program);
}

#[test]
fn blocked_region_is_not_left() {
    let program = threads(&[
        |thread, shared| {
            thread.set(shared.x, 1);
            thread.atomically(|thread| thread.assume(constant(1, 0)));
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        },
    ]);
    needs(|rules| rules.blocked_region_is_not_left = false, program);
}

#[test]
fn region_joins_classes() {
    let program = threads(&[
        |thread, shared| {
            thread.atomically(|thread| thread.set(shared.x, 1));
            thread.atomically(|thread| thread.set(shared.x, 0));
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        },
    ]);
    needs(|rules| rules.region_joins_classes = false, program);
}

#[test]
fn create_is_not_right() {
    let program = with_main(
        &[],
        |main, shared| {
            main.create(
                global(shared.handles[0]),
                function(shared.extra),
                constant(64, 0),
            );
            main.set(shared.x, 1);
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 1);
        },
    );
    needs(|rules| rules.create_is_not_right = false, program);
}

/// The handle of the first of the other threads in [`creations_compete`].
const FIRST_EXTRA: i128 = program::model::DataModel::Lp64.mark() as i128 + (17 << 32);

#[test]
fn creations_compete() {
    let program = threads(&[
        |thread, shared| {
            thread.set(shared.x, 1);
            thread.create(
                global(shared.handles[2]),
                function(shared.extra),
                constant(64, 0),
            );
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.create(
                global(shared.handles[3]),
                function(shared.extra),
                constant(64, 0),
            );
            thread.only_if(value, 1);
            let own = thread.load(64, global(shared.handles[3]));
            let first = thread.compare(Comparison::Equal, own, constant(64, FIRST_EXTRA));
            let (yes, no) = thread.branch(first);
            thread.go_to(yes);
            thread.fail();
            thread.return_value(constant(64, 0));
            thread.go_to(no);
        },
    ]);
    let subject = Subject::new(program.clone());
    let first = subject.instances.by_template(
        subject.program.functions[extra(&program)]
            .template
            .expect("it has one"),
    );
    assert_eq!(
        first
            .map(|id| i128::from(subject.instances.handle(id)))
            .min(),
        Some(FIRST_EXTRA),
        "the test names the right handle"
    );
    needs(|rules| rules.creations_compete = false, program);
}

fn extra(program: &Program) -> program::model::FunctionId {
    let found = program
        .functions
        .iter()
        .find(|(_, function)| function.name == "extra");
    found.expect("every test program has it").0
}

#[test]
fn try_lock_sees_owner() {
    let program = threads(&[
        |thread, shared| {
            thread.lock(global(shared.mutex));
            thread.unlock(global(shared.mutex));
        },
        |thread, shared| {
            let result = thread.mutex(MutexOperation::TryLock, global(shared.mutex));
            thread.require(result, 0);
            thread.unlock(global(shared.mutex));
        },
    ]);
    needs(|rules| rules.try_lock_sees_owner = false, program);
}

#[test]
fn mutex_is_memory() {
    let program = threads(&[
        |thread, shared| {
            thread.lock(global(shared.mutex));
            thread.unlock(global(shared.mutex));
        },
        |thread, shared| {
            let owner = thread.load(32, bytes_of(shared.mutex, 8));
            thread.require(owner, 0);
        },
    ]);
    needs(|rules| rules.mutex_is_memory = false, program);
}

#[test]
fn same_mutex() {
    let program = threads(&[
        |thread, shared| {
            thread.lock(global(shared.mutex));
            thread.set(shared.x, 1);
            thread.set(shared.x, 0);
            thread.unlock(global(shared.mutex));
        },
        |thread, shared| {
            thread.lock(global(shared.other_mutex));
            let value = thread.get(shared.x);
            thread.require(value, 0);
            thread.unlock(global(shared.other_mutex));
        },
    ]);
    needs(|rules| rules.same_mutex = false, program);
}

#[test]
fn try_lock_may_fail() {
    let program = threads(&[
        |thread, shared| {
            thread.lock(global(shared.mutex));
            thread.set(shared.x, 1);
            thread.set(shared.x, 0);
            thread.unlock(global(shared.mutex));
        },
        |thread, shared| {
            let result = thread.mutex(MutexOperation::TryLock, global(shared.mutex));
            let value = thread.get(shared.x);
            thread.require(value, 0);
            thread.only_if(result, 0);
            thread.unlock(global(shared.mutex));
        },
    ]);
    needs(|rules| rules.try_lock_may_fail = false, program);
}

#[test]
fn results_unused() {
    let program = threads(&[
        |thread, shared| {
            let first = thread.add(shared.x, 1);
            let second = thread.add(shared.x, 1);
            thread.only_if(first, 0);
            thread.require(second, 1);
        },
        |thread, shared| {
            thread.add(shared.x, 1);
        },
    ]);
    needs(|rules| rules.results_unused = false, program);
}

#[test]
fn updates_only_with_updates() {
    let program = threads(&[
        |thread, shared| {
            thread.add(shared.x, 1);
            thread.add(shared.x, 1);
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            let (yes, no) = {
                let odd = thread.equals(value, 1);
                thread.branch(odd)
            };
            thread.go_to(yes);
            thread.fail();
            thread.return_value(constant(64, 0));
            thread.go_to(no);
        },
    ]);
    needs(|rules| rules.updates_only_with_updates = false, program);
}

#[test]
fn allocations_compete() {
    let program = with_main(
        &[],
        |main, shared| {
            for argument in [0, 1] {
                main.create(
                    global(shared.handles[0]),
                    function(shared.extra),
                    constant(64, argument),
                );
            }
        },
        allocate_after_writing_or_reading,
    );
    needs(|rules| rules.allocations_compete = false, program);
}

/// One thread writes, then allocates. The other one reads, then allocates, and complains if it saw the write and yet got an
/// earlier slot.
fn allocate_after_writing_or_reading(thread: &mut TemplateBuilder, shared: &Shared) {
    let (seen, parameter) = (thread.register(32), thread.parameter());
    let allocation = thread.location(LocationKind::Ordinary);
    let writes = thread.compare(Comparison::Equal, parameter, constant(64, 0));
    let (writer, reader) = thread.branch(writes);
    thread.go_to(reader);
    thread.statement(Statement::Load {
        register: seen,
        address: global(shared.x),
        atomic: false,
        words: Words::default(),
    });
    thread.jump(allocation);
    thread.go_to(writer);
    thread.set(shared.x, 1);
    thread.statement(Statement::Assign {
        register: seen,
        operation: Operation::Copy(constant(32, 0)),
    });
    thread.jump(allocation);
    let pointer = thread.allocate(constant(64, 4), 4, true);
    let input = thread.havoc(1);
    let (again, end) = thread.branch(input);
    thread.go_to(again);
    thread.jump(allocation);
    thread.go_to(end);
    let (writer, reader) = thread.branch(writes);
    thread.go_to(writer);
    thread.store(pointer, global(shared.handles[2]));
    thread.return_value(constant(64, 0));
    thread.go_to(reader);
    thread.only_if(seen, 1);
    let theirs = thread.load(64, global(shared.handles[2]));
    let published = thread.compare(Comparison::NotEqual, theirs, constant(64, 0));
    thread.assume(published);
    let later = thread.compare(Comparison::UnsignedLess, theirs, pointer);
    thread.assert(later);
}

#[test]
fn freeing_is_an_access() {
    let program = threads(&[
        |thread, shared| {
            let pointer = thread.allocate(constant(64, 4), 4, true);
            thread.store(constant(32, 1), pointer);
            thread.store(pointer, global(shared.handles[2]));
            thread.statement(Statement::Free {
                address: pointer.into(),
                automatic: false,
            });
            thread.set(shared.x, 1);
        },
        |thread, shared| {
            let pointer = thread.load(64, global(shared.handles[2]));
            let published = thread.compare(Comparison::NotEqual, pointer, constant(64, 0));
            thread.assume(published);
            thread.load(32, pointer);
            thread.fail();
        },
    ]);
    needs(|rules| rules.freeing_is_an_access = false, program);
}

#[test]
fn starts_are_transitive() {
    let program = with_main(
        &[|thread, shared| {
            thread.create(
                global(shared.handles[2]),
                function(shared.extra),
                constant(64, 0),
            );
        }],
        |main, shared| {
            main.set(shared.x, 1);
            main.set(shared.x, 0);
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        },
    );
    needs(|rules| rules.starts_are_transitive = false, program);
}
