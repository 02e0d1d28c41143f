//! What the end-to-end tests share: the example programs with their expected verdicts, and random programs.
//!
//! * [`examples`], [`paper_examples`], [`any_number_examples`], [`modular_examples`], [`termination_examples`]: the
//!   programs of `c-examples/` and of its folders, read from their head comments;
//! * [`random_program`]: small concurrent C programs, the same for the same seed;
//! * [`Answers`]: what engines say of a program under several configurations;
//! * [`NativeRuns`]: whether a run of a program on the machine fails, with sanitizers and at random;
//! * [`make_library`]: the library that native runs need;
//! * [`deterministic_program`]: C programs with one result each, to compare with a native run;
//! * [`edge_program`]: C programs about lifetimes, handles, addresses and synchronisation objects, broken and right;
//! * [`lifetime_program`]: C programs about lifetimes in nested statements, of which it is known what is alive when;
//! * [`leak_program`]: C programs that lose heap objects or not, of which it is known.

mod answers;
mod deterministic;
mod edges;
mod example;
#[cfg(test)]
mod functions;
mod leaks;
mod library;
mod lives;
mod native_runs;
mod numbers;
mod random;
mod seeds;

pub use answers::{Answers, Configuration, data_model};
pub use deterministic::deterministic_program;
pub use edges::{EdgeKind, EdgeProgram, KINDS, Meaning, edge_program};
pub use example::{
    DATA_MODEL, Example, Expected, HeaderError, Optimised, Size, any_number_examples, examples,
    modular_examples, paper_examples, termination_examples,
};
pub use leaks::{LeakProgram, leak_program};
pub use library::make_library;
pub use lives::{LifetimeProgram, lifetime_program};
pub use native_runs::NativeRuns;
pub use random::{Shape, random_counters, random_program, random_waits};
pub use seeds::seeds_to_fuzz;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// The crates whose tests are modules of `tests/main.rs`.
    const CRATES: [&str; 4] = ["certify", "encode", "explicit", "system"];

    /// Cargo does not look for tests there, so a file that is no module would never be compiled.
    #[test]
    fn every_file_of_tests_is_a_module() {
        for name in CRATES {
            let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
            let root = fs::read_to_string(crate_folder.join("tests/main.rs")).expect("the root");
            let entries = fs::read_dir(crate_folder.join("tests")).expect("the folder");
            for path in entries.map(|entry| entry.expect("an entry").path()) {
                let is_module = path.extension().is_some_and(|end| end == "rs")
                    || path.join("mod.rs").is_file();
                let stem = path.file_stem().expect("a name").to_string_lossy();
                let line = format!("mod {stem};");
                let is_named = stem == "main" || root.lines().any(|known| known == line);
                assert!(is_named || !is_module, "{name}: `{line}` is missing");
            }
        }
    }
}
