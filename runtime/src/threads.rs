//! Threads. Their handles are those of the model: the number of the thread and 1.
#![allow(unsafe_code)] // Functions of POSIX.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

use abi::ids::InstanceId;

use crate::real::{self, Native, Routine};
use crate::scheduler::SCHEDULER;
use crate::state::Standing;
use crate::{current, ending};

/// What a new thread is told.
struct Start {
    thread: InstanceId,
    routine: Routine,
    argument: *mut c_void,
}

/// The threads of the C library that nobody has joined.
static UNJOINED: Mutex<BTreeMap<InstanceId, Native>> = Mutex::new(BTreeMap::new());

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

/// What `pthread_create` in the library of `program` calls: starts a thread and returns its handle.
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
            thread.handle()
        }
        Err(error) => ending::fault(&format!("cannot start a thread: error {error}")),
    }
}

fn unjoined<T>(change: impl FnOnce(&mut BTreeMap<InstanceId, Native>) -> T) -> T {
    change(&mut UNJOINED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// As POSIX has it. A thread may be joined again, and gives the same result.
///
/// # Safety
/// There is room for the result, or the pointer is null.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn pthread_join(handle: u64, result: *mut usize) -> c_int {
    let joined = thread(handle);
    let value = wait_for(joined);
    if let Some(native) = unjoined(|threads| threads.remove(&joined)) {
        real::join(native);
    }
    if !result.is_null() {
        // SAFETY: as demanded.
        unsafe { result.write_unaligned(value) };
    }
    0
}

/// The thread that a handle names.
fn thread(handle: u64) -> InstanceId {
    let number = handle
        .checked_sub(1)
        .and_then(|number| number.try_into().ok());
    match number.map(InstanceId) {
        Some(thread) if SCHEDULER.standing(thread).is_some() => thread,
        Some(_) | None => ending::limit("undefined behaviour: the handle names no thread"),
    }
}

/// The result of a thread, when it has one.
fn wait_for(thread: InstanceId) -> usize {
    let mut retry = false;
    loop {
        if let Some(Standing::Exited(value)) = SCHEDULER.standing(thread) {
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
        current::thread().handle()
    } else {
        real::own()
    }
}

/// As POSIX has it; but joining the thread is followed as that of any other.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn pthread_detach(handle: u64) -> c_int {
    let detached = thread(handle);
    if let Some(native) = unjoined(|threads| threads.remove(&detached)) {
        real::detach(native);
    }
    0
}

/// As POSIX has it.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C-unwind" fn pthread_exit(result: *mut c_void) -> ! {
    SCHEDULER.exit(current::thread(), result.addr());
    real::exit(result)
}
