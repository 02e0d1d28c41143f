//! Proofs as files that any SMT solver reads, and that say all that is needed to check them.
//!
//! A file says what the system and the invariant are, once, and how the proof argues. Everything else in it follows from
//! these: the other positions, the obligations, their order. So it is [checked](Certificate::parse) by writing the file anew
//! and comparing, which leaves no place for an obligation that is missing, assumes more than it may or speaks of
//! another system.

use std::path::Path;

use crate::argument::Argument;
use crate::frame::Frame;
use crate::obligations::{Obligation, obligations};
use crate::{Certified, CertifyError, Discharged, SolverCommand};

const TITLE: &str = "; Proof of safety: each check must answer unsat.";
const ARGUMENT: &str = "; argument: ";
const LOGIC: &str = "(set-logic QF_BV)";
pub(crate) const CHECK: &str = "(check-sat)";

/// A proof about a system, ready to be written or checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// How it argues.
    pub(crate) argument: Argument,
    /// What the system and the invariant are.
    pub(crate) frame: Frame,
}

/// Where a text stops to be a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong there.
    pub cause: String,
}

impl Certificate {
    /// What a solver has to find unsatisfiable.
    pub fn obligations(&self) -> Vec<Obligation> {
        obligations(&self.argument, &self.frame)
    }

    /// The obligation as a script of its own, which asserts everything and does not yet ask.
    pub fn script(&self, obligation: &Obligation) -> String {
        let mut lines = vec![LOGIC.to_owned()];
        lines.extend(self.positions(obligation.last_position));
        lines.extend(obligation.claims.iter().cloned());
        lines.push(String::new());
        lines.join("\n")
    }

