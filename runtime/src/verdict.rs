//! Violations and limits of the model end the run. In a replay, they end it only for the thread that the counterexample names.

use abi::native::{STATUS_LIMIT, VIOLATED};

use crate::current;
use crate::ending::leave;
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
    let thread = current::thread();
    match caller(function).or(place) {
        Some(place) => say(&format_args!("{VIOLATED}{thread} at {place}")),
        None => say(&format_args!("{VIOLATED}{thread}")),
    }
    std::process::abort()
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

/// `file:line` of the call of `function` that is going on, by the debug information of the process.
fn caller(function: &str) -> Option<String> {
    let (mut inside, mut place) = (false, None);
    backtrace::trace(|frame| {
        let mut is_function = false;
        backtrace::resolve_frame(frame, |symbol| {
            let named = symbol.name().map(|name| name.to_string());
            is_function |= named.as_deref() == Some(function);
            if inside && place.is_none() {
                let position = symbol.filename().zip(symbol.lineno());
                place = position.map(|(file, line)| format!("{}:{line}", abi::text::path(file)));
            }
        });
        let goes_on = !inside;
        inside |= is_function;
        goes_on
    });
    place
}
