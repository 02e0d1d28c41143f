//! IC3 against bounded model checking, and all engines side by side, over programs that grow; and the paper's experiments.
//!
//! * [`series`]: which programs of `c-examples/`, and how they grow;
//! * [`configuration`]: how `verify` decides them;
//! * [`measure`]: one run of `verify` in a process of its own, with its time and peak memory;
//! * [`comparison`]: all runs, with medians and the verdicts that are not as expected;
//! * [`table`] and [`plot`]: CSV, Markdown and SVG;
//! * [`journal`]: runs that are not repeated;
//! * [`paper`]: reductions against each other, as in the paper's experiments;
//! * [`command`]: what the binaries `bench` and `bench-paper` share.

pub mod command;
pub mod comparison;
pub mod configuration;
pub mod journal;
pub mod measure;
pub mod paper;
pub mod plot;
pub mod series;
pub mod table;
