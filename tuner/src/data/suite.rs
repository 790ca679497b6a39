//! EPD files → positions with the moves that solve them, or with an expert's score: training
//! positions and test suites.
//! Imports the engine's EPD and [`crate::base::files`].
//!
//! Lines are read one by one and none may be longer than [`engine::source::MAX_LINE`], so memory is
//! bounded by the number of positions whatever the file holds.

use crate::base::files::{FileError, sha256_of_file};
use engine::epd::Epd;
use engine::epd_lines::{EpdLineError, EpdLines};
use engine::source::SourceError;
use engine::types::Move;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Positions of a file, in its order.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file, as an absolute path.
    pub path: PathBuf,
    /// SHA-256 of the whole file as it is on disk, in hexadecimal.
    pub sha256: String,
    /// The positions, each with what it was asked to have.
    pub problems: Vec<Epd>,
}

/// What each position of a file must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing else.
    Position,
    /// Moves that solve it: `bm` or `am`.
    Solution,
    /// What an expert says of it: `ce`, in centipawns for the side to move.
    Score,
    /// Moves that solve it, and what an expert says of each of its moves: [`expert_worths`].
    Worths,
}

/// What an expert says of a position: its `ce`, in centipawns for the side to move.
pub fn expert_score(problem: &Epd) -> Option<i32> {
    let score = problem.operation("ce")?.trim().parse().ok()?;
    (-MAX_SCORE..=MAX_SCORE).contains(&score).then_some(score)
}

/// What an expert says of each legal move: the moves in `c9` as coordinates, and for each in `c8`
/// what it is worth, in centipawns for the side to move. `None` if a legal move is missing.
pub fn expert_worths(problem: &Epd) -> Option<Vec<(Move, i32)>> {
    let words = |code| problem.operation(code).map(str::split_whitespace);
    let (mut moves, mut scores) = (words("c9")?, words("c8")?);
    let mut worths: Vec<(Move, i32)> = Vec::new();
    loop {
        let (mv, score) = match (moves.next(), scores.next()) {
            (Some(mv), Some(score)) => (Move::parse_uci(mv)?, score.parse().ok()?),
            (None, None) => break,
            _ => return None,
        };
        let known = worths.iter().any(|(other, _)| *other == mv);
        if known || !(-MAX_SCORE..=MAX_SCORE).contains(&score) {
            return None;
        }
        worths.push((mv, score));
    }
    let legal = problem.position.legal_moves();
    let all = legal.len() == worths.len()
        && (legal.iter()).all(|mv| worths.iter().any(|(other, _)| other == mv));
    all.then_some(worths)
}

/// Scores beyond this are no evaluations.
pub const MAX_SCORE: i32 = 32_767;

/// Why a suite is refused.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file can't be found or read for its digest.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is no text, or of another kind.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A line is no position with a solution.
    #[error("{}: line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// A position is named, and there is none of this name.
    #[error("{}: no position has the id {name:?}{}", path.display(), first_id(first))]
    Name {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The first id that there is.
        first: Option<String>,
    },
    /// The file has fewer positions than were asked for.
    #[error("{}: has {found} positions, expected {expected}", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// Positions in it.
        found: usize,
        /// Positions that were asked for.
        expected: String,
    },
}

impl SuiteError {
    /// A file with so many positions, where others are expected.
    pub fn count(path: &Path, found: usize, expected: impl Into<String>) -> SuiteError {
        SuiteError::Count {
            path: path.to_path_buf(),
            found,
            expected: expected.into(),
        }
    }
}

fn first_id(first: &Option<String>) -> String {
    match first {
        Some(id) => format!("; the first id is {id:?}"),
        None => "; no position has one".to_string(),
    }
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// No EPD, or no line of text.
    #[error(transparent)]
    Epd(#[from] EpdLineError),
    /// Nothing to solve.
    #[error("has neither bm nor am, so nothing solves it")]
    NoSolution,
    /// Nothing to learn.
    #[error("has no score of an expert: ce, in centipawns from -{MAX_SCORE} to {MAX_SCORE}")]
    NoScore,
    /// Nothing to weigh moves by.
    #[error(
        "has no worth for each legal move: c9, the moves as e2e4, and c8, their centipawns from \
         -{MAX_SCORE} to {MAX_SCORE}"
    )]
    NoWorths,
    /// Every move of `bm` is one of `am`, or every legal move is.
    #[error("am leaves no move that solves it")]
    Unsolvable,
}

impl Suite {
    /// Reads the first `count` positions of a file, or all, each with a solution; the file may be
    /// packed with gzip or zstd. Empty lines and those that start with `#` are skipped.
    ///
    /// # Errors
    /// The first line that is no position with a solution; too few positions, or none.
    pub fn load(path: &Path, count: Option<usize>) -> Result<Suite, SuiteError> {
        Suite::load_with(Need::Solution, path, count)
    }

