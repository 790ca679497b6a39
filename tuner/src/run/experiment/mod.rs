//! Experiments: a profile run with keys that vary, from the same seeds in every cell.
//!
//! | file | job |
//! |---|---|
//! | `mod` | all cells checked, run and compared |
//! | `cells` | the experiment's file; a profile for each combination of values |
//! | `planned` | all cells planned before the first run, with their data and warnings |
//! | `results` | what the runs have come to, and tables of it |
//! | `comparison` | which cells differ |
//! | `ioh` | logs for other tools |
//!
//! Each cell is one run of all seeds, with a journal of its own: files are opened and trees built once a cell, and
//! its seeds are evaluated side by side (`phases/positions/ahead.rs`), so wall times of single runs say little.
//! Cells run side by side, each on one thread if there are as many cells as threads. The folder holds
//! `cells/`, `results.csv`, `comparisons.csv`, `experiment.html`, `ioh/`, which follow from the journals, and
//! `timing.csv`.

mod cells;
mod comparison;
mod ioh;
mod planned;
mod results;

use super::lifecycle::{refuse_used, remove_leftovers, resume, settle, start_in};
use super::replay::journaled;
use crate::base::files::{create_folder, sha256, sha256_of_file, write_atomically};
use crate::base::lock::FolderLock;
use crate::base::names::PROGRAM;
use crate::base::progress::{duration, note};
use crate::base::room::cores;
use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::base::{shell, workers};
use crate::error::RunError;
use crate::exec::journal::{Header, JOURNAL_NAME};
use crate::phases::options::Options;
use crate::phases::sample::Checked;
use crate::report::experiment::{self, CellReport, EXPERIMENT_NAME, ExperimentReport, TableReport};
use cells::{Cell, Design};
use comparison::Comparison;
use planned::{Data, data_of_cells, planned, quietly};
use results::{CellResult, Cells};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Names of its tables.
const RESULTS_NAME: &str = "results.csv";
const COMPARISONS_NAME: &str = "comparisons.csv";
const TIMING_NAME: &str = "timing.csv";
/// Name of the folder of its runs.
const CELLS_NAME: &str = "cells";

/// What to do.
#[derive(Clone, Debug)]
pub struct ExperimentOrder {
    /// The experiment's file.
    pub path: PathBuf,
    /// Its folder; `runs/<name of the file>` if absent, so that the same command goes on with it.
    pub folder: Option<PathBuf>,
    /// Threads; all cores if absent.
    pub threads: Option<usize>,
    /// Workers on other machines that help; each cell gives its tasks out by itself.
    #[cfg(feature = "redis")]
    pub workers: Option<crate::exec::remote::leader::Settings>,
}

/// What has come of it.
#[derive(Debug)]
pub struct Concluded {
    /// Tables and conclusions, for a terminal; `None` if it was interrupted.
    pub text: Option<String>,
    /// Its folder.
    pub folder: PathBuf,
}

