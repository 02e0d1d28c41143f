//! The process that removes a directory for temporary files when nobody uses it any more.

use std::fs::{DirBuilder, remove_dir_all};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::copies::{retire, wait_for_end};
use crate::message::{self, Reply};

/// Keeps a directory, in the copy of the fork server that is its keeper, until its life line ends.
pub(crate) fn run(path: &Path, lines: &[OwnedFd], connection: &UnixStream) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)?;
    retire(connection, lines);
    message::send(connection, &Reply::Made)?;
    for line in lines {
        wait_for_end(line.as_fd());
    }
    remove_dir_all(path)
}
