//! Mutexes. A mutex is its memory, laid out as glibc does; see the tables in `docs/semantics.md`.
#![allow(unsafe_code)] // Functions of POSIX on memory of the program.

use std::ffi::c_int;

use abi::mutex::{BUSY, COUNT, DEADLOCK, Kind, LP64, NOT_OWNER, OWNER};

use crate::scheduler::SCHEDULER;
use crate::{current, sanitizer, verdict};

/// What comes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MutexResult {
    Done(c_int),
    Waits,
}

/// The fields of a mutex, and the function that uses them.
struct Mutex(*mut u8, &'static str);

impl Mutex {
    /// That which `function` is given.
    fn of(memory: *mut u8, function: &'static str) -> Self {
        sanitizer::check(memory, LP64.size, function);
        Self(memory, function)
    }

    fn field(&self, offset: u32) -> u32 {
        // SAFETY: the caller of the operation vouches for a mutex there. Only the thread that has the turn gets here.
        unsafe { self.0.add(offset as usize).cast::<u32>().read_unaligned() }
    }

    fn set(&self, offset: u32, value: u32) {
        // SAFETY: as above.
        unsafe {
            self.0
                .add(offset as usize)
                .cast::<u32>()
                .write_unaligned(value)
        }
    }

    fn kind(&self) -> Kind {
        let kind = Kind::of(self.field(LP64.kind));
        kind.unwrap_or_else(|_| verdict::misused(self.1, "the mutex is destroyed or none at all"))
    }

    fn lock(&self, own: u32) -> MutexResult {
        let (kind, owner) = (self.kind(), self.field(OWNER));
        if owner == own {
            return match kind {
                Kind::Normal => MutexResult::Waits,
                Kind::Recursive => self.again(),
                Kind::ErrorCheck => MutexResult::Done(DEADLOCK.into()),
            };
        }
        if owner != 0 {
            return MutexResult::Waits;
        }
        self.set(OWNER, own);
        MutexResult::Done(0)
    }

    fn try_lock(&self, own: u32) -> MutexResult {
        let (kind, owner) = (self.kind(), self.field(OWNER));
        if owner == 0 {
            self.set(OWNER, own);
            return MutexResult::Done(0);
        }
        if owner == own && kind == Kind::Recursive {
            return self.again();
        }
        MutexResult::Done(BUSY.into())
    }

    fn again(&self) -> MutexResult {
        self.set(COUNT, self.field(COUNT).wrapping_add(1));
        MutexResult::Done(0)
    }

    /// The result; `None` if the meaning is undefined.
    fn unlock(&self, own: u32) -> Option<c_int> {
        let (kind, owner) = (self.kind(), self.field(OWNER));
        if owner != own {
            return match kind {
                Kind::Normal => None,
                Kind::Recursive | Kind::ErrorCheck => Some(NOT_OWNER.into()),
            };
        }
        if self.field(COUNT) > 0 {
            self.set(COUNT, self.field(COUNT) - 1);
        } else {
            self.set(OWNER, 0);
        }
        Some(0)
    }
}

/// As POSIX has it.
///
/// # Safety
/// There is a mutex.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn pthread_mutex_lock(mutex: *mut u8) -> c_int {
    let thread = current::thread();
    let mut retry = false;
    loop {
        let mutex = Mutex::of(mutex, "pthread_mutex_lock");
        if let MutexResult::Done(result) = mutex.lock(thread.number()) {
            current::step();
            return result;
        }
        if mutex.field(OWNER) == thread.number() && SCHEDULER.ends_in_replay(thread) {
            verdict::violated("pthread_mutex_lock", None);
        }
        SCHEDULER.wait(thread, retry);
        retry = true;
    }
}

