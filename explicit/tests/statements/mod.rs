//! The meaning of each statement.

mod memory;
mod threads;
mod values;

use crate::common::run_main;
use program::model::{LimitKind, LocationKind, Program, Undefined};

/// Why the last of some statements is undefined.
fn undefined(program: &Program) -> Undefined {
    let run = run_main(program, &[]);
    assert_eq!(run.kind, LocationKind::Limit(LimitKind::Undefined));
    run.undefined.expect("a reason")
}