    /// The same of positions that have what is needed.
    ///
    /// # Errors
    /// The first line that is no position with it; too few positions, or none.
    pub fn load_with(need: Need, path: &Path, count: Option<usize>) -> Result<Suite, SuiteError> {
        let sha256 = sha256_of_file(path)?;
        let absolute = path.canonicalize().map_err(FileError::of("read", path))?;
        let problems = read(need, EpdLines::open(path)?, count.unwrap_or(usize::MAX))?;
        if problems.len() < count.unwrap_or(1) {
            let expected = match count {
                Some(count) => format!("the {count} that are asked for"),
                None => "at least one".to_string(),
            };
            return Err(SuiteError::count(path, problems.len(), expected));
        }
        Ok(Suite {
            path: absolute,
            sha256,
            problems,
        })
    }
}

/// The first `count` positions of a file, or as many as there are.
fn read(need: Need, mut lines: EpdLines, count: usize) -> Result<Vec<Epd>, SuiteError> {
    let mut problems = Vec::new();
    while problems.len() < count {
        let Some((line, read)) = lines.next_position() else {
            break;
        };
        let read = read.map_err(LineProblem::from);
        let has_it = read.and_then(|problem| has_needed(need, problem));
        problems.push(has_it.map_err(|problem| SuiteError::Line {
            path: lines.path().to_path_buf(),
            line,
            problem,
        })?);
    }
    Ok(problems)
}

/// The position, if it has what is needed.
fn has_needed(need: Need, problem: Epd) -> Result<Epd, LineProblem> {
    if need == Need::Position {
        return Ok(problem);
    }
    if need == Need::Score {
        let scored = expert_score(&problem).is_some();
        return scored.then_some(problem).ok_or(LineProblem::NoScore);
    }
    if !problem.has_solution() {
        return Err(LineProblem::NoSolution);
    }
    let moves = problem.position.legal_moves();
    if !moves.iter().any(|&mv| problem.is_solved_by(mv)) {
        return Err(LineProblem::Unsolvable);
    }
    if need == Need::Worths && expert_worths(&problem).is_none() {
        return Err(LineProblem::NoWorths);
    }
    Ok(problem)
}

