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
    #[error("{}: {place}{message}", path.display())]
    Content {
        /// The profile.
        path: PathBuf,
        /// Line, column and the line itself; nothing where the profile as a whole is meant.
        place: String,
        /// The key and what was expected.
        message: String,
    },
}

impl ProfileError {
    /// What it says without the line: of a profile that is no file of the user's.
    pub fn without_place(&self) -> String {
        match self {
            ProfileError::Content { path, message, .. } => format!("{}: {message}", path.display()),
            ProfileError::File(_) => self.to_string(),
        }
    }
}
