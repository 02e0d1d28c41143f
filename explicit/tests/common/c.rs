//! Searching C programs.

use explicit::explore::{SearchLimits, SearchVerdict, explore};
pub use frontend::testing::read;
use program::model::Program;
use program::threads::{Bounds, instantiate};

/// What the tests' programs declare.
pub const PRELUDE: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <string.h>\n\
    void reach_error(void);\nextern void __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\n\
    extern _Bool __VERIFIER_nondet_bool(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n";

/// Searches all interleavings of a program whose signed arithmetic wraps around.
pub fn outcome(text: &str, flags: &[&str]) -> SearchVerdict {
    search(&read(text, &[flags, &["-fwrapv"]].concat()))
}

/// Searches all interleavings of a program.
pub fn search(program: &Program) -> SearchVerdict {
    let instances = instantiate(program, &Bounds::default());
    explore(program, &instances, &SearchLimits::default()).verdict
}

/// Why a search that found no error is no proof.
pub fn limits(found: &SearchVerdict, text: &str) -> Vec<String> {
    let SearchVerdict::Unknown(reasons) = found else {
        panic!("{found:?}\n{text}")
    };
    reasons.iter().map(ToString::to_string).collect()
}
