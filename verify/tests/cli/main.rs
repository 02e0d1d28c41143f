//! The command line as a user meets it.

mod certificates;
mod common;
mod export;
mod input;
mod invariant;
mod limits;
mod output;
mod pipe;
mod snapshots;
mod verdicts;
