//! All runs of all series, in a fixed order.

use std::fmt;

use ::tests::Expected;
use anyhow::Context;

use crate::measure::{Engine, Outcome, Run, Runner};
use crate::series::Series;

/// The runs of one engine on one size of one series; none if the engine did not decide a smaller size.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The engine.
    pub engine: Engine,
    /// Its runs, in order.
    pub runs: Vec<Run>,
}

/// One size of a series.
#[derive(Clone, Debug)]
pub struct Point {
    /// The value of the parameter.
    pub value: u32,
    /// One for each engine, in the order of [`Engine::ALL`].
    pub cells: Vec<Cell>,
}

/// A series with its runs.
#[derive(Clone, Debug)]
pub struct Measured {
    /// What was run.
    pub series: Series,
    /// The verdict that the program says it has.
    pub expected: Expected,
    /// By size.
    pub points: Vec<Point>,
}

/// A run that must not be: another verdict than the expected one, or a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// The program and the series.
    pub program: String,
    /// The engine.
    pub engine: &'static str,
    /// What was expected.
    pub expected: Expected,
    /// What came.
    pub found: Outcome,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            program,
            engine,
            expected,
            found,
        } = self;
        let expected = format!("{expected:?}").to_lowercase();
        write!(
            f,
            "{program}: expected {expected}, but {engine} says {found}"
        )
    }
}

impl Cell {
    /// The median time, if every run came to a verdict.
    pub fn median_seconds(&self) -> Option<f64> {
        let decided = self.runs.iter().all(|run| run.outcome.is_decided());
        decided.then(|| median(self.runs.iter().map(|run| run.seconds)))?
    }

    /// The largest resident set of all runs.
    pub fn peak_mebibytes(&self) -> f64 {
        self.runs
            .iter()
            .map(|run| run.peak_mebibytes)
            .fold(0.0, f64::max)
    }
}

impl Measured {
    /// The runs that must not be.
    pub fn mismatches(&self) -> impl Iterator<Item = Mismatch> {
        let Series {
            name,
            example,
            parameter,
            ..
        } = self.series;
        let cells = self
            .points
            .iter()
            .flat_map(|point| point.cells.iter().map(move |cell| (point.value, cell)));
        let runs = cells
            .flat_map(|(value, cell)| cell.runs.iter().map(move |run| (value, cell.engine, run)));
        let wrong = runs.filter(|(.., run)| run.outcome.is_wrong(self.expected));
        wrong.map(move |(value, engine, run)| Mismatch {
            program: format!("{example} with {parameter}={value} ({name})"),
            engine: engine.name(),
            expected: self.expected,
            found: run.outcome.clone(),
        })
    }
}

/// The middle one, or the mean of the two in the middle.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

/// Runs a series, every size `repeats` times with every engine. The engines take turns, so that a machine that is busy
/// for a while slows all of them down. An engine that does not decide a size is not asked for it again, nor for larger ones.
pub fn measure(
    series: Series,
    runner: &Runner,
    repeats: usize,
    mut progress: impl FnMut(&str),
) -> anyhow::Result<Measured> {
    let missing = || format!("no program {} in c-examples", series.example);
    let program = series.program().with_context(missing)?;
    let mut asked = Engine::ALL.map(|_| true);
    let mut points = Vec::new();
    for &value in &series.values {
        let arguments = [program.options.clone(), series.arguments(value)].concat();
        let mut cells = Engine::ALL.map(|engine| Cell {
            engine,
            runs: Vec::new(),
        });
        for _ in 0..repeats {
            for (cell, asked) in cells
                .iter_mut()
                .zip(&mut asked)
                .filter(|(_, asked)| **asked)
            {
                let run = runner.run(&program.path, cell.engine, &arguments)?;
                let (name, engine) = (series.name, cell.engine.name());
                progress(&format!(
                    "{name} {value} {engine}: {} in {:.2} s",
                    run.outcome, run.seconds
                ));
                *asked = run.outcome.is_decided();
                cell.runs.push(run);
            }
        }
        points.push(Point {
            value,
            cells: cells.to_vec(),
        });
    }
    Ok(Measured {
        series,
        expected: program.expected,
        points,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(engine: Engine, outcome: &Outcome, seconds: &[f64]) -> Cell {
        let run = |&seconds: &f64| Run {
            outcome: outcome.clone(),
            seconds,
            peak_mebibytes: seconds,
        };
        Cell {
            engine,
            runs: seconds.iter().map(run).collect(),
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let seconds = |seconds: &[f64]| cell(Engine::Ic3, &Outcome::Safe, seconds).median_seconds();
        assert_eq!(seconds(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(seconds(&[4.0, 1.0, 2.0, 9.0]), Some(3.0));
        assert_eq!(seconds(&[]), None);
        assert_eq!(
            cell(Engine::Bmc, &Outcome::Unknown, &[1.0]).median_seconds(),
            None
        );
        assert!(
            (cell(Engine::Bmc, &Outcome::Safe, &[1.0, 7.0, 2.0]).peak_mebibytes() - 7.0).abs()
                < 1e-9
        );
    }

    #[test]
    fn opposite_verdicts_and_failures_are_mismatches_and_limits_are_not() {
        let outcomes = [
            Outcome::Safe,
            Outcome::Unsafe,
            Outcome::Unknown,
            Outcome::Killed,
            Outcome::Failed("exit status: 6".to_owned()),
        ];
        for (expected, wrong) in [(Expected::Safe, [1, 4]), (Expected::Unsafe, [0, 4])] {
            let measured = Measured {
                series: crate::series::all().remove(0),
                expected,
                points: vec![Point {
                    value: 3,
                    cells: outcomes
                        .iter()
                        .map(|outcome| cell(Engine::Bmc, outcome, &[1.0]))
                        .collect(),
                }],
            };
            let found: Vec<Outcome> = measured
                .mismatches()
                .map(|mismatch| mismatch.found)
                .collect();
            assert_eq!(found, wrong.map(|index: usize| outcomes[index].clone()));
        }
    }
}
