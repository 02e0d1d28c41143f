//! Engines against native execution: what clang compiles and the processor computes is what an engine must find.
//!
//! Engines share the way from bitcode to `program::Program`; a mistake there is seen by none of them, but it is here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use clap::Parser;
use frontend::testing::in_parallel;
use tests::{deterministic_program, seeds_to_fuzz};
use verify::options::Options;
use verify::verdict::Verdict;

/// Programs in CI; `make fuzz` runs more.
const PROGRAMS: u64 = 40;

/// Exhaustive search interprets the program as clang makes it at each level; bounded model checking encodes it.
const CONFIGURATIONS: [[&str; 2]; 4] = [
    ["--engine=explicit", "--clang-arg=-O0"],
    ["--engine=explicit", "--clang-arg=-O1"],
    ["--engine=explicit", "--clang-arg=-O2"],
    ["--engine=bmc", "--clang-arg=-O1"],
];

/// What one answer may cost; no answer contradicts nothing.
const SECONDS: &str = "2";

/// Why a program of this kind may stay undecided. Anything else says that it cannot be read, or that it is undefined. Of pointers that walk
/// it may be unknown which multiples of a power of two their numbers are.
const EXCUSES: [&str; 4] = [
    "time limit",
    "was not discharged within",
    "not all values were tried",
    "lies in memory",
];

/// What clang is told to compile for.
type Target = &'static [&'static str];

/// Half of the programs have addresses of 32 bits. Atomic operations of 64 bits need the alignment that they have elsewhere.
const TARGETS: [Target; 2] = [&["-m64"], &["-m32", "-malign-double"]];

/// A program and what it computes.
struct Native {
    seed: u64,
    target: Target,
    path: PathBuf,
    checksum: u64,
}

impl Native {
    /// Compiles and runs the program of a seed.
    fn run(seed: u64, directory: &Path) -> Self {
        let path = directory.join(format!("native{seed}.c"));
        let binary = path.with_extension("exe");
        let target = TARGETS[(seed % 2) as usize];
        std::fs::write(&path, deterministic_program(seed)).expect("the directory is writable");
        let compiled = Command::new("clang-19")
            .args(target)
            .args(["-O0", "-w", "-pthread", "-o"])
            .args([&binary, &path])
            .status()
            .expect("clang-19 runs");
        assert!(compiled.success(), "seed {seed} is not compiled");
        let output = Command::new(&binary)
            .output()
            .expect("what was compiled runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let checksum = text.trim().parse();
        Self {
            seed,
            target,
            path,
            checksum: checksum.unwrap_or_else(|_| panic!("seed {seed} printed `{text}`")),
        }
    }

    /// Asks one engine about the program with an assertion that `holds`, or with its negation.
    fn ask(&self, configuration: [&str; 2], holds: bool) -> Answer {
        let path = self.path.to_string_lossy();
        let name = if holds { "EQUAL" } else { "DIFFERENT" };
        let property = format!("--clang-arg=-D{name}={}ul", self.checksum);
        let target = self.target.iter().map(|flag| format!("--clang-arg={flag}"));
        let target: Vec<String> = target.collect();
        let mut arguments = [&configuration[..], &["--clang-arg=-w", &property]].concat();
        arguments.extend(target.iter().map(String::as_str));
        let limits = ["verify", &path, "--timeout", SECONDS].into_iter();
        let words = limits.chain(arguments.iter().copied());
        let options = Options::try_parse_from(words).expect("valid options");
        let found = match verify::run(&options) {
            Ok(report) => judge(&report.verdict, holds),
            Err(failure) => Err(failure.to_string()),
        };
        found.unwrap_or_else(|found| panic!("{}", self.explain(&arguments, &found)))
    }

    /// What is needed to look at a wrong answer.
    fn explain(&self, arguments: &[&str], found: &str) -> String {
        let Self { seed, .. } = self;
        format!(
            "seed {seed}: {found}\n{}\nTo repeat it:\n\
             cargo run -p tests --example random_program -- --deterministic {seed} >native{seed}.c\n\
             verify native{seed}.c {}\n",
            deterministic_program(*seed),
            arguments.join(" ")
        )
    }
}

/// An answer that is not wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Right,
    Open,
}

/// What an answer is worth if the assertion `holds`, or what is wrong with it.
fn judge(verdict: &Verdict, holds: bool) -> Result<Answer, String> {
    match verdict {
        Verdict::Safe if holds => Ok(Answer::Right),
        Verdict::Unsafe { .. } if !holds => Ok(Answer::Right),
        Verdict::Unknown { reason } if EXCUSES.iter().any(|excuse| reason.contains(excuse)) => {
            Ok(Answer::Open)
        }
        Verdict::Safe | Verdict::Unsafe { .. } | Verdict::Unknown { .. } => {
            Err(format!("{verdict} although the native run says otherwise"))
        }
    }
}

/// Compares the programs of all seeds.
fn check(seeds: impl Iterator<Item = u64> + Send) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let answers = Mutex::new(Vec::new());
    in_parallel(seeds, |seed| {
        let native = Native::run(seed, directory.path());
        for configuration in CONFIGURATIONS {
            let found = [true, false].map(|holds| native.ask(configuration, holds));
            answers.lock().expect("no thread panicked").extend(found);
        }
    });
    let answers = answers.into_inner().expect("no thread panicked");
    let right = answers
        .iter()
        .filter(|answer| **answer == Answer::Right)
        .count();
    eprintln!("{right} of {} answers conclusive", answers.len());
    assert!(right > 0, "the programs say nothing");
}

#[test]
fn engines_find_what_a_native_run_computes() {
    check(0..PROGRAMS);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz() {
    check(seeds_to_fuzz(PROGRAMS));
}
