//! Trying untrusted bitcode in a process of its own, before LLVM reads it here.
//!
//! A copy of this process tries first, which takes a tenth of the time of a tool. If it does not succeed, for whatever reason, the tool
//! decides and says why.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use abi::text;
use process::{StandardInput, StandardOutput, Surroundings};

use super::error::InputError;
use super::tools::{CHECKER, finish};
use crate::llvm::{Module, ModuleError};

/// Where the LLVM is that is linked, as the build was told (`.cargo/config.toml`).
const LLVM: Option<&str> = option_env!("LLVM_SYS_191_PREFIX");

/// How long the copy of this process may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lets LLVM read untrusted input in a process of its own first: damaged bitcode may crash LLVM's reader, which must not
/// take this process along. `read` is how it is read here.
///
/// # Errors
/// LLVM crashes on it or refuses it; or it cannot be tried.
pub(super) fn try_apart(
    bytes: &[u8],
    name: &str,
    read: fn(&[u8], &str) -> Result<Module, ModuleError>,
) -> Result<(), InputError> {
    if process::succeeds_apart(|| read(bytes, name).is_ok(), PATIENCE) {
        return Ok(());
    }
    check_apart(&checker(), bytes, name)
}

fn check_apart(tool: &Path, bytes: &[u8], name: &str) -> Result<(), InputError> {
    match run_apart(tool, bytes) {
        Ok(None) => Ok(()),
        Ok(Some(complaint)) => Err(InputError::Malformed {
            name: name.to_owned(),
            cause: ModuleError(complaint),
        }),
        Err(cause) => Err(InputError::NoChecker {
            name: name.to_owned(),
            tool: tool.to_owned(),
            cause,
        }),
    }
}

/// The tool that belongs to the LLVM that is linked; else the one that `PATH` has.
fn checker() -> PathBuf {
    let beside = LLVM.map(|prefix| Path::new(prefix).join("bin/opt"));
    let there = beside.filter(|tool| tool.is_file());
    there.unwrap_or_else(|| CHECKER.into())
}

/// What the tool has to say against the input.
fn run_apart(tool: &Path, bytes: &[u8]) -> io::Result<Option<String>> {
    let mut command = Command::new(tool);
    command.args([
        "-passes=verify",
        "-disable-output",
        "-disable-symbolication",
        "-",
    ]);
    let surroundings = Surroundings {
        input: StandardInput::Bytes(bytes),
        output: StandardOutput::Discarded,
        error_output: StandardOutput::Captured,
        ..Surroundings::default()
    };
    let output = finish(&command, &surroundings)?;
    Ok(match output.status.code() {
        Some(0) => None,
        // An exit code stands for an error that LLVM reports; a signal has none. What it reports must not be read here
        // again: after some errors the reader crashes or not, depending on what lies in memory.
        Some(_) => Some(complaint(tool, &output.stderr)),
        None => Some("LLVM's reader crashes on it".to_owned()),
    })
}

/// What the tool says, without its name and that of its input, with the line if there is one.
fn complaint(tool: &Path, stderr: &[u8]) -> String {
    let name = format!("{}: <stdin>:", text::path(tool));
    let text = text::lines(stderr).replace(&name, "");
    let (place, cause) = text.split_once("error: ").unwrap_or_default();
    let line = place.split(':').next().unwrap_or_default();
    if line.trim().parse::<u32>().is_ok() {
        return format!("line {}: {}", line.trim(), cause.trim());
    }
    match text.replace("error: ", "").trim() {
        "" => "LLVM gives no reason".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::CLANG;

    const TEXT: &[u8] = b"define i32 @main() { ret i32 0 }";

    #[test]
    fn without_the_tool_nothing_is_read() {
        let missing = Path::new("/nonexistent/opt");
        let error = check_apart(missing, TEXT, "given").expect_err("there is no tool");
        assert!(matches!(error, InputError::NoChecker { .. }));
        let message = error.to_string();
        for words in [
            "`given`",
            "/nonexistent/opt: No such file",
            "apt install llvm-19",
        ] {
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn the_tool_is_that_of_the_llvm_that_is_linked() {
        let tool = checker();
        let beside = LLVM.map(|prefix| Path::new(prefix).join("bin/opt"));
        assert!(beside == Some(tool) || beside.is_none_or(|tool| !tool.exists()));
    }

    #[test]
    fn what_the_tool_rejects_is_refused_with_its_reason() {
        let refused = |text: &str| {
            let error = check_apart(&checker(), text.as_bytes(), "given").expect_err("unusable");
            assert!(matches!(error, InputError::Malformed { .. }));
            error.to_string()
        };
        let wrong_type = refused("define i32 @main() {\n  ret i64 1\n}\n");
        assert!(
            wrong_type.starts_with("LLVM 19 cannot use `given`: line 2: value doesn't match"),
            "{wrong_type}"
        );
        let not_verified = refused(
            "define i32 @main() {\na:\n  br i1 true, label %b, label %c\nb:\n  %x = add i32 1, 2\n  br label %c\n\
             c:\n  ret i32 %x\n}\n",
        );
        for words in [
            "does not dominate all uses",
            "input module is broken",
            CLANG,
        ] {
            assert!(not_verified.contains(words), "{not_verified}");
        }
        assert!(check_apart(&checker(), TEXT, "given").is_ok());
    }
}
