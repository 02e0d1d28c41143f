//! Lipton reduction: mover analysis, plan and bitcode instrumentation.
//!
//! The analyses, from memory to mover types to external locations:
//!
//! * `access`, `sharing`: the bytes that each statement may access, and the objects that several threads may;
//! * `mhp`: may happen in parallel, from the threads that creations start and joins wait for;
//! * `stable_globals`, `symbolic_addresses`, `locksets`, `locking_discipline`: equal addresses, the mutexes that are held, and those of them that
//!   exclude other threads;
//! * `movers`, `protection`, `regions`: the [`MoverType`] of each statement, with its [`MoverReason`];
//! * `phases`, `cycles`: where transactions must end;
//! * [`ConditionKind`], `condition_heuristic`: dynamic both-moving conditions of non-movers, and which of them are used;
//! * [`plan()`]: all of this as plain data, a [`Plan`];
//! * [`emit`] writes a plan into bitcode, and [`recheck`] compares bitcode with the plan for its original.
//!
//! `docs/reduction.md` argues each rule.

mod access;
mod condition_heuristic;
mod conditions;
mod context;
mod cycles;
mod dataflow;
mod emit;
mod explain;
mod insertion_points;
mod locking_discipline;
mod locksets;
mod mhp;
mod mover_type;
mod movers;
mod phases;
mod plan;
mod protection;
mod range;
mod reason;
mod recheck;
mod regions;
mod rules;
mod sharing;
mod stable_globals;
mod symbolic_addresses;
mod validity;

#[cfg(test)]
mod tests;

pub use conditions::{ConditionKind, Conditional};
pub use emit::{EmitError, emit};
pub use explain::explain;
pub use mover_type::MoverType;
pub use plan::{Asked, Plan, Reduction, TemplatePlan, YieldReason, plan, plan_under};
pub use reason::{Classification, MoverReason};
pub use recheck::{Mismatch, recheck};
