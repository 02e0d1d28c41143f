//! Proofs as files: the obligations one after the other, each between `push` and `pop`.

use std::fmt::Write;
use std::path::Path;

use system::transition_system::{Proof, TransitionSystem};

use crate::{Certified, CertifyError, Obligation, SolverCommand, discharge_all, obligations};

const LOGIC: &str = "(set-logic QF_BV)";
const STATUS: &str = "(set-info :status unsat)";
const NAME: &str = "; obligation: ";

/// Writes the obligations of a proof to a file. Any SMT solver that reads it must answer `unsat` to each.
///
/// # Errors
/// [`CertifyError::Proof`] if the proof is malformed, [`CertifyError::File`] if the file cannot be written.
pub fn write_certificate(
    system: &TransitionSystem,
    proof: &Proof,
    path: &Path,
) -> Result<(), CertifyError> {
    let text = certificate(&obligations(system, proof)?);
    std::fs::write(path, text).map_err(|source| CertifyError::File {
        path: path.to_owned(),
        source,
    })
}

fn certificate(obligations: &[Obligation]) -> String {
    let mut text = format!("; Proof of safety: each check must answer unsat.\n{LOGIC}\n");
    for Obligation {
        name,
        meaning,
        script,
    } in obligations
    {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n{NAME}{name}\n; {meaning}\n{STATUS}\n(push 1)\n{script}(check-sat)\n(pop 1)\n"
        );
    }
    text
}

/// Discharges the obligations of a file that [`write_certificate`] wrote.
///
/// # Errors
/// [`CertifyError::Certificate`] if the file has another form; else the first obligation that is not discharged.
pub fn check_certificate_file(
    path: &Path,
    solver: &SolverCommand,
) -> Result<Certified, CertifyError> {
    let text = std::fs::read_to_string(path).map_err(|source| CertifyError::File {
        path: path.to_owned(),
        source,
    })?;
    let malformed = |(line, cause)| CertifyError::Certificate {
        path: path.to_owned(),
        line,
        cause,
    };
    discharge_all(&parse(&text).map_err(malformed)?, solver)
}

/// The obligations of a certificate; everything else in it is a comment, or malformed.
fn parse(text: &str) -> Result<Vec<Obligation>, (usize, &'static str)> {
    let mut obligations = Vec::new();
    let mut name: Option<String> = None;
    let mut script: Option<String> = None;
    let mut checked = false;
    for (index, line) in text.lines().enumerate() {
        let malformed = |cause| Err((index + 1, cause));
        match (line, &mut script) {
            ("(push 1)", None) => script = Some(String::new()),
            ("(check-sat)", Some(_)) if !checked => checked = true,
            ("(pop 1)", Some(text)) if checked => {
                let Some(name) = name.take() else {
                    return malformed("an obligation without name");
                };
                obligations.push(Obligation {
                    name,
                    meaning: "",
                    script: std::mem::take(text),
                });
                (script, checked) = (None, false);
            }
            (line, Some(text)) if !checked && is_statement(line) => {
                text.push_str(line);
                text.push('\n');
            }
            (_, Some(_)) => {
                return malformed(
                    "expected declarations, definitions, assertions, one check-sat, pop",
                );
            }
            (LOGIC | STATUS | "", None) => {}
            (line, None) if line.starts_with(NAME) => {
                name = line.strip_prefix(NAME).map(str::to_owned)
            }
            (line, None) if line.starts_with(';') => {}
            (_, None) => {
                return malformed("expected a comment or an obligation between push and pop");
            }
        }
    }
    let end = text.lines().count();
    match (script, obligations.is_empty()) {
        (Some(_), _) => Err((end, "the last obligation does not end")),
        (None, true) => Err((end, "no obligations")),
        (None, false) => Ok(obligations),
    }
}

fn is_statement(line: &str) -> bool {
    ["(declare-fun ", "(define-fun ", "(assert "]
        .iter()
        .any(|start| line.starts_with(start))
}
