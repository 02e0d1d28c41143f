//! Starting a verifier whose child hangs, ending it, and looking for what is left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::processes::{MARK, command_line, is_helper, marked};

pub const VERIFY: &str = env!("CARGO_BIN_EXE_verify");

/// No machine is so slow.
const LONG: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(2);

/// A tool that ignores signals, as does a child of its in another session.
pub const HANGS: &str = "trap '' TERM INT HUP
(setsid sh -c 'trap \"\" TERM INT HUP; while :; do sleep 1; done' 'in a session' &)
while :; do sleep 1; done
";

/// The same, and it uses 600 MiB.
pub const GROWS: &str = "trap '' TERM INT HUP
(setsid sh -c 'dd if=/dev/zero of=/dev/null bs=600M' 'in a session' &)
while :; do sleep 1; done
";

/// Less than that, and more than a verifier takes that has just begun.
const MEBIBYTES: &str = "500";

/// How the verifier ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At `--timeout`.
    Time,
    /// At `--memory`.
    Memory,
    Interrupt,
    Terminate,
    HangUp,
    Kill,
    /// By itself, with the exit code for unusable input.
    Refused,
}

impl Ending {
    pub const SIGNALS: [Self; 4] = [Self::Interrupt, Self::Terminate, Self::HangUp, Self::Kill];
    pub const ALL: [Self; 5] = [
        Self::Time,
        Self::Interrupt,
        Self::Terminate,
        Self::HangUp,
        Self::Kill,
    ];
    pub const WITH_MEMORY: [Self; 6] = [
        Self::Time,
        Self::Memory,
        Self::Interrupt,
        Self::Terminate,
        Self::HangUp,
        Self::Kill,
    ];

    fn signal(self) -> Option<Signal> {
        match self {
            Self::Time | Self::Memory | Self::Refused => None,
            Self::Interrupt => Some(Signal::INT),
            Self::Terminate => Some(Signal::TERM),
            Self::HangUp => Some(Signal::HUP),
            Self::Kill => Some(Signal::KILL),
        }
    }

    fn assert_status(self, status: ExitStatus) {
        match self.signal() {
            Some(signal) => assert_eq!(status.signal(), Some(signal.as_raw()), "{self:?}"),
            None => {
                let code = if self == Self::Refused { 2 } else { 5 };
                assert_eq!(status.code(), Some(code), "{self:?}");
            }
        }
    }
}

/// A verifier to start.
#[derive(Debug)]
pub struct Case {
    arguments: Vec<String>,
    /// What the command line of the child has that hangs.
    child: String,
    /// Whether the child hangs because it is stopped.
    is_stopped: bool,
}

impl Case {
    pub fn new(child: &str) -> Self {
        Self {
            arguments: Vec::new(),
            child: child.into(),
            is_stopped: false,
        }
    }

    pub fn stopped(mut self) -> Self {
        self.is_stopped = true;
        self
    }

    pub fn arguments(mut self, words: &[&str]) -> Self {
        self.arguments.extend(words.iter().map(|&word| word.into()));
        self
    }
}

pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples")
}

pub fn output(arguments: &[&str]) -> Output {
    let mut command = Command::new(VERIFY);
    command.args(arguments).stdin(Stdio::null());
    command.output().expect("the binary runs")
}

/// Puts a shell script in front of a tool.
pub fn tool(directory: &Path, name: &str, script: &str) {
    let folder = directory.join("tools");
    fs::create_dir_all(&folder).expect("the directory is writable");
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{script}")).expect("the directory is writable");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the file is ours");
}

/// Ends a case in each way; it is made in a directory of its own.
pub fn endings(ways: &[Ending], case: impl Fn(&Path, Ending) -> Case) {
    for &ending in ways {
        // A limit of time that comes before the child is there shows nothing.
        let mut limits = [1, 4, 16, 64].iter();
        let is_shown = limits.any(|&seconds| {
            let directory = tempfile::tempdir().expect("a temporary directory");
            end(
                &case(directory.path(), ending),
                ending,
                directory.path(),
                seconds,
            )
        });
        assert!(is_shown, "{ending:?}: the child is not seen");
    }
}

