//! Running a command to its end.

use std::collections::BTreeMap;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Output};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::message::{self, CommandLine, Reply, Request};
use crate::{Directory, copies, reaper, server};

/// What a command is given beside its arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// What it reads.
    pub input: StandardInput<'a>,
    /// Where it writes.
    pub output: StandardOutput,
    /// Where it complains.
    pub error_output: StandardOutput,
    /// When it is killed, with everything that it has started.
    pub deadline: Option<Instant>,
    /// A directory that it uses, which stays until the command is gone.
    pub directory: Option<&'a Directory>,
}

/// The standard input of a command.
#[derive(Clone, Copy, Debug, Default)]
pub enum StandardInput<'a> {
    /// That of this process.
    #[default]
    Inherited,
    /// Nothing.
    Empty,
    /// This, and then it ends.
    Bytes(&'a [u8]),
}

/// The standard output of a command, or its error output.
#[derive(Clone, Copy, Debug, Default)]
pub enum StandardOutput {
    /// That of this process.
    #[default]
    Inherited,
    /// What is written is lost.
    Discarded,
    /// It is part of the result.
    Captured,
}

/// How a command ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself: its status, and what it wrote to outputs that are captured.
    Exited(Output),
    /// At its deadline.
    Deadline,
}

/// Runs a command to its end, and ends what it leaves running.
///
/// The command is in the group of processes of this one, so a terminal sends both its signals, and both may write to it.
///
/// # Errors
/// It cannot be started, this process is about to end ([`end_all`]), or the system lacks what this crate needs.
pub fn run(command: &Command, surroundings: &Surroundings<'_>) -> io::Result<Ended> {
    assert_supported()?;
    let deadline = surroundings.deadline;
    let time = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let request = Request::Run(CommandLine::new(command, time));
    let (stdin, input) = surroundings.input.open()?;
    let (stdout, output) = surroundings.output.open(&io::stdout())?;
    let (stderr, error_output) = surroundings.error_output.open(&io::stderr())?;
    let awaited = surroundings.directory.map(Directory::share).transpose()?;
    let (connection, theirs) = UnixStream::pair()?;
    let registered = Registered::new(connection.try_clone()?)?;
    {
        let mut descriptors: Vec<BorrowedFd<'_>> =
            vec![stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        descriptors.extend(awaited.iter().map(AsFd::as_fd));
        server::ask(&connection, theirs, &request, &descriptors)?;
    }
    // Only the command has them now, so that they end with it.
    drop((stdin, stdout, stderr, awaited));
    let output = exchange(&connection, input, output, error_output)?;
    drop(registered);
    let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    Ok(match is_over && !output.status.success() {
        true => Ended::Deadline,
        false => Ended::Exited(output),
    })
}

/// What is to be written to a command.
struct Feed<'a> {
    pipe: PipeWriter,
    bytes: &'a [u8],
}

impl<'a> StandardInput<'a> {
    /// What the command reads from, and what is to be written to it.
    fn open(self) -> io::Result<(OwnedFd, Option<Feed<'a>>)> {
        Ok(match self {
            Self::Inherited => (io::stdin().as_fd().try_clone_to_owned()?, None),
            Self::Empty => (server::nowhere()?, None),
            Self::Bytes(bytes) => {
                let (read, pipe) = io::pipe()?;
                (read.into(), Some(Feed { pipe, bytes }))
            }
        })
    }
}

impl StandardOutput {
    /// What the command writes to, and where that is to be read.
    fn open(self, own: &impl AsFd) -> io::Result<(OwnedFd, Option<PipeReader>)> {
        Ok(match self {
            Self::Inherited => (own.as_fd().try_clone_to_owned()?, None),
            Self::Discarded => (server::nowhere()?, None),
            Self::Captured => {
                let (read, written) = io::pipe()?;
                (written.into(), Some(read))
            }
        })
    }
}

/// Feeds a command and reads its outputs, side by side, so that none waits for another; then learns how it ended.
fn exchange(
    connection: &UnixStream,
    input: Option<Feed<'_>>,
    output: Option<PipeReader>,
    error_output: Option<PipeReader>,
) -> io::Result<Output> {
    let (stdout, stderr) = thread::scope(|scope| {
        if let Some(feed) = input {
            thread::Builder::new().spawn_scoped(scope, || feed.write())?;
        }
        let beside = match error_output {
            Some(pipe) => Some(thread::Builder::new().spawn_scoped(scope, || all_of(pipe))?),
            None => None,
        };
        let stdout = output.map_or(Ok(Vec::new()), all_of)?;
        let stderr = beside.map_or(Ok(Vec::new()), |thread| {
            let panicked = |_| Err(io::Error::other("the reader of an output panicked"));
            thread.join().unwrap_or_else(panicked)
        })?;
        io::Result::Ok((stdout, stderr))
    })?;
    let status = match message::receive(connection)? {
        Some(Reply::Ended(status)) => status,
        Some(Reply::Refused(error)) => return Err(io::Error::from_raw_os_error(error)),
        // The command ends with its reaper.
        Some(Reply::Made) | None => libc::SIGKILL,
    };
    let status = ExitStatus::from_raw(status);
    Ok(Output {
        status,
        stdout,
        stderr,
    })
}

fn all_of(mut pipe: PipeReader) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Feed<'_> {
    fn write(mut self) {
        // A command that ends early has closed its input; its output and its status tell why.
        let _ = self.pipe.write_all(self.bytes);
    }
}

fn assert_supported() -> io::Result<()> {
    let missing = match (copies::is_supported(), Path::new(reaper::CHILDREN).exists()) {
        (true, true) => return Ok(()),
        (false, _) => "Linux 5.9 or newer",
        (true, false) => "/proc with lists of children (a kernel with CONFIG_PROC_CHILDREN)",
    };
    let message = format!("child processes that end with this one need {missing}");
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}

/// The commands that run.
struct Running {
    is_ending: bool,
    next: u64,
    /// Their life lines.
    lines: BTreeMap<u64, UnixStream>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    is_ending: false,
    next: 0,
    lines: BTreeMap::new(),
});
static CHANGED: Condvar = Condvar::new();

/// How long killed processes are waited for.
const PATIENCE: Duration = Duration::from_secs(5);

fn running() -> MutexGuard<'static, Running> {
    // Nothing panics while it is locked.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all commands and what they have started, waits until they are gone, and lets no other start: this process is about to
/// end. What the kernel cannot end within five seconds is not waited for.
pub fn end_all() {
    let mut all = running();
    all.is_ending = true;
    for line in all.lines.values() {
        let _ = line.shutdown(Shutdown::Write);
    }
    // Who waits for a command takes it from the list.
    let _ = CHANGED.wait_timeout_while(all, PATIENCE, |all| !all.lines.is_empty());
}

/// A command in the list of those that run.
struct Registered(u64);

impl Registered {
    fn new(line: UnixStream) -> io::Result<Self> {
        let mut all = running();
        if all.is_ending {
            return Err(io::Error::other("this process is about to end"));
        }
        all.next += 1;
        let number = all.next;
        all.lines.insert(number, line);
        Ok(Self(number))
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        running().lines.remove(&self.0);
        CHANGED.notify_all();
    }
}
