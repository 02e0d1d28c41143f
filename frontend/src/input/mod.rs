//! The inputs that a user may give, and the reasons why an input is unusable.

mod error;
mod tools;
mod untrusted;

use std::io::{self, IsTerminal, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use abi::markers::INSTRUMENTED_METADATA;
use abi::text;

use self::tools::finish;
use self::untrusted::try_apart;
use crate::llvm::Module;
use crate::operand;

pub use error::InputError;
pub use tools::CLANG;

/// The first bytes of bitcode, and of bitcode in a wrapper.
const BITCODE_MAGIC: [&[u8]; 2] = [b"BC\xc0\xde", &[0xde, 0xc0, 0x17, 0x0b]];

/// A program as the user hands it over.
///
/// ```no_run
/// use frontend::input::Input;
/// let input = Input::Files { paths: vec!["ring.c".into()], flags: vec!["-DN=3".to_owned()] };
/// let loaded = frontend::load(&input, &frontend::ReadOptions::default())?;
/// # Ok::<(), frontend::input::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Files, which are linked if there are several. The ending says what each is: `.c` and `.i` are compiled, `.bc` is bitcode, `.ll`
    /// its textual form.
    Files {
        /// Where they are: at least one.
        paths: Vec<PathBuf>,
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

impl Input {
    /// What the files of a command line are; none, or `-` alone, is bitcode from standard input.
    ///
    /// # Errors
    /// As [`Input::standard`]; or standard input is named beside files.
    pub fn of(paths: Vec<PathBuf>, flags: Vec<String>) -> Result<Self, InputError> {
        let is_standard = |path: &PathBuf| path.as_os_str() == "-";
        match paths.iter().filter(|path| is_standard(path)).count() {
            0 if !paths.is_empty() => Ok(Self::Files { paths, flags }),
            _ if paths.len() <= 1 => Self::standard(),
            _ => Err(InputError::MixedInput),
        }
    }

    /// Bitcode from standard input, which is read to its end.
    ///
    /// # Errors
    /// Standard input cannot be read, is empty, or is a terminal, where no user types bitcode.
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
            Self::Files { paths, .. } => {
                let names: Vec<String> = paths.iter().map(text::path).collect();
                names.join(", ")
            }
            Self::Bitcode { name, .. } => name.clone(),
        }
    }

    /// Compiles or parses the input, and checks that it is a program.
    pub(crate) fn open(&self) -> Result<Module, InputError> {
        let name = self.name();
        let module = match self {
            Self::Files { paths, flags } => open_files(paths, flags)?,
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

/// The program of all files together.
fn open_files(paths: &[PathBuf], flags: &[String]) -> Result<Module, InputError> {
    let mut whole: Option<Module> = None;
    for path in paths {
        let name = text::path(path);
        let module = open_file(path, flags, &name)?;
        if paths.len() > 1 && module.has_named_metadata(INSTRUMENTED_METADATA) {
            return Err(InputError::Instrumentation { name });
        }
        match &whole {
            None => whole = Some(module),
            Some(whole) => {
                let linked = whole.link_file(&module, &name);
                linked.map_err(|cause| InputError::Link { name, cause })?;
            }
        }
    }
    whole.ok_or(InputError::NoFile)
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
