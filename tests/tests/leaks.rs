//! Random programs leak memory if and only if what they do is known to lose some.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use frontend::testing::in_parallel;
use tests::{Answers, Configuration, LeakProgram, data_model, leak_program, seeds_to_fuzz};
use verify::verdict::Verdict;

/// Programs in CI; `make fuzz` runs more.
const PROGRAMS: u64 = 100;

/// Exhaustive search, and symbolic engines: each of the two kinds has a definition of its own of what is lost.
const CONFIGURATIONS: [Configuration; 3] = [
    &["--engine", "explicit"],
    &["--engine", "bmc"],
    &["--engine", "eventgraph"],
];

/// What one answer may cost, in seconds.
const SECONDS: u64 = 20;

/// Whether the program of a seed leaks; how many of the configurations say so, or that it does not; and what is wrong with that.
fn check_seed(seed: u64, folder: &Path) -> Result<(bool, usize), String> {
    let LeakProgram { text, leaks } = leak_program(seed);
    let path = folder.join(format!("leaks{seed}.c"));
    fs::write(&path, &text).expect("the folder can be written");
    let mut options = data_model(seed).to_vec();
    options.extend(["--property", "valid-memtrack", "--clang-arg=-w"].map(str::to_owned));
    let answers = Answers::of(&path, &CONFIGURATIONS, SECONDS, &options);
    let is_wrong = |verdict: &Verdict| match verdict {
        Verdict::Safe => leaks,
        Verdict::Unsafe { property, .. } => !leaks || property != "memory leak",
        Verdict::Unknown { reason } => !reason.contains("time limit"),
    };
    match answers.verdicts.iter().any(is_wrong) {
        true => Err(format!(
            "seed {seed}, leaks: {leaks}\n{}\n{text}",
            answers.describe()
        )),
        false => Ok((leaks, answers.decided())),
    }
}

fn check(seeds: impl Iterator<Item = u64> + Send) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let results = Mutex::new(Vec::new());
    in_parallel(seeds, |seed| {
        let result = check_seed(seed, folder.path());
        results.lock().expect("no thread panicked").push(result);
    });
    let results = results.into_inner().expect("no thread panicked");
    let faults = results.iter().filter_map(|result| result.as_ref().err());
    if let Some(first) = faults.min_by_key(|fault| fault.len()) {
        panic!("{first}");
    }
    let programs = results.len();
    let results: Vec<_> = results.into_iter().flatten().collect();
    let leaking = results.iter().filter(|(leaks, _)| *leaks).count();
    let decided: usize = results.iter().map(|(_, decided)| decided).sum();
    eprintln!("{programs} programs, {leaking} leak; {decided} answers conclusive");
    assert!(
        (programs / 5..=programs * 4 / 5).contains(&leaking),
        "{leaking} leak"
    );
    assert!(decided > programs, "the answers say little");
}

#[test]
fn what_leaks_is_what_nothing_leads_to() {
    check(0..PROGRAMS);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz() {
    check(seeds_to_fuzz(PROGRAMS));
}
