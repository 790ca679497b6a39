//! `tuner positions`: games in PGN → training, development and test positions in EPD.
//!
//! One pass over the files. Memory holds the positions kept and nothing else: about 300 bytes for
//! each, so that the default bound of a million positions a file stays below 0.3 GiB a file,
//! however many games there are. Imports the other modules of [`super`]
//! and [`crate::base::files`].

use super::pgn::{Game, Games, SkipReason, Skipped};
use super::sample::{Drawn, DrawnGame, Part, Sample, Shares, draw, part_of, priority};
use super::summary::{SHOWN, Summary, Written};
use crate::base::files::{
    first_other_line, refuse_packed_name, replaceable, sha256, sha256_of_file, write_atomically,
};
use crate::base::usage::Usage;
use crate::data::SHIPPED_SAMPLES;
use anyhow::{Context, Result, bail, ensure};
use engine::kind::TextKind;
use engine::source::{Source, SourceError};
use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{Color, EnPassantMode};
use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Positions in a file at most where nobody says.
const MOST_POSITIONS: usize = 1_000_000;

/// Make training positions (EPD) of games (PGN).
///
/// Each position has the winner to move, and the move that was played.
/// Each decisive game gives one position (or K) drawn at random among those in which the eventual
/// winner is to move. With --any-side it is any position, whoever is to move, and with --any-result drawn
/// games give one too: so experts' scores are learnt (`tuner label --depth`). A game belongs to one of the files for good: a hash of its players, its
/// moves and the seed decides, so that no game is in two files, whatever the order of the input.
/// Files begin with the first position of every game, then come the second ones, and so on, each
/// time in the same random order of games; so the first lines of a file are a random sample too.
#[derive(Clone, Debug, clap::Args)]
pub struct PositionsArgs {
    /// Games: PGN, plain or packed with gzip or zstd; any number of files or pipes.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub pgn: Vec<PathBuf>,
    /// Where training positions go.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Where development positions go, for choosing readings and bounds.
    #[arg(long, value_name = "FILE")]
    pub dev: Option<PathBuf>,
    /// Where test positions go, to be read once at the end.
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// Shares of the games for train, dev and test, as weights. Unless given, 0.2 go to each of
    /// --dev and --test that is named, the rest to train. Games whose share has no file are left
    /// out.
    #[arg(long, value_name = "T,D,T")]
    pub split: Option<Shares>,
    /// Positions in the training file at most; of more, those of a random choice of games
    /// [default: 1000000].
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// The same for the development file; as --count unless given.
    #[arg(long, value_name = "N", requires = "dev")]
    pub dev_count: Option<usize>,
    /// The same for the test file; as --count unless given.
    #[arg(long, value_name = "N", requires = "test")]
    pub test_count: Option<usize>,
    /// Positions drawn from each game.
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = at_least_one)]
    pub per_game: usize,
    /// Positions with either side to move, and the move that it played, good or bad.
    #[arg(long)]
    pub any_side: bool,
    /// Drawn games too; games without a result are left out all the same.
    #[arg(long, requires = "any_side")]
    pub any_result: bool,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Least number of plies before a position, to leave out the opening book.
    #[arg(long, default_value_t = 16, value_name = "PLY")]
    pub min_ply: u32,
    /// Greatest number of plies before a position.
    #[arg(long, default_value_t = 100, value_name = "PLY")]
    pub max_ply: u32,
    /// Rating that both players must have; without it, unrated games count too.
    #[arg(long, value_name = "ELO")]
    pub min_elo: Option<u16>,
    /// Also write which games are in which file: lines of `train`, `dev` or `test` and a game's id.
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Also replace files that this command has not made.
    #[arg(long)]
    pub force: bool,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1000) => Ok(number),
        _ => Err("expected a number from 1 to 1000".to_string()),
    }
}

