//! The event order graph of a run as a picture: a column for each thread, time downwards, and an arrow for each order among threads.

use svg::Document;
use svg::node::element::{Circle, Definitions, Group, Line, Marker, Path, Rectangle, Text, Title};

use super::orders::{Edge, Order, edges};
use super::text::{folders, place};
use super::{Importance, Row, SourceTrace};

/// Sizes in pixels.
const CHARACTER: usize = 8;
const ROW_HEIGHT: usize = 40;
const BOX_HEIGHT: usize = 24;
const PADDING: usize = 8;
/// Between columns, where arrows are.
const GAP: usize = 72;
const MARGIN: usize = 24;

/// So many characters of a row are shown; its tooltip has them all.
const LONGEST: usize = 48;

impl Order {
    fn meaning(self) -> &'static str {
        match self {
            Self::ReadsFrom => "is read from",
            Self::FromRead => "reads before it is overwritten",
            Self::Overwrites => "is overwritten",
            Self::Thread => "creates, or is joined",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Self::ReadsFrom => "#1a7f37",
            Self::FromRead => "#bf5b04",
            Self::Overwrites => "#8250df",
            Self::Thread => "#6e7781",
        }
    }

    /// The name of its arrow head.
    fn head(self) -> String {
        format!("head-{}", self as usize)
    }
}

/// Where things are.
struct Layout<'a> {
    trace: &'a SourceTrace,
    /// For each row its line in the picture, if it is shown.
    lines: Vec<Option<usize>>,
    /// The text of each row, as long as it is shown.
    labels: Vec<String>,
    /// The left side of each thread's column, and how wide it is.
    columns: Vec<(usize, usize)>,
    width: usize,
    height: usize,
}

impl SourceTrace {
    /// The event order graph as an SVG document.
    pub fn to_svg(&self) -> String {
        let edges = edges(&self.rows);
        let layout = Layout::new(self, &edges);
        let mut threads = Group::new();
        for (thread, name) in self.threads.iter().enumerate() {
            threads = threads.add(layout.thread(thread, name));
        }
        let arrows = edges.iter().filter_map(|edge| layout.arrow(edge));
        let arrows = arrows.fold(Group::new().set("fill", "none"), Group::add);
        let rows = (0..self.rows.len()).filter_map(|row| layout.event(row));
        let rows = rows.fold(Group::new(), Group::add);
        let size = (0, 0, layout.width, layout.height);
        let document = Document::new()
            .set("viewBox", size)
            .set("width", layout.width)
            .set("height", layout.height)
            .set("font-family", "monospace")
            .set("font-size", 12)
            .add(heads())
            .add(
                Rectangle::new()
                    .set("width", "100%")
                    .set("height", "100%")
                    .set("fill", "white"),
            )
            .add(threads)
            .add(arrows)
            .add(rows)
            .add(layout.legend());
        format!("{document}\n")
    }
}

/// The arrow heads.
fn heads() -> Definitions {
    Order::ALL
        .into_iter()
        .fold(Definitions::new(), |all, order| {
            let triangle = Path::new()
                .set("d", "M 0 0 L 8 4 L 0 8 z")
                .set("fill", order.colour());
            let head = Marker::new()
                .set("id", order.head())
                .set("refX", 8)
                .set("refY", 4)
                .set("markerWidth", 8)
                .set("markerHeight", 8)
                .set("orient", "auto")
                .add(triangle);
            all.add(head)
        })
}

impl<'a> Layout<'a> {
    fn new(trace: &'a SourceTrace, edges: &[Edge]) -> Self {
        let folders = folders(trace);
        let last = trace.rows.len().saturating_sub(1);
        let is_ordered = |row: usize| edges.iter().any(|edge| [edge.from, edge.to].contains(&row));
        let mut shown = 0..;
        let lines = trace.rows.iter().enumerate().map(|(position, row)| {
            let matters = row.importance == Importance::Event || position == last;
            (matters || is_ordered(position))
                .then(|| shown.next())
                .flatten()
        });
        let lines: Vec<Option<usize>> = lines.collect();
        let label = |row: &Row| {
            let text = format!("{} {}", place(&row.file, row.line, folders), row.text);
            clipped(text.trim())
        };
        let labels: Vec<String> = trace.rows.iter().map(label).collect();
        let mut columns = Vec::new();
        let mut left = MARGIN;
        for (thread, name) in trace.threads.iter().enumerate() {
            let rows = trace.rows.iter().zip(&labels).zip(&lines);
            let own = rows.filter(|((row, _), line)| row.thread == thread && line.is_some());
            let lengths = own.map(|((_, label), _)| label.chars().count());
            let longest = lengths.chain([name.chars().count()]).max().unwrap_or(0);
            let width = longest * CHARACTER + 2 * PADDING;
            columns.push((left, width));
            left += width + GAP;
        }
        let legend = Order::ALL.map(|order| order.meaning().len() * CHARACTER + GAP);
        Self {
            width: (left - GAP).max(legend.iter().sum()) + MARGIN,
            height: (lines.iter().flatten().count() + 2) * ROW_HEIGHT + 2 * MARGIN,
            trace,
            lines,
            labels,
            columns,
        }
    }

    /// The middle of a row.
    fn y(&self, line: usize) -> usize {
        MARGIN + (line + 1) * ROW_HEIGHT + BOX_HEIGHT / 2
    }

