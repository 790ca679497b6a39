//! What a report says of a run of several phases: the Elo graphs, what was seen by no phase, and what
//! everything cost. Imports the other
//! parts of the report.

use super::ReportError;
use super::figures::{EloPoint, Figure, elo};
use super::html::{Html, Table};
use crate::base::statistics::counted;

/// What there is to say.
#[derive(Clone, Debug, Default)]
pub struct Night {
    /// Of each validation; nothing as long as no match has been played.
    pub verdicts: Vec<Reached>,
    /// Whether there is a validation among its phases.
    pub plays_match: bool,
    /// What makes results mean little.
    pub warnings: Vec<String>,
    /// The phases, in order.
    pub phases: Vec<PhaseRow>,
    /// Each coevolution.
    pub coevolutions: Vec<EloCourse>,
    /// What no phase has learnt from: what was counted, of how many, by the champion and by the opponent.
    pub unseen: Vec<Unseen>,
    /// What of that a phase learns from after all.
    pub seen: Vec<String>,
    /// Files to look at: what they are and where, relative to the page.
    pub links: Vec<(String, String)>,
    /// Tasks that panicked.
    pub faults: usize,
}

/// A verdict.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Name of the phase.
    pub phase: String,
    /// In one word or two.
    pub word: String,
    /// The difference, and its interval and number of games; empty if no match is played.
    pub amount: (String, String),
    /// The same of whom, as a sentence: `Better than old.toml.`
    pub headline: String,
    /// The sentence that explains it.
    pub sentence: String,
    /// Whether the test ended the match before its last pair.
    pub is_early: bool,
}

/// A phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseRow {
    /// Its name.
    pub name: String,
    /// How far it came.
    pub progress: String,
    /// What was done, from the journal alone.
    pub work: String,
    /// Wall time, as `h:mm:ss`.
    pub time: String,
}

/// The course of a coevolution.
#[derive(Clone, Debug, Default)]
pub struct EloCourse {
    /// Name of the phase.
    pub phase: String,
    /// Its generations until now.
    pub generations: u32,
    /// The elites that were measured.
    pub points: Vec<EloPoint>,
    /// Generations whose elite won all its games, or none: their points are bounds.
    pub bounds: Vec<(u32, bool)>,
    /// How games were played.
    pub games: String,
}

/// A number of positions solved.
#[derive(Clone, Debug, Default)]
pub struct Unseen {
    /// What was solved.
    pub what: String,
    /// The champion's result.
    pub champion: String,
    /// The opponent's.
    pub opponent: String,
    /// The champion's result in short, and what it is of.
    pub amount: (String, String),
}

/// What the phases cost in time goes between these marks: the one thing that two runs differ in.
const TIME_BEGINS: &str = "<!-- wall times -->";
/// See [`TIME_BEGINS`].
const TIME_ENDS: &str = "<!-- end of wall times -->";

/// The figures of the coevolutions in their order; none of one without a generation.
///
/// # Errors
/// A figure can't be drawn.
pub fn figures(night: &Night) -> Result<Vec<Option<Figure>>, ReportError> {
    let courses = night.coevolutions.iter();
    courses
        .map(|course| match course.generations {
            0 => Ok(None),
            generations => {
                let name = format!("elo-{}", course.phase);
                elo(name, generations, &course.points).map(Some)
            }
        })
        .collect()
}

/// The section of a coevolution.
pub fn games(night: &Night, figures: &[Option<Figure>], index: usize) -> String {
    let figure = figures.get(index).and_then(Option::as_ref);
    let (Some(course), Some(figure)) = (night.coevolutions.get(index), figure) else {
        return String::new();
    };
    format!(
        "<section>\n<h2>Games: {}</h2>\n<div class=\"pair\">\n<figure class=\"wide\">{}\
         <figcaption>Elo against what the phase began with, with 95 % intervals from pairs of \
         games.</figcaption></figure>\n<div class=\"means\">\n<h3>What it means</h3>\n<p>Each \
         point is a new elite, or now and then the mean of a compact population. It plays what the \
         coevolution began with: its best champion, or of random bits the middle of all ranges. A \
         point is a gain if its interval lies above 0. These games decide nothing.{}</p>\n\
         <p>{}</p>\n</div>\n</div>\n</section>\n",
        Html::text(&course.phase),
        figure.inline(),
        bounds(course),
        Html::text(&course.games)
    )
}

/// What is said of points that are bounds.
fn bounds(course: &EloCourse) -> String {
    let texts = [(true, "all"), (false, "none")].map(|(won, games)| {
        let these = course.bounds.iter().filter(|bound| bound.1 == won);
        let these: Vec<String> = these.map(|bound| bound.0.to_string()).collect();
        match these.is_empty() {
            true => String::new(),
            false => format!(" {games} of the points in generation {}", these.join(", ")),
        }
    });
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    match texts.is_empty() {
        true => String::new(),
        false => format!(
            " The elite has{}: such a difference has no number, and is drawn as if half a game had \
             ended otherwise.",
            texts.join(" and")
        ),
    }
}

/// What no phase has learnt from.
pub fn unseen(night: &Night) -> String {
    if night.unseen.is_empty() {
        return String::new();
    }
    let caption = match night.seen.is_empty() {
        true => "What no phase has learnt from".to_string(),
        false => format!("Not all of this is new: {}", night.seen.join("; ")),
    };
    let rows = night.unseen.iter();
    let rows = rows.map(|row| [&row.what, &row.champion, &row.opponent]);
    let table = Table::of_texts(caption, ["What", "Champion", "Opponent"], rows, "unseen");
    format!(
        "<section>\n<h2>Validation</h2>\n{}</section>\n",
        table.html()
    )
}

/// What the phases have cost, and the files of the run.
pub fn costs(night: &Night) -> String {
    let rows = night.phases.iter();
    let rows = rows.map(|row| [&row.name, &row.progress, &row.work]);
    let table = Table::of_texts("Phases", ["Phase", "Progress", "Work"], rows, "text");
    let timed = night.phases.iter().filter(|row| !row.time.is_empty());
    let times = timed.map(|row| format!("{} {}", Html::text(&row.name), Html::text(&row.time)));
    let times = times.collect::<Vec<_>>().join(", ");
    let faults = match night.faults {
        0 => String::new(),
        count => format!(
            "<p class=\"note warn\"><strong>{} panicked</strong> and counted as worst where another try did no better; the files in <code>faults/</code> of each phase have all that is known.</p>\n",
            counted(count, "task")
        ),
    };
    let links = night.links.iter().map(|(label, target)| {
        let (label, target) = (Html::text(label), Html::text(target));
        format!("<li><a href=\"{target}\">{label}</a></li>\n")
    });
    format!(
        "<section>\n<h2>Phases and files</h2>\n{}{TIME_BEGINS}<p class=\"note\">Wall time: \
         {times}.</p>{TIME_ENDS}\n{faults}<ul>\n{}</ul>\n</section>\n",
        table.html(),
        links.collect::<String>()
    )
}
