//! Engines and reductions against each other: whatever is decided must be the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use frontend::testing::in_parallel;
use program::model::Property;
use tests::{
    Answers, Configuration, Example, Expected, Shape, Size, data_model, examples, random_counters,
    random_program, random_waits, seeds_to_fuzz,
};
use verify::engines::ENGINES;
use verify::verdict::Verdict;

/// Programs in CI; `make fuzz` runs more.
const RANDOM_PROGRAMS: u64 = 200;

/// Programs with heap objects in CI; `make fuzz` runs more.
const HEAP_PROGRAMS: u64 = 80;

/// Programs that wait in loops in CI; `make fuzz` runs more.
const WAITING_PROGRAMS: u64 = 80;

/// Programs with counters in CI; `make fuzz` runs more.
const COUNTER_PROGRAMS: u64 = 60;

/// The reference searches all interleavings of the original program; the others search what reductions leave of them, or are symbolic.
const CONFIGURATIONS: [Configuration; 16] = [
    &["--engine", "explicit"],
    &["--engine", "explicit-reduced", "--reduction", "static"],
    &["--engine", "explicit-reduced", "--reduction", "dynamic"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "none"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "dynamic"],
    &["--engine", "kind", "--depth", "8", "--reduction", "phase"],
    &["--engine", "kind", "--depth", "8", "--reduction", "static"],
    &["--engine", "ic3", "--reduction", "dynamic"],
    &["--engine", "ic3-exact", "--reduction", "static"],
    &["--engine", "eventgraph", "--reduction", "static"],
    &[
        "--engine",
        "eventgraph",
        "--scheduling",
        "refined",
        "--reduction",
        "none",
    ],
    &[
        "--engine",
        "eventgraph",
        "--scheduling",
        "pairs",
        "--reduction",
        "static",
    ],
    &[
        "--engine",
        "eventgraph",
        "--scheduling",
        "clocks",
        "--reduction",
        "static",
    ],
    &[
        "--engine",
        "eventgraph",
        "--scheduling",
        "blocks",
        "--reduction",
        "none",
    ],
    &["--engine", "modular", "--reduction", "static"],
    &[
        "--engine",
        "modular",
        "--scope",
        "all",
        "--reduction",
        "dynamic",
    ],
];

/// The reference, and every engine under every reduction.
const ALL_CONFIGURATIONS: [Configuration; 29] = [
    &["--engine", "explicit"],
    &["--engine", "explicit-reduced", "--reduction", "none"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "static"],
    &["--engine", "kind", "--depth", "8", "--reduction", "dynamic"],
    &["--engine", "ic3", "--reduction", "phase"],
    &["--engine", "ic3-exact", "--reduction", "none"],
    &["--engine", "explicit-reduced", "--reduction", "static"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "phase"],
    &["--engine", "kind", "--depth", "8", "--reduction", "none"],
    &["--engine", "ic3", "--reduction", "dynamic"],
    &["--engine", "ic3-exact", "--reduction", "static"],
    &["--engine", "explicit-reduced", "--reduction", "phase"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "dynamic"],
    &["--engine", "kind", "--depth", "8", "--reduction", "static"],
    &["--engine", "ic3", "--reduction", "none"],
    &["--engine", "ic3-exact", "--reduction", "phase"],
    &["--engine", "explicit-reduced", "--reduction", "dynamic"],
    &["--engine", "bmc", "--depth", "20", "--reduction", "none"],
    &["--engine", "kind", "--depth", "8", "--reduction", "phase"],
    &["--engine", "ic3", "--reduction", "static"],
    &["--engine", "ic3-exact", "--reduction", "dynamic"],
    &["--engine", "eventgraph", "--reduction", "none"],
    &["--engine", "eventgraph", "--reduction", "static"],
    &["--engine", "eventgraph", "--reduction", "phase"],
    &["--engine", "eventgraph", "--reduction", "dynamic"],
    &["--engine", "modular", "--reduction", "none"],
    &["--engine", "modular", "--reduction", "static"],
    &["--engine", "modular", "--reduction", "phase"],
    &["--engine", "modular", "--reduction", "dynamic"],
];

#[test]
fn every_engine_is_compared() {
    for engine in ENGINES {
        let is_asked = CONFIGURATIONS.iter().any(|words| words[1] == engine.name);
        assert!(is_asked, "`{}` is in no configuration", engine.name);
    }
}

