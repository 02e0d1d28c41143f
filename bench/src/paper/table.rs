//! The experiments and the set as Markdown.

use std::fmt::Write;

use super::set::{Program, configurations, relative};
use crate::comparison::Measured;
use crate::table::{Conditions, time};

/// Tables of all times, and the plots.
pub fn markdown(all: &[Measured], set: &[Program], conditions: Conditions) -> String {
    let Conditions {
        seconds, mebibytes, ..
    } = conditions;
    let mut text = format!(
        "# The paper's experiments\n\n\
         Seconds of wall-clock time, under limits of {seconds} s and {mebibytes} MiB. `limit`: no verdict within them; `-`: not run, because\n\
         a smaller size met a limit.\n"
    );
    for measured in all {
        experiment(&mut text, measured);
    }
    if !set.is_empty() {
        programs(&mut text, set);
        factors(&mut text, set);
        text.push_str("\n![set](set.svg)\n");
    }
    text
}

fn experiment(text: &mut String, measured: &Measured) {
    let series = &measured.series;
    let _ = writeln!(text, "\n## {}: `{}.c`\n", series.name, series.example);
    head(text, series.parameter, &measured.configurations());
    for point in &measured.points {
        row(text, &point.value.to_string(), point.cells.iter().map(time));
    }
    let _ = writeln!(text, "\n![{0}]({0}.svg)", series.name);
}

fn programs(text: &mut String, set: &[Program]) {
    text.push_str("\n## The set\n\n");
    head(text, "program", &configurations());
    for program in set {
        row(text, &program.name, program.cells.iter().map(time));
    }
    let decided = (0..configurations().len()).map(|index| {
        let times = set
            .iter()
            .filter_map(|program| program.cells.get(index)?.median_seconds());
        format!("{} of {}", times.count(), set.len())
    });
    row(text, "decided", decided);
}

/// Fig. 11's upper half and its inverse.
fn factors(text: &mut String, set: &[Program]) {
    text.push_str(
        "\nThe row's accumulated time as a multiple of the column's, and over how many programs: those that both decide.\n\n",
    );
    let names = configurations();
    head(text, "", &names);
    for (one, name) in names.iter().enumerate() {
        let factors = (0..names.len()).map(|other| {
            let factor = relative(set, one, other).filter(|_| one != other);
            factor.map_or(String::new(), |(factor, count)| {
                format!("{factor:.2} ({count})")
            })
        });
        row(text, &name.to_string(), factors);
    }
}

fn head(text: &mut String, first: &str, names: &[impl ToString]) {
    row(text, first, names.iter().map(ToString::to_string));
    let _ = writeln!(text, "|{}", "---|".repeat(names.len() + 1));
}

fn row(text: &mut String, first: &str, fields: impl Iterator<Item = String>) {
    let _ = write!(text, "| {first} |");
    for field in fields {
        let _ = write!(text, " {field} |");
    }
    text.push('\n');
}
