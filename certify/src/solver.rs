//! One solver process for each question, with a time limit; its answer is read strictly.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::certificate::CHECK;
use crate::refutation::{Outcome, refute};
use crate::{CertifyError, Discharged, clauses};

/// How to run a solver that reads SMT-LIB from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand {
    /// The program, found as a shell would.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The command that asks for an answer.
    pub check: &'static str,
    /// The commands that ask for an equisatisfiable set of clauses such as [`SolverCommand::discharge_by_clauses`] reads, if it
    /// knows any.
    pub clauses: Option<&'static str>,
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
        // Z3 ends by itself, too, should nobody be left to end it.
        let deadline = time_limit.as_secs().saturating_add(2).min(1 << 20);
        Self {
            program: "z3".to_owned(),
            arguments: vec!["-in".to_owned(), format!("-T:{deadline}")],
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
            Outcome::Refuted => Ok(Discharged { name, time }),
            Outcome::Satisfiable => Err(CertifyError::Refuted { obligation: name }),
            Outcome::Interrupted => Err(CertifyError::TimeLimit {
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
        command
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let deadline = Instant::now() + self.time_limit;
        let answer = exchange(&mut child, script).recv_timeout(self.time_limit);
        let status = if answer.is_ok() {
            wait(&mut child, deadline).map_err(failed)?
        } else {
            None
        };
        match (answer, status) {
            (Ok(answer), Some(status)) => Ok((answer.map_err(failed)?, status.success())),
            (Ok(_), None) | (Err(_), _) => {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                let obligation = obligation.to_owned();
                Err(CertifyError::TimeLimit {
                    obligation,
                    limit: self.time_limit,
                })
            }
        }
    }
}

/// How the process ended, if it does before the deadline.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Feeds the process and reads its output until it ends, in a thread each, so that neither waits for the other.
fn exchange(child: &mut Child, script: String) -> mpsc::Receiver<std::io::Result<String>> {
    let (sender, receiver) = mpsc::channel();
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    thread::spawn(move || {
        // A solver that ends early has closed its input; its output tells why.
        let _ = stdin.map(|mut stdin| stdin.write_all(script.as_bytes()));
    });
    thread::spawn(move || {
        let mut output = Vec::new();
        let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut output));
        // Nobody listens any more after the time limit.
        let _ = sender.send(read.map(|_| abi::text::lines(&output)));
    });
    receiver
}
