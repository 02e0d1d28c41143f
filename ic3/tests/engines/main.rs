//! The engines: their verdicts with evidence, and what they make of limits and of failing solvers.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

mod any_number;
mod evidence;
mod faults;
mod fixtures;
mod mutation;
mod systems;
mod verdicts;
