//! Sets of addresses.

use abi::ids::InstanceId;

use super::residues::Residues;
use crate::model::{DataModel, Instances, LOWEST, ObjectId, Operand};

/// The addresses that a value may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressSet {
    /// In ascending order of objects.
    pub(crate) objects: Vec<(ObjectId, Residues)>,
    /// Whether it may be an address that is not among these.
    pub(crate) other: bool,
    /// Whether it may be a number that was computed from the number of an address, so that it may equal another one.
    pub(crate) computed: bool,
    /// Whether it may be a number of the program's own that is the address of some object on some machine. Inputs are not
    /// meant: they may be what is the address in the model, too.
    pub(crate) plain: bool,
    /// Whether it may be what the library keeps in a lock, semaphore, barrier or condition variable.
    pub(crate) opaque: bool,
    /// Whether something may have been subtracted from the number of an address.
    pub(crate) lowered: bool,
    /// Whether it may be a pointer to which something was added that may be negative, or lead from null to the place of an object:
    /// where it does, C gives the pointer no value.
    pub(crate) indexed: bool,
    /// Whether it may be a number that is no address on any machine, such as null. What is loaded may always be one.
    pub(crate) small: bool,
}

impl AddressSet {
    /// Nothing is known.
    pub(crate) fn unknown() -> Self {
        Self {
            other: true,
            plain: true,
            small: true,
            ..Self::default()
        }
    }

    /// A number that the program names. It is an address of the model only if an object is there.
    pub(crate) fn number_of_program(instances: &Instances, number: u64) -> Self {
        Self {
            other: instances.locate(number).is_some(),
            plain: !instances.data_model.is_small(number),
            small: instances.data_model.is_small(number),
            ..Self::default()
        }
    }

    /// The start of each of these objects, which are in ascending order.
    pub(crate) fn starts(objects: impl IntoIterator<Item = ObjectId>) -> Self {
        let objects = objects
            .into_iter()
            .map(|object| (object, Residues::exact(0)))
            .collect();
        Self {
            objects,
            ..Self::default()
        }
    }

    /// The value of an operand that is no register.
    pub(crate) fn constant(instances: &Instances, instance: InstanceId, operand: Operand) -> Self {
        match operand {
            Operand::Address(place, offset) => {
                let object = instances.resolve(instance, place);
                Self {
                    objects: vec![(object, Residues::exact(i64::from(offset)))],
                    ..Self::default()
                }
            }
            Operand::Constant(bits) => Self::number_of_program(instances, bits.value as u64),
            Operand::Register(_) => Self::default(),
        }
    }

    /// The objects that it may be an address of.
    pub(crate) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.iter().map(|&(object, _)| object)
    }

    /// Whether it may be an address that the analysis knows nothing of.
    pub(crate) fn may_be_other(&self) -> bool {
        self.other
    }

    /// Whether it may be an address. What the analysis knows nothing of are inputs and constants, which are none, unless
    /// something was accessed through them (`is_blind`).
    pub(crate) fn may_be_address(&self, is_blind: bool) -> bool {
        !self.objects.is_empty() || self.other && is_blind
    }

    /// Whether it may be a number that is the address of an object on some machine only: one that was computed from the number of
    /// an address, or one of the program's own.
    pub(crate) fn may_be_number(&self) -> bool {
        self.computed || self.plain || self.indexed && self.small
    }

    /// Whether it may be a number that is no address on any machine.
    pub(crate) fn may_be_small(&self) -> bool {
        self.small
    }

    /// The same if pointers stay in their objects, as C demands.
    pub(crate) fn kept_in_objects(self) -> Self {
        Self {
            indexed: false,
            ..self
        }
    }

    /// Whether it may be what the library keeps in an object of synchronisation.
    pub(crate) fn may_be_opaque(&self) -> bool {
        self.opaque
    }

    /// Whether it may be an address that is not known to be less than `distance` behind the start of its object.
    pub(crate) fn may_be_farther(&self, distance: u32) -> bool {
        self.other
            || self
                .objects
                .iter()
                .any(|(_, offsets)| !offsets.is_within(distance))
    }

    /// Whether some address may lie before the start of its object: on a machine that may be a small number, or a negative one.
    pub(crate) fn may_be_before(&self) -> bool {
        let mut offsets = self.objects.iter().map(|(_, offsets)| offsets);
        offsets.any(|offsets| {
            offsets.is_before() || (self.lowered || self.indexed) && !offsets.is_exact()
        })
    }

    /// Whether some address may lie so far behind its object that its number wraps around.
    pub(crate) fn may_wrap(&self, instances: &Instances) -> bool {
        let reaches = |&(object, offsets): &(ObjectId, Residues)| {
            let size = instances.objects[object].size;
            !offsets.is_within(size.saturating_add(LOWEST as u32))
        };
        match instances.data_model {
            DataModel::Ilp32 => self.objects.iter().any(reaches),
            DataModel::Lp64 => false,
        }
    }

    /// Whether it may point to no byte of an object that has at least `size`.
    pub(crate) fn may_be_outside(&self, object: ObjectId, size: u32) -> bool {
        let found = self.objects.iter().find(|(target, _)| *target == object);
        found.is_some_and(|(_, residues)| !residues.is_within(size))
    }

    /// Whether an address in one object and one of the other set in another object may have distances from there that differ by a multiple of
    /// `alignment`, but for 0.
    pub(crate) fn may_be_apart(
        &self,
        object: ObjectId,
        other: (&Self, ObjectId),
        alignment: u32,
    ) -> bool {
        let offsets = |set: &Self, object: ObjectId| {
            let mut found = set.objects.iter().filter(|(target, _)| *target == object);
            found.next().map(|&(_, residues)| residues)
        };
        let both = offsets(self, object).zip(offsets(other.0, other.1));
        both.is_some_and(|(here, there)| here.may_be_units_apart(there, alignment.into()))
    }

    /// A number, which no address is.
    pub(crate) fn number(computed: bool) -> Self {
        Self {
            computed,
            small: true,
            ..Self::default()
        }
    }

    /// Adds all of another set; whether that changed anything.
    pub(crate) fn join(&mut self, other: &Self) -> bool {
        let mut changed = other.other && !self.other
            || other.computed && !self.computed
            || other.plain && !self.plain
            || other.opaque && !self.opaque
            || other.lowered && !self.lowered
            || other.indexed && !self.indexed
            || other.small && !self.small;
        self.other |= other.other;
        self.computed |= other.computed;
        self.plain |= other.plain;
        self.opaque |= other.opaque;
        self.lowered |= other.lowered;
        self.indexed |= other.indexed;
        self.small |= other.small;
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
    pub(crate) fn map(mut self, f: impl Fn(Residues) -> Residues) -> Self {
        for (_, residues) in &mut self.objects {
            *residues = f(*residues);
        }
        self
    }

    /// What parts of these and of other values together may be: a number, unless some of these are addresses.
    pub(crate) fn in_parts(self) -> Self {
        if !self.objects.is_empty() {
            return self.scrambled();
        }
        Self {
            other: false,
            plain: true,
            small: true,
            ..self
        }
    }

    /// The addresses of which these may be parts or which may be computed from these.
    pub(crate) fn scrambled(self) -> Self {
        let mut set = self.map(|_| Residues::ANY);
        set.other = true;
        set.plain = true;
        set.small = true;
        set
    }
}
