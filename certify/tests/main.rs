//! All tests beside the unit tests, in one binary: one is linked faster than many, and keeps all processors at work.

mod certificates;
mod forgeries;
mod names;
mod proofs;
mod subjects;
