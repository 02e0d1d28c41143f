//! The command line as a whole: a program to verify, or another command.

use std::mem;
use std::path::{Path, PathBuf};
use std::time::Duration;

use abi::text::printable;
use clap::{Args, Parser, Subcommand, ValueEnum};
use frontend::input::{CompilerArguments, with_compiler_options_named};

use crate::expected_verdict::ExpectedVerdict;
use crate::options::{LimitOptions, Options, seconds};
use crate::program_options::ProgramOptions;
use crate::property_option::PropertyOption;
use crate::supervisor::Limits;
use crate::task_definition::TaskDefinition;
use crate::verdict::Failure;

/// Proves or refutes the assertions of multi-threaded C programs.
///
/// The last line on standard output is `VERDICT: SAFE`, `VERDICT: UNSAFE (...) at FILE:LINE` or `VERDICT: UNKNOWN (...)`.
/// Exit codes: 0 safe, 10 unsafe, 5 unknown, 1 wrong usage, 2 unusable input, 6 internal error.
/// A verdict keeps its exit code even if it cannot be printed or a file not be written; standard error then says so.
/// A signal that ends `verify` ends it by that signal. Compilers, solvers and native runs that it has started end with it in any case.
///
/// A file with the name of a command is given with its directory, such as `./export`.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "verify",
    disable_help_subcommand = true,
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
pub struct CommandLine {
    /// What else there is to do than to verify.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// How to verify.
    #[command(flatten)]
    pub options: Options,
}

impl CommandLine {
    /// The command line of this process.
    ///
    /// # Errors
    /// It cannot be followed, or asks for help. What the error quotes of it is printable.
    pub fn of_process() -> Result<Self, clap::Error> {
        let words = with_compiler_options_named(std::env::args_os());
        let parsed = Self::try_parse_from(&words).map_err(|error| {
            let words = words.iter().map(|word| printable(word.as_encoded_bytes()));
            Self::try_parse_from(words).err().unwrap_or(error)
        })?;
        Ok(parsed.with_all_clang_arguments())
    }

    /// The same with what is said by files that are named: a task definition, property files, or a compilation database if no file of
    /// the program is named.
    ///
    /// # Errors
    /// One cannot be read, or contradicts the options; there is no C file, or no property that is supported.
    pub fn with_files(mut self) -> Result<Self, Failure> {
        match &mut self.command {
            None => self.options.expected = complete(&mut self.options.program)?,
            Some(Command::Run(options)) => drop(complete(&mut options.program)?),
            Some(Command::Export(options)) => drop(complete(&mut options.program)?),
            Some(Command::CheckCertificate(options)) => {
                let database = options.compile_commands.as_deref();
                // Everything else is in the certificate.
                if let Some(task) = TaskDefinition::named(&options.program, database)? {
                    options.program = task.input_files;
                }
                let compiler = options.compiler_arguments();
                files(&mut options.program, &compiler)?;
            }
        }
        Ok(self)
    }

    /// The same with the arguments after `--` among the others for clang.
    fn with_all_clang_arguments(mut self) -> Self {
        let Options {
            program,
            more_clang_arguments,
            ..
        } = &mut self.options;
        program.clang_arguments.append(more_clang_arguments);
        if let Some(Command::Export(export)) = &mut self.command {
            let ExportOptions {
                program,
                more_clang_arguments,
                ..
            } = export;
            program.clang_arguments.append(more_clang_arguments);
        }
        self
    }
}

/// Reads what is named beside the program; the verdicts that are expected.
fn complete(program: &mut ProgramOptions) -> Result<Vec<ExpectedVerdict>, Failure> {
    let database = program.compile_commands.as_deref();
    let expected = match TaskDefinition::named(&program.files, database)? {
        Some(task) => task.complete(program)?,
        None => Vec::new(),
    };
    let files_of_properties = program.properties.iter().filter_map(PropertyOption::file);
    program
        .descriptions
        .extend(files_of_properties.map(Path::to_owned));
    let properties = mem::take(&mut program.properties).into_iter();
    let properties: Result<Vec<_>, Failure> = properties.map(PropertyOption::read).collect();
    program.properties = properties?.concat();
    program.include_demanded();
    let compiler = program.compiler_arguments()?;
    let sources = compiler.user_properties.iter();
    let sources = sources.map(|property| property.place.file.clone());
    program.descriptions.extend(sources);
    files(&mut program.files, &compiler)?;
    Ok(expected)
}

