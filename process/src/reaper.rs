//! The process between this one and a command: it waits, and then kills what is left.
//!
//! All of this runs after a fork, so it makes system calls only; see [`crate::fork`].

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, kill_process, pidfd_open, wait,
};

/// How the reaper has to end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// How often processes are waited for whose parents ended before them.
const COLLECT: Duration = Duration::from_secs(1);

/// How often killed processes are looked at until they are gone.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The children of the thread that reads it: a reaper has one thread.
pub(crate) const CHILDREN: &str = "/proc/thread-self/children";

/// Waits until the child ends, the life line does or the deadline has passed; then ends all that is left of the child.
pub(crate) fn serve(line: BorrowedFd<'_>, child: Option<Pid>, deadline: Option<Instant>) -> End {
    let ended = child.and_then(|child| wait_for_child(line, child, deadline));
    end_children();
    let Some(status) = ended else {
        return End::Signal(Signal::KILL.as_raw());
    };
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Code(code),
        (None, Some(signal)) => End::Signal(signal),
        (None, None) => End::Signal(Signal::KILL.as_raw()),
    }
}

/// Waits until the life line ends.
pub(crate) fn wait_for_end(line: BorrowedFd<'_>) {
    let mut events = [PollFd::new(&line, PollFlags::empty())];
    while events[0].revents().is_empty() {
        let _ = poll(&mut events, None);
    }
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
            PollFd::new(&line, PollFlags::empty()),
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
        assert_eq!(read(""), []);
    }
}
