//! Copies of this process that do not execute another program.

#![allow(unsafe_code)] // Descriptors that a fork copies, signals and the allocator have no safe interface.

use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::setpgid;

pub(crate) const FORK_SERVER: &CStr = c"fork server";
pub(crate) const REAPER: &CStr = c"reaper";
pub(crate) const KEEPER: &CStr = c"keeper";
/// A copy that tries what may crash.
pub(crate) const ATTEMPT: &CStr = c"attempt";

/// What such copies are called. So a signal to all processes of the name of this one does not reach them, and their memory, which
/// they share with this process, is not counted again.
pub(crate) const COPIES: [&CStr; 4] = [FORK_SERVER, REAPER, KEEPER, ATTEMPT];

/// Gives memory back that is free: a fork takes time for all that the process has, and so does the first write of each page while the copy
/// lives.
pub(crate) fn give_memory_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: the C library allows this at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Gives this copy another name than the process has; it lasts until exec.
pub(crate) fn rename(name: &CStr) {
    let _ = rustix::thread::set_name(name);
}

/// Whether the kernel knows how to close many descriptors at once, which came later than anything else that is needed.
pub(crate) fn is_supported() -> bool {
    // SAFETY: no process can have a descriptor of this number, so nothing is closed.
    unsafe { libc::close_range(libc::c_uint::MAX, libc::c_uint::MAX, 0) == 0 }
}

/// Keeps nothing open but the connection and life lines, and leaves the group of the process that is served: so not even SIGKILL to
/// all of the group keeps a reaper or a keeper from its work.
pub(crate) fn retire(connection: &UnixStream, lines: &[OwnedFd]) {
    let lines = lines.iter().map(AsFd::as_fd);
    let kept: Vec<BorrowedFd<'_>> = lines.chain([connection.as_fd()]).collect();
    close_all_but(&kept);
    let _ = setpgid(None, None);
}

/// Waits until the life line ends.
pub(crate) fn wait_for_end(line: BorrowedFd<'_>) {
    let mut events = [PollFd::new(&line, PollFlags::empty())];
    while events[0].revents().is_empty() {
        let _ = poll(&mut events, None);
    }
}

/// Closes all descriptors but the standard ones and these, such as pipes that others expect to end.
fn close_all_but(kept: &[BorrowedFd<'_>]) {
    let mut kept: Vec<RawFd> = kept.iter().map(AsRawFd::as_raw_fd).collect();
    kept.sort_unstable();
    let mut first = 3;
    for number in kept {
        close_range(first, number - 1);
        first = number + 1;
    }
    close_from(first);
}

/// Closes the descriptors from this one on.
pub(crate) fn close_from(first: libc::c_int) {
    close_range(first, libc::c_int::MAX);
}

fn close_range(first: libc::c_int, last: libc::c_int) {
    // SAFETY: no other code uses descriptors in this copy of the process any more.
    unsafe { libc::close_range(first.unsigned_abs(), last.unsigned_abs(), 0) };
}

/// Lets this process learn how its children end, even if it was started with this signal ignored.
pub(crate) fn hear_of_ends() {
    let mut action = MaybeUninit::uninit();
    // SAFETY: the first call initialises the action; the second one happens where no handler would be lost.
    unsafe {
        let asked = libc::sigaction(libc::SIGCHLD, std::ptr::null(), action.as_mut_ptr()) == 0;
        if asked && action.assume_init().sa_sigaction == libc::SIG_IGN {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        }
    }
}

/// Blocks these signals and no others; gives those that were blocked before.
pub(crate) fn set_mask(blocked: &libc::sigset_t) -> io::Result<libc::sigset_t> {
    let mut before = MaybeUninit::uninit();
    // SAFETY: the set is initialised, and so is the other one where the call succeeds.
    unsafe {
        match libc::pthread_sigmask(libc::SIG_SETMASK, blocked, before.as_mut_ptr()) {
            0 => Ok(before.assume_init()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}
