//! What the end-to-end tests share: the example programs with their expected verdicts, and random programs.
//!
//! * [`examples`]: the programs of `c-examples/`, read from their head comments;
//! * [`random_program`]: small concurrent C programs, the same for the same seed.

mod example;
mod random;

pub use example::{Example, Expected, HeaderError, Optimised, Size, examples};
pub use random::{Shape, random_program};
