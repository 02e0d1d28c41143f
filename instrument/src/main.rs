//! The command line of the instrumentation: bitcode in, bitcode with markers out.

use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use abi::text::{message, path, printable};
use anyhow::Context;
use clap::Parser;
use clap::builder::RangedI64ValueParser;
use frontend::input::{CompilerArguments, Input, is_standard, with_compiler_options_named};
use frontend::{Loaded, ReadOptions, UndefinedFunctions};
use instrument::{Asked, ConditionKind, EmitError, Reduction, emit, explain, plan_under};
use program::model::DataModel;
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};

/// Reads a multi-threaded program and marks where its threads have to let others run: elsewhere a thread may go on
/// without being interleaved, and no violation is lost.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// C (.c, .i) or LLVM 19 (.bc, .ll), linked if there are several; bitcode on standard input if absent or `-`.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the bitcode goes; standard output if absent or `-`.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How interleavings are reduced: `none`, `static`, `phase` or `dynamic`.
    #[arg(long, default_value_t = Reduction::Static)]
    reduction: Reduction,
    /// What conditions of `--reduction dynamic` may look at.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', help = format!(
        "What conditions of `--reduction dynamic` may look at: {}, separated by commas; all by default",
        ConditionKind::names()
    ))]
    dynamic: Vec<ConditionKind>,
    /// Print how each statement moves and where others may run, with reasons, instead of bitcode.
    #[arg(long, conflicts_with = "output")]
    explain: bool,
    /// Threads per start routine that is started in a loop.
    #[arg(long, default_value_t = Bounds::default().threads, value_name = "N", value_parser = within(Bounds::THREADS))]
    threads: u32,
    /// Heap objects per allocation in a loop.
    #[arg(long, default_value_t = Bounds::default().heap, value_name = "N", value_parser = within(Bounds::HEAP))]
    heap: u32,
    /// Nested calls within a cycle of the call graph.
    #[arg(long, default_value_t = ReadOptions::default().recursion, value_name = "N", value_parser = within(ReadOptions::RECURSION))]
    recursion: u32,
    /// `abort` and `exit` with another status than 0 violate the property.
    #[arg(long)]
    abort_is_error: bool,
    /// Functions that are neither defined nor of the library return any value, and change only the variables that their arguments point
    /// into: `arbitrary`. Else (`stop`), runs that call one are not followed.
    #[arg(long, default_value = "stop", value_parser = undefined)]
    undefined: UndefinedFunctions,
    /// Which types have how many bits: ILP32 (as with clang's -m32) or LP64; by default that of the bitcode, or what clang compiles for.
    #[arg(long, value_name = "MODEL")]
    data_model: Option<DataModel>,
    /// A folder with `compile_commands.json`: how it says that the C files are compiled. If no file is named, all of its C files are
    /// the program.
    #[arg(long, value_name = "FOLDER")]
    compile_commands: Option<PathBuf>,
    /// An argument for clang, such as -O2; may be repeated. -D, -U, -I and -std= are understood without this, too.
    #[arg(long = "clang-arg", value_name = "ARG", allow_hyphen_values = true)]
    clang_arguments: Vec<String>,
    /// Further arguments for clang, after `--`.
    #[arg(last = true)]
    flags: Vec<String>,
}

impl Arguments {
    /// The command line of this process. What an error quotes of it is printable.
    fn of_process() -> Result<Self, clap::Error> {
        let words = with_compiler_options_named(std::env::args_os());
        Self::try_parse_from(&words).map_err(|error| {
            let words = words.iter().map(|word| printable(word.as_encoded_bytes()));
            Self::try_parse_from(words).err().unwrap_or(error)
        })
    }
}

/// Accepts numbers of a range.
fn within(range: RangeInclusive<u32>) -> RangedI64ValueParser<u32> {
    let (first, last) = range.into_inner();
    clap::value_parser!(u32).range(i64::from(first)..=i64::from(last))
}

fn undefined(text: &str) -> Result<UndefinedFunctions, String> {
    match text {
        "stop" => Ok(UndefinedFunctions::Stop),
        "arbitrary" => Ok(UndefinedFunctions::Arbitrary),
        _ => Err("it is `stop` or `arbitrary`".to_owned()),
    }
}