impl ExperimentOrder {
    fn name(&self) -> String {
        let name = self.path.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    fn folder(&self) -> PathBuf {
        let default = || Path::new("runs").join(self.name());
        self.folder.clone().unwrap_or_else(default)
    }

    /// How many cells run side by side, and on how many threads each.
    fn sides(&self, cells: usize) -> (usize, usize) {
        let threads = self.threads.unwrap_or_else(cores).max(1);
        let sides = threads.min(cells).max(1);
        (sides, (threads / sides).max(1))
    }

    /// The options of a cell's run on so many threads, with help if there is any.
    fn helped(&self, threads: usize) -> Options {
        Options {
            #[cfg(feature = "redis")]
            workers: self.workers.clone(),
            ..quietly(threads)
        }
    }
}

/// Checks an experiment without running it, and says how large it is and about how long it takes.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn check(order: &ExperimentOrder) -> Result<String, RunError> {
    let design = Design::load(&order.path)?;
    let data = data_of_cells(&design)?;
    let (cells, seeds) = (design.cells.len(), design.experiment.seeds.len());
    let (sides, threads) = order.sides(cells);
    // The largest is mostly at one end of its axis.
    let mut ends: Vec<&Cell> = design.cells.iter().take(1).collect();
    ends.extend(design.cells.iter().skip(1).last());
    let (mut seconds, mut generations) = (0.0, 0);
    for cell in &ends {
        let planned = planned(&design, cell, &quietly(threads))?;
        for phase in &planned.phases {
            let Checked { seconds: own, .. } = phase.phase.check(&planned.start, threads)?;
            seconds += own / ends.len() as f64;
            generations += phase.phase.outline().generations;
        }
    }
    let mean = generations / ends.len().max(1) as u64 / seeds.max(1) as u64;
    let warnings: String = data
        .warnings
        .iter()
        .map(|text| format!("{text}\n"))
        .collect();
    Ok(format!(
        "{warnings}Experiment {}: {} of {}, {} in all, of about {} each\n\
         Estimated time: about {} with {} at a time on {} each, by a sample of {}; less where individuals repeat",
        order.name(),
        counted(cells, "cell"),
        counted(seeds, "run"),
        counted(cells * seeds, "run"),
        counted(mean as usize, "generation"),
        duration(seconds * cells.div_ceil(sides) as f64),
        counted(sides, "cell"),
        counted(threads, "thread"),
        counted(ends.len(), "cell"),
    ))
}

/// Runs what is not done yet of an experiment, and compares its cells.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn experiment(order: &ExperimentOrder, stop: &Stop) -> Result<Concluded, RunError> {
    let design = Design::load(&order.path)?;
    let data = data_of_cells(&design)?;
    let folder = order.folder();
    if folder.is_dir() && !folder.join(CELLS_NAME).is_dir() {
        refuse_used(&folder)?;
    }
    refuse_other_cells(&design, &folder)?;
    create_folder(&folder.join(CELLS_NAME))?;
    let lock = FolderLock::take(&folder)?;
    data.warnings.iter().for_each(|warning| note(warning));
    remove_leftovers(&folder)?;
    let (sides, threads) = order.sides(design.cells.len());
    let all = design.cells.len();
    let mut results: Vec<CellResult> = Vec::with_capacity(all);
    let mut interrupted = false;
    let part = |error: RunError| error.of_part(shell::experiment(&order.path, &folder));
    let ran = workers::in_order(
        sides,
        0..all,
        stop,
        || Ok(()),
        |(), number| match design.cells.get(number) {
            Some(cell) => {
                let header = data.headers.get(number);
                done(
                    &design,
                    (cell, header),
                    &folder,
                    &order.helped(threads),
                    stop,
                )
            }
            None => Ok(None),
        },
        |result| {
            let Some(result) = result else {
                interrupted = true;
                return Ok(ControlFlow::Break(()));
            };
            let seconds = result.seconds.iter().sum();
            let name = design
                .cells
                .get(results.len())
                .map_or("", |cell| &cell.name);
            results.push(result);
            note(&format!(
                "cell {} of {all}, {name}: {} in {}",
                results.len(),
                counted(design.experiment.seeds.len(), "run"),
                duration(seconds)
            ));
            Ok::<_, RunError>(ControlFlow::Continue(()))
        },
    );
    ran.map_err(part)?;
    if interrupted || results.len() < all {
        return Ok(Concluded { text: None, folder });
    }
    let text = conclude(order, &design, (&data, &results), &folder).map_err(part)?;
    drop(lock);
    Ok(Concluded {
        text: Some(text),
        folder,
    })
}

