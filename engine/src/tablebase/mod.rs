//! Syzygy endgame tablebases (Ronald de Man), read with `shakmaty-syzygy`.
//!
//! At the root, tables say which moves keep the result; the search then chooses among these
//! alone. [`Probing`] is for positions inside a search. Tables know nothing of castling rights and
//! of repetitions. A file that can't be read is as good as none, but for a sentence about it.

mod files;

use crate::bridge::to_shakmaty;
use crate::position::{Game, Outcome, Position};
use crate::types::Move;
use files::Disk;
use shakmaty::Chess;
use shakmaty_syzygy::{Metric, ProbeError, Syzygy, SyzygyError, Tablebase as Tables, Wdl};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// Most pieces, kings included, that any Syzygy table knows.
pub const MOST_PIECES: usize = 7;

/// Half moves without capture or pawn move after which a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// The result of a position with best play, from the side to move; better ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl From<Wdl> for Verdict {
    fn from(wdl: Wdl) -> Verdict {
        match wdl {
            Wdl::Loss => Verdict::Loss,
            Wdl::BlessedLoss => Verdict::BlessedLoss,
            Wdl::Draw => Verdict::Draw,
            Wdl::CursedWin => Verdict::CursedWin,
            Wdl::Win => Verdict::Win,
        }
    }
}

/// There are no tables that can be used.
#[derive(Debug, Error)]
#[error("{}", in_lines(.remarks, .folders))]
pub struct TablebaseError {
    /// The folders as named.
    pub folders: String,
    /// Sentences on what is wrong with what is there.
    pub remarks: Vec<String>,
}

fn in_lines(remarks: &[String], folders: &str) -> String {
    let mut lines = remarks.to_vec();
    lines.push(format!("there are no tables (.rtbw) to use in {folders}"));
    lines.join("\n")
}

/// What the tables say of a root position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootProbe {
    /// The moves that keep the result.
    pub moves: Vec<Move>,
    /// That result.
    pub verdict: Verdict,
    /// Whether the moves are known to make progress too, which takes .rtbz files.
    pub makes_progress: bool,
    /// Positions that were looked up.
    pub hits: u64,
}

/// How tables are asked, as the options of a GUI say.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The tables.
    pub tables: Arc<Tablebase>,
    /// Remaining plies from which a position in a search is looked up that has as many pieces as
    /// `limit`; one with fewer always is.
    pub depth: usize,
    /// Most pieces, kings included, that are looked up.
    pub limit: usize,
    /// Whether a win that takes more than fifty moves without a capture or pawn move is a draw.
    pub fifty_moves: bool,
}

impl Probing {
    /// The result of a position in a search with so many plies remaining.
    #[inline]
    pub fn probe(&self, position: &Position, plies: i32) -> Option<Verdict> {
        let pieces = position.occupied().count() as usize;
        let most = self.tables.max_pieces();
        // Where all tables lie within the limit, their size bounds the costs, and every depth is
        // deep enough; Stockfish reads these options so.
        let is_shallow = self.limit <= most && pieces == self.limit && plies < self.depth as i32;
        if pieces > self.limit.min(most) || is_shallow {
            return None;
        }
        let verdict = self.tables.probe(position, self.limit)?;
        Some(verdict.counting(self.fifty_moves))
    }

    /// The moves that keep the result of a game's position; `None` if a table is missing.
    pub fn root_moves(&self, game: &Game) -> Option<RootProbe> {
        self.tables.root_moves(game, self.limit, self.fifty_moves)
    }
}

impl Verdict {
    /// The same result from the other side.
    #[must_use]
    pub fn reversed(self) -> Verdict {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::BlessedLoss => Verdict::CursedWin,
            Verdict::Draw => Verdict::Draw,
            Verdict::CursedWin => Verdict::BlessedLoss,
            Verdict::Win => Verdict::Loss,
        }
    }

    /// The same, should the fifty-move rule not hold.
    fn counting(self, fifty_moves: bool) -> Verdict {
        match self {
            Verdict::CursedWin if !fifty_moves => Verdict::Win,
            Verdict::BlessedLoss if !fifty_moves => Verdict::Loss,
            verdict => verdict,
        }
    }
}

/// A set of tables. Shared by threads; files are opened when they are first needed.
pub struct Tablebase {
    tables: Tables<Chess>,
    disk: Arc<Disk>,
    files: usize,
    remarks: Vec<String>,
    /// Sentences on files that proved damaged and have not been told of.
    faults: Mutex<Vec<String>>,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({} files)", self.files)
    }
}

