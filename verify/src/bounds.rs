//! The bounds on threads, heap objects and recursion.

use frontend::{Loaded, UndefinedFunctions};
use program::threads::Bounds;

use crate::program_options::{ProgramOptions, UndefinedChoice};
use crate::thread_bound::ThreadBound;
use crate::verdict::Failure;

/// The bounds of the options. Those of instrumented bitcode are fixed: its yields are where they are because no more
/// threads run, so that options that say something else are refused.
pub(crate) fn of(options: &ProgramOptions, loaded: &Loaded) -> Result<Bounds, Failure> {
    let threads = options.threads.and_then(ThreadBound::at_most);
    let Some(instrumentation) = &loaded.instrumentation else {
        let default = Bounds::default();
        return Ok(Bounds {
            threads: threads.unwrap_or(default.threads),
            heap: options.heap.unwrap_or(default.heap),
        });
    };
    let planned = instrumentation.bounds;
    if options.threads == Some(ThreadBound::Any) {
        return Err(Failure::Input(
            "--threads any does not fit instrumented bitcode: verify the program as it was".into(),
        ));
    }
    agree("--threads", threads, planned.threads)?;
    agree("--heap", options.heap, planned.heap)?;
    let recursion = instrumentation.options.recursion;
    agree("--recursion", options.recursion, recursion)?;
    if options.abort_is_error && !instrumentation.options.abort_is_error {
        return Err(Failure::Input(
            "--abort-is-error does not fit bitcode that was instrumented without it: give `instrument` --abort-is-error".into(),
        ));
    }
    if options.undefined == UndefinedChoice::Arbitrary
        && instrumentation.options.undefined == UndefinedFunctions::Stop
    {
        return Err(Failure::Input(
            "--undefined arbitrary does not fit bitcode that was instrumented without it: give `instrument` --undefined arbitrary".into(),
        ));
    }
    Ok(planned)
}

fn agree(option: &str, asked: Option<u32>, planned: u32) -> Result<(), Failure> {
    match asked {
        Some(asked) if asked != planned => Err(Failure::Input(format!(
            "{option} {asked} does not fit bitcode that was instrumented with {option} {planned}: \
             leave the option out, or give `instrument` {option} {asked}"
        ))),
        Some(_) | None => Ok(()),
    }
}
