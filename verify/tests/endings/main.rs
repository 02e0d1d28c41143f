//! Every kind of child process, and every way in which the verifier ends: afterwards no process is left, and no temporary file.
//!
//! Children are made to hang: by input that never comes, by tools that a test puts in front of the real ones, or by
//! stopping the real one. Those tools ignore signals and have a child in a session of its own. Processes are found
//! again by a variable in their environment, whatever process is their parent.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

mod common;
#[path = "../../../tests/src/library.rs"]
mod library;
mod processes;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Case, Ending, GROWS, HANGS, VERIFY, endings, examples, output, tool};
use library::make_library;

/// A main function that never returns.
const LOOP: &str = "volatile int always = 1;\nint main(void) { while (always) ; return 0; }\n";

/// The product of two primes of 32 bits, which no engine finds within seconds.
const FACTORING: &str = "#include <assert.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  if (a > 1 && b > 1 && a <= 4294967295 && b <= 4294967295)
    assert(a * b != 9345208821757322069UL);
  return 0;
}
";

fn write(directory: &Path, name: &str, text: &str) -> String {
    let file = directory.join(name);
    fs::write(&file, text).expect("the directory is writable");
    file.to_string_lossy().into_owned()
}

/// A C file that includes a pipe to which no process writes.
fn endless_include(directory: &Path) -> String {
    let pipe = directory.join("never.h");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    write(
        directory,
        "waits.c",
        "#include \"never.h\"\nint main(void) { return 0; }\n",
    )
}

#[test]
fn the_compiler_that_waits_for_a_header() {
    for command in [&[][..], &["export", "--format=vmt"], &["run"]] {
        endings(&Ending::ALL, |directory, _| {
            let file = endless_include(directory);
            Case::new("-emit-llvm")
                .arguments(command)
                .arguments(&[&file])
        });
    }
}

#[test]
fn a_compiler_with_children() {
    endings(&Ending::WITH_MEMORY, |directory, ending| {
        tool(
            directory,
            "clang-19",
            if ending == Ending::Memory {
                GROWS
            } else {
                HANGS
            },
        );
        let file = write(directory, "loop.c", LOOP);
        Case::new("in a session").arguments(&[&file])
    });
}

#[test]
fn the_reader_that_says_why_bitcode_is_none() {
    let instructions: String = (0..200_000)
        .map(|number| format!("  %v{number} = add i32 {number}, 1\n"))
        .collect();
    let text = format!("define i32 @main() {{\n{instructions}  ret i32 %none\n}}\n");
    endings(&Ending::ALL, |directory, _| {
        let file = write(directory, "large.ll", &text);
        Case::new("-disable-symbolication")
            .stopped()
            .arguments(&[&file])
    });
}

#[test]
fn the_solver_that_checks_a_proof() {
    endings(&Ending::WITH_MEMORY, |directory, ending| {
        tool(
            directory,
            "z3",
            if ending == Ending::Memory {
                GROWS
            } else {
                HANGS
            },
        );
        let file = examples().join("peterson.c");
        Case::new("in a session").arguments(&[&file.to_string_lossy(), "--engine", "ic3"])
    });
}

#[test]
fn the_solvers_that_check_a_certificate() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let certificate = directory.path().join("proof.smt2");
    let certificate = certificate.to_string_lossy();
    let file = examples().join("peterson.c");
    let proved = output(&[
        &file.to_string_lossy(),
        "--engine",
        "ic3",
        "--certificate",
        &certificate,
    ]);
    assert_eq!(proved.status.code(), Some(0), "{proved:?}");
    for solver in ["z3", "cvc5"] {
        endings(&Ending::WITH_MEMORY, |directory, ending| {
            tool(
                directory,
                solver,
                if ending == Ending::Memory {
                    GROWS
                } else {
                    HANGS
                },
            );
            Case::new("in a session").arguments(&[
                "check-certificate",
                &certificate,
                "--checker",
                solver,
            ])
        });
    }
}

#[test]
fn a_native_run() {
    make_library();
    endings(&Ending::ALL, |directory, _| {
        let file = write(directory, "loop.c", LOOP);
        Case::new("/program").arguments(&["run", &file])
    });
}

#[test]
fn the_linker_below_the_compiler() {
    make_library();
    endings(&Ending::WITH_MEMORY, |directory, ending| {
        let what = if ending == Ending::Memory {
            GROWS
        } else {
            HANGS
        };
        // It leaves a file where the compiler has its own.
        tool(directory, "ld", &format!("echo > \"$TMPDIR/left\"\n{what}"));
        let file = write(directory, "loop.c", LOOP);
        Case::new("in a session").arguments(&["run", &file])
    });
}

#[test]
fn a_replay() {
    make_library();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let schedule = directory.path().join("run.schedule");
    let schedule = schedule.to_string_lossy();
    let file = examples().join("peterson_broken.c");
    let file = file.to_string_lossy();
    let violated = output(&[&file, "--engine", "bmc", "--schedule-out", &schedule]);
    assert_eq!(violated.status.code(), Some(10), "{violated:?}");
    endings(&Ending::ALL, |directory, _| {
        tool(directory, "ld", HANGS);
        Case::new("in a session").arguments(&[&file, "--replay", &schedule])
    });
}

#[test]
fn the_verifiers_of_a_comparison() {
    endings(&Ending::ALL, |directory, _| {
        let file = write(directory, "given.c", FACTORING);
        Case::new("--json").arguments(&["--compare", &file])
    });
    endings(&Ending::SIGNALS, |directory, _| {
        tool(directory, "z3", HANGS);
        let file = examples().join("peterson.c");
        Case::new("in a session").arguments(&[
            "--compare",
            "--engine",
            "ic3",
            &file.to_string_lossy(),
        ])
    });
}

/// Clang crashes, or makes a temporary file before it refuses the program.
#[test]
fn a_compiler_that_leaves_files_behind() {
    for pragmas in [
        "#pragma clang __debug crash",
        "#pragma clang __debug parser_crash",
        "#pragma clang __debug llvm_fatal_error",
        "#pragma clang module build built\nmodule built {}\n#pragma clang module endbuild",
    ] {
        let case = |directory: &Path, _| {
            let text = format!("{pragmas}\nint main(void) {{ return 0; }}\n");
            Case::new("").arguments(&[&write(directory, "crashes.c", &text)])
        };
        endings(&[Ending::Refused], case);
    }
}

/// A parent may have ignored the ends of children; then the system tells no process how they ended.
#[test]
fn ends_of_children_are_heard_of() {
    let file = examples().join("peterson_broken.c");
    let output = Command::new("env")
        .args(["--ignore-signal=CHLD", VERIFY])
        .arg(file)
        .output()
        .expect("env (coreutils) runs");
    assert_eq!(output.status.code(), Some(10), "{output:?}");
}
