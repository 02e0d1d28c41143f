//! The text of a trace: one column per thread, one line per event, a rule with the call stack where another thread goes on.

use std::collections::BTreeSet;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::{Frame, Importance, Row, SourceTrace};

const WIDEST_COLUMN: usize = 40;
const NARROWEST_COLUMN: usize = 8;

/// An initialisation of so many steps is shown: it is no longer than what would stand for it.
const SHORT_INITIALISATION: usize = 2;

/// So many callers are named at most.
const MOST_CALLS: usize = 3;

/// A rule ends with so many dashes at least.
const SHORTEST_RULE: usize = 3;

/// How much is shown, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rendering {
    /// Show every access, initialisation and library functions included.
    pub verbose: bool,
    /// Use colours, as terminals know them.
    pub colour: bool,
}

/// The text of a trace in the making.
struct Page<'a> {
    trace: &'a SourceTrace,
    rendering: Rendering,
    /// So many folders are named with each file.
    folders: usize,
    places: Vec<String>,
    place_width: usize,
    /// Whether each row is shown.
    is_shown: Vec<bool>,
    /// How wide the column of each thread is.
    widths: Vec<usize>,
    text: String,
}

impl SourceTrace {
    /// The text, with a line end behind each line.
    pub fn to_text(&self, rendering: Rendering) -> String {
        let mut page = Page::new(self, rendering);
        page.header();
        page.rows();
        for line in &self.ending {
            let _ = writeln!(page.text, "{line}");
        }
        page.text
    }

    fn initialisation(&self) -> impl Iterator<Item = &Row> {
        let is_initial = |row: &&Row| row.importance == Importance::Initialisation;
        self.rows.iter().filter(is_initial)
    }
}

impl<'a> Page<'a> {
    fn new(trace: &'a SourceTrace, rendering: Rendering) -> Self {
        // No line of a trace starts like one of a result, whatever the file is called.
        let folders = folders(trace);
        let place = |row: &Row| format!(" {}", place(&row.file, row.line, folders));
        let places: Vec<String> = trace.rows.iter().map(place).collect();
        let initial = trace.initialisation().count();
        let is_shown = |row: &Row| match row.importance {
            Importance::Event => true,
            Importance::Initialisation => rendering.verbose || initial <= SHORT_INITIALISATION,
            Importance::Bookkeeping => rendering.verbose,
        };
        let is_shown: Vec<bool> = trace.rows.iter().map(is_shown).collect();
        let names = trace.threads.iter().map(|name| name.chars().count());
        let mut widths: Vec<usize> = names.collect();
        for (row, _) in trace
            .rows
            .iter()
            .zip(&is_shown)
            .filter(|(_, is_shown)| **is_shown)
        {
            widths[row.thread] = widths[row.thread].max(row.text.chars().count());
        }
        let width = |width: usize| width.clamp(NARROWEST_COLUMN, WIDEST_COLUMN);
        Self {
            trace,
            rendering,
            folders,
            place_width: places
                .iter()
                .map(|place| place.chars().count())
                .max()
                .unwrap_or(0),
            places,
            is_shown,
            widths: widths.into_iter().map(width).collect(),
            text: String::new(),
        }
    }

    fn header(&mut self) {
        let mut header = " ".repeat(self.place_width);
        for (name, width) in self.trace.threads.iter().zip(&self.widths) {
            let _ = write!(header, "  {name:width$}");
        }
        let header = self.painted(Style::new().bold(), header.trim_end());
        let _ = writeln!(self.text, "{header}");
    }

    fn rows(&mut self) {
        let trace = self.trace;
        let mut previous = self.folded();
        for (position, row) in trace.rows.iter().enumerate() {
            if !self.is_shown[position] {
                continue;
            }
            if previous.is_some_and(|thread| thread != row.thread) {
                self.switch(row);
            }
            previous = Some(row.thread);
            let is_last = position + 1 == trace.rows.len();
            let style = match is_last {
                true => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
                false => Style::new(),
            };
            self.line(&self.places[position].clone(), row.thread, style, &row.text);
            if self.rendering.verbose {
                for detail in &row.details {
                    self.line(
                        "",
                        row.thread,
                        Style::new().dimmed(),
                        &format!("  {detail}"),
                    );
                }
            }
        }
    }

    /// One line for the initialisation, if it is not shown; the thread that it is of.
    fn folded(&mut self) -> Option<usize> {
        let first = self.trace.initialisation().next()?;
        let count = self.trace.initialisation().count();
        if self.rendering.verbose || count <= SHORT_INITIALISATION {
            return None;
        }
        let text = format!("initialisation: {count} steps (--verbose shows them)");
        self.line("", first.thread, Style::new().dimmed(), &text);
        Some(first.thread)
    }

    /// Another thread goes on: in which function, and who called that.
    fn switch(&mut self, row: &Row) {
        let rule: usize =
            self.place_width + self.widths.iter().map(|width| width + 2).sum::<usize>();
        let thread = &self.trace.threads[row.thread];
        let head = format!("--- {thread}{} ", row.stack(thread, self.folders));
        let rule = rule.saturating_sub(head.chars().count()).max(SHORTEST_RULE);
        let text = format!("{head}{}", "-".repeat(rule));
        let text = self.painted(Style::new().fg_color(Some(AnsiColor::Cyan.into())), &text);
        let _ = writeln!(self.text, "{text}");
    }

