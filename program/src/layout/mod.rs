//! Numbers made of addresses: what is computed from an address says where objects lie, and that is open.
//!
//! Addresses of the model are no addresses of a machine: the object is in the high half. Copying, moving within the object, tags in bits
//! below the alignment, differences and order within an object, and equality mean the same in both. [`convert`] looks for
//! everything else, and gives it the machine's number instead ([`crate::model::Statement::Number`]); programs that compute
//! nothing else from addresses stay as they are.

mod address_numbers;
mod coincidence;
mod convert;
mod insertion;
mod kept;
mod opaque;
mod parts;
mod refusal;

pub use self::convert::convert;
