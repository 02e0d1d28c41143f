//! What this process asks of its fork server, and the answers.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a copy of the fork server does. The descriptors that come with it are named here.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Runs a command: its standard input, output and error output, and perhaps a life line that is held meanwhile.
    Run(CommandLine),
    /// Makes this directory, and removes it when a life line ends.
    Keep(OsString),
}

/// A command, and how long it may run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CommandLine {
    program: OsString,
    arguments: Vec<OsString>,
    /// Variables that get a value, or are taken away.
    environment: Vec<(OsString, Option<OsString>)>,
    directory: Option<OsString>,
    pub(crate) time: Option<Duration>,
}

/// What has become of a request.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// The number of the system's error.
    Refused(i32),
    /// The directory is there.
    Made,
    /// The status of the command, as the system gives it.
    Ended(i32),
}

impl CommandLine {
    pub(crate) fn new(command: &Command, time: Option<Duration>) -> Self {
        Self {
            program: command.get_program().to_owned(),
            arguments: command.get_args().map(OsStr::to_owned).collect(),
            environment: command
                .get_envs()
                .map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned)))
                .collect(),
            directory: command
                .get_current_dir()
                .map(|path| path.as_os_str().to_owned()),
            time,
        }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

impl Reply {
    pub(crate) fn refused(error: &io::Error) -> Self {
        Self::Refused(error.raw_os_error().unwrap_or(libc::EINVAL))
    }
}

/// Sends a message, which ends with its line.
pub(crate) fn send(mut connection: &UnixStream, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    connection.write_all(&line)
}

/// The next message; none if the other side is gone.
pub(crate) fn receive<T: DeserializeOwned>(connection: impl Read) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    BufReader::new(connection).read_until(b'\n', &mut line)?;
    match line.pop() {
        Some(b'\n') => Ok(Some(serde_json::from_slice(&line)?)),
        Some(_) | None => Ok(None),
    }
}
