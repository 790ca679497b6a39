//! What an expert engine knows, as EPD: `tuner mine` finds tactical positions in games, as a
//! suite; `tuner label` ([`label`]) has positions scored.
//!
//! [`tactic`] says what a tactical position is, [`expert`] what both commands have in common, [`crowd`]
//! how several engines score a position together. Here
//! are the command line of `tuner mine`, the games, the engines at work, and the file: games are
//! looked at in parallel and written in order, so a file that was interrupted goes on where it
//! ended and is in the end the same.

pub mod cache;
pub mod combine;
pub mod crowd;
pub mod expert;
pub mod growing;
pub mod label;
pub mod leaf;
pub mod tactic;

use crate::base::files::{refuse_irregular, sha256_of_file};
use crate::base::progress::{bar, note};
use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::base::usage::Usage;
use crate::base::workers;
use crate::data::pgn::{Game, Games, SkipReason};
use crate::data::sample::{Part, Shares, part_of};
use crate::data::summary::SHOWN;
use crate::play::failure_budget::{FailureBudget, Told, ending, twice};
use crate::play::player::PlayError;
use crate::play::settings::Settings;
use crate::play::uci::UciEngine;
use anyhow::{Result, ensure};
use engine::epd;
use engine::kind::TextKind;
use engine::position::Position;
use engine::san::to_san;
use engine::source::{Source, SourceError};
use engine::types::Move;
use expert::{ExpertArgs, nodes, stem, take};
use growing::Growing;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tactic::Rule;

/// What the file's first line begins with.
const MARK: &str = "# tuner mine: ";

/// Find tactical positions in games, with an engine's help.
///
/// In such a position one move is clearly best for an engine that thinks long, and it is another than
/// the engine's at first sight.
///
/// Looks at the games with a winner. Each position is searched by ever more nodes, always with an
/// empty table: --shallow must not find the move, --deep must find it and see --gap between it
/// and the second best, and so must twice and four times as many nodes. A file that exists already
/// is continued; at fixed nodes, an engine that plays reproducibly makes the same file on any
/// number of threads and however often it is interrupted. A game with which the engine breaks down twice
/// is left out; three in a row end the run.
#[derive(Clone, Debug, clap::Args)]
#[command(mut_arg("engines", |engine| {
    engine
        .help("UCI engine with its arguments; it needs the option MultiPV")
        .action(clap::ArgAction::Set)
}))]
#[command(mut_arg("options", |option| {
    option.help("UCI option of the engine: `Hash=16`").value_name("NAME=VALUE")
}))]
pub struct MineArgs {
    /// Games: PGN, plain or packed with gzip or zstd; any number of files.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub pgn: Vec<PathBuf>,
    /// The engine and the file.
    #[command(flatten)]
    pub expert: ExpertArgs,
    /// Stop when the file has so many positions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// Nodes at which the move must not be found yet.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = nodes)]
    pub shallow: u64,
    /// Nodes of a search that sorts most positions out: the move must show itself, by half of
    /// --gap [default: four times --shallow].
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub screen: Option<u64>,
    /// Nodes at which the move must be found; it is verified with twice and four times as many.
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = nodes)]
    pub deep: u64,
    /// Least difference between the best and the second best move, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 150,
          value_parser = clap::value_parser!(i32).range(1..=10_000))]
    pub gap: i32,
    /// Scores beyond this count as this, either way: nothing hangs on a move in a game that is won
    /// or lost all the same.
    #[arg(long, value_name = "CP", default_value_t = 600,
          value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub decided: i32,
    /// Least number of plies before a position, to leave out the opening.
    #[arg(long, default_value_t = 16, value_name = "PLY")]
    pub min_ply: u32,
    /// Rating that both players must have; without it, unrated games count too.
    #[arg(long, value_name = "ELO")]
    pub min_elo: Option<u16>,
    /// Only the games that `tuner positions` with this --split and --seed puts into this part.
    #[arg(long, value_name = "train|dev|test", value_parser = part, requires = "split")]
    pub part: Option<Part>,
    /// Shares of the games for train, dev and test, as weights.
    #[arg(long, value_name = "T,D,T", requires = "part")]
    pub split: Option<Shares>,
    /// Seed of the split.
    #[arg(long, default_value_t = 1, requires = "part")]
    pub seed: u64,
}

fn open(path: &Path) -> Result<Source, SourceError> {
    Source::open(path)?.expecting(TextKind::Games)
}

