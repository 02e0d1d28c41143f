//! What a user may hand over, and why it may be unusable.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::llvm::{Module, ModuleError};

/// The compiler that turns C into bitcode of the version that is read.
pub const CLANG: &str = "clang-19";

/// The tool that tries untrusted bitcode in a process of its own; it comes with LLVM.
const CHECKER: &str = "opt-19";

/// The first bytes of bitcode, and of bitcode in a wrapper.
const BITCODE_MAGIC: [&[u8]; 2] = [b"BC\xc0\xde", &[0xde, 0xc0, 0x17, 0x0b]];

/// A program as the user hands it over.
///
/// ```no_run
/// use program::input::Input;
/// let input = Input::File { path: "ring.c".into(), flags: vec!["-DN=3".to_owned()] };
/// let loaded = program::load(&input, &program::ReadOptions::default())?;
/// # Ok::<(), program::input::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file. Its ending says what it is: `.c` and `.i` are compiled, `.bc` is bitcode, `.ll` its textual form.
    File {
        /// Where it is.
        path: PathBuf,
        /// Further arguments of the compiler, such as `-DN=3` or `-Iinclude`.
        flags: Vec<String>,
    },
    /// Bitcode, for instance from standard input.
    Bitcode {
        /// What to call it in messages.
        name: String,
        /// The bitcode.
        bytes: Vec<u8>,
    },
}

/// Why a program cannot be read at all. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {cause}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
    /// The ending of the file says nothing.
    #[error(
        "`{path}` is no C file (.c, .i) and no LLVM file (.bc, .ll): rename it, or give its content on standard input"
    )]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// The compiler cannot be run.
    #[error(
        "cannot run {CLANG}: {cause}; install it (Debian: `apt install {CLANG}`) or compile to bitcode yourself"
    )]
    NoCompiler {
        /// The reason.
        cause: io::Error,
    },
    /// The compiler rejects the program.
    #[error(
        "{CLANG} rejects `{path}`:\n{diagnostics}correct the program, or pass the compiler flags that it needs"
    )]
    Compile {
        /// The file.
        path: PathBuf,
        /// What the compiler says.
        diagnostics: String,
    },
    /// The bytes are no bitcode.
    #[error("`{name}` is no LLVM bitcode: make it with `{CLANG} -g -emit-llvm -c`")]
    NotBitcode {
        /// The input.
        name: String,
    },
    /// Bitcode or its textual form that LLVM 19 does not accept.
    #[error("LLVM 19 cannot use `{name}`: {cause}; make it with {CLANG}")]
    Malformed {
        /// The input.
        name: String,
        /// What LLVM says.
        cause: ModuleError,
    },
    /// Not a target whose memory layout the model has.
    #[error(
        "`{name}` is for a target that is not 64-bit little endian: compile it for x86-64 or aarch64"
    )]
    Target {
        /// The input.
        name: String,
    },
    /// Bitcode that is marked as instrumented but does not say for which bounds, or is linked from several such files.
    #[error(
        "`{name}` is instrumented, but does not say once for which bounds: link the original files and instrument the result"
    )]
    Instrumentation {
        /// The input.
        name: String,
    },
    /// Nothing to run.
    #[error("`{name}` has no function `main`: link the file that defines it (llvm-link-19)")]
    NoMain {
        /// The input.
        name: String,
    },
    /// Inlining gives a program that is too large.
    #[error(
        "`{name}` grows to {instructions} instructions when its calls are inlined: lower --recursion or cut the program"
    )]
    TooLarge {
        /// The input.
        name: String,
        /// How large it would be.
        instructions: u64,
    },
}

