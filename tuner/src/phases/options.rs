//! The files that the user names on the command line instead of a profile's, or instead of where a
//! run's files were. One that nothing uses is an error: it would have been left out without a word.

use crate::base::files::sha256_of_file;
use crate::error::RunError;
use crate::exec::journal::{DataFile, Header};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Settings that are not the profile's because results don't depend on them, or because they
/// replace its data files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Training positions instead of the profile's, or of where they were.
    pub train: Option<PathBuf>,
    /// Held-out positions instead of the profile's, or of where they were.
    pub test: Option<PathBuf>,
    /// The suite of search parameters instead of the profile's, or of where it was.
    pub suite: Option<PathBuf>,
    /// The same of the held-out suite.
    pub held_out_suite: Option<PathBuf>,
    /// Threads instead of the profile's; all cores if neither says.
    pub threads: Option<usize>,
    /// Processes of one thread each that work instead of threads.
    pub processes: Option<usize>,
    /// Workers on other machines that help.
    #[cfg(feature = "redis")]
    pub workers: Option<crate::exec::remote::leader::Settings>,
    /// One JSON object a generation on stderr.
    pub json_log: bool,
    /// Neither progress nor a report: the run is one of many.
    pub quiet: bool,
}

impl Options {
    /// The options that name a file, with the file if it is given.
    pub fn named(&self) -> [(Replaces, Option<&Path>); 4] {
        [
            (Replaces::Train, self.train.as_deref()),
            (Replaces::Test, self.test.as_deref()),
            (Replaces::Suite, self.suite.as_deref()),
            (Replaces::HeldOutSuite, self.held_out_suite.as_deref()),
        ]
    }

    /// The data files that are named.
    pub fn files(&self) -> Vec<&Path> {
        self.named()
            .into_iter()
            .filter_map(|(_, file)| file)
            .collect()
    }
}

/// An option that names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// `--positions`.
    Train,
    /// `--test`.
    Test,
    /// `--suite`.
    Suite,
    /// `--held-out-suite`.
    HeldOutSuite,
}

impl Replaces {
    /// The option as it is written.
    pub fn option(self) -> &'static str {
        match self {
            Replaces::Train => "--positions",
            Replaces::Test => "--test",
            Replaces::Suite => "--suite",
            Replaces::HeldOutSuite => "--held-out-suite",
        }
    }
}

/// All that the user named.
#[derive(Debug)]
pub struct Replacements<'a>(Vec<Replacement<'a>>);

#[derive(Debug)]
struct Replacement<'a> {
    what: Replaces,
    path: &'a Path,
    /// Of a run that goes on, whose files are known by it; `None` too if it can't be read.
    sha256: Option<String>,
    is_used: Cell<bool>,
}

impl<'a> Replacements<'a> {
    /// The files that the options name, for a run that goes on or for a new one.
    pub fn new(options: &'a Options, goes_on: bool) -> Replacements<'a> {
        let digest = |path| sha256_of_file(path).ok();
        let replacement = |(what, path): (_, Option<&'a Path>)| {
            let path = path?;
            Some(Replacement {
                what,
                path,
                sha256: goes_on.then(|| digest(path)).flatten(),
                is_used: Cell::new(false),
            })
        };
        Replacements(
            options
                .named()
                .into_iter()
                .filter_map(replacement)
                .collect(),
        )
    }

    /// Whether an option was given.
    pub fn has(&self, what: Replaces) -> bool {
        self.0.iter().any(|replacement| replacement.what == what)
    }

    /// The file that an option names.
    pub fn file(&self, what: Replaces) -> Option<&'a Path> {
        let found = self.0.iter().find(|replacement| replacement.what == what)?;
        found.is_used.set(true);
        Some(found.path)
    }

    /// A file with this content, whichever option names it.
    pub fn with_content(&self, sha256: &str) -> Option<&'a Path> {
        let same = |replacement: &&Replacement<'_>| replacement.sha256.as_deref() == Some(sha256);
        for replacement in self.0.iter().filter(same) {
            replacement.is_used.set(true);
        }
        self.0.iter().find(same).map(|replacement| replacement.path)
    }

    /// The same as [`file`](Replacements::file), unless it is one of the run's files of this kind, which
    /// takes the place of its like and of nothing else.
    pub fn foreign(
        &self,
        what: Replaces,
        header: &Header,
        is_like: impl Fn(&DataFile) -> bool,
    ) -> Option<&'a Path> {
        let found = self.0.iter().find(|replacement| replacement.what == what)?;
        let is_known = found.sha256.as_ref().is_some_and(|sha256| {
            let mut files = header.files.iter();
            files.any(|file| file.sha256 == *sha256 && is_like(file))
        });
        match is_known {
            true => None,
            false => self.file(what),
        }
    }

    /// Refuses an option whose file nothing has asked for.
    ///
    /// # Errors
    /// There is one.
    pub fn all_used(&self) -> Result<(), RunError> {
        match self.0.iter().find(|replacement| !replacement.is_used.get()) {
            None => Ok(()),
            Some(unused) => Err(RunError::Order(format!(
                "{}: no phase that runs has a file that this could take the place of",
                unused.what.option()
            ))),
        }
    }
}
