//! `tuner program`: programs that play endgames shown, simplified, tried and judged, and starts of endings.
//!
//! | file | job |
//! |---|---|
//! | `mod` | the command lines, starts, matches |
//! | `usage` | how often each node of a program's trees decides in games |
//! | `show` | the trees with that, as text and as a picture |
//! | `simplify` | the same choices by fewer nodes |
//! | `subject` | players by their names on the command line |
//! | `terminals` | what single terminals are worth |
//! | `judge` | how near to perfect play they are, and panels of positions for that |
//! | `engine_judge` | the same by a strong engine, where tables are too large |
//! | `lessons` | positions to learn perfect play from |

mod engine_judge;
mod judge;
mod lessons;
mod show;
mod simplify;
mod subject;
mod terminals;
mod usage;

use crate::base::files::{refuse_other, write_atomically};
use crate::base::room::{self, cores};
use crate::base::statistics::counted;
use crate::base::usage::Usage;
use crate::error::RunError;
use crate::fitness::endgame_players::Subject;
use crate::fitness::endgames::{Rules, Start, Tally, play_all, starts};
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use engine::epd::fields;
use engine::position::Game;
use engine::program::{self, Ending};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::PathBuf;
use subject::{MOST_PLIES, load, subject};

/// Moves of each side after which a game is judged by material, where nobody says: as many as in profiles.
const MOVES: u32 = 50;

