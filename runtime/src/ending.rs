//! Ends the process if no thread can continue, or if the run does not follow its rules.
#![allow(unsafe_code)] // Ends the process by functions of the C library.

use abi::native::{STATUS_FAULT, STATUS_STUCK};

use crate::report::say;

/// Ends the process with what it has printed, and without calling what is registered for a normal end.
pub fn leave(status: i32) -> ! {
    // SAFETY: all streams are flushed; no other thread has a turn.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(status)
    }
}

/// No thread can go on.
pub fn stuck(threads: &str) -> ! {
    say(&format_args!("no thread can go on: {threads}"));
    leave(STATUS_STUCK)
}

/// The run does not follow its turns, or the instrumentation breaks its own rules.
pub fn fault(message: &str) -> ! {
    say(&message);
    leave(STATUS_FAULT)
}
