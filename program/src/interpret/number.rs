//! The number that a machine has for an address.

use abi::ids::InstanceId;

use super::execute::Execution;
use super::memory::{Access, Range, Slot};
use super::{Claim, Interpreter, Phase};
use crate::model::{Agreement, ObjectId, ObjectKind, Operand, RegisterId, Words};
use crate::threads::{Sharing, is_near, is_small};

impl Execution<'_, '_> {
    /// Where an object lies is open until it is asked for, and stays so for the object's life.
    pub(super) fn number(&mut self, register: RegisterId, address: Operand, unless: Agreement) {
        let value = self.address(address);
        let number = match self.interpreter.instances.origin(value) {
            Some(origin) if !self.agrees(origin, unless) => self.lies(origin),
            Some(_) | None => None,
        };
        self.set(register, number.unwrap_or(value).into());
    }

    /// Where an object lies plus a distance, if objects lie somewhere.
    fn lies(&mut self, (object, distance): (ObjectId, i32)) -> Option<u64> {
        let instances = self.interpreter.instances;
        let base = instances.base_of(object)?;
        let bits = self.read(self.interpreter.memory.whole(base));
        let start = instances.lies_at(object, bits as u64);
        Some(start.wrapping_add_signed(distance.into()))
    }

    /// The bytes of a range in the number of an address, if they are a part of one.
    pub(super) fn part(&mut self, range: Range, words: &Words) -> Option<u128> {
        let (word, number) = self.number_around(range, words, Access::Read)?;
        Some(u128::from(number >> (8 * (range.offset - word.offset))))
    }

    /// Writes the number of the address that a range is a part of, if there is one: it is none any more.
    pub(super) fn write_number(&mut self, range: Range, words: &Words) {
        if let Some((word, number)) = self.number_around(range, words, Access::Write) {
            self.write(word, number.into());
        }
    }

    /// The first word around a range that holds an address, and the number of that.
    fn number_around(
        &mut self,
        range: Range,
        words: &Words,
        access: Access,
    ) -> Option<(Range, u64)> {
        let instances = self.interpreter.instances;
        let mut starts = words.around(range.offset, range.bits() / 8);
        starts.find_map(|start| {
            let address = instances.base(range.object) | u64::from(start);
            let valid = self
                .interpreter
                .valid_range(self.state, address, Words::SIZE, access);
            let word = valid.ok()?;
            let origin = instances.origin(self.read(word) as u64)?;
            Some((word, self.lies(origin)?))
        })
    }

    fn agrees(&self, (object, distance): (ObjectId, i32), unless: Agreement) -> bool {
        let instances = self.interpreter.instances;
        let origin = |operand| instances.origin(self.address(operand));
        match unless {
            Agreement::Never => false,
            Agreement::SameObject(other) => origin(other).is_some_and(|(other, _)| other == object),
            Agreement::Distinct(other) => match origin(other) {
                None => is_small(self.address(other)),
                Some((other, there)) => {
                    let apart = self.is_inside(object, distance) && self.is_inside(other, there);
                    let decided =
                        self.are_distinct(object, other) && self.dead([object, other]).is_none();
                    other == object || apart && decided
                }
            },
            Agreement::Small(number) => is_small(self.address(number)),
            Agreement::Near(number) => is_near(self.address(number)),
        }
    }

    /// The first of two objects that is a variable whose life is over, so that the other one may lie in its place.
    fn dead(&self, objects: [ObjectId; 2]) -> Option<ObjectId> {
        let is_over = |&object: &ObjectId| self.interpreter.is_over(self.state, object);
        objects.into_iter().find(is_over)
    }

    /// A variable whose life is over and that decides about whether two addresses are equal.
    pub(super) fn undecided(&self, left: u64, right: u64) -> Option<ObjectId> {
        let instances = self.interpreter.instances;
        let ((left, _), (right, _)) = (instances.origin(left)?, instances.origin(right)?);
        self.dead([left, right]).filter(|_| left != right)
    }

    /// Whether no machine has one number for two objects.
    fn are_distinct(&self, first: ObjectId, second: ObjectId) -> bool {
        let Interpreter {
            instances, program, ..
        } = self.interpreter;
        match instances.sharing(program, first, second) {
            Sharing::Impossible => true,
            Sharing::Possible => false,
            Sharing::Unless(threads) => threads.into_iter().all(|thread| self.is_valid(thread)),
        }
    }

    /// Whether no other thread can have got the handle of this one.
    fn is_valid(&self, thread: InstanceId) -> bool {
        let thread = self.state.thread(thread);
        thread.claim == Claim::Joinable || !matches!(thread.phase, Phase::Returned(_))
    }

    /// Whether an address is that of a byte of its object. What was freed lies where it lay.
    fn is_inside(&self, object: ObjectId, distance: i32) -> bool {
        let size = match self.interpreter.memory.slot(&self.state.memory, object) {
            Some(Slot::Live(size)) => size.max(1),
            Some(Slot::Unused | Slot::Freed) => return true,
            None => self.interpreter.instances.objects[object].size,
        };
        let instances = self.interpreter.instances;
        let is_function = matches!(instances.objects[object].kind, ObjectKind::Function(_));
        let has_one_address = is_function || instances.is_thread(object);
        let size = if has_one_address { 1 } else { size };
        u32::try_from(distance).is_ok_and(|distance| distance < size)
    }
}
