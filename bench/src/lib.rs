//! IC3 against bounded model checking, and all engines side by side, over programs that grow.
//!
//! * [`series`]: which programs of `c-examples/`, and how they grow;
//! * [`measure`]: one run of `verify` in a process of its own, with its time and peak memory;
//! * [`comparison`]: all runs, with medians and the verdicts that are not as expected;
//! * [`table`] and [`plot`]: CSV, Markdown and SVG.

pub mod comparison;
pub mod measure;
pub mod plot;
pub mod series;
pub mod table;
