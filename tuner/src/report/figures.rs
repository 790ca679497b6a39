//! The figures as SVG: the paper's Figure 2, and the spread of the champions' weights.
//!
//! Drawn with plotters on a transparent ground. Text and axes are drawn in one ink that becomes
//! `currentColor`, so that a figure takes the page's colour, light or dark. Data colours are of
//! the Okabe–Ito palette (M. Okabe, K. Ito, "Color Universal Design", 2008), which colour-blind
//! readers tell apart; style sheets put two lighter ones of it in their place on a dark ground.

use super::champions::{Term, started};
use super::html::Html;
use super::results::{common, rate};
use super::{GenerationStats, Report, ReportError, RunReport, paper};
use crate::statistics::thousands;
use plotters::coord::Shift;
use plotters::coord::types::{RangedCoordf64, RangedCoordu32};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Replaced by `currentColor` once drawn; no data has this colour.
const INK: RGBColor = RGBColor(1, 1, 1);
const INK_WRITTEN: &str = "#010101";
/// Best individual, and the champions: Okabe–Ito blue.
const BEST: RGBColor = RGBColor(0x00, 0x72, 0xB2);
/// Population mean, and the paper's weights: Okabe–Ito vermillion.
const OTHER: RGBColor = RGBColor(0xD5, 0x5E, 0x00);
/// What the page's style sheet does for a figure, for one by itself.
const FILE_STYLE: &str = include_str!("figure.css");
/// Size of text in user units.
const TEXT: f64 = 12.0;

/// A drawn figure.
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

    fn draw(
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
}