/// The places of the positions with these names.
///
/// # Errors
/// No position has one of them.
pub fn left_out(
    problems: &[Epd],
    names: &[String],
    path: &Path,
) -> Result<HashSet<usize>, SuiteError> {
    let mut places = HashSet::new();
    for name in names {
        let named = |&at: &usize| problems[at].id.as_ref() == Some(name);
        let found: Vec<usize> = (0..problems.len()).filter(named).collect();
        if found.is_empty() {
            return Err(SuiteError::Name {
                path: path.to_path_buf(),
                name: name.clone(),
                first: problems.iter().find_map(|problem| problem.id.clone()),
            });
        }
        places.extend(found);
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::source::{MAX_LINE, Source};
    use proptest::prelude::*;
    use std::io::{Cursor, Write as _};

    const LINE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";

    fn load(bytes: &[u8], count: Option<usize>) -> Result<Suite, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.epd");
        std::fs::write(&path, bytes).unwrap();
        Suite::load(&path, count).map_err(|error| error.to_string())
    }

    #[test]
    fn positions_are_read_and_counted() {
        let text = format!("\u{feff}{LINE}\n# a comment\r\n{LINE}  {LINE}");
        assert_eq!(load(text.as_bytes(), None).unwrap().problems.len(), 3);
        let two = load(text.as_bytes(), Some(2)).unwrap();
        assert_eq!(two.problems.len(), 2);
        assert_eq!(two.sha256, crate::base::files::sha256(text.as_bytes()));
        let error = load(text.as_bytes(), Some(4)).unwrap_err();
        assert!(
            error.ends_with("has 3 positions, expected the 4 that are asked for"),
            "{error}"
        );
        let avoid = b"4k3/8/8/8/8/8/4P3/4K3 w - - am e4;";
        assert_eq!(load(avoid, None).unwrap().problems.len(), 1);
    }

    #[test]
    fn packed_files_are_read_and_named_by_what_is_on_disk() {
        let text = LINE.repeat(1000);
        let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        for packed in [zstd, gzip.finish().unwrap()] {
            let suite = load(&packed, None).unwrap();
            assert_eq!(suite.problems.len(), 1000);
            assert_eq!(suite.sha256, crate::base::files::sha256(&packed));
            let error = load(&packed[..packed.len() - 4], None).unwrap_err();
            assert!(error.contains("s.epd: "), "{error}");
        }
    }

    #[test]
    fn bad_files_say_why() {
        let error = |bytes: &[u8]| load(bytes, None).unwrap_err();
        assert!(error(b"").ends_with("s.epd: the file is empty"));
        assert!(error(b"\n# only this\n").ends_with("has 0 positions, expected at least one"));
        let second = |operations: &str| {
            error(format!("{LINE}4k3/8/8/8/8/8/4P3/4K3 w - - {operations}\n").as_bytes())
        };
        assert!(second("id \"x\";").contains("line 2: has neither bm nor am"));
        assert!(second("bm e5;").contains("line 2: bm: \"e5\" is illegal"));
        assert!(second("bm e4; am e4 e3;").contains("line 2: am leaves no move"));
        let two = error(
            b"4k3/8/8/8/8/8/8/R3K2R w - - bm Rd1; id \"x\";\n4k3/8/8/8/8/4K3/8/R6R w - - bm Rd1;",
        );
        assert!(two.contains("line 2: bm: \"Rd1\" is ambiguous"), "{two}");
        let no_king = error(b"8/8/8/8/8/8/4P3/K7 w - - bm e4;");
        assert!(no_king.contains("line 1: Black has 0 kings"), "{no_king}");
        // A name in Latin-1 is read.
        let latin = load(b"8/8/8/8/8/8/4P3/K1k5 w - - bm e4; id \"\xe9\";", None).unwrap();
        assert_eq!(latin.problems[0].id.as_deref(), Some("\u{e9}"));
        assert!(error(&vec![b'x'; 1 << 20]).contains("line 1: is longer than 16384 bytes"));
        let longest = MAX_LINE;
        for end in ["", "\n", "\r\n"] {
            let of_length = |bytes: usize| format!("{LINE}{:bytes$}{end}", LINE.trim_end());
            let suite = load(of_length(longest).as_bytes(), None).unwrap();
            assert_eq!(suite.problems.len(), 2);
            let long = error(of_length(longest + 1).as_bytes());
            ::tests::says(&long, &["line 2: is longer than 16384 bytes"]);
        }
        assert!(error(b"PK\x03\x04").contains("a zip archive"));
        let missing = Suite::load(Path::new("/nowhere/x.epd"), None).unwrap_err();
        assert!(missing.to_string().contains("cannot read /nowhere/x.epd"));
    }

    #[test]
    fn an_experts_scores_are_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.epd");
        let load = |operations: &str| {
            let line = "4k3/8/8/8/8/8/4P3/4K3 w - -";
            std::fs::write(&path, format!("{line} ce -12;\n{line} {operations}\n")).unwrap();
            Suite::load_with(Need::Score, &path, None).map_err(|error| error.to_string())
        };
        let suite = load("acd 8; ce 31;").unwrap();
        let scores: Vec<_> = suite.problems.iter().map(expert_score).collect();
        assert_eq!(scores, [Some(-12), Some(31)]);
        for operations in ["bm e4;", "ce;", "ce 1.5;", "ce 99999;"] {
            let error = load(operations).unwrap_err();
            ::tests::says(&error, &["line 2: has no score of an expert"]);
        }
    }

    #[test]
    fn an_expert_weighs_every_legal_move_once() {
        let worths = |operations: &str| {
            let line = format!("k7/8/8/8/8/8/7P/K7 w - - bm h4; {operations}\n");
            let problem = has_needed(Need::Worths, Epd::parse(&line).unwrap());
            let problem = problem.map_err(|error| error.to_string())?;
            Ok::<_, String>(expert_worths(&problem).unwrap())
        };
        let all = "c9 \"h2h4 h2h3 a1b1 a1a2 a1b2\";";
        let found = worths(&format!("c8 \"510 -3 0 1 32767\"; {all}")).unwrap();
        assert_eq!(found.len(), 5);
        assert_eq!((found[1].0.to_string().as_str(), found[1].1), ("h2h3", -3));
        for bad in [
            format!("c8 \"1 2 3 4\"; {all}"),
            format!("c8 \"1 2 3 4 5 6\"; {all}"),
            format!("c8 \"1 2 3 4 32768\"; {all}"),
            format!("c8 \"1 2 3 4 x\"; {all}"),
            all.to_string(),
            "c8 \"1\"; c9 \"h2h4\";".to_string(),
            "c8 \"1 2 3 4 5\"; c9 \"h2h4 h2h4 a1b1 a1a2 a1b2\";".to_string(),
            "c8 \"1 2 3 4 5\"; c9 \"h2h4 h2h3 a1b1 a1a2 a1h8\";".to_string(),
        ] {
            let error = worths(&bad).unwrap_err();
            ::tests::says(&error, &["has no worth for each legal move"]);
        }
    }

    proptest! {
        #![proptest_config(::tests::cases(1000))]

        #[test]
        fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for need in [Need::Position, Need::Solution, Need::Score, Need::Worths] {
                let source = Source::from_reader("x", Cursor::new(bytes.clone()));
                let lines = source.and_then(EpdLines::new);
                let _ = lines.map(|lines| read(need, lines, usize::MAX));
            }
        }
    }
}