/// Exit codes, as in all tools of the project.
const USAGE: u8 = 1;
const UNUSABLE_INPUT: u8 = 2;
const INTERNAL_ERROR: u8 = 6;

/// Why there is no output, with the exit code that says so.
struct Failure(u8, anyhow::Error);

fn main() -> ExitCode {
    let arguments = match Arguments::of_process() {
        Ok(arguments) => arguments,
        Err(error) => return print_usage(&error),
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(code, error)) => {
            complain(&format!("{error:#}"));
            ExitCode::from(code)
        }
    }
}

/// Prints help, the version, or what is wrong with the command line.
fn print_usage(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| io::stdout().flush()) {
        // A reader that went away has seen what it wanted to see.
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("cannot write to standard output: {cause}"));
            ExitCode::from(USAGE)
        }
        Ok(()) | Err(_) => ExitCode::from(if error.use_stderr() { USAGE } else { 0 }),
    }
}

fn complain(what: &str) {
    // Nothing is left to do if not even standard error takes text.
    let _ = writeln!(io::stderr(), "{}", message(format!("instrument: {what}")));
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let to_stdout = arguments.output.as_deref().is_none_or(is_standard);
    if to_stdout && !arguments.explain && io::stdout().is_terminal() {
        let message =
            "bitcode does not go to a terminal: redirect the output or name a file with -o";
        return Err(Failure(USAGE, anyhow::anyhow!(message)));
    }
    let options = ReadOptions {
        recursion: arguments.recursion,
        abort_is_error: arguments.abort_is_error,
        data_model: arguments.data_model,
        undefined: arguments.undefined,
        ..ReadOptions::default()
    };
    let loaded = frontend::load(&input(arguments)?, &options)
        .map_err(|error| Failure(UNUSABLE_INPUT, error.into()))?;
    let output = produce(arguments, &loaded)?;
    match arguments
        .output
        .as_deref()
        .filter(|path| !is_standard(path))
    {
        Some(file) => {
            std::fs::write(file, output).with_context(|| format!("cannot write `{}`", path(file)))
        }
        None => {
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(&output).and_then(|()| stdout.flush());
            written.context("cannot write to standard output")
        }
    }
    .map_err(|error| Failure(USAGE, error))
}

fn input(arguments: &Arguments) -> Result<Input, Failure> {
    let compiler = CompilerArguments {
        database: arguments.compile_commands.clone(),
        all: [arguments.clang_arguments.as_slice(), &arguments.flags].concat(),
        data_model: arguments.data_model,
        checks_overflow: false,
        user_properties: Vec::new(),
        keeps_accesses: false,
        keeps_allocations: false,
    };
    let files = compiler.files(arguments.files.clone());
    let input = files.and_then(|files| Input::of(files, &compiler));
    input.map_err(|error| Failure(UNUSABLE_INPUT, error.into()))
}

/// The bitcode, or the explanation.
fn produce(arguments: &Arguments, loaded: &Loaded) -> Result<Vec<u8>, Failure> {
    let bounds = Bounds {
        threads: arguments.threads,
        heap: arguments.heap,
    };
    let instances = instantiate(&loaded.program, &bounds);
    if let Some(message) = instances.lacks_addresses() {
        return Err(Failure(UNUSABLE_INPUT, anyhow::anyhow!(message)));
    }
    let points_to = PointsTo::analyse(&loaded.program, &instances);
    let reduction = arguments.reduction;
    let kinds = ConditionKind::chosen(&arguments.dynamic, reduction)
        .map_err(|message| Failure(USAGE, anyhow::anyhow!(message)))?;
    let plan = plan_under(
        &loaded.program,
        &instances,
        &points_to,
        reduction,
        (&kinds, Asked::Worthwhile),
    );
    if arguments.explain {
        return Ok(explain(&loaded.program, &instances, &plan)
            .to_string()
            .into_bytes());
    }
    emit(loaded, &plan).map_err(|error| {
        let code = if matches!(error, EmitError::AlreadyInstrumented) {
            UNUSABLE_INPUT
        } else {
            INTERNAL_ERROR
        };
        Failure(code, error.into())
    })
}