/// Runs the command; the summary goes to stderr.
///
/// # Errors
/// A file that can't be read, or no position at all; then nothing has been written. A file that
/// can't be written; those before it have been.
pub fn run(args: &PositionsArgs) -> Result<()> {
    let summary = extract(args)?;
    // Whether or not anybody reads it.
    let _ = write!(std::io::stderr(), "{summary}");
    Ok(())
}

/// One of the three files to be written.
struct Output {
    part: Part,
    path: PathBuf,
    asked: Option<usize>,
    count: usize,
    sample: Sample,
}

impl Output {
    fn new(part: Part, path: &Path, asked: Option<usize>) -> Output {
        let count = asked.unwrap_or(MOST_POSITIONS);
        // An eighth more is kept than is written, against duplicate positions.
        let sample = Sample::new(count.saturating_add(count / 8).saturating_add(16));
        Output {
            part,
            path: path.to_path_buf(),
            asked,
            count,
            sample,
        }
    }
}

/// Reads the games and writes the files.
///
/// # Errors
/// As [`run`].
pub fn extract(args: &PositionsArgs) -> Result<Summary> {
    ensure!(
        args.min_ply <= args.max_ply,
        Usage(format!(
            "--min-ply {} is greater than --max-ply {}",
            args.min_ply, args.max_ply
        ))
    );
    let (mut outputs, shares) = plan(args)?;
    check_paths(args)?;
    // All files are looked at before the first is read: a wrong name should not cost an hour.
    let mut opened = Vec::new();
    for path in &args.pgn {
        let source = open(path)?;
        // A pipe has no second beginning; of files there may be more than can be open at a time.
        opened.push((!path.is_file()).then_some(source));
    }
    let mut summary = Summary::default();
    let progress = progress_bar();
    let start = Instant::now();
    for (path, opened) in args.pgn.iter().zip(opened) {
        let source = match opened {
            Some(source) => source,
            None => open(path)?,
        };
        let mut games = Games::new(source, args.min_elo);
        if args.any_result {
            games = games.with_draws();
        }
        read_file(args, games, shares, &mut outputs, &mut summary, &progress)
            .with_context(|| format!("nothing was written; reading {} failed", path.display()))?;
    }
    summary.elapsed = start.elapsed();
    progress.finish_and_clear();
    finish(args, &outputs, summary)
}

fn open(path: &Path) -> Result<Source, SourceError> {
    Source::open(path)?.expecting(TextKind::Games)
}

fn plan(args: &PositionsArgs) -> Result<(Vec<Output>, Shares)> {
    let mut outputs = vec![Output::new(Part::Train, &args.out, args.count)];
    if let Some(path) = &args.dev {
        outputs.push(Output::new(Part::Dev, path, args.dev_count.or(args.count)));
    }
    if let Some(path) = &args.test {
        outputs.push(Output::new(
            Part::Test,
            path,
            args.test_count.or(args.count),
        ));
    }
    let dev = if args.dev.is_some() { 0.2 } else { 0.0 };
    let test = if args.test.is_some() { 0.2 } else { 0.0 };
    let shares = args.split.unwrap_or(Shares([1.0 - dev - test, dev, test]));
    for output in &outputs {
        let name = output.part.name();
        ensure!(
            shares.0[output.part as usize] > 0.0,
            Usage(format!(
                "--split gives {name} no games, but {} is to be written",
                output.path.display()
            ))
        );
        ensure!(
            output.count > 0,
            Usage(format!("the number of positions for {name} is 0"))
        );
    }
    Ok((outputs, shares))
}

