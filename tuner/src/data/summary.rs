//! What `tuner positions` says in the end: games read, skipped and left out, files written.

use super::pgn::SkipReason;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Damaged games that a summary shows one by one.
pub const SHOWN: usize = 8;

/// What one of the files has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Games in it.
    pub games: usize,
    /// Positions in it.
    pub positions: usize,
    /// Positions that were asked for, if anybody said how many.
    pub asked: Option<usize>,
    /// Games that came but were not kept because enough others were.
    pub not_needed: u64,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// What came of the games.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// All games read.
    pub games: u64,
    /// Games skipped, by [`SkipReason::ALL`].
    pub skipped: [u64; SkipReason::ALL.len()],
    /// Games that had come before.
    pub duplicate_games: u64,
    /// Positions dropped because another kept game has them too.
    pub duplicate_positions: u64,
    /// Decisive games whose share has no file.
    pub without_file: u64,
    /// Games with a name that is no UTF-8 and was read as Latin-1.
    pub latin1: u64,
    /// The first damaged games, each with file, game and line.
    pub damaged: Vec<String>,
    /// All damaged games.
    pub all_damaged: u64,
    /// The files written.
    pub written: Vec<Written>,
    /// Time for reading.
    pub elapsed: Duration,
}

impl Summary {
    /// Number of games skipped for a reason.
    pub fn skipped_for(&self, reason: SkipReason) -> u64 {
        self.skipped[reason as usize]
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        let speed = self.games as f64 / seconds.max(1e-9);
        writeln!(
            f,
            "{} games read in {seconds:.1} s ({speed:.0} a second)",
            self.games
        )?;
        for reason in SkipReason::ALL {
            let count = self.skipped_for(reason);
            if count > 0 {
                writeln!(f, "  {count:>9} skipped: {}", reason.label())?;
            }
        }
        for (count, what) in [
            (self.duplicate_games, "duplicate games dropped"),
            (self.duplicate_positions, "duplicate positions dropped"),
            (self.without_file, "games left out: their share has no file"),
            (self.latin1, "games with names read as Latin-1, not UTF-8"),
        ] {
            if count > 0 {
                writeln!(f, "  {count:>9} {what}")?;
            }
        }
        for line in &self.damaged {
            writeln!(f, "  damaged: {line}")?;
        }
        if let Some(more) = self.all_damaged.checked_sub(SHOWN as u64 + 1) {
            writeln!(f, "  damaged: {} more", more + 1)?;
        }
        for file in &self.written {
            let path = file.path.display();
            write!(
                f,
                "{path}: {} positions from {} games",
                file.positions, file.games
            )?;
            if file.not_needed > 0 {
                write!(f, " ({} more games not needed)", file.not_needed)?;
            }
            writeln!(f, ", SHA-256 {}", file.sha256)?;
            if let Some(asked) = file.asked.filter(|&asked| file.positions < asked) {
                writeln!(
                    f,
                    "  fewer than the {asked} asked for: the games have no more, unless --per-game \
                     draws more from each"
                )?;
            }
        }
        Ok(())
    }
}
