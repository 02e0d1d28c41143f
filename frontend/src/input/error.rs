//! The reasons why a program cannot be read at all.

use std::io;
use std::path::PathBuf;

use abi::text;
use program::model::DataModel;

use super::tools::{CHECKER_PACKAGE, CLANG};
use super::user_properties::UserPropertyError;
use crate::llvm::ModuleError;

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
    /// The file is no part of a program.
    #[error(
        "`{}` is a task definition, which `verify` reads, and nothing beside it: name the files of its program",
        text::path(path)
    )]
    TaskDefinition {
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
        "`{name}` is for a target that is neither little endian with addresses of 64 bits nor x86 Linux with addresses of 32 bits: \
         compile it for x86-64, aarch64 or, with -m32, for x86"
    )]
    Target {
        /// The input.
        name: String,
    },
    /// Another data model than the one that was asked for.
    #[error("`{name}` is compiled for {found} and not for {expected}: compile it with `{}`", expected.compiler_flag())]
    DataModel {
        /// The input.
        name: String,
        /// Its data model.
        found: DataModel,
        /// What was asked for.
        expected: DataModel,
    },
    /// Bitcode that is marked as instrumented but does not say how, as this version does, or is linked from several such files.
    #[error(
        "`{name}` is instrumented, but does not say once from what and how: link the original files and instrument the result anew"
    )]
    Instrumentation {
        /// The input.
        name: String,
    },
    /// Bitcode comes without clang's checks of operands.
    #[error(
        "`no-overflow` is verified by checks that clang puts where it compiles C, which bitcode may lack: name the C files"
    )]
    Unchecked,
    /// A compiler may have removed allocations from bitcode, and stores of what leads to them.
    #[error(
        "`valid-memtrack` is verified of C files: a compiler may have removed allocations from bitcode that nothing uses"
    )]
    MayLackAllocations,
    /// A preprocessed file has functions that clang does not check.
    #[error(
        "`{}` names the attribute `no_sanitize`, by which clang does not check a function: remove it to verify `no-overflow`, or name the \
         file before it was preprocessed",
        text::path(path)
    )]
    UncheckedFunctions {
        /// The file.
        path: PathBuf,
    },
    /// A user property cannot be verified.
    #[error(transparent)]
    UserProperty(#[from] UserPropertyError),
    /// Standard input is named beside files.
    #[error(
        "standard input (`-`) is no file to be linked with others: write the bitcode to a file and name that"
    )]
    MixedInput,
    /// There is no file.
    #[error("no file is named")]
    NoFile,
    /// The files do not fit together.
    #[error(
        "cannot link `{name}` with the files before it: {cause}; leave out what defines the same again"
    )]
    Link {
        /// The file.
        name: String,
        /// What LLVM says.
        cause: ModuleError,
    },
    /// There is no compilation database.
    #[error(
        "cannot read `{}`: {cause}; name the folder of a `compile_commands.json` (cmake writes it with \
         -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear for other build systems)",
        text::path(path)
    )]
    NoDatabase {
        /// Where it is expected.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
    /// It is none.
    #[error(
        "`{}` is no compilation database: {cause}; make it anew",
        text::path(path)
    )]
    MalformedDatabase {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// It says nothing of the program.
    #[error(
        "`{}` has {what}: name a file that it has, or leave it out",
        text::path(path)
    )]
    NotInDatabase {
        /// The compilation database.
        path: PathBuf,
        /// What it has instead.
        what: &'static str,
    },
    /// Nothing to run.
    #[error(
        "`{name}` has no function `main`: name the file that defines it, too, and both are linked"
    )]
    NoMain {
        /// The input.
        name: String,
    },
    /// Inlining gives a program that is too large.
    #[error(
        "`{name}` has {instructions} instructions when its calls are inlined, and too many in `main` alone: cut `main` into functions"
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
