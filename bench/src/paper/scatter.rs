//! The paper's Fig. 11: run times under each reduction against those under each other.

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::set::{Program, configurations, relative};
use crate::plot::SHORTEST;

/// Width and height in pixels.
const SIZE: u32 = 1000;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// An SVG document: a square with a row and a column for each configuration. Below the diagonal, each program is a point, its time in
/// the column's configuration to the right and in the row's upwards, both logarithmic, with undecided ones on the border. Above it is
/// the row's accumulated time as a multiple of the column's.
pub fn svg(programs: &[Program], limit_seconds: u64) -> anyhow::Result<String> {
    let mut text = String::new();
    draw(programs, limit_seconds as f64, &mut text)
        .map_err(|error| anyhow!("cannot draw the set: {error}"))?;
    Ok(text)
}

fn draw(programs: &[Program], limit: f64, text: &mut String) -> Drawn {
    let names = configurations();
    let area = SVGBackend::with_string(text, (SIZE, SIZE)).into_drawing_area();
    area.fill(&WHITE)?;
    let squares = area.split_evenly((names.len(), names.len()));
    for (index, square) in squares.iter().enumerate() {
        let (row, column) = (index / names.len(), index % names.len());
        if row == column {
            label(square, &names[row].to_string())?;
        } else if row > column {
            points(square, programs, (column, row), limit)?;
        } else if let Some((factor, _)) = relative(programs, row, column) {
            label(square, &format!("{factor:.2}"))?;
        }
    }
    area.present()?;
    Ok(())
}

fn label(square: &Area, text: &str) -> Drawn {
    let (width, height) = square.dim_in_pixel();
    let style = ("sans-serif", 24)
        .into_text_style(square)
        .pos(Pos::new(HPos::Center, VPos::Center));
    let middle = (width as i32 / 2, height as i32 / 2);
    square.draw(&Text::new(text.to_owned(), middle, style))?;
    Ok(())
}

fn points(square: &Area, programs: &[Program], (x, y): (usize, usize), limit: f64) -> Drawn {
    let range = || (SHORTEST..limit).log_scale();
    let mut chart = ChartBuilder::on(square)
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(36)
        .build_cartesian_2d(range(), range())?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_labels(4)
        .y_labels(4)
        .draw()?;
    let diagonal = [(SHORTEST, SHORTEST), (limit, limit)];
    chart.draw_series([PathElement::new(diagonal, BLACK.mix(0.4))])?;
    let time = |program: &Program, index: usize| {
        let seconds = program.cells[index].median_seconds().unwrap_or(limit);
        seconds.clamp(SHORTEST, limit)
    };
    let points = programs.iter();
    chart.draw_series(points.map(|program| {
        let point = (time(program, x), time(program, y));
        Circle::new(point, 2, RGBColor(0, 90, 181).filled())
    }))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::set::tests::program;
    use super::*;
    use crate::measure::Outcome;

    #[test]
    fn every_pair_has_a_point_for_each_program_and_a_factor() {
        let runs = [1.0, 2.0, 4.0, 8.0].map(|seconds| (Outcome::Safe, seconds));
        let mut undecided = runs.clone();
        undecided[0] = (Outcome::Unknown, 10.0);
        let programs = [program("a.c", runs), program("b.c", undecided)];
        let text = svg(&programs, 10).expect("it can be drawn");
        assert_eq!(text.matches("<circle").count(), 6 * programs.len());
        for label in ["ic3-none", "ic3-dynamic", "0.50", "0.25", "0.12"] {
            assert!(text.lines().any(|line| line == label), "{label}: {text}");
        }
    }
}
