//! The figures as SVG: curves over generations, the paper's Figure 2 among them.
//!
//! Drawn with plotters on a transparent ground. Text and axes are drawn in one ink that becomes
//! `currentColor`, so that a figure takes the page's colour, light or dark. Data colours are of
//! the Okabe–Ito palette (M. Okabe, K. Ito, "Color Universal Design", 2008), which colour-blind
//! readers tell apart; style sheets put two lighter ones of it in their place on a dark ground.

mod curves;
mod elo;

pub use curves::{Course, Curves, curves, described};
pub use elo::{EloPoint, elo};

use super::champions::started;
use super::html::Html;
use super::results::{common, short_seed};
use super::{GenerationStats, Report, ReportError, RunReport, paper};
use crate::base::statistics::thousands;
use plotters::coord::Shift;
use plotters::coord::types::{RangedCoordf64, RangedCoordu32};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Replaced by `currentColor` once drawn; no data has this colour.
pub(super) const INK: RGBColor = RGBColor(1, 1, 1);
const INK_WRITTEN: &str = "#010101";
/// Best individual, and the champions: Okabe–Ito blue.
pub(super) const BEST: RGBColor = RGBColor(0x00, 0x72, 0xB2);
/// Population mean, and the paper's weights: Okabe–Ito vermillion.
pub(super) const OTHER: RGBColor = RGBColor(0xD5, 0x5E, 0x00);
/// What the page's style sheet does for a figure, for one by itself.
const FILE_STYLE: &str = include_str!("figure.css");
/// Size of text in user units.
const TEXT: f64 = 12.0;

/// A drawn figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// File name without its ending; also the stem of ids in the page.
    pub name: String,
    /// What it is, in a few words.
    pub title: String,
    /// What it shows, for who can't see it.
    pub description: String,
    size: (u32, u32),
    body: String,
}

impl Figure {
    /// For the page, with a caption.
    pub fn captioned(&self, caption: &str) -> String {
        format!(
            "<figure class=\"wide\">{}<figcaption>{}</figcaption></figure>\n",
            self.inline(),
            Html::text(caption)
        )
    }

    /// The same for the phase of this number among its kind: ids in a page are there once.
    pub fn numbered(mut self, number: usize) -> Figure {
        if number > 1 {
            self.name = format!("{}-{number}", self.name);
        }
        self
    }

    /// For the page: no name space, which HTML needs not, and ids of its own.
    pub fn inline(&self) -> Html {
        Html::markup(self.svg("", ""))
    }

    /// A file of its own, which follows the reader's light or dark scheme.
    pub fn file(&self) -> String {
        let style = format!("<style>\n{FILE_STYLE}</style>\n");
        self.svg(" xmlns=\"http://www.w3.org/2000/svg\"", &style)
    }

    fn svg(&self, name_space: &str, style: &str) -> String {
        let ((width, height), name) = (self.size, &self.name);
        format!(
            "<svg{name_space} width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
             {height}\" role=\"img\" aria-labelledby=\"{name}-title {name}-desc\">\n\
             <title id=\"{name}-title\">{}</title>\n<desc id=\"{name}-desc\">{}</desc>\n\
             {style}{}</svg>\n",
            Html::text(&self.title),
            Html::text(&self.description),
            self.body
        )
    }

