//! The objects that several threads may access.

use abi::ids::InstanceId;
use cranelift_entity::SecondaryMap;
use program::model::{Instances, LocationKind, ObjectId, RegionEffect, Statement, ThreadEffect};

use crate::context::Context;
use crate::footprint::{Footprints, Target};
use crate::occurrence::Occurrence;

/// Who touches an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Touched {
    #[default]
    Never,
    By(InstanceId),
    BySeveral,
}

/// Who touches each object in any run, at any time.
pub(crate) struct SharedObjects(SecondaryMap<ObjectId, Touched>);

impl SharedObjects {
    pub fn new(instances: &Instances, footprints: &Footprints) -> Self {
        let mut shared = Self(SecondaryMap::new());
        for object in instances.objects.keys() {
            for (occurrence, _) in footprints.to(object).iter().chain(footprints.anywhere()) {
                shared.0[object] = match shared.0[object] {
                    Touched::Never => Touched::By(occurrence.instance),
                    Touched::By(instance) if instance == occurrence.instance => {
                        Touched::By(instance)
                    }
                    Touched::By(_) | Touched::BySeveral => Touched::BySeveral,
                };
            }
        }
        shared
    }

    /// Whether several threads may touch the object.
    pub fn is_shared(&self, object: ObjectId) -> bool {
        self.0[object] == Touched::BySeveral
    }

    /// Whether other threads may notice the statement: it touches memory that they may touch, synchronises, or ends the run.
    pub fn is_visible(
        &self,
        context: &Context,
        footprints: &Footprints,
        occurrence: Occurrence,
    ) -> bool {
        let template = context.template(occurrence.instance);
        let edge = &template.edges[occurrence.edge];
        synchronises(&edge.statement)
            || template.locations[edge.target].kind == LocationKind::Halted
            || footprints
                .of(occurrence)
                .iter()
                .any(|footprint| match footprint.target {
                    Target::Object(object, _) => self.is_shared(object),
                    Target::Anywhere => true,
                })
    }
}

/// Whether a statement is there for the sake of other threads.
fn synchronises(statement: &Statement) -> bool {
    let effects = statement.effects();
    let ends = matches!(effects.thread, Some(ThreadEffect::Exits { .. }));
    effects.thread.is_some() && !ends
        || effects.mutex().is_some()
        || effects.region == Some(RegionEffect::Enters)
}
