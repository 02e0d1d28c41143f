//! The binary `verify`: options in, verdict line and exit code out.

use std::env::current_exe;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::exit;

use abi::text::message;
use tracing_subscriber::EnvFilter;
use verify::check::check;
use verify::command::{CheckOptions, Command, CommandLine, ExportOptions, RunOptions};
use verify::compare::compare;
use verify::export::export;
use verify::native;
use verify::options::Options;
use verify::progress::Progress;
use verify::replay::replay;
use verify::report::Report;
use verify::save;
use verify::verdict::{Failure, Verdict, with_remedy};
use verify::watch::{Ended, Limits, supervise};

const INTERNAL_ERROR: i32 = 6;

fn main() {
    let line = CommandLine::of_process().unwrap_or_else(|error| {
        // A reader that went away is no reason to fail differently.
        let _ = error.print();
        exit(i32::from(error.use_stderr()));
    });
    start_logging(line.options.verbose);
    exit(match line.command {
        None => match line.options.output.replay.clone() {
            Some(schedule) => without_limits(move || replay_schedule(&line.options, &schedule)),
            None if line.options.output.compare => {
                without_limits(move || compare_reductions(&line.options))
            }
            None => verify_program(&line.options),
        },
        Some(Command::Run(options)) => without_limits(move || run_natively(&options)),
        Some(Command::Export(options)) => without_limits(move || export_system(&options)),
        Some(Command::CheckCertificate(options)) => check_certificate(&options),
    })
}

fn verify_program(options: &Options) -> i32 {
    let limits = Limits {
        time: options.timeout,
        mebibytes: options.memory,
    };
    let progress = progress(options);
    let work = {
        let (options, progress) = (options.clone(), progress.clone());
        move || verify::run_showing(&options, &progress)
    };
    let ended = supervise(limits, work);
    progress.clear();
    match ended {
        Ended::Done(Ok(report)) => conclude(&report, options),
        Ended::Done(Err(failure)) => fail(&failure),
        Ended::Limit(limit) => {
            let verdict = Verdict::unknown(with_remedy(&limit));
            conclude(&Report::undecided(verdict), options)
        }
        Ended::Panicked => INTERNAL_ERROR,
    }
}

/// Log lines and a line that moves do not go together.
fn progress(options: &Options) -> Progress {
    if options.verbose == 0 {
        Progress::on_terminal()
    } else {
        Progress::hidden()
    }
}

fn compare_reductions(options: &Options) -> i32 {
    let progress = progress(options);
    let verifier = current_exe().map_err(|error| {
        Failure::Usage(format!("cannot find the executable of `verify`: {error}"))
    });
    let compared = verifier.and_then(|verifier| compare(options, &verifier, &progress));
    progress.clear();
    let comparison = match compared {
        Ok(comparison) => comparison,
        Err(failure) => return fail(&failure),
    };
    let text = if options.output.json {
        comparison.to_json()
    } else {
        comparison.to_text()
    };
    say(&text, &comparison.verdict);
    comparison.verdict.exit_code()
}

/// Works with the large stack that reading programs needs.
fn without_limits(work: impl FnOnce() -> i32 + Send + 'static) -> i32 {
    match supervise(Limits::default(), work) {
        Ended::Done(code) => code,
        Ended::Limit(_) | Ended::Panicked => INTERNAL_ERROR,
    }
}

fn export_system(options: &ExportOptions) -> i32 {
    let written = export(options).and_then(|text| match &options.output {
        Some(file) => save::export(file, &text),
        None => print(&text).map_err(|error| {
            Failure::Usage(format!(
                "cannot write the export to standard output: {error}; --output names a file"
            ))
        }),
    });
    written.map_or_else(|failure| fail(&failure), |()| 0)
}

fn run_natively(options: &RunOptions) -> i32 {
    native::run(&options.program, &options.arguments).unwrap_or_else(|failure| fail(&failure))
}

fn replay_schedule(options: &Options, schedule: &Path) -> i32 {
    match replay(&options.program, schedule) {
        Ok(replayed) => {
            say(&format!("{replayed}\n"), &replayed);
            replayed.exit_code()
        }
        Err(failure) => fail(&failure),
    }
}

fn check_certificate(options: &CheckOptions) -> i32 {
    match check(options) {
        Ok((lines, checked)) => {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            say(&format!("{text}{checked}\n"), &checked);
            checked.exit_code()
        }
        Err(failure) => fail(&failure),
    }
}

/// Logs go to standard error; `RUST_LOG` refines what `-v` shows.
fn start_logging(verbose: u8) {
    let level = ["warn", "info", "debug"][usize::from(verbose.min(2))];
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .without_time()
        .init();
}

/// Prints the report and stores what goes to files. What fails here is said, but the verdict stands, and so does its exit code.
fn conclude(report: &Report, options: &Options) -> i32 {
    let text = if options.output.json {
        report.to_json()
    } else {
        report.to_text()
    };
    say(&text, &report.verdict_line());
    save::write(&options.output, report)
        .iter()
        .for_each(complain);
    report.verdict.exit_code()
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
