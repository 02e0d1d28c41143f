//! Searching C programs.

use std::fs;
use std::time::Duration;

use program::explore::{Limits, Outcome, explore};
use program::input::Input;
use program::threads::{Bounds, instantiate};
use program::{ReadOptions, check, load, print};

/// What the tests' programs declare.
pub const PRELUDE: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <string.h>\n\
    void reach_error(void);\nextern void __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\n\
    extern _Bool __VERIFIER_nondet_bool(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n";

/// Searches all interleavings of a program.
pub fn outcome(text: &str, flags: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    fs::write(&path, text).expect("a file in the temporary folder");
    let flags = flags
        .iter()
        .map(|flag| (*flag).to_owned())
        .chain(["-fwrapv".to_owned()])
        .collect();
    let loaded = load(&Input::File { path, flags }, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let program = loaded.program;
    let violations: Vec<String> = check::check(&program)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        violations.is_empty(),
        "{violations:#?}\n{}",
        print::display(&program)
    );
    let instances = instantiate(&program, &Bounds::default());
    let limits = Limits {
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    };
    explore(&program, &instances, &limits).outcome
}
