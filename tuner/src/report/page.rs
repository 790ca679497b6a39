//! The page: tiles, tables and figures put together. Imports the other parts of the report.

use super::champions::{Term, started};
use super::figures::Figure;
use super::html::{Html, Table};
use super::results::{self, held_out, interval, percent, rate};
use super::{Plays, Report, paper};
use crate::statistics::{Summary, thousands};

const STYLE: &str = include_str!("style.css");

/// `report.html`.
pub fn html(
    report: &Report,
    terms: &[Term],
    solved: &[Figure],
    weights: &[Figure],
    (night, suites): &(String, String),
) -> String {
    // A run without phase 1 says nothing of positions from games.
    let others = report.experts.len() + report.suites.len();
    let phase_1 = !report.runs.is_empty() || (report.night.is_none() && others == 0);
    let only = |text: &dyn Fn() -> String| if phase_1 { text() } else { String::new() };
    let sections = [
        night.clone(),
        suites.clone(),
        only(&|| phase_heading(report)),
        only(&|| headline(report)),
        only(&|| results_section(report)),
        solved_section(solved),
        weights_section(report, terms, weights),
        use_section(report),
        provenance_section(report),
    ];
    // The policy lets no browser fetch anything, whatever the provenance holds.
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n{}</main>\n<footer><p>The paper: {}. Its numbers are those of §V.A and \
         Figure 3.</p></footer>\n</body>\n</html>\n",
        sections.concat(),
        Html::text(paper::CITATION),
        title = Html::text(&report.title),
    )
}

/// Among other phases, which one the tiles and the tables below them are about.
fn phase_heading(report: &Report) -> String {
    match report.night {
        Some(_) => "<h2>Moves from games</h2>\n".to_string(),
        None => String::new(),
    }
}

/// What the runs come to, in a sentence and up to three figures.
fn headline(report: &Report) -> String {
    let runs = started(report);
    // Chosen by training, so that its held-out score stays an unbiased one; the first of equals.
    let best = runs.iter().rev().max_by_key(|(_, run)| run.train_solved);
    let best = best.map(|(number, run)| (format!("best run (run {number})"), *run));
    let mean = report.mean.as_ref();
    let mean = mean.map(|mean| ("mean of the runs".to_string(), mean));
    let Some((who, best)) = mean.or(best) else {
        return "<p class=\"lede\">No run has finished a generation yet.</p>\n".to_string();
    };
    let mut tiles = vec![tile(
        format!("Training, {who}"),
        format!("{} %", rate(best.train_solved, best.positions)),
        format!(
            "{} of {} positions; paper {} %",
            thousands(best.train_solved),
            thousands(best.positions),
            rate(paper::TRAIN_SOLVED, paper::POSITIONS)
        ),
    )];
    if let Some((solved, positions)) = held_out(best) {
        tiles.push(tile(
            "Held-out, the same champion".into(),
            format!("{} %", rate(solved, positions)),
            format!(
                "95 % interval {} %; {} of {} positions; paper {} %",
                interval(solved, positions),
                thousands(solved),
                thousands(positions),
                rate(paper::TEST_SOLVED, paper::POSITIONS)
            ),
        ));
    }
    let shares = runs.iter().filter_map(|(_, run)| {
        let (solved, positions) = held_out(run)?;
        percent(solved, positions)
    });
    let shares: Vec<f64> = shares.collect();
    let count = shares.len();
    if let Some(mean) = Summary::of(shares).filter(|_| count > 1) {
        tiles.push(tile(
            format!("Held-out, mean of {count} runs"),
            format!("{} %", mean.text()),
            "mean ± standard deviation over the runs’ champions".into(),
        ));
    }
    format!("<dl class=\"tiles\">\n{}</dl>\n", tiles.concat())
}

fn tile(name: String, value: String, note: String) -> String {
    format!(
        "<div><dt>{}</dt><dd class=\"value\">{}</dd><dd>{}</dd></div>\n",
        Html::text(name),
        Html::text(value),
        Html::text(note)
    )
}

fn results_section(report: &Report) -> String {
    let rows = results::rows(report).into_iter().map(|row| {
        let cells = row.cells.iter().map(Html::text);
        (row.class, cells.collect())
    });
    let table = Table {
        caption: Html::text("Positions in which the choice of a 1-ply search is the move played"),
        head: results::heads(report).iter().map(Html::text).collect(),
        body: rows.collect(),
        class: "",
    };
    format!(
        "<section>\n<h2>Results</h2>\n{}<p class=\"note\">Champions are chosen on the training \
         positions; the held-out ones play no part. The interval is Wilson’s, for one champion. \
         Gen. counts from 0, the random generation; s.d. is the sample standard deviation over the \
         runs.</p>\n</section>\n",
        table.html()
    )
}

fn solved_section(figures: &[Figure]) -> String {
    let Some((all, each)) = figures.split_first() else {
        return String::new();
    };
    let mut text = format!(
        "<section>\n<h2>Positions solved by generation</h2>\n<figure class=\"wide\">{}<figcaption>\
         The paper’s Figure 2: the best individual and the population’s mean, on the training \
         positions. The paper’s mean starts at about {} %.</figcaption></figure>\n",
        all.inline(),
        100 * paper::FIRST_MEAN_SOLVED / paper::POSITIONS
    );
    if !each.is_empty() {
        let panels = each
            .iter()
            .map(|figure| format!("<div>{}</div>\n", figure.inline()));
        text.push_str(&format!(
            "<figure><div class=\"panels\">\n{}</div><figcaption>The same, run by run, on the same \
             axes.</figcaption></figure>\n",
            panels.collect::<String>()
        ));
    }
    text + "</section>\n"
}

