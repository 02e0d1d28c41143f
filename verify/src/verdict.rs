//! The verdicts and failures that are reported to the user.

use std::fmt;

use serde::{Deserialize, Serialize};
use system::transition_system::Reason;

/// The answer to "is the program safe?". Its text form is the last line on standard output and never changes its wording.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "verdict", rename_all = "UPPERCASE")]
pub enum Verdict {
    /// No run violates the property; certified.
    Safe,
    /// A run violates the property; replayed on the program as it was read.
    Unsafe {
        /// What is violated.
        property: String,
        /// Source file of the violation.
        file: String,
        /// Line of the violation.
        line: u32,
        /// What came before and made it wrong, with its place and thread: "freed at a.c:7 by `main`".
        #[serde(default, skip_serializing_if = "Option::is_none")]
        related: Option<String>,
    },
    /// Neither was shown.
    Unknown {
        /// Why not, and which option may help.
        reason: String,
    },
}

/// What SAFE rests on beside the program. Its text form stands behind SAFE, in parentheses, and is empty if there is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Assumptions {
    /// The yields of instrumented bitcode were believed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub instrumentation_trusted: bool,
    /// Runs that go on for ever were looked for under fair scheduling only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fair: bool,
    /// Functions without definition that are taken to return any value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arbitrary_functions: Vec<String>,
}

impl Assumptions {
    /// The last line of a text: the verdict, and if that is SAFE, what it rests on.
    pub(crate) fn under(&self, verdict: &Verdict) -> String {
        match verdict {
            Verdict::Safe => format!("{verdict}{self}"),
            Verdict::Unsafe { .. } | Verdict::Unknown { .. } => verdict.to_string(),
        }
    }
}

impl fmt::Display for Assumptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trusted = self
            .instrumentation_trusted
            .then(|| "instrumentation trusted".to_owned());
        let fair = self.fair.then(|| "under fair scheduling".to_owned());
        let names = &self.arbitrary_functions;
        let any = (!names.is_empty()).then(|| {
            format!(
                "undefined functions taken as arbitrary: {}",
                names.join(", ")
            )
        });
        let all: Vec<String> = [trusted, fair, any].into_iter().flatten().collect();
        match all.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", all.join("; ")),
        }
    }
}

impl Verdict {
    /// An undecided verdict.
    pub fn unknown(reason: impl Into<String>) -> Self {
        Self::Unknown {
            reason: reason.into(),
        }
    }

    /// Whether it says something of the program.
    pub fn is_conclusive(&self) -> bool {
        match self {
            Self::Safe | Self::Unsafe { .. } => true,
            Self::Unknown { .. } => false,
        }
    }

    /// `SAFE`, `UNSAFE` or `UNKNOWN`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Unsafe { .. } => "UNSAFE",
            Self::Unknown { .. } => "UNKNOWN",
        }
    }

    /// The verdict as in the last line on standard output, without the word in front.
    pub fn words(&self) -> String {
        let name = self.name();
        match self {
            Self::Safe => name.to_owned(),
            Self::Unsafe {
                property,
                file,
                line,
                related,
            } => {
                let related = related.iter().map(|related| format!(", {related}"));
                let related: String = related.collect();
                format!("{name} ({property}) at {file}:{line}{related}")
            }
            Self::Unknown { reason } => format!("{name} ({})", reason.replace('\n', "; ")),
        }
    }

    /// The exit code of the process, as CBMC's: 0 safe, 10 unsafe, 5 unknown.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Safe => 0,
            Self::Unsafe { .. } => 10,
            Self::Unknown { .. } => 5,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VERDICT: {}", self.words())
    }
}

/// A reason to stop in words, with the option that raises the limit if it is one.
pub fn with_remedy(reason: &Reason) -> String {
    match reason {
        Reason::Time(_) => format!("{reason}; --timeout raises it"),
        Reason::Memory(_) => format!("{reason}; --memory raises it"),
        Reason::Depth(_) | Reason::Cancelled | Reason::Solver(_) | Reason::NotApplicable(_) => {
            reason.to_string()
        }
    }
}

/// The first ones of many reasons or values, and how many there are beside these.
pub fn listed(all: &[String], most: usize) -> String {
    let (named, others) = all.split_at(all.len().min(most));
    let named = named.join(", ");
    match others.len() {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Why there is no verdict at all.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Failure {
    /// The input cannot be used; the message names place, cause and remedy.
    #[error("{0}")]
    Input(String),
    /// The command line cannot be followed, such as a file to write that cannot be written.
    #[error("{0}")]
    Usage(String),
    /// A fault of the verifier itself, evidence that fails included.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Failure {
    /// The exit code of the process.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Usage(_) => 1,
            Self::Input(_) => 2,
            Self::Internal(_) => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wording_is_stable() {
        let violated = Verdict::Unsafe {
            property: "assertion".into(),
            file: "a.c".into(),
            line: 7,
            related: None,
        };
        assert_eq!(violated.to_string(), "VERDICT: UNSAFE (assertion) at a.c:7");
        let freed = Verdict::Unsafe {
            property: "use after free".into(),
            file: "a.c".into(),
            line: 9,
            related: Some("freed at a.c:7 by `main`".into()),
        };
        assert_eq!(
            freed.to_string(),
            "VERDICT: UNSAFE (use after free) at a.c:9, freed at a.c:7 by `main`"
        );
        assert_eq!(Verdict::Safe.to_string(), "VERDICT: SAFE");
        assert_eq!(
            Verdict::unknown("a\nb").to_string(),
            "VERDICT: UNKNOWN (a; b)"
        );
        assert_eq!(
            [
                Verdict::Safe.exit_code(),
                violated.exit_code(),
                Verdict::unknown("").exit_code()
            ],
            [0, 10, 5]
        );
    }
}
