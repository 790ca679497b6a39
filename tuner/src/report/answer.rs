//! The first screen of the page: is it better, by how much, and what to do next. Imports the other parts
//! of the report.

use super::html::Html;
use super::night::{Night, Reached};
use super::results::{held_out, interval, rate};
use super::tiles::champion;
use super::{Plays, Report};
use crate::base::statistics::thousands;

/// The best parameters, relative to the page.
const BEST: &str = "best.toml";

/// All of it.
pub fn section(report: &Report) -> String {
    format!(
        "{}<div class=\"answer\">\n<section>\n<h2>Is it better?</h2>\n{}<h2>By how much?</h2>\n{}{}\
         </section>\n<section>\n<h2>What to do next</h2>\n{}</section>\n</div>\n",
        unfinished(report),
        verdict(report),
        amounts(report),
        warnings(report),
        next(report)
    )
}

/// How far a run is that has not ended, and where its best so far is.
fn unfinished(report: &Report) -> String {
    let Some(state) = &report.unfinished else {
        return String::new();
    };
    let best = match best_so_far(report) {
        Some(file) => format!(
            "The best so far is <a href=\"{0}\">{0}</a>.",
            Html::text(file)
        ),
        None => "There are no parameters yet.".to_string(),
    };
    format!(
        "<p class=\"state\"><strong>Not finished:</strong> {}. {best} So it was when this page was written. \
         In this folder, <code>tuner status .</code> says how far a run is that is under way, and \
         <code>tuner resume .</code> goes on with one that has stopped.</p>\n",
        Html::text(state)
    )
}

/// The best parameters that the folder has.
fn best_so_far(report: &Report) -> Option<&str> {
    if report.best.is_some() {
        return Some(BEST);
    }
    let links = &report.night.as_ref()?.links;
    let best = links.iter().rev().map(|(_, target)| target.as_str());
    best.into_iter().find(|target| target.ends_with(BEST))
}

fn reached(report: &Report) -> &[Reached] {
    let night = report.night.as_ref();
    night.map_or(&[][..], |night| &night.verdicts)
}

fn verdict(report: &Report) -> String {
    let verdicts = reached(report);
    let verdict = |reached: &Reached| {
        let phase = match verdicts.len() > 1 {
            true => format!("{}: ", reached.phase),
            false => String::new(),
        };
        let class = reached.word.replace(' ', "-");
        let details = format!("<p class=\"note\">{}</p>\n", Html::text(&reached.sentence));
        box_of(&class, &(phase + &reached.headline), "") + &details
    };
    if !verdicts.is_empty() {
        return verdicts.iter().map(verdict).collect();
    }
    let plays_match = report.night.as_ref().is_some_and(|night| night.plays_match);
    match (plays_match, report.unfinished.is_some()) {
        (true, true) => box_of(
            "",
            "Not known yet.",
            "The match comes at the end of the run.",
        ),
        (true, false) => box_of("", "Not known.", "No match has been played."),
        (false, _) => box_of(
            "",
            "Not tested in games.",
            "This profile plays no match. Only games tell whether the engine is stronger with what \
             evolved.",
        ),
    }
}

fn box_of(class: &str, word: &str, sentence: &str) -> String {
    format!(
        "<p class=\"lede verdict {class}\"><strong>{}</strong> {}</p>\n",
        Html::text(word),
        Html::text(sentence)
    )
}

