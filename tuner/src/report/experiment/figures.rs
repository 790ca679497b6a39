//! Figures of an experiment. Imports the other parts of the report.

use super::CellReport;
use crate::base::nonparametric::quantile;
use crate::base::statistics::thousands;
use crate::report::ReportError;
use crate::report::figures::{Area, BEST, Drawn, Figure, INK, over_rows, text, write};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// Levels that a run may reach.
const TARGETS: usize = 51;
/// Colours of the cells, of the Okabe–Ito palette; the first is the ink.
const COLOURS: [RGBColor; 8] = [
    INK,
    BEST,
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0xF0, 0xE4, 0x42),
];
/// Height of a row of names in user units.
const ROW: u32 = 22;

/// Evenly spaced levels from the worst first value of a run to the best last one.
fn targets(cells: &[CellReport]) -> Vec<f64> {
    let runs = || cells.iter().flat_map(|cell| &cell.runs);
    let first = runs().filter_map(|run| Some(run.first()?.1));
    let last = runs().filter_map(|run| Some(run.last()?.1));
    let (low, high) = (
        first.fold(f64::INFINITY, f64::min),
        last.fold(0.0, f64::max),
    );
    let level = |number: usize| low + (high - low) * number as f64 / (TARGETS - 1) as f64;
    (0..TARGETS).map(level).collect()
}

/// At which evaluations the share of targets that a cell's runs have reached rises, and to what.
fn reached(cell: &CellReport, targets: &[f64]) -> Vec<(u64, f64)> {
    let all = (cell.runs.len() * targets.len()).max(1) as f64;
    let mut hits = Vec::new();
    for run in &cell.runs {
        for target in targets {
            // A level that was computed from this very value counts as reached by it.
            let hit = run.iter().find(|(_, value)| *value >= target - 1e-9);
            hits.extend(hit.map(|&(evaluations, _)| evaluations));
        }
    }
    hits.sort_unstable();
    let mut steps = Vec::<(u64, f64)>::new();
    for (count, evaluations) in (1..).zip(hits) {
        let share = f64::from(count) / all;
        match steps.last_mut() {
            Some(last) if last.0 == evaluations => last.1 = share,
            _ => steps.push((evaluations, share)),
        }
    }
    steps
}

/// The share of targets reached by evaluations, a curve for each cell.
pub fn targets_reached(cells: &[CellReport]) -> Result<Figure, ReportError> {
    let targets = targets(cells);
    let curves: Vec<Vec<(u64, f64)>> = cells.iter().map(|cell| reached(cell, &targets)).collect();
    let said = cells.iter().zip(&curves).map(|(cell, curve)| {
        let end = curve.last().map_or(0.0, |&(_, share)| 100.0 * share);
        format!("{}: {end:.0} % of the targets", cell.name)
    });
    Figure::draw(
        "targets".into(),
        "Share of targets reached over evaluations".into(),
        said.collect::<Vec<_>>().join("; "),
        (640, 390 + ROW * cells.len() as u32),
        |area| paint_reached(area, cells, &curves),
    )
}

fn paint_reached(area: &Area<'_>, cells: &[CellReport], curves: &[Vec<(u64, f64)>]) -> Drawn {
    write(area, "targets reached", (4, 14), HPos::Left)?;
    let ends = || {
        curves
            .iter()
            .flatten()
            .map(|&(evaluations, _)| evaluations as f64)
    };
    let runs = cells.iter().flat_map(|cell| &cell.runs);
    let last = runs.filter_map(|run| run.last().map(|&(evaluations, _)| evaluations as f64));
    let last = last.fold(10.0, f64::max);
    let first = ends().fold(last / 2.0, f64::min).max(1.0);
    let (_, height) = area.dim_in_pixel();
    let legend = height as i32 - (ROW as usize * cells.len()) as i32;
    let mut chart = ChartBuilder::on(area)
        .margin_top(30)
        .margin_right(20)
        .margin_bottom(ROW * cells.len() as u32 + 8)
        .x_label_area_size(52)
        .y_label_area_size(60)
        .build_cartesian_2d((first..last).log_scale(), 0.0..1.0)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.14))
        .axis_style(INK.mix(0.5))
        .x_labels(5)
        .x_label_formatter(&|evaluations| thousands(evaluations.round() as u64))
        .y_labels(6)
        .y_label_formatter(&|share| format!("{:.0} %", 100.0 * share))
        .label_style(text(HPos::Left))
        .draw()?;
    write(area, "evaluations", (340, legend - 20), HPos::Center)?;
    for (number, (cell, curve)) in cells.iter().zip(curves).enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        // The same colour again is a fainter one.
        let style = colour
            .mix(1.0 / (1 + number / COLOURS.len()) as f64)
            .stroke_width(2);
        let mut course = Vec::new();
        let mut level = 0.0;
        for &(evaluations, share) in curve {
            course.extend([(evaluations as f64, level), (evaluations as f64, share)]);
            level = share;
        }
        course.push((last, level));
        chart.draw_series([PathElement::new(course, style)])?;
        let row = legend + (ROW as usize * number) as i32 + 10;
        area.draw(&PathElement::new(vec![(20, row), (44, row)], style))?;
        write(area, &cell.name, (52, row), HPos::Left)?;
    }
    Ok(())
}

