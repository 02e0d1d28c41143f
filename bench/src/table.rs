//! The runs as CSV, and their medians as a Markdown table.

use std::fmt::Write;

use crate::comparison::{Cell, Measured, Point};
use crate::configuration::Configuration;
use crate::measure::Run;

/// How a run ended, its time and its memory, as fields of a line.
pub fn fields(run: &Run) -> String {
    let Run {
        outcome,
        seconds,
        peak_mebibytes,
    } = run;
    format!("{outcome},{seconds:.4},{peak_mebibytes:.1}")
}

/// The median time; `limit` if there is none, and `-` if nothing was run.
pub fn time(cell: &Cell) -> String {
    match cell.median_seconds() {
        Some(time) => format!("{time:.2}"),
        None if cell.runs.is_empty() => "-".to_owned(),
        None => "limit".to_owned(),
    }
}

/// Every run, a line each; a configuration that was not asked for a size has one line, too.
pub fn csv(all: &[Measured]) -> String {
    let mut text =
        String::from("series,program,parameter,value,configuration,run,outcome,seconds,peak_mib\n");
    for Measured { series, points, .. } in all {
        for Point { value, cells } in points {
            for Cell {
                configuration,
                runs,
            } in cells
            {
                let (name, example, parameter) = (series.name, series.example, series.parameter);
                let start = format!("{name},{example},{parameter},{value},{configuration}");
                for (index, run) in runs.iter().enumerate() {
                    let _ = writeln!(text, "{start},{},{}", index + 1, fields(run));
                }
                if runs.is_empty() {
                    let _ = writeln!(text, "{start},,skipped,,");
                }
            }
        }
    }
    text
}

/// How the numbers came about.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Runs of each engine on each size.
    pub repeats: usize,
    /// Limit on the time of a run, in seconds.
    pub seconds: u64,
    /// Limit on the memory of a run, in MiB.
    pub mebibytes: u64,
}

/// A table of medians and ratios, the sums below, and the plots.
pub fn markdown(all: &[Measured], conditions: Conditions) -> String {
    let Conditions {
        repeats,
        seconds,
        mebibytes,
    } = conditions;
    let mut text = format!(
        "# IC3 against bounded model checking\n\n\
         Medians of {repeats} runs in seconds of wall-clock time, under limits of {seconds} s and {mebibytes} MiB. `limit`: no verdict within\n\
         them; `-`: not run, because a smaller size met a limit. Memory is the largest resident set of one process, the\n\
         compiler included, in MiB.\n\n\
         | series | program | size | expected | ic3 | bmc | eventgraph | portfolio | bmc / ic3 | portfolio / best | \
         MiB: ic3 | bmc | eventgraph | portfolio |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for measured in all {
        for point in &measured.points {
            row(&mut text, measured, point);
        }
    }
    sums(&mut text, all);
    for name in all.iter().map(|measured| measured.series.name) {
        let _ = writeln!(text, "\n![{name}]({name}.svg)");
    }
    text
}

fn row(
    text: &mut String,
    Measured {
        series, expected, ..
    }: &Measured,
    point: &Point,
) {
    let times = medians(point);
    let expected = format!("{expected:?}").to_lowercase();
    let _ = write!(
        text,
        "| {} | {} | {}={} | {expected} |",
        series.name, series.example, series.parameter, point.value
    );
    for cell in &point.cells {
        let _ = write!(text, " {} |", time(cell));
    }
    let [ic3, bmc, eventgraph, portfolio] = times;
    let best = [ic3, bmc, eventgraph]
        .into_iter()
        .flatten()
        .reduce(f64::min);
    for (time, base) in [(bmc, ic3), (portfolio, best)] {
        let ratio = time
            .zip(base)
            .map(|(time, base)| format!("{:.2}", time / base));
        let _ = write!(text, " {} |", ratio.unwrap_or_default());
    }
    for cell in &point.cells {
        let peak = cell.peak_mebibytes();
        let shown = if cell.runs.is_empty() {
            "-".to_owned()
        } else {
            format!("{peak:.0}")
        };
        let _ = write!(text, " {shown} |");
    }
    text.push('\n');
}