    /// The name of a thread, and the line that its events are on.
    fn thread(&self, thread: usize, name: &str) -> Group {
        let (left, width) = self.columns[thread];
        let middle = left + width / 2;
        let rows = self.trace.rows.iter().zip(&self.lines);
        let last = rows
            .filter(|(row, _)| row.thread == thread)
            .filter_map(|(_, &line)| line)
            .max();
        let name = Text::new(name)
            .set("x", middle)
            .set("y", MARGIN + BOX_HEIGHT / 2)
            .set("text-anchor", "middle")
            .set("font-weight", "bold");
        let line = Line::new()
            .set("x1", middle)
            .set("x2", middle)
            .set("y1", MARGIN + BOX_HEIGHT)
            .set("y2", last.map_or(MARGIN + BOX_HEIGHT, |line| self.y(line)))
            .set("stroke", "#57606a");
        Group::new().add(line).add(name)
    }

    /// The box of a row; the last one has a frame that stands out.
    fn event(&self, position: usize) -> Option<Group> {
        let row = &self.trace.rows[position];
        let (left, width) = self.columns[row.thread];
        let middle = self.y(self.lines[position]?);
        let is_last = position + 1 == self.trace.rows.len();
        let (stroke, thickness) = match is_last {
            true => ("#cf222e", 2),
            false => ("#57606a", 1),
        };
        let frame = Rectangle::new()
            .set("x", left)
            .set("y", middle - BOX_HEIGHT / 2)
            .set("width", width)
            .set("height", BOX_HEIGHT)
            .set("rx", 4)
            .set("fill", "#f6f8fa")
            .set("stroke", stroke)
            .set("stroke-width", thickness);
        let text = Text::new(self.labels[position].as_str())
            .set("x", left + PADDING)
            .set("y", middle + 4);
        let details = [row.text.as_str()]
            .into_iter()
            .chain(row.details.iter().map(String::as_str));
        let details = Title::new(details.collect::<Vec<&str>>().join("\n"));
        Some(Group::new().add(details).add(frame).add(text))
    }

    /// The arrow of an order, from the side of one box to that of another.
    fn arrow(&self, edge: &Edge) -> Option<Group> {
        let [from, to] = [edge.from, edge.to].map(|row| self.trace.rows[row].thread);
        let (start, end) = (self.y(self.lines[edge.from]?), self.y(self.lines[edge.to]?));
        let side = |thread: usize, right: bool| {
            let (left, width) = self.columns[thread];
            left + if right { width } else { 0 }
        };
        let to_right = from < to;
        let (x, other) = (side(from, to_right), side(to, !to_right));
        let bend = |x: usize, right: bool| match right {
            true => x + GAP / 2,
            false => x.saturating_sub(GAP / 2),
        };
        let (first, second) = (bend(x, to_right), bend(other, !to_right));
        let path = Path::new()
            .set(
                "d",
                format!("M {x} {start} C {first} {start} {second} {end} {other} {end}"),
            )
            .set("stroke", edge.order.colour())
            .set("stroke-width", 1.5)
            .set("marker-end", format!("url(#{})", edge.order.head()));
        let title = Title::new(edge.order.meaning());
        Some(Group::new().add(title).add(path))
    }

    /// What the colours mean.
    fn legend(&self) -> Group {
        let y = self.height - MARGIN;
        let mut x = MARGIN;
        Order::ALL.into_iter().fold(Group::new(), |all, order| {
            let dot = Circle::new()
                .set("cx", x)
                .set("cy", y - 4)
                .set("r", 5)
                .set("fill", order.colour());
            let text = Text::new(order.meaning())
                .set("x", x + 2 * PADDING)
                .set("y", y);
            x += order.meaning().len() * CHARACTER + GAP;
            all.add(dot).add(text)
        })
    }
}

/// The beginning of a long text.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use program::model::ObjectId;

    use super::*;
    use crate::trace::orders::Effect;
    use crate::trace::tests::row;

    #[test]
    fn rows_and_orders_are_drawn_and_text_is_no_markup() {
        let x = || ObjectId::from_bits(0);
        let rows = vec![
            Row {
                importance: Importance::Initialisation,
                ..row(0, 1, "not shown")
            },
            Row {
                effects: vec![Effect::Writes(x(), 0..1)],
                ..row(0, 3, "x = 1 <&>")
            },
            Row {
                effects: vec![Effect::Reads(x(), 0..1)],
                ..row(1, 9, &"y".repeat(2 * LONGEST))
            },
        ];
        let trace = SourceTrace {
            threads: vec!["main".into(), "worker".into()],
            rows,
            ending: Vec::new(),
        };
        let text = trace.to_svg();
        assert!(text.starts_with("<svg") && text.contains("worker"));
        assert!(text.contains("a.c:3 x = 1 &lt;&amp;&gt;") && !text.contains("<&>"));
        assert_eq!(text.matches("marker-end").count(), 1);
        assert!(text.contains("url(#head-0)") && text.contains("#1a7f37"));
        assert_eq!(text.matches("#cf222e").count(), 1, "the end of the run");
        assert!(text.contains('…') && text.contains(&"y".repeat(2 * LONGEST)));
        assert!(!text.contains("not shown"));
    }
}
