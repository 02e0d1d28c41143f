//! What each engine may take of the machine when all run side by side.
//!
//! There are more engines than processors. Those that prove most programs go first; the others get what is left, which is
//! enough where they are the ones to answer: they need little time then.

use rustix::process::setpriority_process;

use crate::options::{EngineChoice, Options};

/// States of the exhaustive search, in bytes: beside other engines, and alone.
const BESIDE: u64 = 768 << 20;
const ALONE: u64 = 4 << 30;

/// How far an engine steps back behind the others, as a Unix niceness.
fn niceness(engine: EngineChoice) -> i32 {
    match engine {
        EngineChoice::Bmc => 5,
        EngineChoice::Kind => 10,
        EngineChoice::Ic3
        | EngineChoice::Ic3Exact
        | EngineChoice::Explicit
        | EngineChoice::Portfolio => 0,
    }
}

/// Gives the thread that calls this its share of processor time.
pub(crate) fn step_back(engine: EngineChoice, options: &Options) {
    if options.engines.engine == EngineChoice::Portfolio {
        // Without the right to do so everybody gets the same share, which is slower and no error.
        let _ = setpriority_process(None, niceness(engine));
    }
}

/// How many bytes the states of the exhaustive search may take: at most half of what the process may.
pub(crate) fn memory_of_search(options: &Options) -> u64 {
    let most = match options.engines.engine {
        EngineChoice::Portfolio => BESIDE,
        EngineChoice::Ic3
        | EngineChoice::Ic3Exact
        | EngineChoice::Bmc
        | EngineChoice::Kind
        | EngineChoice::Explicit => ALONE,
    };
    options.limits.memory.map_or(most, |mebibytes| {
        most.min(mebibytes.saturating_mul(1 << 19))
    })
}
