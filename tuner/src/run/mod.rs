//! Runs: started, resumed, reported. Ties profile, data, journal, evolution and fitness together.
//!
//! A run's folder holds `profile.toml` (a copy), `journal.jsonl`, and what follows from these:
//! `history.csv`, `champions/`, `best.toml` and the report. `timing.csv` alone holds wall times.

pub mod evolve;
pub mod live;
pub mod output;
pub mod recipe;

use crate::config::{Profile, ProfileError};
use crate::data::suite::{Suite, SuiteError};
use crate::files::{
    FileError, FolderLock, LOCK_NAME, LockError, create_folder, sha256, write_atomically,
};
use crate::journal::{self, DataFile, Header, JOURNAL_NAME, Journal, JournalError, Task, TaskKey};
use crate::progress::Progress;
use crate::report::{FIGURES_NAME, ReportError};
use crate::stop::Stop;
use engine::params::ParamError;
use evolve::{Outcome, evolve};
use live::{Live, Replay, Workplace};
use recipe::Recipe;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Name of the copy of the profile in a run's folder.
pub const PROFILE_NAME: &str = "profile.toml";

/// What can go wrong with a run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The profile is refused.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The positions are refused.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The journal is refused or can't be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folder can't be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A parameter file is refused.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// The report can't be written.
    #[error("the report: {0}")]
    Report(#[source] ReportError),
    /// The folder holds something already.
    #[error("{} is not empty; {advice}", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
        /// What to do instead.
        advice: String,
    },
    /// The journal doesn't fit the profile, the table or the data.
    #[error("{}: this run can't go on: {difference}", journal.display())]
    Differs {
        /// The journal.
        journal: PathBuf,
        /// What differs.
        difference: String,
    },
    /// The journal answers another question than the one that is asked.
    #[error(
        "line {line} of the journal answers {found:?} of other individuals or positions than \
         this program's {expected:?}: it comes from another version of the program"
    )]
    Foreign {
        /// The line, from 1.
        line: usize,
        /// What the journal has.
        found: TaskKey,
        /// What was asked.
        expected: TaskKey,
    },
    /// Evaluation is not what it was when the journal was written.
    #[error(
        "the journal says that an individual solves {recorded} positions, this program counts \
         {counted}: its evaluation or quiescence has changed, so this run can't go on"
    )]
    Evaluation {
        /// The journal's count.
        recorded: u32,
        /// This program's count.
        counted: u32,
    },
    /// Two ways to the same number differ: a bug.
    #[error("fast evaluation disagrees with the engine's own search in {fen}; please report this")]
    Disagreement {
        /// Where.
        fen: String,
    },
    /// A file could not be written while the run was under way.
    #[error(
        "{cause}\nEvery finished task is saved. To go on when this is mended:\n  tuner resume {}",
        folder.display()
    )]
    Stopped {
        /// What failed.
        cause: Box<RunError>,
        /// The run's folder.
        folder: PathBuf,
    },
    /// The threads can't be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl RunError {
    /// Adds how to go on, where going on makes sense: after a full disk, say, but not with a
    /// journal that doesn't fit.
    fn while_running(self, folder: &Path) -> RunError {
        match self {
            RunError::File(_) | RunError::Journal(_) | RunError::Report(_) => RunError::Stopped {
                cause: Box::new(self),
                folder: folder.to_path_buf(),
            },
            other => other,
        }
    }
}

/// Settings that are not the profile's because results don't depend on them, or because they
/// replace its data files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Training positions instead of the profile's, or of where they were.
    pub train: Option<PathBuf>,
    /// Held-out positions instead of the profile's, or of where they were.
    pub test: Option<PathBuf>,
    /// Threads instead of the profile's; all cores if neither says.
    pub threads: Option<usize>,
    /// One JSON object a generation on stderr.
    pub json_log: bool,
}

/// A profile with its data.
#[derive(Debug)]
pub struct Plan {
    /// The profile.
    pub profile: Profile,
    /// Its text.
    pub text: String,
    /// The journal's first record.
    pub header: Header,
    /// The training positions.
    pub train: Suite,
    /// The held-out positions.
    pub test: Option<Suite>,
}

/// Reads a profile and all data that it names.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn plan(path: &Path, options: &Options) -> Result<Plan, RunError> {
    let (profile, text) = Profile::load(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let train = options.train.clone();
    let train = train.unwrap_or_else(|| folder.join(&profile.positions.train));
    let test = profile
        .positions
        .test
        .as_ref()
        .map(|test| folder.join(test));
    let test = options.test.clone().or(test);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    load(name.into_owned(), profile, text, &train, test.as_deref())
}

