//! The page: the first screen, tiles, figures and tables put together. Imports the other parts of the report.

use super::champions::{Term, started};
use super::figures::Figure;
use super::html::{Html, Table};
use super::results::{self, held_out, rate, short_seed};
use super::{Report, answer, night, paper, parameters, tiles};

const STYLE: &str = include_str!("style.css");

/// `report.html`, of which the phases' sections are ready.
pub fn html(report: &Report, terms: &[Term], weights: &[Figure], phases: &str) -> String {
    let night = report.night.as_ref();
    let sections = [
        answer::section(report),
        tiles::html(report),
        phases.to_string(),
        parameters::sections(&report.parameters),
        night.map_or(String::new(), night::unseen),
        weights_section(report, terms, weights),
        night.map_or(String::new(), night::costs),
        use_section(report),
        provenance_section(report),
    ];
    let numbers = match report.is_comparable() {
        true => "Its numbers are those of §V.A and Figure 3; they are of grandmasters’ games",
        false => {
            "Its numbers are of grandmasters’ games and these positions are from engines’ games, so \
             none is shown: they are not comparable"
        }
    };
    // The policy lets no browser fetch anything, whatever the provenance holds.
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n{}</main>\n<footer><p>The paper: {}. {numbers}.</p></footer>\n</body>\n\
         </html>\n",
        sections.concat(),
        Html::text(paper::CITATION),
        title = Html::text(&report.title),
    )
}

/// The section of the runs on moves from games; nothing of a run that has no such phase.
pub fn moves(report: &Report, figures: &[Figure]) -> String {
    let others = report.experts.len() + report.suites.len() + report.plain.len();
    if report.runs.is_empty() && (report.night.is_some() || others > 0) {
        return String::new();
    }
    let (curve, panels) = match figures.split_first() {
        Some((all, each)) => (curve(report, all), panels(each)),
        None => (String::new(), String::new()),
    };
    format!(
        "<section>\n<h2>Moves from games</h2>\n{curve}{panels}{}</section>\n",
        results_table(report)
    )
}

/// The curves of all runs, and what they mean.
fn curve(report: &Report, figure: &Figure) -> String {
    let paper = match report.is_comparable() {
        true => format!(
            "In the paper, whose positions are from grandmasters’ games, the best individual comes to \
             {} %, and the mean from about {} to about {} %. Compare with that only if these \
             positions are from grandmasters’ games too.",
            rate(paper::TRAIN_SOLVED, paper::POSITIONS),
            100 * paper::FIRST_MEAN_SOLVED / paper::POSITIONS,
            100 * paper::MEAN_SOLVED / paper::POSITIONS
        ),
        false => "These positions are from engines’ games, so the paper’s figures, which are of \
                  grandmasters’ games, are not comparable and are left out."
            .to_string(),
    };
    let reached = tiles::champion(report).map_or(String::new(), |(who, best)| {
        let trained = rate(best.train_solved, best.positions);
        match held_out(best) {
            Some((solved, positions)) => format!(
                "<p>The {who} solves {trained} % of the training positions and {} % of the held-out \
                 ones. If the second number is far below the first, the weights have learnt these \
                 positions by heart.</p>\n",
                rate(solved, positions)
            ),
            None => format!("<p>The {who} solves {trained} % of the training positions.</p>\n"),
        }
    });
    format!(
        "<div class=\"pair\">\n<figure class=\"wide\">{}<figcaption>Training positions solved by \
         the best individual and by the mean of the population (the paper’s Figure 2).</figcaption>\
         </figure>\n<div class=\"means\">\n<h3>What it means</h3>\n<p>A position is solved if a \
         1-ply search with these weights chooses the move that was played. Evolution has done its \
         work when the curves no longer rise.</p>\n{reached}<p>{paper}</p>\n</div>\n</div>\n",
        figure.inline()
    )
}

/// Each of several runs by itself. Few runs can be told apart in one figure.
fn panels(figures: &[Figure]) -> String {
    if figures.len() < 4 {
        return String::new();
    }
    let panels = figures
        .iter()
        .map(|figure| format!("<div>{}</div>\n", figure.inline()));
    format!(
        "<figure><div class=\"panels\">\n{}</div><figcaption>The same, run by run, on the same \
         axes.</figcaption></figure>\n",
        panels.collect::<String>()
    )
}

fn results_table(report: &Report) -> String {
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
        "{}<p class=\"note\">Champions are chosen on the training positions; the held-out ones play \
         no part. The interval is Wilson’s, for one champion. Gen. counts from 0, the random \
         generation; s.d. is the sample standard deviation over the runs. Seeds are cut; the files \
         of the champions have them whole.</p>\n",
        table.html()
    )
}

fn weights_section(report: &Report, terms: &[Term], figures: &[Figure]) -> String {
    if terms.is_empty() {
        return String::new();
    }
    let mut head: Vec<Html> = ["Term", "Mean", "s.d."].map(Html::text).into();
    let compares = report.is_comparable();
    head.extend(compares.then(|| Html::text("Paper")));
    let runs = started(report);
    head.extend(runs.iter().map(|(number, run)| {
        let seed = short_seed(run.seed);
        Html::markup(format!("Run {number}<br><small>seed {seed}</small>"))
    }));
    let table = Table {
        caption: Html::text(match compares {
            true => "Weights of the champions in centipawns per count, beside the paper’s Figure 3",
            false => "Weights of the champions in centipawns per count",
        }),
        head,
        body: terms.iter().map(|term| term_row(term, compares)).collect(),
        class: "weights",
    };
    let panels = figures
        .iter()
        .map(|figure| format!("<div>{}</div>\n", figure.inline()));
    format!(
        "<section>\n<h2>The champions’ weights</h2>\n{}{}<figure><div class=\"halves\">\n{}</div>\
         <figcaption>Each weight as a share of the range that its row of the table accepts: the \
         champions (small dots), {}.</figcaption></figure>\n</section>\n",
        near_zero(terms),
        table.html(),
        panels.collect::<String>(),
        match compares {
            true => "their mean and standard deviation, and the paper’s mean",
            false => "their mean and standard deviation",
        }
    )
}

fn term_row(term: &Term, compares: bool) -> (&'static str, Vec<Html>) {
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
    ];
    cells.extend(compares.then(|| Html::text(paper.unwrap_or("–".into()))));
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

fn use_section(report: &Report) -> String {
    let (said, line) = match report.command.as_deref() {
        Some(line) => ("start it as it was started, in the same folder, with", line),
        None => (
            "give its profile, of which this folder keeps a copy with paths that are relative to \
             where the original was,",
            "tuner run PROFILE.toml",
        ),
    };
    format!(
        "<section>\n<h2>Resume and reproduce</h2>\n\
     <p>To go on with an interrupted run, or to write this report anew, from this folder:</p>\n\
     <pre>tuner resume .\ntuner report .</pre>\n\
     <p>To reproduce the run, {said} the data files whose digests are below and the same version: \
     the seeds do the rest, on any number of threads, unless a clock or the profile’s hours had a say.</p>\n\
     <pre>{} --out NEW-FOLDER</pre>\n</section>\n",
        Html::text(line)
    )
}

fn provenance_section(report: &Report) -> String {
    if report.provenance.is_empty() {
        return String::new();
    }
    let table = Table::of_provenance(&report.provenance);
    format!(
        "<section>\n<h2>Provenance</h2>\n{}</section>\n",
        table.html()
    )
}
