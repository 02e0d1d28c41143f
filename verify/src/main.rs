//! The binary `verify`: options in, verdict line and exit code out.

use std::env::current_exe;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::exit;

use abi::text::message;
use anstream::{AutoStream, ColorChoice};
use tracing_subscriber::EnvFilter;
use verify::check_certificate::{Checked, check};
use verify::command::{CheckOptions, Command, CommandLine, ExportOptions, RunOptions};
use verify::compare::{Comparison, compare};
use verify::expected_verdict::differences;
use verify::export::export;
use verify::native;
use verify::options::Options;
use verify::output_files;
use verify::progress::Progress;
use verify::replay::{Replayed, replay};
use verify::report::{PropertyVerdict, Report};
use verify::supervisor::{Ended, Limits, supervise};
use verify::trace::Rendering;
use verify::verdict::{Failure, Verdict, with_remedy};

const UNKNOWN: i32 = 5;
const INTERNAL_ERROR: i32 = 6;

fn main() {
    let line = CommandLine::of_process().unwrap_or_else(|error| exit(print_usage(&error)));
    start_logging(line.options.verbose);
    // Else what needs it starts it, when there is more to copy.
    let _ = process::prepare();
    let line = line
        .with_files()
        .unwrap_or_else(|failure| exit(fail(&failure)));
    exit(match line.command {
        None if line.options.output.replay.is_some() => replay_schedule(line.options),
        None if line.options.output.compare => compare_reductions(line.options),
        None => verify_program(line.options),
        Some(Command::Run(options)) => run_natively(options),
        Some(Command::Export(options)) => export_system(options),
        Some(Command::CheckCertificate(options)) => check_certificate(options),
    })
}

/// Prints help, the version, or what is wrong with the command line.
fn print_usage(error: &clap::Error) -> i32 {
    match error.print().and_then(|()| io::stdout().flush()) {
        // A reader that went away has seen what it wanted to see.
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            complain(format_args!("cannot write to standard output: {cause}"));
            1
        }
        Ok(()) | Err(_) => i32::from(error.use_stderr()),
    }
}

/// Works within limits, then goes on with the result, or with the limit in words; gives the exit code. Children end with the work.
fn within<T: Send + 'static>(
    limits: Limits,
    progress: &Progress,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    done: impl FnOnce(T) -> i32,
    stopped: impl FnOnce(String) -> i32,
) -> i32 {
    let ended = supervise(limits, work);
    if !matches!(ended, Ended::Done(_)) {
        process::end_all();
    }
    progress.clear();
    match ended {
        Ended::Done(Ok(result)) => done(result),
        Ended::Done(Err(failure)) => fail(&failure),
        Ended::Limit(limit) => stopped(with_remedy(&limit)),
        Ended::Panicked => INTERNAL_ERROR,
        Ended::NotStarted => UNKNOWN,
    }
}

fn verify_program(options: Options) -> i32 {
    let progress = progress(&options);
    let work = {
        let (options, progress) = (options.clone(), progress.clone());
        move || verify::run_showing(&options, &progress)
    };
    within(
        options.limits.within(),
        &progress,
        work,
        |report| conclude(report, &options),
        |limit| conclude(verify::stopped(&limit, &options, &progress), &options),
    )
}

/// Log lines and a line that moves do not go together.
fn progress(options: &Options) -> Progress {
    if options.verbose == 0 {
        Progress::on_terminal()
    } else {
        Progress::hidden()
    }
}

fn compare_reductions(options: Options) -> i32 {
    let progress = progress(&options);
    let work = {
        let (options, progress) = (options.clone(), progress.clone());
        move || {
            let verifier = current_exe().map_err(|error| {
                Failure::Usage(format!("cannot find the executable of `verify`: {error}"))
            })?;
            compare(&options, &verifier, &progress)
        }
    };
    let show = |comparison: Comparison| {
        let text = match options.output.json {
            true => comparison.to_json(),
            false => comparison.to_text(),
        };
        say(&text, &comparison.verdict);
        warn_of_differences(&options, &comparison.verdict, &[]);
        comparison.verdict.exit_code()
    };
    within(
        options.limits.of_comparison(),
        &progress,
        work,
        show,
        |limit| show(Comparison::stopped(limit)),
    )
}