/// Refuses a folder that has cells of another experiment: its tables would be replaced.
fn refuse_other_cells(design: &Design, folder: &Path) -> Result<(), RunError> {
    let Ok(entries) = std::fs::read_dir(folder.join(CELLS_NAME)) else {
        return Ok(());
    };
    let names = entries.flatten().filter(|entry| entry.path().is_dir());
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut others: Vec<String> = names
        .filter(|name| !design.cells.iter().any(|cell| cell.folder() == *name))
        .collect();
    others.sort();
    match others.first() {
        None => Ok(()),
        Some(first) => Err(RunError::refused(
            folder,
            format!(
                "holds {} that {} does not have, {CELLS_NAME}/{first} the first; values may be added to an experiment, for \
                 others give another folder by --out",
                counted(others.len(), "cell"),
                name_of(&design.path)
            ),
        )),
    }
}

/// What a cell has come to: by its journal if that is complete, else by work; `None` if that is stopped. The header
/// is the one that it would be started with now.
fn done(
    design: &Design,
    (cell, header): (&Cell, Option<&Header>),
    folder: &Path,
    options: &Options,
    stop: &Stop,
) -> Result<Option<CellResult>, RunError> {
    let own = folder.join(CELLS_NAME).join(cell.folder());
    let is_there = own.join(JOURNAL_NAME).exists();
    if !is_there {
        start_in(own.clone(), planned(design, cell, options)?, options, stop)?;
    }
    let (mut plan, mut outcome) = journaled(&own)?;
    if plan.header.profile_sha256 != sha256(cell.text.as_bytes()) {
        let problem = format!(
            "cell {} was run with another profile or other seeds; give the changed experiment another folder by --out",
            cell.name
        );
        return Err(RunError::refused(folder, problem));
    }
    // What goes on is compared with its data there; what is complete would never be.
    let now = header.map(|header| Header {
        table: plan.header.table.clone(),
        ..header.clone()
    });
    if let Some(difference) = now.and_then(|now| plan.header.difference(&now)) {
        let problem = format!(
            "cell {} can't be compared with new ones: {difference}; give the experiment another folder by --out",
            cell.name
        );
        return Err(RunError::refused(folder, problem));
    }
    if !outcome.complete && !stop.requested() {
        resume(&own, options, stop)?;
        (plan, outcome) = journaled(&own)?;
    } else if is_there {
        settle(&own)?;
    }
    let result = || CellResult::of(&plan, &outcome, &design.phase, &own);
    Ok(outcome.complete.then(result).flatten())
}

/// Writes all files, and says what came out.
fn conclude(
    order: &ExperimentOrder,
    design: &Design,
    (data, results): (&Data, &[CellResult]),
    folder: &Path,
) -> Result<String, RunError> {
    let found = comparison::compare(design, data, results);
    let mut said = comparison::conclusions(design, &found);
    said.extend(comparison::left_out(design, data));
    said.extend(data.warnings.iter().cloned());
    let medians = results::medians(design, results);
    let compared = comparison::comparisons(design, &found);
    for (name, text) in [
        (RESULTS_NAME, results::results_csv(design, results)),
        (COMPARISONS_NAME, comparison::csv(design, &found)),
        (TIMING_NAME, results::timing_csv(design, results)),
    ] {
        write_atomically(&folder.join(name), text.as_bytes())?;
    }
    ioh::write(folder, design, results)?;
    let report = report(order, design, results, &said, [&medians, &compared])?;
    experiment::write(folder, &report).map_err(RunError::Report)?;
    let seconds: f64 = results.iter().flat_map(|cell| &cell.seconds).sum();
    let mut with_time = medians;
    with_time.0.push("seconds a run".into());
    for (row, result) in with_time.1.iter_mut().zip(results) {
        let all: f64 = result.seconds.iter().sum();
        row.push(format!("{:.2}", all / result.seconds.len().max(1) as f64));
    }
    let note = medians_note(results);
    let mut text = format!("{note}\n\n{}\n\n", results::text(&with_time));
    if !found.is_empty() {
        text += &format!(
            "{}\n\n{}\n\n",
            comparisons_note(&found),
            results::text(&compared)
        );
    }
    let page = folder.join(EXPERIMENT_NAME);
    text += &format!(
        "{}\n\n{} of work. Report:\n  {}",
        said.join("\n"),
        duration(seconds),
        std::path::absolute(&page).unwrap_or(page).display()
    );
    Ok(text)
}

