//! The binary `verify`: options in, verdict line and exit code out.

use std::io::Write;
use std::process::exit;

use clap::Parser;
use tracing_subscriber::EnvFilter;
use verify::options::Options;
use verify::report::Report;
use verify::verdict::{Failure, Verdict};
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
    let json = options.json;
    let ended = supervise(limits, move || verify::run(&options));
    exit(match ended {
        Ended::Done(Ok(report)) => print(&report, json),
        Ended::Done(Err(failure)) => complain(&failure),
        Ended::Time(time) => print(
            &Report::undecided(Verdict::unknown(format!(
                "time limit of {} s; --timeout raises it",
                time.as_secs_f64()
            ))),
            json,
        ),
        Ended::Memory(mebibytes) => print(
            &Report::undecided(Verdict::unknown(format!(
                "memory limit of {mebibytes} MiB; --memory raises it"
            ))),
            json,
        ),
        Ended::Panicked => INTERNAL_ERROR,
    })
}

/// Logs go to standard error; `RUST_LOG` refines what `-v` shows.
fn start_logging(verbose: u8) {
    let level = ["warn", "info", "debug"][usize::from(verbose.min(2))];
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .init();
}

fn print(report: &Report, json: bool) -> i32 {
    let text = if json {
        report.to_json()
    } else {
        report.to_text()
    };
    let mut output = std::io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Ok(()) => report.verdict.exit_code(),
        Err(error) => complain(&Failure::Usage(format!(
            "cannot write the result to standard output: {error}"
        ))),
    }
}

fn complain(failure: &Failure) -> i32 {
    // Nothing is left to do when standard error is gone, too.
    let _ = writeln!(std::io::stderr(), "error: {failure}");
    failure.exit_code()
}
