//! Where a phase finds its files, and what it is part of.

use super::options::{Replacements, Replaces};
use crate::base::files::{FileError, sha256_of_file};
use crate::base::names::{PROGRAM, START_NAME};
use crate::base::room;
use crate::encoding::files::Provenance;
use crate::error::RunError;
use crate::exec::journal::{DataFile, Header};
use engine::params::ParamSet;
use std::path::{Path, PathBuf};
use toml::Value;

/// What a data file is to its phase, as far as an option of the command line may name another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Positions that are learnt from.
    Train,
    /// Positions that only champions are measured on.
    Test,
    /// A suite that is learnt from.
    Suite,
    /// A suite, or the rest of one, that only champions are measured on.
    HeldOutSuite,
    /// A suite that no phase learns from, or the rest of one that a phase does.
    UnseenSuite,
    /// Anything else.
    Other,
}

/// Role of the positions that fitness is counted on.
pub const TRAIN: &str = "training positions";
/// Role of the positions that only champions are scored on.
pub const TEST: &str = "held-out positions";
/// Role of the suite that costs are counted on.
pub const SUITE: &str = "suite";
/// Role of the suite that only champions are scored on.
pub const HELD_OUT_SUITE: &str = "held-out suite";

/// What stands for a file that a run's header does not have.
const NO_FILE: &str = "a file that the run's journal does not name";

/// Whether a file with this role is one of parameters, of which the run keeps a copy.
pub fn is_parameters(role: &str) -> bool {
    role.starts_with("parameters")
}

/// The file with a role.
pub fn with_role<'a>(files: &'a [DataFile], role: &str) -> Option<&'a DataFile> {
    files.iter().find(|file| file.role == role)
}

/// What is said in provenance of a file that is called so there.
pub fn provenance_of(name: &str, file: &DataFile) -> [(String, Value); 2] {
    [
        (format!("{name}_file"), file.name().into()),
        (format!("{name}_sha256"), file.sha256.clone().into()),
    ]
}

/// Where a run's copy of a parameter file is.
pub fn copy_of(folder: &Path, file: &DataFile) -> PathBuf {
    let name = format!("{}-{}.toml", file.phase, file.role.replace(' ', "-"));
    folder.join(START_NAME).join(name)
}

/// Where a phase finds its files, and what it is part of.
#[derive(Debug)]
pub struct PhaseContext<'a> {
    /// The phase.
    pub phase: &'a str,
    /// Name of the profile.
    pub profile: &'a str,
    /// Digest of its text.
    pub profile_sha256: &'a str,
    /// Threads that the phase may use.
    pub threads: usize,
    /// The folder that paths of the profile are relative to.
    pub folder: &'a Path,
    /// What the user names instead of its files.
    pub replacements: &'a Replacements<'a>,
    /// Of a run that goes on: where its files were.
    pub header: Option<&'a Header>,
    /// Whether the run is one of many, of which nobody asks how far it is.
    pub is_one_of_many: bool,
    /// Suites that phases of the profile learn from, as it names them.
    pub trained: Vec<&'a Path>,
}

