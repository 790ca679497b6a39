//! What to run: a profile, or a part of it, and what it begins with.

use super::beginning::Beginning;
use super::plan::{Plan, Sources, plan};
use super::warm_start::start_from;
use crate::error::RunError;
use crate::phases::options::Options;
use crate::phases::profile::{PhaseEntry, Profile};
use std::path::{Path, PathBuf};

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The profile.
    pub profile: PathBuf,
    /// The folder; `runs/<profile>-<n>` with the first free number if absent.
    pub folder: Option<PathBuf>,
    /// The one phase to run; all if absent.
    pub phase: Option<String>,
    /// A folder of a run or phase, or a parameter file, to begin with.
    pub from: Option<PathBuf>,
}

impl Order {
    /// All phases of a profile.
    pub fn of(profile: &Path) -> Order {
        Order {
            profile: profile.to_path_buf(),
            ..Order::default()
        }
    }

    /// Reads the profile and all data that it names.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn plan(&self, options: &Options) -> Result<Plan, RunError> {
        let profile = Profile::load(&self.profile)?;
        let is_first = |entry: &&PhaseEntry| {
            let only = self.phase.as_ref();
            only.is_none_or(|only| entry.name == *only)
        };
        let first = profile.0.phases.iter().find(is_first);
        if let Some(first) = first.filter(|_| self.from.is_some())
            && first.keys.begins_at_random()
        {
            return Err(RunError::Order(format!(
                "--from: {} begins with random individuals; a phase after it can be run alone from there, by --phase",
                first.name
            )));
        }
        let first = first.map_or(String::new(), |first| first.name.clone());
        let start = match &self.from {
            Some(from) => start_from(from, &first, self.phase.as_deref())?,
            None => Beginning::default(),
        };
        let name = self.profile.file_stem().unwrap_or_default();
        let folder = self.profile.parent().unwrap_or(Path::new(""));
        let sources = Sources {
            name: &name.to_string_lossy(),
            folder,
            only: self.phase.as_deref(),
            header: None,
            command: self.words(options),
            start,
            profile,
        };
        plan(sources, options, true).map_err(|error| error.with_base(folder, &options.files()))
    }

    /// The words behind `tuner run` that start the same run once more, but for its folder.
    fn words(&self, options: &Options) -> Vec<String> {
        let path = |path: &Path| path.display().to_string();
        let files = options.named();
        let files = files.map(|(what, file)| (what.option(), file.map(path)));
        let own = [
            ("--phase", self.phase.clone()),
            ("--from", self.from.as_deref().map(path)),
        ];
        let mut words = vec![path(&self.profile)];
        for (option, value) in own.into_iter().chain(files) {
            words.extend(
                value
                    .into_iter()
                    .flat_map(|value| [option.to_string(), value]),
            );
        }
        words
    }
}
