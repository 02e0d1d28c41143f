//! Lipton reduction: mover analysis, plan and bitcode instrumentation.
//!
//! The analyses, from memory to mover types to external locations:
//!
//! * `footprint`, `shared_objects`: the bytes that each statement may access, and the objects that several threads may;
//! * `mhp`: may happen in parallel, from the threads that creations start and joins wait for;
//! * `stable_globals`, `symbolic_addresses`, `locksets`, `locking_discipline`: equal addresses, the mutexes that are held, and those of them that
//!   exclude other threads;
//! * `mover_analysis`, `protection`, `movers`, `regions`: the [`MoverType`] of each statement, with its [`MoverReason`];
//! * `phases`, `cycles`: where transactions must end;
//! * [`ConditionKind`], `condition_heuristic`: dynamic both-moving conditions of non-movers, and which of them are used;
//! * `planner` with [`plan()`]: all of this as plain data, a [`Plan`];
//! * [`lower_phases`], `condition_lowering`, `future_accesses`: the same as statements of the program, which is then encoded;
//! * [`emit`] writes a plan into bitcode, and [`recheck`] compares bitcode with the plan for its original.
//!
//! [`Concurrency`] tells other crates what may happen in parallel. [`look_for_races`] uses the same analyses to let a program look for data races. `docs/reduction.md` argues each rule.

mod byte_range;
mod concurrency;
mod condition_heuristic;
mod condition_lowering;
mod conditions;
mod context;
mod cycles;
mod dataflow;
mod emit;
mod explain;
mod footprint;
mod future_accesses;
mod insertion_points;
mod locking_discipline;
mod locksets;
mod mhp;
mod mover_analysis;
mod mover_type;
mod movers;
mod occurrence;
mod phase_lowering;
mod phases;
mod plan;
mod planner;
mod protection;
mod races;
mod reason;
mod recheck;
mod reduction;
mod regions;
mod rules;
mod shared_objects;
mod stable_globals;
mod symbolic_addresses;
mod validity;

#[cfg(test)]
mod tests;

pub use concurrency::Concurrency;
pub use conditions::{ConditionKind, Conditional};
pub use emit::{EmitError, emit};
pub use explain::explain;
pub use mover_type::MoverType;
pub use phase_lowering::lower_phases;
pub use plan::{Plan, TemplatePlan};
pub use planner::{Asked, plan, plan_under};
pub use races::{ANNOUNCED_WORD, RacePairs, announced_bytes, look_for_races};
pub use reason::{Classification, MoverReason, YieldReason};
pub use recheck::{Mismatch, recheck};
pub use reduction::Reduction;
