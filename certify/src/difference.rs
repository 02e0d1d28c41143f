//! Compares the system of a certificate with a given system.

use std::fmt;

use system::transition_system::TransitionSystem;

use crate::certificate::Certificate;
use crate::expression::{declaration, definition};
use crate::frame::{Definition, Frame, Variable};

/// Where a certificate speaks of another system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// A command differs.
    #[error("{part} {number} is {} in the certificate and {} in the system", shown(.certificate), shown(.system))]
    Command {
        /// What it says something of: `state variable`, `input` or `definition`.
        part: &'static str,
        /// Which of these, from 0.
        number: usize,
        /// The command of position 0 in the certificate; none if it says less.
        certificate: Option<String>,
        /// The command that the system has; none if the certificate says more.
        system: Option<String>,
    },
    /// No certificate can be about the system.
    #[error("the system is malformed: {0}")]
    System(String),
}

/// A command, shortened.
fn shown(command: &Option<String>) -> impl fmt::Display {
    match command {
        None => "missing".to_owned(),
        Some(command) => format!("`{}`", command.chars().take(200).collect::<String>()),
    }
}

impl Certificate {
    /// Compares what the certificate says of its system with what a certificate of `system` says: variables, first and next
    /// values, constraints, guard and violations. The proof is not looked at.
    ///
    /// # Errors
    /// The first difference.
    pub fn is_about(&self, system: &TransitionSystem) -> Result<(), Difference> {
        let expected = Frame::new(system, None).map_err(Difference::System)?;
        let declare = |known: &Variable| declaration(&known.name, known.sort, 0);
        let define = |known: &Definition| definition(&known.name, known.sort, &known.body, 0);
        let found = &self.frame;
        first_difference("state variable", &found.state, &expected.state, declare)?;
        first_difference("input", &found.inputs, &expected.inputs, declare)?;
        first_difference("definition", &found.system, &expected.system, define)
    }
}

fn first_difference<T: PartialEq>(
    part: &'static str,
    certificate: &[T],
    system: &[T],
    command: impl Fn(&T) -> String,
) -> Result<(), Difference> {
    let longest = certificate.len().max(system.len());
    let different = (0..longest).find(|&number| certificate.get(number) != system.get(number));
    different.map_or(Ok(()), |number| {
        let [certificate, system] =
            [certificate, system].map(|list| list.get(number).map(&command));
        Err(Difference::Command {
            part,
            number,
            certificate,
            system,
        })
    })
}
