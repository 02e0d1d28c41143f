//! The inputs that a user may give, and the reasons why an input is unusable.

mod arguments;
mod compiler;
mod database;
mod error;
mod tools;
mod untrusted;
mod user_properties;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use abi::markers::INSTRUMENTED_METADATA;
use abi::text;

use self::arguments::{may_go_unchecked, with_checks, with_own_accesses, with_own_allocations};
use self::compiler::compile;
use self::database::CompilationDatabase;
use self::untrusted::try_apart;
use self::user_properties::Insertions;
use crate::llvm::Module;
use crate::normalize::release_reserved;

pub use arguments::{CompilerArguments, with_compiler_options_named};
pub use compiler::SourceFile;
pub use error::InputError;
pub use tools::CLANG;
pub use user_properties::{Demand, SourceLine, UserProperty, UserPropertyError};

/// The first bytes of bitcode, and of bitcode in a wrapper.
const BITCODE_MAGIC: [&[u8]; 2] = [b"BC\xc0\xde", &[0xde, 0xc0, 0x17, 0x0b]];

/// A program as the user hands it over.
///
/// ```no_run
/// use frontend::input::Input;
/// let input = Input::files(vec!["ring.c".into()], &["-DN=3".to_owned()]);
/// let loaded = frontend::load(&input, &frontend::ReadOptions::default())?;
/// # Ok::<(), frontend::input::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Files: at least one. Several are linked.
    Files {
        /// The files.
        files: Vec<SourceFile>,
        /// What is demanded of their statements; nothing unless all are C.
        user_properties: Vec<UserProperty>,
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
    /// Files that are compiled with the same arguments.
    pub fn files(paths: Vec<PathBuf>, flags: &[String]) -> Self {
        let flags = flags.to_vec();
        let with_flags = |path| SourceFile {
            path,
            flags: flags.clone(),
        };
        Self::Files {
            files: paths.into_iter().map(with_flags).collect(),
            user_properties: Vec::new(),
        }
    }

    /// What the files of a command line are: none, or `-` alone, is bitcode from standard input.
    ///
    /// # Errors
    /// As [`Input::standard`]; or bitcode is named, of which not everything can be verified; or standard input is named beside files; or the compilation database cannot be used.
    pub fn of(paths: Vec<PathBuf>, arguments: &CompilerArguments) -> Result<Self, InputError> {
        let are_c = !paths.is_empty() && paths.iter().all(|path| is_c(path));
        if arguments.checks_overflow && !are_c {
            return Err(InputError::Unchecked);
        }
        if arguments.keeps_allocations && !are_c {
            return Err(InputError::MayLackAllocations);
        }
        if let Some(property) = arguments.user_properties.first().filter(|_| !are_c) {
            let property = property.to_string();
            return Err(UserPropertyError::NotC { property }.into());
        }
        let unchecked = paths.iter().find(|path| may_go_unchecked(path));
        if let Some(path) = unchecked.filter(|_| arguments.checks_overflow) {
            return Err(InputError::UncheckedFunctions {
                path: path.to_owned(),
            });
        }
        if paths.iter().all(|path| is_standard(path)) && paths.len() <= 1 {
            return Self::standard();
        }
        if paths.iter().any(|path| is_standard(path)) {
            return Err(InputError::MixedInput);
        }
        let all = arguments.for_all();
        let own = match &arguments.database {
            Some(folder) => CompilationDatabase::of_folder(folder)?.arguments(&paths)?,
            None => vec![Vec::new(); paths.len()],
        };
        let files = paths.into_iter().zip(own).map(|(path, own)| {
            let flags = [own.as_slice(), &all].concat();
            let flags = match arguments.checks_overflow {
                true => with_checks(flags),
                false => flags,
            };
            let flags = match arguments.keeps_accesses {
                true => with_own_accesses(flags),
                false => flags,
            };
            let flags = match arguments.keeps_allocations {
                true => with_own_allocations(flags),
                false => flags,
            };
            SourceFile { path, flags }
        });
        Ok(Self::Files {
            files: files.collect(),
            user_properties: arguments.user_properties.clone(),
        })
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
            Self::Files { files, .. } => {
                let names: Vec<String> = files.iter().map(|file| text::path(&file.path)).collect();
                names.join(", ")
            }
            Self::Bitcode { name, .. } => name.clone(),
        }
    }

    /// Compiles or parses the input, and checks that it is a program.
    pub(crate) fn open(&self) -> Result<Module, InputError> {
        let name = self.name();
        let module = match self {
            Self::Files {
                files,
                user_properties,
            } => open_files(files, user_properties)?,
            Self::Bitcode { bytes, .. } => parse_untrusted(bytes, &name)?,
        };
        if module.known_data_model().is_none() {
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

/// Whether a file of a command line stands for standard input, or for standard output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file of a command line is C, which is compiled.
pub fn is_c(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "c" || ending == "i")
}

/// The program of all files together, with marks where it is checked what is demanded.
fn open_files(files: &[SourceFile], demanded: &[UserProperty]) -> Result<Module, InputError> {
    let insertions = match demanded {
        [] => None,
        demanded => Some(Insertions::of(demanded)?),
    };
    let mut compiled = BTreeSet::new();
    let mut whole: Option<Module> = None;
    for file in files {
        let name = text::path(&file.path);
        let module = match &insertions {
            Some(insertions) => {
                content(&file.path)?;
                let (bitcode, about) = user_properties::compile(file, insertions)?;
                compiled.extend(about);
                parse_untrusted(&bitcode, &name)?
            }
            None => open_file(file, &name)?,
        };
        if files.len() > 1 && module.has_named_metadata(INSTRUMENTED_METADATA) {
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
    let whole = whole.ok_or(InputError::NoFile)?;
    if let Some(insertions) = &insertions {
        release_reserved(&whole);
        insertions.mark(&whole, &compiled)?;
    }
    Ok(whole)
}

fn open_file(file: &SourceFile, name: &str) -> Result<Module, InputError> {
    let path = &file.path;
    let content = content(path)?;
    match path.extension().and_then(|extension| extension.to_str()) {
        // Labels of assembly let C give its functions names with which LLVM's reader crashes.
        Some("c" | "i") => parse_untrusted(&compile(file)?, name),
        Some("bc") => parse_untrusted(&content, name),
        Some("ll") => {
            try_apart(&content, name, Module::from_text)?;
            Module::from_text(&content, name).map_err(|cause| InputError::Malformed {
                name: name.to_owned(),
                cause,
            })
        }
        Some("yml" | "yaml") => Err(InputError::TaskDefinition {
            path: path.to_owned(),
        }),
        Some(_) | None => Err(InputError::UnknownKind {
            path: path.to_owned(),
        }),
    }
}

/// The bytes of a file. One that is missing is our message, not the compiler's.
fn content(path: &Path) -> Result<Vec<u8>, InputError> {
    if path.is_dir() {
        return Err(InputError::Directory {
            path: path.to_owned(),
        });
    }
    std::fs::read(path).map_err(|cause| InputError::Unreadable {
        path: path.to_owned(),
        cause,
    })
}

fn parse_untrusted(bytes: &[u8], name: &str) -> Result<Module, InputError> {
    if is_bitcode(bytes) {
        try_apart(bytes, name, Module::from_bitcode)?;
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
