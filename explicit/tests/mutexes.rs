//! The tables of `docs/semantics.md` about mutexes, cell by cell.

use crate::common::run_main;
use explicit::interpret::{Observation, Waiting};
use program::builder::{ProgramBuilder, global};
use program::model::{GlobalId, InvalidAccess, LimitKind, LocationKind, MutexOperation, Undefined};

const NORMAL: u32 = 0;
const RECURSIVE: u32 = 1;
const ERRORCHECK: u32 = 2;
const ADAPTIVE: u32 = 3;
/// The handle of the main thread, and of another one.
const SELF: u32 = 1;
const OTHER: u32 = 2;

/// A program with a mutex of a kind and an owner's handle and count in it.
fn with_mutex(kind: u32, owner: u32, count: u32) -> (ProgramBuilder, GlobalId) {
    let mut bytes = [0; 40];
    for (at, field) in [(4, count), (8, owner), (16, kind)] {
        bytes[at..at + 4].copy_from_slice(&field.to_le_bytes());
    }
    let mut builder = ProgramBuilder::new("mutex");
    let mutex = builder.global("mutex", &bytes);
    (builder, mutex)
}

/// Why an unlock is undefined.
fn unlock_fails(kind: u32, owner: u32) -> Option<Undefined> {
    let (mut builder, mutex) = with_mutex(kind, owner, 0);
    let mut main = builder.main();
    main.mutex(MutexOperation::Unlock, global(mutex));
    main.finish();
    run_main(&builder.finish(), &[]).undefined
}

/// What an operation returns, and the fields of the mutex after it; `None` if it waits.
fn operate(
    operation: MutexOperation,
    kind: u32,
    owner: u32,
    count: u32,
) -> Option<(u32, u32, u32)> {
    let (mut builder, mutex) = with_mutex(kind, owner, count);
    let out = builder.global("out", &[0; 4]);
    let mut main = builder.main();
    let code = main.mutex(operation, global(mutex));
    let field = |at| program::model::Operand::Address(program::model::Place::Global(mutex), at);
    let (owner_after, count_after) = (main.load(32, field(8)), main.load(32, field(4)));
    for value in [code, owner_after, count_after] {
        main.store(value, global(out));
    }
    main.finish();
    let run = run_main(&builder.finish(), &[]);
    if run.waiting.is_some() {
        assert_eq!(run.waiting, Some(Waiting::Mutex(owner)));
        assert!(run.written().is_empty());
        return None;
    }
    let [.., code, owner, count] = run.written()[..] else {
        panic!("{:?}", run.events)
    };
    let told = run.events.iter().find_map(|event| match event {
        Observation::Acquired { .. } | Observation::Released { .. } => Some(0),
        Observation::Refused { code, .. } => Some(*code),
        Observation::Read { .. }
        | Observation::Write { .. }
        | Observation::Uninitialised(_)
        | Observation::Died(_)
        | Observation::Allocated { .. }
        | Observation::Freed(_)
        | Observation::Started(_)
        | Observation::Joined(_)
        | Observation::Detached(_) => None,
    });
    assert_eq!(told, Some(code as u32));
    Some((code as u32, owner as u32, count as u32))
}

#[test]
fn lock() {
    use MutexOperation::Lock;
    for kind in [NORMAL, RECURSIVE, ERRORCHECK, ADAPTIVE] {
        assert_eq!(operate(Lock, kind, 0, 0), Some((0, SELF, 0)));
        assert_eq!(operate(Lock, kind, OTHER, 0), None);
    }
    assert_eq!(operate(Lock, NORMAL, SELF, 0), None);
    assert_eq!(operate(Lock, ADAPTIVE, SELF, 0), None);
    assert_eq!(operate(Lock, RECURSIVE, SELF, 4), Some((0, SELF, 5)));
    assert_eq!(operate(Lock, ERRORCHECK, SELF, 0), Some((35, SELF, 0)));
}

#[test]
fn trylock() {
    use MutexOperation::TryLock;
    for kind in [NORMAL, RECURSIVE, ERRORCHECK, ADAPTIVE] {
        assert_eq!(operate(TryLock, kind, 0, 0), Some((0, SELF, 0)));
        assert_eq!(operate(TryLock, kind, OTHER, 0), Some((16, OTHER, 0)));
    }
    for kind in [NORMAL, ERRORCHECK, ADAPTIVE] {
        assert_eq!(operate(TryLock, kind, SELF, 0), Some((16, SELF, 0)));
    }
    assert_eq!(operate(TryLock, RECURSIVE, SELF, 0), Some((0, SELF, 1)));
}

#[test]
fn unlock() {
    use MutexOperation::Unlock;
    for kind in [NORMAL, ADAPTIVE] {
        assert_eq!(unlock_fails(kind, 0), Some(Undefined::UnlockedFree));
        assert_eq!(
            unlock_fails(kind, OTHER),
            Some(Undefined::UnlockedHeld(OTHER))
        );
    }
    for kind in [RECURSIVE, ERRORCHECK] {
        assert_eq!(operate(Unlock, kind, 0, 0), Some((1, 0, 0)));
        assert_eq!(operate(Unlock, kind, OTHER, 0), Some((1, OTHER, 0)));
    }
    for kind in [NORMAL, RECURSIVE, ERRORCHECK, ADAPTIVE] {
        assert_eq!(operate(Unlock, kind, SELF, 0), Some((0, 0, 0)));
    }
    assert_eq!(operate(Unlock, RECURSIVE, SELF, 2), Some((0, SELF, 1)));
}

#[test]
fn only_the_low_seven_bits_of_the_kind_count() {
    assert_eq!(
        operate(MutexOperation::Lock, 0x80 | RECURSIVE, SELF, 0),
        Some((0, SELF, 1))
    );
}

/// How an operation on `size` bytes with a kind of 4 ends, or on less than a mutex needs.
#[test]
fn what_is_no_mutex_is_undefined() {
    let run = |bytes: &[u8]| {
        let mut builder = ProgramBuilder::new("none");
        let mutex = builder.global("mutex", bytes);
        let mut main = builder.main();
        main.mutex(MutexOperation::TryLock, global(mutex));
        main.finish();
        let run = run_main(&builder.finish(), &[]);
        (run.kind, run.undefined)
    };
    let mut wrong_kind = [0; 40];
    wrong_kind[16] = 4;
    let limit = LocationKind::Limit(LimitKind::Undefined);
    assert_eq!(run(&wrong_kind), (limit, Some(Undefined::MutexKind(4))));
    let (kind, undefined) = run(&[0; 19]);
    assert_eq!(kind, limit);
    assert!(matches!(
        undefined,
        Some(Undefined::Access(InvalidAccess::OutOfBounds {
            len: 20,
            ..
        }))
    ));
    assert_eq!(run(&[0; 20]).0, LocationKind::Exited);
}
