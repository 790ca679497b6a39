//! `tuner games`: the command line, the file, the progress and the summary.

use crate::base::files::{refuse_packed_name, synced};
use crate::base::lock::{OwnFile, open_alone};
use crate::base::progress::{bar, note};
use crate::base::room::cores;
use crate::base::stop::{INTERRUPTED, Stop};
use crate::base::usage::Usage;
use crate::play::adjudication::{DrawRule, Ending, OrOff, ResignRule, Rules};
use crate::play::game::OpeningRule;
use crate::play::pgn::{
    Contents, GameTags, Tally, first_is_white, scan, write_abandoned, write_game,
};
use crate::play::player::{PlayError, Player};
use crate::play::settings::Settings;
use crate::play::tournament::{NumberedGame, Pair, Plan, play_games, start_pair};
use crate::play::uci::{EngineSpec, STARTUP_SECONDS, UciEngine};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use std::ffi::OsString;
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What the comment of a file's first game begins with.
const MARK: &str = "tuner games: ";

/// Play games between UCI engines and write them as PGN.
///
/// A file that exists already is continued: a stopped run goes on where it ended, and the games
/// are those of a run that was never stopped. With both --count and --decisive, whichever
/// is reached first ends the run. An engine that breaks down is started again, once a game; a game
/// that fails twice is left without result (`*`). Three of these in a row end the run, and so does
/// the first game of a file.
#[derive(Clone, Debug, clap::Args)]
pub struct GamesArgs {
    /// Engine with its arguments; give it twice for two engines, once for one that plays itself
    #[arg(long = "engine", value_name = "CMD", required = true)]
    pub engines: Vec<OsString>,

    /// UCI option of both engines, or of one: `Hash=16`, `2:Skill Level=3`
    #[arg(long = "option", value_name = "[1:|2:]NAME=VALUE")]
    pub options: Vec<String>,

    /// Nodes a move of the first and the second engine; odds make games decisive
    #[arg(long, value_name = "A[,B]", value_delimiter = ',', required = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Vec<u64>,

    /// Games in the file when done
    #[arg(long, value_name = "N", required_unless_present = "decisive")]
    pub count: Option<u64>,

    /// Stop when the file has so many games with a winner
    #[arg(long, value_name = "N")]
    pub decisive: Option<u64>,

    /// PGN file to write or to continue
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Games at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Random half moves before the engines play
    #[arg(long, value_name = "P", default_value_t = 8,
          value_parser = clap::value_parser!(u32).range(0..=200))]
    pub plies: u32,

    /// Refuse openings that the first engine scores beyond this, either way
    #[arg(long, value_name = "CP", default_value_t = 150,
          value_parser = clap::value_parser!(i32).range(0..))]
    pub balance: i32,

    /// A side lost by CP in MOVES moves of its own in a row loses; `off` plays to the end
    #[arg(long, value_name = "CP,MOVES", default_value = "900,4")]
    pub resign: OrOff<ResignRule>,

    /// Let the loser's score alone decide a resignation, whatever the winner's
    #[arg(long)]
    pub resign_alone: bool,

    /// From MOVENUMBER on, a game within CP for MOVES moves of both sides is drawn; or `off`
    #[arg(long, value_name = "MOVENUMBER,CP,MOVES", default_value = "40,10,8")]
    pub draw: OrOff<DrawRule>,

    /// A draw after so many moves
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u32).range(1..=5000))]
    pub max_moves: u32,

    /// Write score, depth and nodes behind each move
    #[arg(long)]
    pub comments: bool,

    /// Event tag
    #[arg(long, default_value = "Engine games from random openings")]
    pub event: String,

    /// Longest wait for an engine's start, in seconds
    #[arg(long, value_name = "S", default_value_t = STARTUP_SECONDS,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub startup_timeout: u64,

    /// Longest wait for a move, in seconds
    #[arg(long, value_name = "S", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub move_timeout: u64,
}

