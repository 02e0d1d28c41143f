//! What a user may hand over, and why it may be unusable.

use std::io::{self, IsTerminal, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use process::{Ended, Surroundings};

use abi::text;

use crate::llvm::{Module, ModuleError};
use crate::operand;
use crate::untrusted::{CHECKER_PACKAGE, try_apart};

/// The compiler that turns C into bitcode of the version that is read.
pub const CLANG: &str = "clang-19";

/// The first bytes of bitcode, and of bitcode in a wrapper.
const BITCODE_MAGIC: [&[u8]; 2] = [b"BC\xc0\xde", &[0xde, 0xc0, 0x17, 0x0b]];

/// A program as the user hands it over.
///
/// ```no_run
/// use frontend::input::Input;
/// let input = Input::File { path: "ring.c".into(), flags: vec!["-DN=3".to_owned()] };
/// let loaded = frontend::load(&input, &frontend::ReadOptions::default())?;
/// # Ok::<(), frontend::input::InputError>(())
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
    /// Nothing comes from standard input.
    #[error(
        "standard input is {what}: name a file, or pipe bitcode in (`{CLANG} -g -emit-llvm -c x.c -o - | ...`)"
    )]
    NoInput {
        /// What it is instead of bitcode.
        what: &'static str,
    },
    /// The file cannot be read.
    #[error(
        "cannot read `{}`: {cause}; name a C or LLVM file that exists and may be read",
        text::path(path)
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
    /// Not a file.
    #[error(
        "`{}` is a directory: name a C file (.c, .i) or an LLVM file (.bc, .ll) in it",
        text::path(path)
    )]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The ending of the file says nothing.
    #[error(
        "`{}` is no C file (.c, .i) and no LLVM file (.bc, .ll): rename it, or give its content on standard input",
        text::path(path)
    )]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// The compiler cannot be run.
    #[error(
        "cannot run {CLANG}: {cause}{}",
        to_install(cause, CLANG, "or compile to bitcode yourself")
    )]
    NoCompiler {
        /// The reason.
        cause: io::Error,
    },
    /// Bitcode or its textual form cannot be tried in a process of its own, and damaged files may crash LLVM.
    #[error(
        "`{name}` may be damaged, and cannot be checked before it is read: cannot run {}: {cause}{}",
        text::path(tool),
        to_install(cause, CHECKER_PACKAGE, "")
    )]
    NoChecker {
        /// The input.
        name: String,
        /// The tool that checks.
        tool: PathBuf,
        /// The reason.
        cause: io::Error,
    },
    /// The compiler rejects the program.
    #[error(
        "{CLANG} rejects `{}`:\n{diagnostics}correct the program, or pass the compiler flags that it needs",
        text::path(path)
    )]
    Compile {
        /// The file.
        path: PathBuf,
        /// What the compiler says.
        diagnostics: String,
    },
    /// There are no bytes at all: the usual trace of a compiler that failed in a pipe.
    #[error(
        "`{name}` is empty: see whether the command that writes it failed, and make it with `{CLANG} -g -emit-llvm -c`"
    )]
    Empty {
        /// The input.
        name: String,
    },
    /// The bytes are no bitcode.
    #[error("`{name}` is no LLVM bitcode: make it with `{CLANG} -g -emit-llvm -c`")]
    NotBitcode {
        /// The input.
        name: String,
    },
    /// Bitcode or its textual form that LLVM 19 does not accept.
    #[error(
        "LLVM 19 cannot use `{name}`: {cause}\nit is damaged or of another version: make it anew with `{CLANG} -g -emit-llvm -c`"
    )]
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
    /// Bitcode that is marked as instrumented but does not say how, as this version does, or is linked from several such files.
    #[error(
        "`{name}` is instrumented, but does not say once from what and how: link the original files and instrument the result anew"
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

/// What to do about a program that cannot be run: install it if it is not there.
fn to_install(cause: &io::Error, package: &str, otherwise: &str) -> String {
    if cause.kind() != io::ErrorKind::NotFound {
        return String::new();
    }
    let remedy = format!("; install it (Debian: `apt install {package}`) {otherwise}");
    remedy.trim_end().to_owned()
}

impl Input {
    /// Bitcode from standard input, which is read to its end.
    ///
    /// # Errors
    /// Standard input cannot be read, is empty, or is a terminal, where nobody types bitcode.
    pub fn standard() -> Result<Self, InputError> {
        let name = "standard input".to_owned();
        let mut input = io::stdin().lock();
        if input.is_terminal() {
            return Err(InputError::NoInput { what: "a terminal" });
        }
        let mut bytes = Vec::new();
        input
            .read_to_end(&mut bytes)
            .map_err(|cause| InputError::Unreadable {
                path: name.clone().into(),
                cause,
            })?;
        if bytes.is_empty() {
            return Err(InputError::NoInput { what: "empty" });
        }
        Ok(Self::Bitcode { name, bytes })
    }

    /// What to call the input in messages: printable.
    pub fn name(&self) -> String {
        match self {
            Self::File { path, .. } => text::path(path),
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
    if path.is_dir() {
        return Err(InputError::Directory {
            path: path.to_owned(),
        });
    }
    // A missing file is our message, not the compiler's.
    let content = std::fs::read(path).map_err(|cause| InputError::Unreadable {
        path: path.to_owned(),
        cause,
    })?;
    match path.extension().and_then(|extension| extension.to_str()) {
        // Labels of assembly let C give its functions names with which LLVM's reader crashes.
        Some("c" | "i") => parse_untrusted(&compile(path, flags)?, name),
        Some("bc") => parse_untrusted(&content, name),
        Some("ll") => {
            try_apart(&content, name)?;
            Module::from_text(&content, name).map_err(|cause| InputError::Malformed {
                name: name.to_owned(),
                cause,
            })
        }
        Some(_) | None => Err(InputError::UnknownKind {
            path: path.to_owned(),
        }),
    }
}

/// Runs a tool, which ends with this process.
pub(crate) fn finish(command: Command, input: Option<&[u8]>) -> io::Result<Output> {
    let surroundings = Surroundings {
        input,
        ..Surroundings::default()
    };
    match process::run(command, &surroundings)? {
        Ended::Exited(output) => Ok(output),
        Ended::Deadline => Err(io::ErrorKind::TimedOut.into()),
    }
}

fn parse_untrusted(bytes: &[u8], name: &str) -> Result<Module, InputError> {
    if is_bitcode(bytes) {
        try_apart(bytes, name)?;
    }
    parse_bitcode(bytes, name)
}

fn is_bitcode(bytes: &[u8]) -> bool {
    BITCODE_MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

fn parse_bitcode(bytes: &[u8], name: &str) -> Result<Module, InputError> {
    if bytes.is_empty() {
        return Err(InputError::Empty {
            name: name.to_owned(),
        });
    }
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
    let mut command = Command::new(CLANG);
    let optimises = |flag: &String| flag.starts_with("-O") && flag != "-O0";
    if !flags.iter().any(optimises) {
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
        .env("TMPDIR", "/dev/null")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let output = finish(command, None).map_err(|cause| InputError::NoCompiler { cause })?;
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
