//! The machine number of an address.

use abi::ids::InstanceId;

use super::execute::Execution;
use super::memory::{AccessPurpose, ByteRange, Slot};
use super::{Claim, Interpreter, ThreadStatus};
use program::model::{
    Agreement, Bits, DataModel, ObjectId, ObjectKind, Operand, RegisterId, Words,
};
use program::threads::Sharing;

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
        Some(start.wrapping_add_signed(distance.into()) & instances.data_model.mask())
    }

    /// The bytes of a range, where those that are parts of addresses count as the parts of their numbers. Of words that overlap, the
    /// first counts.
    pub(super) fn with_parts(&mut self, range: ByteRange, words: &Words, mut bytes: u128) -> u128 {
        let size = range.bits() / 8;
        let starts: Vec<u32> = words
            .divided(self.data_model(), range.offset, size)
            .collect();
        for start in starts.into_iter().rev() {
            if let Some((_, number)) = self.number_at(range, start, AccessPurpose::Read) {
                let common = Words::common(self.data_model(), start, range.offset, size);
                let mask =
                    Bits::mask(8 * common.len() as u32) << (8 * (common.start - range.offset));
                let part = u128::from(number >> (8 * (common.start - start)));
                let moved = part << (8 * (common.start - range.offset));
                bytes = bytes & !mask | moved & mask;
            }
        }
        bytes
    }

    /// Writes the numbers of the addresses that a range has parts of: they are none any more.
    pub(super) fn write_numbers(&mut self, range: ByteRange, words: &Words) {
        for start in words.divided(self.data_model(), range.offset, range.bits() / 8) {
            if let Some((word, number)) = self.number_at(range, start, AccessPurpose::Write) {
                self.write(word, number.into());
            }
        }
    }

    /// The word at a place of the object of a range, and the number of the address that it holds.
    fn number_at(
        &mut self,
        range: ByteRange,
        start: u32,
        access: AccessPurpose,
    ) -> Option<(ByteRange, u64)> {
        let word = self.word(range, start, access)?;
        if self.arbitrary(word) != 0 {
            // An address is stored as a whole.
            return None;
        }
        let value = self.read(word) as u64;
        let origin = self.interpreter.instances.origin(value)?;
        Some((word, self.lies(origin)?))
    }

    /// Of the words that reading a range looks at, those that hold no address, because some of their bytes were not written, and are not
    /// read at once either.
    pub(super) fn pieced_words(&self, range: ByteRange, words: &Words) -> Vec<ByteRange> {
        let size = range.bits() / 8;
        let word_size = self.data_model().address_bytes();
        let whole = (0..size / word_size).map(|word| range.offset + word * word_size);
        let whole = whole.map(|start| (start, (1u16 << word_size) - 1));
        let divided = words
            .divided(self.data_model(), range.offset, size)
            .map(|start| (start, 0));
        let found = whole.chain(divided).filter_map(|(start, at_once)| {
            let word = self.word(range, start, AccessPurpose::Read)?;
            let open = self.arbitrary(word);
            (open != 0 && open != at_once).then_some(word)
        });
        found.collect()
    }

    /// Whether one of these words looks like an address, now that its last bytes have got their values.
    pub(super) fn look_like_addresses(&self, pieced: &[ByteRange]) -> bool {
        let Interpreter {
            instances, memory, ..
        } = self.interpreter;
        pieced.iter().any(|&word| {
            let value = memory.read(&self.state.memory, word) as u64;
            self.arbitrary(word) == 0 && instances.origin(value).is_some()
        })
    }

    fn word(&self, range: ByteRange, start: u32, access: AccessPurpose) -> Option<ByteRange> {
        let address = self.interpreter.instances.base(range.object) | u64::from(start);
        let word = self.interpreter.valid_range(
            self.state,
            address,
            self.data_model().address_bytes(),
            access,
        );
        word.ok()
    }

    fn data_model(&self) -> DataModel {
        self.interpreter.instances.data_model
    }

    fn arbitrary(&self, range: ByteRange) -> u16 {
        let map = &self.interpreter.memory;
        map.arbitrary(&self.state.memory, range)
    }

    fn agrees(&self, (object, distance): (ObjectId, i32), unless: Agreement) -> bool {
        let instances = self.interpreter.instances;
        let origin = |operand| instances.origin(self.address(operand));
        let is_behind = |distance| instances.data_model.is_behind(distance);
        if object == instances.nowhere() {
            return false;
        }
        match unless {
            Agreement::Never => false,
            Agreement::SameObject(other) => origin(other).is_some_and(|(other, there)| {
                other == object && is_behind(distance) && is_behind(there)
            }),
            Agreement::Distinct(other) => match origin(other) {
                None => self.data_model().is_small(self.address(other)) && is_behind(distance),
                Some((other, there)) => {
                    let apart = self.is_inside(object, distance) && self.is_inside(other, there);
                    let decided =
                        self.are_distinct(object, other) && self.dead([object, other]).is_none();
                    let stale = self.is_stale((object, distance), (other, there));
                    other == object || apart && decided && !stale
                }
            },
            Agreement::Small(number) => {
                self.data_model().is_small(self.address(number)) && is_behind(distance)
            }
            Agreement::Near(number) => {
                let data_model = self.data_model();
                data_model.is_near(self.address(number))
                    && data_model.is_near(i64::from(distance) as u64)
            }
        }
    }

    /// Whether one of two addresses is in memory that was freed, and a new object that the other one is in may lie there, but not
    /// start where the old one did.
    fn is_stale(
        &self,
        (object, distance): (ObjectId, i32),
        (other, there): (ObjectId, i32),
    ) -> bool {
        let Interpreter {
            instances, program, ..
        } = self.interpreter;
        let freed = [object, other].into_iter().any(|object| {
            let slot = self.interpreter.memory.slot(&self.state.memory, object);
            matches!(slot, Some(Slot::Freed))
        });
        let alignment = i64::from(instances.objects[object].alignment);
        let apart = i64::from(distance) - i64::from(there);
        freed
            && instances.share_memory(program, object, other)
            && apart != 0
            && apart % alignment == 0
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
        let nowhere = instances.nowhere();
        self.dead([left, right])
            .filter(|_| left != right && left != nowhere && right != nowhere)
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
        thread.claim == Claim::Joinable || !matches!(thread.status, ThreadStatus::Returned(_))
    }

    /// Whether an address is that of a byte of its object. A freed object keeps its place, but its size is no longer
    /// known.
    fn is_inside(&self, object: ObjectId, distance: i32) -> bool {
        let size = match self.interpreter.memory.slot(&self.state.memory, object) {
            Some(Slot::Live(size)) => size.max(1),
            Some(Slot::Freed) => 1,
            Some(Slot::Unused) => return true,
            None => self.interpreter.instances.objects[object].size,
        };
        let instances = self.interpreter.instances;
        let is_function = matches!(instances.objects[object].kind, ObjectKind::Function(_));
        let has_one_address = is_function || instances.is_thread(object);
        let size = if has_one_address { 1 } else { size };
        u32::try_from(distance).is_ok_and(|distance| distance < size)
    }
}
