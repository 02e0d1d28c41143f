//! The command line as a user meets it.

mod certificates;
mod common;
mod compare;
mod export;
mod input;
mod instrumented;
mod invariant;
#[path = "../../../tests/src/library.rs"]
mod library;
mod limits;
mod native;
mod output;
mod pipe;
mod snapshots;
mod verdicts;
