//! All runs of all series, in a fixed order.

use std::fmt;
use std::path::Path;

use ::tests::{Example, Expected};

use crate::configuration::Configuration;
use crate::measure::{Outcome, Run};
use crate::series::Series;

/// The runs of one configuration on one program at one size; none if it did not decide a smaller size.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The configuration.
    pub configuration: Configuration,
    /// Its runs, in order.
    pub runs: Vec<Run>,
}

/// One size of a series.
#[derive(Clone, Debug)]
pub struct Point {
    /// The value of the parameter.
    pub value: u32,
    /// One for each configuration, in their order.
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
    /// The configuration.
    pub configuration: Configuration,
    /// What was expected.
    pub expected: Expected,
    /// What came.
    pub found: Outcome,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            program,
            configuration,
            expected,
            found,
        } = self;
        let expected = format!("{expected:?}").to_lowercase();
        write!(
            f,
            "{program}: expected {expected}, but {configuration} says {found}"
        )
    }
}

impl Cell {
    /// Nothing was run yet.
    pub fn new(&configuration: &Configuration) -> Self {
        Self {
            configuration,
            runs: Vec::new(),
        }
    }

    /// The runs that must not be; `program` is what they are called.
    pub fn mismatches(&self, program: &str, expected: Expected) -> impl Iterator<Item = Mismatch> {
        let wrong = self
            .runs
            .iter()
            .filter(move |run| run.outcome.is_wrong(expected));
        wrong.map(move |run| Mismatch {
            program: program.to_owned(),
            configuration: self.configuration,
            expected,
            found: run.outcome.clone(),
        })
    }

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
    /// What was compared, in order.
    pub fn configurations(&self) -> Vec<Configuration> {
        let cells = self.points.first().map_or(&[][..], |point| &point.cells);
        cells.iter().map(|cell| cell.configuration).collect()
    }

    /// The runs that must not be.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        let Series {
            name,
            example,
            parameter,
            ..
        } = self.series;
        let wrong = self.points.iter().flat_map(|Point { value, cells }| {
            let program = format!("{example} with {parameter}={value} ({name})");
            let mismatches = |cell: &Cell| -> Vec<Mismatch> {
                cell.mismatches(&program, self.expected).collect()
            };
            cells.iter().flat_map(mismatches).collect::<Vec<_>>()
        });
        wrong.collect()
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

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    /// What people see.
    pub name: String,
    /// The program.
    pub program: &'p Path,
    /// The options of `verify`.
    pub options: Vec<String>,
    /// How many tasks of the same series come before it, with those that are left out.
    pub position: usize,
}

/// Runs a series, every size `repeats` times with every configuration. The configurations take turns, so that a machine that is
/// busy for a while slows all of them down. One that does not decide a size is not asked for it again, nor for larger ones.
pub fn measure(
    series: Series,
    program: &Example,
    configurations: &[Configuration],
    repeats: usize,
    mut run: impl FnMut(&Task) -> anyhow::Result<Run>,
) -> anyhow::Result<Measured> {
    let mut asked = vec![true; configurations.len()];
    let mut points = Vec::new();
    let mut position = 0;
    for &value in &series.values {
        let mut cells: Vec<Cell> = configurations.iter().map(Cell::new).collect();
        for _ in 0..repeats {
            for (cell, asked) in cells.iter_mut().zip(&mut asked) {
                if *asked {
                    let run = run(&task(&series, program, value, cell.configuration, position))?;
                    *asked = run.outcome.is_decided();
                    cell.runs.push(run);
                }
                position += 1;
            }
        }
        points.push(Point { value, cells });
    }
    Ok(Measured {
        series,
        expected: program.expected,
        points,
    })
}

fn task<'p>(
    series: &Series,
    program: &'p Example,
    value: u32,
    configuration: Configuration,
    position: usize,
) -> Task<'p> {
    let sized = series.arguments(value);
    Task {
        name: format!("{} {value} {configuration}", series.name),
        program: &program.path,
        options: [configuration.arguments(), program.options.clone(), sized].concat(),
        position,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::Engine;

    fn cell(engine: Engine, outcome: &Outcome, seconds: &[f64]) -> Cell {
        let run = |&seconds: &f64| Run {
            outcome: outcome.clone(),
            seconds,
            peak_mebibytes: seconds,
        };
        Cell {
            configuration: Configuration::plain(engine),
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
                .into_iter()
                .map(|mismatch| mismatch.found)
                .collect();
            assert_eq!(found, wrong.map(|index: usize| outcomes[index].clone()));
        }
    }
}
