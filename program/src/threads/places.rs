//! Where objects lie: what the number of an address is, and on what all machines agree.

use crate::model::{Instances, ObjectId, ObjectKind, Program};

/// Addresses of programs on x86-64 Linux have this many bits.
pub const ADDRESS_BITS: u32 = 47;

/// No object lies below this address.
pub const LOWEST: u64 = 4096;

/// How far a pointer may be from the start of its object, in both directions.
const REACH: u64 = 1 << 31;

impl Instances {
    /// The object that tells where another one lies; none if the program never asks.
    pub fn base_of(&self, object: ObjectId) -> Option<ObjectId> {
        let first = self.layout.bases?;
        let number = object.as_u32();
        (number < first).then(|| ObjectId::from_u32(first + number))
    }

    /// The object that a pointer was made from, and the signed distance from its start in bytes, whether inside or not.
    pub fn origin(&self, address: u64) -> Option<(ObjectId, i32)> {
        let (object, _) = self.locate(address.wrapping_add(REACH))?;
        let is_place = !matches!(self.objects[object].kind, ObjectKind::Base(_));
        is_place.then_some((object, address as i32))
    }

    /// The bits of a base that are free, and the least address at which the object may lie.
    pub fn placement(&self, object: ObjectId) -> (u64, u64) {
        let alignment = u64::from(self.objects[object].alignment);
        ((1 << ADDRESS_BITS) - alignment, alignment.max(LOWEST))
    }

    /// Where an object lies: a multiple of its alignment, and not where null or small numbers point to.
    pub fn lies_at(&self, object: ObjectId, bits: u64) -> u64 {
        let (free, least) = self.placement(object);
        (bits & free) + least
    }

    /// Whether two objects may be in one place on some machine.
    pub fn may_merge(&self, program: &Program, first: ObjectId, second: ObjectId) -> bool {
        let global = |object: ObjectId| match self.objects[object].kind {
            ObjectKind::Global(global) => Some(&program.globals[global]),
            ObjectKind::Function(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Heap { .. }
            | ObjectKind::Base(_) => None,
        };
        let (first, second) = (global(first), global(second));
        first
            .zip(second)
            .is_some_and(|(first, second)| first.may_share_place(second))
    }

    /// The bits with which the number of an address is the address itself.
    pub fn unmoved(&self, object: ObjectId) -> u64 {
        let (_, least) = self.placement(object);
        self.base(object).wrapping_sub(least)
    }
}

/// Whether a number is the address of no object on any machine: null, a small number or the negation of one.
pub fn is_small(number: u64) -> bool {
    number.wrapping_add(LOWEST) < 2 * LOWEST
}

/// Whether a distance keeps a pointer near its object.
pub fn is_near(distance: u64) -> bool {
    distance.wrapping_add(REACH) < 2 * REACH
}