impl Axes {
    fn of(runs: &[(usize, &RunReport)]) -> Axes {
        let positions = common(runs.iter().map(|(_, run)| run.positions));
        let rows = || runs.iter().flat_map(|(_, run)| &run.generations);
        let lowest = rows().map(|row| row.mean.min(f64::from(row.best)));
        let highest = rows().map(|row| f64::from(row.best));
        let of_paper = paper_lines(positions).into_iter().map(|(_, solved)| solved);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let highest = highest.chain(of_paper).fold(0.0, f64::max);
        // Whole grid steps, with the least of air above.
        let step = grid_step(highest - lowest);
        Axes {
            generations: rows().map(|row| row.generation).fold(1, u32::max),
            lowest: (lowest / step).floor() * step,
            highest: ((highest * 1.01) / step).ceil() * step,
            positions,
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
        ("paper’s best,", paper::TRAIN_SOLVED),
        ("paper’s mean, about", paper::MEAN_SOLVED),
    ];
    let marks = marks.iter().map(|(label, solved)| {
        let rate = rate(*solved, paper::POSITIONS);
        let label = format!("{label} {} %", rate.trim_end_matches(".0"));
        (label, scale(*solved) * f64::from(positions))
    });
    marks.collect()
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
    let axes = Axes::of(&runs);
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
            let label = format!("run {number}, seed {}", run.seed);
            figures.push(Figure::draw(
                format!("solved-run-{number:02}"),
                format!("Positions solved in each generation, {label}"),
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
    let (width, height) = area.dim_in_pixel();
    let heading = match (label, axes.positions) {
        (Some(label), _) => label.to_string(),
        (None, Some(positions)) => format!("positions solved of {}", thousands(positions)),
        (None, None) => "positions solved".to_string(),
    };
    write(area, &heading, (4, 14), HPos::Left)?;
    let row = if small { height as i32 - 38 } else { 14 };
    legend(area, (width as i32, row))?;

    let values = axes.lowest..axes.highest;
    let label = |solved: &f64| thousands(*solved as u32);
    let mut chart = over_generations(area, axes.generations, values, small, &label)?;
    if !small {
        for (label, solved) in paper_lines(axes.positions) {
            let ends = [(0, solved), (axes.generations, solved)];
            chart.draw_series([PathElement::new(ends, INK.mix(0.45))])?;
            let style = text(HPos::Left).pos(Pos::new(HPos::Left, VPos::Bottom));
            let (left, line) = chart.backend_coord(&(0, solved));
            area.draw(&Text::new(label, (left + 6, line), style))?;
        }
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

/// The two lines of Figure 2, at the right of a row: of the heading, or of the foot of a small
/// panel, where curves that rise leave room.
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

/// A run's best and mean in each generation.
pub type Course = Vec<(u32, f64, f64)>;

/// Curves of best and mean by generation.
pub struct Curves {
    /// File name without its ending.
    pub name: String,
    /// What it is, in a few words.
    pub title: String,
    /// What the vertical axis shows.
    pub heading: String,
    /// What it shows, for who can't see it.
    pub description: String,
    /// The runs.
    pub runs: Vec<Course>,
    /// A level to compare with, and what it is.
    pub mark: Option<(String, f64)>,
}

/// All runs in one figure.
///
/// # Errors
/// The drawing library fails.
pub fn curves(curves: Curves) -> Result<Figure, ReportError> {
    let Curves {
        name,
        title,
        heading,
        description,
        runs,
        mark,
    } = curves;
    Figure::draw(name, title, description, (640, 390), |area| {
        paint_curves(area, &heading, &runs, mark.as_ref())
    })
}

fn paint_curves(
    area: &Area<'_>,
    heading: &str,
    runs: &[Course],
    mark: Option<&(String, f64)>,
) -> Drawn {
    write(area, heading, (4, 14), HPos::Left)?;
    legend(area, (area.dim_in_pixel().0 as i32, 14))?;
    let rows = || runs.iter().flatten();
    let values = rows().flat_map(|&(_, best, mean)| [best, mean]);
    let values = values.chain(mark.map(|(_, level)| *level));
    let (lowest, highest) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    // Whole steps of 1, 2 or 5 times a power of ten, about five of them.
    let span = (highest - lowest).max(highest * 1e-3).max(1e-9);
    let power = 10_f64.powf((span / 5.0).log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors
        .into_iter()
        .find(|factor| span / (power * factor) <= 8.0);
    let step = power * factor.unwrap_or(10.0);
    let (low, high) = (
        (lowest / step).floor() * step,
        (highest / step).ceil() * step,
    );
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    let generations = rows().map(|&(generation, ..)| generation).fold(1, u32::max);
    let values = low..high.max(low + step);
    let label = |value: &f64| format!("{value:.decimals$}");
    let mut chart = over_generations(area, generations, values, false, &label)?;
    if let Some((label, level)) = mark {
        let ends = [(0, *level), (generations, *level)];
        chart.draw_series([PathElement::new(ends, INK.mix(0.45))])?;
        let style = text(HPos::Right).pos(Pos::new(HPos::Right, VPos::Bottom));
        let (right, line) = chart.backend_coord(&(generations, *level));
        area.draw(&Text::new(label.clone(), (right - 6, line), style))?;
    }
    let (alpha, stroke) = if runs.len() > 4 { (0.7, 1) } else { (0.9, 2) };
    for run in runs {
        let best = run.iter().map(|&(generation, best, _)| (generation, best));
        let mean = run.iter().map(|&(generation, _, mean)| (generation, mean));
        draw_courses(&mut chart, mean.collect(), best.collect(), (alpha, stroke))?;
    }
    Ok(())
}

type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordu32, RangedCoordf64>>;

/// The axes of what changes over generations, `small` in a panel among others; `label` is how a value is
/// written.
fn over_generations<'a>(
    area: &Area<'a>,
    generations: u32,
    values: Range<f64>,
    small: bool,
    label: &dyn Fn(&f64) -> String,
) -> Result<Chart<'a>, Box<dyn std::error::Error>> {
    let (width, height) = area.dim_in_pixel();
    let mut chart = ChartBuilder::on(area)
        .margin_top(30)
        .margin_right(14)
        .x_label_area_size(if small { 24 } else { 54 })
        .y_label_area_size(if small { 46 } else { 58 })
        .build_cartesian_2d(0..generations, values)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.14))
        .axis_style(INK.mix(0.5))
        .x_labels(if small { 5 } else { 11 })
        .y_labels(if small { 7 } else { 9 })
        .x_label_formatter(&|generation| thousands(*generation))
        .y_label_formatter(label)
        .label_style(text(HPos::Left))
        .draw()?;
    if !small {
        let middle = (58 + width as i32 - 14) / 2;
        let below = (middle, height as i32 - 10);
        write(area, "generation", below, HPos::Center)?;
    }
    Ok(chart)
}

/// A measured Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloPoint {
    /// The generation whose elite it is of.
    pub generation: u32,
    /// The difference.
    pub elo: f64,
    /// Ends of its interval if it has one, each infinite if it has no bound.
    pub interval: Option<(f64, f64)>,
}

impl EloPoint {
    /// Where its bar begins and ends; without a bound, at the point.
    fn bar(&self) -> (f64, f64) {
        let bound = |end: f64| if end.is_finite() { end } else { self.elo };
        let (low, high) = self.interval.unwrap_or((self.elo, self.elo));
        (bound(low), bound(high))
    }
}

/// The elite's Elo over generations, each new elite with its interval.
///
/// # Errors
/// The drawing library fails.
pub fn elo(name: String, generations: u32, points: &[EloPoint]) -> Result<Figure, ReportError> {
    let texts = points.iter().map(|point| {
        let text = format!("generation {}: {:+.0} Elo", point.generation, point.elo);
        match point.interval {
            Some((low, high)) => format!("{text}, {low:+.0} to {high:+.0}"),
            None => text,
        }
    });
    let description = texts.collect::<Vec<_>>().join("; ");
    let title = "Elo of the elite over generations".to_string();
    Figure::draw(name, title, description, (640, 330), |area| {
        paint_elo(area, generations.max(1), points)
    })
}

fn paint_elo(area: &Area<'_>, generations: u32, points: &[EloPoint]) -> Drawn {
    let heading = "Elo against what the phase began with";
    write(area, heading, (4, 14), HPos::Left)?;
    let bars = || points.iter().map(EloPoint::bar);
    let lowest = bars().map(|bar| bar.0).fold(0.0, f64::min);
    let highest = bars().map(|bar| bar.1).fold(20.0, f64::max);
    let step = grid_step(highest - lowest).max(10.0);
    let low = (lowest / step).floor() * step;
    let high = (highest / step).ceil() * step;
    let mut chart = over_generations(area, generations, low..high, false, &|elo| {
        format!("{elo:+.0}")
    })?;
    let level = [(0, 0.0), (generations, 0.0)];
    chart.draw_series([PathElement::new(level, INK.mix(0.45))])?;
    // An elite stays what it is until the next one.
    let mut course = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let until = points.get(index + 1);
        let until = until.map_or(generations, |next| next.generation);
        course.extend([(point.generation, point.elo), (until, point.elo)]);
    }
    chart.draw_series([PathElement::new(course, BEST.mix(0.6).stroke_width(2))])?;
    for point in points {
        let (low, high) = point.bar();
        let bar = [(point.generation, low), (point.generation, high)];
        chart.draw_series([PathElement::new(bar, BEST.stroke_width(1))])?;
        let centre = (point.generation, point.elo);
        chart.draw_series([Circle::new(centre, 4, BEST.filled())])?;
    }
    Ok(())
}

