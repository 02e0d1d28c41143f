//! Well-formedness: the rules that every pass that makes or changes a [`Program`] must keep. The check lists all
//! violations.

mod assigned;
mod automaton;
mod checker;
mod statement;
mod tables;
mod violation;

use self::checker::Checker;
pub use self::violation::{ProgramPart, WellFormednessViolation};
use crate::model::Program;

/// All violations, in the order of the program.
pub fn check(program: &Program) -> Vec<WellFormednessViolation> {
    let mut checker = Checker {
        program,
        template: None,
        violations: Vec::new(),
    };
    checker.tables();
    for (id, template) in &program.templates {
        checker.template = Some(id);
        checker.template(template);
    }
    checker.violations
}