fn export_system(options: ExportOptions) -> i32 {
    let limits = options.limits.within();
    let output = options.output.clone();
    let write = |text: String| match &output {
        Some(file) => output_files::export(file, &text),
        None => print(&text).map_err(|error| {
            Failure::Usage(format!(
                "cannot write the export to standard output: {error}; --output names a file"
            ))
        }),
    };
    within(
        limits,
        &Progress::hidden(),
        move || export(&options),
        |text| write(text).map_or_else(|failure| fail(&failure), |()| 0),
        give_up,
    )
}

fn run_natively(options: RunOptions) -> i32 {
    within(
        options.limits.within(),
        &Progress::hidden(),
        move || native::run(&options.program, &options.arguments),
        |code| code,
        give_up,
    )
}

fn replay_schedule(options: Options) -> i32 {
    let show = |replayed: Replayed| {
        say(&format!("{replayed}\n"), &replayed);
        replayed.exit_code()
    };
    let schedule = options.output.replay.clone().unwrap_or_default();
    within(
        options.limits.within(),
        &Progress::hidden(),
        move || replay(&options.program, &schedule),
        show,
        |reason| show(Replayed::Unknown { reason }),
    )
}

fn check_certificate(options: CheckOptions) -> i32 {
    let show = |(lines, checked): (Vec<String>, Checked)| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        say(&format!("{text}{checked}\n"), &checked);
        checked.exit_code()
    };
    within(
        options.limits(),
        &Progress::hidden(),
        move || check(&options),
        show,
        |reason| show((Vec::new(), Checked::Unknown { reason })),
    )
}

/// Says that there is no result because of a limit.
fn give_up(limit: String) -> i32 {
    complain(limit);
    UNKNOWN
}

/// Logs go to standard error; `RUST_LOG` refines what `-v` shows.
fn start_logging(verbose: u8) {
    let level = ["warn", "info", "debug"][usize::from(verbose.min(2))];
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        // Where nothing can be written, a complaint about that cannot be either; it would be a panic.
        .log_internal_errors(false)
        .without_time()
        .init();
}

/// Prints the report, and stores what belongs to it within the same limits once more. What fails here is said, but the verdict stands,
/// and so does its exit code.
fn conclude(report: Report, options: &Options) -> i32 {
    let text = if options.output.json {
        report.to_json()
    } else {
        report.to_text(rendering(options))
    };
    say(&text, &report.verdict_line());
    warn_of_differences(options, &report.verdict, &report.properties);
    let code = report.verdict.exit_code();
    let output = options.output.clone();
    match supervise(options.limits.within(), move || {
        output_files::write(&output, &report)
    }) {
        Ended::Done(failures) => failures.iter().for_each(complain),
        Ended::Limit(limit) => complain(format_args!(
            "cannot write the schedule: {}",
            with_remedy(&limit)
        )),
        Ended::Panicked => return INTERNAL_ERROR,
        Ended::NotStarted => complain("cannot write the schedule"),
    }
    code
}

/// What of a trace is shown: colours are for terminals that have them and whose user has not asked for none.
fn rendering(options: &Options) -> Rendering {
    let output = io::stdout();
    let has_colours = AutoStream::choice(&output) != ColorChoice::Never;
    Rendering {
        verbose: options.verbose > 0,
        colour: output.is_terminal() && has_colours,
    }
}

/// Says where a task definition expects another verdict.
fn warn_of_differences(options: &Options, verdict: &Verdict, properties: &[PropertyVerdict]) {
    for difference in differences(options, verdict, properties) {
        // Nothing is left to do when standard error is gone.
        let _ = writeln!(
            io::stderr(),
            "{}",
            message(format!("warning: {difference}"))
        );
    }
}

/// Prints a result; where that fails, standard error says it in short.
fn say(text: &str, short: &dyn Display) {
    if let Err(error) = print(text) {
        complain(format_args!(
            "cannot write the result to standard output: {error}; it is {short}"
        ));
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn fail(failure: &Failure) -> i32 {
    complain(failure);
    failure.exit_code()
}

fn complain(what: impl Display) {
    // Nothing is left to do when standard error is gone, too.
    let _ = writeln!(io::stderr(), "{}", message(format!("error: {what}")));
}
