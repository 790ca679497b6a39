//! From a profile to phases that can run: which of them, with which data files.

use super::beginning::Beginning;
use super::leakage::{not_held_out, seen};
use crate::base::files::sha256;
use crate::base::names::PROGRAM;
use crate::base::room;
use crate::encoding::Encoding;
use crate::encoding::rows::recorded_genes;
use crate::error::RunError;
use crate::exec::journal::{self, Header};
use crate::phases::context::PhaseContext;
use crate::phases::options::{Options, Replacements};
use crate::phases::phase::Phase;
use crate::phases::profile::{PhaseEntry, Profile};
use crate::phases::start::Start;
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

impl Plan {
    /// Names and shares of all phases.
    pub fn shares(&self) -> Vec<(&str, f64)> {
        let phases = self.phases.iter();
        phases
            .map(|phase| (phase.name.as_str(), phase.share))
            .collect()
    }
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
    let (mut profile, text) = sources.profile;
    let digest = sha256(text.as_bytes());
    let threads = threads(&profile, options);
    let (mut phases, mut files, mut table) = (Vec::new(), sources.start.files, Vec::new());
    let trained = profile.phases.iter();
    let trained = trained.filter_map(|entry| Some(entry.keys.trained_suite()?.to_path_buf()));
    let trained: Vec<PathBuf> = trained.collect();
    let replacements = Replacements::new(options, sources.header.is_some());
    let mut recorded = sources.header.map(|header| header.table.iter().peekable());
    for entry in chosen(sources.name, &mut profile, sources.only)? {
        if let (Some(lines), Some(genes)) = (&mut recorded, entry.keys.genes_mut()) {
            *genes = recorded_genes(lines, genes);
        }
        let context = PhaseContext {
            phase: &entry.name,
            profile: sources.name,
            profile_sha256: &digest,
            threads,
            folder: sources.folder,
            replacements: &replacements,
            header: sources.header,
            is_one_of_many: options.quiet,
            trained: trained.iter().map(PathBuf::as_path).collect(),
        };
        let phase = entry.keys.open(&context, data);
        let phase = phase.map_err(|error| error.in_phase(&entry.name))?;
        let outline = phase.outline();
        files.extend(outline.files.iter().cloned());
        table.extend(outline.encoding.map(Encoding::table).into_iter().flatten());
        phases.push(Planned {
            name: entry.name.clone(),
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

/// All phases, or the one that was asked for.
fn chosen<'a>(
    name: &str,
    profile: &'a mut Profile,
    only: Option<&str>,
) -> Result<Vec<&'a mut PhaseEntry>, RunError> {
    let wanted = |entry: &PhaseEntry| only.is_none_or(|only| entry.name == only);
    match only.filter(|_| !profile.phases.iter().any(wanted)) {
        Some(only) => {
            let known = profile.phases.iter().map(|entry| entry.name.as_str());
            let known = known.collect::<Vec<_>>().join(", ");
            Err(RunError::Order(format!(
                "profile {name} has no phase {only:?}, only {known}"
            )))
        }
        None => Ok(profile
            .phases
            .iter_mut()
            .filter(|entry| wanted(entry))
            .collect()),
    }
}
