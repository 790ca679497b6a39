//! Runs read again from their folders.

use super::beginning::start_again;
use super::courses::courses;
use super::outcome::Outcome;
use super::plan::{Plan, Sources, plan};
use crate::base::names::PROFILE_NAME;
use crate::base::shell;
use crate::error::RunError;
use crate::exec::executor::Executor;
use crate::exec::journal::{self, Contents, Header, JOURNAL_NAME, JournalError, Record};
use crate::phases::options::Options;
use crate::phases::profile::Profile;
use std::path::Path;

/// The folder of an experiment's runs, in its own.
const CELLS_NAME: &str = "cells";

/// The journal of the run in a folder.
///
/// # Errors
/// There is no run, or it is damaged.
pub(super) fn journal_of(folder: &Path) -> Result<Contents, RunError> {
    journal::read(&folder.join(JOURNAL_NAME)).map_err(|error| {
        let cells = std::fs::read_dir(folder.join(CELLS_NAME));
        let mut cells = cells.into_iter().flatten().flatten();
        let mut is_experiment = || cells.any(|cell| cell.path().join(JOURNAL_NAME).is_file());
        match error {
            JournalError::NoRun { folder, .. } if is_experiment() => RunError::refused(
                &folder,
                format!(
                    "this is the folder of an experiment, whose runs are in {CELLS_NAME}/; the command that began it \
                     goes on with it:  {} experiment FILE --out {}",
                    shell::tuner(),
                    shell::file(folder.as_os_str())
                ),
            ),
            error => error.into(),
        }
    })
}

/// The plan of the run in a folder.
///
/// # Errors
/// The profile or what it began with is refused.
pub fn plan_again(
    folder: &Path,
    contents: &Contents,
    options: &Options,
    data: bool,
) -> Result<Plan, RunError> {
    let header = &contents.header;
    let sources = Sources {
        profile: Profile::load(&folder.join(PROFILE_NAME))?,
        name: &header.profile,
        folder,
        only: header.only.as_deref(),
        header: Some(header),
        command: header.command.clone(),
        start: start_again(folder, header)?,
    };
    plan(sources, options, data)
}

/// The plan of the run in a folder with its data, by which tasks can be answered.
///
/// # Errors
/// There is no run, or its data are not what they were.
pub fn opened(folder: &Path, options: &Options) -> Result<Plan, RunError> {
    let contents = journal::read(&folder.join(JOURNAL_NAME))?;
    let planned = plan_again(folder, &contents, options, true)?;
    refuse_other(folder, &contents.header, &planned.header)?;
    Ok(planned)
}

/// # Errors
/// The run in a folder was begun with something else than is there now.
pub(super) fn refuse_other(folder: &Path, begun: &Header, now: &Header) -> Result<(), RunError> {
    match begun.difference(now) {
        None => Ok(()),
        Some(difference) => Err(goes_not_on(folder, &difference)),
    }
}

/// Why the run in a folder can't go on.
pub(super) fn goes_not_on(folder: &Path, difference: &str) -> RunError {
    let problem = format!("this run can't go on: {difference}");
    RunError::refused(&folder.join(JOURNAL_NAME), problem)
}

/// The plan of the run in a folder, without data, and the records of its journal.
///
/// # Errors
/// There is no run, or it is damaged.
fn recorded(folder: &Path) -> Result<(Plan, Vec<Record>), RunError> {
    let contents = journal_of(folder)?;
    let planned = plan_again(folder, &contents, &Options::default(), false)?;
    let expected = Header {
        files: contents.header.files.clone(),
        ..planned.header.clone()
    };
    refuse_other(folder, &contents.header, &expected)?;
    let planned = Plan {
        header: contents.header,
        ..planned
    };
    Ok((planned, contents.records))
}

/// What the run in a folder has come to, by its journal alone. Nothing is locked or written.
///
/// # Errors
/// There is no run, or it is damaged.
pub fn journaled(folder: &Path) -> Result<(Plan, Outcome), RunError> {
    gone_through(folder, None)
}

/// The same, with the files of phases written into a folder.
///
/// # Errors
/// As there, or one of them can't be written.
pub(super) fn gone_through(
    folder: &Path,
    into: Option<&Path>,
) -> Result<(Plan, Outcome), RunError> {
    let (planned, records) = recorded(folder)?;
    let mut executor = Executor::replay(records);
    let outcome = courses(&planned, &mut executor, into, &mut |_| Ok(()));
    let outcome = outcome.map_err(|error| error.in_journal_of(folder))?;
    executor.flush()?;
    Ok((planned, outcome))
}