fn weights_section(report: &Report, terms: &[Term], figures: &[Figure]) -> String {
    if terms.is_empty() {
        return String::new();
    }
    let mut head: Vec<Html> = ["Term", "Mean", "s.d.", "Paper"].map(Html::text).into();
    let runs = started(report);
    head.extend(runs.iter().map(|(number, run)| {
        Html::markup(format!("Run {number}<br><small>seed {}</small>", run.seed))
    }));
    let table = Table {
        caption: Html::text(
            "Weights of the champions in centipawns per count, beside the paper’s Figure 3",
        ),
        head,
        body: terms.iter().map(term_row).collect(),
        class: "weights",
    };
    let panels = figures
        .iter()
        .map(|figure| format!("<div>{}</div>\n", figure.inline()));
    format!(
        "<section>\n<h2>The champions’ weights</h2>\n{}{}<figure><div class=\"halves\">\n{}</div>\
         <figcaption>Each weight as a share of the range that its row of the table accepts: the \
         champions (small dots), their mean and standard deviation, and the paper’s \
         mean.</figcaption></figure>\n</section>\n",
        near_zero(terms),
        table.html(),
        panels.collect::<String>()
    )
}

fn term_row(term: &Term) -> (&'static str, Vec<Html>) {
    let deviation = term.summary.deviation.map(|spread| format!("{spread:.1}"));
    let paper = term.paper.map(|weight| weight.to_string());
    let flag = match term.near_zero() {
        true => " <span class=\"flag\">near 0</span>",
        false => "",
    };
    let mut cells = vec![
        Html::markup(format!(
            "<code title=\"{}\">{}</code>{flag}",
            Html::text(term.doc),
            breakable(term.name)
        )),
        Html::text(format!("{:.1}", term.summary.mean)),
        Html::text(deviation.unwrap_or("–".into())),
        Html::text(paper.unwrap_or("–".into())),
    ];
    cells.extend(term.values.iter().map(Html::text));
    (if term.near_zero() { "zero" } else { "" }, cells)
}

/// A name that a narrow page may break at its underscores.
fn breakable(name: &str) -> Html {
    Html::markup(Html::text(name).to_string().replace('_', "_<wbr>"))
}

/// The genes that evolution switched off, with what each may mean.
fn near_zero(terms: &[Term]) -> String {
    let near: Vec<String> = terms
        .iter()
        .filter(|term| term.near_zero())
        .map(|term| format!("<code>{}</code>", Html::text(term.name)))
        .collect();
    if near.is_empty() {
        return "<p class=\"note\">No weight is near 0 (mean of 1 or less), where a wrong sign \
                would hide.</p>\n"
            .to_string();
    }
    format!(
        "<p class=\"note warn\"><strong>Near 0 (mean of 1 or less):</strong> {}. A wrong sign \
         hides as a weight near 0: try the other sign, or another reading of the term.</p>\n",
        near.join(", ")
    )
}

/// How to play with the best parameters.
fn play(best: Plays) -> String {
    let search = match best {
        Plays::Plainly => {
            "Rows of the search that the file does not have are off, and without any the engine looks at \
             every move and sees less far than it can. For a full search, one set by hand, add a \
             semicolon and the project’s <code>params/search-full.toml</code> to the value."
        }
        Plays::AsThePapers => {
            "The file holds an evaluation and the search that was evolved. With the full search that was set by \
             hand in its place it may be stronger: add a semicolon and the project’s \
             <code>params/search-full.toml</code> to the value."
        }
        Plays::Fully => "The file holds a full search, with the rows that were evolved.",
    };
    format!(
        "<p>To play with the champion, start <code>eyas</code> in this folder and send (a chess GUI \
         offers the same option in the engine’s settings; the path is relative to where the engine \
         starts, or absolute):</p>\n\
         <pre tabindex=\"0\">setoption name ParamsFile value best.toml\nposition startpos\n\
         go movetime 1000</pre>\n<p>{search}</p>\n"
    )
}

fn use_section(report: &Report) -> String {
    let (said, line) = match report.command.as_deref() {
        Some(line) => ("start it as it was started, in the same folder, with", line),
        None => (
            "give its profile, of which this folder keeps a copy with paths that are relative to \
             where the original was,",
            "tuner run PROFILE.toml",
        ),
    };
    let play = report.best.map_or(String::new(), play);
    format!(
        "<section>\n<h2>Play, resume, reproduce</h2>\n{play}\
     <p>To go on with an interrupted run, or to write this report anew, from this folder:</p>\n\
     <pre tabindex=\"0\">tuner resume .\ntuner report .</pre>\n\
     <p>To reproduce the run, {said} the data files whose digests are below and the same version: \
     the seeds do the rest, on any number of threads, unless a clock or the profile’s hours had a say.</p>\n\
     <pre tabindex=\"0\">{} --out NEW-FOLDER</pre>\n</section>\n",
        Html::text(line)
    )
}

fn provenance_section(report: &Report) -> String {
    if report.provenance.is_empty() {
        return String::new();
    }
    let rows = report.provenance.iter();
    let rows = rows.map(|(name, value)| ("", vec![Html::text(name), Html::text(value)]));
    let table = Table {
        caption: Html::text("Where the numbers come from"),
        head: ["What", "Value"].map(Html::text).into(),
        body: rows.collect(),
        class: "text",
    };
    format!(
        "<section>\n<h2>Provenance</h2>\n{}</section>\n",
        table.html()
    )
}
