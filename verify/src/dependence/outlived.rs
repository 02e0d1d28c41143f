//! Addresses that were taken in an earlier life of their object.

use explicit::interpret::ReplayStep;
use program::model::{ObjectId, Operand};

use super::{Source, Taint};
use crate::accessed::{read, writes};

impl Taint<'_> {
    /// The object that an operand is an address in, if it was taken in an earlier life of that.
    pub(super) fn outlived(&self, step: &ReplayStep, operand: Operand) -> Option<ObjectId> {
        self.outlived_address(self.source(step, operand), self.value(step, operand)?)
    }

    /// The variable that one of two operands, neither of them a constant, is an address in from an earlier life.
    pub(super) fn compared_outlived(
        &self,
        step: &ReplayStep,
        sides: [Operand; 2],
    ) -> Option<ObjectId> {
        let is_number = |side: &Operand| matches!(side, Operand::Constant(_));
        if sides.iter().any(is_number) {
            return None;
        }
        let mut outlived = sides.iter().filter_map(|&side| self.outlived(step, side));
        outlived.find(|&object| self.is_variable(object))
    }

    /// The same of two addresses in one object: what their difference is depends on whether that lies where it lay.
    pub(super) fn subtracted_outlived(
        &self,
        step: &ReplayStep,
        sides: [Operand; 2],
    ) -> Option<ObjectId> {
        let [left, right] = sides.map(|side| self.object(step, side));
        let outlived = || self.compared_outlived(step, sides);
        (left.is_some() && left == right).then(outlived).flatten()
    }

    /// The variable that the expected value of a compare-and-exchange, or what memory holds from a source, is an address in from an earlier
    /// life.
    pub(super) fn exchanged_outlived(
        &self,
        step: &ReplayStep,
        expected: Operand,
        held: Source,
    ) -> Option<ObjectId> {
        let mut values = step.events.iter().filter_map(|&event| read(event));
        let found = values.find_map(|(_, _, value)| u64::try_from(value.value).ok());
        let content = found.and_then(|value| self.outlived_address(held, value));
        let mut outlived = [self.outlived(step, expected), content]
            .into_iter()
            .flatten();
        outlived.find(|&object| self.is_variable(object))
    }

    /// An address of memory that was freed is one of what took its place, once a compare-and-exchange has found that equal.
    pub(super) fn meets(&mut self, step: &ReplayStep, expected: Operand, compared: Source) {
        let is_equal = writes(step).next().is_some();
        let object = self.object(step, expected);
        let is_in_heap = object.is_some_and(|object| !self.is_variable(object));
        if let Operand::Register(register) = expected
            && is_equal
            && is_in_heap
        {
            self.define(step, register, compared);
        }
    }

    /// The object that a value from a source is an address in, if it was taken in an earlier life of that.
    fn outlived_address(&self, source: Source, value: u64) -> Option<ObjectId> {
        let taken = source.taken?;
        let (object, _) = self.task.instances.locate(value)?;
        let began = self.lives.get(&object);
        began.is_some_and(|&began| taken < began).then_some(object)
    }

    /// The object that an operand is an address in.
    fn object(&self, step: &ReplayStep, operand: Operand) -> Option<ObjectId> {
        let value = self.value(step, operand)?;
        self.task.instances.locate(value).map(|(object, _)| object)
    }

    /// Whether an object is a variable, which need not lie in one place in all its lives. Memory that is allocated again lies where it lay.
    fn is_variable(&self, object: ObjectId) -> bool {
        self.task.instances.pool(object).is_none()
    }
}
