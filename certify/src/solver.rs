//! One solver process for each question, with a time limit; its answer is read strictly.

use std::process::Command;
use std::time::{Duration, Instant};

use process::{Ended, StandardInput, StandardOutput, Surroundings};

use crate::certified::Discharged;
use crate::clauses::{self, ClauseCommands};
use crate::error::CertifyError;
use crate::refutation::{RefutationResult, refute};

/// The command of SMT-LIB that asks for an answer.
pub(crate) const CHECK: &str = "(check-sat)";

/// How to run a solver that reads SMT-LIB from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand {
    /// The program, found as a shell would.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The command that asks for an answer.
    pub check: &'static str,
    /// The commands that ask for clauses such as [`SolverCommand::discharge_by_clauses`] reads, if it knows any.
    pub clauses: Option<ClauseCommands>,
    /// How long it may take for one obligation.
    pub time_limit: Duration,
}

impl Default for SolverCommand {
    /// Z3, five minutes.
    fn default() -> Self {
        Self::z3(Duration::from_secs(300))
    }
}

impl SolverCommand {
    /// Z3 with the steps that suit transition systems: on certificates of programs they take between a quarter and the whole of
    /// the time that Z3's own choice takes.
    pub fn z3(time_limit: Duration) -> Self {
        Self {
            program: "z3".to_owned(),
            arguments: vec!["-in".to_owned()],
            check: "(check-sat-using (then simplify propagate-values solve-eqs bit-blast sat))",
            clauses: Some(clauses::ASK_Z3),
            time_limit,
        }
    }

    /// cvc5 as it is.
    pub fn cvc5(time_limit: Duration) -> Self {
        Self {
            program: "cvc5".to_owned(),
            arguments: vec!["--lang=smt2".to_owned()],
            check: CHECK,
            clauses: None,
            time_limit,
        }
    }

    /// Asks whether what the script of an obligation asserts is unsatisfiable.
    ///
    /// # Errors
    /// Everything but the answer `unsat` alone.
    pub fn discharge(&self, obligation: &str, script: String) -> Result<Discharged, CertifyError> {
        let start = Instant::now();
        let name = obligation.to_owned();
        let script = format!("{script}{}\n(exit)\n", self.check);
        let (output, success) = self.run(script, &name)?;
        let time = start.elapsed();
        tracing::debug!(obligation = name, ?time, answer = output.trim(), "solver");
        match output.trim() {
            "unsat" if success => Ok(Discharged { name, time }),
            "sat" if success => Err(CertifyError::Refuted { obligation: name }),
            "unknown" if success => Err(CertifyError::Unknown { obligation: name }),
            _ => Err(CertifyError::Answer {
                obligation: name,
                output: output.trim().chars().take(500).collect(),
            }),
        }
    }

    /// As [`SolverCommand::discharge`], but the solver just turns the script into clauses, by these commands. Their refutation is
    /// checked step by step.
    ///
    /// # Errors
    /// Everything but a refutation that holds.
    pub fn discharge_by_clauses(
        &self,
        obligation: &str,
        script: String,
        commands: &str,
    ) -> Result<Discharged, CertifyError> {
        let start = Instant::now();
        let name = obligation.to_owned();
        let (output, success) = self.run(format!("{script}{commands}\n(exit)\n"), &name)?;
        let translated = start.elapsed();
        let strange = |output: &str| CertifyError::Answer {
            obligation: name.clone(),
            output: output.trim().chars().take(500).collect(),
        };
        let clauses = clauses::parse(output.trim()).filter(|_| success);
        let clauses = clauses.ok_or_else(|| strange(&output))?;
        let number = clauses.len();
        let outcome = refute(clauses, start + self.time_limit).map_err(|wrong| strange(&wrong))?;
        let time = start.elapsed();
        tracing::debug!(
            obligation,
            ?translated,
            ?time,
            clauses = number,
            ?outcome,
            "refutation"
        );
        match outcome {
            RefutationResult::Refuted => Ok(Discharged { name, time }),
            RefutationResult::Satisfiable => Err(CertifyError::Refuted { obligation: name }),
            RefutationResult::Interrupted => Err(CertifyError::TimeLimit {
                obligation: name,
                limit: self.time_limit,
            }),
        }
    }

    /// What the solver writes to its standard output, and whether it ends well.
    fn run(&self, script: String, obligation: &str) -> Result<(String, bool), CertifyError> {
        let failed = |source| CertifyError::Start {
            program: self.program.clone(),
            source,
        };
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        let surroundings = Surroundings {
            input: StandardInput::Bytes(script.as_bytes()),
            output: StandardOutput::Captured,
            error_output: StandardOutput::Discarded,
            deadline: Instant::now().checked_add(self.time_limit),
            ..Surroundings::default()
        };
        match process::run(&command, &surroundings).map_err(failed)? {
            Ended::Exited(output) => {
                let text = abi::text::lines(&output.stdout);
                Ok((text, output.status.success()))
            }
            Ended::Deadline => Err(CertifyError::TimeLimit {
                obligation: obligation.to_owned(),
                limit: self.time_limit,
            }),
        }
    }
}
