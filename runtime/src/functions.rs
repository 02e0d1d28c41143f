//! The verification functions that no C library has, and the failure of `assert`.
#![allow(unsafe_code)] // Functions with the names that programs call.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use abi::text::{message, printable};

use crate::scheduler::SCHEDULER;
use crate::{current, ending, phase, verdict};

/// `__VERIFIER_atomic_begin`: within a turn no other thread runs, and no turn ends inside of a region.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __VERIFIER_atomic_begin() {
    current::enter();
}

/// `__VERIFIER_atomic_end`.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __VERIFIER_atomic_end() {
    current::leave();
}

/// `__VERIFIER_assume`: stops the thread for good if the condition is 0, or the whole run inside of an atomic region.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __VERIFIER_assume(condition: c_int) {
    if condition != 0 {
        return;
    }
    if current::depth() > 0 {
        ending::stuck(&format!(
            "{} assumes what is false in an atomic region",
            current::thread()
        ));
    }
    phase::check_wait(current::thread());
    SCHEDULER.stop(current::thread());
}

/// What the library of `frontend` calls while the condition that it waits for does not hold: it looks again afterwards.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_wait() {
    let thread = current::thread();
    if SCHEDULER.is_replay() {
        phase::check_wait(thread);
        SCHEDULER.stop(thread);
    }
    SCHEDULER.wait(thread, current::unchanged());
    current::waited();
}

/// Which object an address was made from, which no machine knows: it may always be the same.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_object(_: *const c_void) -> c_uint {
    0
}

/// What the end of a thread runs is read outside of atomic regions only; natively there is nothing to check.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_require_no_region() {}

/// `__VERIFIER_assert`.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __VERIFIER_assert(condition: c_int) {
    if condition == 0 {
        verdict::violated("__VERIFIER_assert", None);
    }
}

/// `__VERIFIER_error`.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __VERIFIER_error() -> ! {
    verdict::violated("__VERIFIER_error", None)
}

/// `reach_error`.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn reach_error() -> ! {
    verdict::violated("reach_error", None)
}

/// What `assert` calls when it fails; says what the C library says, and then what the runtime says.
///
/// # Safety
/// The texts end in zero bytes.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __assert_fail(
    condition: *const c_char,
    file: *const c_char,
    line: c_uint,
    function: *const c_char,
) -> ! {
    // SAFETY: `assert` passes constant strings.
    let [condition, file, function] = unsafe { [text(condition), text(file), text(function)] };
    let (file, function) = (printable(file), printable(function));
    let condition = message(condition);
    eprintln!("{file}:{line}: {function}: Assertion `{condition}' failed.");
    verdict::violated("__assert_fail", Some(format!("{file}:{line}")))
}

/// The bytes of a text of C; none for a null pointer.
///
/// # Safety
/// It ends in a zero byte.
unsafe fn text(text: *const c_char) -> Vec<u8> {
    if text.is_null() {
        return Vec::new();
    }
    // SAFETY: as demanded.
    unsafe { CStr::from_ptr(text) }.to_bytes().to_vec()
}
