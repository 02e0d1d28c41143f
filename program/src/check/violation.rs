//! A violation of well-formedness, and the part of the program that has it.

use std::fmt;

use cranelift_entity::EntityRef;

use crate::model::{
    EdgeId, FunctionId, GlobalId, HeapSiteId, LocationId, RegisterId, TemplateId, UnsupportedId,
};

/// Something about a program that is not as the model's page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WellFormednessViolation {
    /// In which template, if in one.
    pub template: Option<TemplateId>,
    /// Where.
    pub subject: ProgramPart,
    /// What is wrong there.
    pub what: String,
}

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramPart {
    /// The program or the template as a whole.
    Whole,
    /// A location.
    Location(LocationId),
    /// An edge.
    Edge(EdgeId),
    /// A register.
    Register(RegisterId),
    /// A variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// An allocation statement.
    HeapSite(HeapSiteId),
    /// A construct that is not read.
    Unsupported(UnsupportedId),
}

impl fmt::Display for WellFormednessViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(template) = self.template {
            write!(f, "template {}, ", template.index())?;
        }
        match self.subject {
            ProgramPart::Whole => write!(f, "as a whole")?,
            ProgramPart::Location(location) => write!(f, "{location}")?,
            ProgramPart::Edge(edge) => write!(f, "{edge}")?,
            ProgramPart::Register(register) => write!(f, "{register}")?,
            ProgramPart::Global(global) => write!(f, "{global}")?,
            ProgramPart::Function(function) => write!(f, "{function}")?,
            ProgramPart::HeapSite(site) => write!(f, "{site}")?,
            ProgramPart::Unsupported(unsupported) => write!(f, "{unsupported}")?,
        }
        write!(f, ": {}", self.what)
    }
}