#[test]
fn every_engine_is_compared_under_every_reduction() {
    let [reference, others @ ..] = ALL_CONFIGURATIONS;
    for engine in ENGINES.iter().filter(|engine| engine.name != reference[1]) {
        for reduction in ["none", "static", "phase", "dynamic"] {
            let is_asked =
                |words: &Configuration| words[1] == engine.name && words.contains(&reduction);
            assert!(
                others.iter().any(is_asked),
                "`{}` is not asked under `{reduction}`",
                engine.name
            );
        }
    }
}

/// A family of random programs, and who is asked about them.
struct Family {
    /// The program of a seed.
    program: fn(u64) -> String,
    /// What is verified of the program of a seed, if not what is by default.
    property: fn(u64) -> Option<Property>,
    configurations: &'static [Configuration],
}

const PLAIN: Family = Family {
    program: |seed| random_program(seed, &Shape::small(seed)),
    property: |_| None,
    configurations: &CONFIGURATIONS,
};

const WITH_HEAP: Family = Family {
    program: |seed| random_program(seed, &Shape::small_with_heap(seed)),
    property: |seed| (seed % 4 == 3).then_some(Property::ValidMemtrack),
    configurations: &ALL_CONFIGURATIONS,
};

/// Sums are a matter of the engine that orders events.
const COUNTERS: Family = Family {
    program: random_counters,
    property: |_| None,
    configurations: &[
        &["--engine", "explicit"],
        &["--engine", "eventgraph", "--reduction", "static"],
        &["--engine", "eventgraph", "--reduction", "none"],
    ],
};

/// What a thread does while it waits is left out of runs by the engine that orders events.
const WAITS: Family = Family {
    program: random_waits,
    ..COUNTERS
};

impl Family {
    /// What the reference and one of `one_of` other configurations say of the program of a seed.
    fn answers(&self, seed: u64, directory: &Path, one_of: usize) -> Answers {
        let path = directory.join(format!("random{seed}.c"));
        std::fs::write(&path, (self.program)(seed)).expect("the directory is writable");
        let asked = some_configurations(self.configurations, one_of, seed as usize);
        let mut options = data_model(seed / 2).to_vec();
        options.extend((self.property)(seed).map(|property| format!("--property={property}")));
        Answers::of(&path, &asked, SECONDS, &options)
    }
}

/// What one configuration may spend; an answer that takes longer is none, and no answer contradicts nothing.
const SECONDS: u64 = 1;

/// The reference, which is the first, and one of `one_of` others, beginning with another one for each number.
fn some_configurations(
    configurations: &[Configuration],
    one_of: usize,
    number: usize,
) -> Vec<Configuration> {
    let others = configurations.iter().skip(1 + number % one_of);
    configurations[..1]
        .iter()
        .chain(others.step_by(one_of))
        .copied()
        .collect()
}

/// Counts of what was compared.
#[derive(Default)]
struct Tally {
    programs: usize,
    /// How many programs are safe as the reference says.
    safe: usize,
    /// How many programs violate which property as the reference says.
    violated: BTreeMap<Property, usize>,
    asked: usize,
    decided: usize,
}

impl Tally {
    fn add(&mut self, answers: &Answers) {
        self.programs += 1;
        match &answers.verdicts[0] {
            Verdict::Safe => self.safe += 1,
            Verdict::Unsafe { property, .. } => {
                *self.violated.entry(violated(property)).or_default() += 1;
            }
            Verdict::Unknown { .. } => {}
        }
        self.asked += answers.verdicts.len();
        self.decided += answers.decided();
    }
}

/// The property that is violated in the words of a verdict; of an uninitialised pointer, which may be freed, too, that of accesses.
fn violated(words: &str) -> Property {
    match words {
        "assertion" => Property::UnreachCall,
        "memory leak" => Property::ValidMemtrack,
        "double free" | "invalid free" | "realloc after free" => Property::ValidFree,
        _ => Property::ValidDeref,
    }
}