/// Show, simplify, try and judge programs that play endgames, or draw starts.
#[derive(Debug, Args)]
pub struct ProgramArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print a program's trees with how often each node decides.
    Show(ShowArgs),
    /// Print random starts of an ending in which nothing is attacked, as EPD.
    Starts(StartsArgs),
    /// Play a match between two players.
    Match(MatchArgs),
    /// Play matches that tell what each terminal is worth, alone and to strong programs.
    Terminals(terminals::TerminalsArgs),
    /// Judge a player by endgame tables (moves that keep the value, wins converted, draws held) or by a strong engine.
    Judge(judge::JudgeArgs),
    /// Print positions of an ending that players meet, as EPD: a panel to judge by.
    Panel(judge::PanelArgs),
    /// Print positions of an ending that players meet with every move that keeps their value, as EPD: lessons for evolution.
    Lessons(lessons::LessonsArgs),
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// The program (*.sexp).
    file: PathBuf,
    /// Games in which its nodes are counted, against itself and against random moves in turn; 0 counts nothing.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(..=100_000))]
    games: u32,
    /// Seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write the trees as a picture, too.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Remove what never changes a choice in these games.
    #[arg(long)]
    simplify: bool,
    /// Write what is left by --simplify as a program.
    #[arg(long, value_name = "SEXP", requires = "simplify")]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct StartsArgs {
    /// The material of both sides: KRKR, KQRKQR.
    ending: String,
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The same seed gives the same starts.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Args)]
struct MatchArgs {
    /// A program (*.sexp), `random` for random moves, `engine` for Eyas with quiescence, or `evaluation` for Eyas without.
    first: PathBuf,
    /// Another.
    second: PathBuf,
    /// Plies that both look ahead, by plain alpha-beta with themselves at the leaves.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_PLIES))]
    depth: u32,
    /// Plies that the second looks ahead, if they are others.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_PLIES))]
    second_depth: Option<u32>,
    /// The ending; may be given several times [default: those of the first program].
    #[arg(long, value_name = "ENDING")]
    ending: Vec<String>,
    /// Games, an even number; each start is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = even)]
    games: u32,
    /// Moves of each side after which a game is judged by material.
    #[arg(long, value_name = "N", default_value_t = MOVES, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    moves: u32,
    /// Seed of starts and of draws between equal moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// A number of games in which each start is played with both colours.
fn even(text: &str) -> Result<u32, String> {
    let number: Option<u32> = text.parse().ok();
    let number = number.filter(|number| (2..=1_000_000).contains(number) && number % 2 == 0);
    number.ok_or_else(|| "expected an even number from 2 to 1000000".into())
}

/// A score with half of its 95 % interval, where games that are not all alike tell how wide it is.
fn score_text(tally: &Tally) -> (String, &'static str) {
    let (score, error) = (tally.score(), tally.error());
    match error > 0.0 {
        true => (format!("{score:.3} ± {:.3}", 1.96 * error), "95 %"),
        false => (
            format!("{score:.3} without an interval"),
            "all games have the same result",
        ),
    }
}

/// Does what was asked for, and says what there is to print.
///
/// # Errors
/// A program or an ending is refused, or a file can't be written.
pub fn program(args: &ProgramArgs) -> anyhow::Result<String> {
    match &args.command {
        Command::Show(args) => show(args),
        Command::Starts(args) => drawn_starts(args),
        Command::Match(args) => play_match(args),
        Command::Terminals(args) => terminals::run(args),
        Command::Judge(args) => judge::run(args),
        Command::Panel(args) => judge::make_panel(args),
        Command::Lessons(args) => lessons::run(args),
    }
}

fn show(args: &ShowArgs) -> anyhow::Result<String> {
    let mut program = load(&args.file)?;
    if let Some(out) = &args.out {
        let is_input = out.canonicalize().ok() == args.file.canonicalize().ok();
        anyhow::ensure!(
            !is_input,
            "{}: is what is shown, expected another file",
            out.display()
        );
        refuse_other(out, "a program", |head| head.starts_with(b"(program"))?;
    }
    if let Some(svg) = &args.svg {
        let title = show::TITLE.as_bytes();
        let is_own = |head: &[u8]| head.windows(title.len()).any(|part| part == title);
        refuse_other(svg, "the picture of a program", is_own)?;
    }
    let mut text = String::new();
    if args.simplify {
        let simplified = simplify::simplify(&program, args.games.max(2), args.seed)?;
        let _ = writeln!(text, "{}\n", simplified.text());
        program = simplified.program;
        if let Some(out) = &args.out {
            write_atomically(out, program.to_string().as_bytes())?;
        }
    }
    let used = usage::of_games(&program, args.games, args.seed)?;
    if let Some(path) = &args.svg {
        write_atomically(path, show::svg(&program, &used).as_bytes())?;
    }
    Ok(text + show::text(&program, &used).trim_end())
}

fn drawn_starts(args: &StartsArgs) -> anyhow::Result<String> {
    let ending: Ending = args.ending.parse()?;
    let positions = program::starts(&ending, args.seed, args.count as usize)?;
    let line = |(number, position)| format!("{} id \"{ending} {number}\";", fields(position));
    let lines: Vec<String> = (1..).zip(&positions).map(line).collect();
    Ok(lines.join("\n"))
}

fn play_match(args: &MatchArgs) -> anyhow::Result<String> {
    let depths = [args.depth, args.second_depth.unwrap_or(args.depth)];
    let paths = [&args.first, &args.second];
    let first = subject(paths[0], depths[0] as usize)?;
    let mut players = [first, subject(paths[1], depths[1] as usize)?];
    let programs = players.iter().map(|player| match player {
        Subject::Program(program, _) => Some(program),
        _ => None,
    });
    let endings = match (&args.ending[..], programs.clone().flatten().next()) {
        ([], Some(program)) => program.endings.clone(),
        ([], None) => bail!(Usage(
            "--ending: without a program there is no ending, expected one".into()
        )),
        (names, _) => {
            let endings = names.iter().map(|name| name.parse::<Ending>());
            endings.collect::<Result<_, _>>().context("--ending")?
        }
    };
    for (path, program) in paths.into_iter().zip(programs.collect::<Vec<_>>()) {
        let Some(program) = program else { continue };
        if let Some(ending) = endings.iter().find(|one| !program.endings.contains(one)) {
            let own: Vec<String> = program.endings.iter().map(Ending::to_string).collect();
            bail!(
                "{}: a program for {}, expected one for {ending}",
                path.display(),
                own.join(", ")
            );
        }
    }
    // Random moves come second, so that the same games are played whoever is named first.
    let is_turned = matches!(players, [Subject::Random, _]);
    if is_turned {
        players.reverse();
    }
    let rules = Rules {
        moves: args.moves,
        mate: 1,
        advantage: 1,
        draw: 0,
    };
    let count = args.games as usize / 2;
    let starts = starts(args.seed, 0, count, endings.len());
    let pool = room::pool(cores()).map_err(RunError::Threads)?;
    let of = |(number, starts): (usize, &[Start])| {
        let mut choose =
            |who: usize, game: &Game, seed| Ok(players[who].choose(game.position(), seed));
        let limits = (&rules, args.seed ^ number as u64);
        play_all(&mut choose, &endings, starts, limits, |_| ())
    };
    let tallies = pool.install(|| {
        let chunks = starts.par_chunks(5).enumerate();
        chunks.map(of).collect::<Result<Vec<Tally>, _>>()
    });
    let mut tally = Tally::default();
    for some in &tallies.map_err(RunError::from)? {
        tally.add(some);
    }
    if is_turned {
        tally = tally.turned();
    }
    Ok(match_text(args, depths, &endings, &tally))
}

fn match_text(args: &MatchArgs, depths: [u32; 2], endings: &[Ending], tally: &Tally) -> String {
    let names: Vec<String> = endings.iter().map(Ending::to_string).collect();
    let games = tally.games();
    let part = |count: u32| {
        format!(
            "{count} ({:.1} %)",
            100.0 * f64::from(count) / f64::from(games.max(1))
        )
    };
    let (score, reach) = score_text(tally);
    let [mates, mated] = tally.mates;
    let [ahead, behind] = tally.advantages;
    format!(
        "{}{} against {}{}, {}: {} of {:.1} moves\nscore {score} ({reach}; 1 for a mate or more material in the \
         end, ½ for a draw)\nmates {}, advantages {}, draws {}, disadvantages {}, mated {}",
        args.first.display(),
        judge::ahead(depths[0]),
        args.second.display(),
        judge::ahead(depths[1]),
        names.join(", "),
        counted(games as usize, "game"),
        tally.plies as f64 / 2.0 / f64::from(games.max(1)),
        part(mates),
        part(ahead),
        part(tally.draws),
        part(behind),
        part(mated),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An odd number would play one game more than was asked for.
    #[test]
    fn games_of_a_match_are_an_even_number() {
        assert_eq!((even("2"), even("1000000")), (Ok(2), Ok(1_000_000)));
        for text in ["3", "0", "1", "1000001", "1000002", "-2", "x"] {
            let expected = "expected an even number from 2 to 1000000";
            assert_eq!(even(text), Err(expected.to_string()), "{text}");
        }
    }
}
