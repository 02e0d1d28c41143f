//! The placement of objects: the machine number of an address, and the properties of this number that all machines
//! share.

use abi::ids::InstanceId;

use crate::model::{Instances, ObjectId, ObjectKind, Program};

/// Addresses of programs on x86-64 Linux have this many bits.
pub const ADDRESS_BITS: u32 = 47;

/// A handle is any number that is not small. One bit less than 64 is enough to be arbitrary, and reaches no negation of a small one.
const HANDLE_BITS: u32 = 63;

/// No object lies below this address, and no handle is less.
pub const LOWEST: u64 = 4096;

/// The bit that is set in every address of the model and in no address of a machine, and hardly in numbers that programs keep in memory: so
/// a word in memory tells whether it holds an address. In the content of a base it says that the object lies where it lies in the model.
pub const MARK: u64 = 1 << ADDRESS_BITS;

/// How far a pointer may be from the start of its object, in both directions.
pub const REACH: u64 = 1 << 31;

/// No object has so many bytes. A pointer that is moved so far at once points nowhere, and three shorter moves lead from no object
/// into another one.
pub const FAR: u64 = 1 << 30;

/// Whether two different objects may have one number as their address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// On no machine.
    Impossible,
    /// On some.
    Possible,
    /// On no machine while the handles of these threads are valid: a thread gets the handle of another one only if it is created
    /// after that was joined, or was detached and has ended.
    Unless(Vec<InstanceId>),
}

impl Instances {
    /// The object that tells where another one lies; none if the program never asks.
    pub fn base_of(&self, object: ObjectId) -> Option<ObjectId> {
        let first = self.table.bases?;
        let number = object.as_u32();
        (number < first).then(|| ObjectId::from_u32(first + number))
    }

    /// Whether the program asks for the number of an address.
    pub fn has_numbers(&self) -> bool {
        self.table.bases.is_some()
    }

    /// The object that a pointer was made from, and the signed distance from its start in bytes, whether inside or not.
    pub fn origin(&self, address: u64) -> Option<(ObjectId, i32)> {
        let is_place = |object| match self.objects.get(object) {
            Some(object) => !matches!(object.kind, ObjectKind::Base(_)),
            None => false,
        };
        origin(address).filter(|&(object, _)| is_place(object))
    }

    /// The bits of a base that are free, and the least address at which the object may lie, unless it lies where it lies in the model.
    pub fn placement(&self, object: ObjectId) -> (u64, u64) {
        let alignment = u64::from(self.objects[object].alignment);
        let bits = match self.objects[object].kind {
            ObjectKind::Thread(_) => HANDLE_BITS,
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Heap { .. }
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => ADDRESS_BITS,
        };
        ((1 << bits) - alignment, alignment.max(LOWEST))
    }

    /// The object that pointers lead to which were moved too far.
    pub fn nowhere(&self) -> ObjectId {
        ObjectId::from_u32(self.table.nowhere)
    }

    /// Where an address leads after a move of [`FAR`] or more that would yield `moved`.
    pub fn led_nowhere(&self, moved: u64) -> u64 {
        self.base(self.nowhere()) + moved % FAR
    }

    /// Where an object lies: a multiple of its alignment, and not where null or small numbers point to. The model's own address is one of
    /// those, so that a number which happens to look like an address may be taken for one.
    pub fn lies_at(&self, object: ObjectId, bits: u64) -> u64 {
        if !self.is_thread(object) && bits & MARK != 0 {
            return self.base(object);
        }
        let (free, least) = self.placement(object);
        (bits & free) + least
    }

    /// Whether some machine has one number for the addresses of two different objects.
    pub fn sharing(&self, program: &Program, first: ObjectId, second: ObjectId) -> Sharing {
        match (self.objects[first].kind, self.objects[second].kind) {
            (ObjectKind::Thread(first), ObjectKind::Thread(second)) => {
                Sharing::Unless(self.that_tell_apart(first, second))
            }
            (ObjectKind::Thread(_), _) | (_, ObjectKind::Thread(_)) => Sharing::Possible,
            (ObjectKind::Global(first), ObjectKind::Global(second))
                if program.globals[first].may_share_place(&program.globals[second]) =>
            {
                Sharing::Possible
            }
            _ => Sharing::Impossible,
        }
    }

    /// Whether two objects are different ones of the heap, so that one may lie where the other one lay which was freed.
    pub fn share_memory(&self, program: &Program, first: ObjectId, second: ObjectId) -> bool {
        let is_freed = |site: &_| program.heap_sites[*site].pool.is_some();
        let pool = self.pool(first).filter(is_freed);
        first != second && pool.is_some() && pool == self.pool(second)
    }

    /// The threads of which it is enough to know that their handles are valid still, to know that there was a time when those of both
    /// were: the one that was created first. Of two templates it is open which that is.
    fn that_tell_apart(&self, first: InstanceId, second: InstanceId) -> Vec<InstanceId> {
        let ordered = self.threads[first].template == self.threads[second].template;
        if ordered || first == InstanceId::MAIN || second == InstanceId::MAIN {
            vec![first.min(second)]
        } else {
            vec![first, second]
        }
    }

    /// The bits with which the number of an address is the address itself.
    pub fn unmoved(&self, object: ObjectId) -> u64 {
        if !self.is_thread(object) {
            return MARK;
        }
        let (_, least) = self.placement(object);
        self.base(object).wrapping_sub(least)
    }
}

/// Whether a number is the address of no object on any machine: null, a small number or the negation of one.
pub fn is_small(number: u64) -> bool {
    number.wrapping_add(LOWEST) < 2 * LOWEST
}

/// Whether a distance is less than [`FAR`], in either direction.
pub fn is_near(distance: u64) -> bool {
    distance.wrapping_add(FAR - 1) < 2 * FAR - 1
}

/// The object that a pointer was made from, as its number from 1. Other values have other numbers.
pub fn object_number(address: u64) -> u32 {
    (address.wrapping_add(REACH).wrapping_sub(MARK) >> 32) as u32
}

/// The object that a pointer was made from, whether there is such an object or not, and the signed distance from its start in bytes.
pub fn origin(address: u64) -> Option<(ObjectId, i32)> {
    let object = ObjectId::from_u32(object_number(address).checked_sub(1)?);
    Some((object, address as i32))
}
