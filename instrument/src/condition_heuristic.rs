//! Which both-moving conditions are used.
//!
//! Every condition is part of the transition relation. One that holds only when others have nearly ended costs more than it
//! gives, and one that no thread in a loop ever lets hold gives nothing.

use std::collections::BTreeSet;

use crate::condition_lowering::ConditionLowering;
use cranelift_entity::PrimaryMap;
use program::model::{BothMoverCondition, Instances, LocationId, Program, TemplateId};

use crate::plan::TemplatePlan;

/// A condition is worth asking if it may hold at one in so many of the places where others let threads run, their end included,
/// and not at the end alone.
const ONE_IN: usize = 3;

/// Tells which conditions are worth asking.
pub(crate) struct ConditionHeuristic<'a> {
    instances: &'a Instances,
    answers: ConditionLowering<'a>,
    /// Where threads let others run if nothing is asked.
    places: PrimaryMap<TemplateId, BTreeSet<LocationId>>,
}

impl<'a> ConditionHeuristic<'a> {
    /// `plans` are those without conditions.
    pub fn new(
        program: &'a Program,
        instances: &'a Instances,
        plans: &PrimaryMap<TemplateId, TemplatePlan>,
    ) -> Self {
        let places = plans.iter().map(|(id, plan)| {
            let entry = program.templates[id].entry;
            plan.yields.keys().copied().chain([entry]).collect()
        });
        Self {
            instances,
            answers: ConditionLowering::new(program),
            places: places.collect(),
        }
    }

    /// Whether a condition of a statement of a template is worth asking.
    pub fn is_worthwhile(&mut self, template: TemplateId, condition: &BothMoverCondition) -> bool {
        let failing = self.answers.failing(condition);
        self.places.iter().all(|(id, places)| {
            let others = self.instances.by_template(id).count() - usize::from(id == template);
            let fails = failing.get(&id);
            let holds = |place: &&LocationId| fails.is_none_or(|fails| !fails.contains(place));
            let holding = places.iter().filter(holds).count();
            others == 0 || holding > 0 && (holding + 1) * ONE_IN > places.len()
        })
    }
}
