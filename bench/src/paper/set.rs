//! All programs of a folder, each decided by IC3 under every reduction.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use ::tests::{Example, Expected};
use anyhow::{Context, ensure};
use instrument::Reduction;

use crate::comparison::{Cell, Mismatch, Task};
use crate::configuration::{Configuration, Engine};
use crate::journal::files;
use crate::measure::{Outcome, Run};
use crate::table::fields;

/// IC3 under every reduction, the weakest first.
pub fn configurations() -> Vec<Configuration> {
    Configuration::reduced(Engine::Ic3, &Reduction::ALL)
}

/// A program with its runs.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its file name.
    pub name: String,
    /// Its verdict, if it is known: from a head comment as the programs of `c-examples/` have it, or else from a file name with
    /// `true-unreach-call` or `false-unreach-call`.
    pub expected: Option<Expected>,
    /// One for each of [`configurations`].
    pub cells: Vec<Cell>,
}

/// The programs of a folder: its files that end in `.c` or `.i`.
///
/// # Errors
///
/// The folder cannot be read, or has no such file.
pub fn programs(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let paths = files(folder, &["c", "i"])?;
    let shown = folder.display();
    ensure!(!paths.is_empty(), "{shown} has no file *.c or *.i");
    Ok(paths)
}

/// Decides a program once with every configuration.
///
/// # Errors
///
/// The program cannot be read; and those of `run`.
pub fn measure(
    path: &Path,
    mut run: impl FnMut(&Task) -> anyhow::Result<Run>,
) -> anyhow::Result<Program> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let head = Example::parse(path, &String::from_utf8_lossy(&text)).ok();
    let given = head.as_ref().map_or(&[][..], |head| &head.options);
    let mut cells = Vec::new();
    for (position, configuration) in configurations().into_iter().enumerate() {
        let task = Task {
            name: format!("{name} {configuration}"),
            program: path,
            options: [&configuration.arguments(), given].concat(),
            position,
        };
        cells.push(Cell {
            configuration,
            runs: vec![run(&task)?],
        });
    }
    Ok(Program {
        expected: head.map(|head| head.expected).or(named(&name)),
        name,
        cells,
    })
}

fn named(name: &str) -> Option<Expected> {
    if name.contains("true-unreach-call") {
        Some(Expected::Safe)
    } else if name.contains("false-unreach-call") {
        Some(Expected::Unsafe)
    } else {
        None
    }
}

impl Program {
    /// The runs that must not be. If no verdict is expected, they must agree with the first one that has a verdict.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        let runs = || self.cells.iter().flat_map(|cell| &cell.runs);
        let found = runs().find_map(|run| match run.outcome {
            Outcome::Safe => Some(Expected::Safe),
            Outcome::Unsafe => Some(Expected::Unsafe),
            Outcome::Unknown | Outcome::Killed | Outcome::Failed(_) => None,
        });
        // Without any verdict, only failures are wrong, which they are whatever is expected.
        let expected = self.expected.or(found).unwrap_or(Expected::Unknown);
        let wrong = self.cells.iter();
        wrong
            .flat_map(|cell| cell.mismatches(&self.name, expected))
            .collect()
    }
}

/// The time that one configuration takes in all, as a multiple of another one's, over the programs that both decide, and how many these
/// are. Positions are those in [`configurations`].
pub fn relative(programs: &[Program], one: usize, other: usize) -> Option<(f64, usize)> {
    let times = |program: &Program| {
        let [one, other] = [one, other].map(|index| program.cells.get(index)?.median_seconds());
        one.zip(other)
    };
    let times: Vec<(f64, f64)> = programs.iter().filter_map(times).collect();
    let (ones, others) = times
        .iter()
        .fold((0.0, 0.0), |(ones, others), (one, other)| {
            (ones + one, others + other)
        });
    (others > 0.0).then(|| (ones / others, times.len()))
}

/// Every run, a line each.
pub fn csv(programs: &[Program]) -> String {
    let mut text = String::from("program,configuration,outcome,seconds,peak_mib\n");
    for Program { name, cells, .. } in programs {
        for cell in cells {
            for run in &cell.runs {
                let _ = writeln!(text, "{name},{},{}", cell.configuration, fields(run));
            }
        }
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A program whose runs end and take as long as told.
    pub(crate) fn program(name: &str, runs: [(Outcome, f64); 4]) -> Program {
        let cell = |(configuration, (outcome, seconds))| Cell {
            configuration,
            runs: vec![Run {
                outcome,
                seconds,
                peak_mebibytes: 1.0,
            }],
        };
        Program {
            name: name.to_owned(),
            expected: named(name),
            cells: std::iter::zip(configurations(), runs).map(cell).collect(),
        }
    }

    #[test]
    fn sums_are_over_the_programs_that_both_decide() {
        let [safe, unknown] = [Outcome::Safe, Outcome::Unknown];
        let all = |seconds: [f64; 4]| seconds.map(|seconds| (safe.clone(), seconds));
        let mut second = all([2.0, 1.0, 1.0, 1.0]);
        second[3] = (unknown, 100.0);
        let programs = [
            program("a.c", all([4.0, 1.0, 1.0, 2.0])),
            program("b.c", second),
        ];
        assert_eq!(relative(&programs, 0, 1), Some((3.0, 2)));
        assert_eq!(relative(&programs, 3, 1), Some((2.0, 1)));
        assert_eq!(relative(&[], 0, 1), None);
    }

    #[test]
    fn verdicts_must_agree_with_the_name_or_among_each_other() {
        let runs = [
            Outcome::Unknown,
            Outcome::Unsafe,
            Outcome::Safe,
            Outcome::Failed("exit status: 6".to_owned()),
        ];
        let runs = runs.map(|outcome| (outcome, 1.0));
        for (name, wrong) in [
            ("a_true-unreach-call.i", [1, 3]),
            ("a_false-unreach-call.i", [2, 3]),
            ("a.c", [2, 3]),
        ] {
            let mismatches = program(name, runs.clone()).mismatches();
            let found: Vec<Configuration> = mismatches
                .iter()
                .map(|mismatch| mismatch.configuration)
                .collect();
            assert_eq!(found, wrong.map(|index: usize| configurations()[index]));
        }
    }
}
