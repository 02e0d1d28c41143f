//! For tests: systems in files, random terms and systems that are reproducible from a seed, and an explicit-state oracle for small systems.

mod fixtures;
mod inductive;
mod narrow_systems;
mod operations;
mod oracle;
mod spacer;
mod systems;

pub use fixtures::{Fixture, fixture, fixtures};
pub use inductive::is_inductive;
pub use narrow_systems::random_narrow_system;
pub use operations::{Operation, Random, grow, random_operation};
pub use oracle::{all_values, reachable, shortest_run, shortest_violation};
pub use spacer::spacer;
pub use systems::{random_run, random_system};
