//! What a report says of a run of several phases: the verdict first, then the Elo graph, what was
//! seen by no phase, the parameters with their drift, and what everything cost. Imports the other
//! parts of the report.

use super::ReportError;
use super::figures::{EloPoint, Figure, elo};
use super::html::{Html, Table};

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
    /// The parameters that evolved.
    pub parameters: Vec<Parameters>,
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
    /// The sentence that explains it.
    pub sentence: String,
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
}

/// Parameters of one kind.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// Which.
    pub title: &'static str,
    /// Themselves.
    pub rows: Vec<Drift>,
    /// Heads of the columns that say what they are worth; none if that was not measured.
    pub measures: &'static [&'static str],
    /// What these columns mean.
    pub note: String,
}

/// A parameter's way through the run.
#[derive(Clone, Debug, Default)]
pub struct Drift {
    /// Name of the row.
    pub name: String,
    /// What it means.
    pub doc: String,
    /// Where the first coevolution with that row began: its best champion, or the middle of the range.
    pub first: Option<i32>,
    /// The champion.
    pub last: i32,
    /// Least and greatest value in the last population of games, or among the champions of a
    /// suite's runs.
    pub spread: Option<(i32, i32)>,
    /// What it is worth, by the measures; empty if that is not known.
    pub worth: Vec<String>,
}

/// What the phases cost in time goes between these marks: the one thing that two runs differ in.
const TIME_BEGINS: &str = "<!-- wall times -->";
/// See [`TIME_BEGINS`].
const TIME_ENDS: &str = "<!-- end of wall times -->";

/// The sections of the page, and the figures as files.
///
/// # Errors
/// A figure can't be drawn.
pub fn sections(night: &Night) -> Result<(String, Vec<Figure>), ReportError> {
    let mut figures = Vec::new();
    for course in night
        .coevolutions
        .iter()
        .filter(|course| course.generations > 0)
    {
        let name = format!("elo-{}", course.phase);
        figures.push(elo(name, course.generations, &course.points)?);
    }
    let text = [
        verdicts(night),
        elo_sections(night, &figures),
        unseen(night),
        night.parameters.iter().map(parameters).collect(),
        costs(night),
    ];
    Ok((text.concat(), figures))
}

fn verdicts(night: &Night) -> String {
    let several = night.verdicts.len() > 1;
    let verdict = |reached: &Reached| {
        let phase = match several {
            true => format!("{}: ", reached.phase),
            false => String::new(),
        };
        format!(
            "<p class=\"lede verdict {}\"><strong>{}</strong> {}</p>\n",
            reached.word.replace(' ', "-"),
            Html::text(capital(&reached.word)),
            Html::text(phase + &reached.sentence)
        )
    };
    let mut text: String = match night.verdicts.is_empty() {
        false => night.verdicts.iter().map(verdict).collect(),
        true if night.plays_match => {
            "<p class=\"lede\">No match has been played yet, so nothing is proven.</p>\n".into()
        }
        true => "<p class=\"lede\">This profile plays no match: what evolved may be stronger or \
                 not, which <code>tuner compare</code> tells.</p>\n"
            .into(),
    };
    for warning in &night.warnings {
        text += &format!("<p class=\"note warn\">{}.</p>\n", Html::text(warning));
    }
    text
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str() + "."
}

