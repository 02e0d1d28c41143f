//! What the end-to-end tests share: the example programs with their expected verdicts, and random programs.
//!
//! * [`examples`], [`paper_examples`]: the programs of `c-examples/` and `c-examples/paper/`, read from their head comments;
//! * [`random_program`]: small concurrent C programs, the same for the same seed;
//! * [`Answers`]: what engines say of a program under several configurations;
//! * [`NativeRuns`]: whether a run of a program on the machine fails, with sanitizers and at random;
//! * [`make_library`]: the library that native runs need;
//! * [`deterministic_program`]: C programs with one result each, to compare with a native run;
//! * [`edge_program`]: C programs about lifetimes, handles, addresses and synchronisation objects, broken and right;
//! * [`lifetime_program`]: C programs about lifetimes in nested statements, of which it is known what is alive when.

mod answers;
mod deterministic;
mod edges;
mod example;
mod library;
mod lives;
mod native_runs;
mod numbers;
mod random;
mod seeds;

pub use answers::{Answers, Configuration};
pub use deterministic::deterministic_program;
pub use edges::{EdgeKind, EdgeProgram, KINDS, Meaning, edge_program};
pub use example::{Example, Expected, HeaderError, Optimised, Size, examples, paper_examples};
pub use library::make_library;
pub use lives::{LifetimeProgram, lifetime_program};
pub use native_runs::NativeRuns;
pub use random::{Shape, random_program};
pub use seeds::seeds_to_fuzz;
