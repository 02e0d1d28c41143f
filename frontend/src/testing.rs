//! For tests: programs from texts.

use std::fs;

use program::model::Program;
use program::{check, print};

use crate::input::{Input, InputError};
use crate::{Loaded, ReadOptions, load};

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
    let loaded = try_load(text, flags);
    let program = loaded.unwrap_or_else(|error| panic!("{error}")).program;
    let violations: Vec<String> = check::check(&program)
        .iter()
        .map(ToString::to_string)
        .collect();
    let printed = print::display(&program).to_string();
    assert!(violations.is_empty(), "{violations:#?}\n{printed}");
    program
}
