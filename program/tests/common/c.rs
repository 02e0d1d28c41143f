//! Searching C programs.

use std::fs;
use std::time::Duration;

use program::explore::{Limits, Outcome, explore};
use program::input::{Input, InputError};
use program::model::Program;
use program::threads::{Bounds, instantiate};
use program::{Loaded, ReadOptions, check, load, print};

/// What the tests' programs declare.
pub const PRELUDE: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <string.h>\n\
    void reach_error(void);\nextern void __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\n\
    extern _Bool __VERIFIER_nondet_bool(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n";

/// Compiles and reads a text as `test.c`.
pub fn try_load(text: &str, flags: &[&str]) -> Result<Loaded, InputError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    fs::write(&path, text).expect("a file in the temporary folder");
    let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    load(&Input::File { path, flags }, &ReadOptions::default())
}

/// Reads a text that is a program, and checks that the automata are well formed.
pub fn read(text: &str, flags: &[&str]) -> Program {
    let program = try_load(text, flags)
        .unwrap_or_else(|error| panic!("{error}"))
        .program;
    let violations: Vec<String> = check::check(&program)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        violations.is_empty(),
        "{violations:#?}\n{}",
        print::display(&program)
    );
    program
}

/// Searches all interleavings of a program whose signed arithmetic wraps around.
pub fn outcome(text: &str, flags: &[&str]) -> Outcome {
    search(&read(text, &[flags, &["-fwrapv"]].concat()))
}

/// Searches all interleavings of a program.
pub fn search(program: &Program) -> Outcome {
    let instances = instantiate(program, &Bounds::default());
    let limits = Limits {
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    };
    explore(program, &instances, &limits).outcome
}

/// Why a search that found no error is no proof.
pub fn limits(found: &Outcome, text: &str) -> Vec<String> {
    let Outcome::NoError {
        complete: false,
        reasons,
    } = found
    else {
        panic!("{found:?}\n{text}")
    };
    reasons.iter().map(ToString::to_string).collect()
}
