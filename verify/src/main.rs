//! The binary `verify`: options in, verdict line and exit code out.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::exit;

use clap::Parser;
use tracing_subscriber::EnvFilter;
use verify::options::Options;
use verify::progress::Progress;
use verify::report::Report;
use verify::save;
use verify::verdict::{Verdict, with_remedy};
use verify::watch::{Ended, Limits, supervise};

const INTERNAL_ERROR: i32 = 6;

fn main() {
    let options = Options::try_parse().unwrap_or_else(|error| {
        // A reader that went away is no reason to fail differently.
        let _ = error.print();
        exit(i32::from(error.use_stderr()));
    });
    start_logging(options.verbose);
    let limits = Limits {
        time: options.timeout,
        mebibytes: options.memory,
    };
    // Log lines and a line that moves do not go together.
    let progress = if options.verbose == 0 {
        Progress::on_terminal()
    } else {
        Progress::hidden()
    };
    let work = {
        let (options, progress) = (options.clone(), progress.clone());
        move || verify::run_showing(&options, &progress)
    };
    let ended = supervise(limits, work);
    progress.clear();
    exit(match ended {
        Ended::Done(Ok(report)) => conclude(&report, &options),
        Ended::Done(Err(failure)) => {
            complain(&failure);
            failure.exit_code()
        }
        Ended::Limit(limit) => {
            let verdict = Verdict::unknown(with_remedy(&limit));
            conclude(&Report::undecided(verdict), &options)
        }
        Ended::Panicked => INTERNAL_ERROR,
    })
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

/// Prints the report and stores the schedule. What fails here is said, but the verdict stands, and so does its exit code.
fn conclude(report: &Report, options: &Options) -> i32 {
    if let Err(error) = print(report, options.json) {
        complain(format_args!(
            "cannot write the result to standard output: {error}; it is {}",
            report.verdict
        ));
    }
    if let (Some(file), Some(schedule)) = (&options.schedule_out, &report.schedule)
        && let Err(failure) = save::write(file, schedule)
    {
        complain(failure);
    }
    report.verdict.exit_code()
}

fn print(report: &Report, json: bool) -> io::Result<()> {
    let text = if json {
        report.to_json()
    } else {
        report.to_text()
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn complain(what: impl Display) {
    // Nothing is left to do when standard error is gone, too.
    let _ = writeln!(io::stderr(), "error: {what}");
}
