//! The reference semantics: what every statement does, over byte memory.
//!
//! [`Interpreter::step`] lets one thread execute one statement. What the semantics leaves open (see [`NondeterministicChoice`]) is asked
//! from an [`Oracle`], as late as possible: a byte of fresh memory gets its value when it is read. `docs/semantics.md`
//! says the same in words; `replay` runs a whole schedule, [`crate::explore`] all of them.

mod conflict_test;
mod execute;
mod heap;
mod interpreter;
mod lifecycle;
mod memory;
mod mutex;
mod number;
pub mod operation;
mod oracle;
mod replay;
mod state;
mod step;
mod waiting;

pub use self::interpreter::Interpreter;
pub use self::oracle::{NondeterministicChoice, Observation, Oracle};
pub use self::replay::{ReplayEnd, ReplayError, ReplayStep, ReplayedRun, replay};
pub use self::state::State;
pub(crate) use self::state::{Claim, Thread, ThreadStatus};
pub(crate) use self::step::AdvanceResult;
pub use self::step::{Executed, StepResult};
pub use self::waiting::Waiting;
