//! The first record of a journal: what the run was started with.

use super::any_path;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a run was started with; the first record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the journal's format.
    pub format: u32,
    /// Program and version that started the run.
    pub program: String,
    /// Name of the profile.
    pub profile: String,
    /// SHA-256 of the profile's text.
    pub profile_sha256: String,
    /// The one phase that is run by itself; all of the profile's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// The words behind `tuner run` that it was started with, but for its folder; none in journals
    /// of older programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The declaration of the parameters that are evolved or fixed: a line a row.
    pub table: Vec<String>,
    /// The data files of all phases.
    pub files: Vec<DataFile>,
}

/// A data file that a run depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// The phase that reads it.
    pub phase: String,
    /// What it is to the phase, in words: `training positions`.
    pub role: String,
    /// Where it was.
    #[serde(with = "any_path")]
    pub path: PathBuf,
    /// SHA-256 of the whole file.
    pub sha256: String,
    /// What is used of it: positions, games or parameters.
    pub count: usize,
    /// What is not used of it, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl DataFile {
    /// The file's name without its folder.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

impl Header {
    /// The file that plays this role in a phase.
    pub fn file(&self, phase: &str, role: &str) -> Option<&DataFile> {
        let mut files = self.files.iter();
        files.find(|file| file.phase == phase && file.role == role)
    }

    /// What makes a journal that starts with this header unusable for a run that would start with
    /// the other; `None` if nothing does. Where the data files lie, how the run was started and which
    /// version of the program wrote it doesn't matter.
    pub fn difference(&self, other: &Header) -> Option<String> {
        if self.profile_sha256 != other.profile_sha256 {
            return Some(format!(
                "the profile has changed: the run's own copy, profile.toml beside the journal, is not \
                 as it was (SHA-256 {}, now {}). A run goes on by its own copy: undo the change, or \
                 start a new run with the changed profile",
                self.profile_sha256, other.profile_sha256
            ));
        }
        if self.only != other.only {
            return Some("another phase of the profile was run".to_string());
        }
        if self.table != other.table {
            let rows = self.table.len().max(other.table.len());
            let (was, is) = (|at| self.table.get(at), |at| other.table.get(at));
            let at = (0..rows).find(|&at| was(at) != is(at)).unwrap_or_default();
            let text =
                |row: Option<&String>| row.map_or("nothing".into(), |row| format!("{row:?}"));
            return Some(format!(
                "the parameter table has changed: its row {} was {}, in this program it is {}",
                at + 1,
                text(was(at)),
                text(is(at))
            ));
        }
        let text = |file: Option<&DataFile>| match file {
            Some(file) => format!("{} of a file with SHA-256 {}", file.count, file.sha256),
            None => "none".to_string(),
        };
        self.files.iter().chain(&other.files).find_map(|file| {
            let (phase, role) = (&file.phase, &file.role);
            let (was, is) = (self.file(phase, role), other.file(phase, role));
            let (was, is) = (text(was), text(is));
            (was != is).then(|| {
                format!("the {role} of {phase} have changed: they were {was}, now they are {is}")
            })
        })
    }
}