fn elo_sections(night: &Night, figures: &[Figure]) -> String {
    let drawn = night
        .coevolutions
        .iter()
        .filter(|course| course.generations > 0);
    let sections = drawn.zip(figures).map(|(course, figure)| {
        format!(
            "<section>\n<h2>Games: {}</h2>\n<figure class=\"wide\">{}<figcaption>Each new elite, \
             or a compact population’s mean now and then, against what the coevolution began with: its \
             best champion, or of random bits the middle of all ranges, with 95 % intervals from pairs of games. These games decide nothing.{}</figcaption></figure>\n\
             <p class=\"note\">{}</p>\n</section>\n",
            Html::text(&course.phase),
            figure.inline(),
            bounds(course),
            Html::text(&course.games)
        )
    });
    sections.collect()
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

fn unseen(night: &Night) -> String {
    if night.unseen.is_empty() {
        return String::new();
    }
    let row = |row: &Unseen| {
        let cells = [&row.what, &row.champion, &row.opponent];
        ("", cells.map(Html::text).to_vec())
    };
    let table = Table {
        caption: Html::text(match night.seen.is_empty() {
            true => "What no phase has learnt from".to_string(),
            false => format!("Not all of this is new: {}", night.seen.join("; ")),
        }),
        head: ["What", "Champion", "Opponent"].map(Html::text).into(),
        body: night.unseen.iter().map(row).collect(),
        class: "unseen",
    };
    format!(
        "<section>\n<h2>Validation</h2>\n{}</section>\n",
        table.html()
    )
}

fn parameters(table: &Parameters) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let dash = || "–".to_string();
    // A search from random bits in one run has neither a beginning nor a spread.
    let has_first = table.rows.iter().any(|row| row.first.is_some());
    let has_spread = table.rows.iter().any(|row| row.spread.is_some());
    let mut head = vec!["Parameter"];
    head.extend(has_first.then_some("Before"));
    head.push("Champion");
    head.extend(has_first.then_some("Change"));
    head.extend(has_spread.then_some("Spread"));
    head.extend(table.measures);
    let row = |row: &Drift| {
        let mut cells = vec![Html::markup(format!(
            "<code title=\"{}\">{}</code>",
            Html::text(row.doc.trim()),
            Html::text(&row.name).to_string().replace('_', "_<wbr>")
        ))];
        let mut push = |text: Option<String>| cells.push(Html::text(text.unwrap_or_else(dash)));
        if has_first {
            push(row.first.map(|first| first.to_string()));
        }
        push(Some(row.last.to_string()));
        if has_first {
            push(row.first.map(|first| format!("{:+}", row.last - first)));
        }
        if has_spread {
            push(row.spread.map(|(low, high)| match low == high {
                true => low.to_string(),
                false => format!("{low} to {high}"),
            }));
        }
        for measure in 0..table.measures.len() {
            push(row.worth.get(measure).cloned());
        }
        ("", cells)
    };
    let before = if has_first { "before and " } else { "" };
    let spread = match has_spread {
        true => {
            ", and their spread in the last population of games or among the champions of a \
             suite’s runs"
        }
        false => "",
    };
    let html = Table {
        caption: Html::text(format!("{} {before}after evolution{spread}", table.title)),
        head: head.iter().map(Html::text).collect(),
        body: table.rows.iter().map(row).collect(),
        class: if has_first { "drift" } else { "fresh" },
    };
    let note = match table.note.is_empty() {
        true => String::new(),
        false => format!("<p class=\"note\">{}</p>\n", Html::text(&table.note)),
    };
    format!(
        "<section>\n<h2>{}</h2>\n{}{note}</section>\n",
        Html::text(table.title),
        html.html()
    )
}

fn costs(night: &Night) -> String {
    let row = |row: &PhaseRow| {
        let cells = [&row.name, &row.progress, &row.work];
        ("", cells.map(Html::text).to_vec())
    };
    let table = Table {
        caption: Html::text("Phases"),
        head: ["Phase", "Progress", "Work"].map(Html::text).into(),
        body: night.phases.iter().map(row).collect(),
        class: "text",
    };
    let timed = night.phases.iter().filter(|row| !row.time.is_empty());
    let times = timed.map(|row| format!("{} {}", Html::text(&row.name), Html::text(&row.time)));
    let times = times.collect::<Vec<_>>().join(", ");
    let faults = match night.faults {
        0 => String::new(),
        count => format!(
            "<p class=\"note warn\"><strong>{count} task(s) panicked</strong> and were tried again \
             or scored worst; the files in <code>faults/</code> of each phase have all that is known.</p>\n"
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
