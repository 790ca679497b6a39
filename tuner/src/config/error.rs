//! What can be wrong with a profile.

use crate::base::files::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a profile is refused.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// The file can't be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A key is unknown, missing, of the wrong type or out of range.
    #[error("{}: {message}", path.display())]
    Content {
        /// The profile.
        path: PathBuf,
        /// Line, column, the line itself, the key and what was expected.
        message: String,
    },
}
