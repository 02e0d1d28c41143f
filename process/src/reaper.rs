//! The process between this one and a command: it waits, and then kills what is left.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, pidfd_open,
    set_child_subreaper, set_parent_process_death_signal, wait,
};

use crate::copies::{self, retire};
use crate::message::{self, CommandLine, Reply};

/// How often processes are waited for whose parents ended before them.
const COLLECT: Duration = Duration::from_secs(1);

/// How often killed processes are looked at until they are gone.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The children of the thread that reads it: a reaper has one thread.
pub(crate) const CHILDREN: &str = "/proc/thread-self/children";

/// Runs a command, in the copy of the fork server that is its reaper, and says how it ended. The connection is the life line.
pub(crate) fn run(
    line: &CommandLine,
    descriptors: Vec<OwnedFd>,
    mask: &libc::sigset_t,
    connection: &UnixStream,
) -> io::Result<()> {
    let deadline = line.time.and_then(|time| Instant::now().checked_add(time));
    let mut descriptors = descriptors.into_iter();
    let mut stream = || descriptors.next().map_or_else(Stdio::null, Stdio::from);
    let mut command = line.command();
    command.stdin(stream()).stdout(stream()).stderr(stream());
    let child = start(&mut command, *mask)?;
    // The command's streams end with the command.
    drop(command);
    let lines: Vec<OwnedFd> = descriptors.collect();
    retire(connection, &lines);
    let ended = wait_for_child(connection.as_fd(), child, deadline);
    end_children();
    let status = ended.map_or(Signal::KILL.as_raw(), WaitStatus::as_raw);
    message::send(connection, &Reply::Ended(status))
}

/// Starts a command that ends if this process does, and becomes the parent of the command's descendants when theirs end.
fn start(command: &mut Command, mask: libc::sigset_t) -> io::Result<Pid> {
    let reaper = getpid();
    set_child_subreaper(Some(reaper))?;
    let hook = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        match getppid() {
            Some(parent) if parent == reaper => copies::set_mask(&mask).map(drop),
            Some(_) | None => Err(Errno::SRCH.into()),
        }
    };
    #[allow(unsafe_code)] // Hooks before exec have no safe interface.
    // SAFETY: the hook makes system calls only.
    let child = unsafe { command.pre_exec(hook) }.spawn()?;
    Ok(Pid::from_child(&child))
}

/// How the child ended, if it did by itself.
fn wait_for_child(
    line: BorrowedFd<'_>,
    child: Pid,
    deadline: Option<Instant>,
) -> Option<WaitStatus> {
    let ended: OwnedFd = pidfd_open(child, PidfdFlags::empty()).ok()?;
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let mut events = [
            PollFd::new(&line, PollFlags::RDHUP),
            PollFd::from_borrowed_fd(ended.as_fd(), PollFlags::IN),
        ];
        let time = Timespec::try_from(left.map_or(COLLECT, |left| left.min(COLLECT))).ok();
        let _ = poll(&mut events, time.as_ref());
        if let Some(status) = collect(child) {
            return Some(status);
        }
        let has_event = events.iter().any(|event| !event.revents().is_empty());
        if has_event || left == Some(Duration::ZERO) {
            return None;
        }
    }
}

/// Collects processes that have ended; gives the status of the child if it is one of them.
fn collect(child: Pid) -> Option<WaitStatus> {
    while let Ok(Some((process, status))) = wait(WaitOptions::NOHANG) {
        if process == child {
            return Some(status);
        }
    }
    None
}

/// Kills all children until there are none. The children of one that ends become children of the reaper, however they were
/// started, so that in the end all descendants are gone.
fn end_children() {
    let mut pause = Duration::from_millis(1);
    loop {
        for_each_child(|child| {
            // Another user's process may refuse; then there is nothing to do but to wait for its end.
            let _ = kill_process(child, Signal::KILL);
        });
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Calls back with the children of this process, or as many as fit into a page: it is asked again.
fn for_each_child(mut call: impl FnMut(Pid)) {
    let mut buffer = [0; 4096];
    let Ok(file) = openat(CWD, CHILDREN, OFlags::RDONLY, Mode::empty()) else {
        return;
    };
    let length = rustix::io::read(&file, &mut buffer).unwrap_or(0);
    numbers(&buffer[..length], |number| {
        if let Some(child) = Pid::from_raw(number) {
            call(child);
        }
    });
}

/// Calls back with the numbers that are followed by a space: another one may be cut.
fn numbers(text: &[u8], mut call: impl FnMut(i32)) {
    let mut number = 0i32;
    for &byte in text {
        match byte {
            b'0'..=b'9' => number = number.wrapping_mul(10).wrapping_add(i32::from(byte - b'0')),
            _ => {
                call(number);
                number = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_cut_is_none() {
        let read = |text: &str| {
            let mut found = Vec::new();
            numbers(text.as_bytes(), |number| found.push(number));
            found
        };
        assert_eq!(read("12 3456 "), [12, 3456]);
        assert_eq!(read("12 34"), [12]);
        assert!(read("").is_empty());
    }
}
