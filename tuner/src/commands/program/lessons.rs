//! `tuner program lessons`: positions to learn from, with every move that keeps what they are worth.

use super::judge::check;
use super::subject::subject;
use crate::base::room::{self, cores};
use crate::error::RunError;
use crate::fitness::perfect_play::Perfect;
use crate::fitness::perfect_play::lessons::lessons;
use anyhow::Context as _;
use clap::Args;
use engine::epd::fields;
use engine::epd_lines::EpdLines;
use engine::mixing::scramble;
use engine::program::Ending;
use engine::san::to_san;
use engine::tablebase::Tablebase;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct LessonsArgs {
    /// The material of both sides: KRKR, KQKQ.
    ending: String,
    /// Players that meet the positions in equal parts, each in games against itself and against perfect play: a program
    /// (*.sexp), `random`, `engine` or `evaluation`.
    #[arg(required = true)]
    players: Vec<PathBuf>,
    /// A folder of Syzygy tables (*.rtbw); may be given several times.
    #[arg(long, value_name = "DIR", required = true)]
    tables: Vec<PathBuf>,
    /// How many positions.
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Leave out the positions of this file (EPD, also packed), by which programs are judged; may be given several times.
    #[arg(long, value_name = "EPD")]
    not: Vec<PathBuf>,
    /// Moves of each side in a game.
    #[arg(long, value_name = "N", default_value_t = super::MOVES, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    moves: u32,
    /// The same seed gives the same positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Adds the positions of a file.
fn add_all(path: &Path, known: &mut HashSet<String>) -> anyhow::Result<()> {
    let mut lines = EpdLines::open(path)?;
    while let Some((line, read)) = lines.next_position() {
        let read = read.with_context(|| format!("{}: line {line}", path.display()))?;
        known.insert(fields(&read.position));
    }
    Ok(())
}

/// Lessons of an ending, as EPD.
///
/// # Errors
/// A player, a file, the tables or the ending are refused, or games have too few such positions.
pub fn run(args: &LessonsArgs) -> anyhow::Result<String> {
    let ending: Ending = args.ending.parse()?;
    let mut known = HashSet::new();
    for path in &args.not {
        add_all(path, &mut known)?;
    }
    let tables = Tablebase::open(&args.tables).context("--tables")?;
    let pool = room::pool(cores()).map_err(RunError::Threads)?;
    let players = args.players.len();
    let mut text = format!(
        "# {ending}, seed {}: positions that players meet, with every move that keeps their value",
        args.seed
    );
    for (number, name) in args.players.iter().enumerate() {
        let subject = subject(name, 1)?;
        check(name, &subject, &engine::program::start(&ending, args.seed)?)?;
        // What can't be shared out equally goes to the first.
        let all = args.count as usize;
        let wanted = all / players + usize::from(number < all % players);
        let limit = (args.moves, scramble(args.seed ^ number as u64));
        let found = || {
            lessons(
                &subject,
                Perfect(&tables),
                &ending,
                &mut known,
                wanted,
                limit,
            )
        };
        let found = pool.install(found);
        let found = found.with_context(|| name.display().to_string())?;
        let _ = write!(text, "\n# by {}: {wanted}", name.display());
        for (position, keeping) in &found {
            let keeping: Vec<String> = keeping.iter().map(|&mv| to_san(position, mv)).collect();
            let _ = write!(text, "\n{} bm {};", fields(position), keeping.join(" "));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::lessons::Lesson;
    use ::tests::syzygy::Tables;

    /// By tables in which every position with a single rook is won and every other is drawn. What comes out can be
    /// learnt from, nothing comes twice or is one of the file, and not all of it has both rooks.
    #[test]
    fn lessons_are_made_and_read_back() {
        let made = Tables::of(&[("KRvK", 2), ("KRvKR", 0)], true);
        let file = made.path().join("lessons.epd");
        let args = |count, not: &[&Path]| LessonsArgs {
            ending: "KRKR".into(),
            players: vec!["random".into(), "engine".into()],
            tables: vec![made.path().to_path_buf()],
            count,
            not: not.iter().map(|path| path.to_path_buf()).collect(),
            moves: 20,
            seed: 1,
        };
        let text = run(&args(31, &[])).unwrap();
        assert_eq!(text, run(&args(31, &[])).unwrap());
        assert!(text.contains("\n# by random: 16\n") && text.contains("\n# by engine: 15\n"));
        made.write("lessons.epd", text.as_bytes());
        let endings: [Ending; 1] = ["KRKR".parse().unwrap()];
        assert_eq!(Lesson::load(&file, &endings).unwrap().len(), 31);
        let positions = |text: &str| -> HashSet<String> {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines
                .map(|line| line.split(" bm ").next().unwrap().into())
                .collect()
        };
        let own = positions(&text);
        assert_eq!(own.len(), 31);
        let lone = |fen: &&String| {
            fen.to_lowercase()
                .split(' ')
                .next()
                .unwrap()
                .matches('r')
                .count()
                == 1
        };
        let lone = own.iter().filter(lone).count();
        assert!((1..16).contains(&lone), "{lone}");
        let other = positions(&run(&args(31, &[&file])).unwrap());
        assert!(other.len() == 31 && other.is_disjoint(&own));
        made.write("none.epd", b"8/8/8/8/8/8/8/8 w - -\n");
        let error = run(&args(1, &[&made.path().join("none.epd")])).unwrap_err();
        assert!(
            format!("{error:#}").contains("none.epd: line 1: "),
            "{error:#}"
        );
    }
}
