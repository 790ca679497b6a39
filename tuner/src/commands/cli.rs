//! The command line: what can be asked for, and what is printed in answer.
//!
//! Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 an error, 2 a wrong
//! command line, 130 interrupted and resumable.

mod execute;

pub use execute::is_broken_pipe;

use super::{check, compare, experiment, export, program, rate, score, status, suite_score, task};
use crate::base::progress::{for_stdout, note};
use crate::base::room::cores;
use crate::base::shell;
use crate::base::stop::{INTERRUPTED, Stop};
use crate::base::usage::Usage;
use crate::commands::compare::CompareArgs;
use crate::commands::experiment::ExperimentArgs;
use crate::commands::program::ProgramArgs;
use crate::commands::rate::RateArgs;
#[cfg(feature = "redis")]
use crate::commands::worker::{self, WorkerArgs};
#[cfg(feature = "redis")]
use crate::commands::workers::WorkersArgs;
use crate::config::grandmaster::QuiescenceMoves;
use crate::data::positions::{self, PositionsArgs};
use crate::fitness::search_cost::{Found, PAPER_CAP, Rule, hash_for};
use crate::mine::label::{self, LabelArgs};
use crate::mine::{self, MineArgs};
use crate::phases::options::Options;
use crate::phases::profile::declared;
use crate::play::{self, GamesArgs};
use crate::run::ending::ending;
use crate::run::lifecycle;
use crate::run::order::Order;
use crate::run::outcome::Ended;
use anyhow::{Context as _, bail};
use clap::{Args, Parser, Subcommand};
use engine::one_ply::{MAX_PLIES, Quiescence};
use engine::params::ParamSet;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Evolve the parameters of the chess engine Eyas.
#[derive(Debug, Parser)]
#[command(name = "tuner", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Evolve parameters as a profile says, in a new folder.
    Run(RunArgs),
    /// Go on with an interrupted run; the result is the same as without the interruption.
    Resume(ResumeArgs),
    /// Check a profile and its data, and estimate how long it takes.
    Check(CheckArgs),
    /// Write a run's report, tables and parameter files again from its journal.
    Report(FolderArgs),
    /// Count the positions that a parameter file solves, and the nodes that it needs.
    Score(ScoreArgs),
    /// Measure how fast the phases run on this machine.
    Bench(BenchArgs),
    Positions(PositionsArgs),
    Games(GamesArgs),
    Mine(MineArgs),
    Label(LabelArgs),
    /// Say how far a run is, without disturbing it.
    Status(FolderArgs),
    Compare(CompareArgs),
    Experiment(ExperimentArgs),
    Program(ProgramArgs),
    /// Rate several players by all their games.
    Rate(RateArgs),
    /// List the keys of profiles: meaning, range, default, and the phases that have them.
    Keys(KeysArgs),
    /// Print parameters in the forms of other tuning tools.
    ///
    /// `eyas --tune` has all of them as UCI options.
    Export(ExportArgs),
    #[cfg(feature = "redis")]
    Worker(WorkerArgs),
    /// Answer the tasks of a run, read as lines of JSON from stdin.
    #[command(hide = true)]
    Task(TaskArgs),
}

/// Data files and threads.
#[derive(Debug, Args)]
struct DataArgs {
    /// Training positions (EPD) instead of the profile's.
    #[arg(long, value_name = "EPD")]
    positions: Option<PathBuf>,
    /// Held-out positions (EPD) instead of the profile's.
    #[arg(long, value_name = "EPD")]
    test: Option<PathBuf>,
    /// Suite for search parameters (EPD) instead of the profile's, also where the other part of
    /// the same file is held out.
    #[arg(long, value_name = "EPD")]
    suite: Option<PathBuf>,
    /// Suite that no phase learns from (EPD) instead of the profile's. In validation, the other part
    /// of a suite that is learnt from goes with --suite.
    #[arg(long, value_name = "EPD")]
    held_out_suite: Option<PathBuf>,
    /// Threads; results don't depend on them [default: the profile's, or all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl DataArgs {
    fn options(self, json_log: bool) -> Options {
        Options {
            train: self.positions,
            test: self.test,
            suite: self.suite,
            held_out_suite: self.held_out_suite,
            threads: self.threads.map(usize::from),
            json_log,
            ..Options::default()
        }
    }
}

#[derive(Debug, Args)]
struct RunArgs {
    /// What to evolve, from what, how (TOML).
    profile: PathBuf,
    /// Folder for the run; it must not hold anything yet [default: runs/<profile>-<n>].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    work: WorkArgs,
}

/// What the work is done with, and where.
#[derive(Debug, Args)]
struct WorkArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Write one JSON object a generation to stderr instead of a progress bar.
    #[arg(long)]
    json_log: bool,
    /// Work in so many processes of one thread each instead of threads. If one dies, another does its task.
    /// Results don't depend on them.
    #[arg(long, value_name = "N", conflicts_with = "threads",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[cfg_attr(feature = "redis", arg(conflicts_with = "workers"))]
    processes: Option<u16>,
    #[cfg(feature = "redis")]
    #[command(flatten)]
    workers: WorkersArgs,
}

impl WorkArgs {
    fn options(self) -> anyhow::Result<Options> {
        Ok(Options {
            processes: self.processes.map(usize::from),
            #[cfg(feature = "redis")]
            workers: self.workers.settings()?,
            ..self.data.options(self.json_log)
        })
    }
}

