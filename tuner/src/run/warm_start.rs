//! What another run left, for a run to begin with.

use super::beginning::{BEGIN, Beginning, EARLIER, of_role, read};
use super::plan::Plan;
use super::replay::journaled;
use crate::base::files::FileError;
use crate::base::names::{BEST_NAME, CHAMPIONS_NAME, PROFILE_NAME};
use crate::error::RunError;
use crate::exec::journal::{DataFile, JOURNAL_NAME};
use crate::phases::context::copy_of;
use crate::phases::phase::PhaseOutcome;
use engine::params::ParamSet;
use std::path::{Path, PathBuf};

/// What the phase begins with that is the run's first. `only` is the phase that was asked for by its
/// name.
///
/// # Errors
/// There is nothing to begin with, or a file is refused.
pub fn start_from(from: &Path, phase: &str, only: Option<&str>) -> Result<Beginning, RunError> {
    let there = std::fs::metadata(from).map_err(FileError::of("read", from))?;
    let left = match there.is_file() {
        true => Left::of(vec![from.to_path_buf()]),
        false => match left_before(from, only)? {
            Some(left) => left,
            None => Left::of(loose_files(from)?),
        },
    };
    let mut files = Vec::new();
    for (role, paths) in [(EARLIER, left.earlier), (BEGIN, left.champions)] {
        for (number, path) in (1..).zip(paths) {
            files.push(DataFile {
                phase: phase.to_string(),
                role: format!("{role} {number}"),
                path: path.canonicalize().map_err(FileError::of("read", &path))?,
                sha256: String::new(),
                count: 1,
                note: None,
            });
        }
    }
    let warning = left.lacks_search.then(|| {
        "the files of the champions to begin with don't have the search that these played with, \
         so this begins otherwise than the run itself"
            .to_string()
    });
    let read = read(files, |file| file.path.clone())?;
    Ok(Beginning { warning, ..read })
}

/// Files that phases left.
struct Left {
    /// The best of each phase but the last.
    earlier: Vec<PathBuf>,
    /// The champions of the last.
    champions: Vec<PathBuf>,
    /// Whether some of these played with a search that their files don't have: what evolves is the
    /// evaluation alone, and the search was the profile's.
    lacks_search: bool,
}

impl Left {
    fn of(champions: Vec<PathBuf>) -> Left {
        Left {
            earlier: Vec::new(),
            champions,
            lacks_search: false,
        }
    }
}

/// Where `from` is the folder of a run or of one of its phases: what the phases had left there
/// before the one that is asked for, or at the end of that phase, in the order in which the run
/// itself went on from it. A run of one phase, or without the one that is asked for, is gone on from
/// at its end.
fn left_before(from: &Path, only: Option<&str>) -> Result<Option<Left>, RunError> {
    let unread = |cause: RunError| RunError::From {
        from: from.to_path_buf(),
        cause: Box::new(cause),
    };
    let has_journal = |folder: &Path| folder.join(JOURNAL_NAME).is_file();
    let full = from.canonicalize().map_err(FileError::of("read", from))?;
    let above = full.parent().filter(|above| has_journal(above));
    let name = full.file_name().unwrap_or_default().to_string_lossy();
    let (folder, phase) = match (has_journal(&full), above) {
        (true, _) => (full.as_path(), None),
        (false, Some(above)) => (above, Some(name)),
        (false, None) => return Ok(None),
    };
    let (plan, outcome) = journaled(folder).map_err(unread)?;
    let place = |name: &str| plan.phases.iter().position(|phase| phase.name == name);
    let all = plan.phases.len();
    let count = match (phase, only) {
        (Some(phase), _) => match place(&phase) {
            Some(at) => at + 1,
            None => return Ok(None),
        },
        (None, Some(only)) if all > 1 => place(only).unwrap_or(all),
        (None, _) => all,
    };
    let done = outcome.phases.iter().take(count);
    let done = done.filter(|(_, ended)| !ended.champions.is_empty());
    let copies = |role: &str| -> Vec<PathBuf> {
        let files = of_role(&plan.header, role);
        files.iter().map(|file| copy_of(folder, file)).collect()
    };
    let mut left = Left {
        earlier: copies(EARLIER),
        ..Left::of(copies(BEGIN))
    };
    for (name, ended) in done {
        let best = std::mem::take(&mut left.champions);
        let own = files_of(&plan, folder, name, ended)?;
        left.earlier.extend(best.into_iter().take(1));
        left = Left {
            earlier: left.earlier,
            ..own
        };
    }
    match left.champions.is_empty() {
        false => Ok(Some(left)),
        true => Err(RunError::refused(
            from,
            "no phase of this run has left parameters that it could begin with",
        )),
    }
}

/// A phase's champions, in their order.
fn files_of(
    plan: &Plan,
    folder: &Path,
    name: &str,
    ended: &PhaseOutcome,
) -> Result<Left, RunError> {
    let folder = match plan.profile.flat {
        true => folder.to_path_buf(),
        false => folder.join(name),
    };
    let mut files = toml_files(&folder.join(CHAMPIONS_NAME));
    // A phase under way has no champions yet, but its best.
    files.push(folder.join(BEST_NAME));
    let known = |path: PathBuf| Some((ParamSet::load(&[&path]).ok()?.params, path));
    let mut known: Vec<_> = files.into_iter().filter_map(known).collect();
    let mut left = Left::of(Vec::new());
    for champion in &ended.champions {
        let is_it = |params: &ParamSet| params == champion;
        let is_like = |params: &ParamSet| params.eval == champion.eval;
        let at = known.iter().position(|(params, _)| is_it(params));
        let at = at.or_else(|| known.iter().position(|(params, _)| is_like(params)));
        match at {
            Some(at) => {
                let (params, path) = known.remove(at);
                left.lacks_search |= params != *champion;
                left.champions.push(path);
            }
            None if ended.complete => {
                let lacks = format!(
                    "{CHAMPIONS_NAME}/ lacks champions that the run's journal has; tuner report writes them again"
                );
                return Err(RunError::refused(&folder, lacks));
            }
            None => {}
        }
    }
    Ok(left)
}

/// Parameter files of a folder that is no run's: its `champions/`, of which the best is first that
/// is its `best.toml`, or those in the folder itself.
fn loose_files(from: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut champions = toml_files(&from.join(CHAMPIONS_NAME));
    let read = |path: &Path| ParamSet::load(&[path]).ok().map(|read| read.params);
    let best = read(&from.join(BEST_NAME));
    // Files of the same numbers: names and provenance differ.
    champions.sort_by_key(|path| best.is_none() || read(path) != best);
    if champions.is_empty() {
        champions = toml_files(from);
        champions.retain(|path| path.file_name().is_some_and(|name| name != PROFILE_NAME));
    }
    match champions.is_empty() {
        false => Ok(champions),
        true => Err(RunError::refused(
            from,
            "has neither parameter files nor champions/ with some",
        )),
    }
}

fn toml_files(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = read.map(|entry| entry.path());
    let is_toml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    let mut paths: Vec<PathBuf> = paths.filter(is_toml).collect();
    paths.sort();
    paths
}
