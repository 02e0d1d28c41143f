//! The data model: how wide addresses are, and the numbers that addresses of objects have in the model.

use std::fmt;
use std::str::FromStr;

use abi::mutex;

use super::ObjectId;

/// No object lies below this address, and no handle is less.
pub const LOWEST: u64 = 4096;

/// How wide pointers and `long` are, and with that how objects are laid out in the model: the address of object `n` is
/// `mark + ((n + 1) << distance_bits)`, and the bits below tell how far a pointer is from the start of its object.
///
/// ```
/// use program::model::DataModel;
/// assert_eq!("ILP32".parse(), Ok(DataModel::Ilp32));
/// assert_eq!(DataModel::Lp64.to_string(), "LP64");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits, as on x86 Linux.
    Ilp32,
    /// `long` and pointers have 64 bits, as on x86-64 Linux.
    #[default]
    Lp64,
}

impl DataModel {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ilp32, Self::Lp64];

    /// What makes clang compile for it on x86.
    pub const fn compiler_flag(self) -> &'static str {
        match self {
            Self::Ilp32 => "-m32",
            Self::Lp64 => "-m64",
        }
    }

    /// The width of an address in bits.
    pub const fn address_bits(self) -> u32 {
        match self {
            Self::Ilp32 => 32,
            Self::Lp64 => 64,
        }
    }

    /// The size of an address in bytes.
    pub const fn address_bytes(self) -> u32 {
        self.address_bits() / 8
    }

    /// What an address is a multiple of that `malloc` yields, as glibc promises.
    pub const fn heap_alignment(self) -> u32 {
        2 * self.address_bytes()
    }

    /// How many low bits of an address of the model tell the distance from the start of its object.
    pub const fn distance_bits(self) -> u32 {
        match self {
            // So many objects and so large ones that programs for this data model rarely need more of both.
            Self::Ilp32 => 21,
            Self::Lp64 => 32,
        }
    }

    /// How many bits the addresses of a machine have.
    pub const fn machine_bits(self) -> u32 {
        match self {
            Self::Ilp32 => 32,
            Self::Lp64 => 47,
        }
    }

    /// How a mutex lies in memory.
    pub const fn mutex(self) -> mutex::Layout {
        match self {
            Self::Ilp32 => mutex::ILP32,
            Self::Lp64 => mutex::LP64,
        }
    }

    /// The bit that is set in every address of the model. No address of a 64-bit machine has it, and hardly a number that programs keep
    /// in memory: so a word in memory tells whether it holds an address.
    pub const fn mark(self) -> u64 {
        match self {
            Self::Ilp32 => 1 << 31,
            Self::Lp64 => 1 << 47,
        }
    }

    /// The largest address, which is also what addresses are computed modulo, less one.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.address_bits())
    }

    /// How far a pointer may be from the start of its object, in both directions.
    pub const fn reach(self) -> u64 {
        1 << (self.distance_bits() - 1)
    }

    /// No object has so many bytes. A pointer that is moved so far at once points nowhere, and three shorter moves lead from no object
    /// into another one.
    pub const fn far(self) -> u64 {
        1 << (self.distance_bits() - 2)
    }

    /// No variable has more bytes, and no pointer that is known better is farther from the start of its object.
    pub const fn large(self) -> u32 {
        match self {
            Self::Ilp32 => self.largest_object(),
            Self::Lp64 => 1 << 26,
        }
    }

    /// How many bytes an object may have.
    pub const fn largest_object(self) -> u32 {
        (self.far() - 1) as u32
    }

    /// Moves of a pointer by less bytes do not count: it takes too many of them to lead into another object. Where addresses have 32 bits, a
    /// loop is soon there, and all count.
    pub const fn short(self) -> u64 {
        match self {
            Self::Ilp32 => 0,
            Self::Lp64 => 1 << 8,
        }
    }

    /// Whether the number of an address that is so far behind the start of its object is greater than that of the start on all machines, as a
    /// number without sign. The last address of 32 bits may be near the end of an object.
    pub fn is_behind(self, distance: i32) -> bool {
        match self {
            Self::Ilp32 => (0..LOWEST as i32).contains(&distance),
            Self::Lp64 => distance >= 0,
        }
    }

    /// Whether addresses of machines may be negative as numbers with a sign.
    pub const fn has_negative_addresses(self) -> bool {
        match self {
            Self::Ilp32 => true,
            Self::Lp64 => false,
        }
    }

    /// How many objects there may be: what lies behind the last one is neither null nor a small number or its negation.
    pub const fn most_objects(self) -> u64 {
        (self.mask() - self.mark()) / (1 << self.distance_bits()) - 1
    }

    /// The address of the first byte of an object.
    pub fn base(self, object: ObjectId) -> u64 {
        self.mark() + ((u64::from(object.as_u32()) + 1) << self.distance_bits())
    }

    /// Whether a number is the address of no object on any machine: null, a small number or the negation of one.
    pub fn is_small(self, number: u64) -> bool {
        number.wrapping_add(LOWEST) & self.mask() < 2 * LOWEST
    }

    /// Whether a distance, modulo the number of addresses, is less than [`DataModel::far`] in either direction.
    pub fn is_near(self, distance: u64) -> bool {
        distance.wrapping_add(self.far() - 1) & self.mask() < 2 * self.far() - 1
    }

    /// The object that a pointer was made from, as its number from 1. Other values have other numbers.
    pub fn object_number(self, address: u64) -> u32 {
        let moved = address.wrapping_add(self.reach()).wrapping_sub(self.mark());
        ((moved & self.mask()) >> self.distance_bits()) as u32
    }

    /// The object that a pointer was made from, whether there is such an object or not, and the signed distance from its start in bytes.
    pub fn origin(self, address: u64) -> Option<(ObjectId, i32)> {
        let object = ObjectId::from_u32(self.object_number(address).checked_sub(1)?);
        let unused = 32 - self.distance_bits();
        Some((object, (address as i32) << unused >> unused))
    }

    /// The object whose number an address has, counted from 1, and the bits below.
    pub fn parts(self, address: u64) -> (u32, u32) {
        let above = address.wrapping_sub(self.mark()) & self.mask();
        let distance = address & ((1 << self.distance_bits()) - 1);
        ((above >> self.distance_bits()) as u32, distance as u32)
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ilp32 => "ILP32",
            Self::Lp64 => "LP64",
        })
    }
}