fn load(
    name: String,
    profile: Profile,
    text: String,
    train: &Path,
    test: Option<&Path>,
) -> Result<Plan, RunError> {
    let keys = &profile.positions;
    let train = Suite::load(train, keys.count.map(|count| count.get()))?;
    let test_count = keys.test_count.map(|count| count.get());
    let test = test.map(|path| Suite::load(path, test_count)).transpose()?;
    let file = |suite: &Suite| DataFile {
        path: suite.path.clone(),
        sha256: suite.sha256.clone(),
        positions: suite.problems.len(),
    };
    let header = Header {
        format: journal::FORMAT,
        program: output::PROGRAM.to_string(),
        profile: name,
        profile_sha256: sha256(text.as_bytes()),
        table: recipe::table(&profile.layout.genes),
        train: file(&train),
        test: test.as_ref().map(file),
        seeds: profile.runs.seeds.clone(),
    };
    Ok(Plan {
        profile,
        text,
        header,
        train,
        test,
    })
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

/// Starts a run. Without a folder it goes to `runs/<profile>-<n>` with the first free number.
///
/// # Errors
/// The profile or its data are refused, or the folder can't be used.
pub fn start(
    profile: &Path,
    folder: Option<&Path>,
    options: &Options,
    stop: &Stop,
) -> Result<Ended, RunError> {
    let plan = plan(profile, options)?;
    let folder = match folder {
        Some(folder) => folder.to_path_buf(),
        None => free_folder(Path::new("runs"), &plan.header.profile),
    };
    create_folder(&folder)?;
    let lock = FolderLock::take(&folder)?;
    refuse_used(&folder)?;
    write_atomically(&folder.join(PROFILE_NAME), plan.text.as_bytes())?;
    let journal = Journal::create(&folder.join(JOURNAL_NAME), &plan.header)?;
    execute(folder, plan, journal, Vec::new(), options, stop, lock)
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
        let advice = "to go on with the run in it:  tuner resume";
        return Err(error(format!("{advice} {}", folder.display())));
    }
    remove_leftovers(folder)?;
    let entries = std::fs::read_dir(folder).map_err(FileError::of("read", folder))?;
    for entry in entries {
        let name = entry.map_err(FileError::of("read", folder))?.file_name();
        if name != LOCK_NAME && name != PROFILE_NAME {
            return Err(error("a run needs a folder of its own".into()));
        }
    }
    Ok(())
}

/// Removes the temporary files of a process that was killed while it wrote one. The caller holds
/// the folder's lock.
fn remove_leftovers(folder: &Path) -> Result<(), FileError> {
    let figures = folder.join(FIGURES_NAME);
    let champions = folder.join(output::CHAMPIONS_NAME);
    for folder in [folder.to_path_buf(), champions, figures] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "tmp") {
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
    let header = &contents.header;
    let (profile, text) = Profile::load(&folder.join(PROFILE_NAME))?;
    let train = options.train.as_ref().unwrap_or(&header.train.path);
    let test = header.test.as_ref().map(|file| &file.path);
    let test = options.test.as_ref().or(test);
    let name = header.profile.clone();
    let mut plan = load(name, profile, text, train, test.map(PathBuf::as_path))?;
    if let Some(difference) = header.difference(&plan.header) {
        return Err(RunError::Differs {
            journal: path,
            difference,
        });
    }
    // What the journal says stays, or provenance would depend on who resumed.
    plan.header = header.clone();
    remove_leftovers(folder)?;
    let journal = Journal::resume(&path, &contents)?;
    let folder = folder.to_path_buf();
    execute(folder, plan, journal, contents.tasks, options, stop, lock)
}

fn execute(
    folder: PathBuf,
    plan: Plan,
    journal: Journal,
    tasks: Vec<Task>,
    options: &Options,
    stop: &Stop,
    lock: FolderLock,
) -> Result<Ended, RunError> {
    let recipe = Recipe::new(&plan.profile, &plan.header);
    let pool = thread_pool(&plan.profile, options)?;
    let progress = Progress::new(
        recipe.seeds.len(),
        recipe.generations,
        recipe.train_positions,
        options.json_log,
    );
    progress.announce(&format!("Folder of the run: {}", folder.display()));
    let place = Workplace {
        folder: &folder,
        profile: &plan.profile,
        header: &plan.header,
        train: &plan.train,
        test: plan.test.as_ref(),
        pool: &pool,
        stop,
    };
    let mut live = Live::new(place, journal, tasks, progress);
    let outcome = evolve(&recipe, &mut live);
    live.finish();
    let written = outcome.and_then(|outcome| {
        output::write_history(&folder, &outcome)?;
        output::write_results(&folder, &plan.profile, &plan.header, &outcome)?;
        Ok(outcome)
    });
    drop(lock);
    let outcome = written.map_err(|error| RunError::while_running(error, &folder))?;
    Ok(Ended {
        folder,
        header: plan.header,
        outcome,
    })
}

/// The threads that evaluate: as the options say, else the profile, else one a core.
///
/// # Errors
/// The system refuses them.
pub fn thread_pool(
    profile: &Profile,
    options: &Options,
) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let threads = options
        .threads
        .or(profile.threads.map(|threads| threads.get()));
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
}

/// Rebuilds from the journal all that follows from it. The data files are not needed, and a run
/// may be under way: then only the report is written, as far as the run has come.
///
/// # Errors
/// There is no run, it is damaged, or the folder can't be written.
pub fn report(folder: &Path) -> Result<Ended, RunError> {
    let path = folder.join(JOURNAL_NAME);
    let contents = journal::read(&path)?;
    let (profile, text) = Profile::load(&folder.join(PROFILE_NAME))?;
    let expected = Header {
        profile_sha256: sha256(text.as_bytes()),
        table: recipe::table(&profile.layout.genes),
        seeds: profile.runs.seeds.clone(),
        ..contents.header.clone()
    };
    if let Some(difference) = contents.header.difference(&expected) {
        return Err(RunError::Differs {
            journal: path,
            difference,
        });
    }
    let recipe = Recipe::new(&profile, &contents.header);
    let outcome = evolve(&recipe, &mut Replay::new(contents.tasks))?;
    match FolderLock::take(folder) {
        Ok(_lock) => {
            output::write_history(folder, &outcome)?;
            output::write_results(folder, &profile, &contents.header, &outcome)?;
        }
        Err(LockError::Busy { .. }) => {
            output::write_report(folder, &profile, &contents.header, &outcome)?;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(Ended {
        folder: folder.to_path_buf(),
        header: contents.header,
        outcome,
    })
}
