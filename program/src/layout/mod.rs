//! Conversion of addresses to machine numbers, where a computation depends on the places of objects in memory. These
//! places are left open.
//!
//! Addresses of the model are no addresses of a machine: the object is in the high half. The following have the same
//! meaning for both: copying, moving within the object, tags in bits below the alignment, differences and order within
//! an object, and equality. [`convert`] finds all other operations, and gives them the machine's number instead of the
//! address ([`crate::model::Statement::Number`]). It does not change programs without such operations. It also divides the heap, so
//! that memory is used again only where that shows ([`crate::model::HeapSite::pool`]).

mod address_numbers;
mod coincidence;
mod convert;
mod division;
mod insertion;
mod kept;
mod opaque;
mod parts;
mod pools;
mod refusal;

pub use self::convert::convert;