/// The last values of all runs, a box for each cell, in per cent of what is said.
pub fn box_plots(cells: &[CellReport], of: &str) -> Result<Figure, ReportError> {
    let values: Vec<Vec<f64>> = cells
        .iter()
        .map(|cell| {
            let runs = cell.runs.iter();
            let mut values: Vec<f64> = runs.filter_map(|run| Some(run.last()?.1)).collect();
            values.sort_by(f64::total_cmp);
            values
        })
        .collect();
    let said = cells.iter().zip(&values).map(|(cell, values)| {
        let [low, median, high] = [0.25, 0.5, 0.75].map(|share| quantile(values, share));
        format!(
            "{}: median {median:.2}, quartiles {low:.2} and {high:.2}",
            cell.name
        )
    });
    Figure::draw(
        "last-generations".into(),
        "Best of the last generation by cell".into(),
        said.collect::<Vec<_>>().join("; "),
        (640, 70 + 2 * ROW * cells.len() as u32),
        |area| paint_boxes(area, cells, (&values, of)),
    )
}

fn paint_boxes(area: &Area<'_>, cells: &[CellReport], (values, of): (&[Vec<f64>], &str)) -> Drawn {
    write(
        area,
        &format!("per cent of the {of}"),
        (636, 14),
        HPos::Right,
    )?;
    let all = || values.iter().flatten().copied();
    let (low, high) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(0.0, f64::max),
    );
    let low = if low.is_finite() { low } else { 0.0 };
    let air = ((high - low) * 0.05).max(0.1);
    let label = |value: &f64| format!("{value:.1}");
    let mut chart = over_rows(area, low - air..high + air, cells.len(), &label)?;
    for (index, (cell, values)) in cells.iter().zip(values).enumerate() {
        let (label, middle) = (index as f64 + 0.22, index as f64 + 0.68);
        let name = Text::new(cell.name.clone(), (low - air, label), text(HPos::Left));
        chart.draw_series([name])?;
        if values.is_empty() {
            continue;
        }
        let [least, lower, median, upper, greatest] =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(values, share));
        let (top, bottom) = (middle - 0.17, middle + 0.17);
        for line in [
            [(least, middle), (lower, middle)],
            [(upper, middle), (greatest, middle)],
        ] {
            chart.draw_series([PathElement::new(line, BEST.stroke_width(1))])?;
        }
        let corners = [(lower, top), (upper, bottom)];
        chart.draw_series([Rectangle::new(corners, BEST.mix(0.2).filled())])?;
        chart.draw_series([Rectangle::new(corners, BEST.stroke_width(1))])?;
        let line = [(median, top), (median, bottom)];
        chart.draw_series([PathElement::new(line, BEST.stroke_width(3))])?;
        let points = values.iter();
        let points = points.map(|&value| Circle::new((value, middle), 2, INK.mix(0.5).filled()));
        chart.draw_series(points)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(runs: &[&[(u64, f64)]]) -> CellReport {
        CellReport {
            name: "c".into(),
            runs: runs.iter().map(|run| run.to_vec()).collect(),
        }
    }

    #[test]
    fn targets_span_all_runs_and_are_reached_in_order() {
        let one = cell(&[&[(20, 0.0), (30, 25.0), (40, 50.0)]]);
        let other = cell(&[&[(20, 10.0), (50, 10.0)]]);
        let levels = targets(&[one.clone(), other.clone()]);
        assert_eq!((levels[0], levels[25], levels[50]), (0.0, 25.0, 50.0));
        // 1, 26 and 51 of 51 levels.
        let shares = reached(&one, &levels);
        assert_eq!(shares, [(20, 1.0 / 51.0), (30, 26.0 / 51.0), (40, 1.0)]);
        assert_eq!(reached(&other, &levels), [(20, 11.0 / 51.0)]);
        assert!(reached(&cell(&[]), &levels).is_empty());
    }

    #[test]
    fn figures_are_drawn_of_nothing_too() {
        for cells in [vec![], vec![cell(&[])], vec![cell(&[&[(20, 1.0)]])]] {
            targets_reached(&cells).unwrap();
            box_plots(&cells, "training positions").unwrap();
        }
    }
}
