//! The fork server: a copy of this process from the time when it was small, which forks for it from then on.
//!
//! A fork copies the page tables of a process, and while its copy lives each page that the process changes. Forking the server
//! instead costs the same however large this process has become. The server does nothing else, and it ends with this process.
//!
//! Each request has a connection of its own, which a new copy of the server serves: a process with one thread. Beside the descriptors
//! that came with the request it has those that every program has that this process executes.

#![allow(unsafe_code)] // Fork, and closing the descriptors that it copies, have no safe interface.

use std::ffi::CStr;
use std::fs::{File, read_dir};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

use crate::message::{self, Reply, Request};
use crate::{directory, reaper};

/// What copies of this process are called that do not execute another program: the fork server, the reaper of a command, the
/// keeper of a directory. So a signal to all processes of the name of this one does not reach them, and their memory, which they
/// share with this process, is not counted again.
pub(crate) const HELPERS: [&CStr; 3] = [c"fork server", c"reaper", c"keeper"];

/// The connection, three standard streams and a life line.
const MOST_DESCRIPTORS: usize = 5;

static SERVER: Mutex<Option<UnixStream>> = Mutex::new(None);

/// Starts the fork server if there is none. The smaller this process is at that time, the less the server takes.
///
/// Commands have the environment, the current directory and the blocked signals that this thread has now.
///
/// # Errors
/// The system has no room for it.
pub fn prepare() -> io::Result<()> {
    let mut server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    if server.is_none() {
        *server = Some(start()?);
    }
    Ok(())
}

/// Gives a request to the server, with these descriptors.
pub(crate) fn ask(
    connection: &UnixStream,
    theirs: UnixStream,
    request: &Request,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    {
        let mut server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
        let all = [&[theirs.as_fd()], descriptors].concat();
        let is_sent = server
            .as_ref()
            .is_some_and(|server| connect(server, &all).is_ok());
        if !is_sent {
            // There was none, or it was killed.
            connect(server.insert(start()?), &all)?;
        }
    }
    drop(theirs);
    message::send(connection, request)
}

fn connect(server: &UnixStream, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    assert!(ancillary.push(SendAncillaryMessage::ScmRights(descriptors)));
    sendmsg(
        server,
        &[IoSlice::new(&[0])],
        &mut ancillary,
        SendFlags::NOSIGNAL,
    )?;
    Ok(())
}

fn start() -> io::Result<UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    give_memory_back();
    // SAFETY: the copy has one thread. Allocation works there, since the C library keeps its locks for the fork; it uses nothing else
    // that other threads may have locked.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => end(|| serve(theirs)),
        _ => Ok(ours),
    }
}

/// Does the work of a copy of this process, and ends the copy.
fn end(work: impl FnOnce() -> io::Result<()>) -> ! {
    let done = catch_unwind(AssertUnwindSafe(work));
    let is_done = matches!(done, Ok(Ok(())));
    // SAFETY: nothing is left to do in this process, and nothing of what its parent holds is to be released.
    unsafe { libc::_exit(libc::c_int::from(!is_done)) }
}

/// Serves until the process is gone that the server was copied from.
fn serve(requests: UnixStream) -> io::Result<()> {
    rename(HELPERS[0]);
    let mask = block_signals()?;
    close_own(&requests)?;
    // The kernel collects copies of the server that have ended.
    // SAFETY: no handler of this program is replaced.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    while let Some(descriptors) = accept(&requests)? {
        // SAFETY: this process has one thread.
        if unsafe { libc::fork() } == 0 {
            drop(requests);
            hear_of_ends();
            end(|| work(descriptors, &mask))
        }
        // Where there is no room for a copy, the connection is closed unanswered.
    }
    Ok(())
}

/// The descriptors of the next request; none if there will be no other.
fn accept(requests: &UnixStream) -> io::Result<Option<Vec<OwnedFd>>> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let mut buffers = [IoSliceMut::new(&mut byte)];
    let received = recvmsg(
        requests,
        &mut buffers,
        &mut ancillary,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    if received.bytes == 0 {
        return Ok(None);
    }
    if received.flags.contains(ReturnFlags::CTRUNC) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut descriptors = Vec::new();
    for part in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = part {
            descriptors.extend(received);
        }
    }
    Ok(Some(descriptors))
}

/// What a copy of the server does for one request.
fn work(descriptors: Vec<OwnedFd>, mask: &libc::sigset_t) -> io::Result<()> {
    let mut descriptors = descriptors.into_iter();
    let connection = descriptors.next().ok_or(io::ErrorKind::InvalidData)?;
    let connection = UnixStream::from(connection);
    let Some(request) = message::receive(&connection)? else {
        return Ok(());
    };
    let worked = match request {
        Request::Run(line) => {
            rename(HELPERS[1]);
            reaper::run(&line, descriptors.collect(), mask, &connection)
        }
        Request::Keep(path) => {
            rename(HELPERS[2]);
            let lines: Vec<OwnedFd> = descriptors.collect();
            directory::keep(path.as_ref(), &lines, &connection)
        }
    };
    worked.or_else(|error| message::send(&connection, &Reply::refused(&error)))
}

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

/// Closes what a program would not have that this process executes, but for the connection. The standard streams, which the library
/// takes to be open, lead nowhere.
fn close_own(connection: &UnixStream) -> io::Result<()> {
    let nowhere = File::options().read(true).write(true).open("/dev/null")?;
    for standard in 0..=2 {
        // SAFETY: the number is that of a standard stream.
        unsafe { libc::dup2(nowhere.as_raw_fd(), standard) };
    }
    drop(nowhere);
    let open: Vec<RawFd> = read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open {
        // SAFETY: no other code uses these descriptors in this copy of the process any more.
        unsafe {
            let is_own = libc::fcntl(descriptor, libc::F_GETFD) & libc::FD_CLOEXEC != 0;
            if is_own && descriptor != connection.as_raw_fd() {
                libc::close(descriptor);
            }
        }
    }
    Ok(())
}

/// Closes all descriptors but the standard ones and these, such as pipes that others expect to end.
pub(crate) fn close_all_but(kept: &[BorrowedFd<'_>]) {
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

/// Blocks all signals that can be; gives those that were blocked before.
fn block_signals() -> io::Result<libc::sigset_t> {
    let mut all = MaybeUninit::uninit();
    // SAFETY: the call initialises the set.
    let all = unsafe {
        libc::sigfillset(all.as_mut_ptr());
        all.assume_init()
    };
    set_mask(&all)
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
