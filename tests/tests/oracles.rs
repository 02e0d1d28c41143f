//! Engines and reductions against each other: whatever is decided must be the same.

use std::path::Path;
use std::sync::Mutex;

use frontend::testing::in_parallel;
use tests::{
    Answers, Configuration, Example, Expected, Shape, Size, data_model, examples, random_program,
    seeds_to_fuzz,
};
use verify::engines::ENGINES;
use verify::verdict::Verdict;

/// Programs in CI; `make fuzz` runs more.
const RANDOM_PROGRAMS: u64 = 200;

/// The reference searches all interleavings of the original program; the others search what reductions leave of them, or are symbolic.
const CONFIGURATIONS: [Configuration; 9] = [
    &["--engine", "explicit"],
    &["--engine", "explicit-reduced", "--reduction", "static"],
    &["--engine", "explicit-reduced", "--reduction", "dynamic"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "none"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "dynamic"],
    &["--engine", "kind", "--depth", "8", "--reduction", "phase"],
    &["--engine", "kind", "--depth", "8", "--reduction", "static"],
    &["--engine", "ic3", "--reduction", "dynamic"],
    &["--engine", "ic3-exact", "--reduction", "static"],
];

#[test]
fn every_engine_is_compared() {
    for engine in ENGINES {
        let is_asked = CONFIGURATIONS.iter().any(|words| words[1] == engine.name);
        assert!(is_asked, "`{}` is in no configuration", engine.name);
    }
}

/// What one configuration may spend; an answer that takes longer is none, and no answer contradicts nothing.
const SECONDS: u64 = 1;

/// The reference, and one of `one_of` others, beginning with another one for each number.
fn some_configurations(one_of: usize, number: usize) -> Vec<Configuration> {
    let [reference, others @ ..] = CONFIGURATIONS;
    let others = others.into_iter().skip(number % one_of).step_by(one_of);
    [reference].into_iter().chain(others).collect()
}

fn random(seed: u64, directory: &Path, one_of: usize) -> Answers {
    let path = directory.join(format!("random{seed}.c"));
    std::fs::write(&path, random_program(seed, &Shape::small(seed)))
        .expect("the directory is writable");
    let asked = some_configurations(one_of, seed as usize);
    Answers::of(&path, &asked, SECONDS, &data_model(seed / 2))
}

/// Counts of what was compared.
#[derive(Default)]
struct Tally {
    programs: usize,
    by_reference: usize,
    violated: usize,
    asked: usize,
    decided: usize,
}

impl Tally {
    fn add(&mut self, answers: &Answers) {
        self.programs += 1;
        self.by_reference += usize::from(!matches!(answers.verdicts[0], Verdict::Unknown { .. }));
        self.violated += usize::from(matches!(answers.verdicts[0], Verdict::Unsafe { .. }));
        self.asked += answers.verdicts.len();
        self.decided += answers.decided();
    }
}

/// Compares what the reference and one of `one_of` other configurations say of the programs of all seeds.
fn check_random(seeds: impl Iterator<Item = u64> + Send, one_of: usize) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let tally = Mutex::new(Tally::default());
    in_parallel(seeds, |seed| {
        let answers = random(seed, directory.path(), one_of);
        assert!(
            !answers.contradict(),
            "seed {seed}:\n{}\n{}",
            answers.describe(),
            random_program(seed, &Shape::small(seed))
        );
        tally.lock().expect("no thread panicked").add(&answers);
    });
    let Tally {
        programs,
        by_reference,
        violated,
        asked,
        decided,
    } = tally.into_inner().expect("no thread panicked");
    eprintln!(
        "{programs} programs, {by_reference} decided by exhaustive search, {violated} of them violated, \
         {decided} of {asked} answers conclusive"
    );
    assert!(
        by_reference > 0 && violated < programs,
        "the programs say nothing"
    );
}

#[test]
fn engines_and_reductions_agree_on_random_programs() {
    check_random(0..RANDOM_PROGRAMS, 2);
}

/// Compares what the reference and one of `one_of` other configurations say of these small examples.
fn check_small_examples(one_of: usize, is_asked: fn(&Example) -> bool) {
    let small = examples()
        .into_iter()
        .filter(|example| example.size == Size::Small && is_asked(example));
    in_parallel(small.enumerate(), |(number, example)| {
        let Example { path, options, .. } = &example;
        let asked = some_configurations(one_of, number);
        let answers = Answers::of(path, &asked, SECONDS, options);
        assert!(
            !answers.contradict(),
            "{}:\n{}",
            example.name,
            answers.describe()
        );
    });
}

/// Examples are sorted by name, so that neighbours are about the same, and are given to different configurations. Where no verdict is
/// expected, answers hardly contradict each other.
#[test]
fn engines_and_reductions_agree_on_small_examples() {
    check_small_examples(8, |example| example.expected != Expected::Unknown);
}

#[test]
#[ignore = "the other test has an eighth of it; called by `make fuzz`"]
fn fuzz_all_configurations_of_small_examples() {
    check_small_examples(1, |_| true);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz() {
    check_random(seeds_to_fuzz(RANDOM_PROGRAMS), 1);
}