fn part(text: &str) -> Result<Part, String> {
    let found = Part::ALL.into_iter().find(|part| part.name() == text);
    found.ok_or_else(|| "expected train, dev or test".to_string())
}

/// A game to be looked at.
struct Candidate {
    /// From 1, through all files.
    number: usize,
    /// The file's name without its endings.
    file: String,
    game: Game,
}

/// The tactical positions of a game, with their plies and solutions.
type Tactics = Vec<(usize, Position, Move)>;

impl MineArgs {
    fn rule(&self) -> Rule {
        Rule {
            shallow: self.shallow,
            screen: self.screen.unwrap_or(4 * self.shallow),
            deep: self.deep,
            gap: self.gap,
            decided: self.decided,
        }
    }

    /// Refuses what no position could meet, before hours are spent on it.
    fn check(&self) -> Result<()> {
        ensure!(
            self.gap <= 2 * self.decided,
            Usage(format!(
                "--gap {}: scores count at most --decided {} on either side, expected {} or less",
                self.gap,
                self.decided,
                2 * self.decided
            ))
        );
        ensure!(
            self.shallow < self.deep,
            Usage(format!(
                "--shallow {} is not less than --deep {}, expected fewer nodes at first sight",
                self.shallow, self.deep
            ))
        );
        Ok(())
    }

    /// All that decides what the file looks like.
    fn settings(&self, engine: &UciEngine) -> Result<Settings> {
        let mut settings = expert::heading(engine);
        // Games are numbered through all files, so their order matters, and names may be the same.
        for (number, path) in (1..).zip(&self.pgn) {
            let name = match self.pgn.len() {
                1 => format!("sha256 of {}", stem(path)),
                _ => format!("sha256 of file {number}, {}", stem(path)),
            };
            settings.push(&name, sha256_of_file(path)?);
        }
        let rule = self.rule();
        settings.push("shallow", rule.shallow);
        settings.push("screen", rule.screen);
        settings.push("deep", rule.deep);
        settings.push("gap", rule.gap);
        settings.push("decided", rule.decided);
        settings.push("min ply", self.min_ply);
        let elo = self
            .min_elo
            .map_or("none".to_string(), |elo| elo.to_string());
        settings.push("min elo", elo);
        if let (Some(part), Some(Shares(shares))) = (self.part, self.split) {
            let part = part.name();
            settings.push("part", format!("{part} of {shares:?}, seed {}", self.seed));
        }
        Ok(settings)
    }

    /// Whether a file with so many positions is finished.
    fn is_done(&self, positions: usize) -> bool {
        self.count.is_some_and(|count| positions >= count as usize)
    }

    /// The games to be looked at, and how many games there are.
    fn games(&self) -> Result<(Vec<Candidate>, usize)> {
        let (mut kept, mut number) = (Vec::new(), 0);
        let (mut usable, mut why) = (0, None);
        let mut damaged = 0;
        for path in &self.pgn {
            let mut games = Games::new(open(path)?, self.min_elo);
            while let Some(read) = games.next_game()? {
                number += 1;
                let game = match read {
                    Ok(game) => game,
                    Err(skipped) => {
                        why = why.or(Some(skipped.reason));
                        if skipped.reason.is_damage() {
                            damaged += 1;
                            if damaged <= SHOWN {
                                note(&format!("damaged: {}", games.describe(&skipped)));
                            }
                        }
                        continue;
                    }
                };
                usable += 1;
                let wanted = match (self.part, self.split) {
                    (Some(part), Some(shares)) => part_of(game.id(), self.seed, shares) == part,
                    _ => true,
                };
                if wanted {
                    let mut game = game.clone();
                    game.moves.shrink_to_fit();
                    let file = stem(path);
                    kept.push(Candidate { number, file, game });
                }
            }
            ensure!(
                games.number() > 0,
                "{}: the file has no game",
                path.display()
            );
        }
        if damaged > SHOWN {
            note(&format!("damaged: {} more games", damaged - SHOWN));
        }
        let reason = why.map_or("", SkipReason::label);
        let names = self.pgn.iter().map(|path| path.display().to_string());
        ensure!(
            usable > 0,
            "{}: none of {} can be used, the first is {reason}",
            names.collect::<Vec<_>>().join(", "),
            counted(number, "game")
        );
        Ok((kept, number))
    }
}

/// Runs the command. The exit code is 130 if the user has stopped it.
///
/// # Errors
/// Bad arguments, games or a file that can't be read or continued, an engine out of order.
pub fn run(args: &MineArgs) -> Result<ExitCode> {
    expert::run(|stop| mine(args, stop))
}

