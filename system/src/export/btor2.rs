//! BTOR2: the format of the hardware model checking competition, without arrays.
//!
//! It has no Booleans; they are bit-vectors of width 1. It has no guards and no initial constraints either; see
//! [`print()`] for how they are expressed.

mod operators;
mod parse;
mod print;

pub use parse::parse;
pub use print::print;
