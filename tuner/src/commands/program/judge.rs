//! `tuner program judge` and `tuner program panel`: how near to perfect a player is, and the positions to judge it by.

use super::engine_judge::EngineArgs;
use super::subject::{MOST_PLIES, subject};
use crate::base::room::{self, cores};
use crate::base::statistics::{rate_text, thousands};
use crate::error::RunError;
use crate::fitness::endgame_players::Subject;
use crate::fitness::perfect_play::{Judgement, Perfect, Trial, Won, judge, met};
use anyhow::{Context as _, bail};
use clap::{ArgGroup, Args};
use engine::epd::fields;
use engine::epd_lines::EpdLines;
use engine::mixing::scramble;
use engine::position::Position;
use engine::program::Ending;
use engine::tablebase::Tablebase;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Moves of each side in a game at most, as in profiles.
const MOVES: u32 = 50;

/// Seed of the panels that are shipped, and of games with perfect play.
const SEED: u64 = 65;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("by").args(["tables", "engine"]).required(true)))]
pub struct JudgeArgs {
    /// A program (*.sexp), `random` for random moves, `engine` for Eyas with quiescence, or `evaluation` for Eyas without.
    player: PathBuf,
    /// Plies that the player looks ahead, by plain alpha-beta with itself at the leaves.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_PLIES))]
    depth: u32,
    /// Positions of one ending, met in play (EPD, also packed); may be given several times.
    #[arg(long, value_name = "EPD", required = true)]
    panel: Vec<PathBuf>,
    /// A folder of Syzygy tables (*.rtbw and *.rtbz); may be given several times.
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Drawn starts to hold.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(..=100_000))]
    starts: u32,
    /// Moves of each side in games.
    #[arg(long, value_name = "N", default_value_t = MOVES, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    moves: u32,
    /// Seed of starts and of draws between equal moves.
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
}

#[derive(Debug, Args)]
pub struct PanelArgs {
    /// The material of both sides: KRKR, KQKQ.
    ending: String,
    /// Players that meet the positions in equal parts, each in games against itself: a program (*.sexp), `random`,
    /// `engine` or `evaluation`.
    #[arg(required = true)]
    players: Vec<PathBuf>,
    /// How many positions.
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Moves of each side in a game.
    #[arg(long, value_name = "N", default_value_t = MOVES, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    moves: u32,
    /// The same seed gives the same positions.
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
}

/// The positions of a file, all of one ending.
fn panel(path: &Path) -> anyhow::Result<(Ending, Vec<Position>)> {
    let mut lines = EpdLines::open(path)?;
    let mut positions = Vec::new();
    let mut ending = None;
    while let Some((line, read)) = lines.next_position() {
        let at = || format!("{}: line {line}", path.display());
        let position = read.with_context(at)?.position;
        let own = Ending::of(&position);
        let first = *ending.get_or_insert(own);
        if own != first {
            bail!(
                "{}: a position of {own}, expected {first} as in the first",
                at()
            );
        }
        if !position.has_legal_move() {
            bail!(
                "{}: expected a position with a legal move, found mate or stalemate",
                at()
            );
        }
        positions.push(position);
    }
    match ending {
        Some(ending) => Ok((ending, positions)),
        None => bail!("{}: has no position, expected at least one", path.display()),
    }
}

/// That a player is for an ending.
pub fn check(player: &Path, subject: &Subject, sample: &Position) -> anyhow::Result<()> {
    let Subject::Program(program, _) = subject else {
        return Ok(());
    };
    if program.endings.iter().any(|ending| ending.is_of(sample)) {
        return Ok(());
    }
    let own: Vec<String> = program.endings.iter().map(Ending::to_string).collect();
    let (own, ending) = (own.join(", "), Ending::of(sample));
    bail!(
        "{}: a program for {own}, expected one for {ending}",
        player.display()
    )
}

