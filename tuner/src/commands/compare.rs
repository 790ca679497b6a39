//! `tuner compare`: two parameter files against each other. Which rows differ, what each makes of
//! tactical suites, and a match with each opening played with both colours.

mod games;
#[cfg(feature = "redis")]
mod remotely;

use games::{GameFile, Tally, Troubles, play};

use crate::base::files::FileError;
use crate::base::statistics::{Decision, Difference, MOST_ELO, Pentanomial, Sprt, thousands};
use crate::base::stop::Stop;
use crate::base::usage::{Usage, number};
use crate::base::workers::{self, Guarded, guarded};
use crate::commands::export::differences;
use crate::commands::suite_score::Sum;
#[cfg(feature = "redis")]
use crate::commands::workers::WorkersArgs;
use crate::config::games::GamesKeys;
use crate::config::games::{GameClock, OPENING_PLIES, SPEEDS};
use crate::data::suite::Suite;
use crate::error::RunError;
use crate::fitness::coevolution::{Colours, pentanomial, repeated_text};
use crate::fitness::games::Match;
use crate::fitness::search_cost::{Rule, costs, hash_for};
use crate::phases::games::GamePlan;
use crate::phases::verdict::Verdict;
use anyhow::Result;
use engine::params::{Loaded, ParamSet};
use engine::tt::TableError;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Compare two parameter files: the rows that differ, tactical suites, and a match.
#[derive(Clone, Debug, clap::Args)]
pub struct CompareArgs {
    /// Parameter file (TOML), or several as `a.toml;b.toml`, of which the later wins.
    first: String,
    /// The other one.
    second: String,
    /// Tactical suite that both solve (EPD); may be given more than once.
    #[arg(long = "suite", value_name = "EPD")]
    suites: Vec<PathBuf>,
    /// Nodes after which a position of a suite is given up.
    #[arg(long, value_name = "NODES", default_value_t = 500_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    cap: u64,
    /// Pairs of games at most; 0 plays none.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pairs: u64,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Seconds a side for a whole game instead of nodes.
    #[arg(long, value_name = "S", conflicts_with = "nodes", value_parser = seconds)]
    seconds: Option<f64>,
    /// Seconds added to them with each move.
    #[arg(long, value_name = "S", requires = "seconds", default_value_t = 0.0,
          value_parser = seconds_or_none)]
    increment: f64,
    /// Nodes that count as a second of that clock: the same games every time.
    #[arg(long, value_name = "NODES", requires = "seconds",
          value_parser = clap::value_parser!(u64).range(SPEEDS))]
    speed: Option<u64>,
    /// Opening book (EPD, PGN or Polyglot) instead of random openings.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Random half moves of an opening, or half moves taken from a book of games.
    #[arg(long, value_name = "N", default_value_t = OPENING_PLIES,
          value_parser = clap::value_parser!(u64).range(0..=200))]
    plies: u64,
    /// Seed of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Elo difference under the hypothesis that the first is better by nothing.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_parser = elo_bound)]
    elo0: f64,
    /// Elo difference under the other hypothesis; the match ends when one of them is accepted.
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true, value_parser = elo_bound)]
    elo1: f64,
    /// Play all pairs, even after the test has decided.
    #[arg(long)]
    all: bool,
    /// File for the games; those of an earlier comparison are replaced.
    #[arg(long, value_name = "PGN")]
    pgn: Option<PathBuf>,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[cfg(feature = "redis")]
    #[command(flatten)]
    workers: WorkersArgs,
}

/// What a comparison has come to.
pub struct Comparison {
    /// For stdout: all of it, or what was known when it ended early.
    pub text: String,
    /// Whether it came to its end.
    pub complete: bool,
    /// What ended it early, if not the user: hours of work are told all the same.
    pub error: Option<anyhow::Error>,
}

