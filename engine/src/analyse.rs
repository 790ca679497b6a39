//! Suites of positions with known best moves: how many does the engine find?
//!
//! Each position gets the full limit and an empty table, and the search never sees the answers. A
//! position is solved if the final best move is one of `bm` and none of `am`.

use crate::epd::Epd;
use crate::epd_lines::{EpdLineError, EpdLines};
use crate::free_memory::{self, Room};
use crate::params::ParamSet;
use crate::position::Game;
use crate::score::Score;
use crate::search::{Control, Limits, STACK_BYTES, Searcher};
use crate::source::SourceError;
use crate::time::WallClock;
use crate::tt::TableError;
use crate::types::Move;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a file is no suite.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file can't be read or is no such text.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A line is no position with an answer.
    #[error("{path}, line {line}: {problem}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What is wrong.
        problem: LineProblem,
    },
    /// There is no line.
    #[error("{0}: there are no positions in it")]
    Empty(PathBuf),
}

/// What is wrong with a line of a suite.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// It is no EPD.
    #[error(transparent)]
    Epd(#[from] EpdLineError),
    /// Nothing says what solves it.
    #[error("neither bm nor am says what solves the position")]
    NoAnswer,
}

/// How a suite is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What bounds the search of a position.
    pub limits: Limits,
    /// Size of each table in megabytes.
    pub hash: usize,
    /// Threads of a search.
    pub threads: usize,
    /// Positions that are searched at a time.
    pub jobs: usize,
}

/// What the engine makes of a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The position's place in the suite, from 0.
    pub number: usize,
    /// The move it would play.
    pub best: Option<Move>,
    /// Whether that solves the position.
    pub solved: bool,
    /// Last iteration that contributed, in plies.
    pub depth: usize,
    /// Score for the side to move.
    pub score: Score,
    /// Moves made.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Reads a suite: a position a line, each with `bm` or `am`, plain or packed with gzip or zstd. Empty
/// lines and lines that begin with `#` are left out.
///
/// # Errors
/// The file can't be read or is of another kind; the first line that is no position with an answer.
pub fn load(path: &Path) -> Result<Vec<Epd>, SuiteError> {
    let mut lines = EpdLines::open(path)?;
    let mut suite = Vec::new();
    while let Some((line, read)) = lines.next_position() {
        suite.push(answered(read).map_err(|problem| SuiteError::Line {
            path: path.to_path_buf(),
            line,
            problem,
        })?);
    }
    if suite.is_empty() {
        return Err(SuiteError::Empty(path.to_path_buf()));
    }
    Ok(suite)
}

fn answered(read: Result<Epd, EpdLineError>) -> Result<Epd, LineProblem> {
    let epd = read?;
    match epd.has_solution() {
        true => Ok(epd),
        false => Err(LineProblem::NoAnswer),
    }
}

/// Searches all positions and hands each answer over as it comes, in no certain order if several
/// are searched at a time.
///
/// # Errors
/// If there is no memory for a table.
pub fn run(
    suite: &[Epd],
    params: &ParamSet,
    settings: &Settings,
    mut on_answer: impl FnMut(&Answer),
) -> Result<(), TableError> {
    let jobs = settings.jobs.clamp(1, suite.len().max(1));
    let threads = jobs.saturating_mul(settings.threads);
    free_memory::check(jobs.saturating_mul(settings.hash), threads)?;
    let mut searchers = Vec::new();
    for _ in 0..jobs {
        let mut searcher = Searcher::new(params.clone(), settings.hash)?;
        searcher.set_threads(settings.threads);
        searcher.look_for_room(Room::look);
        searchers.push(searcher);
    }
    let next = &AtomicUsize::new(0);
    let (sender, answers) = channel();
    thread::scope(|scope| {
        for mut searcher in searchers {
            let sender = sender.clone();
            let Some(room) = Room::look() else { break };
            let (work, started) = room.hold(move |starting| {
                drop(starting);
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    let Some(epd) = suite.get(number) else {
                        return;
                    };
                    let answer = answer(&mut searcher, number, epd, &settings.limits);
                    if sender.send(answer).is_err() {
                        return;
                    }
                }
            });
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            // Without any thread nothing is answered, which the caller sees.
            let _ = builder.spawn_scoped(scope, work);
            started.wait();
        }
        drop(sender);
        for answer in answers {
            on_answer(&answer);
        }
    });
    Ok(())
}

fn answer(searcher: &mut Searcher, number: usize, epd: &Epd, limits: &Limits) -> Answer {
    searcher.clear();
    let start = Instant::now();
    let control = Control {
        stop: &AtomicBool::new(false),
        clock: &WallClock::start(),
    };
    let game = Game::new(epd.position);
    let outcome = searcher.search(&game, limits, control, &mut |_| {});
    Answer {
        number,
        best: outcome.best,
        solved: outcome.best.is_some_and(|best| epd.is_solved_by(best)),
        depth: outcome.depth,
        score: outcome.score,
        nodes: outcome.nodes,
        time: start.elapsed(),
    }
}
