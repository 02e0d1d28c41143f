//! The engines: their verdicts with evidence, and what they make of limits and of failing solvers.

mod evidence;
mod faults;
mod fixtures;
mod mutation;
mod systems;
mod verdicts;
