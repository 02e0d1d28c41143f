//! The binary `bench`: runs the comparison and writes its tables and plots.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use bench::comparison::{Measured, Mismatch, measure};
use bench::measure::Runner;
use bench::series::{self, Series};
use bench::table::Conditions;
use bench::{plot, table};
use clap::Parser;

/// Compares IC3 with bounded model checking, and with all engines side by side, over programs of c-examples that grow.
///
/// Writes comparison.csv, comparison.md and an SVG plot for each series. Exit code 1 if some verdict is not the expected one
/// or a run fails; how long anything takes never matters to it.
#[derive(Debug, Parser)]
#[command(name = "bench", max_term_width = 100)]
struct Options {
    /// The series to run; all if none is named.
    series: Vec<String>,

    /// The binary `verify`.
    #[arg(long, value_name = "FILE", default_value = "target/release/verify")]
    verify: PathBuf,

    /// The folder to write to; it is made if need be.
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    out: PathBuf,

    /// Run each series with its two smallest sizes, once each, with at most 5 seconds a run.
    #[arg(long)]
    quick: bool,

    /// How often each size is run with each engine (default 3).
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = clap::value_parser!(u16).range(1..))]
    repeats: Option<u16>,

    /// Limit on the wall-clock time of a run, in seconds (default 20).
    #[arg(long, value_name = "SECONDS", conflicts_with = "quick", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,

    /// Limit on the memory of a run, in MiB (resident set).
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(mismatches) if mismatches.is_empty() => ExitCode::SUCCESS,
        Ok(mismatches) => {
            eprintln!(
                "\nWRONG: {} runs did not end as they must:",
                mismatches.len()
            );
            mismatches
                .iter()
                .for_each(|mismatch| eprintln!("  WRONG: {mismatch}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> anyhow::Result<Vec<Mismatch>> {
    let (repeats, seconds) = if options.quick { (1, 5) } else { (3, 20) };
    let conditions = Conditions {
        repeats: options.repeats.map_or(repeats, usize::from),
        seconds: options.timeout.unwrap_or(seconds),
        mebibytes: options.memory,
    };
    let verify = &options.verify;
    ensure!(
        verify.is_file(),
        "{} is no file; build it with `make build`, or name it with --verify",
        verify.display()
    );
    let runner = Runner {
        verify: fs::canonicalize(verify).with_context(|| verify.display().to_string())?,
        seconds: conditions.seconds,
        mebibytes: conditions.mebibytes,
    };
    let mut all = Vec::new();
    for series in chosen(options)? {
        all.push(measure(series, &runner, conditions.repeats, |line| {
            eprintln!("{line}")
        })?);
        // What was measured so far is not lost when somebody loses patience.
        write(options, &all, conditions)?;
    }
    eprintln!("{}", options.out.join("comparison.md").display());
    Ok(all.iter().flat_map(Measured::mismatches).collect())
}

fn chosen(options: &Options) -> anyhow::Result<Vec<Series>> {
    let all = series::all();
    if let Some(unknown) = options
        .series
        .iter()
        .find(|name| all.iter().all(|series| series.name != **name))
    {
        let names: Vec<&str> = all.iter().map(|series| series.name).collect();
        bail!(
            "there is no series {unknown}; there are {}",
            names.join(", ")
        );
    }
    let wanted = |series: &Series| {
        options.series.is_empty() || options.series.iter().any(|name| name == series.name)
    };
    let sized = |series: Series| {
        if options.quick {
            series.shortened()
        } else {
            series
        }
    };
    Ok(all.into_iter().filter(wanted).map(sized).collect())
}

fn write(options: &Options, all: &[Measured], conditions: Conditions) -> anyhow::Result<()> {
    let folder = &options.out;
    let mut files = vec![
        ("comparison.csv".to_owned(), table::csv(all)),
        ("comparison.md".to_owned(), table::markdown(all, conditions)),
    ];
    for measured in all {
        files.push((
            format!("{}.svg", measured.series.name),
            plot::svg(measured, conditions.seconds)?,
        ));
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
