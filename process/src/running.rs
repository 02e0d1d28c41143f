//! Running a command to its end.

use std::collections::BTreeMap;
use std::io::{self, PipeWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::fork::{self, Lifetime};
use crate::{Directory, reaper};

/// What a command is given beside its arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// What it reads from standard input. Without, the command says where its standard input comes from.
    pub input: Option<&'a [u8]>,
    /// When it is killed, with everything that it has started.
    pub deadline: Option<Instant>,
    /// A directory that it uses, which stays until the command is gone.
    pub directory: Option<&'a Directory>,
}

/// How a command ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself: its status, and what it wrote to outputs that are pipes.
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
pub fn run(mut command: Command, surroundings: &Surroundings<'_>) -> io::Result<Ended> {
    assert_supported()?;
    let (line, held) = io::pipe()?;
    let awaited = surroundings.directory.map(Directory::share).transpose()?;
    let deadline = surroundings.deadline;
    if surroundings.input.is_some() {
        command.stdin(Stdio::piped());
    }
    fork::below_reaper(
        &mut command,
        Lifetime {
            line,
            deadline,
            awaited,
        },
    );
    let registered = Registered::new(held)?;
    let child = command.spawn()?;
    // With the command goes this process' share of what only the reaper is to hold.
    drop(command);
    let output = exchange(child, surroundings.input)?;
    drop(registered);
    let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    Ok(match is_over && !output.status.success() {
        true => Ended::Deadline,
        false => Ended::Exited(output),
    })
}

/// Feeds a child and reads its output, side by side, so that neither waits for the other.
fn exchange(mut child: Child, input: Option<&[u8]>) -> io::Result<Output> {
    let pipe = child.stdin.take();
    thread::scope(|scope| {
        if let (Some(pipe), Some(input)) = (pipe, input) {
            thread::Builder::new().spawn_scoped(scope, || feed(pipe, input))?;
        }
        child.wait_with_output()
    })
}

fn feed(mut pipe: ChildStdin, input: &[u8]) {
    // A command that ends early has closed its input; its output and its status tell why.
    let _ = pipe.write_all(input);
}

fn assert_supported() -> io::Result<()> {
    let missing = match (fork::is_supported(), Path::new(reaper::CHILDREN).exists()) {
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
    /// Their life lines, while they are to live.
    lines: BTreeMap<u64, Option<PipeWriter>>,
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
    for line in all.lines.values_mut() {
        *line = None;
    }
    // Who waits for a command takes it from the list.
    let _ = CHANGED.wait_timeout_while(all, PATIENCE, |all| !all.lines.is_empty());
}

/// A command in the list of those that run.
struct Registered(u64);

impl Registered {
    fn new(line: PipeWriter) -> io::Result<Self> {
        let mut all = running();
        if all.is_ending {
            return Err(io::Error::other("this process is about to end"));
        }
        all.next += 1;
        let number = all.next;
        all.lines.insert(number, Some(line));
        Ok(Self(number))
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        running().lines.remove(&self.0);
        CHANGED.notify_all();
    }
}
