//! Curves of best and mean over generations, of runs of other kinds.

use super::*;

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
    let (name, title) = (curves.name.clone(), curves.title.clone());
    Figure::draw(
        name,
        title,
        curves.description.clone(),
        (640, 390),
        |area| paint_curves(area, &curves),
    )
}

/// The course of each run in words, of what its first and its last generation have come to; none has no generation.
pub fn described(ends: impl Iterator<Item = Option<[(String, u32); 2]>>) -> String {
    let texts = (1..).zip(ends).filter_map(|(number, ends)| {
        let [(first, begin), (last, end)] = ends?;
        Some(format!(
            "Run {number}: from {first} in generation {begin} to {last} in generation {end}."
        ))
    });
    texts.collect::<Vec<_>>().join(" ")
}

fn paint_curves(area: &Area<'_>, curves: &Curves) -> Drawn {
    let (runs, mark) = (&curves.runs, &curves.mark);
    write(area, &curves.heading, (4, 14), HPos::Left)?;
    legend(area, (area.dim_in_pixel().0 as i32, 14))?;
    let rows = || runs.iter().flatten();
    let values = rows().flat_map(|&(_, best, mean)| [best, mean]);
    let values = values.chain(mark.iter().map(|(_, level)| *level));
    let (lowest, highest) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    // Whole steps of 1, 2 or 5 times a power of ten, about five of them.
    // Of curves that are all but flat, so many decimals would mean nothing.
    let span = (highest - lowest).max(highest * 0.02).max(1e-9);
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
    let marks = mark.as_slice();
    let mut chart = over_generations(area, generations, values, Size::of(marks), &label)?;
    draw_marks(area, &mut chart, generations, marks)?;
    let (alpha, stroke) = if runs.len() > 4 { (0.7, 1) } else { (0.9, 2) };
    for run in runs {
        let best = run.iter().map(|&(generation, best, _)| (generation, best));
        let mean = run.iter().map(|&(generation, _, mean)| (generation, mean));
        draw_courses(&mut chart, mean.collect(), best.collect(), (alpha, stroke))?;
    }
    Ok(())
}
