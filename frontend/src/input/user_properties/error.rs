//! The reasons why a user property cannot be verified.

use std::io;
use std::path::PathBuf;

use abi::text;

use crate::input::CLANG;

/// Why a user property cannot be verified. Properties are named as on the command line, and each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum UserPropertyError {
    /// The program is not compiled here.
    #[error(
        "`{property}` is checked by code that is put where C is compiled, and not all of the program is C: name C files alone"
    )]
    NotC {
        /// The property.
        property: String,
    },
    /// The file cannot be read.
    #[error(
        "`{property}`: cannot read `{}`: {cause}; name a C file that exists and may be read",
        text::path(path)
    )]
    Unreadable {
        /// The property.
        property: String,
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
    /// No statement begins there.
    #[error("`{property}`: no statement of a function begins on that line{nearest}")]
    NoStatement {
        /// The property.
        property: String,
        /// The nearest lines on which one does, in words.
        nearest: String,
    },
    /// The expression is none, or is not a mere question.
    #[error("`{property}`: {what}")]
    Expression {
        /// The property.
        property: String,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// The compiler accepts the program, but not with what is demanded.
    #[error(
        "{CLANG} accepts `{}`, but not with `{properties}`:\n{diagnostics}correct the expression, or name another statement",
        text::path(path)
    )]
    Rejected {
        /// The file that was compiled.
        path: PathBuf,
        /// The properties that the compiler may mean.
        properties: String,
        /// What it says.
        diagnostics: String,
    },
    /// No file of the program is that file or includes it.
    #[error(
        "`{property}`: the program neither is made of `{}` nor includes it: name a file that is compiled",
        text::path(path)
    )]
    NotCompiled {
        /// The property.
        property: String,
        /// The file.
        path: PathBuf,
    },
    /// The statement is not part of what is compiled.
    #[error(
        "`{property}`: {CLANG} makes no code of that statement: the preprocessor leaves it out, nothing calls its function, or control \
         never arrives there as far as {CLANG} sees, as behind `return` or, with -O, by its optimisations; name another statement"
    )]
    NoCode {
        /// The property.
        property: String,
    },
    /// What the compiler is given cannot be written.
    #[error("cannot prepare the files for user properties: {0}")]
    Prepare(io::Error),
}
