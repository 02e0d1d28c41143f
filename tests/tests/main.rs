//! All tests beside the unit tests, in one binary: one is linked faster than many, and keeps all processors at work.

mod any_number;
mod bounds;
mod certificates;
mod determinism;
mod edges;
mod examples;
mod layouts;
mod leaks;
mod library;
mod lifetimes;
mod modular_examples;
mod native;
mod oracles;
mod runtime;
mod termination;
