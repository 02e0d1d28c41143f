//! The analyses against the semantics: reduced runs find what all runs find, and movers commute.

mod conditions;
mod deadlocks;
mod examples;
mod explorer;
mod life_pieces;
mod lifetimes;
mod movers;
mod orders;
mod plans;
mod programs;
mod races;
mod random;
mod seeded;
mod waits;
