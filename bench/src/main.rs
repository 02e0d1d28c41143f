//! The binary `bench`: runs the comparison and writes its tables and plots.

use std::process::ExitCode;

use ::tests::examples;
use bench::command::{Common, finish};
use bench::comparison::{Measured, Mismatch, Task, measure};
use bench::configuration::Configuration;
use bench::series;
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
    #[command(flatten)]
    common: Common,

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
    finish(run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<Vec<Mismatch>> {
    let common = &options.common;
    let (repeats, seconds) = if common.quick { (1, 5) } else { (3, 20) };
    let conditions = Conditions {
        repeats: options.repeats.map_or(repeats, usize::from),
        seconds: options.timeout.unwrap_or(seconds),
        mebibytes: options.memory,
    };
    let runner = common.runner(conditions.seconds, conditions.mebibytes)?;
    let decide = |task: &Task| {
        let run = runner.run(task.program, &task.options)?;
        eprintln!("{}: {run}", task.name);
        Ok(run)
    };
    let mut all = Vec::new();
    for series in common.chosen(series::all())? {
        let program = series.program(&examples())?.clone();
        all.push(measure(
            series,
            &program,
            &Configuration::ENGINES,
            conditions.repeats,
            decide,
        )?);
        // What was measured so far is not lost when the user interrupts the benchmarks.
        common.write(files(&all, conditions)?)?;
    }
    eprintln!("{}", common.out.join("comparison.md").display());
    Ok(all.iter().flat_map(Measured::mismatches).collect())
}

fn files(all: &[Measured], conditions: Conditions) -> anyhow::Result<Vec<(String, String)>> {
    let mut files = plot::files(all, conditions.seconds)?;
    files.push(("comparison.csv".to_owned(), table::csv(all)));
    files.push(("comparison.md".to_owned(), table::markdown(all, conditions)));
    Ok(files)
}
