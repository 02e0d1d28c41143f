//! Random programs about lifetimes get the verdicts that an evaluator of C's abstract machine expects.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use frontend::testing::in_parallel;
use tests::{Answers, Configuration, LifetimeProgram, data_model, lifetime_program, seeds_to_fuzz};
use verify::verdict::Verdict;

/// Programs in CI; `make fuzz` runs more.
const PROGRAMS: u64 = 60;

const REFERENCE: Configuration = &["--engine", "explicit"];

/// What one answer may cost, in seconds.
const SECONDS: u64 = 20;

/// What debug information does not tell of a variable without a declaration that is reached.
const NOT_KNOWN: &str = "a variable that may belong to several blocks";

fn verdict(folder: &Path, seed: u64, name: &str, text: &str) -> Verdict {
    let path = folder.join(name);
    fs::write(&path, text).expect("the folder can be written");
    let mut options = data_model(seed).to_vec();
    options.push("--clang-arg=-w".to_owned());
    let mut answers = Answers::of(&path, &[REFERENCE], SECONDS, &options);
    answers.verdicts.remove(0)
}

/// What is wrong with the verdicts for a seed, and whether the right program stays open as it may.
fn fault(seed: u64, folder: &Path) -> Result<bool, String> {
    let LifetimeProgram { right, broken } = lifetime_program(seed);
    let describe = |verdict: Verdict, text: String| format!("seed {seed}: {verdict}\n{text}");
    let answer = verdict(folder, seed, &format!("right{seed}.c"), &right);
    let is_open =
        matches!(answer, Verdict::Unknown { .. }) && answer.to_string().contains(NOT_KNOWN);
    if answer != Verdict::Safe && !is_open {
        return Err(describe(answer, right));
    }
    if let Some(broken) = broken {
        let answer = verdict(folder, seed, &format!("broken{seed}.c"), &broken);
        let is_expected = match &answer {
            Verdict::Unsafe { property, .. } => property == "use after scope",
            Verdict::Unknown { .. } => true,
            Verdict::Safe => false,
        };
        if !is_expected {
            return Err(describe(answer, broken));
        }
    }
    Ok(is_open)
}

fn check(seeds: impl Iterator<Item = u64> + Send) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let faults = Mutex::new(Vec::new());
    let counts = Mutex::new([0, 0]);
    in_parallel(seeds, |seed| match fault(seed, folder.path()) {
        Ok(is_open) => counts.lock().expect("no thread panicked")[usize::from(is_open)] += 1,
        Err(fault) => faults.lock().expect("no thread panicked").push(fault),
    });
    let [decided, open] = counts.into_inner().expect("no thread panicked");
    let faults = faults.into_inner().expect("no thread panicked");
    eprintln!(
        "{decided} programs as expected, {open} open, {} wrong",
        faults.len()
    );
    if let Some(first) = faults.iter().min_by_key(|fault| fault.len()) {
        panic!("{first}");
    }
    assert!(decided > open, "the programs say little");
}

#[test]
fn verdicts_are_those_of_the_abstract_machine() {
    check(0..PROGRAMS);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz() {
    check(seeds_to_fuzz(PROGRAMS));
}
