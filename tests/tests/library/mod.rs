//! Library functions: what calls mean to the model checker, against what they do natively.

mod programs;
mod real_library;
mod unknown_results;
