//! The Elo of elites over generations.

use super::*;

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
    let mut chart = over_generations(area, generations, low..high, Size::Whole, &|elo| {
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
