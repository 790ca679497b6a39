//! The spread of the champions' weights as a figure. Imports the other parts of the report.

use super::ReportError;
use super::champions::Term;
use super::figures::{Area, BEST, Drawn, Figure, INK, OTHER, over_rows, text, write};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// The champions' weights as shares of their ranges, in two halves that fit side by side.
pub fn figures(terms: &[Term]) -> Result<Vec<Figure>, ReportError> {
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
                format!("Champions' weights, part {number} of 2"),
                texts.collect::<Vec<_>>().join("; "),
                (460, 54 + ROW * half.len() as u32),
                |area| paint_weights(area, half),
            )
        });
    halves.collect()
}

/// Height of a term's row in user units.
const ROW: u32 = 40;

/// "51.3 ± 4.2, paper 51"
fn values(term: &Term) -> String {
    let paper = term.paper.map(|weight| format!(", paper {weight}"));
    term.summary.text() + &paper.unwrap_or_default()
}

fn paint_weights(area: &Area<'_>, terms: &[Term]) -> Drawn {
    area.draw(&Circle::new((18, 12), 4, BEST.filled()))?;
    write(area, "champions, mean ± s.d.", (28, 12), HPos::Left)?;
    if terms.iter().any(|term| term.paper.is_some()) {
        let mark = [(206, 5), (206, 19)];
        area.draw(&PathElement::new(mark, OTHER.stroke_width(3)))?;
        write(area, "paper", (214, 12), HPos::Left)?;
    }
    write(area, "share of the weight’s range", (442, 12), HPos::Right)?;

    let label = |share: &f64| format!("{share:.0} %");
    let mut chart = over_rows(area, 0.0..100.0, terms.len(), &label)?;
    for (index, term) in terms.iter().enumerate() {
        let share = |value: f64| (100.0 * value / f64::from(term.greatest)).clamp(0.0, 100.0);
        let (label, line) = (index as f64 + 0.26, index as f64 + 0.7);
        let summary = term.summary;
        let name = Text::new(term.name.to_string(), (0.0, label), text(HPos::Left));
        chart.draw_series([name])?;
        let numbers = Text::new(values(term), (100.0, label), text(HPos::Right));
        chart.draw_series([numbers])?;
        let base = [(0.0, line), (100.0, line)];
        chart.draw_series([PathElement::new(base, INK.mix(0.2))])?;
        if let Some(weight) = term.paper {
            let at = share(f64::from(weight));
            let mark = [(at, line - 0.18), (at, line + 0.18)];
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
