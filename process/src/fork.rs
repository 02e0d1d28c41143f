//! What a new process does between fork and exec, and copies of this process that do not exec.
//!
//! The hooks here run in a copy of a process with many threads, of which only the one that forked goes on: locks that another
//! thread holds stay locked. So there is no allocation and nothing but system calls; what they need is made before.

#![allow(unsafe_code)] // Hooks before exec, fork, and closing the descriptors that a fork copies have no safe interface.

use std::ffi::{CStr, CString, c_int};
use std::io::{self, PipeReader};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::Mode;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, getpid, getppid, kill_process,
    pidfd_open, set_child_subreaper, set_dumpable_behavior, set_parent_process_death_signal,
    setpgid, waitpid,
};

use crate::reaper::{self, End};

/// What the copies of this process are called that go on beside it: the reaper of a command, the keeper of a directory.
pub(crate) const HELPERS: [&CStr; 2] = [c"reaper", c"keeper"];

/// How long a command may run.
pub(crate) struct Lifetime {
    /// The life line: it ends when the process is gone that started the command.
    pub(crate) line: PipeReader,
    /// When the command has to end.
    pub(crate) deadline: Option<Instant>,
    /// The life line of a process that waits until the command has ended.
    pub(crate) awaited: Option<OwnedFd>,
}

/// Whether the kernel knows how to close many descriptors at once, which came later than anything else that is needed.
pub(crate) fn is_supported() -> bool {
    // SAFETY: no process can have a descriptor of this number, so nothing is closed.
    unsafe { libc::close_range(libc::c_uint::MAX, libc::c_uint::MAX, 0) == 0 }
}

/// Lets this process and its children learn how their children end, even if the process was started with this signal
/// ignored.
fn hear_of_ends() {
    let mut action = MaybeUninit::uninit();
    // SAFETY: the first call initialises the action; the second one happens where no handler would be lost.
    unsafe {
        let asked = libc::sigaction(libc::SIGCHLD, std::ptr::null(), action.as_mut_ptr()) == 0;
        if asked && action.assume_init().sa_sigaction == libc::SIG_IGN {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        }
    }
}

/// Gives memory back that is free: a fork takes time for all that the process has, and so does the first write of each page while the copy
/// lives.
fn give_memory_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: the C library allows this at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Has the command run below a reaper, which ends as the command does.
pub(crate) fn below_reaper(command: &mut Command, lifetime: Lifetime) {
    hear_of_ends();
    give_memory_back();
    let hook = move || split(&lifetime);
    // SAFETY: the hook does as the head of this file says.
    unsafe { command.pre_exec(hook) };
}

/// The process that its parent knows becomes the reaper; its child goes on to exec.
fn split(lifetime: &Lifetime) -> io::Result<()> {
    rename(HELPERS[0]);
    let reaper = getpid();
    set_child_subreaper(Some(reaper))?;
    let mask = block_signals()?;
    // SAFETY: both processes go on with system calls alone.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            if getppid() != Some(reaper) {
                return Err(rustix::io::Errno::SRCH.into());
            }
            set_mask(&mask)
        }
        child => become_reaper(Pid::from_raw(child), lifetime),
    }
}

/// Serves as reaper until the end of the process. Signals stay blocked, and those of a terminal go to another group of processes.
fn become_reaper(child: Option<Pid>, lifetime: &Lifetime) -> ! {
    leave_group();
    let line = keep(0, lifetime.line.as_raw_fd());
    let first_to_close = match &lifetime.awaited {
        Some(awaited) => keep(1, awaited.as_raw_fd()).as_raw_fd() + 1,
        None => 1,
    };
    close_from(first_to_close);
    match reaper::serve(line, child, lifetime.deadline) {
        // SAFETY: nothing is left to do in this process.
        End::Code(code) => unsafe { libc::_exit(code) },
        End::Signal(signal) => end_by(signal),
    }
}

/// Has the command make a directory and wait until the life line ends before it starts. Its parent does not wait for that.
pub(crate) fn after_life(command: &mut Command, directory: CString, line: PipeReader) {
    hear_of_ends();
    let hook = move || {
        rename(HELPERS[1]);
        block_signals()?;
        leave_group();
        rustix::fs::mkdir(&directory, Mode::RWXU)?;
        let line = keep(3, line.as_raw_fd());
        close_from(4);
        reaper::wait_for_end(line);
        Ok(())
    };
    // SAFETY: the hook does as the head of this file says.
    unsafe { command.pre_exec(hook) };
}

