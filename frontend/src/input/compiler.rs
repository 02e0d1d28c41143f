//! Compiling C to bitcode.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use abi::text;
use process::{StandardInput, StandardOutput, Surroundings};

use super::arguments::optimises;
use super::error::InputError;
use super::tools::{CLANG, finish};
use crate::operand;

/// A file of a program. Its ending says what it is: `.c` and `.i` are compiled, `.bc` is bitcode, `.ll` its textual form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// Further arguments of the compiler, such as `-DN=3` or `-Iinclude`.
    pub flags: Vec<String>,
}

/// Compiles a C file.
///
/// # Errors
/// The compiler cannot be run, or refuses the file.
pub(super) fn compile(file: &SourceFile) -> Result<Vec<u8>, InputError> {
    run(&command(file), &file.path)
}

/// How the compiler is called for a C file. Code that C once allowed (calls without declaration) is accepted: benchmarks are full
/// of it. Further arguments may follow.
pub(super) fn command(SourceFile { path, flags }: &SourceFile) -> Command {
    let tolerance = [
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-function-pointer-types",
    ];
    let mut command = Command::new(CLANG);
    if !flags.iter().any(|flag| optimises(flag)) {
        // Else clang inlines some functions all the same, and the lives of their variables are lost.
        command.args(["-Xclang", "-disable-llvm-passes"]);
    }
    command
        .args(["-O0", "-g", "-emit-llvm", "-c", "-o", "-"])
        // Marks where the scopes of variables start and end; no sanitizer is on.
        .args(["-Xclang", "-fsanitize-address-use-after-scope"])
        // Tells compound literals from variables.
        .arg("-fno-discard-value-names")
        // A compiler that crashes would leave files behind.
        .arg("-fno-crash-diagnostics")
        .args(tolerance.map(|warning| format!("-Wno-error={warning}")))
        .args(flags)
        .arg(operand(path))
        // Clang needs no temporary file for this. There is no place for one, because some pragmas leave one behind.
        .env("TMPDIR", "/dev/null");
    command
}

/// Runs the compiler on a file, and gives its standard output.
///
/// # Errors
/// It cannot be run, or refuses the file.
pub(super) fn run(command: &Command, path: &Path) -> Result<Vec<u8>, InputError> {
    let surroundings = Surroundings {
        input: StandardInput::Empty,
        output: StandardOutput::Captured,
        error_output: StandardOutput::Captured,
        ..Surroundings::default()
    };
    let output =
        finish(command, &surroundings).map_err(|cause| InputError::NoCompiler { cause })?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        let mut diagnostics = text::lines(&output.stderr);
        if let Some(signal) = output.status.signal() {
            diagnostics += &format!("signal {signal} ended {CLANG}\n");
        }
        Err(InputError::Compile {
            path: path.to_owned(),
            diagnostics,
        })
    }
}