impl FromStr for DataModel {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL
            .into_iter()
            .find(|known| known.to_string() == name);
        known.ok_or_else(|| {
            let known = Self::ALL.map(|known| format!("`{known}`")).join(", ");
            format!("unknown data model `{name}`: expected {known}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_its_object_and_the_distance_from_there() {
        for model in DataModel::ALL {
            let last = u32::try_from(model.most_objects() - 1).unwrap_or(u32::MAX - 2);
            for object in [0, 1, 77, last].map(ObjectId::from_u32) {
                let base = model.base(object);
                assert!(base & model.mark() != 0 && base <= model.mask());
                assert_eq!(model.parts(base + 5), (object.as_u32() + 1, 5));
                for distance in [0, 1, -1, model.far() as i32, -(model.far() as i32) + 1] {
                    let address = base.wrapping_add_signed(distance.into());
                    assert_eq!(model.origin(address), Some((object, distance)));
                }
            }
        }
    }

    #[test]
    fn small_numbers_and_their_negations_are_no_addresses() {
        for model in DataModel::ALL {
            for number in [0, 1, LOWEST - 1, model.mask(), model.mask() - LOWEST + 1] {
                assert!(model.is_small(number));
                let object = model.origin(number).map(|(object, _)| object.as_u32());
                let last = model.most_objects();
                assert!(object.is_none_or(|object| u64::from(object) >= last));
            }
            for number in [LOWEST, model.mask() - LOWEST, model.mark()] {
                assert!(!model.is_small(number));
            }
            assert!(
                model.is_near(model.mask() - model.far() + 2) && model.is_near(model.far() - 1)
            );
            assert!(!model.is_near(model.mask() - model.far() + 1) && !model.is_near(model.far()));
        }
    }
}
