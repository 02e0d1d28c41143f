//! The states of an exhaustive search as a certificate: a file with the states, and its check on the program.
//!
//! Unlike the certificates of proofs about transition systems, this check needs the program, and no solver.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use certify::certificate::Malformed;
use certify::{Subject, head};
use explicit::explore::inductiveness::{self, NotInductive};
use explicit::explore::{Explored, Scheduling};
use program::model::{Instances, Program};

use crate::verdict::Failure;

/// The first line of such a file.
pub(crate) const TITLE: &str = "; Proof of safety: no run leaves these states.";

/// The line that says whose states they are.
const fn argument(scheduling: Scheduling) -> &'static str {
    match scheduling {
        Scheduling::Visible => "; argument: closed set of states",
        Scheduling::External => "; argument: closed set of states of the reduced program",
    }
}

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
        let argument = argument(self.states.scheduling());
        write!(f, "{argument}\n{}", self.states)
    }
}

/// What a file says.
#[derive(Debug)]
pub(crate) struct Claim<'t> {
    /// The program.
    pub(crate) subject: Subject,
    /// Whether the states are those of the program or of the reduced one.
    pub(crate) scheduling: Scheduling,
    /// The lines of the states with their numbers, from 1.
    lines: Vec<(usize, &'t str)>,
}

/// Reads a file up to the states.
///
/// # Errors
/// It is no such file.
pub(crate) fn parse(text: &str) -> Result<Claim<'_>, Malformed> {
    let lines: Vec<&str> = text.lines().collect();
    let (subject, index) = head::read(TITLE, &lines)?;
    let malformed = |index: usize, cause: &str| Malformed {
        line: index + 1,
        cause: cause.to_owned(),
    };
    let subject = subject.ok_or_else(|| malformed(index, "the digest of a program is expected"))?;
    let known = [Scheduling::Visible, Scheduling::External];
    let said = |scheduling: &Scheduling| lines.get(index) == Some(&argument(*scheduling));
    let scheduling = known.into_iter().find(said).ok_or_else(|| {
        let [first, second] = known.map(argument);
        malformed(index, &format!("`{first}` or `{second}` is expected"))
    })?;
    Ok(Claim {
        subject,
        scheduling,
        lines: (1..).zip(lines).skip(index + 1).collect(),
    })
}

/// Confirms that the states of a file contain all that the program, or the reduced one, reaches, and that none violates anything; gives their number.
///
/// # Errors
/// The text says no states of the program, or the states are not closed under its steps.
pub(crate) fn confirm(
    file: &Path,
    (program, instances): (&Program, &Instances),
    claim: Claim<'_>,
    interrupted: &dyn Fn() -> bool,
) -> Result<Result<u64, NotInductive>, Failure> {
    let lines = claim.lines.into_iter();
    let states = Explored::read(program, instances, claim.scheduling, lines);
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
