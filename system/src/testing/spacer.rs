//! Z3's engine for Horn clauses, an oracle that shares no code with this project.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::io::Write;
use std::process::{Command, Stdio};

/// Whether clauses are satisfiable, found within so many steps of Z3's own count, which are the same on every machine; `None` if
/// it gives up.
///
/// # Panics
/// Z3 does not run, or finds fault with the clauses.
pub fn spacer(clauses: &str, steps: u32) -> Option<bool> {
    let mut child = Command::new("z3")
        .args(["-in", "fp.engine=spacer", &format!("rlimit={steps}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 runs");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    input.write_all(clauses.as_bytes()).expect("z3 reads");
    drop(input);
    let output = child.wait_with_output().expect("z3 ends");
    match String::from_utf8_lossy(&output.stdout).trim() {
        "sat" => Some(true),
        "unsat" => Some(false),
        "unknown" => None,
        other => panic!("{other}\n{clauses}"),
    }
}
