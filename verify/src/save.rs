//! The file that the schedule of a violation is written to.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use abi::schedule::Schedule;

use crate::verdict::Failure;

/// Finds out whether the file can be written, before the work is done whose result would be lost. The file stays as it is.
///
/// # Errors
/// It cannot. Pipes and devices are not tried.
pub fn check(file: &Path) -> Result<(), Failure> {
    let tried = match fs::metadata(file) {
        Ok(metadata) if metadata.is_file() || metadata.is_dir() => append(file),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            append(file).and_then(|()| fs::remove_file(file))
        }
        Err(error) => Err(error),
    };
    tried.map_err(|error| failure(file, &error))
}

fn append(file: &Path) -> io::Result<()> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .map(drop)
}

/// Writes the schedule.
///
/// # Errors
/// The file cannot be written.
pub fn write(file: &Path, schedule: &Schedule) -> Result<(), Failure> {
    fs::write(file, schedule.to_string()).map_err(|error| failure(file, &error))
}

fn failure(file: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!(
        "cannot write the schedule to `{}`: {error}; --schedule-out needs a file that may be written",
        file.display()
    ))
}
