//! The states of an exhaustive search as a certificate: a file with the states, and its check on the program.
//!
//! Unlike the certificates of proofs about transition systems, this check needs the program, and no solver.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use certify::certificate::Malformed;
use certify::{Subject, head};
use explicit::explore::Explored;
use explicit::explore::inductiveness::{self, NotInductive};
use program::model::{Instances, Program};

use crate::verdict::Failure;

/// The first line of such a file.
pub(crate) const TITLE: &str = "; Proof of safety: no run leaves these states.";
const ARGUMENT: &str = "; argument: closed set of states";

/// States that no run leaves, and of which program.
#[derive(Clone, Debug)]
pub struct StateCertificate {
    /// Comments for people.
    pub comments: Vec<String>,
    /// The program.
    pub subject: Subject,
    /// The states.
    pub states: Arc<Explored>,
}

impl fmt::Display for StateCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in head::lines(TITLE, &self.comments, Some(&self.subject)) {
            writeln!(f, "{line}")?;
        }
        write!(f, "{ARGUMENT}\n{}", self.states)
    }
}

/// Lines of a file with their numbers, from 1.
type Lines<'t> = Vec<(usize, &'t str)>;

/// The subject of a file, and the states in it as text.
///
/// # Errors
/// It is no such file.
pub(crate) fn parse(text: &str) -> Result<(Subject, Lines<'_>), Malformed> {
    let lines: Vec<&str> = text.lines().collect();
    let (subject, index) = head::read(TITLE, &lines)?;
    let malformed = |index: usize, cause: &str| Malformed {
        line: index + 1,
        cause: cause.to_owned(),
    };
    let subject = subject.ok_or_else(|| malformed(index, "the digest of a program is expected"))?;
    if lines.get(index) != Some(&ARGUMENT) {
        return Err(malformed(index, &format!("`{ARGUMENT}` is expected")));
    }
    let states = (1..).zip(lines).skip(index + 1).collect();
    Ok((subject, states))
}

/// Confirms that the states of a file contain all that the program reaches, and that none violates anything; gives their number.
///
/// # Errors
/// The text says no states of the program, or the states are not closed under its steps.
pub(crate) fn confirm(
    file: &Path,
    (program, instances): (&Program, &Instances),
    lines: Lines<'_>,
    interrupted: &dyn Fn() -> bool,
) -> Result<Result<u64, NotInductive>, Failure> {
    let states = Explored::read(program, instances, lines.into_iter());
    let states = states.map_err(|malformed| {
        let malformed = Malformed {
            line: malformed.line,
            cause: malformed.cause.to_owned(),
        };
        Failure::Input(malformed.in_file(file).to_string())
    })?;
    let confirmed = inductiveness::check_unless(program, instances, &states, interrupted);
    Ok(confirmed.map(|()| states.states()))
}
