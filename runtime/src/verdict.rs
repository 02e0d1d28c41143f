//! Violations and limits of the model end the run. In a replay, they end it only for the thread that the counterexample names.

use abi::native::{STATUS_LIMIT, VIOLATED};

use crate::current;
use crate::ending::leave;
use crate::real;
use crate::report::say;
use crate::scheduler::SCHEDULER;

/// The model has no meaning beyond.
pub fn limit(what: &str) -> ! {
    stop_unless_meant();
    say(&what);
    leave(STATUS_LIMIT)
}

/// The property is violated by a call of `function`, which the C program calls at `place` if the debug information does not know.
pub fn violated(function: &str, place: Option<String>) -> ! {
    stop_unless_meant();
    say_violated(caller(function).or(place));
    std::process::abort()
}

/// What `function` of this library requires of the program does not hold: that is what a replay may be about, and else a limit.
pub fn misused(function: &str, what: &str) -> ! {
    if SCHEDULER.is_replay() {
        violated(function, None);
    }
    limit(&format!("undefined behaviour: {what}"))
}

/// A sanitizer has found a violation of memory, calls `function`, and is about to abort the process.
pub fn found(function: &str) {
    if SCHEDULER.ends_in(current::thread()) {
        say_violated(caller(function));
    }
}

fn say_violated(place: Option<String>) {
    let thread = current::thread();
    match place {
        Some(place) => say(&format_args!("{VIOLATED}{thread} at {place}")),
        None => say(&format_args!("{VIOLATED}{thread}")),
    }
}

/// In a replay, only the last turn's end is the one that the counterexample is about.
fn stop_unless_meant() {
    let thread = current::thread();
    if !SCHEDULER.ends_in(thread) {
        SCHEDULER.stop(thread);
    }
}

/// Looks up where the process is. What it is made of is kept then: the system does not tell any more once the first thread is over.
pub fn keep_places() {
    let _ = caller("");
}

/// `file:line` in the program of the call of `function` that is going on, by the debug information of the process. Functions of
/// other libraries may have handed it on.
fn caller(function: &str) -> Option<String> {
    let (mut inside, mut place) = (false, None);
    backtrace::trace(|frame| {
        if !inside {
            backtrace::resolve_frame(frame, |symbol| {
                let named = symbol.name().map(|name| name.to_string());
                inside |= named.as_deref() == Some(function);
            });
            return true;
        }
        if !real::is_of_executable(frame.ip()) {
            return true;
        }
        let mut note = |symbol: &backtrace::Symbol| {
            if let Some((file, line)) = symbol.filename().zip(symbol.lineno()) {
                place.get_or_insert_with(|| format!("{}:{line}", abi::text::path(file)));
            }
        };
        backtrace::resolve_frame(frame, &mut note);
        // What a signal has stopped is at the instruction itself, and not behind one that calls.
        backtrace::resolve(frame.ip().wrapping_byte_add(1), &mut note);
        false
    });
    place
}