/// Compares what the reference and one of `one_of` other configurations say of the programs of all seeds.
fn check_random(family: &Family, seeds: impl Iterator<Item = u64> + Send, one_of: usize) -> Tally {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let tally = Mutex::new(Tally::default());
    in_parallel(seeds, |seed| {
        let answers = family.answers(seed, directory.path(), one_of);
        assert!(
            !answers.contradict(),
            "seed {seed}:\n{}\n{}",
            answers.describe(),
            (family.program)(seed)
        );
        tally.lock().expect("no thread panicked").add(&answers);
    });
    let tally = tally.into_inner().expect("no thread panicked");
    let Tally {
        programs,
        safe,
        violated,
        asked,
        decided,
    } = &tally;
    eprintln!(
        "{programs} programs, as exhaustive search says {safe} safe, {violated:?} violated; \
         {decided} of {asked} answers conclusive"
    );
    assert!(*safe > 0, "the programs say nothing");
    tally
}

#[test]
fn engines_and_reductions_agree_on_random_programs() {
    check_random(&PLAIN, 0..RANDOM_PROGRAMS, 2);
}

#[test]
fn engines_and_reductions_agree_on_random_programs_with_heap() {
    let tally = check_random(&WITH_HEAP, 0..HEAP_PROGRAMS, 10);
    let share = 100 * tally.safe / tally.programs;
    // More than that are; what the time ends first on a busy machine is the search of safe programs.
    assert!((15..=50).contains(&share), "{share} % are safe");
    for property in [
        Property::UnreachCall,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
    ] {
        let count = tally.violated.get(&property);
        assert!(
            count.is_some_and(|count| 100 * count / tally.programs >= 3),
            "`{property}` is violated in {count:?} programs"
        );
    }
}

#[test]
fn engines_agree_on_random_counters() {
    let tally = check_random(&COUNTERS, 0..COUNTER_PROGRAMS, 1);
    assert!(
        tally.violated.contains_key(&Property::UnreachCall),
        "no sum is reached"
    );
}

#[test]
fn engines_agree_on_random_waits() {
    let tally = check_random(&WAITS, 0..WAITING_PROGRAMS, 1);
    assert!(tally.violated.contains_key(&Property::UnreachCall));
}

/// Compares what the reference and one of `one_of` other configurations say of these small examples.
fn check_small_examples(one_of: usize, is_asked: fn(&Example) -> bool) {
    let small = examples()
        .into_iter()
        .filter(|example| example.size == Size::Small && is_asked(example));
    in_parallel(small.enumerate(), |(number, example)| {
        let Example { path, options, .. } = &example;
        let asked = some_configurations(&CONFIGURATIONS, one_of, number);
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

/// Examples to which mistakes that were made on purpose in the engine that orders events gave a wrong verdict, and no other test did. Of
/// the first one nothing is known: not all of it is read.
const TELLING: [&str; 4] = [
    "arguments_all",
    "condition_ended_waited",
    "count_seen_if_joined_broken",
    "unlocked_or_not_broken",
];

#[test]
fn orders_of_events_are_right_where_a_mistake_would_tell() {
    let asked = CONFIGURATIONS.into_iter();
    let asked: Vec<Configuration> = asked.filter(|words| words[1] == "eventgraph").collect();
    let telling = |example: &Example| TELLING.contains(&example.name.as_str());
    let examples: Vec<Example> = examples().into_iter().filter(telling).collect();
    assert_eq!(examples.len(), TELLING.len());
    in_parallel(examples.iter().enumerate(), |(_, example)| {
        let Example { path, options, .. } = example;
        let answers = Answers::of(path, &asked, 10 * SECONDS, options);
        let wrong = match example.expected {
            Expected::Safe => answers.any_unsafe(),
            Expected::Unsafe => answers.any_safe(),
            Expected::Unknown => answers.decided() > 0,
        };
        assert!(!wrong, "{}:\n{}", example.name, answers.describe());
    });
}

#[test]
#[ignore = "the other test has an eighth of it; called by `make fuzz`"]
fn fuzz_all_configurations_of_small_examples() {
    check_small_examples(1, |_| true);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz() {
    check_random(&PLAIN, seeds_to_fuzz(RANDOM_PROGRAMS), 1);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz_with_heap() {
    check_random(&WITH_HEAP, seeds_to_fuzz(HEAP_PROGRAMS), 1);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz_counters() {
    check_random(&COUNTERS, seeds_to_fuzz(COUNTER_PROGRAMS), 1);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz_waits() {
    check_random(&WAITS, seeds_to_fuzz(WAITING_PROGRAMS), 1);
}