impl Input {
    /// What to call the input in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File { path, .. } => path.display().to_string(),
            Self::Bitcode { name, .. } => name.clone(),
        }
    }

    /// Compiles or parses the input, and checks that it is a program.
    pub(crate) fn open(&self) -> Result<Module, InputError> {
        let name = self.name();
        let module = match self {
            Self::File { path, flags } => open_file(path, flags, &name)?,
            Self::Bitcode { bytes, .. } => parse_untrusted(bytes, &name)?,
        };
        if module.pointer_layout() != (8, true) {
            return Err(InputError::Target { name });
        }
        if module
            .function("main")
            .is_none_or(|main| main.is_declaration())
        {
            return Err(InputError::NoMain { name });
        }
        Ok(module)
    }
}

fn open_file(path: &Path, flags: &[String], name: &str) -> Result<Module, InputError> {
    let read = || {
        std::fs::read(path).map_err(|cause| InputError::Unreadable {
            path: path.to_owned(),
            cause,
        })
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => {
            read()?; // A missing file is our message, not the compiler's.
            parse_bitcode(&compile(path, flags)?, name)
        }
        Some("bc") => parse_untrusted(&read()?, name),
        Some("ll") => {
            let text = read()?;
            check_apart(&text, name)?;
            Module::from_text(&text, name).map_err(|cause| InputError::Malformed {
                name: name.to_owned(),
                cause,
            })
        }
        Some(_) | None => Err(InputError::UnknownKind {
            path: path.to_owned(),
        }),
    }
}

/// Lets LLVM read untrusted input in a process of its own first: damaged bitcode may crash LLVM's reader, which must not
/// take this process along. Without the tool the input is read here at once.
fn check_apart(bytes: &[u8], name: &str) -> Result<(), InputError> {
    let Ok(mut file) = tempfile::NamedTempFile::new() else {
        return Ok(());
    };
    if file.write_all(bytes).is_err() {
        return Ok(());
    }
    let checked = Command::new(CHECKER)
        .args([
            "-passes=verify",
            "-disable-output",
            "-disable-symbolication",
        ])
        .arg(file.path())
        .stdin(Stdio::null())
        .output();
    let complaint = match checked {
        Ok(output) if output.status.success() => return Ok(()),
        // An exit code stands for an error that LLVM reports; a signal has none. What it reports must not be read here
        // again: after some errors the reader crashes or not, depending on what lies in memory.
        Ok(output) if output.status.code().is_some() => {
            let text = String::from_utf8_lossy(&output.stderr);
            // Before the cause stand the names of the tool and of the temporary file.
            let cause = text
                .split_once("error: ")
                .map_or(&*text, |(_, cause)| cause);
            cause.trim().to_owned()
        }
        Ok(_) => "LLVM's reader crashes on it".to_owned(),
        Err(_) => return Ok(()),
    };
    Err(InputError::Malformed {
        name: name.to_owned(),
        cause: ModuleError(complaint),
    })
}

fn parse_untrusted(bytes: &[u8], name: &str) -> Result<Module, InputError> {
    if is_bitcode(bytes) {
        check_apart(bytes, name)?;
    }
    parse_bitcode(bytes, name)
}

fn is_bitcode(bytes: &[u8]) -> bool {
    BITCODE_MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

fn parse_bitcode(bytes: &[u8], name: &str) -> Result<Module, InputError> {
    if !is_bitcode(bytes) {
        return Err(InputError::NotBitcode {
            name: name.to_owned(),
        });
    }
    Module::from_bitcode(bytes, name).map_err(|cause| InputError::Malformed {
        name: name.to_owned(),
        cause,
    })
}

/// Compiles a C file. Code that C once allowed (calls without declaration) is accepted: benchmarks are full of it.
fn compile(path: &Path, flags: &[String]) -> Result<Vec<u8>, InputError> {
    let tolerance = [
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-function-pointer-types",
    ];
    let output = Command::new(CLANG)
        .args(["-O0", "-g", "-emit-llvm", "-c", "-o", "-"])
        .args(tolerance.map(|warning| format!("-Wno-error={warning}")))
        .args(flags)
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .map_err(|cause| InputError::NoCompiler { cause })?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(InputError::Compile {
            path: path.to_owned(),
            diagnostics,
        })
    }
}