/// As POSIX has it.
///
/// # Safety
/// There is a mutex.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn pthread_mutex_trylock(mutex: *mut u8) -> c_int {
    current::step();
    let mutex = Mutex::of(mutex, "pthread_mutex_trylock");
    match mutex.try_lock(current::thread().number()) {
        MutexResult::Done(result) => result,
        MutexResult::Waits => BUSY.into(),
    }
}

/// As POSIX has it.
///
/// # Safety
/// There is a mutex.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn pthread_mutex_unlock(mutex: *mut u8) -> c_int {
    current::step();
    let mutex = Mutex::of(mutex, "pthread_mutex_unlock");
    let result = mutex.unlock(current::thread().number());
    result.unwrap_or_else(|| {
        verdict::misused(mutex.1, "unlock of a mutex that the thread does not hold")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: u32 = 0;
    const OWN: u32 = 1;
    const OTHER: u32 = 2;

    /// What an operation returns, and the owner and count that it leaves.
    fn after(
        kind: u32,
        [owner, count]: [u32; 2],
        operation: impl Fn(&Mutex) -> MutexResult,
    ) -> (MutexResult, [u32; 2]) {
        let mut memory = [0, count, owner, 0, kind];
        let mutex = Mutex(memory.as_mut_ptr().cast(), "");
        let outcome = operation(&mutex);
        (outcome, [memory[2], memory[1]])
    }

    #[test]
    fn locks_do_what_the_table_says() {
        let lock = |kind, owner| after(kind, [owner, 0], |mutex| mutex.lock(OWN));
        for kind in 0..=3 {
            assert_eq!(lock(kind, FREE), (MutexResult::Done(0), [OWN, 0]));
            assert_eq!(lock(kind, OTHER), (MutexResult::Waits, [OTHER, 0]));
        }
        assert_eq!(lock(0, OWN), (MutexResult::Waits, [OWN, 0]));
        assert_eq!(lock(1, OWN), (MutexResult::Done(0), [OWN, 1]));
        assert_eq!(lock(2, OWN), (MutexResult::Done(libc::EDEADLK), [OWN, 0]));
        assert_eq!(lock(3, OWN), (MutexResult::Waits, [OWN, 0]));
    }

    #[test]
    fn trylocks_do_what_the_table_says() {
        let busy = MutexResult::Done(libc::EBUSY);
        let try_lock = |kind, owner| after(kind, [owner, 0], |mutex| mutex.try_lock(OWN));
        for kind in 0..=3 {
            assert_eq!(try_lock(kind, FREE), (MutexResult::Done(0), [OWN, 0]));
            assert_eq!(try_lock(kind, OTHER), (busy, [OTHER, 0]));
        }
        assert_eq!(try_lock(1, OWN), (MutexResult::Done(0), [OWN, 1]));
        assert_eq!(try_lock(0, OWN), (busy, [OWN, 0]));
        assert_eq!(try_lock(2, OWN), (busy, [OWN, 0]));
    }

    #[test]
    fn unlocks_do_what_the_table_says() {
        let unlock = |kind, [owner, count]: [u32; 2]| {
            let mut memory = [0, count, owner, 0, kind];
            let result = Mutex(memory.as_mut_ptr().cast(), "").unlock(OWN);
            (result, [memory[2], memory[1]])
        };
        let not_owner = Some(libc::EPERM);
        assert_eq!(unlock(1, [OWN, 1]), (Some(0), [OWN, 0]));
        for kind in 0..=3 {
            assert_eq!(unlock(kind, [OWN, 0]), (Some(0), [FREE, 0]));
        }
        for kind in [1, 2] {
            assert_eq!(unlock(kind, [FREE, 0]), (not_owner, [FREE, 0]));
            assert_eq!(unlock(kind, [OTHER, 0]), (not_owner, [OTHER, 0]));
        }
        for kind in [0, 3] {
            assert_eq!(unlock(kind, [FREE, 0]), (None, [FREE, 0]));
            assert_eq!(unlock(kind, [OTHER, 0]), (None, [OTHER, 0]));
        }
    }
}
