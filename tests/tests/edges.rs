//! Programs at the edges of meaning: native runs, what is known of each program, and engines and reductions must agree.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use frontend::testing::in_parallel;
use tests::{
    Answers, Configuration, EdgeProgram, KINDS, Meaning, NativeRuns, edge_program, seeds_to_fuzz,
};
use verify::engines::ENGINES;

/// Programs in CI, every kind broken and right; `make fuzz` runs more.
const PROGRAMS: u64 = 2 * KINDS.len() as u64;

/// Runs of each build of a program.
const RUNS: u64 = 4;

/// What one answer may cost, in seconds; no answer contradicts nothing.
const SECONDS: u64 = 1;

/// The reference searches all interleavings of the original program.
const REFERENCE: Configuration = &["--engine", "explicit"];

/// Of each list, a program is given to one: engines and reductions vary with the seed.
const BOUNDED: [Configuration; 6] = [
    &["--engine", "bmc", "--depth", "12", "--reduction", "none"],
    &["--engine", "bmc", "--depth", "12", "--reduction", "dynamic"],
    &["--engine", "bmc", "--depth", "12", "--reduction", "static"],
    &["--engine", "kind", "--depth", "6", "--reduction", "phase"],
    &["--engine", "eventgraph", "--reduction", "none"],
    &["--engine", "eventgraph", "--reduction", "static"],
];
const PROVERS: [Configuration; 8] = [
    &["--engine", "explicit-reduced", "--reduction", "static"],
    &["--engine", "explicit-reduced", "--reduction", "phase"],
    &["--engine", "ic3", "--reduction", "phase"],
    &["--engine", "ic3", "--reduction", "static"],
    &["--engine", "ic3-exact", "--reduction", "dynamic"],
    &["--engine", "ic3", "--reduction", "none"],
    &["--engine", "modular", "--reduction", "none"],
    &["--engine", "modular", "--reduction", "static"],
];

#[test]
fn every_engine_is_compared() {
    for engine in ENGINES {
        let all = [REFERENCE].into_iter().chain(BOUNDED).chain(PROVERS);
        let mut all = all.map(|words| words[1]);
        assert!(
            all.any(|name| name == engine.name),
            "`{}` is neither the reference nor in BOUNDED or PROVERS",
            engine.name
        );
    }
}

fn configurations(seed: u64) -> [Configuration; 3] {
    let round = (seed / 2) as usize;
    let prover = round / BOUNDED.len() % PROVERS.len();
    [REFERENCE, BOUNDED[round % BOUNDED.len()], PROVERS[prover]]
}

/// What was found out about a program.
struct Outcome {
    seed: u64,
    program: EdgeProgram,
    /// How a native run fails, if one does.
    failure: Option<String>,
    answers: Answers,
}

impl Outcome {
    fn of(seed: u64, folder: &Path, native: &NativeRuns) -> Self {
        let program = edge_program(seed);
        let path = folder.join(format!("edge{seed}.c"));
        fs::write(&path, &program.text).expect("the folder can be written");
        // Where every answer but SAFE is right, no run is needed to tell that SAFE is wrong.
        let failure = match program.meaning {
            Meaning::Wrong => None,
            Meaning::Right | Meaning::Open => native.failure(&path, RUNS),
        };
        let quiet = ["--clang-arg=-w".to_owned()];
        let answers = Answers::of(&path, &configurations(seed), SECONDS, &quiet);
        Self {
            seed,
            program,
            failure,
            answers,
        }
    }

    /// What is wrong.
    fn fault(&self) -> Option<String> {
        let Self { answers, .. } = self;
        match (&self.failure, self.program.meaning) {
            _ if answers.contradict() => Some("engines contradict each other".to_owned()),
            (Some(failure), Meaning::Right) => {
                Some(format!("a right program fails natively: {failure}"))
            }
            (Some(failure), Meaning::Open) if answers.any_safe() => {
                Some(format!("SAFE although a native run fails: {failure}"))
            }
            (_, Meaning::Wrong) if answers.any_safe() => {
                Some("SAFE although it is undefined, or a conforming run fails".to_owned())
            }
            (_, Meaning::Right) if answers.any_unsafe() => {
                Some("UNSAFE although it is right".to_owned())
            }
            (_, Meaning::Right | Meaning::Wrong | Meaning::Open) => None,
        }
    }

    /// What is needed to look at a fault.
    fn explain(&self, fault: &str) -> String {
        let Self { seed, .. } = self;
        format!(
            "seed {seed}: {fault}\n{}{}\nTo repeat it:\n\
             cargo run -p tests --example random_program -- --edge {seed} >edge{seed}.c\n\
             verify edge{seed}.c --clang-arg=-w --engine explicit\n",
            self.answers.describe(),
            self.program.text
        )
    }
}

/// Counts of what was compared.
#[derive(Default)]
struct Tally {
    programs: BTreeMap<Meaning, usize>,
    failed: usize,
    decided: usize,
    /// The programs with a fault, by kind.
    faults: BTreeMap<&'static str, Vec<String>>,
    /// The fault with the least seed in full.
    first: Option<(u64, String)>,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        *self.programs.entry(outcome.program.meaning).or_default() += 1;
        self.failed += usize::from(outcome.failure.is_some());
        self.decided += usize::from(outcome.answers.decided() > 0);
        if let Some(fault) = outcome.fault() {
            let faults = self.faults.entry(outcome.program.kind).or_default();
            faults.push(format!("seed {}: {fault}", outcome.seed));
            if self
                .first
                .as_ref()
                .is_none_or(|(seed, _)| outcome.seed < *seed)
            {
                self.first = Some((outcome.seed, outcome.explain(&fault)));
            }
        }
    }

    fn describe_faults(&self) -> String {
        let lines = self.faults.iter();
        lines
            .map(|(kind, faults)| format!("{kind}\n    {}\n", faults.join("\n    ")))
            .collect()
    }
}

/// Compares the programs of all seeds.
fn check(seeds: impl Iterator<Item = u64> + Send) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let native = NativeRuns::new(folder.path());
    let tally = Mutex::new(Tally::default());
    in_parallel(seeds, |seed| {
        let outcome = Outcome::of(seed, folder.path(), &native);
        tally.lock().expect("no thread panicked").add(&outcome);
    });
    let tally = tally.into_inner().expect("no thread panicked");
    eprintln!(
        "programs {:?}, {} of them fail natively, {} decided by some engine",
        tally.programs, tally.failed, tally.decided
    );
    if let Some((_, first)) = &tally.first {
        panic!("{first}\n{}", tally.describe_faults());
    }
    assert!(tally.decided > 0, "the programs say nothing");
}

#[test]
fn engines_and_native_runs_agree_at_the_edges() {
    check(0..PROGRAMS);
}

#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz() {
    check(seeds_to_fuzz(PROGRAMS));
}
