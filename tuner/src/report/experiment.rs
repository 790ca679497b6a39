//! The page of an experiment: conclusions first, then tables and figures. Imports the other parts of the
//! report.

mod figures;

use super::ReportError;
use super::html::{Html, Table};
use crate::base::files::write_atomically;
use figures::{box_plots, targets_reached};
use std::path::Path;

/// Name of the page.
pub const EXPERIMENT_NAME: &str = "experiment.html";

const STYLE: &str = include_str!("style.css");

/// What there is to show of an experiment.
#[derive(Clone, Debug)]
pub struct ExperimentReport {
    /// Its name.
    pub name: String,
    /// What came out, in sentences.
    pub conclusions: Vec<String>,
    /// What values are per cent of.
    pub of: String,
    /// Its cells.
    pub cells: Vec<CellReport>,
    /// Tables with what they show, what to know of them, their heads and their rows.
    pub tables: Vec<TableReport>,
    /// The line that repeats it.
    pub command: String,
    /// Where the numbers come from: names and values.
    pub provenance: Vec<(String, String)>,
}

/// A cell as figures show it; its values are in per cent.
#[derive(Clone, Debug)]
pub struct CellReport {
    /// Its name.
    pub name: String,
    /// Of each run: individuals evaluated until a generation's end, and what its best has.
    pub runs: Vec<Vec<(u64, f64)>>,
}

/// A table of the page.
#[derive(Clone, Debug)]
pub struct TableReport {
    /// Its section's heading.
    pub title: String,
    /// What it shows.
    pub caption: String,
    /// What to know of it.
    pub note: String,
    /// Column heads.
    pub heads: Vec<String>,
    /// Rows as long as the heads.
    pub rows: Vec<Vec<String>>,
}

/// Writes the page into a folder.
///
/// # Errors
/// A figure can't be drawn, or the file not be written.
pub fn write(dir: &Path, report: &ExperimentReport) -> Result<(), ReportError> {
    let page = html(report)?;
    write_atomically(&dir.join(EXPERIMENT_NAME), page.as_bytes())?;
    Ok(())
}

fn html(report: &ExperimentReport) -> Result<String, ReportError> {
    let said = report.conclusions.iter();
    let said: String = said
        .map(|text| format!("<li>{}</li>\n", Html::text(text)))
        .collect();
    let tables: String = report.tables.iter().map(table).collect();
    let reached = targets_reached(&report.cells)?.captioned(
        "Share of targets reached by so many evaluations, over all runs of a cell. The targets are 51 levels, \
         evenly spaced from the worst first generation’s best to the best last one’s, of all cells together. \
         Evaluations count individuals that the run had not evaluated before.",
    );
    let boxes = box_plots(&report.cells, &report.of)?.captioned(
        &format!(
            "The best of the last generation of each run (points), in per cent of the {}: quartiles and median (box), \
             least and greatest (whiskers).",
            report.of
        ),
    );
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<section>\n<h2>Conclusions</h2>\n<ul class=\"lede\">\n{said}</ul>\n</section>\n\
         {tables}<section>\n<h2>Last generations</h2>\n{boxes}</section>\n\
         <section>\n<h2>Targets over evaluations</h2>\n{reached}</section>\n\
         <section>\n<h2>Provenance</h2>\n{}<p>To go on with it if it is unfinished, or to repeat it in another \
         folder:</p>\n<pre>{}</pre>\n</section>\n</main>\n</body>\n</html>\n",
        Table::of_provenance(&report.provenance).html(),
        Html::text(&report.command),
        title = Html::text(format!("Experiment {}", report.name)),
    ))
}

fn table(report: &TableReport) -> String {
    let table = Table::of_texts(&report.caption, &report.heads, &report.rows, "");
    format!(
        "<section>\n<h2>{}</h2>\n{}<p class=\"note\">{}</p>\n</section>\n",
        Html::text(&report.title),
        table.html(),
        Html::text(&report.note)
    )
}
