//! The subject of a stored proof: a digest of the program's bitcode, and the options that decide how the program is
//! read.

use std::ffi::OsString;
use std::path::PathBuf;

use abi::text::printable;
use certify::Subject;
use clap::Parser;
use frontend::input::CompilerArguments;
use sha2::{Digest, Sha256};

use crate::program_arguments;
use crate::program_options::ProgramOptions;
use crate::verdict::Failure;

/// The options of a subject, as a command line.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Line {
    #[command(flatten)]
    program: ProgramOptions,
}

/// The subject of proofs about a program that was read with these options.
///
/// # Errors
/// LLVM does not accept its own bitcode.
pub(crate) fn of(options: &ProgramOptions, bitcode: &[u8]) -> Result<Subject, Failure> {
    let plain = frontend::without_origin(bitcode);
    let plain = plain.map_err(|error| Failure::Internal(error.to_string()))?;
    let words = program_arguments::of_program(options).into_iter();
    // Arguments of the program's options are text, so this is the text itself.
    let text = |word: OsString| {
        let word = word.into_string();
        word.unwrap_or_else(|word| printable(word.as_encoded_bytes()))
    };
    Ok(Subject {
        digest: Sha256::digest(plain).into(),
        options: words.map(text).collect(),
    })
}

/// How to read a program as a subject says. What is trusted is not taken from there: arguments of clang, which can make it run
/// code, a compilation database, whose place may be another, and trust in instrumentation have to be given again.
///
/// # Errors
/// The options cannot be followed, or are not those that are given again.
pub(crate) fn options(
    subject: &Subject,
    program: &[PathBuf],
    compiler: CompilerArguments,
    trust_instrumentation: bool,
) -> Result<ProgramOptions, Failure> {
    let unusable = |what: &str| Failure::Input(format!("the options in the certificate {what}"));
    let line = Line::try_parse_from(&subject.options);
    let said = line
        .map_err(|_| unusable("are none of this version"))?
        .program;
    if !said.files.is_empty() {
        return Err(unusable("name a file"));
    }
    // Nor would anything be verified then.
    if !said.open().is_empty() {
        return Err(unusable("name a property file"));
    }
    if said.compile_commands.is_some() != compiler.database.is_some() {
        return Err(Failure::Usage(
            "the certificate and the command line do not both say --compile-commands".into(),
        ));
    }
    if said.clang_arguments != compiler.all {
        let given = said.clang_arguments.iter();
        let given: Vec<String> = given
            .map(|argument| format!(" --clang-arg={argument}"))
            .collect();
        return Err(Failure::Usage(format!(
            "the certificate is about a program that was compiled with other arguments of clang:{}; they are not taken \
             from the certificate, because clang can be made to run code: give the same",
            if given.is_empty() {
                " none".to_owned()
            } else {
                given.concat()
            }
        )));
    }
    if said.trust_instrumentation != trust_instrumentation {
        return Err(Failure::Usage(
            "the certificate and the command line do not both say --trust-instrumentation".into(),
        ));
    }
    Ok(ProgramOptions {
        files: program.to_owned(),
        compile_commands: compiler.database,
        ..said
    })
}
