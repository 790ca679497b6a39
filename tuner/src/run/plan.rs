//! From a profile to phases that can run: which of them, with which data files.

use super::begin::{Beginning, copy_of};
use super::coevolution::Coevolution;
use super::output::PROGRAM;
use super::phase::{Phase, Provenance, Start};
use super::replacements::{Replacements, Replaces};
use super::rows::recorded_genes;
use super::seen::{not_held_out, seen};
use super::validation::Validation;
use super::{Options, RunError, ecm, expert, grandmaster, lessons, validation};
use crate::config::{Kind, PhaseEntry, PhaseKeys, Profile};
use crate::files::{FileError, sha256, sha256_of_file};
use crate::journal::{self, DataFile, Header};
use crate::room;
use engine::params::ParamSet;
use std::path::{Path, PathBuf};

/// A profile with its data.
#[derive(Debug)]
pub struct Plan {
    /// The profile.
    pub profile: Profile,
    /// Its text.
    pub text: String,
    /// The journal's first record.
    pub header: Header,
    /// The phases that run, with their names and shares of the time.
    pub phases: Vec<Planned>,
    /// What the first of them begins with.
    pub start: Start,
    /// What is wrong and doesn't keep it from running, beside what single phases say.
    pub warnings: Vec<String>,
}

/// A phase that runs.
#[derive(Debug)]
pub struct Planned {
    /// Its name.
    pub name: String,
    /// Its part of the hours, in proportion to the others' parts.
    pub share: f64,
    /// Itself.
    pub phase: Box<dyn Phase>,
}

/// Where a phase finds its files, and what it is part of.
#[derive(Debug)]
pub struct Site<'a> {
    phase: &'a str,
    profile: &'a str,
    profile_sha256: &'a str,
    threads: usize,
    /// The folder that paths of the profile are relative to.
    folder: &'a Path,
    /// What the user names instead of its files.
    replacements: &'a Replacements<'a>,
    /// Of a run that goes on: where its files were.
    header: Option<&'a Header>,
    /// Suites that phases of the profile learn from, as it names them.
    trained: Vec<&'a Path>,
}