/// Whether the file is finished.
fn mine(args: &MineArgs, stop: &Stop) -> Result<bool> {
    args.check()?;
    args.expert.check()?;
    let shown = args.expert.out.display();
    // A wrong name of a file or an engine should not leave an empty file behind.
    for path in &args.pgn {
        refuse_irregular("read", path)?;
        open(path)?;
        ensure!(*path != args.expert.out, "{shown} is named twice");
    }
    let engine = UciEngine::start(&args.expert.spec(args.deep), stop)?;
    engine.tell_remarks();
    engine.need_lines(2)?;
    let settings = args.settings(&engine)?;
    drop(engine);
    let (mut games, number_of_games) = args.games()?;
    let mut file = Growing::open(&args.expert.out, MARK, &settings)?;
    // The last game with a position may have more of them: it is looked at again.
    let last = file.last_number(1, "FILE.GAME.PLY")?;
    games.retain(|game| game.number >= last);
    let mut seen: HashSet<u64> = file.found.iter().map(|epd| epd.position.key()).collect();
    let before = seen.len();
    if before > 0 {
        note(&format!(
            "{shown}: goes on with game {last} and {before} positions"
        ));
    }
    file.begin()?;
    let template = "{bar:30} game {pos}/{len}, {msg}, {elapsed}, {eta} left";
    let bar = bar(template, number_of_games as u64);
    let mut looked_at = 0;
    let mut budget = FailureBudget::new(before > 0);
    if !args.is_done(before) {
        let look = |engine: &mut Option<UciEngine>, at: usize| {
            let start = || UciEngine::start(&args.expert.spec(args.deep), stop);
            let tactics = |engine: &mut UciEngine| tactics(args, &games[at], engine);
            Ok(twice(engine, start, tactics))
        };
        workers::in_order(
            args.expert.threads(),
            0..games.len(),
            stop,
            || anyhow::Ok(None),
            look,
            |told: Told<Tactics>| {
                ending(stop, || {
                    let (tactics, warning) = take(told, &mut budget)?;
                    looked_at += 1;
                    let game = &games[looked_at - 1];
                    if let Some(warning) = warning {
                        bar.suspend(|| note(&format!("warning: game {} {warning}", game.number)));
                    }
                    let mut text = String::new();
                    for (ply, position, best) in tactics.unwrap_or_default() {
                        if !args.is_done(seen.len()) && seen.insert(position.key()) {
                            text.push_str(&line(game, ply, &position, best));
                        }
                    }
                    // One write a game: a kill leaves at most a line torn.
                    file.write(&text)?;
                    bar.set_position(game.number as u64);
                    bar.set_message(format!("{} positions", seen.len()));
                    Ok(match args.is_done(seen.len()) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    })
                })
            },
        )?;
    }
    bar.finish_and_clear();
    file.finish()?;
    let found = seen.len();
    note(&format!(
        "{found} positions in {shown}, {} of them new, from {looked_at} games",
        found - before
    ));
    if let Some(count) = args.count
        && found < count as usize
        && looked_at == games.len()
    {
        note(&format!("the games have no more; {count} were asked for"));
    }
    Ok(looked_at == games.len() || args.is_done(found))
}

/// The tactical positions of a game.
fn tactics(
    args: &MineArgs,
    game: &Candidate,
    engine: &mut UciEngine,
) -> Result<Tactics, PlayError> {
    let rule = args.rule();
    let mut found = Vec::new();
    let skipped = args.min_ply.saturating_sub(game.game.first_ply()) as usize;
    for (index, fen) in game.game.fens().iter().enumerate().skip(skipped) {
        // An EPD has no clocks, so the position is judged without them. It is legal: the reader of
        // games has played these moves from a position that the engine took.
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let Ok(position) = Position::from_fen(&format!("{} 0 1", fields.join(" "))) else {
            continue;
        };
        if let Some(best) = rule.solution(engine, &position)? {
            found.push((game.game.first_ply() as usize + index, position, best));
        }
    }
    Ok(found)
}

/// A line of the file.
fn line(game: &Candidate, ply: usize, position: &Position, best: Move) -> String {
    format!(
        "{} bm {}; id \"{}.{}.{ply}\"; c0 \"{}, ply {ply}, gid {}\";\n",
        epd::fields(position),
        to_san(position, best),
        game.file,
        game.number,
        game.game.tags.heading(),
        game.game.id().digits(),
    )
}
