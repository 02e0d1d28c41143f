//! The fork server: a copy of this process from the time when it was small, which forks for it from then on.
//!
//! A fork copies the page tables of a process, and while its copy lives each page that the process changes. Forking the server
//! instead costs the same however large this process has become. The server does nothing else, and it ends with this process.
//!
//! Each request has a connection of its own, which a new copy of the server serves: a process with one thread. Beside the descriptors
//! that came with the request it has those that every program has that this process executes.

#![allow(unsafe_code)] // Fork, and closing the descriptors that it copies, have no safe interface.

use std::fs::{File, read_dir};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

use crate::copies::{
    FORK_SERVER, KEEPER, REAPER, give_memory_back, hear_of_ends, rename, set_mask,
};
use crate::message::{self, Reply, Request};
use crate::{keeper, reaper};

/// The connection, three standard streams and a life line.
const MOST_DESCRIPTORS: usize = 5;

static SERVER: Mutex<Option<UnixStream>> = Mutex::new(None);

fn server() -> MutexGuard<'static, Option<UnixStream>> {
    // What panics while it is locked leaves it as it was.
    SERVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the fork server if there is none. The smaller this process is at that time, the less the server takes.
///
/// Commands have the environment, the current directory and the blocked signals that this thread has now.
///
/// # Errors
/// The system has no room for it.
pub fn prepare() -> io::Result<()> {
    let mut server = server();
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
        let mut server = server();
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
    rename(FORK_SERVER);
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
            rename(REAPER);
            reaper::run(&line, descriptors.collect(), mask, &connection)
        }
        Request::Keep(path) => {
            rename(KEEPER);
            let lines: Vec<OwnedFd> = descriptors.collect();
            keeper::run(path.as_ref(), &lines, &connection)
        }
    };
    worked.or_else(|error| message::send(&connection, &Reply::refused(&error)))
}

/// Closes what a program would not have that this process executes, but for the connection. The standard streams, which the library
/// takes to be open, lead nowhere.
fn close_own(connection: &UnixStream) -> io::Result<()> {
    let nowhere = nowhere()?;
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

/// Where input is empty and output is lost.
pub(crate) fn nowhere() -> io::Result<OwnedFd> {
    let file = File::options().read(true).write(true).open("/dev/null")?;
    Ok(file.into())
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