/// Judges a player by each panel.
///
/// # Errors
/// A file or the tables are refused, or the tables don't know the ending.
pub fn run(args: &JudgeArgs) -> anyhow::Result<String> {
    let subject = subject(&args.player, args.depth as usize)?;
    let mut panels = Vec::new();
    for path in &args.panel {
        let (ending, positions) = panel(path)?;
        if let Some(first) = positions.first() {
            check(&args.player, &subject, first)?;
        }
        panels.push((path, ending, positions));
    }
    if args.engine.is_given() {
        return by_engine(args, &subject, &panels);
    }
    let tables = Tablebase::open(&args.tables).context("--tables")?;
    let most = tables.max_pieces();
    if let Some((path, ending, _)) = panels.iter().find(|(_, ending, _)| ending.men() > most) {
        let (path, men) = (path.display(), ending.men());
        bail!(
            "{path}: {ending} has {men} men, expected tables that know so many; these go up to {most}"
        );
    }
    let trial = Trial {
        moves: args.moves,
        starts: args.starts as usize,
        seed: args.seed,
    };
    let pool = room::pool(cores()).map_err(RunError::Threads)?;
    let mut texts = Vec::new();
    for (path, ending, positions) in &panels {
        let judged = || judge(&subject, Perfect(&tables), (ending, positions), &trial);
        let judgement = pool
            .install(judged)
            .with_context(|| path.display().to_string())?;
        let said = said(&judgement, args.moves);
        texts.push(heading(args, (path, ending, positions), &said));
    }
    Ok(texts.join("\n\n"))
}

/// The same by an engine, which judges moves alone.
fn by_engine(
    args: &JudgeArgs,
    subject: &Subject,
    panels: &[(&PathBuf, Ending, Vec<Position>)],
) -> anyhow::Result<String> {
    let mut texts = Vec::new();
    for (path, ending, positions) in panels {
        let judged = args.engine.judge(subject, positions, args.seed);
        // What other panels have come to is not lost with this one.
        let here = || {
            [&texts[..], &[path.display().to_string()]]
                .concat()
                .join("\n\n")
        };
        let said = judged.with_context(here)?;
        texts.push(heading(args, (path, ending, positions), &said));
    }
    Ok(texts.join("\n\n"))
}

/// Who was judged by what, and what came of it.
fn heading(
    args: &JudgeArgs,
    (path, ending, positions): (&Path, &Ending, &[Position]),
    said: &str,
) -> String {
    format!(
        "{}{}, {ending}, {} positions of {}\n{said}",
        args.player.display(),
        ahead(args.depth),
        thousands(positions.len() as u64),
        path.display(),
    )
}

/// How far a player looks, in words, if it is further than one ply.
pub fn ahead(depth: u32) -> String {
    match depth {
        0 | 1 => String::new(),
        _ => format!(" {depth} plies ahead"),
    }
}

/// Some of all, in words.
fn part(some: usize, all: usize) -> String {
    match all {
        0 => "there were none".to_string(),
        _ => rate_text(some as u32, all),
    }
}

/// A judgement in three lines.
fn said(judgement: &Judgement, moves: u32) -> String {
    let Judgement { kept, wins, draws } = judgement;
    let count = |kind| wins.iter().filter(|&&won| won == kind).count();
    let [mates, ahead, lost] = [Won::Mate, Won::Ahead, Won::Lost].map(count);
    let (starts, held) = *draws;
    format!(
        "moves that keep the value: {:.2} %; weighted by how many legal moves lose it: {:.2} %\n\
         wins converted: {}: {mates} mates, {ahead} ahead and still won after {moves} moves; {lost} thrown away\n\
         drawn starts held for {moves} moves: {}",
        100.0 * kept.share(),
        100.0 * kept.weighted_share(),
        part(mates + ahead, wins.len()),
        part(held, starts),
    )
}

