//! Points-to analysis: the objects that an address may point to, per thread instance.
//!
//! An inclusion-based (Andersen) analysis, insensitive to the order of statements: every register of every instance and
//! every part of every object has a set of addresses that only grows until nothing changes. An integer computed from
//! addresses is an address if the operation stays within the object (`address_arithmetic`), and otherwise a number.
//! Inputs, and values that are combined from parts of addresses, may be addresses that the analysis does not know
//! ([`Targets::other`]).
//!
//! The content that memory has before it is written, and LLVM's undefined values, are no addresses here, and address
//! arithmetic is assumed to stay within the object. An access to memory through any other value is undefined behaviour:
//! an analysis that uses the sets must treat an access outside of them as undefined.

mod contents;
mod revisions;
mod solve;

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};

pub(crate) use self::contents::Content;
use self::contents::Contents;
use self::solve::{ConstraintSolver, Solution};
use crate::address_arithmetic::{AddressSet, Residues};
pub use crate::model::Offsets;
use crate::model::{Instances, ObjectId, ObjectKind, Operand, Program, RegisterId, Words};

/// Where an address may point to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Objects in ascending order, each with the byte offsets that are possible.
    pub objects: Vec<(ObjectId, Offsets)>,
    /// Whether it may also be an address that the analysis knows nothing of, such as an integer that was cast.
    pub other: bool,
}

/// The result of the analysis: where every register of every thread instance may point to.
#[derive(Clone, Debug)]
pub struct PointsTo {
    instances: Instances,
    registers: PrimaryMap<InstanceId, SecondaryMap<RegisterId, AddressSet>>,
    contents: Contents,
    /// Whether memory was accessed through an address that the analysis knows nothing of.
    is_blind: bool,
}

impl PointsTo {
    /// Analyses all instances of a program.
    pub fn analyse(program: &Program, instances: &Instances) -> Self {
        let Solution {
            registers,
            contents,
            is_blind,
        } = ConstraintSolver::new(program, instances).run();
        Self {
            instances: instances.clone(),
            registers,
            contents,
            is_blind,
        }
    }

    /// Where words lie that hold addresses and of which `size` bytes at an address may be a part.
    pub(crate) fn parts(&self, instance: InstanceId, address: Operand, size: u32) -> Words {
        let objects = self.set(instance, address).objects.into_iter();
        let words = objects.map(|(object, offsets)| {
            let whole = self.instances.objects[object].size;
            self.contents.parts((object, whole), offsets, size)
        });
        words.flat_map(|words| words.0).collect()
    }

    /// The objects of which words may hold addresses that `size` bytes at an address may be a part of.
    pub fn held(&self, instance: InstanceId, address: Operand, size: u32) -> Vec<ObjectId> {
        let mut held = AddressSet::default();
        for (object, offsets) in self.set(instance, address).objects {
            held.join(&self.contents.held(object, offsets, size));
        }
        match held.computed {
            true => self.places().collect(),
            false => held.objects().collect(),
        }
    }

    /// The objects of which it matters where they lie if an operand becomes a number. What may be a number already may look like the
    /// address of any, here and where addresses are held.
    pub fn meant(&self, instance: InstanceId, operand: Operand) -> Vec<ObjectId> {
        match self.set(instance, operand).computed {
            true => self.places().collect(),
            false => self.possible_objects(instance, operand),
        }
    }

    /// All objects that have addresses.
    fn places(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let objects = self.instances.objects.iter();
        let places = objects.filter(|(_, object)| {
            !matches!(object.kind, ObjectKind::Base(_) | ObjectKind::Nowhere)
        });
        places.map(|(id, _)| id)
    }

    /// The objects that an operand may be an address of; all that have addresses, if that is not known.
    pub fn possible_objects(&self, instance: InstanceId, operand: Operand) -> Vec<ObjectId> {
        let set = self.set(instance, operand);
        if set.other && self.is_blind {
            return self.places().collect();
        }
        set.objects().collect()
    }

    /// All that is known of an operand.
    pub(crate) fn set(&self, instance: InstanceId, operand: Operand) -> AddressSet {
        match operand {
            Operand::Register(register) => self.registers[instance][register].clone(),
            Operand::Constant(_) | Operand::Address(..) => {
                AddressSet::constant(&self.instances, instance, operand)
            }
        }
    }

    /// What was stored in an object, or is there from the start.
    pub(crate) fn contents_of(&self, object: ObjectId) -> impl Iterator<Item = Content<'_>> {
        let size = self.instances.objects[object].size;
        self.contents.of(object, size)
    }

    /// Whether memory was accessed through an address that the analysis knows nothing of.
    pub(crate) fn is_blind(&self) -> bool {
        self.is_blind
    }

    /// Where the value of an operand of a thread may point to, at any point of its run.
    pub fn targets(&self, instance: InstanceId, operand: Operand) -> Targets {
        let set = self.set(instance, operand);
        let offsets = |(object, residues): &(ObjectId, Residues)| {
            Some((
                *object,
                residues.offsets(self.instances.objects[*object].size)?,
            ))
        };
        Targets {
            objects: set.objects.iter().filter_map(offsets).collect(),
            other: set.other,
        }
    }
}

impl Targets {
    /// Whether an access of a byte at this place is one of them.
    pub fn contains(&self, object: ObjectId, offset: u32) -> bool {
        self.other
            || self
                .objects
                .iter()
                .any(|&(target, offsets)| target == object && offsets.contains(offset))
    }
}