impl GamesArgs {
    fn plan(&self) -> Result<Plan> {
        let (first, second) = match self.engines.as_slice() {
            [one] => (one, one),
            [first, second] => (first, second),
            _ => bail!(Usage(format!(
                "--engine is given {} times, more than twice",
                self.engines.len()
            ))),
        };
        let (first_nodes, second_nodes) = match *self.nodes.as_slice() {
            [both] => (both, both),
            [first, second] => (first, second),
            _ => bail!(Usage(format!(
                "--nodes has {} numbers, expected A or A,B",
                self.nodes.len()
            ))),
        };
        let spec = |index: usize, command: &OsString, nodes| -> Result<EngineSpec> {
            Ok(EngineSpec {
                command: command.clone(),
                options: self.options_of(index)?,
                nodes,
                startup_timeout: Duration::from_secs(self.startup_timeout),
                move_timeout: Duration::from_secs(self.move_timeout),
            })
        };
        Ok(Plan {
            engines: [spec(1, first, first_nodes)?, spec(2, second, second_nodes)?],
            opening: OpeningRule {
                plies: self.plies,
                balance: Some(self.balance),
            },
            rules: Rules {
                resign: self.resign.0,
                resign_needs_both: !self.resign_alone,
                mate_moves: None,
                draw: self.draw.0,
                max_moves: self.max_moves,
            },
            seed: self.seed,
            concurrency: self.concurrency.map_or_else(cores, usize::from),
        })
    }

    /// The options of engine 1 or 2.
    fn options_of(&self, engine: usize) -> Result<Vec<(String, String)>> {
        let mut options = Vec::new();
        for text in &self.options {
            let (only, assignment) = match text.split_once(':') {
                Some(("1", rest)) => (Some(1), rest),
                Some(("2", rest)) => (Some(2), rest),
                _ => (None, text.as_str()),
            };
            let Some((name, value)) = assignment.split_once('=') else {
                bail!(Usage(format!("--option {text:?}: expected NAME=VALUE")));
            };
            if text.contains(['\n', '\r']) || name.trim().is_empty() {
                bail!(Usage(format!(
                    "--option {text:?}: expected NAME=VALUE on one line"
                )));
            }
            if only.is_none_or(|index| index == engine) {
                options.push((name.trim().to_string(), value.trim().to_string()));
            }
        }
        Ok(options)
    }

    /// All that decides what a game looks like.
    fn settings(&self, plan: &Plan, pair: &Pair) -> Settings {
        let mut settings = Settings::default();
        for (number, (engine, spec)) in (1..).zip(pair.iter().zip(&plan.engines)) {
            settings.push(&format!("engine {number}"), engine.name());
            settings.push(&format!("command {number}"), spec.command.display());
            settings.push(&format!("options {number}"), engine.options_text());
            settings.push(&format!("nodes {number}"), spec.nodes);
        }
        settings.push("seed", self.seed);
        settings.push("plies", self.plies);
        settings.push("balance", self.balance);
        settings.push("resign", self.resign);
        settings.push("resign alone", self.resign_alone);
        settings.push("draw", self.draw);
        settings.push("max moves", self.max_moves);
        settings.push("comments", self.comments);
        settings
    }

    /// Whether a file with these games is finished.
    fn is_done(&self, tally: &Tally) -> bool {
        self.count.is_some_and(|count| tally.games() >= count)
            || self
                .decisive
                .is_some_and(|wanted| tally.decisive() >= wanted)
    }
}

/// Opens the file for this process alone and looks what it holds. Changes nothing in it.
fn open(path: &Path) -> Result<(OwnFile, Contents)> {
    refuse_packed_name(path)?;
    let file = open_alone(path)?;
    let contents = scan(BufReader::new(&*file)).with_context(|| {
        format!(
            "{}: is no file that this command can continue",
            path.display()
        )
    })?;
    Ok((file, contents))
}

/// Refuses a file that holds anything but games of these settings.
fn check_same_settings(contents: &Contents, settings: &Settings) -> Result<()> {
    if contents.end == 0 && contents.torn == 0 {
        return Ok(());
    }
    let Some(there) = contents
        .preface
        .as_deref()
        .and_then(|text| Settings::parse(MARK, text))
    else {
        bail!("its first game doesn't say with which settings it was played; choose another --out");
    };
    let differences = there.differences(settings);
    if !differences.is_empty() {
        bail!(
            "it was made with other settings:\n  {}",
            differences.join("\n  ")
        );
    }
    Ok(())
}