impl PhaseContext<'_> {
    /// The option that names a replacement for a file, if it was given.
    fn given(&self, of: Role, written: Option<&PathBuf>) -> Option<Replaces> {
        let given = |what| Some(what).filter(|what| self.replacements.has(*what));
        let suite = given(Replaces::Suite);
        let held_out = given(Replaces::HeldOutSuite);
        // The part of a suite that nobody learns from is replaced together with the part that is
        // learnt from; another file has not been seen and stays.
        let is_rest = written.is_some_and(|file| self.trained.contains(&file.as_path()));
        match of {
            Role::Train => given(Replaces::Train),
            Role::Test => given(Replaces::Test),
            Role::Suite => suite,
            Role::HeldOutSuite => held_out.or(suite.filter(|_| is_rest)),
            Role::UnseenSuite if is_rest => suite,
            Role::UnseenSuite => held_out.or(suite.filter(|_| self.trained.is_empty())),
            Role::Other => None,
        }
    }

    /// The file with this role that the header of a run that goes on has.
    fn recorded(&self, role: &str) -> Option<&DataFile> {
        self.header?.file(self.phase, role)
    }

    /// Whether there is a file of this role although the profile names none.
    pub fn is_given(&self, role: &str, of: Role) -> bool {
        match self.header {
            Some(header) => header.file(self.phase, role).is_some(),
            None => self.given(of, None).is_some(),
        }
    }

    /// Where the file with this role is: where the user says, else where it was when the run
    /// began, else where the profile says.
    ///
    /// A run that goes on knows its files by their content, whichever option names them: one
    /// option stands for several files of a run, which may not all have moved to the same place.
    pub fn path(&self, role: &str, of: Role, written: Option<&PathBuf>) -> PathBuf {
        let given = self.given(of, written);
        let recorded = self.header.zip(self.recorded(role));
        let path = match recorded {
            None => given.and_then(|what| self.replacements.file(what)),
            Some((header, file)) => {
                let moved = self.replacements.with_content(&file.sha256);
                // What is learnt from takes no held-out file's place, and the other way round.
                let is_like = |file: &DataFile| match of {
                    Role::Train => file.role == TRAIN,
                    Role::Test => file.role != TRAIN,
                    Role::Suite => file.role != HELD_OUT_SUITE,
                    Role::HeldOutSuite => file.role != SUITE,
                    Role::UnseenSuite | Role::Other => true,
                };
                let other = || self.replacements.foreign(given?, header, is_like);
                moved.or_else(other).or(Some(&file.path))
            }
        };
        match (path, written) {
            (Some(path), _) => path.to_path_buf(),
            // What is not in its header is no file of the run, whatever a profile from elsewhere names.
            (None, Some(_)) if self.header.is_some() => PathBuf::from(NO_FILE),
            (None, Some(written)) => self.folder.join(written),
            (None, None) => PathBuf::new(),
        }
    }

    /// A file as it goes to the header; what is used of it is a number of positions or so.
    pub fn file(&self, role: &str, path: &Path, sha256: &str, count: usize) -> DataFile {
        // What the journal says stays, or provenance would depend on who resumed.
        let recorded = self.recorded(role);
        DataFile {
            phase: self.phase.to_string(),
            role: role.to_string(),
            path: recorded.map_or(path, |file| &file.path).to_path_buf(),
            sha256: sha256.to_string(),
            count,
            note: None,
        }
    }

    /// Reads the parameters of somebody who is to play or to search, who needs an evaluation.
    ///
    /// # Errors
    /// One of them is refused, or none has an evaluation.
    pub fn player(
        &self,
        role: &str,
        written: &[&PathBuf],
    ) -> Result<(ParamSet, Vec<DataFile>), RunError> {
        let (params, files) = self.params(role, written)?;
        if params.has_evaluation() {
            return Ok((params, files));
        }
        let names: Vec<String> = files.iter().map(DataFile::name).collect();
        Err(RunError::NoEvaluation {
            whose: format!("{} has", names.join(" with ")),
        })
    }

    /// Reads parameter files, of which the later wins, or the run's own copies of them. Their role
    /// begins with `parameters`.
    ///
    /// # Errors
    /// One of them is refused.
    pub fn params(
        &self,
        role: &str,
        written: &[&PathBuf],
    ) -> Result<(ParamSet, Vec<DataFile>), RunError> {
        let (mut paths, mut files) = (Vec::new(), Vec::new());
        for (number, written) in (1..).zip(written) {
            let role = format!("{role} {number}");
            let (path, file) = match self.recorded(&role) {
                // A run's profile lies in its folder.
                Some(file) => (copy_of(self.folder, file), file.clone()),
                None => {
                    let path = match self.header {
                        Some(_) => PathBuf::from(NO_FILE),
                        None => self.folder.join(written),
                    };
                    let path = path.canonicalize().map_err(FileError::of("read", &path))?;
                    let file = self.file(&role, &path, "", 1);
                    (path, file)
                }
            };
            let sha256 = sha256_of_file(&path)?;
            files.push(DataFile { sha256, ..file });
            paths.push(path);
        }
        Ok((ParamSet::load(&paths)?.params, files))
    }

    /// The files of the phase that a journal's header names.
    pub fn recorded_files(&self) -> Vec<DataFile> {
        let files = self.header.map_or(&[][..], |header| &header.files);
        let of_phase = files.iter().filter(|file| file.phase == self.phase);
        of_phase.cloned().collect()
    }

    /// What parameter files of a kind of phase say first.
    pub fn origin(&self, kind: &str) -> Provenance {
        vec![
            ("program".into(), PROGRAM.into()),
            ("phase".into(), kind.into()),
            ("profile".into(), self.profile.into()),
            ("profile_sha256".into(), self.profile_sha256.into()),
        ]
    }

    /// The threads that the phase may use, as a pool.
    ///
    /// # Errors
    /// The system refuses them.
    pub fn thread_pool(&self) -> Result<rayon::ThreadPool, RunError> {
        room::pool(self.threads).map_err(RunError::Threads)
    }
}
