//! Sets of addresses.

use abi::ids::InstanceId;

use super::residues::Residues;
use crate::model::{Instances, ObjectId, Operand};

/// The addresses that a value may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set {
    /// In ascending order of objects.
    pub(super) objects: Vec<(ObjectId, Residues)>,
    /// Whether it may be an address that is not among these.
    pub(super) other: bool,
}

impl Set {
    /// Nothing is known.
    pub(super) fn unknown() -> Self {
        Self {
            objects: Vec::new(),
            other: true,
        }
    }

    /// The start of each of these objects, which are in ascending order.
    pub(super) fn starts(objects: impl IntoIterator<Item = ObjectId>) -> Self {
        let objects = objects
            .into_iter()
            .map(|object| (object, Residues::exact(0)))
            .collect();
        Self {
            objects,
            other: false,
        }
    }

    /// The value of an operand that is no register. A number is an address only if an object is there.
    pub(super) fn constant(instances: &Instances, instance: InstanceId, operand: Operand) -> Self {
        match operand {
            Operand::Address(place, offset) => {
                let object = instances.resolve(instance, place);
                Self {
                    objects: vec![(object, Residues::exact(i64::from(offset)))],
                    other: false,
                }
            }
            Operand::Constant(bits) => Self {
                objects: Vec::new(),
                other: may_be_address(instances, bits.value),
            },
            Operand::Register(_) => Self::default(),
        }
    }

    /// Adds all of another set; whether that changed anything.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut changed = other.other && !self.other;
        self.other |= other.other;
        for &(object, residues) in &other.objects {
            match self
                .objects
                .binary_search_by_key(&object, |&(object, _)| object)
            {
                Ok(position) => {
                    let known = &mut self.objects[position].1;
                    let joined = known.join(residues);
                    changed |= joined != *known;
                    *known = joined;
                }
                Err(position) => {
                    self.objects.insert(position, (object, residues));
                    changed = true;
                }
            }
        }
        changed
    }

    /// Every address moved in the same way.
    pub(super) fn map(mut self, f: impl Fn(Residues) -> Residues) -> Self {
        for (_, residues) in &mut self.objects {
            *residues = f(*residues);
        }
        self
    }

    /// The addresses of which these may be parts or which may be computed from these.
    pub(super) fn scrambled(self) -> Self {
        let mut set = self.map(|_| Residues::ANY);
        set.other = true;
        set
    }
}

/// Whether an object is where a number points to.
pub(super) fn may_be_address(instances: &Instances, value: u128) -> bool {
    let number = value >> 32 & u128::from(u32::MAX);
    number != 0 && number <= instances.objects.len() as u128
}