/// What came of a session.
#[derive(Default)]
struct Session {
    games: u64,
    broken: u64,
    plies: u64,
    endings: Vec<(Ending, u64)>,
}

impl Session {
    fn add(&mut self, game: &NumberedGame) {
        self.broken += u64::from(game.broken.is_some());
        self.games += 1;
        let Some(game) = &game.game else {
            return;
        };
        self.plies += (game.opening.moves.len() + game.choices.len()) as u64;
        let ending = game.ending;
        match self.endings.iter_mut().find(|(known, _)| *known == ending) {
            Some((_, count)) => *count += 1,
            None => self.endings.push((ending, 1)),
        }
    }
}

/// Runs the command. The exit code is 130 if the user has stopped it.
///
/// # Errors
/// Bad arguments, a file that can't be continued or written, an engine out of order.
pub fn run(args: &GamesArgs) -> Result<ExitCode> {
    let plan = args.plan()?;
    let stop = Stop::on_signals().context("can't watch for Ctrl-C")?;
    let outcome = play_into_file(args, &plan, &stop);
    let interrupted = match &outcome {
        Ok(goal) => *goal == Goal::Missed,
        Err(error) => matches!(error.downcast_ref(), Some(PlayError::Interrupted)),
    };
    if interrupted {
        note("stopped; the same command goes on from here");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    outcome.map(|_| ExitCode::SUCCESS)
}

/// Whether the file has all the games that were asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Reached,
    Missed,
}

fn play_into_file(args: &GamesArgs, plan: &Plan, stop: &Stop) -> Result<Goal> {
    let shown = args.out.display();
    // First, for an engine that isn't there is to leave no empty file.
    let pair = start_pair(plan, stop)?;
    pair.iter().for_each(UciEngine::tell_remarks);
    let (mut file, contents) = open(&args.out)?;
    let mut tally = contents.tally;
    let names = [0, 1].map(|i| format!("{} ({} nodes)", pair[i].name(), plan.engines[i].nodes));
    let names = told_apart(names);
    let settings = args.settings(plan, &pair);
    check_same_settings(&contents, &settings)
        .with_context(|| format!("{shown}: can't be continued"))?;
    file.set_len(contents.end)
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .with_context(|| format!("{shown}: can't be cut behind its last complete game"))?;
    if contents.torn > 0 {
        note(&format!(
            "{shown}: dropped a torn last game of {} bytes",
            contents.torn
        ));
    }
    if tally.games() > 0 {
        note(&format!("{shown}: goes on after game {}", tally.games()));
    }

    let preface = settings.to_text(MARK);
    let mut session = Session::default();
    let start = Instant::now();
    let bar = progress(args, &tally);
    let mut outcome = Ok(());
    if !args.is_done(&tally) {
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let end = args
            .count
            .map_or(usize::MAX, |count| place(count.saturating_add(1)));
        let numbers = place(tally.games() + 1)..end;
        outcome = play_games(plan, pair, numbers, stop, |numbered| {
            let first_is_white = first_is_white(numbered.number);
            let [white, black] = if first_is_white { [0, 1] } else { [1, 0] };
            let tags = GameTags {
                event: &args.event,
                number: numbered.number,
                white: &names[white],
                black: &names[black],
                preface: (numbered.number == 1).then_some(preface.as_str()),
                comments: args.comments,
            };
            // One write a game: a kill leaves at most this one torn.
            let broken = numbered.broken.as_deref();
            let text = match &numbered.game {
                Some(game) => write_game(&tags, game),
                None => write_abandoned(&tags, broken.unwrap_or_default()),
            };
            file.write_all(text.as_bytes())
                .with_context(|| format!("{shown}: can't be written"))?;
            match &numbered.game {
                Some(game) => tally.add(game.result, first_is_white),
                None => tally.abandoned += 1,
            }
            session.add(&numbered);
            if let Some(failure) = broken {
                let came = match numbered.game.is_some() {
                    true => "began anew after this:",
                    false => "is abandoned, it failed twice:",
                };
                let number = numbered.number;
                bar.suspend(|| note(&format!("warning: game {number} {came} {failure}")));
            }
            bar.set_message(format!(
                "+{} ={} -{}",
                tally.wins, tally.draws, tally.losses
            ));
            bar.set_position(done_of(args, &tally));
            Ok::<_, anyhow::Error>(match args.is_done(&tally) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        });
    }
    bar.finish_and_clear();
    synced(&args.out, file.sync_all()).with_context(|| format!("{shown}: can't be written"))?;
    print_summary(args, &names, &tally, &session, start.elapsed())?;
    match outcome {
        Err(error) if matches!(error.downcast_ref(), Some(PlayError::Engine(_))) => {
            let next = tally.games() + 1;
            Err(error.context(format!(
                "game {next} failed twice, and an engine seems to be out of order; {shown} has those \
                 before it"
            )))
        }
        Err(error) => Err(error),
        Ok(()) if args.is_done(&tally) => Ok(Goal::Reached),
        Ok(()) => Ok(Goal::Missed),
    }
}

/// Names with a number behind each that is another's too, so that all are different.
fn told_apart<const N: usize>(mut names: [String; N]) -> [String; N] {
    for place in 1..N {
        if names[..place].contains(&names[place]) {
            let numbered = (2..).map(|number| format!("{} ({number})", names[place]));
            let mut free = numbered.filter(|name| !names.contains(name));
            names[place] = free.next().unwrap_or_default();
        }
    }
    names
}

/// How much of the goal is reached, in the unit of [`progress`].
fn done_of(args: &GamesArgs, tally: &Tally) -> u64 {
    match args.count {
        Some(_) => tally.games(),
        None => tally.decisive(),
    }
}

fn progress(args: &GamesArgs, tally: &Tally) -> ProgressBar {
    let (goal, unit) = match (args.count, args.decisive) {
        (Some(count), _) => (count, "games"),
        (None, decisive) => (decisive.unwrap_or_default(), "decisive games"),
    };
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{msg}}, {{per_sec}}, {{eta}} left");
    let bar = bar(&template, goal);
    bar.set_position(done_of(args, tally));
    bar.reset_eta();
    bar
}

