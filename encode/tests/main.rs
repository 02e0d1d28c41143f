//! All tests beside the unit tests, in one binary: one is linked faster than many, and keeps all processors at work.

mod common;
mod lives;
mod numbers;
mod programs;
mod random;
mod recurrence;
mod statements;