/// Does it.
///
/// # Errors
/// A file is refused, the one for the games before any is played.
pub fn compare(args: &CompareArgs, stop: &Stop) -> Result<Comparison> {
    if args.elo0 >= args.elo1 {
        let (elo0, elo1) = (args.elo0, args.elo1);
        return Err(Usage(format!(
            "--elo0 is {elo0}, expected less than --elo1, {elo1}"
        ))
        .into());
    }
    let load = |files: &str| -> Result<Loaded> {
        let paths: Vec<&str> = files.split(';').map(str::trim).collect();
        Ok(ParamSet::load(&paths)?)
    };
    let (first, second) = (load(&args.first)?, load(&args.second)?);
    for (files, loaded) in [(&args.first, &first), (&args.second, &second)] {
        let plays = args.pairs > 0 || !args.suites.is_empty();
        anyhow::ensure!(
            loaded.params.has_evaluation() || !plays,
            "{files}: has no evaluation, so every position would be worth nothing; name a file with one \
             before it (\"params/expert.toml;{files}\"), or see which rows differ by --pairs 0"
        );
    }
    #[cfg(feature = "redis")]
    let workers = remotely::settings(args)?;
    // What is wrong with a file is said before hours are spent on another one.
    let suite = |path: &PathBuf| Ok((path.display().to_string(), Suite::load(path, None)?));
    let suites: Vec<(String, Suite)> = args.suites.iter().map(suite).collect::<Result<_>>()?;
    let plan = (args.pairs > 0).then(|| plan_of(args)).transpose()?;
    let mut text = covered_text([&first, &second]) + &difference_text(&first, &second);
    let players = [&first.params, &second.params];
    // Whoever wants to know how much chance there is in games by the clock may play them.
    let is_repeatable = args.seconds.is_none() || args.speed.is_some();
    if first.params == second.params && is_repeatable {
        text += "By nodes suites and games are the same with both, so there are none here.";
        return Ok(Comparison {
            text,
            complete: true,
            error: None,
        });
    }
    let pgn = args.pgn.as_deref().map(GameFile::open).transpose()?;
    let mut complete = true;
    let mut error = None;
    for (name, suite) in &suites {
        match solve(args, name, suite, players, stop) {
            Ok(Some(line)) => text += &line,
            Ok(None) => complete = false,
            Err(cause) => {
                error = Some(cause.into());
                break;
            }
        }
    }
    if let Some(plan) = plan
        && complete
        && error.is_none()
    {
        let tally = Tally::new(args, &plan, players, pgn);
        #[cfg(feature = "redis")]
        let standing = match workers {
            Some(workers) => remotely::play(tally, stop, workers),
            None => play(tally, stop),
        };
        #[cfg(not(feature = "redis"))]
        let standing = play(tally, stop);
        text += &standing.text;
        complete = standing.is_over;
        error = standing.error.map(anyhow::Error::from);
    }
    let text = text.trim_end().to_string();
    Ok(Comparison {
        text,
        complete,
        error,
    })
}

/// The event that games of a comparison are said to be of.
const EVENT: &str = "Comparison";

fn covered_text(sides: [&Loaded; 2]) -> String {
    let files = sides.iter().flat_map(|side| &side.covered);
    let line = |file| {
        format!(
            "WARNING: nothing of {file} counts, for a later file of the same side has its rows\n"
        )
    };
    files.map(line).collect()
}

fn difference_text(first: &Loaded, second: &Loaded) -> String {
    let rows = differences(first, second);
    if rows.is_empty() {
        return "The parameters are the same.\n".to_string();
    }
    let mut text = match rows.len() {
        1 => "1 row differs:\n".to_string(),
        count => format!("{count} rows differ:\n"),
    };
    let mut line = |row: &str, first: &str, second: &str, change: &str| {
        let _ = writeln!(text, "  {row:<40} {first:>6} {second:>6} {change:>7}");
    };
    line("row", "first", "second", "change");
    for (table, name, a, b) in rows {
        let change = format!("{:+}", b - a);
        line(
            &format!("{table}.{name}"),
            &a.to_string(),
            &b.to_string(),
            &change,
        );
    }
    text
}

/// An Elo difference that a test can decide on.
fn elo_bound(text: &str) -> Result<f64, String> {
    let expected = format!("an Elo difference from -{MOST_ELO} to {MOST_ELO}");
    number(text, |elo| elo.abs() <= MOST_ELO, &expected)
}

/// A time that isn't negative.
fn seconds_or_none(text: &str) -> Result<f64, String> {
    let holds = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
    number(text, holds, "seconds, 0 or more")
}

/// A time of a millisecond or more.
fn seconds(text: &str) -> Result<f64, String> {
    let holds = |seconds: f64| seconds.is_finite() && seconds >= 0.001;
    number(text, holds, "seconds, 0.001 or more")
}

