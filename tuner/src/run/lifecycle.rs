//! Runs started, resumed and reported.

use super::beginning::begins_text;
use super::courses::{can_begin, courses};
use super::order::Order;
use super::outcome::{Ended, Outcome};
use super::output;
use super::plan::{self, Plan, Planned};
use super::replay::{goes_not_on, gone_through, journal_of, plan_again, refuse_other};
#[cfg(feature = "redis")]
use super::sharing::offer;
use crate::base::files::{FileError, create_folder, is_leftover, is_temporary, write_atomically};
use crate::base::lock::{FolderLock, LockError};
use crate::base::names::{HISTORY_NAME, PROFILE_NAME, START_NAME};
use crate::base::progress::Progress;
use crate::base::stop::Stop;
use crate::error::RunError;
use crate::exec::error::ExecError;
use crate::exec::executor::{Executor, Live};
use crate::exec::journal::{self, Header, JOURNAL_NAME, Journal, Record};
use crate::exec::processes::{self, Processes};
#[cfg(feature = "redis")]
use crate::exec::remote::leader::Remote;
use crate::exec::timing::Timing;
use crate::phases::context::{copy_of, is_parameters};
use crate::phases::options::Options;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a power cut may cost a run: a moment's work, and waiting for the disk in each of hundreds of short generations
/// costs more.
const LAG: Duration = Duration::from_millis(250);

/// The same of one of many runs, each of which has thousands of answers in this time.
const LAG_OF_MANY: Duration = Duration::from_secs(1);

/// Starts a run.
///
/// # Errors
/// The profile or its data are refused, or the folder can't be used.
pub fn start(order: &Order, options: &Options, stop: &Stop) -> Result<Ended, RunError> {
    let planned = order.plan(options)?;
    can_begin(&planned)?;
    let folder = match &order.folder {
        Some(folder) => folder.to_path_buf(),
        None => free_folder(Path::new("runs"), &planned.header.profile),
    };
    start_in(folder, planned, options, stop)
}

/// Starts what has been planned in a folder of its own.
pub(super) fn start_in(
    folder: PathBuf,
    planned: Plan,
    options: &Options,
    stop: &Stop,
) -> Result<Ended, RunError> {
    create_folder(&folder)?;
    // A folder that is something else's gets no lock file.
    refuse_used(&folder)?;
    let lock = FolderLock::take(&folder)?;
    refuse_used(&folder)?;
    remove_leftovers(&folder)?;
    copy_parameters(&folder, &planned.header)?;
    write_atomically(&folder.join(PROFILE_NAME), planned.text.as_bytes())?;
    let journal = Journal::create(&folder.join(JOURNAL_NAME), &planned.header)?;
    execute(folder, planned, journal, Vec::new(), options, stop, lock)
}

/// The run keeps its own copies of the parameter files that it begins with: they may change where
/// they lie, and a report needs them when they are gone.
fn copy_parameters(folder: &Path, header: &Header) -> Result<(), RunError> {
    for file in header.files.iter().filter(|file| is_parameters(&file.role)) {
        create_folder(&folder.join(START_NAME))?;
        let bytes = std::fs::read(&file.path).map_err(FileError::of("read", &file.path))?;
        write_atomically(&copy_of(folder, file), &bytes)?;
    }
    Ok(())
}

/// The first of `parent/name-1`, `parent/name-2`, … that is not there.
fn free_folder(parent: &Path, name: &str) -> PathBuf {
    let mut folders = (1_u64..).map(|number| parent.join(format!("{name}-{number}")));
    folders.find(|folder| !folder.exists()).unwrap_or_default()
}

/// A run needs a folder of its own. What a start that was killed left there doesn't count.
pub(super) fn refuse_used(folder: &Path) -> Result<(), RunError> {
    let error = |advice: String| RunError::NotEmpty {
        folder: folder.to_path_buf(),
        advice,
    };
    if folder.join(JOURNAL_NAME).exists() {
        let command = crate::base::shell::resume(folder);
        return Err(error(format!("to go on with the run in it:  {command}")));
    }
    let entries = std::fs::read_dir(folder).map_err(FileError::of("read", folder))?;
    for entry in entries {
        let name = entry.map_err(FileError::of("read", folder))?.file_name();
        let name = name.to_string_lossy();
        let is_left = |of| name == of || is_leftover(&name, of);
        let is_left = [PROFILE_NAME, JOURNAL_NAME].into_iter().any(is_left);
        if !is_left && !FolderLock::is_file(&name) && name != START_NAME {
            return Err(error("a run needs a folder of its own".into()));
        }
    }
    Ok(())
}

