//! May happen in parallel, for other crates.

use abi::ids::InstanceId;
use program::model::{Instances, LocationId, Program};
use program::points_to::PointsTo;

use crate::context::Context;
use crate::footprint::Footprints;
use crate::mhp::Mhp;
use crate::mhp::joins::Joins;
use crate::mhp::starts::Starts;
use crate::rules::Rules;

/// Which other threads may run while a thread is at a location.
pub struct Concurrency(Mhp);

impl Concurrency {
    /// Analyses a program.
    pub fn new(program: &Program, instances: &Instances, points_to: &PointsTo) -> Self {
        let context = Context::new(program, instances, points_to, Rules::ALL);
        let footprints = Footprints::new(&context);
        let starts = Starts::new(&context);
        let joins = Joins::new(&context, &footprints, &starts);
        Self(Mhp::new(&context, &starts, &joins))
    }

    /// Whether `other` may take a step while `instance` is at `location`. A thread that was not created yet, or was joined, does not.
    pub fn may_run(&self, instance: InstanceId, location: LocationId, other: InstanceId) -> bool {
        self.0.may_run(instance, location, other)
    }
}
