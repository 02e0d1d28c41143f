//! Ends of lifetimes and claims on handles: the rules about them are needed, and the mover types are right.

use program::builder::{TemplateBuilder, constant, function, global, local};
use program::model::{Comparison, Program, RegisterId, Statement};

use super::movers::check_classes;
use super::programs::{Shared, Statements, Subject, threads, with_main};
use super::seeded::needs;

/// Uses the variable whose address another thread has left, and then fails.
fn use_left(thread: &mut TemplateBuilder, shared: &Shared) {
    let pointer = thread.load(64, global(shared.handles[2]));
    let left = thread.compare(Comparison::NotEqual, pointer, constant(64, 0));
    thread.assume(left);
    thread.load(32, pointer);
    thread.fail();
}

/// A thread leaves the address of a variable, and then returns.
fn returning() -> Program {
    threads(&[
        |thread, shared| {
            let own = thread.local("own", 4);
            thread.store(local(own), global(shared.handles[2]));
        },
        use_left,
    ])
}

/// A thread leaves the address of a variable whose scope ends before something else happens.
fn leaving_scope() -> Program {
    threads(&[
        |thread, shared| {
            let own = thread.local("own", 4);
            thread.store(local(own), global(shared.handles[2]));
            thread.statement(Statement::LifetimeEnd { locals: vec![own] });
            thread.set(shared.x, 1);
        },
        |thread, shared| {
            use_left(thread, shared);
        },
    ])
}

/// A thread leaves the address of a variable, and then returns; the other one compares it with that of its own, and then fails.
fn comparing() -> Program {
    threads(&[
        |thread, shared| {
            let own = thread.local("own", 4);
            thread.store(local(own), global(shared.handles[2]));
        },
        |thread, shared| {
            let pointer = thread.load(64, global(shared.handles[2]));
            let left = thread.compare(Comparison::NotEqual, pointer, constant(64, 0));
            thread.assume(left);
            let (own, cell) = (thread.local("own", 4), thread.local("cell", 8));
            thread.store(pointer, local(cell));
            let (register, success) = (thread.register(64), thread.register(1));
            thread.statement(Statement::CompareExchange {
                register,
                success,
                address: local(cell),
                expected: local(own),
                desired: constant(64, 0),
            });
            thread.fail();
        },
    ])
}

/// Begins a thread that detaches itself.
fn detach_itself(thread: &mut TemplateBuilder<'_>, shared: &Shared) {
    let own = thread.register(64);
    thread.statement(Statement::SelfHandle { register: own });
    thread.set(shared.x, 1);
    thread.detach(own);
}

/// The handle of the first thread, which has begun to detach itself.
fn handle_of_first(thread: &mut TemplateBuilder<'_>, shared: &Shared) -> RegisterId {
    let value = thread.get(shared.x);
    thread.only_if(value, 1);
    thread.load(64, global(shared.handles[0]))
}

/// Both threads detach the first one; the second one fails if it could.
fn detaching() -> Program {
    threads(&[detach_itself, |thread, shared| {
        let handle = handle_of_first(thread, shared);
        thread.detach(handle);
        thread.fail();
    }])
}

/// A thread detaches itself; another one fails if it could use the handle before.
fn naming() -> Program {
    threads(&[detach_itself, |thread, shared| {
        let handle = handle_of_first(thread, shared);
        thread.number_of_thread(handle);
        thread.fail();
    }])
}

/// A thread detaches with a computed handle one that another thread creates once the first has begun.
fn detaching_unknown() -> Program {
    with_main(
        &[|thread, shared| {
            thread.set(shared.x, 1);
            thread.detach(constant(64, 3));
            thread.fail();
        }],
        |first, shared| {
            let begun = first.get(shared.x);
            first.assume_equal(begun, 1);
            let (handle, argument) = (global(shared.handles[3]), constant(64, 0));
            first.create(handle, function(shared.extra), argument);
        },
        |_, _| {},
    )
}

/// Main waits for ever inside of a region when the only other thread has ended.
fn blocked_when_alone() -> Program {
    with_main(
        &[|thread, shared| thread.set(shared.x, 1)],
        |first, shared| {
            let handle = first.load(64, global(shared.handles[0]));
            first.join(handle, None);
            first.atomically(|first| first.assume(constant(1, 0)));
        },
        |_, _| {},
    )
}

#[test]
fn returning_is_an_access() {
    needs(|rules| rules.returning_is_an_access = false, returning());
}

#[test]
fn comparing_is_an_access() {
    needs(|rules| rules.comparing_is_an_access = false, comparing());
}

#[test]
fn claims_compete() {
    needs(|rules| rules.claims_compete = false, detaching());
    needs(|rules| rules.claims_compete = false, naming());
}

#[test]
fn claims_notice_creations() {
    needs(
        |rules| rules.claims_notice_creations = false,
        detaching_unknown(),
    );
}

#[test]
fn classes_are_right() {
    for program in [
        returning(),
        leaving_scope(),
        comparing(),
        detaching(),
        naming(),
        detaching_unknown(),
        blocked_when_alone(),
    ] {
        check_classes(&Subject::new(program));
    }
}
