//! `tuner experiment`: a profile run many times with keys that vary, and what of it is chance.

use crate::base::progress::note;
use crate::base::shell;
use crate::base::stop::Stop;
#[cfg(feature = "redis")]
use crate::commands::workers::WorkersArgs;
use crate::run::experiment::{self, ExperimentOrder};
use std::path::PathBuf;

/// Run a profile with keys that vary, from many seeds each, and compare what comes out.
///
/// The same command goes on where it was interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct ExperimentArgs {
    /// What to vary (TOML).
    experiment: PathBuf,
    /// Folder for its runs and results [default: `runs`, in a folder of its name].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads; results don't depend on them [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[cfg(feature = "redis")]
    #[command(flatten)]
    workers: WorkersArgs,
    /// Only check everything, count the runs and estimate the time.
    #[arg(long)]
    check: bool,
}

/// What came out, `None` if it was interrupted.
///
/// # Errors
/// The experiment, its profile or their data are refused, or a run fails.
pub fn experiment(args: &ExperimentArgs, stop: &Stop) -> anyhow::Result<Option<String>> {
    let order = ExperimentOrder {
        path: args.experiment.clone(),
        folder: args.out.clone(),
        threads: args.threads.map(usize::from),
        #[cfg(feature = "redis")]
        workers: match args.check {
            true => None,
            false => args.workers.settings_told()?,
        },
    };
    if args.check {
        return Ok(Some(experiment::check(&order)?));
    }
    let concluded = experiment::experiment(&order, stop)?;
    if concluded.text.is_none() {
        note(&format!(
            "Interrupted; every finished task is saved. To go on:\n  {}",
            shell::experiment(&args.experiment, &concluded.folder)
        ));
    }
    Ok(concluded.text)
}
