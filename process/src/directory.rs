use std::io::{self, PipeWriter, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use crate::message::{self, Reply, Request};
use crate::server;

/// A new directory below `TMPDIR`, or `/tmp`, that only this user may enter.
///
/// A process makes it, its *keeper*, and removes it when this value is dropped, or when this process and all commands that
/// [use](crate::Surroundings::directory) it are gone.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    line: Option<PipeWriter>,
    /// It ends when the keeper does.
    keeper: UnixStream,
}

impl Directory {
    /// Makes a directory.
    ///
    /// # Errors
    /// There is no place for it. The message names the place.
    pub fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        let make = || {
            let parent = parent.canonicalize()?;
            let mut builder = tempfile::Builder::new();
            let made = builder.prefix("mazurka-").make_in(parent, start_keeper)?;
            let ((line, keeper), path) = made.into_parts();
            let path = path.keep().map_err(|error| error.error)?;
            Ok(Self {
                path,
                line: Some(line),
                keeper,
            })
        };
        make().map_err(|error: io::Error| {
            let message = format!(
                "cannot make a temporary directory in `{}`: {error}; TMPDIR names another place",
                abi::text::path(parent)
            );
            io::Error::new(error.kind(), message)
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Another end of the life line, whose holder the keeper waits for.
    pub(crate) fn share(&self) -> io::Result<OwnedFd> {
        match &self.line {
            Some(line) => Ok(line.try_clone()?.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        drop(self.line.take());
        let _ = self.keeper.read_to_end(&mut Vec::new());
    }
}

/// Starts the keeper of a directory. The keeper itself makes the directory, so there is no time at which no process
/// would remove it.
fn start_keeper(path: &Path) -> io::Result<(PipeWriter, UnixStream)> {
    let (line, held) = io::pipe()?;
    let (connection, theirs) = UnixStream::pair()?;
    let request = Request::Keep(path.as_os_str().to_owned());
    server::ask(&connection, theirs, &request, &[line.as_fd()])?;
    match message::receive(&connection)? {
        Some(Reply::Made) => Ok((held, connection)),
        Some(Reply::Refused(error)) => Err(io::Error::from_raw_os_error(error)),
        Some(Reply::Ended(_)) | None => Err(io::Error::other("its keeper was killed")),
    }
}