/// Ends a case; gives whether its child was seen.
fn end(case: &Case, ending: Ending, directory: &Path, seconds: u64) -> bool {
    let temporary = directory.join("temporary");
    fs::create_dir(&temporary).expect("the directory is writable");
    let mark = unique();
    let mut verifier = start(case, ending, (directory, &temporary), (&mark, seconds));
    let child = find_child(case, &mark, &mut verifier);
    if let Some(signal) = ending.signal() {
        assert!(child.is_some(), "{ending:?}: the child is not seen");
        let verifier = Pid::from_child(&verifier);
        kill_process(verifier, signal).expect("the verifier runs");
    }
    let told = Instant::now();
    let status = wait(&mut verifier);
    let ended = Instant::now();
    ending.assert_status(status);
    let gone = clean_up(&mark, &temporary, ending);
    let words = case.arguments.join(" ");
    eprintln!(
        "{ending:?}: ends after {:.0?}, its children {gone:.0?} later: {words}",
        ended - told
    );
    child.is_some() || case.child.is_empty()
}

/// How long it takes until no process and no file is left. A process that becomes another program has no environment meanwhile, so
/// they are looked for several times.
fn clean_up(mark: &str, temporary: &Path, ending: Ending) -> Duration {
    let start = Instant::now();
    let (mut gone, mut times) = (Duration::ZERO, 0);
    while times < 5 {
        let processes: Vec<String> = marked(mark).into_iter().map(command_line).collect();
        let files = fs::read_dir(temporary).expect("it stays").flatten();
        let files: Vec<_> = files.map(|file| file.path()).collect();
        times += 1;
        if !processes.is_empty() || !files.is_empty() {
            assert!(
                start.elapsed() < LONG,
                "{ending:?} leaves {processes:?} and {files:?}"
            );
            (gone, times) = (start.elapsed(), 0);
        }
        sleep(POLL);
    }
    gone
}

fn start(
    case: &Case,
    ending: Ending,
    (directory, temporary): (&Path, &Path),
    (mark, seconds): (&str, u64),
) -> Child {
    let mut command = Command::new(VERIFY);
    command.args(&case.arguments);
    match ending {
        Ending::Time => command.arg("--timeout").arg(seconds.to_string()),
        Ending::Memory => command.args(["--memory", MEBIBYTES]),
        Ending::Interrupt | Ending::Terminate | Ending::HangUp | Ending::Kill | Ending::Refused => {
            &mut command
        }
    };
    let tools = directory.join("tools");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = [tools.clone()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let path = std::env::join_paths(places).expect("no colon in a path");
    command
        .env("PATH", path)
        // Where clang looks for the linker first.
        .env("COMPILER_PATH", tools)
        .env("TMPDIR", temporary)
        .env(MARK, mark)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().expect("the binary runs")
}

/// Waits for the child that hangs, or for the end of the verifier.
fn find_child(case: &Case, mark: &str, verifier: &mut Child) -> Option<i32> {
    let start = Instant::now();
    let own = i32::try_from(verifier.id()).expect("a process");
    while verifier.try_wait().expect("a child").is_none() {
        assert!(start.elapsed() < LONG, "nothing happens: {case:?}");
        let is_child = |&process: &i32| {
            process != own && !is_helper(process) && command_line(process).contains(&case.child)
        };
        if let Some(child) = marked(mark)
            .into_iter()
            .find(is_child)
            .filter(|_| !case.child.is_empty())
        {
            if case.is_stopped {
                // It may have ended by now: then the verifier ends, too.
                let _ = kill_process(Pid::from_raw(child)?, Signal::STOP);
            }
            return Some(child);
        }
        sleep(POLL);
    }
    None
}

fn wait(verifier: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = verifier.try_wait().expect("a child") {
            return status;
        }
        assert!(start.elapsed() < LONG, "the verifier does not end");
        sleep(POLL);
    }
}

/// A mark that no other process has.
fn unique() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!(
        "{}.{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}