/// Each number that was measured, the match first.
fn amounts(report: &Report) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for reached in reached(report) {
        if !reached.amount.0.is_empty() {
            let (amount, text) = reached.amount.clone();
            let early = match reached.is_early {
                true => "; the test ended the match, so this is probably too large",
                false => "",
            };
            lines.push((amount, text + early));
        }
    }
    let unseen = report.night.iter().flat_map(|night| &night.unseen);
    lines.extend(unseen.map(|row| row.amount.clone()));
    if let Some((_, best)) = champion(report) {
        lines.push(match held_out(best) {
            Some((solved, positions)) => (
                format!("{} %", rate(solved, positions)),
                format!(
                    "of {} held-out positions solved, 95 % interval {} %",
                    thousands(positions),
                    interval(solved, positions)
                ),
            ),
            None => (
                format!("{} %", rate(best.train_solved, best.positions)),
                format!(
                    "of {} training positions solved, 95 % interval {} %",
                    thousands(best.positions),
                    interval(best.train_solved, best.positions)
                ),
            ),
        });
    }
    for expert in &report.experts {
        lines.extend(expert.best_text().map(|text| (String::new(), text)));
    }
    for plain in &report.plain {
        lines.extend(plain.result.clone().map(|text| (String::new(), text)));
    }
    for suite in &report.suites {
        if let Some((_, run)) = suite.outcome.best() {
            lines.push((
                format!("{} nodes", thousands(run.train.nodes)),
                format!(
                    "for {} training positions, {}",
                    thousands(run.train.positions as u64),
                    suite.gain_text(run)
                ),
            ));
        }
    }
    if lines.is_empty() {
        return "<p>No run has finished a generation yet.</p>\n".to_string();
    }
    let lines = lines.iter().map(|(number, text)| {
        let number = match number.is_empty() {
            true => String::new(),
            false => format!("<strong>{}</strong> ", Html::text(number)),
        };
        format!("<li>{number}{}</li>\n", Html::text(text))
    });
    format!(
        "<ul class=\"amounts\">\n{}</ul>\n",
        lines.collect::<String>()
    )
}

fn warnings(report: &Report) -> String {
    let none = Night::default();
    let night = report.night.as_ref().unwrap_or(&none);
    let warnings = night.warnings.iter();
    warnings
        .map(|warning| format!("<p class=\"note warn\">{}.</p>\n", Html::text(warning)))
        .collect()
}

fn next(report: &Report) -> String {
    let mut steps = String::new();
    if report.unfinished.is_some() {
        steps += "<li>Go on with the run:\n<pre>tuner resume .</pre></li>\n";
    }
    if let Some(best) = report.best {
        steps += &play(best);
        let (file, note) = match &report.compare {
            Some(file) => (file.as_str(), String::new()),
            None => (
                "OTHER.toml",
                " OTHER.toml is any parameter file, such as the project’s \
                 <code>params/paper-2014.toml</code>."
                    .to_string(),
            ),
        };
        steps += &format!(
            "<li>Compare it in games:\n<pre>tuner compare {BEST} {}</pre>{note}</li>\n",
            Html::text(file)
        );
    }
    if report.best.is_some() && report.unfinished.is_none() {
        steps += "<li>For a stronger one, in the project’s folder, over a night:\n\
                  <pre>tuner run tuner/profiles/night.toml</pre></li>\n";
    }
    if steps.is_empty() {
        steps += "<li>This run leaves no parameters of its own.</li>\n";
    }
    format!(
        "<ol class=\"next\">\n{steps}</ol>\n<p class=\"note\">All lines are for this folder. \
         <code>eyas</code> and <code>tuner</code> are in <code>target/release</code> of the \
         project.</p>\n"
    )
}

/// How to play with the best parameters.
fn play(best: Plays) -> String {
    let search = match best {
        Plays::Plainly => {
            "The file has an evaluation alone, and with it the engine searches plainly and sees less \
             far than it can. For the full search, which was set by hand, add a semicolon and the \
             path of the project’s <code>params/search-full.toml</code>."
        }
        Plays::AsThePapers => {
            "The file has an evaluation and the evolved search. With the full search, which was set \
             by hand, it may be stronger: add a semicolon and the path of the project’s \
             <code>params/search-full.toml</code>."
        }
        Plays::Fully => "The file has a full search, with the rows that evolved.",
    };
    format!(
        "<li>Play with <a href=\"{BEST}\">{BEST}</a>:\n<pre>eyas --params {BEST}</pre>In a GUI, set the \
         engine’s option <code>ParamsFile</code> to the whole path of the file, which is the same as to \
         send\n<pre>setoption name ParamsFile value {BEST}</pre>\n<small>{search}</small></li>\n"
    )
}
