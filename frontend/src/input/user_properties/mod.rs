//! User properties: what a command line demands of a statement of the program, without a change to its files.
//!
//! A demand becomes code in front of its statement, on the same line, in a copy of the file that the compiler reads in its place
//! ([`compile`]). The calls of that code become marks that the program cannot forge ([`marks`]), and a demand without a mark
//! is an error: nothing is SAFE because a demand was lost.

mod compile;
mod dependencies;
mod edited;
mod error;
mod expression;
mod insertions;
mod marks;
mod overlay;
mod statement;
mod syntax;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use abi::text;

pub(super) use compile::compile;
pub use error::UserPropertyError;
pub(super) use insertions::Insertions;

/// A demand on a statement of the program, which holds whenever control is about to execute the statement.
///
/// ```
/// use frontend::input::{Demand, UserProperty};
/// let property = UserProperty {
///     place: "ring.c:12".parse()?,
///     demand: Demand::Holds("head <= 3".into()),
/// };
/// assert_eq!(property.to_string(), "--assert-at ring.c:12 'head <= 3'");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserProperty {
    /// Where the statement begins.
    pub place: SourceLine,
    /// What is demanded.
    pub demand: Demand,
}

/// What a user property demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// This expression of C is not 0.
    Holds(String),
    /// Control never arrives.
    Unreached,
}

/// A line of a source file, written `FILE:LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file, as the user names it.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u32,
}

impl Demand {
    /// What is violated where the demand is not met, in the words of a verdict.
    fn violation(&self) -> String {
        match self {
            Self::Holds(expression) => format!("assertion \"{expression}\""),
            Self::Unreached => "reached, though --unreachable".to_owned(),
        }
    }
}

impl FromStr for SourceLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once(':');
        let known = parts.and_then(|(file, line)| Some((file, line.parse().ok()?)));
        match known.filter(|&(file, line)| !file.is_empty() && line > 0) {
            Some((file, line)) => Ok(Self {
                file: file.into(),
                line,
            }),
            None => Err(format!(
                "`{text}` is no FILE:LINE, such as `ring.c:12`, where lines count from 1"
            )),
        }
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", text::path(&self.file), self.line)
    }
}

impl fmt::Display for UserProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, demand } = self;
        match demand {
            Demand::Holds(expression) => {
                let expression = text::printable(expression.as_bytes());
                write!(f, "--assert-at {place} '{expression}'")
            }
            Demand::Unreached => write!(f, "--unreachable {place}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_file_is_named_by_its_last_colon() {
        let line: SourceLine = "a:b/c.c:7".parse().expect("a place");
        assert_eq!((line.file, line.line), (PathBuf::from("a:b/c.c"), 7));
        for wrong in ["a.c", "a.c:", "a.c:0", ":3", "a.c:-1", "a.c:1x", ""] {
            let error = wrong.parse::<SourceLine>().expect_err(wrong);
            assert!(error.contains("FILE:LINE"), "{error}");
        }
    }
}