/// Removes the temporary files of a process that was killed while it wrote one. The folder is a
/// run's, and the caller holds its lock.
pub(super) fn remove_leftovers(folder: &Path) -> Result<(), FileError> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            // What a link leads to is not the run's.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if is_temporary(&entry.file_name().to_string_lossy()) {
                std::fs::remove_file(&path).map_err(FileError::of("remove", &path))?;
            }
        }
    }
    Ok(())
}

/// Goes on with the run in a folder.
///
/// # Errors
/// There is no run, it is damaged, or it was started with something else than is there now.
pub fn resume(folder: &Path, options: &Options, stop: &Stop) -> Result<Ended, RunError> {
    let path = folder.join(JOURNAL_NAME);
    // Read first: a folder without a run gets no lock file.
    journal_of(folder)?;
    let lock = FolderLock::take(folder)?;
    let contents = journal::read(&path)?;
    tell_of_changed_profile(folder, &contents.header);
    let mut planned = plan_again(folder, &contents, options, true)?;
    refuse_other(folder, &contents.header, &planned.header)?;
    // What the journal says stays, or provenance would depend on who resumed.
    planned.header = contents.header.clone();
    remove_leftovers(folder)?;
    let journal = Journal::resume(&path, &contents)?;
    let records = contents.records;
    execute(
        folder.to_path_buf(),
        planned,
        journal,
        records,
        options,
        stop,
        lock,
    )
}

/// Whoever edits the profile that a run began with may expect that the run goes on by it.
fn tell_of_changed_profile(folder: &Path, header: &Header) {
    let Some(original) = header.command.first().map(Path::new) else {
        return;
    };
    // It may be packed; what it says is what counts.
    let text = crate::base::files::read_text(original, engine::kind::TextKind::Profile);
    let digest = text.map(|text| crate::base::files::sha256(text.as_bytes()));
    if digest.is_ok_and(|digest| digest != header.profile_sha256) {
        crate::base::progress::note(&format!(
            "Note: {} is not as it was when the run began. The run goes on by its own copy, {}; \
             changes take effect in a new run.",
            original.display(),
            folder.join(PROFILE_NAME).display()
        ));
    }
}

pub(super) fn execute(
    folder: PathBuf,
    planned: Plan,
    journal: Journal,
    records: Vec<Record>,
    options: &Options,
    stop: &Stop,
    lock: FolderLock,
) -> Result<Ended, RunError> {
    let mut progress = Progress::new(options.json_log, options.quiet);
    // Whether there is anything to be done at all; if not, nothing is tried out or searched.
    let mut replay = Executor::replay(records.clone()).watched(&mut progress);
    let done = courses(&planned, &mut replay, None, &mut |_| Ok(()));
    drop(replay);
    let done = done.map_err(|error| error.in_journal_of(&folder))?;
    let mut executor = match done.complete {
        true => {
            progress.finish();
            Executor::replay(records)
        }
        false => {
            let live = live(&folder, &planned, journal, options, stop, progress)?;
            Executor::live(records, live)
        }
    };
    let write = |outcome: &Outcome| match options.quiet {
        true => Ok(()),
        false => output::write_results(&folder, &planned, outcome),
    };
    let goes_on = |executor: &mut Executor<'_>| {
        courses(&planned, executor, Some(&folder), &mut |outcome| {
            write(outcome)
        })
    };
    let mut outcome = goes_on(&mut executor);
    while let Err(RunError::Exec(ExecError::Distrusted { worker, record })) = &outcome {
        executor = without(executor, &folder, worker, *record)?;
        // These are appended to, and begin anew.
        let names = planned.phases.iter().map(|phase| phase.name.as_str());
        for table in names.chain([""]) {
            let _ = std::fs::remove_file(folder.join(table).join(HISTORY_NAME));
        }
        outcome = goes_on(&mut executor);
    }
    executor.finish();
    let written = outcome.and_then(|outcome| {
        executor.flush()?;
        write(&outcome)?;
        executor.is_saved()?;
        Ok(outcome)
    });
    drop(lock);
    let outcome = written.map_err(|error| RunError::while_running(error, &folder))?;
    Ok(Ended {
        folder,
        header: planned.header,
        outcome,
    })
}

/// Goes back to the record before the first one of a worker that gives wrong answers.
///
/// # Errors
/// The journal can't be cut.
pub fn without<'a>(
    executor: Executor<'a>,
    folder: &Path,
    worker: &str,
    record: usize,
) -> Result<Executor<'a>, RunError> {
    let path = folder.join(JOURNAL_NAME);
    let copy = journal::cut(&path, record)?;
    let contents = journal::read(&path)?;
    let mut live = (executor.into_live())
        .ok_or_else(|| goes_not_on(folder, "it was cut while nothing was being done"))?;
    live.tell(&format!(
        "worker {worker} has given wrong answers: the run goes back to {record} answers, before the first of its \
         that nobody has confirmed. {} is the journal as it was",
        copy.display()
    ));
    #[cfg(feature = "redis")]
    if let Some(remote) = &mut live.remote {
        remote.go_back(record)?;
    }
    live.journal = live.journal.after_cut(&contents)?;
    live.working = false;
    Ok(Executor::live(contents.records, live))
}