/// Gives this copy another name than the process has, so that a signal to all processes of that name does not reach it, and its
/// memory is not counted again. The name lasts until exec.
fn rename(name: &CStr) {
    let _ = rustix::thread::set_name(name);
}

/// Leaves the group of the parent, to which a terminal sends signals.
fn leave_group() {
    let _ = setpgid(None, None);
}

/// Makes an open descriptor available under another number.
fn keep(number: c_int, descriptor: c_int) -> BorrowedFd<'static> {
    // SAFETY: no other code uses descriptors in this copy of the process any more, and this one stays open until the
    // end.
    unsafe {
        libc::dup2(descriptor, number);
        BorrowedFd::borrow_raw(number)
    }
}

/// Closes the descriptors from this one on, such as pipes that others expect to end.
fn close_from(first: c_int) {
    // SAFETY: no other code uses descriptors in this copy of the process any more.
    unsafe { libc::close_range(first.unsigned_abs(), libc::c_uint::MAX, 0) };
}

/// Blocks all signals that can be; gives those that were blocked before.
fn block_signals() -> io::Result<libc::sigset_t> {
    let mut all = MaybeUninit::uninit();
    // SAFETY: the call initialises the set.
    let all = unsafe {
        libc::sigfillset(all.as_mut_ptr());
        all.assume_init()
    };
    let mut before = all;
    // SAFETY: both sets are initialised.
    match unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before) } {
        0 => Ok(before),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

fn set_mask(mask: &libc::sigset_t) -> io::Result<()> {
    // SAFETY: the set is initialised.
    match unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, mask, std::ptr::null_mut()) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Ends this process by a signal, as the command was; without a core dump, since that would be of the wrong process.
fn end_by(signal: c_int) -> ! {
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    // SAFETY: no other thread of this process has a handler for the signal, and the set is initialised.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut none = MaybeUninit::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
        libc::kill(libc::getpid(), signal);
        // Signals that do not end a process end none.
        libc::_exit(128 + signal)
    }
}

/// Does work in a copy of this process, and says whether it gave `true` there within this time. The copy may crash.
///
/// Only the calling thread goes on in the copy. If the work waits for what another thread does or holds, it is not done in time.
pub fn succeeds_apart(work: impl FnOnce() -> bool, patience: Duration) -> bool {
    hear_of_ends();
    give_memory_back();
    let this = getpid();
    // SAFETY: the copy ends here, and what it shares with other threads is memory that stays as it was. Allocation works there, since
    // the C library keeps its locks for the fork.
    match unsafe { libc::fork() } {
        -1 => false,
        0 => {
            let is_done = work_in_copy(this, work);
            // SAFETY: nothing is left to do in this process, and nothing of what the other one holds is to be released.
            unsafe { libc::_exit(libc::c_int::from(!is_done)) }
        }
        child => Pid::from_raw(child).is_some_and(|child| ends_well(child, patience)),
    }
}

fn work_in_copy(parent: Pid, work: impl FnOnce() -> bool) -> bool {
    rename(HELPERS[0]);
    // Pipes that others expect to end are among the descriptors.
    close_from(0);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    getppid() == Some(parent) && catch_unwind(AssertUnwindSafe(work)).unwrap_or(false)
}

/// Whether a child ends with exit code 0 within this time; it is gone then in any case.
fn ends_well(child: Pid, patience: Duration) -> bool {
    let ended = pidfd_open(child, PidfdFlags::empty());
    let is_over = ended.is_ok_and(|ended| {
        let mut events = [PollFd::new(&ended, PollFlags::IN)];
        let time = Timespec::try_from(patience).ok();
        matches!(poll(&mut events, time.as_ref()), Ok(1))
    });
    if !is_over {
        let _ = kill_process(child, Signal::KILL);
    }
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => return status.exit_status() == Some(0),
            Err(rustix::io::Errno::INTR) => {}
            Ok(None) | Err(_) => return false,
        }
    }
}
