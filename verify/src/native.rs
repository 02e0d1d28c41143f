//! Native executables: instrumented bitcode, linked with the runtime.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use abi::text::{self, lines};
use instrument::Plan;
use program::input::CLANG;
use program::{Loaded, operand};
use tempfile::TempDir;

use crate::options::ProgramOptions;
use crate::pipeline::Original;
use crate::verdict::Failure;
use crate::{bounds, pipeline};

/// The static library beside the executable `verify`, or where this variable says.
const LIBRARY: &str = "libruntime.a";
const LIBRARY_VARIABLE: &str = "MAZURKA_RUNTIME";

const POLL: Duration = Duration::from_millis(5);

/// An executable in a directory of its own, which goes with it.
#[derive(Debug)]
pub struct Executable {
    directory: TempDir,
}

/// Runs a program natively; gives its exit code, which is 128 and the number of the signal that ended it, as in a shell.
///
/// # Errors
/// The program cannot be used, or the executable cannot be built.
pub fn run(options: &ProgramOptions, arguments: &[String]) -> Result<i32, Failure> {
    let executable = executable(options)?;
    let mut command = Command::new(executable.path());
    let status = command.args(arguments).status();
    let status = status.map_err(|error| cannot("run the executable", &error))?;
    Ok(exit_code(status))
}

/// A program as it is instrumented, or with the reduction of the options.
///
/// # Errors
/// The program cannot be used, or the executable cannot be built.
pub fn executable(options: &ProgramOptions) -> Result<Executable, Failure> {
    let loaded = pipeline::load(options)?;
    let bitcode = if loaded.instrumentation.is_some() {
        loaded.module().to_bitcode()
    } else {
        let bounds = bounds::of(options, &loaded)?;
        let original = Original::new(loaded.program.clone(), &bounds);
        let reduction = pipeline::reduction(options.reduction);
        let plan = original.plan(reduction, &pipeline::conditions(options)?);
        instrumented(&loaded, &plan)?
    };
    Executable::build(&bitcode)
}

fn exit_code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal().map(|signal| 128 + signal);
    status.code().or(signal).unwrap_or(1)
}

/// The bitcode of a program with a plan written into it.
pub(crate) fn instrumented(loaded: &Loaded, plan: &Plan) -> Result<Vec<u8>, Failure> {
    instrument::emit(loaded, plan).map_err(|error| Failure::Internal(error.to_string()))
}

fn cannot(what: &str, error: &dyn Display) -> Failure {
    Failure::Usage(format!("cannot {what}: {error}"))
}

impl Executable {
    /// Compiles bitcode and links it. Nothing is optimised: LLVM could exploit data races.
    ///
    /// # Errors
    /// The runtime is missing, or clang fails.
    pub fn build(bitcode: &[u8]) -> Result<Self, Failure> {
        let directory = tempfile::tempdir();
        let directory = directory.map_err(|error| cannot("make a temporary directory", &error))?;
        let executable = Self { directory };
        let module = executable.store("module.bc", bitcode)?;
        let output = Command::new(CLANG)
            .args(["-w", "-O0", "-o"])
            .args([&executable.path(), &module, &library()?].map(|path| operand(path)))
            .args(["-lpthread", "-ldl", "-lm"])
            .output();
        let output = output.map_err(|error| cannot(&format!("run {CLANG}"), &error))?;
        if output.status.success() {
            return Ok(executable);
        }
        Err(Failure::Input(format!(
            "the program cannot be linked to run natively; it may call functions that no library has:\n{}",
            lines(&output.stderr).trim_end()
        )))
    }

    /// The file to execute.
    pub fn path(&self) -> PathBuf {
        self.directory.path().join("program")
    }

    /// Writes a file beside the executable.
    ///
    /// # Errors
    /// The directory has no space.
    pub fn store(&self, name: &str, content: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.directory.path().join(name);
        let written = fs::write(&path, content);
        written.map_err(|error| cannot(&format!("write `{}`", text::path(&path)), &error))?;
        Ok(path)
    }

    /// Runs a command with this standard input, which is short; gives how it ended, or nothing if it had to be ended.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run_within(
        &self,
        command: &mut Command,
        input: &[u8],
        limit: Duration,
    ) -> Result<Option<Ended>, Failure> {
        let failed = |error: std::io::Error| cannot("run the executable", &error);
        let [output, errors] = ["output", "errors"].map(|name| self.directory.path().join(name));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(File::create(&output).map_err(failed)?)
            .stderr(File::create(&errors).map_err(failed)?)
            .spawn()
            .map_err(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            // A process that does not want its input ends otherwise than expected, which is seen below.
            let _ = stdin.write_all(input);
        }
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                let output = fs::read(&output).map_err(failed)?;
                return Ok(Some(Ended { output, status }));
            }
            if start.elapsed() > limit {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                return Ok(None);
            }
            sleep(POLL);
        }
    }
}

/// How a native run ended.
#[derive(Debug)]
pub struct Ended {
    /// What was written to standard output.
    pub output: Vec<u8>,
    /// The end.
    pub status: ExitStatus,
}

impl Ended {
    /// Whether the process ended itself by `abort`.
    pub fn is_aborted(&self) -> bool {
        use std::os::unix::process::ExitStatusExt;
        self.status.signal() == Some(rustix::process::Signal::ABORT.as_raw())
    }
}

/// The static library `runtime`.
fn library() -> Result<PathBuf, Failure> {
    if let Some(path) = std::env::var_os(LIBRARY_VARIABLE) {
        let path = PathBuf::from(path);
        return match path.is_file() {
            true => Ok(path),
            false => Err(Failure::Usage(format!(
                "{LIBRARY_VARIABLE} names `{}`, which is no file: it is for the path of {LIBRARY}",
                text::path(&path)
            ))),
        };
    }
    let executable = std::env::current_exe().unwrap_or_default();
    // Cargo puts what it runs in tests one folder further down.
    let folders = executable.ancestors().skip(1).take(2);
    folders
        .map(|folder| folder.join(LIBRARY))
        .find(|path| path.is_file())
        .ok_or_else(missing)
}

fn missing() -> Failure {
    Failure::Usage(format!(
        "there is no {LIBRARY} beside the executable: `cargo build -p runtime` makes one (with --release as for `verify`), or \
         {LIBRARY_VARIABLE} names it"
    ))
}
