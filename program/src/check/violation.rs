//! A violation of well-formedness, and the part of the program that has it.

use std::fmt;

use cranelift_entity::EntityRef;

use crate::model::{
    EdgeId, FunctionId, GlobalId, HeapSiteId, LocationId, RegisterId, TemplateId, UnsupportedId,
};

/// Something about a program that is not as the model's page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// In which template, if in one.
    pub template: Option<TemplateId>,
    /// Where.
    pub subject: Subject,
    /// What is wrong there.
    pub what: String,
}

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
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

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(template) = self.template {
            write!(f, "template {}, ", template.index())?;
        }
        match self.subject {
            Subject::Whole => write!(f, "as a whole")?,
            Subject::Location(location) => write!(f, "{location}")?,
            Subject::Edge(edge) => write!(f, "{edge}")?,
            Subject::Register(register) => write!(f, "{register}")?,
            Subject::Global(global) => write!(f, "{global}")?,
            Subject::Function(function) => write!(f, "{function}")?,
            Subject::HeapSite(site) => write!(f, "{site}")?,
            Subject::Unsupported(unsupported) => write!(f, "{unsupported}")?,
        }
        write!(f, ": {}", self.what)
    }
}
