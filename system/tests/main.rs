//! All tests beside the unit tests, in one binary: one is linked faster than many, and keeps all processors at work.

mod chc;
mod fixtures;
mod formats;
mod narrow;
mod oracle;
mod terms;
mod text;
mod transform;
mod unroll;
