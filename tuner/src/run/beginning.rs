//! What a run begins with beside its profile: parameter files, of which it keeps copies.

use crate::base::files::{FileError, sha256_of_file};
use crate::encoding::files::Provenance;
use crate::error::RunError;
use crate::exec::journal::{DataFile, Header};
use crate::phases::context::copy_of;
use crate::phases::start::Start;
use engine::params::ParamSet;
use std::path::{Path, PathBuf};

/// Role of the parameters that the first phase begins with, but for their number.
pub(super) const BEGIN: &str = "parameters to begin with";

/// Role of the best parameters of phases before the one whose champions a run begins with, but for
/// their number.
pub(super) const EARLIER: &str = "parameters of earlier phases";

/// What a run begins with.
#[derive(Debug, Default)]
pub struct Beginning {
    /// As its first phase takes it.
    pub start: Start,
    /// The files it comes from.
    pub files: Vec<DataFile>,
    /// How it differs from what another run's next phase began with.
    pub warning: Option<String>,
}

/// What a run began with, from its own copies.
///
/// # Errors
/// A copy is missing or refused.
pub fn start_again(folder: &Path, header: &Header) -> Result<Beginning, RunError> {
    let own = [of_role(header, EARLIER), of_role(header, BEGIN)].concat();
    read(own, |file| copy_of(folder, file))
}

pub(super) fn of_role(header: &Header, role: &str) -> Vec<DataFile> {
    let files = header.files.iter();
    let files = files.filter(|file| file.role.starts_with(role));
    files.cloned().collect()
}

pub(super) fn read(
    mut files: Vec<DataFile>,
    path: impl Fn(&DataFile) -> PathBuf,
) -> Result<Beginning, RunError> {
    let mut start = Start::default();
    for file in &mut files {
        let path = path(file);
        let loaded = ParamSet::load(&[&path])?;
        let part = part_of(&path)?;
        match file.role.starts_with(EARLIER) {
            true => start.remember(&loaded, part.as_deref()),
            false => start.push(loaded, part.as_deref()),
        }
        file.sha256 = sha256_of_file(&path)?;
    }
    Ok(Beginning {
        start,
        files,
        warning: None,
    })
}

/// The names of the rows that evolved, if a parameter file says that not all of its layout did.
fn part_of(path: &Path) -> Result<Option<String>, FileError> {
    let text = std::fs::read_to_string(path).map_err(FileError::of("read", path))?;
    // It has been loaded, so it is TOML.
    let table: toml::Table = text.parse().unwrap_or_default();
    let provenance = table.get("provenance").and_then(toml::Value::as_table);
    let rows = provenance.and_then(|said| said.get("rows")?.as_str());
    Ok(rows.map(str::to_string))
}

/// The files that a run begins with, in words.
pub fn begins_text(header: &Header) -> Option<String> {
    let names = |role: &str| {
        let files = of_role(header, role);
        let paths = files.iter().map(|file| file.path.display().to_string());
        Some(paths.collect::<Vec<_>>().join(", ")).filter(|names| !names.is_empty())
    };
    let earlier = names(EARLIER).map_or(String::new(), |names| format!("; before it: {names}"));
    Some(format!("Begins with {}{earlier}", names(BEGIN)?))
}

/// The same as keys and values of a parameter file's provenance.
pub fn begins_with(header: &Header) -> Provenance {
    let mut provenance = Provenance::new();
    for (role, key) in [(BEGIN, "begins_with"), (EARLIER, "before_it")] {
        let files = of_role(header, role);
        if !files.is_empty() {
            let names: Vec<String> = files.iter().map(DataFile::name).collect();
            let sums: Vec<String> = files.iter().map(|file| file.sha256.clone()).collect();
            provenance.push((key.to_string(), names.into()));
            provenance.push((format!("{key}_sha256"), sums.into()));
        }
    }
    provenance
}
