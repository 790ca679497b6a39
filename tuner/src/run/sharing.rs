//! A run as workers on other machines get it: told by its leader, and laid out in a folder of theirs, where it
//! is opened as any run is.

use super::plan::Plan;
use crate::base::files::{FileError, create_folder, sha256_of_file, write_atomically};
use crate::base::names::{PROFILE_NAME, PROGRAM, START_NAME};
use crate::error::RunError;
use crate::exec::journal::{Header, JOURNAL_NAME, Journal};
use crate::exec::remote::leader::{Offer, Settings};
use crate::exec::remote::message::{FORMAT, Identity, Manifest, SharedFile};
use crate::phases::context::{copy_of, is_parameters};
use crate::phases::options::Options;
use engine::bench;
use engine::params::ParamSet;
use engine::search::Control;
use engine::time::WallClock;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// This program, as far as answers depend on it: its version and the nodes of `eyas bench`, which are counted once.
///
/// # Errors
/// There is no memory for the benchmark's table.
pub fn identity() -> Result<Identity, RunError> {
    static KNOWN: OnceLock<Identity> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(known.clone());
    }
    let never = AtomicBool::new(false);
    let control = Control {
        stop: &never,
        clock: &WallClock::start(),
    };
    let report = bench::run(&ParamSet::default(), &bench::Settings::default(), control)?;
    let found = Identity {
        program: PROGRAM.to_string(),
        signature: report.nodes,
    };
    Ok(KNOWN.get_or_init(|| found).clone())
}

/// What workers are told of the run in a folder.
///
/// # Errors
/// A data file is not where it was.
pub fn offer(
    folder: &Path,
    planned: &Plan,
    records: usize,
    (settings, options): (&Settings, &Options),
) -> Result<Offer, RunError> {
    let mut paths = BTreeMap::new();
    let mut files = Vec::new();
    for file in &planned.header.files {
        if paths.contains_key(&file.sha256) {
            continue;
        }
        let copy = is_parameters(&file.role).then(|| copy_of(folder, file));
        let named = options.files().into_iter().map(Path::to_path_buf);
        let mut places = copy.into_iter().chain(named).chain([file.path.clone()]);
        let is_it = |path: &PathBuf| sha256_of_file(path).is_ok_and(|sum| sum == file.sha256);
        let path = places.find(is_it).unwrap_or_else(|| file.path.clone());
        let data = std::fs::metadata(&path).map_err(FileError::of("read", &path))?;
        files.push(SharedFile {
            sha256: file.sha256.clone(),
            bytes: data.len(),
        });
        paths.insert(file.sha256.clone(), path);
    }
    let mut header = planned.header.clone();
    // Where things lie here is nobody's business.
    header.command.clear();
    for file in &mut header.files {
        file.path = PathBuf::from(file.name());
    }
    Ok(Offer {
        manifest: Manifest {
            format: FORMAT,
            identity: identity()?,
            lease: u64::try_from(settings.lease.as_millis()).unwrap_or(u64::MAX),
            header,
            profile: planned.text.clone(),
            files,
        },
        files: paths,
        folder: folder.to_path_buf(),
        records,
    })
}

/// Lays out a run in a folder, with its data files where `place` says that they are, by their digests.
///
/// # Errors
/// A file can't be read or written.
pub fn lay_out(
    folder: &Path,
    manifest: &Manifest,
    place: &BTreeMap<String, PathBuf>,
) -> Result<(), RunError> {
    let mut header: Header = manifest.header.clone();
    create_folder(folder)?;
    create_folder(&folder.join(START_NAME))?;
    for file in &mut header.files {
        let path = place.get(&file.sha256).cloned().unwrap_or_default();
        if is_parameters(&file.role) {
            let bytes = std::fs::read(&path).map_err(FileError::of("read", &path))?;
            write_atomically(&copy_of(folder, file), &bytes)?;
        }
        file.path = path;
    }
    write_atomically(&folder.join(PROFILE_NAME), manifest.profile.as_bytes())?;
    Journal::create(&folder.join(JOURNAL_NAME), &header)?;
    Ok(())
}
