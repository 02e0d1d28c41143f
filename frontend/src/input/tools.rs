//! The tools that the front end runs, each in a process that ends with this one.

use std::io;
use std::process::{Command, Output};

use process::{Ended, Surroundings};

/// The compiler that turns C into bitcode of the version that is read.
pub const CLANG: &str = "clang-19";

/// The tool that tries untrusted bitcode in a process of its own, where it is not beside the LLVM that is linked.
pub(super) const CHECKER: &str = "opt-19";

/// The package with that tool.
pub(super) const CHECKER_PACKAGE: &str = "llvm-19";

/// Runs a tool, which ends with this process.
pub(super) fn finish(command: &Command, surroundings: &Surroundings<'_>) -> io::Result<Output> {
    match process::run(command, surroundings)? {
        Ended::Exited(output) => Ok(output),
        Ended::Deadline => Err(io::ErrorKind::TimedOut.into()),
    }
}
