//! Work in a copy of this process.

#![allow(unsafe_code)] // Fork has no safe interface.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, getpid, getppid, kill_process,
    pidfd_open, set_dumpable_behavior, set_parent_process_death_signal, waitpid,
};

use crate::copies::{ATTEMPT, close_from, give_memory_back, hear_of_ends, rename};

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
    rename(ATTEMPT);
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
            Err(Errno::INTR) => {}
            Ok(None) | Err(_) => return false,
        }
    }
}
