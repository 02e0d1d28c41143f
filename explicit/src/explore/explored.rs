//! The states of a complete search, which is a proof.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use program::model::{Instances, LocationId, TemplateId};

use super::Scheduling;
use super::points::SchedulingPoint;
use super::store::{StateTable, Unpacked};
use crate::interpret::{Interpreter, State};

/// The states of a search and how it went: what [`super::inductiveness::check`] needs to confirm a proof. Its text form is read by
/// [`Explored::read`].
#[derive(Debug)]
pub struct Explored {
    pub(super) kept: StateTable,
    pub(super) points: PrimaryMap<TemplateId, SecondaryMap<LocationId, SchedulingPoint>>,
    pub(super) complete_width: u32,
    pub(super) scheduling: Scheduling,
}

impl Explored {
    /// Number of states.
    pub fn states(&self) -> u64 {
        self.kept.len() as u64
    }

    /// Where threads take turns: whether the states are those of a reduced program.
    pub fn scheduling(&self) -> Scheduling {
        self.scheduling
    }

    /// Shows every state once.
    pub(super) fn for_each(
        &self,
        interpreter: &Interpreter<'_>,
        instances: &Instances,
        visit: &mut dyn FnMut(&State),
    ) {
        let mut spread = Unpacked::new(interpreter, instances);
        for number in 0..self.kept.len() as u32 {
            visit(spread.load(&self.kept, number));
        }
    }
}
