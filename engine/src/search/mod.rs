//! The search: iterative deepening principal variation search over a transposition table.
//!
//! | file | job |
//! |---|---|
//! | `mod` | the [`Searcher`], what goes in and what comes out |
//! | `root` | iterative deepening and the root's moves |
//! | `pvs` | the alpha-beta search below the root |
//! | `quiescence` | captures and evasions where the depth is used up |
//! | `ordering`, `history` | which move is tried next |
//! | `extensions` | which move is searched deeper |
//! | `depth`, `window`, `pv`, `limits` | small types |
//!
//! Architecture invariant 2: nothing here prints, reads a clock or a global. A search is a pure
//! function of the game, the parameters, the limits (nodes and depth) and the table's contents.
//! Parameters are a value, so hundreds of searchers with different ones live in one process.

pub mod depth;
mod extensions;
mod history;
mod limits;
mod ordering;
pub mod params;
mod pv;
mod pvs;
mod quiescence;
mod root;
mod window;

use crate::eval::evaluate;
use crate::params::ParamSet;
use crate::position::{Game, Position};
use crate::score::Score;
use crate::tt::{Table, TableError};
use crate::types::Move;
use history::History;
use limits::Stopped;
pub use limits::{Budget, Clock, Control, Limits, NoClock};
use ordering::MoveStack;
use pv::PvTable;
use std::sync::atomic::AtomicBool;

/// Deepest ply that a search reaches, quiescence included.
pub const MAX_PLY: usize = 128;

/// Most iterations of a search, in plies.
pub const MAX_DEPTH: usize = MAX_PLY - 1;

/// Nodes between two looks at the stop flag and the clock: well under a millisecond.
const POLL_INTERVAL: u64 = 1024;

/// Nodes up to which the first iteration ignores the stop flag and the clock, so that even a
/// search that is stopped at once has an exact score: about ten milliseconds.
const UNDISTURBED_NODES: u64 = 16 * POLL_INTERVAL;

/// What the search tells its caller on the way.
#[derive(Debug)]
pub enum Event<'a> {
    /// An iteration is complete, or the last one was broken off.
    Info(&'a Info),
    /// A root move has been searched and is now the best.
    BestMove {
        /// The move.
        mv: Move,
        /// Nodes searched so far.
        nodes: u64,
    },
    /// A root move is about to be searched.
    CurrentMove {
        /// The move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
        /// The iteration, in plies.
        depth: usize,
    },
}

/// What is known after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The iteration, in plies.
    pub depth: usize,
    /// Deepest ply reached, quiescence included.
    pub seldepth: usize,
    /// Score for the side to move; exact for the principal variation's first move.
    pub score: Score,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Entries of this search in the table, in permille.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// What came out of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected answer, if the game goes on after it.
    pub ponder: Option<Move>,
    /// Score for the side to move.
    pub score: Score,
    /// Last iteration that contributed, in plies.
    pub depth: usize,
    /// Deepest ply reached, quiescence included.
    pub seldepth: usize,
    /// Moves made.
    pub nodes: u64,
    /// The principal variation; its first move is `best`.
    pub pv: Vec<Move>,
}

/// A player: parameters, transposition table and the memory that a search needs.
pub struct Searcher {
    params: ParamSet,
    table: Table,
    history: Box<History>,
}

impl Searcher {
    /// A player with a table of that many megabytes.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(params: ParamSet, megabytes: usize) -> Result<Searcher, TableError> {
        Ok(Searcher {
            params,
            table: Table::new(megabytes)?,
            history: History::new(),
        })
    }

    /// The parameters it plays with.
    pub fn params(&self) -> &ParamSet {
        &self.params
    }

    /// Plays with other parameters from now on. Scores in the table come from the old ones, so it
    /// is cleared.
    pub fn set_params(&mut self, params: ParamSet) {
        self.params = params;
        self.clear();
    }

    /// Exchanges the table for an empty one of another size.
    ///
    /// # Errors
    /// If there is no memory for it; the old table stays.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.table = Table::new(megabytes)?;
        Ok(())
    }

    /// Forgets everything but the parameters.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches a game's position within limits, reporting to `on_event`.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: Control<'_>,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Outcome {
        self.table.new_search();
        self.history.clear();
        let search = Search {
            params: &self.params,
            table: &self.table,
            history: &mut self.history,
            pv: PvTable::new(),
            keys: game.keys().to_vec(),
            moves: MoveStack::new(),
            nodes: 0,
            seldepth: 0,
            next_poll: 0,
            iteration: 0,
            limits,
            control,
        };
        search.run(game.position(), on_event)
    }

    /// Searches to a limit of nodes or depth, with no clock and no reports.
    pub fn search_quietly(&mut self, game: &Game, limits: &Limits) -> Outcome {
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &NoClock,
        };
        self.search(game, limits, control, &mut |_| {})
    }
}

/// One search under way.
struct Search<'a> {
    params: &'a ParamSet,
    table: &'a Table,
    history: &'a mut History,
    pv: PvTable,
    /// Keys of the game's positions and of those between the root and the current node.
    keys: Vec<u64>,
    moves: MoveStack,
    nodes: u64,
    seldepth: usize,
    /// Nodes at which the limits are next looked at.
    next_poll: u64,
    /// The iteration under way, in plies.
    iteration: usize,
    limits: &'a Limits,
    control: Control<'a>,
}

/// The kind of a node, known when the code is compiled (Reckless does it the same way).
trait Node {
    /// Whether the node may lie on the principal variation: its window is open.
    const PV: bool;
}

/// A node whose exact score is wanted.
struct PvNode;
impl Node for PvNode {
    const PV: bool = true;
}

/// A node with a window of no width.
struct ZeroWindow;
impl Node for ZeroWindow {
    const PV: bool = false;
}

impl Search<'_> {
    /// Makes a move: counts the node, and stops when a limit is reached.
    #[inline]
    fn make(&mut self, position: &Position, mv: Move) -> Result<Position, Stopped> {
        if self.nodes >= self.next_poll {
            self.poll()?;
        }
        self.nodes += 1;
        Ok(position.play(mv))
    }

    /// Static evaluation from the side to move. A cache of evaluations did not pay when measured:
    /// few positions come back that the transposition table does not know.
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        evaluate(position, &self.params.eval)
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let last = self.limits.nodes.unwrap_or(u64::MAX);
        if self.nodes >= last {
            return Err(Stopped);
        }
        self.next_poll = last.min(self.nodes + POLL_INTERVAL);
        if self.iteration <= 1 && self.nodes < UNDISTURBED_NODES {
            return Ok(());
        }
        let out_of_time = |budget: Budget| self.control.clock.elapsed() >= budget.hard;
        if self.control.stop_requested() || self.limits.time.is_some_and(out_of_time) {
            return Err(Stopped);
        }
        Ok(())
    }

    /// The score of a position that the rules call a draw, whatever could still be played. One
    /// repetition is as good as two: what was best then is best now.
    fn draw_score(&self, position: &Position, key: u64, ply: usize) -> Option<Score> {
        let clock = usize::from(position.halfmove_clock());
        if clock >= 100 {
            // Mate with the hundredth half move comes first (FIDE 9.6.2).
            let mated = position.in_check() && !position.has_legal_move();
            return Some(if mated {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }
        let reversible = self.keys.iter().rev().take(clock);
        // Two plies back nobody can have returned yet, and in between the other side is to move.
        let repeated = clock >= 4 && reversible.skip(3).step_by(2).any(|&old| old == key);
        (repeated || position.is_insufficient_material()).then_some(Score::DRAW)
    }
}