fn print_summary(
    args: &GamesArgs,
    [first, second]: &[String; 2],
    tally: &Tally,
    session: &Session,
    elapsed: Duration,
) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let percent = 100.0 * tally.decisive() as f64 / tally.games().max(1) as f64;
    writeln!(
        out,
        "{}: {} games, {} decisive ({percent:.1} %)",
        args.out.display(),
        tally.games(),
        tally.decisive(),
    )?;
    writeln!(
        out,
        "{first}: {} won, {} drawn, {} lost against {second}",
        tally.wins, tally.draws, tally.losses
    )?;
    if tally.abandoned > 0 {
        writeln!(
            out,
            "{} abandoned, which an engine failed twice",
            tally.abandoned
        )?;
    }
    if session.games > 0 {
        let rate = session.games as f64 / elapsed.as_secs_f64().max(1e-3);
        writeln!(
            out,
            "this session: {} games at {rate:.2} games/s, {:.0} plies a game, {} started anew",
            session.games,
            session.plies as f64 / session.games as f64,
            session.broken,
        )?;
        let mut endings = session.endings.clone();
        endings.sort_by_key(|(ending, count)| (u64::MAX - count, ending.to_string()));
        for (ending, count) in endings {
            writeln!(out, "  {count:6} {ending}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_of_one_name_are_told_apart() {
        let named = |names: [&str; 4]| told_apart(names.map(str::to_string)).join(", ");
        assert_eq!(named(["A", "B", "C", "D"]), "A, B, C, D");
        assert_eq!(named(["A", "A", "B", "A"]), "A, A (2), B, A (3)");
        // Also where another has the very name that the number would make.
        assert_eq!(
            named(["A", "A", "A (2)", "A (2)"]),
            "A, A (3), A (2), A (2) (2)"
        );
        assert_eq!(
            named(["A (2)", "A", "A", "A (2) (2)"]),
            "A (2), A, A (3), A (2) (2)"
        );
    }
}