/// A move at the root with what comes of it.
struct Judged {
    mv: Move,
    verdict: Verdict,
    /// Half moves to the next capture, pawn move or mate with best play, if the tables say.
    distance: Option<i32>,
}

impl Tablebase {
    /// Opens the tables of folders. What is bad among them is left out, and [`Tablebase::remarks`] say
    /// so.
    ///
    /// # Errors
    /// If nothing is left.
    pub fn open(folders: &[PathBuf]) -> Result<Tablebase, TablebaseError> {
        let disk = Arc::new(Disk::default());
        let (paths, mut remarks) = files::find(folders, &disk);
        let mut tables = Tables::with_filesystem(Arc::<Disk>::clone(&disk));
        let mut files = 0;
        for path in paths {
            match tables.add_file(&path) {
                Ok(()) => files += 1,
                Err(cause) => remarks.push(format!("{}: {cause}", path.display())),
            }
        }
        if files == 0 {
            let names: Vec<String> = folders
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            return Err(TablebaseError {
                folders: names.join(" or "),
                remarks,
            });
        }
        Ok(Tablebase {
            tables,
            disk,
            files,
            remarks,
            faults: Mutex::default(),
        })
    }

    /// Sentences on all that was not as it should be when the folders were opened: what is left out, or
    /// lacks its other half.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Number of files that are used.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Pieces, kings included, of the largest table.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Sentences on files that proved damaged; each is told once. Files are read when they are needed, so
    /// they look well as long as size and beginning do.
    pub fn take_faults(&self) -> Vec<String> {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let faults = std::mem::take(&mut *faults);
        files::few(faults, "more endgame tables can't be read")
    }

    /// What a table said. A missing one is no fault; a damaged one is not read again, and what is wrong
    /// with it is kept.
    fn heard<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        let problem = match answer {
            Ok(answer) => return Some(answer),
            Err(problem) => problem,
        };
        if let SyzygyError::ProbeFailed {
            metric,
            material,
            error,
        } = problem
        {
            let extension = match metric {
                Metric::Wdl => Chess::TBW.ext,
                Metric::Dtz => Chess::TBZ.ext,
            };
            let name = format!("{material}.{extension}");
            if self.disk.give_up(&name) {
                let problem = match *error {
                    ProbeError::Read { error } => error.to_string(),
                    ProbeError::Magic { .. } => "it is no Syzygy table".to_string(),
                    ProbeError::CorruptedTable { .. } => "it is damaged".to_string(),
                };
                let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
                faults.push(format!(
                    "the endgame table {name} can't be read: {problem}; the search does without it"
                ));
            }
        }
        None
    }

    /// The result of a position in a search. `None` unless its last move was a capture or a pawn
    /// move (the table can't see the fifty-move clock) and a table has it; `limit` is the greatest
    /// number of pieces that are looked up.
    pub fn probe(&self, position: &Position, limit: usize) -> Option<Verdict> {
        if position.halfmove_clock() != 0 || !self.may_know(position, limit) {
            return None;
        }
        self.after_zeroing(position)
    }

    /// The moves that keep the result of a game's position, judged with its fifty-move clock and
    /// repetitions; `None` if a table is missing.
    ///
    /// A won position keeps every move that wins within the fifty-move limit, so that the search can
    /// choose the shortest mate; after a repetition, only the fastest. A win that comes too late for the
    /// limit also keeps only the fastest: a smaller mistake of the opponent then restores it.
    pub fn root_moves(&self, game: &Game, limit: usize, fifty_moves: bool) -> Option<RootProbe> {
        let position = game.position();
        if !self.may_know(position, limit) {
            return None;
        }
        let judged: Option<Vec<Judged>> = position
            .legal_moves()
            .iter()
            .map(|&mv| self.judge(game, mv, fifty_moves))
            .collect();
        let mut judged = judged?;
        let hits = judged.len() as u64;
        let verdict = judged.iter().map(|judged| judged.verdict).max()?;
        let makes_progress = judged.iter().all(|judged| judged.distance.is_some());
        judged.retain(|judged| judged.verdict == verdict);
        let is_late = verdict == Verdict::CursedWin;
        if is_late || verdict == Verdict::Win && has_repeated(game) {
            keep_the_fastest(&mut judged);
        }
        Some(RootProbe {
            moves: judged.iter().map(|judged| judged.mv).collect(),
            verdict,
            makes_progress,
            hits,
        })
    }

    /// The result of a position with its fifty-move clock taken as zero; `None` if a table is missing. It has
    /// a legal move: of mates and stalemates tables say nothing.
    pub fn result(&self, position: &Position) -> Option<Verdict> {
        let may_know = self.may_know(position, MOST_PIECES);
        may_know.then(|| self.after_zeroing(position)).flatten()
    }

    /// Half moves to the next capture, pawn move or mate with best play, for the side to move: greater than 0
    /// if it wins, less if it loses, 0 in a draw; `None` if a table of results or distances is missing. It may
    /// be one too small, as tables are rounded.
    pub fn distance(&self, position: &Position) -> Option<i32> {
        if !self.may_know(position, MOST_PIECES) {
            return None;
        }
        let chess = to_shakmaty(position)?;
        let distance = self.heard(self.tables.probe_dtz(&chess))?;
        Some(distance.ignore_rounding().0)
    }

    fn may_know(&self, position: &Position, limit: usize) -> bool {
        let castling = position.castling();
        let may_castle = castling.king_side.iter().chain(&castling.queen_side);
        position.occupied().count() as usize <= limit.min(self.max_pieces())
            && !may_castle.copied().any(|right| right)
    }

    /// The result of a position with its fifty-move clock at zero.
    fn after_zeroing(&self, position: &Position) -> Option<Verdict> {
        let chess = to_shakmaty(position)?;
        let wdl = self.heard(self.tables.probe_wdl_after_zeroing(&chess))?;
        Some(wdl.into())
    }

    /// What comes of a move, from the side that makes it.
    fn judge(&self, game: &Game, mv: Move, fifty_moves: bool) -> Option<Judged> {
        let mut after = game.clone();
        after.play(mv);
        let child = after.position();
        let judged = |verdict: Verdict, distance| Judged {
            mv,
            verdict: verdict.counting(fifty_moves),
            distance,
        };
        if !child.has_legal_move() && child.in_check() {
            return Some(judged(Verdict::Win, Some(0)));
        }
        let outcome = after.outcome().filter(|&outcome| {
            fifty_moves || outcome != Outcome::FiftyMoves || after.occurrences() >= 3
        });
        if outcome.is_some() {
            return Some(judged(Verdict::Draw, Some(0)));
        }
        if child.halfmove_clock() == 0 {
            return Some(judged(self.after_zeroing(child)?.reversed(), Some(1)));
        }
        let chess = to_shakmaty(child)?;
        match self.heard(self.tables.probe_dtz(&chess)) {
            Some(dtz) => {
                // The child's distance is from the opponent's side; our move comes before it.
                let dtz = -dtz.ignore_rounding().0;
                let distance = dtz.abs() + 1;
                // Distances may be one too small, as tables are rounded.
                let clock = i32::from(game.position().halfmove_clock());
                let is_in_time = distance + clock < FIFTY_MOVES;
                let verdict = match (dtz.signum(), is_in_time) {
                    (0, _) => Verdict::Draw,
                    (1, true) => Verdict::Win,
                    (1, false) => Verdict::CursedWin,
                    (_, true) => Verdict::Loss,
                    (_, false) => Verdict::BlessedLoss,
                };
                Some(judged(verdict, Some(distance)))
            }
            // Without .rtbz files the result alone is known, and not how to make progress.
            None => Some(judged(self.after_zeroing(child)?.reversed(), None)),
        }
    }
}

