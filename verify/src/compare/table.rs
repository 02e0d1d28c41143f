//! A comparison as a table: a column for each reduction.

use std::fmt::{Display, Write};

use super::{Column, Comparison, StateCount};

/// Stands where nothing is known.
const MISSING: &str = "-";

impl Comparison {
    /// The text; its last line is the verdict.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let rows = match self.reductions.as_slice() {
            [] => Vec::new(),
            columns => rows(columns),
        };
        let widths = widths(&rows);
        for row in &rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, &width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  "));
        }
        // If no reduction gives a conclusive answer, the reason is in the verdict itself.
        let is_told = |column: &&Column| column.verdict == self.verdict;
        if self.verdict.is_conclusive() {
            for other in self.reductions.iter().filter(|column| !is_told(column)) {
                let _ = writeln!(text, "{}", other.claim());
            }
        }
        let _ = writeln!(text, "{}", self.assumptions.under(&self.verdict));
        text
    }
}

fn rows(columns: &[Column]) -> Vec<Vec<String>> {
    let row = |title: &str, cell: &dyn Fn(&Column) -> String| {
        let cells = columns.iter().map(cell);
        [title.to_owned()].into_iter().chain(cells).collect()
    };
    let bits = |column: &Column, at: usize| known(column.state_bits.map(|bits| bits[at]));
    vec![
        row("reduction", &|column| column.reduction.clone()),
        row("verdict", &|column| column.verdict.name().to_owned()),
        row("external locations", &|column| {
            column.external_locations.to_string()
        }),
        row("blocks", &|column| known(column.blocks)),
        row("state bits as encoded", &|column| bits(column, 0)),
        row("state bits simplified", &|column| bits(column, 1)),
        row("reachable states", &|column| {
            states(column.reachable_states)
        }),
        row("solver queries", &|column| column.queries.to_string()),
        row("wall time in s", &|column| format!("{:.3}", column.seconds)),
        row("peak memory in MiB", &|column| known(column.peak_mebibytes)),
    ]
}

fn known(value: Option<impl Display>) -> String {
    value.map_or_else(|| MISSING.to_owned(), |value| value.to_string())
}

fn states(count: StateCount) -> String {
    match count {
        StateCount::Exactly(count) => count.to_string(),
        StateCount::MoreThan(count) => format!("more than {count}"),
        StateCount::AtLeast(count) => format!("at least {count}"),
    }
}

/// The width of each column.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max();
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).filter_map(width).collect()
}
