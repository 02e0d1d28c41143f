//! Threads. A handle is the number of the thread shifted by [`SHIFT`]: as in the model, a handle is no small number.
#![allow(unsafe_code)] // Functions of POSIX.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

use abi::ids::InstanceId;

use crate::real::{self, Native, Routine};
use crate::scheduler::SCHEDULER;
use crate::state::ThreadStatus;
use crate::{current, ending, verdict};

/// What a new thread is told.
struct Start {
    thread: InstanceId,
    routine: Routine,
    argument: *mut c_void,
}

/// How many bits of a handle are 0.
const SHIFT: u32 = 32;

/// The threads of the C library that were not joined yet.
static UNJOINED: Mutex<BTreeMap<InstanceId, Native>> = Mutex::new(BTreeMap::new());

/// The threads that were joined or detached.
static CLAIMED: Mutex<BTreeSet<InstanceId>> = Mutex::new(BTreeSet::new());

/// The first function of a thread.
extern "C-unwind" fn run(start: *mut c_void) -> *mut c_void {
    // SAFETY: `__mazurka_create` passes what it took out of a box, once.
    let Start {
        thread,
        routine,
        argument,
    } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    current::is(thread);
    SCHEDULER.begin(thread);
    let result = routine(argument);
    SCHEDULER.exit(thread, result.addr());
    result
}

/// What `pthread_create` in the library of `frontend` calls: starts a thread and returns its handle.
///
/// # Safety
/// The routine takes the argument.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_create(routine: Routine, argument: *mut c_void) -> u64 {
    current::step();
    let thread = SCHEDULER.create();
    let start = Box::into_raw(Box::new(Start {
        thread,
        routine,
        argument,
    }));
    match real::create(run, start.cast()) {
        Ok(native) => {
            unjoined(|threads| threads.insert(thread, native));
            handle(thread)
        }
        Err(error) => ending::fault(&format!("cannot start a thread: error {error}")),
    }
}

fn unjoined<T>(change: impl FnOnce(&mut BTreeMap<InstanceId, Native>) -> T) -> T {
    change(&mut UNJOINED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// As POSIX has it.
///
/// # Safety
/// There is room for the result, or the pointer is null.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn pthread_join(handle: u64, result: *mut usize) -> c_int {
    let joined = thread(handle);
    if joined == current::thread() {
        return libc::EDEADLK;
    }
    let value = wait_for(joined);
    if let Some(native) = claim(joined) {
        real::join(native);
    }
    if !result.is_null() {
        // SAFETY: as demanded.
        unsafe { result.write_unaligned(value) };
    }
    0
}

/// Joins or detaches a thread, for the only time. The main thread is none of the C library's here.
fn claim(thread: InstanceId) -> Option<Native> {
    let is_first = CLAIMED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(thread);
    if !is_first {
        verdict::limit("undefined behaviour: the thread was joined or detached before");
    }
    unjoined(|threads| threads.remove(&thread))
}

/// What names a thread in the program.
fn handle(thread: InstanceId) -> u64 {
    u64::from(thread.number()) << SHIFT
}

/// The thread that a handle names, if it was not joined or detached.
fn thread(handle: u64) -> InstanceId {
    let number = ((handle >> SHIFT) as u32).checked_sub(1);
    let number = number.filter(|&number| self::handle(InstanceId(number)) == handle);
    let is_claimed = |thread: &InstanceId| {
        let claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
        claimed.contains(thread)
    };
    match number.map(InstanceId) {
        Some(thread) if is_claimed(&thread) => {
            verdict::limit("undefined behaviour: the thread was joined or detached before")
        }
        Some(thread) if SCHEDULER.status(thread).is_some() => thread,
        Some(_) | None => verdict::limit("undefined behaviour: the handle names no thread"),
    }
}

/// The result of a thread, when it has one.
fn wait_for(thread: InstanceId) -> usize {
    let mut retry = false;
    loop {
        if let Some(ThreadStatus::Exited(value)) = SCHEDULER.status(thread) {
            current::step();
            return value;
        }
        SCHEDULER.wait(current::thread(), retry);
        retry = true;
    }
}

/// As POSIX has it. A sanitizer asks, too, before the program has begun, and needs the C library's answer.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn pthread_self() -> u64 {
    if current::has_begun() || !real::is_watched() {
        handle(current::thread())
    } else {
        real::own()
    }
}

/// The number by which the library of `frontend` names the thread in locks.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_thread() -> u32 {
    current::thread().number()
}

/// The number by which the library of `frontend` knows the thread of a handle.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_number_of(handle: u64) -> u32 {
    let own = current::thread();
    if handle == self::handle(own) {
        own.number()
    } else {
        thread(handle).number()
    }
}

/// As POSIX has it.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn pthread_detach(handle: u64) -> c_int {
    let detached = thread(handle);
    current::step();
    if let Some(native) = claim(detached) {
        real::detach(native);
    }
    0
}

/// As POSIX has it.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C-unwind" fn pthread_exit(result: *mut c_void) -> ! {
    let thread = current::thread();
    if thread == InstanceId::MAIN {
        verdict::keep_places();
    }
    SCHEDULER.exit(thread, result.addr());
    real::exit(result)
}