/// What the table of medians is.
fn medians_note(results: &[CellResult]) -> String {
    let of = results.first().map_or("", |first| first.measured.of);
    format!(
        "The median run of each cell, by the mean of its last generation or its best where no mean is measured (of an \
         even number the lower one), in per cent of the {of}; s.d. is the sample standard deviation of that over the \
         runs; held-out is of the median run's champion, with a 95 % interval. Evaluations count individuals that the \
         run had not evaluated before."
    )
}

/// What the comparisons are.
fn comparisons_note(found: &[Comparison]) -> String {
    let exact = found.iter().filter(|found| found.test.exact).count();
    let how = match exact == found.len() {
        true => "exact, with ties as they are",
        false => {
            "exact up to 50 pairs that differ, with ties as they are, else normal with corrections for ties and continuity"
        }
    };
    format!(
        "Pairs of runs from the same seed: two-sided Wilcoxon signed-rank test ({how}; pairs without a difference are \
         left out), Holm's correction over {}, Vargha and Delaney's A12. Differences are in percentage \
         points.",
        match found.len() {
            1 => "1 comparison".to_string(),
            more => format!("all {}", counted(more, "comparison")),
        }
    )
}

fn report(
    order: &ExperimentOrder,
    design: &Design,
    results: &[CellResult],
    said: &[String],
    [medians, compared]: [&Cells; 2],
) -> Result<ExperimentReport, RunError> {
    let cells = design.cells.iter().zip(results);
    let cells = cells.map(|(cell, result)| CellReport {
        name: cell.name.clone(),
        runs: (result.measured.runs.iter())
            .map(|run| {
                let course = run.course.iter();
                course
                    .map(|point| (point.evaluations, result.percent(point.best as f64)))
                    .collect()
            })
            .collect(),
    });
    let table = |title: &str, caption: &str, note: String, (heads, rows): &Cells| TableReport {
        title: title.into(),
        caption: caption.into(),
        note,
        heads: heads.clone(),
        rows: rows.clone(),
    };
    let mut tables = vec![table(
        "Median runs",
        "The median run of each cell",
        medians_note(results),
        medians,
    )];
    if !compared.1.is_empty() {
        let note = "Two-sided Wilcoxon signed-rank test of runs from the same seed, exact up to 50 pairs that differ; \
            Holm’s correction over all rows; A12 is how often a run of the cell is above one of the other. Held-out is \
            what counts: the rest is what evolution, or the choice of the best, has seen.";
        tables.push(table(
            "Comparisons",
            "Each cell against its baseline",
            note.into(),
            compared,
        ));
    }
    let seeds: Vec<String> = design.experiment.seeds.iter().map(u64::to_string).collect();
    let digest = |path: &Path| {
        Ok::<_, RunError>(format!(
            "{}, SHA-256 {}",
            name_of(path),
            sha256_of_file(path)?
        ))
    };
    Ok(ExperimentReport {
        name: order.name(),
        conclusions: said.to_vec(),
        of: results
            .first()
            .map_or(String::new(), |first| first.measured.of.to_string()),
        cells: cells.collect(),
        tables,
        command: format!("tuner experiment {}", shell::word(&name_of(&design.path))),
        provenance: vec![
            ("Program".into(), PROGRAM.into()),
            ("Experiment".into(), digest(&design.path)?),
            ("Profile".into(), digest(&design.profile)?),
            ("Seeds".into(), seeds.join(", ")),
        ],
    })
}

/// A file's name without its folders, for a page that is the same wherever it is made.
fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
