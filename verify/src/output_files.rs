//! Files that results are written to.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::options::OutputOptions;
use crate::report::Report;
use crate::verdict::{Failure, Verdict};

/// A result that goes to a file.
struct Output<'a> {
    path: &'a Path,
    what: &'static str,
    option: &'static str,
}

fn schedule(options: &OutputOptions) -> Option<Output<'_>> {
    Some(Output {
        path: options.schedule_out.as_deref()?,
        what: "schedule",
        option: "--schedule-out",
    })
}

fn trace_graph(options: &OutputOptions) -> Option<Output<'_>> {
    Some(Output {
        path: options.trace_graph.as_deref()?,
        what: "event order graph",
        option: "--trace-graph",
    })
}

fn certificate(options: &OutputOptions) -> Option<Output<'_>> {
    Some(Output {
        path: options.certificate.as_deref()?,
        what: "certificate",
        option: "--certificate",
    })
}

/// Finds out whether the files can be written, before the work is done whose result would be lost. They stay as they are.
///
/// # Errors
/// One cannot, or is a file of the program. Pipes and devices are not tried.
pub fn check(options: &OutputOptions, program: &[PathBuf]) -> Result<(), Failure> {
    let program: Vec<PathBuf> = program.iter().flat_map(fs::canonicalize).collect();
    let outputs = [schedule, trace_graph, certificate].map(|output| output(options));
    outputs.into_iter().flatten().try_for_each(|output| {
        if fs::canonicalize(output.path).is_ok_and(|path| program.contains(&path)) {
            return Err(output.failure(&"that is the program"));
        }
        output.check()
    })
}

/// Writes the schedule of a violation and its picture. The failures: it cannot be written, or there is no invariant to be printed.
pub fn write(options: &OutputOptions, report: &Report) -> Vec<Failure> {
    let mut failures = Vec::new();
    if let (Some(output), Some(schedule)) = (schedule(options), &report.schedule) {
        failures.extend(output.write(schedule).err());
    }
    if let (Some(output), Some(trace)) = (trace_graph(options), &report.trace) {
        failures.extend(output.write(&trace.to_svg()).err());
    }
    if options.invariant && report.invariant.is_none() && report.verdict == Verdict::Safe {
        failures.push(Failure::Usage(
            "there is no invariant: all runs or states were searched; --engine ic3 or --engine ic3-exact finds one".into(),
        ));
    }
    failures
}

/// Writes the certificate of SAFE, if it was asked for. Without one that can be read again there is no SAFE.
pub fn certify(options: &OutputOptions, report: Report) -> Report {
    let Some(output) = certificate(options).filter(|_| report.verdict == Verdict::Safe) else {
        return report;
    };
    let written = match &report.certificate {
        Some(certificate) => output.write(certificate),
        None => Err(Failure::Internal("the proof has no certificate".into())),
    };
    match written {
        Ok(()) => report,
        Err(failure) => Report {
            verdict: Verdict::unknown(format!("a proof was found, but {failure}")),
            ..report
        },
    }
}

/// Writes a text to a file that an option names.
///
/// # Errors
/// The file cannot be written.
pub fn export(path: &Path, text: &str) -> Result<(), Failure> {
    let (what, option) = ("export", "--output");
    Output { path, what, option }.write(&text)
}

impl Output<'_> {
    fn check(&self) -> Result<(), Failure> {
        let file = self.path;
        let tried = match fs::metadata(file) {
            Ok(metadata) if metadata.is_file() || metadata.is_dir() => append(file),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                append(file).and_then(|()| fs::remove_file(file))
            }
            Err(error) => Err(error),
        };
        tried.map_err(|error| self.failure(&error))
    }

    fn write(&self, text: &dyn Display) -> Result<(), Failure> {
        let write = || {
            let mut file = BufWriter::new(File::create(self.path)?);
            write!(file, "{text}")?;
            file.flush()
        };
        write().map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &dyn Display) -> Failure {
        let (what, option) = (self.what, self.option);
        Failure::Usage(format!(
            "cannot write the {what} to `{}`: {error}; {option} needs a file that may be written",
            abi::text::path(self.path)
        ))
    }
}

fn append(file: &Path) -> io::Result<()> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .map(drop)
}
