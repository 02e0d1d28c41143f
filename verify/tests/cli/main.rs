//! The command line as a user meets it.

mod common;
mod input;
mod limits;
mod output;
mod pipe;
mod snapshots;
mod verdicts;
