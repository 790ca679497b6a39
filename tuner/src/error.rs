//! What can go wrong with a run, and how to go on.

use crate::base::files::FileError;
use crate::base::lock::LockError;
use crate::base::room::NoRoom;
use crate::base::shell;
use crate::config::error::ProfileError;
use crate::data::openings::OpeningsError;
use crate::data::suite::SuiteError;
use crate::exec::error::{ExecError, WorkError};
use crate::exec::journal::{JOURNAL_NAME, JournalError};
use crate::play::player::PlayError;
use crate::report::ReportError;
use engine::params::ParamError;
use engine::source::SourceError;
use engine::tt::TableError;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

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
    Report(ReportError),
    /// The folder holds something already.
    #[error("{} is not empty; {advice}", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
        /// What to do instead.
        advice: String,
    },
    /// A folder or a file is not what is needed.
    #[error("{}: {problem}", path.display())]
    Refused {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// What is asked for can't be done.
    #[error("{0}")]
    Order(String),
    /// The journal has other answers, or a task gave none.
    #[error(transparent)]
    Exec(ExecError),
    /// A game can't be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There is no memory for a player.
    #[error(transparent)]
    Table(#[from] TableError),
    /// An opening book is refused.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// Settings of games contradict each other.
    #[error("{0}")]
    Games(String),
    /// A compact population begins without any spread.
    #[error(
        "[phase.compact] spread: the champions that the population begins with are all alike and this is 0, so \
         no two individuals would ever differ; expected a spread above 0"
    )]
    NoSpread,
    /// The journal of a run that was named to begin from can't be used.
    #[error("--from {}: {cause}\nOne of its parameter files can be named instead", from.display())]
    From {
        /// The folder.
        from: PathBuf,
        /// What is wrong with the run.
        cause: Box<RunError>,
    },
    /// A phase begins from champions, and there are none.
    #[error(
        "begins with parameters, and there are none: name them in the profile (`population` of a \
         coevolution, `evaluation` of an ecm phase that does not begin with champions), run a phase \
         before it, or give --from"
    )]
    NoStart,
    /// What is to be played or searched with has no evaluation.
    #[error(
        "{whose} no evaluation, so every position would be worth nothing; expected a parameter file \
         with rows under [eval], such as params/default.toml"
    )]
    NoEvaluation {
        /// Files or individuals: "search.toml has".
        whose: String,
    },
    /// A file that the profile names is not there.
    #[error(
        "{cause}\nThe profile names this file. A path in a profile counts from the profile's own \
         folder, here {}",
        base.display()
    )]
    NotThere {
        /// What failed.
        cause: Box<RunError>,
        /// The profile's folder.
        base: PathBuf,
    },
    /// What is wrong with a phase of the profile.
    #[error("phase {phase}: {cause}")]
    InPhase {
        /// Its name.
        phase: String,
        /// What is wrong.
        cause: Box<RunError>,
    },
    /// What is wrong with a journal's answers.
    #[error("{}: {cause}", journal.display())]
    InJournal {
        /// The journal.
        journal: PathBuf,
        /// What is wrong.
        cause: Box<RunError>,
    },
    /// Two ways to the same number differ: a bug.
    #[error("fast evaluation disagrees with the engine's own search in {fen}; please report this")]
    Disagreement {
        /// Where.
        fen: String,
    },
    /// A file could not be written while the run was under way.
    #[error("{cause}\nEvery finished task is saved. To go on when this is mended:\n  {command}")]
    Stopped {
        /// What failed.
        cause: Box<RunError>,
        /// What goes on.
        command: String,
    },
    /// Something large has no room below the limit on addresses.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The server of workers refuses us.
    #[error("--workers: {0}")]
    Workers(String),
    /// The threads can't be started.
    #[error("cannot start threads: {0}")]
    Threads(rayon::ThreadPoolBuildError),
}

impl RunError {
    /// A folder or a file that is refused.
    pub(crate) fn refused(path: &Path, problem: impl Into<String>) -> RunError {
        RunError::Refused {
            path: path.to_path_buf(),
            problem: problem.into(),
        }
    }

    /// Adds the folder that paths of the profile count from, if a file is not there that no option
    /// names.
    pub(crate) fn with_base(self, base: &Path, named: &[&Path]) -> RunError {
        let is_named = |path: &Path| named.contains(&path);
        match self.not_there() {
            Some(path) if path.starts_with(base) && !is_named(path) => RunError::NotThere {
                // An empty path is the folder that we are in.
                base: std::path::absolute(Path::new(".").join(base))
                    .unwrap_or_else(|_| base.to_path_buf()),
                cause: Box::new(self),
            },
            _ => self,
        }
    }

