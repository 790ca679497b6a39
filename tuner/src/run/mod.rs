//! Runs: started, resumed, reported. A run is one or more phases in one folder with one journal.
//!
//! | file | job |
//! |---|---|
//! | `mod` | start, resume, report |
//! | `begin` | what a run begins with: parameter files, or what another run left |
//! | `plan` | from a profile to phases with their data |
//! | `replacements` | files that the user names instead of others |
//! | `phase` | what a phase is to the run: course, tasks, workers |
//! | `desk`, `attempt` | answers tasks: from the journal, then by work; time, tables; panics |
//! | `error` | what can go wrong, and how to go on |
//! | `genotype` | from bits to parameters |
//! | `rows` | rows of the parameter tables as journals have them |
//! | `grandmaster`, `evolve`, `recipe`, `lessons` | phase 1 |
//! | `miniature` | what `tuner check` tries of phase 1 |
//! | `sample` | what it measures, to know how long all takes |
//! | `expert`, `individuals` | an evaluation after an expert's scores |
//! | `coevolution`, `games` | individuals that play each other, and games as tasks |
//! | `ecm` | search parameters on a suite |
//! | `validation` | is what has evolved better than what was there? |
//! | `seen` | is what a champion is tried on new to it? |
//! | `output`, `night` | files of the whole run, the report among them |
//! | `ending` | what is said when it ends |
//!
//! A run's folder holds `profile.toml` (a copy), `journal.jsonl`, and what follows from these:
//! `best.toml`, the report, and `history.csv` and `champions/` of each phase, in a folder of its
//! name if the profile lists its phases. `timing.csv` alone holds wall times.

mod attempt;
mod begin;
pub mod coevolution;
pub mod desk;
pub mod ecm;
pub mod ending;
mod error;
pub mod evolve;
pub mod expert;
pub mod games;
pub mod genotype;
pub mod grandmaster;
mod individuals;
pub mod lessons;
mod miniature;
pub mod night;
pub mod output;
pub mod phase;
pub mod plan;
pub mod recipe;
mod replacements;
mod rows;
pub mod sample;
mod seen;
pub mod timing;
pub mod validation;

#[cfg(test)]
mod tests;

pub use begin::begins_text;
pub use error::RunError;

use crate::config::{Kind, PhaseEntry, Profile};
use crate::files::{FileError, create_folder, is_leftover, is_temporary, write_atomically};
use crate::journal::{self, Contents, Header, JOURNAL_NAME, Journal, Record};
use crate::lock::{FolderLock, LockError};
use crate::progress::{Place, Progress, duration};
use crate::stop::Stop;
use begin::{Beginning, START_NAME, copy_of, is_parameters, start_again, start_from};
use desk::{Desk, Live};
use phase::PhaseOutcome;
use plan::{Plan, Planned, Sources, plan};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use timing::{Timing, seconds_spent, time_of};

/// Name of the copy of the profile in a run's folder.
pub const PROFILE_NAME: &str = "profile.toml";

/// Settings that are not the profile's because results don't depend on them, or because they
/// replace its data files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Training positions instead of the profile's, or of where they were.
    pub train: Option<PathBuf>,
    /// Held-out positions instead of the profile's, or of where they were.
    pub test: Option<PathBuf>,
    /// The suite of search parameters instead of the profile's, or of where it was.
    pub suite: Option<PathBuf>,
    /// The same of the held-out suite.
    pub held_out_suite: Option<PathBuf>,
    /// Threads instead of the profile's; all cores if neither says.
    pub threads: Option<usize>,
    /// One JSON object a generation on stderr.
    pub json_log: bool,
}

/// What all phases of a run have come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Those that have begun, by name.
    pub phases: Vec<(String, PhaseOutcome)>,
    /// Whether all of them are done.
    pub complete: bool,
    /// Tasks that panicked.
    pub faults: usize,
    /// The phases that ended because their time was up.
    pub cut: Vec<String>,
    /// Of the tasks among which a journal that is replayed ends, those that it answers and all.
    pub in_hand: Option<(usize, usize)>,
}

/// A run that ended, and where.
#[derive(Debug)]
pub struct Ended {
    /// Its folder.
    pub folder: PathBuf,
    /// Its journal's first record.
    pub header: Header,
    /// What it came to.
    pub outcome: Outcome,
}

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The profile.
    pub profile: PathBuf,
    /// The folder; `runs/<profile>-<n>` with the first free number if absent.
    pub folder: Option<PathBuf>,
    /// The one phase to run; all if absent.
    pub phase: Option<String>,
    /// A folder of a run or phase, or a parameter file, to begin with.
    pub from: Option<PathBuf>,
}

impl Order {
    /// All phases of a profile.
    pub fn of(profile: &Path) -> Order {
        Order {
            profile: profile.to_path_buf(),
            ..Order::default()
        }
    }