    fn line(&mut self, place: &str, thread: usize, style: Style, text: &str) {
        let indentation: usize = self.widths[..thread].iter().map(|width| width + 2).sum();
        let padding = self.place_width.saturating_sub(place.chars().count());
        let place = match place.is_empty() {
            true => String::new(),
            false => self.painted(Style::new().dimmed(), place),
        };
        let text = self.painted(style, text);
        let space = padding + 2 + indentation;
        let _ = writeln!(self.text, "{place}{:space$}{text}", "");
    }

    fn painted(&self, style: Style, text: &str) -> String {
        match self.rendering.colour {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }
}

impl Row {
    /// In which function it happens, and the calls that led there; nothing where that is the one that the thread is named after.
    fn stack(&self, thread: &str, folders: usize) -> String {
        let start = thread.split_once('#').map_or(thread, |(start, _)| start);
        let is_start = self.calls.is_empty() && self.function == start;
        if self.function.is_empty() || is_start {
            return String::new();
        }
        let shown = self.calls.iter().take(MOST_CALLS);
        let mut calls: Vec<String> = shown.map(|call| call.called(folders)).collect();
        if let more @ 1.. = self.calls.len() - calls.len() {
            calls.push(format!("and {more} more"));
        }
        match calls.is_empty() {
            true => format!(" in {}", self.function),
            false => format!(" in {} ({})", self.function, calls.join(", ")),
        }
    }
}

impl Frame {
    fn called(&self, folders: usize) -> String {
        let place = place(&self.file, self.line, folders);
        match self.line {
            0 => format!("called by {}", self.function),
            _ => format!("called by {} at {place}", self.function),
        }
    }
}

/// The end of a path with so many folders.
fn short(file: &str, folders: usize) -> &str {
    let mut separators = file.rmatch_indices('/').map(|(position, _)| position);
    let start = separators.nth(folders).map_or(0, |position| position + 1);
    &file[start..]
}

/// How many folders tell the files of a trace apart, as far as that is possible.
pub(super) fn folders(trace: &SourceTrace) -> usize {
    let rows = trace.rows.iter();
    let files = rows.flat_map(|row| {
        let calls = row.calls.iter().map(|call| call.file.as_str());
        calls.chain([row.file.as_str()])
    });
    let files: BTreeSet<&str> = files.collect();
    let tell_apart = |folders: &usize| {
        let shorts: BTreeSet<&str> = files.iter().map(|file| short(file, *folders)).collect();
        shorts.len() == files.len()
    };
    let most = files.iter().map(|file| file.matches('/').count()).max();
    (0..=most.unwrap_or(0)).find(tell_apart).unwrap_or(0)
}

/// A file with so many folders, and a line, as far as they are known.
pub(super) fn place(file: &str, line: u32, folders: usize) -> String {
    let name = short(file, folders);
    match line {
        0 => name.to_owned(),
        line => format!("{name}:{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::tests::row;

    fn trace() -> SourceTrace {
        let initial = |text: &str| Row {
            importance: Importance::Initialisation,
            ..row(0, 2, text)
        };
        let frame = |function: &str, line| Frame {
            function: function.into(),
            file: "dir/a.c".into(),
            line,
        };
        SourceTrace {
            threads: vec!["main".into(), "worker#1".into()],
            rows: vec![
                initial("x := 0"),
                initial("y := 0"),
                initial("z := 0"),
                row(0, 3, "create worker#1"),
                Row {
                    function: "work".into(),
                    calls: vec![frame("twice", 20), frame("start", 0)],
                    details: vec!["reads x = 0".into()],
                    ..row(1, 12, "x = 1")
                },
                row(1, 13, "assertion fails"),
            ],
            ending: vec!["worker#1 holds m".into()],
        }
    }

    #[test]
    fn each_thread_has_its_column_and_switches_are_ruled() {
        assert_eq!(
            trace().to_text(Rendering::default()),
            "         main             worker#1\n         \
             initialisation: 3 steps (--verbose shows them)\n \
             a.c:3   create worker#1\n\
             --- worker#1 in work (called by twice at a.c:20, called by start) ---\n \
             a.c:12                   x = 1\n \
             a.c:13                   assertion fails\n\
             worker#1 holds m\n"
        );
    }

    #[test]
    fn files_of_one_name_are_told_apart_by_their_folders() {
        let mut trace = trace();
        trace.rows[3].file = "other/a.c".into();
        let text = trace.to_text(Rendering::default());
        for place in [
            " other/a.c:3 ",
            " dir/a.c:12 ",
            "called by twice at dir/a.c:20",
        ] {
            assert!(text.contains(place), "{text}");
        }
    }

    #[test]
    fn of_many_callers_the_innermost_are_named() {
        let mut trace = trace();
        let caller = trace.rows[4].calls[1].clone();
        trace.rows[4].calls.extend([caller.clone(), caller]);
        let text = trace.to_text(Rendering::default());
        let rule = "called by start, called by start, and 1 more) ---";
        assert!(text.contains(rule), "{text}");
    }

    #[test]
    fn everything_is_shown_if_asked_for() {
        let text = trace().to_text(Rendering {
            verbose: true,
            colour: false,
        });
        assert!(text.contains(" a.c:2   x := 0\n"), "{text}");
        assert!(
            text.contains("x = 1\n                            reads x = 0\n"),
            "{text}"
        );
        assert!(!text.contains("initialisation"), "{text}");
    }

    #[test]
    fn colours_add_nothing_but_sequences() {
        let text = trace().to_text(Rendering {
            verbose: false,
            colour: true,
        });
        assert!(text.contains("\u{1b}[31m"), "{text:?}");
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, trace().to_text(Rendering::default()));
    }
}
