//! The binary `bench-paper`: runs the paper's experiments and writes their tables and plots.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use ::tests::paper_examples;
use bench::command::{Common, finish};
use bench::comparison::{Measured, Mismatch, Task, measure};
use bench::journal::Journal;
use bench::measure::Run;
use bench::paper::set::{self, Program};
use bench::paper::{configurations, experiments, scatter, table as paper_table};
use bench::series::Series;
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
    let seconds = options.timeout;
    let conditions = Conditions {
        repeats: 1,
        seconds: seconds.unwrap_or(if common.quick { 5 } else { 600 }),
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
    let journal = Journal::open(common.out.join("runs.csv"), runner)?;
    let mut tasks = Tasks::new(journal, &chosen, &programs);
    let mut results = Results::default();
    for series in chosen {
        results.experiments.push(tasks.measure_series(series)?);
        common.write(results.files(conditions)?)?;
    }
    for path in &programs {
        results.set.push(tasks.measure_program(path)?);
        common.write(results.files(conditions)?)?;
    }
    tasks.bar.finish_and_clear();
    eprintln!("{}", common.out.join("paper.md").display());
    Ok(results.mismatches())
}

/// Makes the runs, and shows how far they are.
struct Tasks {
    journal: Journal,
    bar: ProgressBar,
    /// The tasks before this series or program.
    before: usize,
}

impl Tasks {
    fn new(journal: Journal, chosen: &[Series], programs: &[PathBuf]) -> Self {
        let sizes: usize = chosen.iter().map(|series| series.values.len()).sum();
        let tasks = sizes * configurations().len() + programs.len() * set::configurations().len();
        let bar = ProgressBar::new(tasks as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{elapsed} {bar:30} {pos} of {len}, now {msg}")
        {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        Self {
            journal,
            bar,
            before: 0,
        }
    }

    fn measure_series(&mut self, series: Series) -> anyhow::Result<Measured> {
        let program = series.program(&paper_examples())?.clone();
        let configurations = configurations();
        let count = series.values.len() * configurations.len();
        let measured = measure(series, &program, &configurations, 1, |task| self.run(task))?;
        self.before += count;
        Ok(measured)
    }

    fn measure_program(&mut self, path: &Path) -> anyhow::Result<Program> {
        let program = set::measure(path, |task| self.run(task))?;
        self.before += program.cells.len();
        Ok(program)
    }

    fn run(&mut self, task: &Task) -> anyhow::Result<Run> {
        self.bar.set_position((self.before + task.position) as u64);
        self.bar.set_message(task.name.clone());
        let (run, known) = self.journal.run(task.program, &task.options)?;
        let before = if known { " (in runs.csv)" } else { "" };
        self.bar
            .suspend(|| eprintln!("{}: {run}{before}", task.name));
        Ok(run)
    }
}

/// What was measured so far.
#[derive(Default)]
struct Results {
    experiments: Vec<Measured>,
    set: Vec<Program>,
}

impl Results {
    fn mismatches(&self) -> Vec<Mismatch> {
        let experiments = self.experiments.iter().flat_map(Measured::mismatches);
        let set = self.set.iter().flat_map(Program::mismatches);
        experiments.chain(set).collect()
    }

    fn files(&self, conditions: Conditions) -> anyhow::Result<Vec<(String, String)>> {
        let Self { experiments, set } = self;
        let page = paper_table::markdown(experiments, set, conditions);
        let mut files = plot::files(experiments, conditions.seconds)?;
        files.push(("experiments.csv".to_owned(), table::csv(experiments)));
        files.push(("paper.md".to_owned(), page));
        if !set.is_empty() {
            let plot = scatter::svg(set, conditions.seconds)?;
            files.push(("set.csv".to_owned(), set::csv(set)));
            files.push(("set.svg".to_owned(), plot));
        }
        Ok(files)
    }
}
