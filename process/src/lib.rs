//! Child processes that end with this process, whatever ends it.
//!
//! [`run`] starts a command below a *reaper*: a process that does nothing but wait until the command has ended, this
//! process is gone, or a deadline has passed; then it kills everything that is left of the command, its own children
//! included. The reaper learns that this process is gone from a *life line*: a connection whose other end only this
//! process holds. The kernel closes that even after SIGKILL. The reaper is forked by the [fork server](prepare), a copy
//! of this process from the time when it was small.
//!
//! [`succeeds_apart`] tries in a copy of this process what may crash. A [`Directory`] for temporary files goes away in
//! the same manner, [`uses_more_than`] measures all processes together, and [`end_all`] ends all commands at once.
//!
//! ```
//! use std::process::Command;
//! use process::{Ended, StandardInput, StandardOutput, Surroundings, run};
//!
//! let surroundings = Surroundings {
//!     input: StandardInput::Bytes(b"text"),
//!     output: StandardOutput::Captured,
//!     ..Surroundings::default()
//! };
//! let Ended::Exited(output) = run(&Command::new("cat"), &surroundings)? else { panic!("there is no deadline") };
//! assert_eq!(output.stdout, b"text");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! This needs Linux 5.9 with `/proc`. What may remain: the descendants of a command that kills its own reaper, and processes that
//! run as another user.

mod apart;
mod copies;
mod directory;
mod keeper;
mod memory;
mod message;
mod reaper;
mod running;
mod server;

pub use apart::succeeds_apart;
pub use directory::Directory;
pub use memory::uses_more_than;
pub use running::{Ended, StandardInput, StandardOutput, Surroundings, end_all, run};
pub use server::prepare;
