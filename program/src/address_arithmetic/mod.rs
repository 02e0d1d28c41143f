//! Arithmetic on addresses: the set of addresses that a value may be, and the result of an operation on such sets.
//!
//! An [`AddressSet`] holds the objects that a value may point into, each with a set of offsets ([`Residues`]). For an
//! operation, [`binary`], [`compare`], [`cast`] and [`index`] determine whether it moves an address within its object,
//! gives the same number on all machines, or gives a number that depends on where objects lie. The analysis of
//! [`crate::points_to`] and the conversion of [`crate::layout`] both use these functions.

mod address_set;
mod moves;
mod operations;
mod residues;
mod value_bounds;

pub(crate) use self::address_set::AddressSet;
pub(crate) use self::moves::Moves;
pub(crate) use self::operations::{AddressResult, Move, Side, binary, cast, compare, index};
pub(crate) use self::residues::{Overlap, Residues};
pub(crate) use self::value_bounds::ValueBounds;