/// Positions of an ending, as EPD.
///
/// # Errors
/// A player or the ending is refused, or its games have too few positions.
pub fn make_panel(args: &PanelArgs) -> anyhow::Result<String> {
    let ending: Ending = args.ending.parse()?;
    let count = args.players.len();
    let mut known = HashSet::new();
    let mut text = format!(
        "# {ending}, seed {}: positions that players meet in games against themselves",
        args.seed
    );
    for (number, name) in args.players.iter().enumerate() {
        let subject = subject(name, 1)?;
        let sample = engine::program::start(&ending, args.seed)?;
        check(name, &subject, &sample)?;
        // What can't be shared out equally goes to the first.
        let all = args.count as usize;
        let wanted = all / count + usize::from(number < all % count);
        let seed = scramble(args.seed ^ number as u64);
        let met = met(&subject, &ending, &mut known, wanted, (args.moves, seed));
        let met = met.with_context(|| name.display().to_string())?;
        let _ = write!(text, "\n# by {}: {wanted}", name.display());
        for position in &met {
            let _ = write!(text, "\n{}", fields(position));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::syzygy::Tables;

    fn panel_args(players: &[&str]) -> PanelArgs {
        PanelArgs {
            ending: "KRKR".into(),
            players: players.iter().map(PathBuf::from).collect(),
            count: 7,
            moves: 20,
            seed: 1,
        }
    }

    /// Seven of two players are four and three; a panel is read back as what it was made of.
    #[test]
    fn a_panel_is_made_and_judged_by() {
        let text = make_panel(&panel_args(&["random", "engine"])).unwrap();
        assert_eq!(
            text,
            make_panel(&panel_args(&["random", "engine"])).unwrap()
        );
        assert!(text.contains("\n# by random: 4\n") && text.contains("\n# by engine: 3\n"));
        let made = Tables::of(&[("KRvK", 2), ("KRvKR", 0)], true);
        made.write("panel.epd", text.as_bytes());
        let (ending, positions) = panel(&made.path().join("panel.epd")).unwrap();
        assert_eq!((ending.to_string().as_str(), positions.len()), ("KRKR", 7));

        let rooks = "(program (version 1) (endings KRKR) (advantage 2/1000) (even 2/1000) (disadvantage 2/1000))";
        made.write("rooks.sexp", rooks.as_bytes());
        made.write("queens.sexp", rooks.replace("KRKR", "KQKQ").as_bytes());
        let two = format!("{text}\n8/8/8/8/8/8/1Q6/K6k w - -\n");
        made.write("two.epd", two.as_bytes());
        let judged = |player: &str, panel: &str, tables: &Path| {
            let args = JudgeArgs {
                player: match player {
                    "random" => player.into(),
                    _ => made.path().join(player),
                },
                panel: vec![made.path().join(panel)],
                tables: vec![tables.to_path_buf()],
                engine: EngineArgs::default(),
                depth: 1,
                starts: 4,
                moves: 5,
                seed: 1,
            };
            run(&args).map_err(|error| format!("{error:#}"))
        };
        let said = judged("random", "panel.epd", made.path()).unwrap();
        assert!(said.contains("KRKR, 7 positions of"), "{said}");
        assert!(said.contains(" of 4 ("), "{said}");
        // A program that plays any move draws as random moves do.
        let same = judged("rooks.sexp", "panel.epd", made.path()).unwrap();
        assert_eq!(
            said.lines().skip(1).collect::<Vec<_>>(),
            same.lines().skip(1).collect::<Vec<_>>()
        );

        let error = judged("queens.sexp", "panel.epd", made.path()).unwrap_err();
        assert!(
            error.contains("a program for KQKQ, expected one for KRKR"),
            "{error}"
        );
        let error = judged("random", "two.epd", made.path()).unwrap_err();
        assert!(
            error.contains("a position of KQK, expected KRKR"),
            "{error}"
        );
        let empty = Tables::new();
        let error = judged("random", "panel.epd", empty.path()).unwrap_err();
        assert!(error.contains("has no Syzygy tables"), "{error}");
        let queens = Tables::of(&[("KQvK", 2)], true);
        let error = judged("random", "panel.epd", queens.path()).unwrap_err();
        assert!(
            error.contains("KRKR has 4 men, expected tables that know so many"),
            "{error}"
        );
    }
}
