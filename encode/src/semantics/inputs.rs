//! Nondeterministic values as inputs of the system, shared between blocks.
//!
//! One transition executes one block, so all blocks can use the same inputs. They are numbered along the paths of a block:
//! the branches of a conditional use the same numbers, and a location goes on from the highest number that any path to it
//! used. The numbers of a location are the same however many of those paths are possible, which makes a trace replayable.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use program::model::{LifeEffect, LocationId, ObjectId, Place, Statement, ThreadEffect};
use program::threads::Allocation;
use system::term::{Sort, Term, Terms};

use crate::context::{EncodingContext, bits_for};

/// The inputs made so far, by width and number.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    known: BTreeMap<(u32, u32), Term>,
}

impl Inputs {
    /// The input with this width and number.
    pub fn get(&mut self, terms: &mut Terms, width: u32, index: u32) -> Term {
        *self
            .known
            .entry((width, index))
            .or_insert_with(|| terms.symbol(format!("input{width}.{index}"), Sort::BitVec(width)))
    }

    /// All inputs in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = ((u32, u32), Term)> + '_ {
        self.known.iter().map(|(&key, &term)| (key, term))
    }
}

/// How many inputs of each width are used up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters(BTreeMap<u32, u32>);

impl Counters {
    /// Uses one of this width up and gives its number.
    pub fn take(&mut self, width: u32) -> u32 {
        let count = self.0.entry(width).or_default();
        *count += 1;
        *count - 1
    }

    /// The counters with which the statements at every location of a block begin.
    pub fn before(
        context: &EncodingContext<'_>,
        instance: InstanceId,
        order: &[LocationId],
    ) -> BTreeMap<LocationId, Self> {
        let template = context.template(instance);
        let mut before: BTreeMap<LocationId, Self> = order
            .iter()
            .map(|&location| (location, Self::default()))
            .collect();
        for &location in order {
            for &edge in context.automaton(instance).graph.of(location) {
                let edge = &template.edges[edge];
                let mut after = before[&location].clone();
                after.consume(context, instance, &edge.statement);
                // A block that leads back to its source ends there.
                if edge.target != order[0]
                    && let Some(known) = before.get_mut(&edge.target)
                {
                    known.join(&after);
                }
            }
        }
        before
    }

    /// The counters where either `self` or `other` is used up.
    pub fn join(&mut self, other: &Self) {
        for (&width, &count) in &other.0 {
            let known = self.0.entry(width).or_default();
            *known = (*known).max(count);
        }
    }

    /// Uses up what a statement needs at most.
    fn consume(
        &mut self,
        context: &EncodingContext<'_>,
        instance: InstanceId,
        statement: &Statement,
    ) {
        if let Statement::Havoc { register, .. } = *statement {
            self.take(context.template(instance).registers[register].width);
        }
        let effects = statement.effects();
        if let Some(ThreadEffect::Exits { value: None }) = effects.thread {
            self.take(context.instances.data_model.address_bits());
        }
        if let Some(LifeEffect::Starts(local)) = effects.life {
            let object = context.instances.resolve(instance, Place::Local(*local));
            self.take_cells(context, object);
        }
        if let Some(LifeEffect::FindsLeaks(_)) = effects.life {
            self.take_lost(context);
        }
        if let Some(LifeEffect::Allocates { site, zeroed }) = effects.life
            && let Allocation::Reused(slots) = context.instances.allocation(site, instance)
        {
            self.take(choice_width(slots.len()));
            let start = self.clone();
            for slot in slots.map(ObjectId::from_u32) {
                let mut own = start.clone();
                let base = context.instances.base_of(slot);
                let content = (!zeroed).then_some(slot);
                for object in base.into_iter().chain(content) {
                    own.take_cells(context, object);
                }
                self.join(&own);
            }
        }
    }

    /// Uses up what says of each object whether it is among those that are lost.
    fn take_lost(&mut self, context: &EncodingContext<'_>) {
        let found = context.address_words.iter();
        for _ in found.flat_map(|found| &found.objects) {
            self.take(1);
        }
    }

    fn take_cells(&mut self, context: &EncodingContext<'_>, object: ObjectId) {
        for cell in context.layout.of(object) {
            self.take(8 * context.layout.cells[cell].size);
        }
    }
}

/// The width of the input that chooses one of `slots` heap slots, or none of them.
pub fn choice_width(slots: usize) -> u32 {
    bits_for(slots as u128)
}
