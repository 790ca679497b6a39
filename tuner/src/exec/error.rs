//! What can go wrong while tasks are answered.

use super::journal::JournalError;
use crate::base::files::FileError;
use std::error::Error;
use thiserror::Error;

/// What ends the work of a worker: an unreadable file, for example.
pub type WorkError = Box<dyn Error + Send + Sync>;

/// What can go wrong while tasks are answered.
#[derive(Debug, Error)]
pub enum ExecError {
    /// The journal can't be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file can't be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The journal answers another question than the one that is asked.
    #[error(
        "line {line}: answers {found:?} of other individuals or positions than \
         this program's {expected:?}: it comes from another version of the program, and this run \
         can't go on but with that"
    )]
    Foreign {
        /// The line, from 1.
        line: usize,
        /// What the journal has.
        found: String,
        /// What was asked.
        expected: String,
    },
    /// A task is not answered as it was when the journal was written.
    #[error(
        "this program answers {task:?} otherwise: its evaluation or search has \
         changed, so this run can't go on but with the version of the program that began it"
    )]
    Evaluation {
        /// The task.
        task: String,
    },
    /// A task panicked that all others depend on: a bug.
    #[error(
        "{task:?} panicked twice, and nothing can go on without it; please report this\n{said}"
    )]
    Panicked {
        /// The task.
        task: String,
        /// What the panics said.
        said: String,
    },
    /// A worker on another machine has given wrong answers, and some of what it has answered is in the journal.
    #[error(
        "worker {worker} has given wrong answers, and record {record} of the journal is the first of its that \
         nobody has confirmed"
    )]
    Distrusted {
        /// The worker.
        worker: String,
        /// The record, from 0 behind the header.
        record: usize,
    },
    /// A worker gave up.
    #[error("{0}")]
    Work(WorkError),
}

impl From<WorkError> for ExecError {
    fn from(error: WorkError) -> ExecError {
        ExecError::Work(error)
    }
}
