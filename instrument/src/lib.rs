//! Lipton reduction: mover analysis, plan and bitcode instrumentation.
//!
//! The analyses go from memory to movers to places where other threads may run:
//!
//! * `access`, `sharing`: which bytes each statement may touch, and who else touches the object;
//! * `starts`, `joins`, `parallel`: which threads may run beside a thread at a location;
//! * `cells`, `symbols`, `locksets`, `discipline`: which addresses are the same, which mutexes are held, and which of them exclude
//!   other threads;
//! * `movers`, `protection`, `regions`: the [`Class`] of each statement, with its [`Reason`];
//! * `phases`, `cycles`: where transactions must end;
//! * [`ConditionKind`], `worth`: when statements move that do not otherwise, and which of these conditions are used;
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
mod joins;
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
mod starts;
mod symbolic_addresses;
mod validity;

#[cfg(test)]
mod tests;

pub use conditions::{ConditionKind, Conditional};
pub use emit::{EmitError, emit};
pub use explain::explain;
pub use mover_type::MoverType;
pub use plan::{Asked, Plan, Reduction, TemplatePlan, YieldReason, plan, plan_under};
pub use reason::{Classification, Reason};
pub use recheck::{Mismatch, recheck};