    fn positions(&self, last: usize) -> impl Iterator<Item = String> + '_ {
        (0..=last).flat_map(|position| self.frame.lines(position))
    }

    /// The file. `head` says in comments what the proof is about; line ends in it are taken for spaces.
    pub fn print(&self, head: &[String]) -> String {
        let mut lines = vec![TITLE.to_owned()];
        let plain = |line: &String| format!("; {}", line.replace(char::is_control, " "));
        lines.extend(head.iter().map(plain));
        lines.extend(self.body());
        lines.join("\n") + "\n"
    }

    /// The lines behind the head, which is for people alone.
    fn body(&self) -> Vec<String> {
        let obligations = self.obligations();
        let last = obligations
            .iter()
            .map(|obligation| obligation.last_position);
        let mut lines = vec![format!("{ARGUMENT}{}", self.argument), LOGIC.to_owned()];
        lines.extend(self.positions(last.max().unwrap_or(0)));
        for obligation in obligations {
            lines.push(format!(
                "; obligation {}: {}",
                obligation.name, obligation.meaning
            ));
            lines.extend(["(set-info :status unsat)", "(push 1)"].map(str::to_owned));
            lines.extend(obligation.claims);
            lines.extend([CHECK, "(pop 1)"].map(str::to_owned));
        }
        lines
    }

    /// Reads a file that [`Certificate::print`] wrote.
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let mut lines = text.split('\n').enumerate();
        let malformed = |index: usize, cause: &str| Malformed {
            line: index + 1,
            cause: cause.to_owned(),
        };
        let (index, argument) = loop {
            match lines.next() {
                Some((index, line)) if line.starts_with(ARGUMENT) => break (index, line),
                Some((_, line)) if line.starts_with("; ") && !line.contains(char::is_control) => {}
                Some((index, _)) => {
                    return Err(malformed(
                        index,
                        &format!("comments are expected, and then `{ARGUMENT}...`"),
                    ));
                }
                None => return Err(malformed(0, "there is no argument")),
            }
        };
        let argument: Argument = argument[ARGUMENT.len()..]
            .parse()
            .map_err(|()| malformed(index, "the argument is none that is known"))?;
        let lines: Vec<&str> = text.split('\n').collect();
        let frame = Frame::parse(&lines, index + 2)?;
        let certificate = Self { argument, frame };
        certificate.check_variables(index)?;
        certificate.check_size(lines.len() - index, index)?;
        certificate.compare(&lines, index)?;
        Ok(certificate)
    }

    /// The states differ in variables that there are.
    fn check_variables(&self, index: usize) -> Result<(), Malformed> {
        let state = self.frame.state.len();
        match &self.argument {
            Argument::KInduction {
                distinct: Some(distinct),
                ..
            } if distinct.iter().any(|&variable| variable >= state) => Err(Malformed {
                line: index + 1,
                cause: format!("there are {state} state variables only, from 0"),
            }),
            Argument::Inductive | Argument::KInduction { .. } | Argument::Exhausted { .. } => {
                Ok(())
            }
        }
    }

    /// A file that cannot hold all its positions is not worth comparing.
    fn check_size(&self, lines: usize, index: usize) -> Result<(), Malformed> {
        let most = lines / self.frame.lines(0).len();
        match self.argument {
            Argument::KInduction {
                depth,
                distinct: Some(_),
                ..
            } if depth.saturating_mul(depth) / 2 > lines => Err(Malformed {
                line: index + 1,
                cause: format!("the file is too short for {depth} positions that all differ"),
            }),
            Argument::KInduction { depth, .. } | Argument::Exhausted { depth } if depth > most => {
                Err(Malformed {
                    line: index + 1,
                    cause: format!("the file is too short for {depth} positions"),
                })
            }
            Argument::Inductive | Argument::KInduction { .. } | Argument::Exhausted { .. } => {
                Ok(())
            }
        }
    }

    /// The file is what this certificate is written as, from the argument on.
    fn compare(&self, lines: &[&str], index: usize) -> Result<(), Malformed> {
        let mut expected = self.body();
        expected.push(String::new());
        let found = lines[index..].iter().copied();
        let different = (0..)
            .zip(expected.iter())
            .zip(found.map(Some).chain(std::iter::repeat(None)))
            .find(|((_, expected), found)| *found != Some(expected));
        if let Some(((offset, expected), _)) = different {
            let expected = match expected.as_str() {
                "" => "the end of the file".to_owned(),
                line => format!("`{}`", line.chars().take(120).collect::<String>()),
            };
            return Err(Malformed {
                line: index + offset + 1,
                cause: format!("{expected} is expected"),
            });
        }
        if lines.len() > index + expected.len() {
            return Err(Malformed {
                line: index + expected.len() + 1,
                cause: "the end of the file is expected".to_owned(),
            });
        }
        Ok(())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`CertifyError::File`] if it cannot be read, [`CertifyError::Certificate`] if it is no certificate.
    pub fn read(path: &Path) -> Result<Self, CertifyError> {
        let file = |source| CertifyError::File {
            path: path.to_owned(),
            source,
        };
        let bytes = std::fs::read(path).map_err(file)?;
        let malformed = |Malformed { line, cause }| CertifyError::Certificate {
            path: path.to_owned(),
            line,
            cause,
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            malformed(Malformed {
                line: valid.iter().filter(|&&byte| byte == b'\n').count() + 1,
                cause: "this is no text".to_owned(),
            })
        })?;
        Self::parse(&text).map_err(malformed)
    }

    /// Asks a solver about every obligation.
    ///
    /// # Errors
    /// The first obligation that is not discharged, and why.
    pub fn discharge(&self, solver: &SolverCommand) -> Result<Certified, CertifyError> {
        let obligations = self.obligations().into_iter();
        let discharged = obligations.map(|obligation| self.discharge_one(&obligation, solver));
        Ok(Certified {
            discharged: discharged.collect::<Result<_, _>>()?,
        })
    }

    /// Asks a solver about one obligation, in the way that suits it.
    ///
    /// # Errors
    /// That it is not discharged, and why.
    pub fn discharge_one(
        &self,
        obligation: &Obligation,
        solver: &SolverCommand,
    ) -> Result<Discharged, CertifyError> {
        let script = self.script(obligation);
        match solver.clauses {
            Some(commands) if obligation.last_position > 1 => {
                solver.discharge_by_clauses(obligation.name, script, commands)
            }
            Some(_) | None => solver.discharge(obligation.name, script),
        }
    }
}
