//! Native executables: instrumented bitcode, linked with the runtime.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::time::{Duration, Instant};

use abi::text::{self, lines};
use frontend::input::CLANG;
use frontend::{Loaded, operand};
use instrument::{Plan, Reduction};
use process::{Directory, Ended, StandardInput, StandardOutput, Surroundings};
use program::model::DataModel;

use crate::program_options::ProgramOptions;
use crate::task::Source;
use crate::verdict::Failure;
use crate::{bounds, task};

/// The static library beside the executable `verify`, or where this variable says.
const LIBRARY: &str = "libruntime.a";
const LIBRARY_VARIABLE: &str = "MAZURKA_RUNTIME";

/// An executable in a directory of its own, which goes with it.
#[derive(Debug)]
pub struct Executable {
    directory: Directory,
}

/// Runs a program natively; gives its exit code, which is 128 and the number of the signal that ended it, as in a shell.
///
/// # Errors
/// The program cannot be used, or the executable cannot be built.
pub fn run(options: &ProgramOptions, arguments: &[String]) -> Result<i32, Failure> {
    let executable = executable(options)?;
    let mut command = Command::new(executable.path());
    command.args(arguments);
    match process::run(&command, &executable.surroundings()) {
        Ok(Ended::Exited(output)) => Ok(exit_code(output.status)),
        Ok(Ended::Deadline) => Err(cannot("run the executable", &io::ErrorKind::TimedOut)),
        Err(error) => Err(cannot("run the executable", &error)),
    }
}

/// A program as it is instrumented, or with the reduction of the options.
///
/// # Errors
/// The program cannot be used, or the executable cannot be built.
pub fn executable(options: &ProgramOptions) -> Result<Executable, Failure> {
    let loaded = task::load(options)?;
    let data_model = loaded.program.data_model;
    let bitcode = if loaded.instrumentation.is_some() {
        loaded.module().to_bitcode()
    } else {
        let bounds = bounds::of(options, &loaded)?;
        let source = Source::new(loaded, bounds);
        let reduction = Reduction::from(options.reduction);
        let plan = source.plan(reduction, &task::conditions(options)?);
        instrumented(&source.loaded, &plan)?
    };
    Executable::build(data_model, &bitcode, Memory::Unwatched)
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

/// Whether accesses to memory are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The machine does with them what it does.
    Unwatched,
    /// AddressSanitizer ends the run at one that is invalid.
    Watched,
}

/// What AddressSanitizer is told: it aborts, and leaves the rest to the runtime.
pub(crate) const SANITIZER: (&str, &str) = (
    "ASAN_OPTIONS",
    "abort_on_error=1:detect_leaks=0:symbolize=0:handle_abort=0:use_sigaltstack=0",
);

impl Executable {
    /// Compiles bitcode and links it. Nothing is optimised: LLVM could exploit data races.
    ///
    /// # Errors
    /// The program is for another data model than LP64, the runtime is missing, or the compiler fails.
    pub fn build(data_model: DataModel, bitcode: &[u8], memory: Memory) -> Result<Self, Failure> {
        if data_model != DataModel::Lp64 {
            return Err(Failure::Input(format!(
                "native runs are of programs for the data model LP64, and this one is for {data_model}: compile it with `{}`",
                DataModel::Lp64.compiler_flag()
            )));
        }
        let directory = Directory::new();
        let directory = directory.map_err(|error| Failure::Usage(error.to_string()))?;
        let executable = Self { directory };
        let is_watched = memory == Memory::Watched;
        let isolated = frontend::native::isolated(bitcode, is_watched);
        let isolated = isolated.map_err(|error| Failure::Internal(error.to_string()))?;
        let module = executable.store("module.bc", &isolated)?;
        let object = executable.directory.path().join("module.o");
        let mut clang = Command::new(CLANG);
        clang.args(["-w", "-O0", "-fno-crash-diagnostics", "-c", "-o"]);
        clang.args([&object, &module].map(|path| operand(path)));
        // Clang's own library for its sanitizer need not be there; that of gcc serves it, too.
        let mut linker = Command::new(if is_watched { "gcc" } else { CLANG });
        linker.arg("-o");
        linker.args([&executable.path(), &object, &library()?].map(|path| operand(path)));
        linker.args(["-lpthread", "-ldl", "-lm"]);
        if is_watched {
            clang.args([
                "-fsanitize=address",
                "-fsanitize-address-use-after-scope",
                "-fsanitize-address-use-after-return=always",
                // Normalisation has left direct accesses to variables that had their addresses taken.
                "-mllvm",
                "-asan-skip-promotable-allocas=0",
            ]);
            // The sanitizer is to use the C library's threads, and not those of the runtime.
            linker.args(["-fsanitize=address", "-Wl,--exclude-libs,ALL"]);
        }
        executable.make(clang)?;
        executable.make(linker)?;
        Ok(executable)
    }

    /// Runs a compiler or linker.
    fn make(&self, mut tool: Command) -> Result<(), Failure> {
        // Such tools hand files to each other; these go away with the directory.
        tool.env("TMPDIR", self.directory.path());
        let surroundings = Surroundings {
            input: StandardInput::Empty,
            output: StandardOutput::Captured,
            error_output: StandardOutput::Captured,
            ..self.surroundings()
        };
        let name = text::path(Path::new(tool.get_program()));
        let ended = process::run(&tool, &surroundings);
        let output = match ended.map_err(|error| cannot(&format!("run {name}"), &error))? {
            Ended::Exited(output) => output,
            Ended::Deadline => return Err(cannot("link the executable", &io::ErrorKind::TimedOut)),
        };
        if output.status.success() {
            return Ok(());
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
        command: &Command,
        input: &[u8],
        limit: Duration,
    ) -> Result<Option<Output>, Failure> {
        let surroundings = Surroundings {
            input: StandardInput::Bytes(input),
            output: StandardOutput::Captured,
            error_output: StandardOutput::Discarded,
            deadline: Instant::now().checked_add(limit),
            ..self.surroundings()
        };
        match process::run(command, &surroundings) {
            Ok(Ended::Exited(output)) => Ok(Some(output)),
            Ok(Ended::Deadline) => Ok(None),
            Err(error) => Err(cannot("run the executable", &error)),
        }
    }

    /// What a command has that uses the directory.
    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            directory: Some(&self.directory),
            ..Surroundings::default()
        }
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
