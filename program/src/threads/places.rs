//! The placement of objects: the machine number of an address, and the properties of this number that all machines
//! share.

use abi::ids::InstanceId;

use crate::model::{DataModel, Instances, LOWEST, Object, ObjectId, ObjectKind, Program};

/// Where an object may lie on a machine, unless it lies where it lies in the model: some bits of its base, lifted or lowered where the object
/// would lie too low or too high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The bits of a base that are free.
    pub free: u64,
    /// The least address.
    pub least: u64,
    /// The largest address if the free bits may be more; the highest bit of larger ones does not count. If there is none, the least address is
    /// added to the free bits, else only to those that are less.
    pub most: Option<u64>,
}

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
    /// What to say if there are more objects than addresses; nothing if there are enough addresses.
    pub fn lacks_addresses(&self) -> Option<String> {
        let (count, most) = (self.objects.len() as u64, self.data_model.most_objects());
        (count > most).then(|| {
            format!(
                "the program has up to {count} objects in memory, and the model has addresses for {most} in the data model {}: \
                 try fewer --threads or --heap",
                self.data_model
            )
        })
    }

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
        let origin = self.data_model.origin(address);
        origin.filter(|&(object, _)| is_place(object))
    }

    /// Where the bits of its base say that an object lies.
    pub fn placement(&self, object: ObjectId) -> Placement {
        let Object {
            size, alignment, ..
        } = self.objects[object];
        let alignment = u64::from(alignment);
        let least = alignment.max(LOWEST);
        match self.data_model {
            DataModel::Lp64 => {
                // A handle is any number that is not small. One bit less than an address has is enough to be arbitrary, and reaches no
                // negation of a small one.
                let bits = match self.is_thread(object) {
                    true => 63,
                    false => self.data_model.machine_bits(),
                };
                Placement {
                    free: (1 << bits) - alignment,
                    least,
                    most: None,
                }
            }
            DataModel::Ilp32 => {
                let free = self.data_model.mask() & alignment.wrapping_neg();
                let end = self.data_model.mask() - LOWEST;
                Placement {
                    free,
                    least,
                    most: Some((end - u64::from(size)) & free),
                }
            }
        }
    }

    /// The object that pointers lead to which were moved too far.
    pub fn nowhere(&self) -> ObjectId {
        ObjectId::from_u32(self.table.nowhere)
    }

    /// Where an address leads after a move of [`DataModel::far`] or more that would yield `moved`.
    pub fn led_nowhere(&self, moved: u64) -> u64 {
        self.base(self.nowhere()) + moved % self.data_model.far()
    }

    /// Where an object lies: a multiple of its alignment, and not where null or small numbers point to. The model's own address is one of
    /// those, so that a number which happens to look like an address may be taken for one.
    pub fn lies_at(&self, object: ObjectId, bits: u64) -> u64 {
        if !self.is_thread(object) && bits & self.stays() != 0 {
            return self.base(object);
        }
        let Placement { free, least, most } = self.placement(object);
        let place = bits & free;
        match most {
            None => place + least,
            Some(_) if place < least => place + least,
            Some(most) if place > most => place & !self.data_model.mark(),
            Some(_) => place,
        }
    }

    /// The bit that says in a base that the object lies where it lies in the model.
    pub fn stays(&self) -> u64 {
        1 << self.data_model.machine_bits()
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
            return self.stays();
        }
        match self.placement(object) {
            Placement {
                most: None, least, ..
            } => self.base(object).wrapping_sub(least),
            Placement { most: Some(_), .. } => self.base(object),
        }
    }
}
