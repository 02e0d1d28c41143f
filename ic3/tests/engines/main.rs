//! The engines: their verdicts with evidence, and what they make of limits and of failing solvers.

mod faults;
mod proofs;
mod systems;
mod verdicts;
