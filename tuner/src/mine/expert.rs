//! The expert engine, and what `tuner mine` and `tuner label` have in common around it: how it is
//! named on the command line and in the file, asked, stopped and watched.

use crate::base::progress::note;
use crate::base::room::cores;
use crate::base::stop::{INTERRUPTED, Stop};
use crate::base::usage::Usage;
use crate::play::failure_budget::{FailureBudget, Told};
use crate::play::player::{PlayError, Player as _};
use crate::play::settings::Settings;
use crate::play::uci::{EngineSpec, STARTUP_SECONDS, UciEngine};
use anyhow::{Context as _, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The engine, the file that it fills, and how it is kept at work.
#[derive(Clone, Debug, clap::Args)]
pub struct ExpertArgs {
    /// UCI engine with its arguments; with --depth it may be given more than once, for a crowd.
    #[arg(long = "engine", value_name = "CMD", required = true)]
    pub engines: Vec<OsString>,
    /// UCI option of all engines, or of the N-th: `Hash=16`, `2:Skill Level=3`.
    #[arg(long = "option", value_name = "[N:]NAME=VALUE", value_parser = assignment)]
    pub options: Vec<Assignment>,
    /// EPD file to write or to continue.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Engines at a time [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    /// Longest wait for an engine's start, in seconds.
    #[arg(long, value_name = "S", default_value_t = STARTUP_SECONDS,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub startup_timeout: u64,
    /// Longest wait for one search, in seconds.
    #[arg(long, value_name = "S", default_value_t = 600,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
}

/// A value of a UCI option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The engine that has it, from 1; all, if none is named.
    only: Option<usize>,
    name: String,
    value: String,
}

impl ExpertArgs {
    /// The engine, to be started for searches of so many nodes.
    pub fn spec(&self, nodes: u64) -> EngineSpec {
        self.spec_of(0, nodes)
    }

    /// The same of the engine in this place, from 0.
    pub fn spec_of(&self, place: usize, nodes: u64) -> EngineSpec {
        let own = |one: &&Assignment| one.only.is_none_or(|only| only == place + 1);
        let options = self.options.iter().filter(own);
        EngineSpec {
            command: self.engines.get(place).cloned().unwrap_or_default(),
            options: options
                .map(|one| (one.name.clone(), one.value.clone()))
                .collect(),
            nodes,
            startup_timeout: Duration::from_secs(self.startup_timeout),
            move_timeout: Duration::from_secs(self.timeout),
        }
    }

    /// Refuses an option of an engine that there is not.
    ///
    /// # Errors
    /// There is one.
    pub fn check(&self) -> Result<()> {
        let count = self.engines.len();
        let nobodys = |one: &&Assignment| one.only.is_some_and(|only| only > count);
        if let Some(one) = self.options.iter().find(nobodys) {
            bail!(Usage(format!(
                "--option {}:{}={}: there are {count} engines",
                one.only.unwrap_or(0),
                one.name,
                one.value
            )));
        }
        Ok(())
    }

    /// Engines at a time.
    pub fn threads(&self) -> usize {
        self.concurrency.map_or_else(cores, usize::from)
    }
}

/// So many nodes that four times as many are still a number.
pub fn nodes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number @ 1..=1_000_000_000_000) => Ok(number),
        _ => Err("expected a number of nodes, at least 1".to_string()),
    }
}

fn assignment(text: &str) -> Result<Assignment, String> {
    let numbered = text.split_once(':').and_then(|(number, rest)| {
        let number = number.parse().ok().filter(|&number| number > 0)?;
        Some((Some(number), rest))
    });
    let (only, rest) = numbered.unwrap_or((None, text));
    match rest.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !text.contains(['\n', '\r']) => {
            Ok(Assignment {
                only,
                name: name.trim().to_string(),
                value: value.trim().to_string(),
            })
        }
        _ => Err("expected NAME=VALUE on one line".to_string()),
    }
}

/// What a file's settings begin with: who was asked.
pub fn heading(engine: &UciEngine) -> Settings {
    let mut settings = Settings::default();
    settings.push("engine", engine.name());
    settings.push("options", engine.options_text());
    settings
}

/// A file's name without folder and endings, fit for an id.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    stem.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "-")
}

/// What the next task in order has come to: the answer, none if it is left out, and what there is to say
/// of an engine that broke down.
///
/// # Errors
/// The engine is out of order.
pub fn take<T>(
    told: Told<T>,
    budget: &mut FailureBudget,
) -> Result<(Option<T>, Option<String>), PlayError> {
    Ok(match budget.take(told)? {
        Ok((answer, broken)) => {
            let again = broken.map(|failure| format!("began anew after: {failure}"));
            (Some(answer), again)
        }
        Err(failure) => (
            None,
            Some(format!("is left out, it failed twice: {failure}")),
        ),
    })
}

/// Does a command's work, which says whether the file is finished. The exit code is 130 if the
/// user has stopped it.
///
/// # Errors
/// Those of the work; signals can't be watched.
pub fn run(work: impl FnOnce(&Stop) -> Result<bool>) -> Result<ExitCode> {
    let stop = Stop::on_signals().context("can't watch for Ctrl-C")?;
    match work(&stop) {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Err(error) if !matches!(error.downcast_ref(), Some(PlayError::Interrupted)) => Err(error),
        Ok(false) | Err(_) => {
            note("stopped; the same command goes on from here");
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}
