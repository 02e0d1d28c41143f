//! The command line as a user meets it.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

mod any_number;
mod certificates;
mod common;
mod compare;
mod data_models;
mod event_graphs;
mod exclusions;
mod export;
mod files;
mod input;
mod instrumented;
mod invariant;
mod large;
mod leaks;
#[path = "../../../tests/src/library.rs"]
mod library;
mod limits;
mod modular;
mod names;
mod native;
mod options;
mod output;
mod pipe;
mod races_and_deadlocks;
mod reasons;
mod snapshots;
mod tasks;
mod termination;
mod traces;
mod user_properties;
mod verdicts;
mod waiting_loops;