    /// Reads the profile and all data that it names.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn plan(&self, options: &Options) -> Result<Plan, RunError> {
        let profile = Profile::load(&self.profile)?;
        let is_first = |entry: &&PhaseEntry| {
            let only = self.phase.as_ref();
            only.is_none_or(|only| entry.name == *only)
        };
        let first = profile.0.phases.iter().find(is_first);
        if let Some(first) = first.filter(|_| self.from.is_some())
            && matches!(first.keys.kind(), Kind::Grandmaster | Kind::Expert)
        {
            return Err(RunError::Begins {
                phase: first.name.clone(),
            });
        }
        let first = first.map_or(String::new(), |first| first.name.clone());
        let start = match &self.from {
            Some(from) => start_from(from, &first, self.phase.as_deref())?,
            None => Beginning::default(),
        };
        let name = self.profile.file_stem().unwrap_or_default();
        let folder = self.profile.parent().unwrap_or(Path::new(""));
        let sources = Sources {
            name: &name.to_string_lossy(),
            folder,
            only: self.phase.as_deref(),
            header: None,
            command: self.words(options),
            start,
            profile,
        };
        plan(sources, options, true).map_err(|error| error.with_base(folder, options))
    }

    /// The words behind `tuner run` that start the same run once more, but for its folder.
    fn words(&self, options: &Options) -> Vec<String> {
        let path = |path: &Option<PathBuf>| Some(path.as_ref()?.display().to_string());
        let named = [
            ("--phase", self.phase.clone()),
            ("--from", path(&self.from)),
            ("--positions", path(&options.train)),
            ("--test", path(&options.test)),
            ("--suite", path(&options.suite)),
            ("--held-out-suite", path(&options.held_out_suite)),
        ];
        let mut words = vec![self.profile.display().to_string()];
        for (option, value) in named {
            words.extend(
                value
                    .into_iter()
                    .flat_map(|value| [option.to_string(), value]),
            );
        }
        words
    }
}

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