impl Site<'_> {
    /// The option that names a replacement for a file, if it was given.
    fn given(&self, role: &str, written: Option<&PathBuf>) -> Option<Replaces> {
        let given = |what| Some(what).filter(|what| self.replacements.has(*what));
        let suite = given(Replaces::Suite);
        let held_out = given(Replaces::HeldOutSuite);
        // The part of a suite that nobody learns from is replaced together with the part that is
        // learnt from; another file has not been seen and stays.
        let is_rest = written.is_some_and(|file| self.trained.contains(&file.as_path()));
        match role {
            lessons::TRAIN => given(Replaces::Train),
            lessons::TEST | validation::POSITIONS => given(Replaces::Test),
            ecm::SUITE => suite,
            ecm::HELD_OUT => held_out.or(suite.filter(|_| is_rest)),
            _ if validation::is_suite(role) && is_rest => suite,
            _ if validation::is_suite(role) => {
                held_out.or(suite.filter(|_| self.trained.is_empty()))
            }
            _ => None,
        }
    }

    /// Whether there is a file of this role although the profile names none.
    pub fn is_given(&self, role: &str) -> bool {
        match self.header {
            Some(header) => header.file(self.phase, role).is_some(),
            None => self.given(role, None).is_some(),
        }
    }

    /// Where the file with this role is: where the user says, else where it was when the run
    /// began, else where the profile says.
    ///
    /// A run that goes on knows its files by their content, whichever option names them: one
    /// option stands for several files of a run, which may not all have moved to the same place.
    pub fn path(&self, role: &str, written: Option<&PathBuf>) -> PathBuf {
        let given = self.given(role, written);
        let recorded = self
            .header
            .and_then(|header| Some((header, header.file(self.phase, role)?)));
        let path = match recorded {
            None => given.and_then(|what| self.replacements.file(what)),
            Some((header, file)) => {
                let moved = self.replacements.with_content(&file.sha256);
                let other = || self.replacements.foreign(given?, header);
                moved.or_else(other).or(Some(&file.path))
            }
        };
        match (path, written) {
            (Some(path), _) => path.to_path_buf(),
            (None, Some(written)) => self.folder.join(written),
            (None, None) => PathBuf::new(),
        }
    }

    /// A file as it goes to the header; what is used of it is a number of positions or so.
    pub fn file(&self, role: &str, path: &Path, sha256: &str, count: usize) -> DataFile {
        // What the journal says stays, or provenance would depend on who resumed.
        let recorded = self.header.and_then(|header| header.file(self.phase, role));
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
            let recorded = self
                .header
                .and_then(|header| header.file(self.phase, &role));
            let (path, file) = match recorded {
                // A run's profile lies in its folder.
                Some(file) => (copy_of(self.folder, file), file.clone()),
                None => {
                    let path = self.folder.join(written);
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
    pub fn origin(&self, kind: Kind) -> Provenance {
        vec![
            ("program".into(), PROGRAM.into()),
            ("phase".into(), kind.name().into()),
            ("profile".into(), self.profile.into()),
            ("profile_sha256".into(), self.profile_sha256.into()),
        ]
    }

    /// The threads that a phase may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The same as a pool.
    ///
    /// # Errors
    /// The system refuses them.
    pub fn thread_pool(&self) -> Result<rayon::ThreadPool, RunError> {
        room::pool(self.threads).map_err(RunError::Threads)
    }
}

/// Threads: as the options say, else the profile, else one a core.
pub fn threads(profile: &Profile, options: &Options) -> usize {
    let said = options.threads;
    let said = said.or(profile.threads.map(|threads| threads.get()));
    said.unwrap_or_else(room::cores)
}

/// What a plan is made from.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The profile and its text.
    pub profile: (Profile, String),
    /// Its name.
    pub name: &'a str,
    /// The folder that its paths are relative to.
    pub folder: &'a Path,
    /// The one phase to run; all if absent.
    pub only: Option<&'a str>,
    /// Of a run that goes on or is read again: its journal's first record.
    pub header: Option<&'a Header>,
    /// The words that start the run.
    pub command: Vec<String>,
    /// What the first phase begins with.
    pub start: Beginning,
}

/// Makes a plan; without `data` one that can only go through a journal.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn plan(sources: Sources<'_>, options: &Options, data: bool) -> Result<Plan, RunError> {
    let (profile, text) = sources.profile;
    let digest = sha256(text.as_bytes());
    let entries = chosen(sources.name, &profile, sources.only)?;
    let (mut phases, mut files, mut table) = (Vec::new(), sources.start.files, Vec::new());
    let trained = |entry: &PhaseEntry| match &entry.keys {
        PhaseKeys::Ecm(keys) => Some(keys.suite.train.clone()),
        _ => None,
    };
    let trained: Vec<PathBuf> = profile.phases.iter().filter_map(trained).collect();
    let replacements = Replacements::new(options, sources.header.is_some());
    let mut recorded = sources.header.map(|header| header.table.iter().peekable());
    for mut entry in entries {
        if let (Some(lines), Some(genes)) = (&mut recorded, entry.keys.genes_mut()) {
            *genes = recorded_genes(lines, genes);
        }
        let site = Site {
            phase: &entry.name,
            profile: sources.name,
            profile_sha256: &digest,
            threads: threads(&profile, options),
            folder: sources.folder,
            replacements: &replacements,
            header: sources.header,
            trained: trained.iter().map(PathBuf::as_path).collect(),
        };
        let phase = open(entry.keys, &site, data).map_err(|error| error.in_phase(&entry.name))?;
        files.extend(phase.files().iter().cloned());
        if let Some(genotype) = phase.genotype() {
            table.extend(genotype.table());
        }
        phases.push(Planned {
            name: entry.name,
            share: entry.share,
            phase,
        });
    }
    if data {
        replacements.all_used()?;
    }
    let mut warnings: Vec<String> = sources.start.warning.into_iter().collect();
    warnings.extend(seen(&profile, &files));
    let header = Header {
        format: journal::FORMAT,
        program: PROGRAM.to_string(),
        profile: sources.name.to_string(),
        profile_sha256: digest,
        only: sources.only.map(str::to_string),
        command: sources.command,
        table,
        files,
    };
    warnings.extend(not_held_out(&profile, &header));
    Ok(Plan {
        profile,
        text,
        header,
        phases,
        start: sources.start.start,
        warnings,
    })
}

/// A phase of its kind.
fn open(keys: PhaseKeys, site: &Site<'_>, data: bool) -> Result<Box<dyn Phase>, RunError> {
    Ok(match keys {
        PhaseKeys::Grandmaster(keys) => Box::new(match data {
            true => grandmaster::Grandmaster::open(keys, site)?,
            false => grandmaster::Grandmaster::closed(keys, site),
        }),
        PhaseKeys::Expert(keys) => Box::new(match data {
            true => expert::Expert::open(keys, site)?,
            false => expert::Expert::closed(keys, site),
        }),
        PhaseKeys::Coevolution(keys) => Box::new(Coevolution::open(keys, site, data)?),
        PhaseKeys::Validation(keys) => Box::new(Validation::open(keys, site, data)?),
        PhaseKeys::Ecm(keys) => Box::new(match data {
            true => ecm::Ecm::open(keys, site)?,
            false => ecm::Ecm::closed(keys, site),
        }),
    })
}

/// All phases, or the one that was asked for.
fn chosen(name: &str, profile: &Profile, only: Option<&str>) -> Result<Vec<PhaseEntry>, RunError> {
    let wanted = |entry: &&PhaseEntry| only.is_none_or(|only| entry.name == only);
    let entries: Vec<PhaseEntry> = profile.phases.iter().filter(wanted).cloned().collect();
    match (entries.is_empty(), only) {
        (true, Some(only)) => Err(RunError::NoPhase {
            profile: name.to_string(),
            phase: only.to_string(),
            known: profile
                .phases
                .iter()
                .map(|entry| entry.name.clone())
                .collect(),
        }),
        _ => Ok(entries),
    }
}