/// No file may be written twice, nor over its own input, nor over what is no file or not made here.
fn check_paths(args: &PositionsArgs) -> Result<()> {
    let written = [
        Some(&args.out),
        args.dev.as_ref(),
        args.test.as_ref(),
        args.list.as_ref(),
    ];
    let mut seen: HashSet<PathBuf> = args.pgn.iter().map(|path| real(path)).collect();
    for path in written.into_iter().flatten() {
        refuse_packed_name(path)?;
        replaceable(path)?;
        ensure!(seen.insert(real(path)), "{} is named twice", path.display());
    }
    let positions = [Some(&args.out), args.dev.as_ref(), args.test.as_ref()];
    let positions = positions.into_iter().flatten();
    let is_own: [fn(&str) -> bool; 2] = [is_position_line, is_list_line];
    let files = positions.map(|path| (path, is_own[0]));
    let files = files.chain(args.list.as_ref().map(|path| (path, is_own[1])));
    for (path, is_own) in files.filter(|_| !args.force) {
        if let Some(line) = first_other_line(path, is_own)? {
            bail!(
                "{}: line {line} is none that `tuner positions` writes here, and the file would be \
                 replaced; name another file, or add --force",
                path.display()
            );
        }
        if path.is_file() && SHIPPED_SAMPLES.contains(&sha256_of_file(path)?.as_str()) {
            bail!(
                "{}: this is the shipped sample, which the shipped profiles learn from, and would be \
                 replaced; name another file, or add --force",
                path.display()
            );
        }
    }
    Ok(())
}

/// Whether a line of an EPD file may be of this command: see [`arrange`].
fn is_position_line(line: &str) -> bool {
    let end = line
        .strip_suffix("\";")
        .and_then(|line| line.rsplit_once(", gid "));
    end.is_some_and(|(rest, gid)| {
        is_game_id(gid) && rest.contains(" bm ") && rest.contains("; c0 \"")
    })
}

/// The same of a line of `--list`.
fn is_list_line(line: &str) -> bool {
    let parts = line.split_once(' ');
    parts.is_some_and(|(part, id)| {
        Part::ALL.into_iter().any(|known| known.name() == part) && is_game_id(id)
    })
}

fn is_game_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The same path for the same file, however it is written, even if it is not there yet.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    let in_folder = || Some(folder.ok()?.join(path.file_name()?));
    (path.canonicalize().ok().or_else(in_folder)).unwrap_or_else(|| path.to_path_buf())
}

