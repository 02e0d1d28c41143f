//! Which objects an address may point to, per thread instance.

use abi::ids::InstanceId;

use crate::model::{Instances, ObjectId, Operand, Program};

/// Where an address may point to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Objects in ascending order, each with the byte offsets that are possible.
    pub objects: Vec<(ObjectId, Offsets)>,
    /// Whether it may also be an address that the analysis knows nothing of, such as an integer that was cast.
    pub other: bool,
}

/// Byte offsets within an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offsets {
    /// This one.
    Exact(u32),
    /// `first + k * step` for every `k` from 0 for which it lies within the object; `first < step`.
    Stride {
        /// The smallest.
        first: u32,
        /// The distance, at least 2.
        step: u32,
    },
    /// Every offset.
    Any,
}

/// The result of the analysis: where every register of every thread instance may point to.
#[derive(Clone, Debug)]
pub struct PointsTo {
    everything: Targets,
}

impl PointsTo {
    /// Analyses all instances of a program.
    pub fn analyse(_program: &Program, instances: &Instances) -> Self {
        let objects = instances
            .objects
            .keys()
            .map(|object| (object, Offsets::Any))
            .collect();
        Self {
            everything: Targets {
                objects,
                other: true,
            },
        }
    }

    /// Where the value of an operand of a thread may point to, at any point of its run.
    pub fn targets(&self, _instance: InstanceId, _operand: Operand) -> Targets {
        self.everything.clone()
    }
}
