//! The command line: what can be asked for, and what is printed in answer.
//!
//! Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 an error, 2 a wrong
//! command line, 130 interrupted and resumable.

use super::{check, compare, export, score, status, suite_score, task};
use crate::base::progress::{for_stdout, note};
use crate::base::room::cores;
use crate::base::shell;
use crate::base::stop::{INTERRUPTED, Stop};
use crate::commands::compare::CompareArgs;
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
    Report(ReportArgs),
    /// Count the positions that a parameter file solves, and the nodes that it needs.
    Score(ScoreArgs),
    /// Measure how fast the phases run on this machine.
    Bench(BenchArgs),
    Positions(PositionsArgs),
    Games(GamesArgs),
    Mine(MineArgs),
    Label(LabelArgs),
    /// Say how far a run is, without disturbing it.
    Status(StatusArgs),
    Compare(CompareArgs),
    /// List the keys of profiles: meaning, range, default, and the phases that have them.
    Keys(KeysArgs),
    /// Print parameters in the forms of other tuning tools.
    ///
    /// `eyas --tune` has all of them as UCI options.
    Export(ExportArgs),
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
            processes: None,
            json_log,
        }
    }
}

impl ProcessArgs {
    fn of(&self, options: Options) -> Options {
        Options {
            processes: self.processes.map(usize::from),
            ..options
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
    data: DataArgs,
    /// Write one JSON object a generation to stderr instead of a progress bar.
    #[arg(long)]
    json_log: bool,
    #[command(flatten)]
    processes: ProcessArgs,
}

/// Where the work is done.
#[derive(Debug, Args)]
struct ProcessArgs {
    /// Work in so many processes of one thread each instead of threads. If one dies, another does its task.
    /// Results don't depend on them.
    #[arg(long, value_name = "N", conflicts_with = "threads",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    processes: Option<u16>,
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
    data: DataArgs,
    /// Write one JSON object a generation to stderr instead of a progress bar.
    #[arg(long)]
    json_log: bool,
    #[command(flatten)]
    processes: ProcessArgs,
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
struct ReportArgs {
    /// The run's folder.
    folder: PathBuf,
}

#[derive(Debug, Args)]
struct StatusArgs {
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

impl Cli {
    /// Does what was asked for.
    ///
    /// # Errors
    /// Whatever keeps it from being done.
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Run(args) => run(args),
            Command::Resume(args) => resume(args),
            Command::Check(args) => check(args),
            Command::Report(args) => report(&args),
            Command::Score(args) => score(&args),
            Command::Bench(args) => bench(&args),
            Command::Positions(args) => positions::run(&args).map(|()| ExitCode::SUCCESS),
            Command::Games(args) => play::run(&args),
            Command::Mine(args) => mine::run(&args),
            Command::Label(args) => label::run(&args),
            Command::Status(args) => status(&args),
            Command::Compare(args) => compare(&args),
            Command::Keys(args) => keys(&args),
            Command::Export(args) => export(&args),
            Command::Task(args) => {
                task::task(&args.folder, &args.data.options(false))?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

/// Whether output failed because its reader has gone.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes
        .into_iter()
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// A line on stdout.
fn print(text: &str) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("cannot write to stdout")
}

fn run(args: RunArgs) -> anyhow::Result<ExitCode> {
    let stop = Stop::on_signals().context("cannot catch signals")?;
    let options = args.processes.of(args.data.options(args.json_log));
    let order = args.part.order(args.profile, args.out);
    conclude(&lifecycle::start(&order, &options, &stop)?)
}

fn resume(args: ResumeArgs) -> anyhow::Result<ExitCode> {
    let stop = Stop::on_signals().context("cannot catch signals")?;
    let options = args.processes.of(args.data.options(args.json_log));
    conclude(&lifecycle::resume(&args.folder, &options, &stop)?)
}

fn conclude(ended: &Ended) -> anyhow::Result<ExitCode> {
    if ended.outcome.complete {
        print(&for_stdout(&ending(ended)))?;
        return Ok(ExitCode::SUCCESS);
    }
    // Whether or not anybody reads it: the terminal may have gone.
    let _ = print(&for_stdout(&ending(ended)));
    note(&format!(
        "Interrupted; every finished task is saved. To go on:\n  {}",
        shell::resume(&ended.folder)
    ));
    Ok(ExitCode::from(INTERRUPTED))
}

fn check(args: CheckArgs) -> anyhow::Result<ExitCode> {
    let order = args.part.order(args.profile, None);
    print(&check::check(&order, &args.data.options(false))?)?;
    Ok(ExitCode::SUCCESS)
}

fn status(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    print(&status::status(&args.folder)?)?;
    Ok(ExitCode::SUCCESS)
}

fn compare(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let stop = Stop::on_signals().context("cannot catch signals")?;
    let comparison = compare::compare(args, &stop)?;
    print(&comparison.text)?;
    if let Some(error) = comparison.error {
        return Err(error);
    }
    if comparison.complete {
        return Ok(ExitCode::SUCCESS);
    }
    note("interrupted");
    Ok(ExitCode::from(INTERRUPTED))
}

fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let loaded = ParamSet::load(&args.params)?;
    let text = export::export(&loaded, &args.params, args.form, args.layout.as_deref());
    let text = text.map_err(anyhow::Error::msg)?;
    print(text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

fn keys(args: &KeysArgs) -> anyhow::Result<ExitCode> {
    let text = declared()
        .reference(args.name.as_deref())
        .map_err(anyhow::Error::msg)?;
    print(text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

fn report(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let (ended, is_under_way) = lifecycle::report(&args.folder)?;
    if is_under_way {
        note("The run is under way: this is what it has come to so far.");
    } else if !ended.outcome.complete {
        note(&format!(
            "The run is not complete; it goes on with\n  {}",
            shell::resume(&ended.folder)
        ));
    }
    print(&for_stdout(&ending(&ended)))?;
    Ok(ExitCode::SUCCESS)
}

fn bench(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let individuals = usize::from(args.individuals);
    let bench =
        crate::commands::bench::bench(&args.positions, individuals, &Quiescence::default())?;
    print(&bench.to_string())?;
    let suite = crate::commands::bench::bench_suite(&args.suite, args.cap)?;
    print(&suite.to_string())?;
    let games = crate::commands::bench_games::bench_games(args.nodes, args.pairs.into())?;
    print(&games.to_string())?;
    // A choice that differs from its definition makes every figure worthless.
    anyhow::ensure!(bench.disagreements == 0, "the fast evaluation is wrong");
    Ok(ExitCode::SUCCESS)
}

fn score(args: &ScoreArgs) -> anyhow::Result<ExitCode> {
    let quiescence = args.quiescence.is_some() || args.max_plies.is_some();
    match (args.phase, args.ecm.given()) {
        (ScorePhase::Grandmaster, Some(option)) => bail!("{option} needs --phase ecm"),
        (ScorePhase::Grandmaster, None) => score_grandmaster(args),
        (ScorePhase::Ecm, _) if quiescence => {
            bail!("--quiescence and --max-plies need --phase grandmaster")
        }
        (ScorePhase::Ecm, _) => score_suite(args),
    }
}

/// On stdout the object, the list only if nothing but people read there.
fn print_list<T: ToString>(args: &ScoreArgs, list: &[T]) -> anyhow::Result<()> {
    for line in list.iter().filter(|_| args.verbose) {
        match args.json {
            true => note(&line.to_string()),
            false => print(&line.to_string())?,
        }
    }
    Ok(())
}

/// One line, however many rows a file leaves to other layouts.
fn note_missing(rows: &[&str]) {
    const NAMED: usize = 3;
    let names = rows[..rows.len().min(NAMED)].join(", ");
    let others = match rows.len() {
        0 => return,
        1..=NAMED => String::new(),
        count => format!(" and {} other rows", count - NAMED),
    };
    note(&format!(
        "note: no parameter file has {names}{others}: they count 0, or are off"
    ));
}

fn score_suite(args: &ScoreArgs) -> anyhow::Result<ExitCode> {
    let settings = suite_score::Settings {
        params: args.params.clone(),
        positions: args.positions.clone(),
        rule: args.ecm.rule(),
        without: args.ecm.without.clone(),
        threads: args.ecm.threads.map_or_else(cores, usize::from),
    };
    let stop = Stop::on_signals().context("cannot catch signals")?;
    let Some(score) = suite_score::score(&settings, &stop)? else {
        note("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    };
    note_missing(&score.missing);
    for (number, problem) in (1..).zip(&score.problems) {
        if let Some(trouble) = &problem.trouble {
            let name = &problem.name;
            note(&format!(
                "warning: position {number} ({name}) panicked: {trouble}"
            ));
        }
    }
    print_list(args, &score.problems)?;
    let without = score.text_without();
    if args.json {
        print(&score.json())?;
        without.iter().for_each(|text| note(text));
    } else {
        print(&score.all.to_string())?;
        without.iter().try_for_each(|text| print(text))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn score_grandmaster(args: &ScoreArgs) -> anyhow::Result<ExitCode> {
    let defaults = Quiescence::default();
    let quiescence = Quiescence {
        moves: args.quiescence.map_or(defaults.moves, Into::into),
        max_plies: args.max_plies.unwrap_or(defaults.max_plies),
    };
    let score = score::score(&args.params, &args.positions, &quiescence)?;
    note_missing(&score.missing);
    print_list(args, &score.choices)?;
    match args.json {
        true => print(&score.json())?,
        false => print(&score.text())?,
    }
    Ok(ExitCode::SUCCESS)
}