/// Phases that have nothing to begin with say so before there is a folder.
///
/// # Errors
/// The first phase can't begin.
pub fn can_begin(planned: &Plan) -> Result<(), RunError> {
    courses(planned, &mut Desk::replay(Vec::new()), None).map(|_| ())
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
fn refuse_used(folder: &Path) -> Result<(), RunError> {
    let error = |advice: String| RunError::NotEmpty {
        folder: folder.to_path_buf(),
        advice,
    };
    if folder.join(JOURNAL_NAME).exists() {
        let command = crate::shell::resume(folder);
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
fn remove_leftovers(folder: &Path) -> Result<(), FileError> {
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
    journal::read(&path)?;
    let lock = FolderLock::take(folder)?;
    let contents = journal::read(&path)?;
    tell_of_changed_profile(folder, &contents.header);
    let mut planned = plan_again(folder, &contents, options, true)?;
    if let Some(difference) = contents.header.difference(&planned.header) {
        return Err(RunError::Differs {
            journal: path,
            difference,
        });
    }
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
    let text = crate::files::read_text(original, engine::kind::TextKind::Profile);
    let digest = text.map(|text| crate::files::sha256(text.as_bytes()));
    if digest.is_ok_and(|digest| digest != header.profile_sha256) {
        crate::progress::note(&format!(
            "Note: {} is not as it was when the run began. The run goes on by its own copy, {}; \
             changes take effect in a new run.",
            original.display(),
            folder.join(PROFILE_NAME).display()
        ));
    }
}

/// The plan of the run in a folder.
fn plan_again(
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

fn execute(
    folder: PathBuf,
    planned: Plan,
    journal: Journal,
    records: Vec<Record>,
    options: &Options,
    stop: &Stop,
    lock: FolderLock,
) -> Result<Ended, RunError> {
    let mut progress = Progress::new(options.json_log, false);
    // Whether there is anything to be done at all; if not, nothing is tried out or searched.
    let mut replay = Desk::replay(records.clone()).watched(&mut progress);
    let done = courses(&planned, &mut replay, None);
    drop(replay);
    let done = done.map_err(|error| error.in_journal_of(&folder))?;
    let mut desk = match done.complete {
        true => {
            progress.finish();
            Desk::replay(records)
        }
        false => {
            let live = live(&folder, &planned, journal, options, stop, progress);
            Desk::live(records, live)
        }
    };
    let outcome = courses(&planned, &mut desk, Some(&folder));
    desk.finish();
    let written = outcome.and_then(|outcome| {
        desk.flush()?;
        output::write_results(&folder, &planned, &outcome)?;
        desk.is_saved()?;
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

fn live<'a>(
    folder: &'a Path,
    planned: &Plan,
    journal: Journal,
    options: &Options,
    stop: &'a Stop,
    progress: Progress,
) -> Live<'a> {
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
    Live {
        folder,
        journal,
        threads: plan::threads(&planned.profile, options),
        stop,
        progress,
        timing: Timing::new(folder),
        working: false,
    }
}

/// The courses of all phases, one after the other, each beginning with what the last left.
/// Without a folder nothing is written.
fn courses(
    planned: &Plan,
    desk: &mut Desk<'_>,
    folder: Option<&Path>,
) -> Result<Outcome, RunError> {
    let mut outcome = Outcome {
        phases: Vec::new(),
        complete: false,
        faults: 0,
        cut: Vec::new(),
        in_hand: None,
    };
    let mut start = planned.start.clone();
    for (number, next) in planned.phases.iter().enumerate() {
        let own = folder.map(|folder| match planned.profile.flat {
            true => folder.to_path_buf(),
            false => folder.join(&next.name),
        });
        // What the phases before this one have taken is known only now.
        let spent = folder.map_or_else(BTreeMap::new, seconds_spent);
        let hours = planned.profile.hours.filter(|_| folder.is_some());
        let time = hours.map(|hours| time_of(hours, &planned.phases, number, &spent));
        desk.place(Place {
            phase: (number + 1, planned.phases.len()),
            time: hours.map(|hours| {
                let left = hours * 3600.0 - spent.values().sum::<f64>();
                Duration::try_from_secs_f64(left.max(0.0)).unwrap_or(Duration::MAX)
            }),
        });
        desk.begin(&next.name, own.as_deref(), time);
        let ended = next.phase.course(&start, desk);
        // Whether it has ended, was stopped or failed, its time is known to what comes after it.
        desk.note_time();
        let ended = ended.map_err(|error| error.in_phase(&next.name))?;
        let complete = ended.complete;
        start = start.after(&ended.champions, next.phase.genotype());
        outcome.phases.push((next.name.clone(), ended));
        outcome.faults = desk.faults();
        outcome.cut = desk.cut().to_vec();
        outcome.in_hand = desk.in_hand();
        if !complete {
            return Ok(outcome);
        }
        if let Some(folder) = folder
            && desk.is_working()
        {
            // In the morning there is something to look at, whatever happens to the next phase.
            output::write_results(folder, planned, &outcome)?;
            let ended = outcome.phases.last().map(|(_, phase)| &phase.result);
            let said =
                ended.and_then(|result| ending::result_text(&planned.header, &next.name, result));
            let seconds = seconds_spent(folder).get(&next.name).copied();
            desk.announce(&format!(
                "{} has ended after {}{}",
                next.name,
                duration(seconds.unwrap_or(0.0)),
                said.map_or(String::new(), |said| format!(": {said}")),
            ));
        }
    }
    outcome.complete = true;
    Ok(outcome)
}

/// The plan of the run in a folder, without data, and the records of its journal.
fn recorded(folder: &Path) -> Result<(Plan, Vec<Record>), RunError> {
    let path = folder.join(JOURNAL_NAME);
    let contents = journal::read(&path)?;
    let planned = plan_again(folder, &contents, &Options::default(), false)?;
    let expected = Header {
        files: contents.header.files.clone(),
        ..planned.header.clone()
    };
    if let Some(difference) = contents.header.difference(&expected) {
        return Err(RunError::Differs {
            journal: path,
            difference,
        });
    }
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
    let (planned, records) = recorded(folder)?;
    let outcome = courses(&planned, &mut Desk::replay(records), None);
    let outcome = outcome.map_err(|error| error.in_journal_of(folder))?;
    Ok((planned, outcome))
}

/// Rebuilds from the journal all that follows from it. The data files are not needed, and a run
/// may be under way, as is told: then only the report is written, as far as the run has come.
///
/// # Errors
/// There is no run, it is damaged, or the folder can't be written.
pub fn report(folder: &Path) -> Result<(Ended, bool), RunError> {
    // Read first: a folder without a run gets no lock file.
    journal::read(&folder.join(JOURNAL_NAME))?;
    let lock = match FolderLock::take(folder) {
        Ok(lock) => Some(lock),
        Err(LockError::Busy { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    // Read again: a run that held the lock until now has gone on in the meantime.
    let (planned, records) = recorded(folder)?;
    let mut desk = Desk::replay(records);
    let outcome = courses(&planned, &mut desk, lock.as_ref().map(|_| folder));
    let outcome = outcome.map_err(|error| error.in_journal_of(folder))?;
    match &lock {
        Some(_) => {
            desk.flush()?;
            output::write_results(folder, &planned, &outcome)?;
        }
        None => output::write_report(folder, &planned, &outcome)?,
    }
    let ended = Ended {
        folder: folder.to_path_buf(),
        header: planned.header,
        outcome,
    };
    Ok((ended, lock.is_none()))
}