/// The median times, in the order of [`Configuration::ENGINES`].
fn medians(point: &Point) -> [Option<f64>; Configuration::ENGINES.len()] {
    Configuration::ENGINES.map(|engine| {
        let mut cells = point.cells.iter();
        let cell = cells.find(|cell| cell.configuration == engine);
        cell.and_then(Cell::median_seconds)
    })
}

/// Sums over the sizes that all engines decide, which are comparable, and how many each decides.
fn sums(text: &mut String, all: &[Measured]) {
    let times: Vec<_> = all
        .iter()
        .flat_map(|measured| &measured.points)
        .map(medians)
        .collect();
    let common: Vec<_> = times
        .iter()
        .filter(|times| times.iter().all(Option::is_some))
        .collect();
    let _ = writeln!(
        text,
        "\n| engine | sizes decided | seconds on the {} that all decide |\n|---|---|---|",
        common.len()
    );
    for (index, engine) in Configuration::ENGINES.iter().enumerate() {
        let decided = times.iter().filter(|times| times[index].is_some()).count();
        // An empty sum of floating-point numbers would be -0.
        let sum = common
            .iter()
            .filter_map(|times| times[index])
            .fold(0.0, |sum, time| sum + time);
        let _ = writeln!(
            text,
            "| {engine} | {decided} of {} | {sum:.2} |",
            times.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use ::tests::Expected;

    use super::*;
    use crate::measure::Outcome;

    fn measured() -> Vec<Measured> {
        let run = |outcome, seconds| Run {
            outcome,
            seconds,
            peak_mebibytes: 10.0,
        };
        let runs = [
            vec![run(Outcome::Safe, 0.5), run(Outcome::Safe, 1.5)],
            vec![run(Outcome::Safe, 4.0)],
            vec![run(Outcome::Safe, 0.25)],
            vec![run(Outcome::Unknown, 9.0)],
        ];
        let cells = |runs: [Vec<Run>; 4]| {
            std::iter::zip(Configuration::ENGINES, runs)
                .map(|(configuration, runs)| Cell {
                    configuration,
                    runs,
                })
                .collect()
        };
        vec![Measured {
            series: crate::series::all().remove(0),
            expected: Expected::Safe,
            points: vec![
                Point {
                    value: 1,
                    cells: cells(runs.clone()),
                },
                Point {
                    value: 2,
                    cells: cells([runs[0].clone(), Vec::new(), Vec::new(), runs[1].clone()]),
                },
            ],
        }]
    }

    #[test]
    fn medians_ratios_and_limits_are_shown() {
        let text = markdown(
            &measured(),
            Conditions {
                repeats: 2,
                seconds: 9,
                mebibytes: 100,
            },
        );
        let start = "| mutex-threads | counter_mutex_long | THREADS=";
        assert!(
            text.contains(&format!(
                "{start}1 | safe | 1.00 | 4.00 | 0.25 | limit | 4.00 |  | 10 | 10 | 10 | 10 |\n"
            )),
            "{text}"
        );
        assert!(
            text.contains(&format!(
                "{start}2 | safe | 1.00 | - | - | 4.00 |  | 4.00 | 10 | - | - | 10 |\n"
            )),
            "{text}"
        );
        assert!(text.contains("| ic3 | 2 of 2 | 0.00 |"), "{text}");
    }

    #[test]
    fn every_run_is_a_line_with_all_fields() {
        let text = csv(&measured());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 5 + 2 + 1 + 1 + 1);
        assert!(
            lines.iter().all(|line| line.split(',').count() == 9),
            "{text}"
        );
        let start = "mutex-threads,counter_mutex_long,THREADS";
        assert_eq!(lines[2], format!("{start},1,ic3,2,safe,1.5000,10.0"));
        assert_eq!(lines[8], format!("{start},2,bmc,,skipped,,"));
    }
}