fn progress_bar() -> ProgressBar {
    // Hidden by itself where stderr is no terminal.
    let style = ProgressStyle::with_template("{spinner} {human_pos} games, {per_sec}, {elapsed}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

fn read_file(
    args: &PositionsArgs,
    mut games: Games,
    shares: Shares,
    outputs: &mut [Output],
    summary: &mut Summary,
    progress: &ProgressBar,
) -> Result<()> {
    let mut candidates = Vec::new();
    let mut count = 0;
    let path = games.path().to_path_buf();
    while let Some(read) = games.next_game()? {
        count += 1;
        summary.games += 1;
        if count % 4096 == 0 {
            progress.set_position(summary.games);
        }
        let skipped = match read {
            Err(skipped) => skipped,
            Ok(game) => {
                candidates.clear();
                candidates.extend(candidate_plies(args, game));
                if candidates.is_empty() {
                    Skipped {
                        reason: SkipReason::TooShort,
                        detail: String::new(),
                    }
                } else {
                    summary.latin1 += u64::from(game.tags.is_latin1());
                    keep(args, game, &mut candidates, shares, outputs, summary);
                    continue;
                }
            }
        };
        summary.skipped[skipped.reason as usize] += 1;
        if skipped.reason.is_damage() {
            summary.all_damaged += 1;
            if summary.damaged.len() < SHOWN {
                summary.damaged.push(games.describe(&skipped));
            }
        }
    }
    ensure!(count > 0, "{}: the file has no game", path.display());
    Ok(())
}

/// Indices of the moves that the winner, or either side, made from positions in range.
fn candidate_plies(args: &PositionsArgs, game: &Game) -> impl Iterator<Item = usize> {
    let first_ply = game.first_ply();
    let range = args.min_ply..=args.max_ply;
    (0..game.moves.len()).filter(move |&index| {
        (args.any_side || Some(game.turn_at(index)) == game.winner)
            && range.contains(&first_ply.saturating_add(index as u32))
    })
}

fn keep(
    args: &PositionsArgs,
    game: &Game,
    candidates: &mut [usize],
    shares: Shares,
    outputs: &mut [Output],
    summary: &mut Summary,
) {
    let id = game.id();
    let part = part_of(id, args.seed, shares);
    let Some(output) = outputs.iter_mut().find(|output| output.part == part) else {
        summary.without_file += 1;
        return;
    };
    output.sample.add(priority(id, args.seed), || {
        let drawn = draw(candidates, args.per_game, id, args.seed);
        let result = match game.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        DrawnGame {
            id,
            heading: format!("{}, {result}", game.tags.heading()),
            positions: drawn
                .iter()
                .map(|index| position_at(game, *index))
                .collect(),
        }
    });
}

fn position_at(game: &Game, index: usize) -> Drawn {
    let position = game.position_at(index);
    Drawn {
        fen: Epd::from_position(&position, EnPassantMode::Legal).to_string(),
        san: SanPlus::from_move(position, game.moves[index]).to_string(),
        ply: game.first_ply() + index as u32,
    }
}

/// The texts of the files, in the order of `outputs`.
struct Text<'a> {
    output: &'a Output,
    lines: String,
    positions: usize,
    games: HashSet<u64>,
    /// Those that were looked at, though all of their positions may have been there before.
    tried: HashSet<u64>,
}

/// Drops duplicate positions and puts the rest in order: round by round, in each round the games
/// by priority. Test and dev come before train, so that in a round it is train that loses a position
/// that several have.
fn arrange<'a>(outputs: &'a [Output], per_game: usize) -> (Vec<Text<'a>>, u64) {
    let mut texts: Vec<Text<'a>> = outputs
        .iter()
        .map(|output| Text {
            output,
            lines: String::new(),
            positions: 0,
            games: HashSet::new(),
            tried: HashSet::new(),
        })
        .collect();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut duplicates = 0;
    for round in 0..per_game {
        for text in texts.iter_mut().rev() {
            for game in text.output.sample.games() {
                if text.positions >= text.output.count {
                    break;
                }
                text.tried.insert(game.id.bits);
                let Some(drawn) = game.positions.get(round) else {
                    continue;
                };
                if !seen.insert(&drawn.fen) {
                    duplicates += 1;
                    continue;
                }
                text.lines.push_str(&format!(
                    "{} bm {}; c0 \"{}, ply {}, gid {}\";\n",
                    drawn.fen,
                    drawn.san,
                    game.heading,
                    drawn.ply,
                    game.id.digits()
                ));
                text.positions += 1;
                text.games.insert(game.id.bits);
            }
        }
    }
    (texts, duplicates)
}

fn finish(args: &PositionsArgs, outputs: &[Output], mut summary: Summary) -> Result<Summary> {
    let (texts, duplicates) = arrange(outputs, args.per_game);
    summary.duplicate_positions = duplicates;
    for output in outputs {
        summary.duplicate_games += output.sample.duplicates();
    }
    for text in &texts {
        if text.positions == 0 {
            bail!(
                "no position for {}; nothing was written\n{summary}",
                text.output.path.display()
            );
        }
    }
    let mut list = String::new();
    for text in &texts {
        for game in text.output.sample.games() {
            if text.games.contains(&game.id.bits) {
                list.push_str(&format!(
                    "{} {}\n",
                    text.output.part.name(),
                    game.id.digits()
                ));
            }
        }
        write_atomically(&text.output.path, text.lines.as_bytes())?;
        summary.written.push(Written {
            path: text.output.path.clone(),
            games: text.games.len(),
            positions: text.positions,
            asked: text.output.asked,
            not_needed: text.output.sample.crowded_out()
                + (text.output.sample.games().count() - text.tried.len()) as u64,
            sha256: sha256(text.lines.as_bytes()),
        });
    }
    if let Some(path) = &args.list {
        write_atomically(path, list.as_bytes())?;
    }
    Ok(summary)
}