    /// The file that is not there, if this is what is wrong.
    fn not_there(&self) -> Option<&Path> {
        let (path, cause) = match self {
            RunError::File(error)
            | RunError::Suite(SuiteError::File(error))
            | RunError::Openings(OpeningsError::File(error)) => (&error.path, &error.cause),
            RunError::Suite(SuiteError::Source(SourceError::Io { path, cause }))
            | RunError::Openings(OpeningsError::Source(SourceError::Io { path, cause })) => {
                (path, cause)
            }
            _ => return None,
        };
        (cause.kind() == io::ErrorKind::NotFound).then_some(path)
    }

    /// Adds the phase where what is wrong does not name a file.
    pub fn in_phase(self, phase: &str) -> RunError {
        match self {
            RunError::NoStart
            | RunError::NoSpread
            | RunError::NoEvaluation { .. }
            | RunError::Games(_) => RunError::InPhase {
                phase: phase.to_string(),
                cause: Box::new(self),
            },
            other => other,
        }
    }

    /// Adds the journal of a run's folder where it answers something else than is asked.
    pub(crate) fn in_journal_of(self, folder: &Path) -> RunError {
        match self {
            RunError::Exec(ExecError::Foreign { .. } | ExecError::Evaluation { .. }) => {
                RunError::InJournal {
                    journal: folder.join(JOURNAL_NAME),
                    cause: Box::new(self),
                }
            }
            other => other,
        }
    }

    /// Adds how to go on, where going on makes sense: after a full disk, say, but not with a
    /// journal that doesn't fit or is not there any more.
    pub(crate) fn while_running(self, folder: &Path) -> RunError {
        let path = folder.join(JOURNAL_NAME);
        match self {
            RunError::Journal(JournalError::Gone { .. }) => self,
            // Whatever could not be written first, this is why.
            RunError::File(_) | RunError::Report(_) if self.is_removal_of(&path) => {
                JournalError::Gone { path }.into()
            }
            RunError::File(_)
            | RunError::Journal(_)
            | RunError::Report(_)
            | RunError::Table(_)
            | RunError::NoRoom(_) => RunError::Stopped {
                cause: Box::new(self),
                command: shell::resume(folder),
            },
            other => other.in_journal_of(folder),
        }
    }

    /// Of a run that is a part of something: the command that goes on with the whole.
    pub(crate) fn of_part(self, command: String) -> RunError {
        match self {
            RunError::Stopped { cause, .. } => RunError::Stopped { cause, command },
            RunError::File(_) | RunError::Report(_) => RunError::Stopped {
                cause: Box::new(self),
                command,
            },
            other => other,
        }
    }

    /// Whether a file could not be written because the folder with this journal has gone, or is
    /// just going: files are removed one by one, and the journal need not be the first.
    fn is_removal_of(&self, journal: &Path) -> bool {
        let (RunError::File(error) | RunError::Report(ReportError::Write(error))) = self else {
            return false;
        };
        let is_missing = error.cause.kind() == io::ErrorKind::NotFound;
        let end = Instant::now() + REMOVAL;
        while is_missing && journal.exists() && Instant::now() < end {
            thread::sleep(Duration::from_millis(20));
        }
        !journal.exists()
    }
}

/// What a worker or the journal says is told as the same thing is elsewhere.
impl From<ExecError> for RunError {
    fn from(error: ExecError) -> RunError {
        match error {
            ExecError::Journal(error) => error.into(),
            ExecError::File(error) => error.into(),
            ExecError::Work(error) => error.into(),
            other => RunError::Exec(other),
        }
    }
}

impl From<WorkError> for RunError {
    fn from(error: WorkError) -> RunError {
        fn known<E: Error + Into<RunError> + 'static>(
            error: WorkError,
        ) -> Result<RunError, WorkError> {
            error.downcast::<E>().map(|error| (*error).into())
        }
        let unknown = |error| {
            Err(error)
                .or_else(known::<RunError>)
                .or_else(known::<NoRoom>)
                .or_else(known::<TableError>)
                .or_else(known::<PlayError>)
                .or_else(known::<FileError>)
        };
        unknown(error).unwrap_or_else(|error| RunError::Exec(ExecError::Work(error)))
    }
}

/// How long the removal of a folder may take once it has begun, before one missing file is
/// thought to be all that has gone.
const REMOVAL: Duration = Duration::from_secs(2);
