//! The reference semantics: the effect of every statement, over byte memory.
//!
//! [`Interpreter::step`] lets one thread execute one statement. Nondeterministic choices (see
//! [`NondeterministicChoice`]) are made by an [`Oracle`], as late as possible: a byte of fresh memory gets its value
//! when it is read. `docs/semantics.md` describes the same semantics in words; `replay` runs one schedule,
//! [`crate::explore`] runs all schedules.

mod conflict_test;
mod execute;
mod heap;
mod interpreter;
mod leaks;
mod lifecycle;
mod memory;
mod mutex;
mod number;
pub mod operation;
mod oracle;
mod recurrence;
mod replay;
mod state;
mod step;
mod waiting;

pub use self::interpreter::Interpreter;
pub use self::oracle::{NondeterministicChoice, Observation, Oracle};
pub use self::recurrence::{NotRepeated, Repeated, repeat};
pub use self::replay::{ReplayEnd, ReplayError, ReplayStep, ReplayedRun, replay};
pub use self::state::State;
pub(crate) use self::state::{Claim, Thread, ThreadStatus};
pub(crate) use self::step::AdvanceResult;
pub use self::step::{Executed, StepResult};
pub use self::waiting::Waiting;