/// Completes the files by those of the compilation database.
fn files(named: &mut Vec<PathBuf>, compiler: &CompilerArguments) -> Result<(), Failure> {
    let found = compiler.files(mem::take(named));
    *named = found.map_err(|error| Failure::Input(error.to_string()))?;
    Ok(())
}

/// What else there is to do than to verify.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Write the transition system of a program for other tools.
    Export(ExportOptions),
    /// Run a program natively, one thread at a time from yield to yield.
    ///
    /// The exit code is the program's; 120 if no thread can go on, 121 where the model ends (a limit, undefined behaviour), 5 at a limit
    /// of --timeout or --memory, which standard error names.
    /// MAZURKA_SEED chooses another run, MAZURKA_CHECK=1 checks that no thread waits in the post phase.
    Run(RunOptions),
    /// Check a certificate that `verify --certificate` wrote, by separate solvers.
    ///
    /// The last line on standard output is `CERTIFICATE: HOLDS`, `CERTIFICATE: REFUTED (...)` or `CERTIFICATE: UNKNOWN (...)`.
    /// HOLDS says in parentheses what it does not cover: the program, if none is named.
    /// Exit codes: 0 holds, 6 refuted, 5 unknown, 1 wrong usage, 2 no certificate.
    CheckCertificate(CheckOptions),
}

/// `verify export`.
#[derive(Clone, Debug, Args)]
pub struct ExportOptions {
    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// What it may use.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// The format.
    #[arg(long, value_enum)]
    pub format: Format,

    /// What the Horn clauses of smt2-chc are about (default inductive).
    #[arg(long, value_enum)]
    pub rule: Option<RuleChoice>,

    /// The file to write; standard output if it is missing.
    #[arg(short, long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// More arguments for clang, after `--`.
    #[arg(last = true, value_name = "CLANG-ARG")]
    pub more_clang_arguments: Vec<String>,
}

/// `verify run`.
#[derive(Clone, Debug, Args)]
pub struct RunOptions {
    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// What it may use.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// Arguments of the program, after `--`.
    #[arg(last = true)]
    pub arguments: Vec<String>,
}

/// Formats of transition systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// BTOR2, for hardware model checkers.
    Btor2,
    /// VMT: SMT-LIB definitions with annotations.
    Vmt,
    /// Constrained Horn clauses, for solvers such as Z3's Spacer: `sat` means safe.
    Smt2Chc,
}

/// Proof rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleChoice {
    /// One inductive invariant of all threads together.
    Inductive,
    /// An invariant of each thread, which the moves of all others preserve.
    OwickiGries,
    /// The same over global variables and those of the thread, and what others do with global variables: `unsat` means no such proof.
    RelyGuarantee,
}

/// `verify check-certificate`.
#[derive(Clone, Debug, Args)]
pub struct CheckOptions {
    /// The certificate.
    pub file: PathBuf,

    /// The program that it is to be about; without it, only the transition system in the certificate is checked.
    ///
    /// It is read with the options that the certificate says, except those that are trusted: these are given here again.
    pub program: Vec<PathBuf>,

    /// The folder of the compilation database that the program was verified with.
    #[arg(long, value_name = "FOLDER")]
    pub compile_commands: Option<PathBuf>,

    /// An argument for clang that the program was verified with; may be repeated.
    #[arg(long = "clang-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub clang_arguments: Vec<String>,

    /// Believe the yields of instrumented bitcode, as the verification did.
    #[arg(long)]
    pub trust_instrumentation: bool,

    /// The solver; all that are installed if none is named. May be repeated.
    #[arg(long, value_enum)]
    pub checker: Vec<Checker>,

    /// Time limit in seconds for all obligations and solvers together; at the limit the result is unknown (exit code 5).
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "300")]
    pub timeout: Duration,

    /// Memory limit in MiB (resident sets, solvers included); at the limit the result is unknown (exit code 5).
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
}

impl CheckOptions {
    /// How the C files of the program are compiled.
    pub(crate) fn compiler_arguments(&self) -> CompilerArguments {
        CompilerArguments {
            database: self.compile_commands.clone(),
            all: self.clang_arguments.clone(),
            data_model: None,
            checks_overflow: false,
            user_properties: Vec::new(),
            keeps_accesses: false,
            keeps_allocations: false,
        }
    }

    /// The limits of the command as a whole.
    pub fn limits(&self) -> Limits {
        Limits {
            time: Some(self.timeout),
            mebibytes: self.memory,
        }
    }
}

/// Solvers that check certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Checker {
    /// Z3.
    Z3,
    /// cvc5.
    Cvc5,
}
