//! The collector of violations that all checks share.

use super::violation::{ProgramPart, WellFormednessViolation};
use crate::model::{Place, Program, Template, TemplateId};

/// Collects violations.
pub(super) struct Checker<'a> {
    pub(super) program: &'a Program,
    pub(super) template: Option<TemplateId>,
    pub(super) violations: Vec<WellFormednessViolation>,
}

impl Checker<'_> {
    pub(super) fn require(
        &mut self,
        good: bool,
        subject: ProgramPart,
        what: impl FnOnce() -> String,
    ) {
        if !good {
            self.violations.push(WellFormednessViolation {
                template: self.template,
                subject,
                what: what(),
            });
        }
    }

    pub(super) fn place_exists(&self, template: Option<&Template>, place: Place) -> bool {
        match place {
            Place::Global(global) => self.program.globals.is_valid(global),
            Place::Function(function) => self.program.functions.is_valid(function),
            Place::Local(local) => template.is_some_and(|template| template.locals.is_valid(local)),
        }
    }
}