#[derive(Debug, Args)]
struct TaskArgs {
    /// The run's folder.
    folder: PathBuf,
    #[command(flatten)]
    data: DataArgs,
}

/// A phase by itself.
#[derive(Debug, Args)]
struct PartArgs {
    /// Run this phase of the profile alone.
    #[arg(long, value_name = "NAME")]
    phase: Option<String>,
    /// Begin with the champions in this folder of a run or of a phase, or with a parameter file.
    #[arg(long, value_name = "DIR|TOML")]
    from: Option<PathBuf>,
}

impl PartArgs {
    fn order(self, profile: PathBuf, folder: Option<PathBuf>) -> Order {
        Order {
            profile,
            folder,
            phase: self.phase,
            from: self.from,
        }
    }
}

#[derive(Debug, Args)]
struct ResumeArgs {
    /// The run's folder.
    folder: PathBuf,
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// The profile (TOML).
    profile: PathBuf,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    data: DataArgs,
}

#[derive(Debug, Args)]
struct FolderArgs {
    /// The run's folder.
    folder: PathBuf,
}

#[derive(Debug, Args)]
struct ExportArgs {
    /// Parameter files (TOML); where several have a key, the last wins.
    #[arg(required = true, value_name = "TOML")]
    params: Vec<PathBuf>,
    /// The form.
    #[arg(long, value_enum)]
    form: export::Form,
    /// The genes of this layout [default: of those that the files name].
    #[arg(long)]
    layout: Option<String>,
}

#[derive(Debug, Args)]
struct KeysArgs {
    /// A kind of phase (`ecm`), a key (`population`) or a table (`games`) [default: everything].
    name: Option<String>,
}

#[derive(Debug, Args)]
struct ScoreArgs {
    /// What "solved" means.
    #[arg(long, value_enum)]
    phase: ScorePhase,
    /// Parameter files (TOML); where several have a key, the last wins.
    #[arg(long, required = true, num_args = 1.., value_name = "TOML")]
    params: Vec<PathBuf>,
    /// Positions with the moves that solve them (EPD).
    #[arg(long, value_name = "EPD")]
    positions: PathBuf,
    /// Grandmaster: moves that the quiescence at the leaves looks at.
    #[arg(long, value_enum)]
    quiescence: Option<QuiescenceMoves>,
    /// Grandmaster: plies after the root move at which the quiescence stops.
    #[arg(long, value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PLIES)))]
    max_plies: Option<u32>,
    #[command(flatten)]
    ecm: EcmArgs,
    /// Print one JSON object to stdout and all else to stderr.
    #[arg(long)]
    json: bool,
    /// List each position with the chosen and the expected moves.
    #[arg(long)]
    verbose: bool,
}

/// What a search is given to find a suite's move.
#[derive(Debug, Args)]
struct EcmArgs {
    /// Ecm: nodes after which a position is given up [default: 500000].
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    cap: Option<u64>,
    /// Ecm: when a move is found: `first` time best at the root, best through so many iterations
    /// in a row, or `last`: best until the cap; or `worth`: what its best moves lose, on positions
    /// of `tuner label --moves` [default: first].
    #[arg(long, value_name = "first|K|last|worth")]
    found: Option<Found>,
    /// Ecm: size of the hash table of each search in megabytes [default: by the cap, 4 for 500000].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: Option<u16>,
    /// Ecm: also count without the positions of these names (`id`), whose solutions are wrong, say.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    without: Vec<String>,
    /// Ecm: positions at a time; results don't depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl EcmArgs {
    /// The first option that was given.
    fn given(&self) -> Option<&'static str> {
        let options = [
            (self.cap.is_some(), "--cap"),
            (self.found.is_some(), "--found"),
            (self.hash.is_some(), "--hash"),
            (!self.without.is_empty(), "--without"),
            (self.threads.is_some(), "--threads"),
        ];
        let given = options.into_iter().find(|(given, _)| *given);
        given.map(|(_, name)| name)
    }

    fn rule(&self) -> Rule {
        let cap = self.cap.unwrap_or(PAPER_CAP);
        Rule {
            cap,
            found: self.found.unwrap_or_default(),
            hash: self.hash.map_or_else(|| hash_for(cap), usize::from),
        }
    }
}

#[derive(Debug, Args)]
struct BenchArgs {
    /// Positions with the moves that solve them (EPD).
    #[arg(
        long,
        value_name = "EPD",
        default_value = "tuner/data/sample-train.epd"
    )]
    positions: PathBuf,
    /// Random individuals.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    individuals: u16,
    /// Suite whose positions are searched.
    #[arg(
        long,
        value_name = "EPD",
        default_value = "tuner/data/sample-tactics.epd"
    )]
    suite: PathBuf,
    /// Nodes that each of them costs at most.
    #[arg(long, value_name = "NODES", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    cap: u64,
    /// Nodes a move of games.
    #[arg(long, value_name = "NODES", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Pairs of games in each of five rounds.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    pairs: u16,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScorePhase {
    /// A 1-ply search chooses the move played.
    Grandmaster,
    /// A search finds the best move of a tactical suite within a cap of nodes.
    Ecm,
}