fn threads(args: &CompareArgs) -> usize {
    args.threads
        .map_or_else(crate::base::room::cores, usize::from)
}

/// What both make of a suite, in a line; `None` if it is interrupted.
fn solve(
    args: &CompareArgs,
    name: &str,
    suite: &Suite,
    players: [&ParamSet; 2],
    stop: &Stop,
) -> Result<Option<String>, TableError> {
    let rule = Rule {
        cap: args.cap,
        hash: hash_for(args.cap),
        ..Rule::default()
    };
    let problems = rule.found.problems(suite.problems.clone());
    let mut sums = [Sum::default(); 2];
    let mut troubles = Troubles::default();
    costs(
        &players.map(ParamSet::clone),
        &problems,
        rule,
        threads(args),
        0,
        stop,
        |answer| {
            if let Some(sum) = sums.get_mut(answer.individual) {
                *sum = sum.and(answer.cost);
            }
            troubles.add(answer.trouble);
            Ok::<_, TableError>(ControlFlow::Continue(()))
        },
    )?;
    if sums.iter().any(|sum| sum.positions < problems.len()) {
        return Ok(None);
    }
    let mut text = format!(
        "Suite {name}: {} positions, {} nodes each at most\n  {:<8} {:>8} {:>16}\n",
        problems.len(),
        thousands(args.cap),
        "",
        "solved",
        "nodes"
    );
    for (sum, name) in sums.into_iter().zip(["first", "second"]) {
        let (solved, nodes) = (sum.solved, thousands(sum.nodes));
        let _ = writeln!(text, "  {name:<8} {solved:>8} {nodes:>16}");
    }
    Ok(Some(text + &troubles.text("search", "searches")))
}

/// The Elo difference, where the results have one, with the ends of its interval that there are.
fn difference_of(results: &Pentanomial) -> String {
    let Some(Difference { elo, interval }) = results.elo() else {
        let (who, games) = (results.score() > 0.5, 2 * results.pairs());
        let who = if who { "first" } else { "second" };
        return format!("has no bound: the {who} has won all {games} games");
    };
    let interval =
        match interval.map(|(low, high)| ((low, low.is_finite()), (high, high.is_finite()))) {
            Some(((low, true), (high, true))) => format!("95 % interval {low:+.1} to {high:+.1}"),
            Some(((low, true), _)) => format!("95 % interval from {low:+.1} up"),
            Some((_, (high, true))) => format!("95 % interval up to {high:+.1}"),
            Some(_) => "too few games for an interval".to_string(),
            None => "without an interval: all pairs have the same score".to_string(),
        };
    format!("{elo:+.1} Elo, {interval}")
}

/// How the test stands, and when it had decided.
fn test_text(results: &Pentanomial, sprt: &Sprt, decided: Option<(Decision, u64)>) -> String {
    let decided = match decided {
        None => "undecided".to_string(),
        Some((decision, pairs)) => {
            let elo = match decision {
                Decision::Better => sprt.elo1,
                _ => sprt.elo0,
            };
            format!("decided for {elo:+} Elo after {pairs} pairs")
        }
    };
    let (low, high) = sprt.bounds();
    format!(
        "{decided}; {:+} against {:+} Elo, log-likelihood ratio {:.2} (bounds {low:.2}, {high:.2})",
        sprt.elo1,
        sprt.elo0,
        results.log_likelihood_ratio(sprt.elo0, sprt.elo1),
    )
}

/// What the match says, and no more.
fn verdict_text(results: &Pentanomial, sprt: &Sprt) -> &'static str {
    match (Verdict::of(results, sprt), sprt.decide(results)) {
        (Verdict::Better, Decision::Better) => "the first is better",
        (Verdict::Better, _) => {
            "the first is better by the 95 % interval; the test has not accepted it"
        }
        (Verdict::Worse, _) => "the first is worse",
        _ => "the first is not proven better",
    }
}

/// How the match is played, once its openings are known to be there.
fn plan_of(args: &CompareArgs) -> Result<GamePlan> {
    let clock = args.seconds.map(|seconds| GameClock {
        seconds,
        increment: args.increment,
        speed: args.speed,
    });
    let keys = GamesKeys::of(args.nodes, clock, args.book.clone(), args.plies);
    let plan = GamePlan::for_command(&keys, args.seed)?;
    plan.has_openings_for(args.pairs)?;
    Ok(plan)
}
