//! Answers of a trace to what the concrete semantics leaves open.

use std::collections::BTreeMap;

use explicit::interpret::{NondeterministicChoice, Observation, Oracle};
use program::model::{Instances, LocationId, ObjectId, ObjectKind};
use program::threads::Allocation;
use system::term::Value;
use system::transition_system::Step as TraceStep;

use crate::layout::Layout;
use crate::semantics::inputs::{Counters, choice_width};
use crate::semantics::path::Variable;

/// Where variables stand in the state of a step, and inputs among its inputs.
pub(super) type Positions<'a> = (
    &'a BTreeMap<Variable, usize>,
    &'a BTreeMap<(u32, u32), usize>,
);

/// Answers what the semantics leaves open with the values of a step of the trace.
pub(super) struct TraceOracle<'a> {
    instances: &'a Instances,
    layout: &'a Layout,
    /// Positions of variables in the state.
    state: &'a BTreeMap<Variable, usize>,
    /// Positions among the inputs.
    inputs: &'a BTreeMap<(u32, u32), usize>,
    step: &'a TraceStep,
    /// The numbers of the inputs at the locations of the block.
    pub(super) numbering: &'a BTreeMap<LocationId, Counters>,
    location: LocationId,
    counters: Counters,
    /// The content that objects got in this block.
    fresh: BTreeMap<ObjectId, Counters>,
}

impl<'a> TraceOracle<'a> {
    /// Answers by a step of a trace that executes a block whose inputs have these numbers.
    pub(super) fn new(
        instances: &'a Instances,
        layout: &'a Layout,
        (state, inputs): Positions<'a>,
        step: &'a TraceStep,
        (location, numbering): (LocationId, &'a BTreeMap<LocationId, Counters>),
    ) -> Self {
        Self {
            instances,
            layout,
            state,
            inputs,
            step,
            numbering,
            location,
            counters: Counters::default(),
            fresh: BTreeMap::new(),
        }
    }

    pub(super) fn arrive(&mut self, location: LocationId) {
        self.location = location;
        self.counters = self.numbering.get(&location).cloned().unwrap_or_default();
    }

    /// The next input of this width.
    fn input(&mut self, width: u32) -> u128 {
        let index = self.counters.take(width);
        self.input_at(width, index)
    }

    /// An input that is none of the system does not matter.
    fn input_at(&self, width: u32, index: u32) -> u128 {
        let position = self.inputs.get(&(width, index));
        position.map_or(0, |&position| self.step.inputs[position].bits())
    }

    /// A variable that is none of the system does not matter.
    fn variable(&self, variable: Variable) -> u128 {
        let position = self.state.get(&variable);
        position.map_or(0, |&position| Value::bits(self.step.state[position]))
    }

    /// The bytes of an object that are still as they were when it became arbitrary.
    fn content(&self, object: ObjectId, offset: u32, bytes: u16) -> u128 {
        if let ObjectKind::Base(of) = self.instances.objects[object].kind
            && self.layout.of(object).next().is_none()
        {
            return self.instances.unmoved(of).into();
        }
        let open = (0..16).filter(|k| bytes >> k & 1 == 1);
        open.enumerate().fold(0, |value, (position, k)| {
            value | u128::from(self.byte(object, offset + k)) << (8 * position)
        })
    }

    /// The byte of an object that is still as it was when it became arbitrary.
    fn byte(&self, object: ObjectId, offset: u32) -> u8 {
        let mut fresh = self.fresh.get(&object).cloned();
        for id in self.layout.of(object) {
            let cell = self.layout.cells[id];
            let index = fresh.as_mut().map(|counters| counters.take(8 * cell.size));
            if (cell.offset..cell.offset + cell.size).contains(&offset) {
                let value = match index {
                    Some(index) => self.input_at(8 * cell.size, index),
                    None => self.variable(Variable::Cell(id)),
                };
                return (value >> (8 * (offset - cell.offset))) as u8;
            }
        }
        0
    }
}

impl Oracle for TraceOracle<'_> {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        match *choice {
            NondeterministicChoice::Havoc { width, .. } => self.input(width),
            NondeterministicChoice::Content {
                object,
                offset,
                bytes,
            } => self.content(object, offset, bytes),
            NondeterministicChoice::Result { of, .. } => self.variable(Variable::Result(of)),
            NondeterministicChoice::Slot { instance, site, .. } => {
                match self.instances.allocation(site, instance) {
                    Allocation::Reused(slots) => {
                        u128::from(slots.start) + self.input(choice_width(slots.len()))
                    }
                    Allocation::Fixed(object) => u128::from(object.as_u32()),
                    Allocation::Fresh(slots) => u128::from(slots.start),
                }
            }
        }
    }

    /// The system has content from the beginning.
    fn foresee(&self, choice: &NondeterministicChoice<'_>) -> Option<u128> {
        match *choice {
            NondeterministicChoice::Content {
                object,
                offset,
                bytes,
            } => Some(self.content(object, offset, bytes)),
            NondeterministicChoice::Havoc { .. }
            | NondeterministicChoice::Result { .. }
            | NondeterministicChoice::Slot { .. } => None,
        }
    }

    fn observe(&mut self, event: Observation) {
        match event {
            Observation::Uninitialised(object) => {
                self.fresh.insert(object, self.counters.clone());
                if matches!(self.instances.objects[object].kind, ObjectKind::Base(_)) {
                    // The content of the slot that moved there comes after it.
                    for cell in self.layout.of(object) {
                        self.counters.take(8 * self.layout.cells[cell].size);
                    }
                }
            }
            Observation::Allocated { object, .. } => {
                // Only a slot that is reused gets new content; the others still have that of the first state.
                if self.counters
                    != self
                        .numbering
                        .get(&self.location)
                        .cloned()
                        .unwrap_or_default()
                {
                    self.fresh.insert(object, self.counters.clone());
                }
            }
            Observation::Read { .. }
            | Observation::Write { .. }
            | Observation::Freed(_)
            | Observation::Died(_)
            | Observation::Started(_)
            | Observation::Joined(_)
            | Observation::Detached(_)
            | Observation::Acquired { .. }
            | Observation::Released { .. }
            | Observation::Refused { .. } => {}
        }
    }
}
