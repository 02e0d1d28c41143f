//! Child processes that end with this process, whatever ends it.
//!
//! [`run`] starts a command below a *reaper*: a process that does nothing but wait until the command has ended, this
//! process is gone, or a deadline has passed; then it kills everything that is left of the command, its own children
//! included. The reaper learns that this process is gone from a *life line*: a pipe that no process writes to, and
//! whose writing end only this process holds. The kernel closes the writing end even after SIGKILL.
//!
//! [`succeeds_apart`] tries in a copy of this process what may crash. A [`Directory`] for temporary files goes away in the same manner, [`uses_more_than`] measures all processes together, and
//! [`end_all`] ends all commands at once.
//!
//! ```
//! use std::process::{Command, Stdio};
//! use process::{Ended, Surroundings, run};
//!
//! let mut command = Command::new("cat");
//! command.stdout(Stdio::piped());
//! let surroundings = Surroundings { input: Some(b"text"), ..Surroundings::default() };
//! let Ended::Exited(output) = run(command, &surroundings)? else { panic!("there is no deadline") };
//! assert_eq!(output.stdout, b"text");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! This needs Linux 5.9 with `/proc`. What may remain: the descendants of a command that kills its own reaper, and processes that
//! run as another user.

mod directory;
mod fork;
mod memory;
mod reaper;
mod running;

pub use directory::Directory;
pub use fork::succeeds_apart;
pub use memory::uses_more_than;
pub use running::{Ended, Surroundings, end_all, run};
