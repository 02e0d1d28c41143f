//! Time over size, one line for each configuration.

use anyhow::anyhow;
use instrument::Reduction;
use plotters::prelude::*;

use crate::comparison::{Cell, Measured};
use crate::configuration::{Configuration, Engine};

/// Width and height in pixels.
const SIZE: (u32, u32) = (640, 400);
/// The shortest time that is shown, in seconds.
pub const SHORTEST: f64 = 0.01;

/// The engine has the hue; weaker reductions are paler.
fn colour(configuration: Configuration) -> RGBColor {
    let RGBColor(red, green, blue) = match configuration.engine {
        Engine::Ic3 => RGBColor(0, 90, 181),
        Engine::Bmc => RGBColor(220, 50, 32),
        Engine::EventGraph => RGBColor(26, 127, 55),
        Engine::Portfolio => RGBColor(90, 90, 90),
    };
    let quarters = match configuration.reduction {
        None | Some(Reduction::Dynamic) => 4,
        Some(Reduction::Phase) => 3,
        Some(Reduction::Static) => 2,
        Some(Reduction::None) => 1,
    };
    let paler = |part: u8| 255 - (255 - part) / 4 * quarters;
    RGBColor(paler(red), paler(green), paler(blue))
}

/// A plot of each series, with its file name.
pub fn files(all: &[Measured], limit_seconds: u64) -> anyhow::Result<Vec<(String, String)>> {
    let file = |measured: &Measured| {
        let name = format!("{}.svg", measured.series.name);
        Ok((name, svg(measured, limit_seconds)?))
    };
    all.iter().map(file).collect()
}

/// An SVG document; the time is on a logarithmic scale. Sizes that a configuration does not decide have no point.
fn svg(measured: &Measured, limit_seconds: u64) -> anyhow::Result<String> {
    let mut text = String::new();
    draw(measured, limit_seconds as f64, &mut text)
        .map_err(|error| anyhow!("cannot draw {}: {error}", measured.series.name))?;
    Ok(text)
}

fn draw(
    measured: &Measured,
    limit: f64,
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let series = &measured.series;
    let (first, last) = (
        series.values.first().copied().unwrap_or(0),
        series.values.last().copied().unwrap_or(1),
    );
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(
            format!("{} ({:?})", series.name, measured.expected).to_lowercase(),
            ("sans-serif", 18),
        )
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(
            f64::from(first)..f64::from(last),
            (SHORTEST..limit).log_scale(),
        )?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(series.values.len())
        .x_desc(series.parameter)
        .y_desc("seconds")
        .x_label_formatter(&|value| whole(*value))
        .draw()?;
    for configuration in measured.configurations() {
        let colour = colour(configuration);
        let points = points(measured, configuration);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), &colour))?
            .label(configuration.to_string())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        chart.draw_series(
            points
                .into_iter()
                .map(|point| Circle::new(point, 3, colour.filled())),
        )?;
    }
    chart
        .configure_series_labels()
        .border_style(BLACK)
        .background_style(WHITE)
        .position(SeriesLabelPosition::UpperLeft)
        .draw()?;
    area.present()?;
    Ok(())
}

/// Sizes are whole; there is nothing to say in between.
fn whole(value: f64) -> String {
    if value.fract() == 0.0 {
        value.to_string()
    } else {
        String::new()
    }
}

/// Size and median time where the configuration decides.
fn points(measured: &Measured, configuration: Configuration) -> Vec<(f64, f64)> {
    let cell = |cells: &[Cell]| {
        cells
            .iter()
            .find(|cell| cell.configuration == configuration)
            .and_then(Cell::median_seconds)
    };
    let points = measured.points.iter();
    points
        .filter_map(|point| Some((f64::from(point.value), cell(&point.cells)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use ::tests::Expected;

    use super::*;
    use crate::comparison::Point;
    use crate::measure::{Outcome, Run};

    #[test]
    fn decided_sizes_are_points_and_every_size_is_a_label() {
        let series = crate::series::all().remove(0);
        let cell = |engine, outcome, seconds| Cell {
            configuration: Configuration::plain(engine),
            runs: vec![Run {
                outcome,
                seconds,
                peak_mebibytes: 1.0,
            }],
        };
        let point = |&value: &u32| Point {
            value,
            cells: vec![
                cell(Engine::Ic3, Outcome::Safe, 0.2 * f64::from(value)),
                cell(Engine::Bmc, Outcome::Unknown, 20.0),
            ],
        };
        let measured = Measured {
            points: series.values.iter().map(point).collect(),
            expected: Expected::Safe,
            series,
        };
        let text = svg(&measured, 20).expect("it can be drawn");
        assert_eq!(text.matches("<circle").count(), measured.points.len());
        for value in &measured.series.values {
            let labels = text.lines().filter(|line| *line == value.to_string());
            assert_eq!(labels.count(), 1, "{value}: {text}");
        }
    }

    #[test]
    fn every_configuration_has_a_colour_of_its_own() {
        let reduced = [Engine::Ic3, Engine::Bmc]
            .map(|engine| Configuration::reduced(engine, &Reduction::ALL))
            .concat();
        let colours: Vec<RGBColor> = reduced.into_iter().map(colour).collect();
        for (index, one) in colours.iter().enumerate() {
            assert!(!colours[..index].contains(one) && *one != WHITE);
        }
    }
}