/// The champions' weights as shares of their ranges, in two halves that fit side by side.
pub fn weights(terms: &[Term]) -> Result<Vec<Figure>, ReportError> {
    let halves = [&terms[..terms.len() / 2], &terms[terms.len() / 2..]];
    let halves = (1..)
        .zip(halves)
        .filter(|(_, half)| !half.is_empty())
        .map(|(number, half)| {
            let texts = half
                .iter()
                .map(|term| format!("{} {}", term.name, values(term)));
            Figure::draw(
                format!("weights-{number}"),
                format!("Champions' weights beside the paper's, part {number} of 2"),
                texts.collect::<Vec<_>>().join("; "),
                (460, 54 + ROW * half.len() as u32),
                |area| paint_weights(area, half),
            )
        });
    halves.collect()
}

/// Height of a term's row in user units.
const ROW: u32 = 34;

/// "51.3 ± 4.2, paper 51"
fn values(term: &Term) -> String {
    let paper = term.paper.map(|weight| format!(", paper {weight}"));
    term.summary.text() + &paper.unwrap_or_default()
}

fn paint_weights(area: &Area<'_>, terms: &[Term]) -> Drawn {
    area.draw(&Circle::new((18, 12), 4, BEST.filled()))?;
    write(area, "champions, mean ± s.d.", (28, 12), HPos::Left)?;
    let mark = [(206, 5), (206, 19)];
    area.draw(&PathElement::new(mark, OTHER.stroke_width(3)))?;
    write(area, "paper", (214, 12), HPos::Left)?;
    write(area, "share of the weight’s range", (442, 12), HPos::Right)?;

    let rows = terms.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .margin_top(26)
        .margin_left(18)
        .margin_right(22)
        .x_label_area_size(28)
        .build_cartesian_2d(0.0..100.0, rows..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.14))
        .axis_style(INK.mix(0.5))
        .x_labels(6)
        .x_label_formatter(&|share| format!("{share:.0} %"))
        .label_style(text(HPos::Left))
        .draw()?;
    for (index, term) in terms.iter().enumerate() {
        let share = |value: f64| (100.0 * value / f64::from(term.greatest)).clamp(0.0, 100.0);
        let (label, line) = (index as f64 + 0.3, index as f64 + 0.68);
        let summary = term.summary;
        let name = Text::new(term.name.to_string(), (0.0, label), text(HPos::Left));
        chart.draw_series([name])?;
        let numbers = Text::new(values(term), (100.0, label), text(HPos::Right));
        chart.draw_series([numbers])?;
        let base = [(0.0, line), (100.0, line)];
        chart.draw_series([PathElement::new(base, INK.mix(0.2))])?;
        if let Some(weight) = term.paper {
            let at = share(f64::from(weight));
            let mark = [(at, line - 0.22), (at, line + 0.22)];
            chart.draw_series([PathElement::new(mark, OTHER.stroke_width(3))])?;
        }
        let dots = term.values.iter().map(|value| {
            let at = (share(f64::from(*value)), line);
            Circle::new(at, 2, BEST.mix(0.4).filled())
        });
        chart.draw_series(dots)?;
        if let Some(deviation) = summary.deviation {
            let low = share(summary.mean - deviation);
            let high = share(summary.mean + deviation);
            let bar = [(low, line), (high, line)];
            chart.draw_series([PathElement::new(bar, BEST.stroke_width(2))])?;
        }
        let mean = (share(summary.mean), line);
        chart.draw_series([Circle::new(mean, 4, BEST.filled())])?;
    }
    Ok(())
}

/// Writes a line at a place in the whole figure.
fn write(area: &Area<'_>, line: &str, at: (i32, i32), side: HPos) -> Drawn {
    Ok(area.draw(&Text::new(line, at, text(side)))?)
}

/// Text in ink. The backend divides a font's size by 1.24.
fn text(side: HPos) -> TextStyle<'static> {
    let font = ("sans-serif", TEXT * 1.24).into_font();
    TextStyle::from(font)
        .color(&INK)
        .pos(Pos::new(side, VPos::Center))
}
