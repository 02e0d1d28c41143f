//! A directory for temporary files that goes away with this process, whatever ends it.

use std::ffi::CString;
use std::io::{self, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::fork;

/// Removes a directory with all its content.
const REMOVE: &str = "rm";

/// Where that is on every Linux, whatever `PATH` says.
const SYSTEM: [&str; 2] = ["/usr/bin", "/bin"];

/// A new directory below `TMPDIR`, or `/tmp`, that only this user may enter.
///
/// A process makes it, its *keeper*, and removes it when this value is dropped, or when this process and all commands that
/// [use](crate::Surroundings::directory) it are gone.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    line: Option<PipeWriter>,
    keeper: Child,
}

impl Directory {
    /// Makes a directory.
    ///
    /// # Errors
    /// There is no place for it, or nothing to remove it with. The message names the place.
    pub fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        let make = || {
            let parent = parent.canonicalize()?;
            let mut builder = tempfile::Builder::new();
            let made = builder.prefix("mazurka-").make_in(parent, keep)?;
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
        let _ = self.keeper.wait();
    }
}

/// Starts the keeper of a directory. The keeper itself makes the directory, so there is no time at which no process
/// would remove it.
fn keep(path: &Path) -> io::Result<(PipeWriter, Child)> {
    let (line, held) = io::pipe()?;
    let directory = CString::new(path.as_os_str().as_bytes())?;
    let mut command = Command::new(remover()?);
    command.args(["-rf", "--"]).arg(path);
    for set in [Command::stdin, Command::stdout, Command::stderr] {
        set(&mut command, Stdio::null());
    }
    fork::after_life(&mut command, directory, line);
    Ok((held, command.spawn()?))
}

fn remover() -> io::Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = SYSTEM
        .map(PathBuf::from)
        .into_iter()
        .chain(std::env::split_paths(&path));
    let found = places.find_map(|place| Some(place.join(REMOVE)).filter(|file| file.is_file()));
    let missing = || io::Error::other(format!("there is no `{REMOVE}` to remove it with"));
    found.ok_or_else(missing)
}
