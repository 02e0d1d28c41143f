//! Answers of a model to what the concrete semantics leaves open.

use std::collections::BTreeMap;
use std::fmt::Debug;

use abi::ids::InstanceId;
use explicit::interpret::{NondeterministicChoice, Observation, Oracle};
use program::model::{Instances, ObjectId, ObjectKind};
use program::threads::Allocation;

use crate::layout::Layout;
use crate::semantics::inputs::{Counters, choice_width};
use crate::semantics::path::Variable;

/// What a model says of the values that the semantics leaves open.
pub trait ModelValues: Debug {
    /// An input that statements of an instance use, by its width and number.
    fn input(&self, instance: InstanceId, width: u32, index: u32) -> u128;

    /// What a variable holds that no statement has written.
    fn variable(&self, variable: Variable) -> u128;
}

/// Answers what the semantics leaves open with the values of a model.
#[derive(Debug)]
pub struct ModelOracle<'a> {
    instances: &'a Instances,
    layout: &'a Layout,
    values: &'a dyn ModelValues,
    /// Who executes.
    instance: InstanceId,
    /// The inputs that were used up before the statement.
    before: Counters,
    counters: Counters,
    /// Who gave objects their content, and behind which inputs.
    fresh: BTreeMap<ObjectId, (InstanceId, Counters)>,
}

impl<'a> ModelOracle<'a> {
    /// Answers by a model.
    pub fn new(instances: &'a Instances, layout: &'a Layout, values: &'a dyn ModelValues) -> Self {
        Self {
            instances,
            layout,
            values,
            instance: instances.main(),
            before: Counters::default(),
            counters: Counters::default(),
            fresh: BTreeMap::new(),
        }
    }

    /// The next statement is one of this instance, and these inputs are used up.
    pub fn arrive(&mut self, instance: InstanceId, counters: Counters) {
        self.instance = instance;
        self.before = counters.clone();
        self.counters = counters;
    }

    /// The next input of this width.
    fn input(&mut self, width: u32) -> u128 {
        let index = self.counters.take(width);
        self.values.input(self.instance, width, index)
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
            let width = 8 * cell.size;
            let input = fresh
                .as_mut()
                .map(|(instance, counters)| (*instance, counters.take(width)));
            if (cell.offset..cell.offset + cell.size).contains(&offset) {
                let value = match input {
                    Some((instance, index)) => self.values.input(instance, width, index),
                    None => self.values.variable(Variable::Cell(id)),
                };
                return (value >> (8 * (offset - cell.offset))) as u8;
            }
        }
        0
    }
}

impl Oracle for ModelOracle<'_> {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        match *choice {
            NondeterministicChoice::Havoc { width, .. } => self.input(width),
            NondeterministicChoice::Content {
                object,
                offset,
                bytes,
            } => self.content(object, offset, bytes),
            NondeterministicChoice::Result { of, .. } => self.values.variable(Variable::Result(of)),
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

    /// A model has content from the beginning.
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
                let content = (self.instance, self.counters.clone());
                self.fresh.insert(object, content);
                if matches!(self.instances.objects[object].kind, ObjectKind::Base(_)) {
                    // The content of the slot that moved there comes after it.
                    for cell in self.layout.of(object) {
                        self.counters.take(8 * self.layout.cells[cell].size);
                    }
                }
            }
            Observation::Allocated { object, .. } => {
                // Only a slot that is reused gets new content; the others still have their first.
                if self.counters != self.before {
                    let content = (self.instance, self.counters.clone());
                    self.fresh.insert(object, content);
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