/// Gives out the tasks of a command that is no run. They are those of a profile's phase, which is never gone
/// through; the folder is kept by nobody.
///
/// # Errors
/// The folder can't be used, or the server lets nobody in.
#[cfg(feature = "redis")]
pub fn errand<'a>(
    folder: &'a Path,
    planned: &Plan,
    options: &Options,
    stop: &'a Stop,
) -> Result<Executor<'a>, RunError> {
    create_folder(folder)?;
    let journal = Journal::create(&folder.join(JOURNAL_NAME), &planned.header)?;
    let progress = Progress::new(options.json_log, options.quiet);
    let live = live(folder, planned, journal, options, stop, progress)?;
    Ok(Executor::live(Vec::new(), live))
}

/// The command that answers tasks of the run in a folder.
fn answering(folder: &Path, options: &Options) -> processes::Start {
    let path = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut arguments: Vec<OsString> = vec!["task".into(), "--threads".into(), "1".into()];
    for (what, file) in options.named() {
        let file = file.into_iter().map(|file| path(file).into());
        arguments.extend(file.flat_map(|file: OsString| [what.option().into(), file]));
    }
    arguments.extend(["--".into(), path(folder).into()]);
    processes::Start {
        program: std::env::current_exe().unwrap_or_else(|_| "tuner".into()),
        arguments,
    }
}

fn live<'a>(
    folder: &'a Path,
    planned: &Plan,
    mut journal: Journal,
    options: &Options,
    stop: &'a Stop,
    progress: Progress,
) -> Result<Live<'a>, RunError> {
    journal.lag(match options.quiet {
        true => LAG_OF_MANY,
        false => LAG,
    });
    #[cfg(feature = "redis")]
    let remote = match &options.workers {
        Some(settings) => {
            let offer = offer(folder, planned, journal.records(), (settings, options))?;
            Some(Remote::new(settings.clone(), offer).map_err(RunError::Workers)?)
        }
        None => None,
    };
    progress.announce(&format!("Folder of the run: {}", folder.display()));
    if let Some(text) = begins_text(&planned.header) {
        progress.announce(&text);
    }
    for warning in &planned.warnings {
        progress.warn(warning);
    }
    for Planned { name, phase, .. } in &planned.phases {
        if let Some(warning) = phase.warning() {
            progress.warn(&format!("{name}: {warning}"));
        }
    }
    #[cfg(feature = "redis")]
    if let Some(settings) = &options.workers {
        progress.announce(&settings.invitation());
    }
    Ok(Live {
        folder,
        journal,
        threads: plan::threads(&planned.profile, options),
        stop,
        progress,
        timing: Timing::new(folder),
        processes: options
            .processes
            .map(|count| Processes::new(answering(folder, options), count)),
        #[cfg(feature = "redis")]
        remote,
        working: false,
        is_lazy: options.quiet,
    })
}

/// Makes whole the tables of a run that has ended: who wrote them may have been killed after the journal's last
/// record.
///
/// # Errors
/// There is no run, it is damaged, or the folder can't be written.
pub(super) fn settle(folder: &Path) -> Result<(), RunError> {
    let lock = FolderLock::take(folder)?;
    gone_through(folder, Some(folder))?;
    remove_leftovers(folder)?;
    drop(lock);
    Ok(())
}

/// Rebuilds from the journal all that follows from it. The data files are not needed, and a run
/// may be under way, as is told: then only the report is written, as far as the run has come.
///
/// # Errors
/// There is no run, it is damaged, or the folder can't be written.
pub fn report(folder: &Path) -> Result<(Ended, bool), RunError> {
    // Read first: a folder without a run gets no lock file.
    journal_of(folder)?;
    let lock = match FolderLock::take(folder) {
        Ok(lock) => Some(lock),
        Err(LockError::Busy { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    // Read again: a run that held the lock until now has gone on in the meantime.
    let (planned, outcome) = gone_through(folder, lock.as_ref().map(|_| folder))?;
    match &lock {
        Some(_) => output::write_results(folder, &planned, &outcome)?,
        None => output::write_report(folder, &planned, &outcome)?,
    }
    let ended = Ended {
        folder: folder.to_path_buf(),
        header: planned.header,
        outcome,
    };
    Ok((ended, lock.is_none()))
}