    pub(super) fn draw(
        name: String,
        title: String,
        description: String,
        size: (u32, u32),
        paint: impl FnOnce(&Area<'_>) -> Drawn,
    ) -> Result<Figure, ReportError> {
        let mut drawn = String::new();
        let painted = {
            let area = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
            paint(&area).and_then(|()| Ok(area.present()?))
        };
        painted.map_err(|error| ReportError::Draw {
            figure: name.clone(),
            message: error.to_string(),
        })?;
        // The backend's own root element goes: ours says more.
        let body = drawn.split_once('>').map_or("", |(_, rest)| rest.trim());
        let body = body.strip_suffix("</svg>").unwrap_or(body);
        Ok(Figure {
            body: body.replace(INK_WRITTEN, "currentColor"),
            name,
            title,
            description,
            size,
        })
    }
}

/// Axes that all Figures 2 of a report share, so that they can be compared.
struct Axes {
    generations: u32,
    lowest: f64,
    highest: f64,
    positions: Option<u32>,
    marks: Vec<(String, f64)>,
}

impl Axes {
    fn of(runs: &[(usize, &RunReport)], is_comparable: bool) -> Axes {
        let positions = common(runs.iter().map(|(_, run)| run.positions));
        let rows = || runs.iter().flat_map(|(_, run)| &run.generations);
        let lowest = rows().map(|row| row.mean.min(f64::from(row.best)));
        let highest = rows().map(|row| f64::from(row.best));
        let marks = match is_comparable {
            true => paper_lines(positions),
            false => Vec::new(),
        };
        let of_paper = || marks.iter().map(|(_, solved)| *solved);
        let lowest = lowest.chain(of_paper()).fold(f64::INFINITY, f64::min);
        let highest = highest.chain(of_paper()).fold(0.0, f64::max);
        // Whole grid steps, with the least of air above.
        let step = grid_step(highest - lowest);
        Axes {
            generations: rows().map(|row| row.generation).fold(1, u32::max),
            lowest: (lowest / step).floor() * step,
            highest: ((highest * 1.01) / step).ceil() * step,
            positions,
            marks,
        }
    }
}

/// The paper's end values as marks for runs of its size (of a common size, scaled to it).
fn paper_lines(positions: Option<u32>) -> Vec<(String, f64)> {
    let scale = |solved: u32| f64::from(solved) / f64::from(paper::POSITIONS);
    let Some(positions) = positions else {
        return Vec::new();
    };
    let marks = [
        ("paper’s best", paper::TRAIN_SOLVED),
        ("paper’s mean", paper::MEAN_SOLVED),
    ];
    let marks = marks.iter();
    marks
        .map(|(label, solved)| (label.to_string(), scale(*solved) * f64::from(positions)))
        .collect()
}

/// 1, 2 or 5 times a power of ten, so that the span has five steps or so.
fn grid_step(span: f64) -> f64 {
    let mut step = 1.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(30) {
        if span / step <= 8.0 {
            break;
        }
        step *= factor;
    }
    step
}

/// The paper's Figure 2: all runs in one, then each of several runs by itself.
pub fn solved(report: &Report) -> Result<Vec<Figure>, ReportError> {
    let runs = started(report);
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let axes = Axes::of(&runs, report.is_comparable());
    let lines: Vec<&[GenerationStats]> = runs
        .iter()
        .map(|(_, run)| run.generations.as_slice())
        .collect();
    let title = match lines.len() {
        1 => "Positions solved in each generation".to_string(),
        count => format!("Positions solved in each generation, {count} runs"),
    };
    let mut figures = vec![Figure::draw(
        "solved".into(),
        title,
        describe(&runs),
        (640, 390),
        |area| paint_solved(area, &lines, &axes, None),
    )?];
    if runs.len() > 1 {
        for ((number, run), line) in runs.iter().zip(&lines) {
            let label = format!("run {number}");
            let seed = short_seed(run.seed);
            figures.push(Figure::draw(
                format!("solved-run-{number:02}"),
                format!("Positions solved in each generation, {label}, seed {seed}"),
                describe(&[(*number, run)]),
                (240, 176),
                |area| paint_solved(area, &[line], &axes, Some(&label)),
            )?);
        }
    }
    Ok(figures)
}

/// The course of each run in words.
fn describe(runs: &[(usize, &RunReport)]) -> String {
    let texts = runs.iter().filter_map(|(number, run)| {
        let (first, last) = (run.generations.first()?, run.generations.last()?);
        Some(format!(
            "Run {number}: of {} positions the best individual solves {} in generation {} and {} \
             in generation {}; the population’s mean goes from {} to {}.",
            thousands(run.positions),
            thousands(first.best),
            first.generation,
            thousands(last.best),
            last.generation,
            thousands(first.mean as u32),
            thousands(last.mean as u32)
        ))
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// One panel of Figure 2. A label makes it a small one: no axis titles and no paper.
fn paint_solved(
    area: &Area<'_>,
    lines: &[&[GenerationStats]],
    axes: &Axes,
    label: Option<&str>,
) -> Drawn {
    let small = label.is_some();
    let heading = match (label, axes.positions) {
        (Some(label), _) => label.to_string(),
        (None, Some(positions)) => format!("positions solved of {}", thousands(positions)),
        (None, None) => "positions solved".to_string(),
    };
    write(area, &heading, (4, 14), HPos::Left)?;
    if !small {
        legend(area, (area.dim_in_pixel().0 as i32, 14))?;
    }
    let values = axes.lowest..axes.highest;
    let label = |solved: &f64| thousands(*solved as u32);
    let size = if small {
        Size::Small
    } else {
        Size::of(&axes.marks)
    };
    let mut chart = over_generations(area, axes.generations, values, size, &label)?;
    if !small {
        draw_marks(area, &mut chart, axes.generations, &axes.marks)?;
    }
    // Many lines over each other are thin, so that each stays visible.
    let (alpha, stroke) = match lines.len() {
        1 => (1.0, 2),
        2..=4 => (0.8, 2),
        _ => (0.7, 1),
    };
    for rows in lines {
        let mean = rows.iter().map(|row| (row.generation, row.mean));
        let best = rows.iter().map(|row| (row.generation, f64::from(row.best)));
        draw_courses(&mut chart, mean.collect(), best.collect(), (alpha, stroke))?;
    }
    Ok(())
}

/// The mean of the generations, and the best over it.
fn draw_courses(
    chart: &mut Chart<'_>,
    mean: Vec<(u32, f64)>,
    best: Vec<(u32, f64)>,
    (alpha, stroke): (f64, u32),
) -> Drawn {
    for (course, colour) in [(mean, OTHER), (best, BEST)] {
        // A single generation is a point, of which no line is seen.
        if let [point] = course[..] {
            chart.draw_series([Circle::new(point, 3, colour.filled())])?;
        }
        let style = colour.mix(alpha).stroke_width(stroke);
        chart.draw_series([PathElement::new(course, style)])?;
    }
    Ok(())
}

/// Levels to compare with. What they are stands at the right of the plot, where no curve comes.
fn draw_marks(
    area: &Area<'_>,
    chart: &mut Chart<'_>,
    generations: u32,
    marks: &[(String, f64)],
) -> Drawn {
    let mut marks: Vec<&(String, f64)> = marks.iter().collect();
    marks.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut lowest = i32::MIN;
    for (label, level) in marks {
        let ends = [(0, *level), (generations, *level)];
        chart.draw_series([PathElement::new(ends, INK.mix(0.45))])?;
        let (right, line) = chart.backend_coord(&(generations, *level));
        // Room for the larger letters of a phone.
        let row = line.max(lowest.saturating_add(MARK_ROW));
        write(area, label, (right + 8, row), HPos::Left)?;
        lowest = row;
    }
    Ok(())
}

/// Height of a mark's label in user units.
const MARK_ROW: i32 = 24;
/// Width of the marks' labels.
const MARK_COLUMN: u32 = 128;

/// The two lines of Figure 2, at the right of the heading's row.
fn legend(area: &Area<'_>, (width, row): (i32, i32)) -> Drawn {
    // Room for letters half as large again: on a phone the page enlarges them.
    for (label, colour, right) in [("best", BEST, 136), ("mean", OTHER, 60)] {
        let end = width - right;
        let sample = vec![(end - 20, row), (end - 5, row)];
        area.draw(&PathElement::new(sample, colour.stroke_width(2)))?;
        write(area, label, (end, row), HPos::Left)?;
    }
    Ok(())
}

type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordu32, RangedCoordf64>>;

type Rows<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What room a plot over generations has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    /// A panel among others.
    Small,
    /// A figure.
    Whole,
    /// A figure with the labels of marks on its right.
    Marked,
}

impl Size {
    fn of(marks: &[(String, f64)]) -> Size {
        match marks.is_empty() {
            true => Size::Whole,
            false => Size::Marked,
        }
    }
}

/// The axes of what changes over generations; `label` is how a value is written.
fn over_generations<'a>(
    area: &Area<'a>,
    generations: u32,
    values: Range<f64>,
    size: Size,
    label: &dyn Fn(&f64) -> String,
) -> Result<Chart<'a>, Box<dyn std::error::Error>> {
    let (width, height) = area.dim_in_pixel();
    let small = size == Size::Small;
    let right = if size == Size::Marked {
        MARK_COLUMN
    } else {
        14
    };
    // Letters are half as large again on a phone.
    let left = if small { 46 } else { 74 };
    let mut chart = ChartBuilder::on(area)
        .margin_top(30)
        .margin_right(right)
        .x_label_area_size(if small { 24 } else { 60 })
        .y_label_area_size(left)
        .build_cartesian_2d(0..generations, values)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.14))
        .axis_style(INK.mix(0.5))
        .x_labels(if small { 5 } else { 8 })
        .y_labels(if small { 7 } else { 9 })
        .x_label_formatter(&|generation| thousands(*generation))
        .y_label_formatter(label)
        .label_style(text(HPos::Left))
        .draw()?;
    if !small {
        let middle = (left + width as i32 - right as i32) / 2;
        let below = (middle, height as i32 - 12);
        write(area, "generation", below, HPos::Center)?;
    }
    Ok(chart)
}

/// A plot with so many rows, over an axis of these values; `label` is how a value is written.
pub(super) fn over_rows<'a>(
    area: &Area<'a>,
    values: Range<f64>,
    rows: usize,
    label: &dyn Fn(&f64) -> String,
) -> Result<Rows<'a>, Box<dyn std::error::Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(26)
        .margin_left(18)
        .margin_right(22)
        .x_label_area_size(28)
        .build_cartesian_2d(values, rows as f64..0.0)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .disable_y_axis()
        .axis_style(INK.mix(0.5))
        .x_labels(6)
        .x_label_formatter(label)
        .label_style(text(HPos::Left))
        .draw()?;
    Ok(chart)
}

/// Writes a line at a place in the whole figure.
pub(super) fn write(area: &Area<'_>, line: &str, at: (i32, i32), side: HPos) -> Drawn {
    Ok(area.draw(&Text::new(line, at, text(side)))?)
}

/// Text in ink. The backend divides a font's size by 1.24.
pub(super) fn text(side: HPos) -> TextStyle<'static> {
    let font = ("sans-serif", TEXT * 1.24).into_font();
    TextStyle::from(font)
        .color(&INK)
        .pos(Pos::new(side, VPos::Center))
}
