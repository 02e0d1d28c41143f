//! Proofs as files that any SMT solver reads, and that contain everything that is needed to check them.
//!
//! A file defines the system and the invariant once, and names the proof rule. Everything else in the file follows from
//! these: the other positions, the obligations, their order. So [checking](Certificate::parse) writes the file anew and
//! compares the texts. Then no obligation can be missing, assume more than it may, or be about another system. No text
//! of the file reaches a solver: scripts are written from the parsed definitions.

use std::path::Path;

use crate::certified::{Certified, Discharged};
use crate::count::Count;
use crate::error::CertifyError;
use crate::frame::Frame;
use crate::head;
pub use crate::malformed::Malformed;
use crate::malformed::malformed;
use crate::obligations::{Obligation, obligations};
use crate::proof_rule::{Family, ProofRule};
use crate::solver::{CHECK, SolverCommand};
use crate::subject::Subject;

const TITLE: &str = "; Proof of safety: each check must answer unsat.";
const ARGUMENT: &str = "; argument: ";
const LOGIC: &str = "(set-logic QF_BV)";

/// A proof about a system, ready to be written or checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What program the system is said to be made of.
    pub(crate) subject: Option<Subject>,
    /// How it argues.
    pub(crate) argument: ProofRule,
    /// What the system and the invariant are.
    pub(crate) frame: Frame,
}

impl Certificate {
    /// The same proof, said to be about a program.
    #[must_use]
    pub fn with_subject(self, subject: Subject) -> Self {
        Self {
            subject: Some(subject),
            ..self
        }
    }

    /// The same proof that an invariant is inductive, for any number of threads that some threads of the system stand for. It may use that
    /// variables count threads.
    ///
    /// # Errors
    /// [`CertifyError::Proof`] if it is another proof, or the threads are not alike.
    pub fn for_all(self, families: Vec<Family>, counts: Vec<Count>) -> Result<Self, CertifyError> {
        let argument = match self.argument {
            ProofRule::Inductive => ProofRule::ForAll { families, counts },
            ProofRule::ForAll { .. }
            | ProofRule::KInduction { .. }
            | ProofRule::Exhausted { .. } => {
                let cause = "only an inductive invariant holds for any number of threads";
                return Err(CertifyError::Proof(cause.to_owned()));
            }
        };
        if !argument.is_well_formed() {
            let cause = "threads for which any number stands are not alike";
            return Err(CertifyError::Proof(cause.to_owned()));
        }
        let certificate = Self { argument, ..self };
        let checked = certificate.check_variables(0);
        checked.map_err(|malformed| CertifyError::Proof(malformed.cause))?;
        Ok(certificate)
    }

    /// The threads that stand for any number of others, if the proof is about these.
    pub fn families(&self) -> &[Family] {
        self.argument.families()
    }

    /// The variables that it says count threads.
    pub fn counts(&self) -> &[Count] {
        self.argument.counts()
    }

    /// What program the certificate says that it is about. It is a claim: see [`Certificate::is_about`].
    pub fn subject(&self) -> Option<&Subject> {
        self.subject.as_ref()
    }

    /// What a solver has to find unsatisfiable.
    pub fn obligations(&self) -> Vec<Obligation> {
        obligations(&self.argument, &self.frame)
    }

    /// The obligation as a script of its own, which asserts everything and does not yet ask.
    pub fn script(&self, obligation: &Obligation) -> String {
        let mut lines = vec![LOGIC.to_owned()];
        lines.extend(
            (0..=obligation.last_position).flat_map(|position| self.frame.equations(position)),
        );
        lines.extend(obligation.claims.iter().cloned());
        lines.push(String::new());
        lines.join("\n")
    }

    /// The file. `head` says in comments for people what the proof is about. Line ends in it are taken for spaces, and what looks
    /// like a line that programs read is marked.
    pub fn print(&self, head: &[String]) -> String {
        let mut lines = head::lines(TITLE, head, self.subject.as_ref());
        lines.extend(self.body());
        lines.join("\n") + "\n"
    }

    /// The lines from the argument on.
    fn body(&self) -> Vec<String> {
        let obligations = self.obligations();
        let last = obligations
            .iter()
            .map(|obligation| obligation.last_position);
        let mut lines = vec![format!("{ARGUMENT}{}", self.argument), LOGIC.to_owned()];
        lines.extend((0..=last.max().unwrap_or(0)).flat_map(|position| self.frame.lines(position)));
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
        let lines: Vec<&str> = text.split('\n').collect();
        let (subject, index) = head::read(TITLE, &lines)?;
        let argument = lines
            .get(index)
            .and_then(|line| line.strip_prefix(ARGUMENT));
        let argument = argument.ok_or_else(|| {
            malformed(
                index,
                format!("comments are expected, and then `{ARGUMENT}...`"),
            )
        })?;
        let argument: ProofRule = argument
            .parse()
            .map_err(|()| malformed(index, "the argument is none that is known"))?;
        let certificate = Self {
            subject,
            argument,
            frame: Frame::parse(&lines, index + 2)?,
        };
        certificate.check_variables(index)?;
        certificate.check_size(text.len(), index)?;
        certificate.compare(&lines, index)?;
        Ok(certificate)
    }

    /// It is about variables that there are, of fitting sorts.
    fn check_variables(&self, index: usize) -> Result<(), Malformed> {
        let state = self.frame.state.len();
        let families = self.argument.families();
        let distinct = self.argument.distinct().unwrap_or_default();
        let mut named = distinct.iter().chain(families.iter().flatten().flatten());
        if named.any(|&variable| variable >= state) {
            let cause = format!("there are {state} state variables only, from 0");
            return Err(malformed(index, cause));
        }
        let mut counts = self.argument.counts().iter();
        match counts.find(|count| !count.fits(&self.frame.state)) {
            Some(count) => Err(malformed(
                index,
                format!("no variables can do this: {count}"),
            )),
            None => Ok(()),
        }
    }

    /// A file of some bytes that cannot hold all its positions is not worth comparing.
    fn check_size(&self, bytes: usize, index: usize) -> Result<(), Malformed> {
        let depth = self.argument.depth();
        let frame: usize = self.frame.lines(0).iter().map(String::len).sum();
        let pairs = depth.saturating_mul(depth) / 2;
        // Each pair takes a line, also where no variables are named.
        let equations =
            pairs.saturating_mul(self.argument.distinct().map_or(0, |all| all.len().max(1)));
        if depth.saturating_mul(frame) > bytes || equations > bytes {
            let cause = format!("the file is too short for {depth} positions");
            return Err(malformed(index, cause));
        }
        Ok(())
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
            return Err(malformed(index + offset, format!("{expected} is expected")));
        }
        if lines.len() > index + expected.len() {
            let end = index + expected.len();
            return Err(malformed(end, "the end of the file is expected"));
        }
        Ok(())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`CertifyError::File`] if it cannot be read, [`CertifyError::Certificate`] if it is no certificate.
    pub fn read(path: &Path) -> Result<Self, CertifyError> {
        let refused = |malformed: Malformed| malformed.in_file(path);
        Self::parse(&head::text_of(path)?).map_err(refused)
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
            // What has no state is one formula, which may be as large as that of a long run.
            Some(commands) if self.frame.state.is_empty() => {
                solver.discharge_by_clauses(obligation.name, script, commands.formula)
            }
            Some(commands) if obligation.last_position > 1 => {
                solver.discharge_by_clauses(obligation.name, script, commands.run)
            }
            Some(_) | None => solver.discharge(obligation.name, script),
        }
    }
}
