//! The binary `bench-paper`: runs the paper's experiments and writes their tables and plots.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use ::tests::paper_examples;
use bench::command::{Common, finish};
use bench::comparison::{Measured, Mismatch, Task, measure};
use bench::journal::Journal;
use bench::measure::Run;
use bench::paper::set::{self, Program};
use bench::paper::{configurations, experiments, scatter, table as paper_table};
use bench::table::Conditions;
use bench::{plot, table};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

/// Compares reductions with each other, in IC3 and in bounded model checking, over the programs of c-examples/paper.
///
/// Writes experiments.csv, paper.md and an SVG plot for each experiment; set.csv and set.svg for the programs of --set. Runs are
/// remembered in runs.csv, and not repeated with the same binary, program, options and limits. Exit code 1 if some verdict is
/// not the expected one, if two contradict each other, or if a run fails.
#[derive(Debug, Parser)]
#[command(name = "bench-paper", max_term_width = 100)]
struct Options {
    #[command(flatten)]
    common: Common,

    /// Decide also the programs of this folder (*.c, *.i) with IC3 under every reduction.
    #[arg(long, value_name = "FOLDER")]
    set: Option<PathBuf>,

    /// Decide nothing else.
    #[arg(long, requires = "set", conflicts_with = "series")]
    only_set: bool,

    /// Limit on the wall-clock time of a run, in seconds (default 600; 5 with --quick).
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,

    /// Limit on the memory of a run, in MiB (resident set).
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    memory: u64,
}

fn main() -> ExitCode {
    finish(run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<Vec<Mismatch>> {
    let common = &options.common;
    let conditions = Conditions {
        repeats: 1,
        seconds: options
            .timeout
            .unwrap_or(if common.quick { 5 } else { 600 }),
        mebibytes: options.memory,
    };
    let runner = common.runner(conditions.seconds, conditions.mebibytes)?;
    let chosen = if options.only_set {
        Vec::new()
    } else {
        common.chosen(experiments())?
    };
    let programs = options.set.as_deref().map(set::programs).transpose()?;
    let programs = programs.unwrap_or_default();
    common.make_folder()?;
    let mut tasks = Tasks {
        journal: Journal::open(common.out.join("runs.csv"), runner)?,
        bar: ProgressBar::hidden(),
        before: 0,
    };
    let sizes: usize = chosen.iter().map(|series| series.values.len()).sum();
    tasks.show(sizes * configurations().len() + programs.len() * set::configurations().len());

    let mut all: Vec<Measured> = Vec::new();
    let mut decided: Vec<Program> = Vec::new();
    for series in chosen {
        let program = series.program(&paper_examples())?.clone();
        let count = series.values.len() * configurations().len();
        all.push(measure(series, &program, &configurations(), 1, |task| {
            tasks.run(task)
        })?);
        tasks.before += count;
        common.write(files(&all, &decided, conditions)?)?;
    }
    for (index, path) in programs.iter().enumerate() {
        let position = index * set::configurations().len();
        decided.push(set::measure(path, position, |task| tasks.run(task))?);
        common.write(files(&all, &decided, conditions)?)?;
    }
    tasks.bar.finish_and_clear();
    eprintln!("{}", common.out.join("paper.md").display());
    let experiments = all.iter().flat_map(Measured::mismatches);
    Ok(experiments
        .chain(decided.iter().flat_map(Program::mismatches))
        .collect())
}

/// Makes the runs, and shows how far they are.
struct Tasks {
    journal: Journal,
    bar: ProgressBar,
    /// The tasks of the series before this one.
    before: usize,
}

impl Tasks {
    fn show(&mut self, tasks: usize) {
        self.bar = ProgressBar::new(tasks as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{elapsed} {bar:30} {pos} of {len}, now {msg}")
        {
            self.bar.set_style(style);
        }
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(500));
        }
    }

    fn run(&mut self, task: &Task) -> anyhow::Result<Run> {
        self.bar.set_position((self.before + task.position) as u64);
        self.bar.set_message(task.name.clone());
        let (run, known) = self.journal.run(task.program, &task.options)?;
        let before = if known { " (in runs.csv)" } else { "" };
        let Run {
            outcome, seconds, ..
        } = &run;
        self.bar
            .suspend(|| eprintln!("{}: {outcome} in {seconds:.2} s{before}", task.name));
        Ok(run)
    }
}

fn files(
    all: &[Measured],
    set: &[Program],
    conditions: Conditions,
) -> anyhow::Result<Vec<(String, String)>> {
    let seconds = conditions.seconds;
    let mut files = plot::files(all, seconds)?;
    files.push(("experiments.csv".to_owned(), table::csv(all)));
    files.push((
        "paper.md".to_owned(),
        paper_table::markdown(all, set, conditions),
    ));
    if !set.is_empty() {
        files.push(("set.csv".to_owned(), set::csv(set)));
        files.push(("set.svg".to_owned(), scatter::svg(set, seconds)?));
    }
    Ok(files)
}