/// Keeps the moves that make progress fastest, of those of which that is known: a move that is a
/// mate, a capture or a pawn's is such a one even where the tables have no distances.
fn keep_the_fastest(judged: &mut Vec<Judged>) {
    if let Some(least) = judged.iter().filter_map(|judged| judged.distance).min() {
        judged.retain(|judged| judged.distance == Some(least));
    }
}

/// Whether any position has come twice since the last capture or pawn move.
fn has_repeated(game: &Game) -> bool {
    let reversible = usize::from(game.position().halfmove_clock());
    let keys = game.keys();
    let mut recent = keys[keys.len().saturating_sub(reversible)..].to_vec();
    recent.push(game.position().key());
    recent.sort_unstable();
    recent.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_that_is_known_goes_before_progress_that_is_not() {
        let kept = |distances: &[Option<i32>]| {
            let mut judged: Vec<Judged> = (distances.iter())
                .zip(Position::startpos().legal_moves().iter())
                .map(|(&distance, &mv)| Judged {
                    mv,
                    verdict: Verdict::Win,
                    distance,
                })
                .collect();
            keep_the_fastest(&mut judged);
            let kept = judged.iter().map(|judged| judged.distance);
            kept.collect::<Vec<_>>()
        };
        // A mate, a capture, and moves that tables without distances know nothing more of.
        assert_eq!(kept(&[None, Some(1), Some(0), None]), [Some(0)]);
        assert_eq!(kept(&[Some(3), Some(5), Some(3)]), [Some(3), Some(3)]);
        assert_eq!(kept(&[None, None]), [None, None]);
    }
}
