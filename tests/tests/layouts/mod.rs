//! Programs whose answer depends on where objects lie: what fails natively in one place is not proved, and what holds
//! everywhere is.

mod programs;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use frontend::testing::in_parallel;
use verify::options::Options;
use verify::verdict::Verdict;

use self::programs::{HEAD, PROGRAMS, Program};

/// Ways to compile a program.
const BUILDS: &[&[&str]] = &[
    &["-O0", "-DPAD=0"],
    &["-O0", "-DPAD=40", "-no-pie"],
    &["-O0", "-DPAD=5000", "-fno-common", "-fuse-ld=bfd"],
    &["-O2", "-DPAD=0", "-fno-strict-aliasing"],
    &["-O2", "-DPAD=72"],
];

/// Settings of the allocator.
const ALLOCATORS: &[(&str, &str)] = &[
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_TOP_PAD_", "4096"),
    ("MALLOC_MMAP_THRESHOLD_", "0"),
];

/// How many times each setting is tried where addresses are random.
const RUNS: usize = 3;

fn written(folder: &Path, program: &Program) -> PathBuf {
    let file = folder.join("program.c");
    let text = format!("{HEAD}{}\n", program.text);
    std::fs::write(&file, text).expect("a temporary folder is writable");
    file
}

/// Whether the program fails in one of the ways to build and run it.
fn fails_somewhere(folder: &Path, file: &Path) -> bool {
    BUILDS.iter().enumerate().any(|(number, flags)| {
        let executable = folder.join(format!("program{number}"));
        let mut clang = Command::new("clang-19");
        clang
            .args(["-w", "-pthread", "-o"])
            .arg(&executable)
            .arg(file);
        let compiled = clang.args(*flags).status().expect("clang runs");
        assert!(compiled.success(), "{flags:?}");
        ALLOCATORS.iter().any(|&setting| {
            let fails = |mut command: Command| {
                let output = command.env(setting.0, setting.1).output();
                !output.expect("what was built runs").status.success()
            };
            let mut fixed = Command::new("setarch");
            fixed.arg("-R").arg(&executable);
            (0..RUNS).any(|_| fails(Command::new(&executable))) || fails(fixed)
        })
    })
}

fn verdict(file: &Path) -> Verdict {
    let file = file.to_string_lossy();
    let words = ["verify", &file, "--timeout=60", "--clang-arg=-DPAD=0"];
    let options = Options::try_parse_from(words).expect("valid options");
    match verify::run(&options) {
        Ok(report) => report.verdict,
        Err(failure) => panic!("{failure}"),
    }
}

#[test]
fn nothing_is_proved_that_fails_in_some_place_and_what_holds_everywhere_is() {
    in_parallel(PROGRAMS.iter(), |program| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = written(folder.path(), program);
        let verdict = verdict(&file);
        let fails = fails_somewhere(folder.path(), &file);
        let what = format!("{}: {verdict}", program.name);
        assert!(!(fails && program.holds), "{what}, and it fails natively");
        let is_safe = matches!(verdict, Verdict::Safe);
        assert_eq!(is_safe, program.holds, "{what}");
        let is_unsafe = matches!(verdict, Verdict::Unsafe { .. });
        assert!(fails || !is_unsafe, "{what}, and it never fails natively");
        eprintln!(
            "{what}, {}",
            if fails {
                "fails natively"
            } else {
                "never fails natively"
            }
        );
    });
}
