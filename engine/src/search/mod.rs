//! The search: iterative deepening principal variation search over a transposition table.
//!
//! | file | job |
//! |---|---|
//! | `mod` | the [`Searcher`], what goes in and what comes out |
//! | `root` | iterative deepening and the root's moves |
//! | `pvs` | the alpha-beta search below the root |
//! | `pruning` | which node is cut, and which move left out, on a shallower look |
//! | `extensions`, `reductions` | which move is searched deeper, which less deep |
//! | `mop_up` | how to mate a bare king, and when nobody can |
//! | `blockage` | pawn endings that nobody can win |
//! | `mate` | proof of a mate in at most N moves (`go mate N`) |
//! | `endgames` | positions that endgame tables know |
//! | `quiescence` | captures and evasions where the depth is used up |
//! | `ordering`, `history`, `continuation` | which move is tried next |
//! | `parallel` | several threads on one table |
//! | `params` | the rows of the search |
//! | `window`, `pv`, `stack`, `limits` | small types |
//!
//! Architecture invariant 2: nothing here prints, reads a clock or a global. A search by
//! one thread is a pure function of the game, the parameters, the limits (nodes and depth), the
//! endgame tables that it is given, the transposition table's contents and the history of earlier
//! searches; [`Searcher::clear`] forgets the last two. Parameters are a value, so hundreds of
//! searchers with different ones live in one process.

pub mod blockage;
mod continuation;
mod endgames;
mod extensions;
mod gravity;
mod history;
mod limits;
mod mate;
mod mop_up;
mod ordering;
mod parallel;
pub mod params;
mod piece_to;
mod pruning;
mod pv;
mod pvs;
mod quiescence;
mod reductions;
mod root;
mod stack;
mod threats;
mod window;

use crate::depth::Depth;
use crate::eval::{Weights, evaluate_cached};
use crate::free_memory::Room;
pub use crate::free_memory::STACK_BYTES;
use crate::params::ParamSet;
use crate::position::{Game, Position, Step};
pub use crate::score::MAX_PLY;
use crate::score::Score;
use crate::tablebase::Probing;
use crate::tt::{Bound, Entry, Table, TableError};
use crate::types::Move;
use blockage::is_blocked;
use history::{ContinuationKeys, History, LastMoves};
use limits::Stopped;
pub use limits::{Budget, Clock, Control, Limits, NoClock};
use mate::MateSearch;
use mop_up::has_bare_king;
pub use mop_up::with_bare_king;
use ordering::{MoveStack, RefutationMoves};
use parallel::Shared;
use piece_to::PieceTo;
use pv::PvTable;
use reductions::Reductions;
use stack::{Frame, Stack};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use window::Window;

/// Most iterations of a search, in plies.
pub const MAX_DEPTH: usize = MAX_PLY - 1;

/// Nodes between two looks at the stop flag and the clock: about half a millisecond.
const POLL_INTERVAL: u64 = 1024;

/// Nodes up to which the first iteration ignores the stop flag and the clock, so that even a
/// search that is stopped at once has an exact score: about ten milliseconds.
const UNDISTURBED_NODES: u64 = 16 * POLL_INTERVAL;

/// What the search tells its caller on the way.
#[derive(Debug)]
pub enum Event<'a> {
    /// An iteration is complete, or the last one was broken off: then of a better move that was not
    /// searched to its end only a bound is known.
    Info(&'a Info),
    /// The one line that is wanted does not have its last score any more: it is better than this, or
    /// worse, and is searched again with a wider window. The line of a move that has just become the best is
    /// the move alone. Not told in the first milliseconds, nor of mates.
    Bound(&'a Info),
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

/// Somebody who is told what a search does, and who may end it.
pub type Observer<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

/// What is known after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The iteration, in plies.
    pub depth: usize,
    /// Deepest ply reached, quiescence included.
    pub seldepth: usize,
    /// Place of the line among those that are reported, from 1 (the best).
    pub multi_pv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// Which side of it the true score lies on, if the search has not found out more.
    pub bound: Bound,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Entries of this search in the table, in permille.
    pub hashfull: u32,
    /// Positions that endgame tables knew.
    pub table_hits: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// What came out of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected answer, if the game goes on before and after it.
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
    /// The position about to be searched when a limit interrupted an iteration, unless a null move led
    /// there. With a random limit of nodes, this samples the positions that searches visit.
    pub broken_off_at: Option<Position>,
    /// How the search went.
    pub stats: Stats,
}

/// How well a search worked, for `bench --stats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions looked up in the table.
    pub probes: u64,
    /// Those that it knew.
    pub hits: u64,
    /// Nodes that a move cut off.
    pub cutoffs: u64,
    /// Those that the first move cut off.
    pub first_cutoffs: u64,
}

/// A player: parameters, transposition table and the memory that a search needs.
pub struct Searcher {
    params: ParamSet,
    weights: Weights,
    reductions: Box<Reductions>,
    table: Table,
    endgames: Option<Probing>,
    /// The memory of each thread; the first is the one that reports.
    histories: Vec<Box<History>>,
    /// Whether there is room for another thread.
    room: fn() -> Option<Room>,
    /// Threads that the last search wanted and had no room for.
    without_room: usize,
}

impl Searcher {
    /// A player with a table of that many megabytes, which searches with one thread.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(params: ParamSet, megabytes: usize) -> Result<Searcher, TableError> {
        Ok(Searcher {
            weights: Weights::from(&params.eval),
            reductions: Reductions::new(&params.search),
            params,
            table: Table::new(megabytes)?,
            endgames: None,
            histories: vec![History::new()],
            room: Room::unlimited,
            without_room: 0,
        })
    }

    /// Looks from now on whether there is room before it starts a thread.
    pub(crate) fn look_for_room(&mut self, room: fn() -> Option<Room>) {
        self.room = room;
    }

    /// How many threads the last search had to do without, because they had no room.
    pub fn threads_without_room(&self) -> usize {
        self.without_room
    }

    /// The parameters it plays with.
    pub fn params(&self) -> &ParamSet {
        &self.params
    }

    /// Plays with other parameters from now on. Scores in the table come from the old ones, so it
    /// is cleared.
    pub fn set_params(&mut self, params: ParamSet) {
        self.weights = Weights::from(&params.eval);
        self.reductions = Reductions::new(&params.search);
        self.params = params;
        for history in &mut self.histories {
            history.evaluations.clear();
        }
        self.clear();
    }

    /// Asks these endgame tables within searches from now on, or none.
    pub fn set_endgames(&mut self, endgames: Option<Probing>) {
        self.endgames = endgames;
    }

    /// Searches with that many threads from now on, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.histories.truncate(threads.max(1));
        while self.histories.len() < threads {
            let another = self.histories[0].beside();
            self.histories.push(another);
        }
    }

    /// Exchanges the table for an empty one of another size. The old one goes first: there may
    /// be no memory for both.
    ///
    /// # Errors
    /// If there is no memory for it; the table is empty and as large as it was, or if that can't
    /// be had again either, has 1 MB.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        let before = self.table.megabytes();
        self.table = Table::new(1)?;
        let resized = Table::new(megabytes).map(|table| self.table = table);
        if resized.is_err()
            && let Ok(table) = Table::new(before)
        {
            self.table = table;
        }
        resized
    }

    /// Megabytes of the table.
    pub fn table_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Forgets everything but the parameters.
    pub fn clear(&mut self) {
        self.table.clear();
        for history in &mut self.histories {
            history.clear();
        }
    }

    /// Searches a game's position within limits, reporting to `on_event`.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: Control<'_>,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Outcome {
        self.search_observed(game, limits, control, &mut |event| {
            on_event(event);
            ControlFlow::Continue(())
        })
    }

    /// Like [`Searcher::search`], but the observer can end the search by returning `Break`; no further
    /// node is searched. It cannot influence the search in any other way.
    pub fn search_observed(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: Control<'_>,
        observer: &mut Observer<'_>,
    ) -> Outcome {
        self.table.new_search();
        let shared = Shared {
            params: &self.params,
            weights: &self.weights,
            reductions: &self.reductions,
            table: &self.table,
            endgames: self.endgames.as_ref(),
            game,
            room: self.room,
        };
        let threads = limits.threads.unwrap_or(self.histories.len());
        let threads = threads.clamp(1, self.histories.len());
        let histories = &mut self.histories[..threads];
        let (outcome, at_work) = parallel::search(shared, histories, limits, control, observer);
        self.without_room = threads - at_work;
        outcome
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
    weights: &'a Weights,
    reductions: &'a Reductions,
    table: &'a Table,
    endgames: Option<&'a Probing>,
    game: &'a Game,
    history: &'a mut History,
    pv: PvTable,
    stack: Stack,
    /// Keys of the game's positions and of those between the root and the current node.
    keys: Vec<u64>,
    moves: MoveStack,
    nodes: u64,
    /// Nodes below each move of the root.
    root_nodes: Vec<(Move, u64)>,
    stats: Stats,
    seldepth: usize,
    /// Nodes at which the limits are next looked at.
    next_poll: u64,
    /// The iteration under way, in plies.
    iteration: usize,
    /// Whether it was broken off because another thread has finished it.
    superseded: bool,
    /// Where it was broken off.
    broken_off_at: Option<Position>,
    /// Whether an answer is ready and only waits for the opponent's move.
    is_ready: bool,
    limits: &'a Limits,
    /// The proof of a mate, if one is asked for.
    mate: Option<MateSearch>,
    control: Control<'a>,
    /// Nodes of all threads, as far as they have told.
    pool: parallel::Member<'a>,
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
    /// Counts a node, and stops when a limit is reached.
    #[inline]
    fn count_node(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_poll {
            self.poll()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Looks at a legal move that may be made soon: the table begins to fetch what it knows of the
    /// position after it, which takes about as long as to decide on the move and to make it.
    #[inline]
    fn step(&self, position: &Position, mv: Move) -> Step {
        let step = position.step(mv);
        self.table.prefetch(step.key);
        step
    }

    /// Makes a move in the node at this ply: counts the node, and stops when a limit is reached.
    #[inline]
    fn make(&mut self, position: &Position, ply: usize, step: &Step) -> Result<Position, Stopped> {
        if let Err(stopped) = self.count_node() {
            self.broken_off_at = Some(position.play_step(step));
            return Err(stopped);
        }
        let frame = self.frame_mut(ply + 1);
        frame.piece_to = Some(PieceTo::of(position, step.piece, step.mv));
        frame.captured_on = step.captured.map(|_| step.mv.to());
        frame.after_null = false;
        frame.excluded = None;
        frame.verifies = false;
        Ok(position.play_step(step))
    }

    /// What is known of the node at this ply.
    #[inline]
    fn frame(&self, ply: usize) -> &Frame {
        self.stack.at(ply)
    }

    #[inline]
    fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        self.stack.at_mut(ply)
    }

    /// The moves before the node at this ply that its quiet moves' history looks at.
    #[inline]
    fn earlier(&self, ply: usize) -> ContinuationKeys {
        let plies = self.params.search.continuation_history_plies;
        let at = |wanted: i32, back: usize| {
            let frame = (plies >= wanted).then(|| self.stack.before(ply, back));
            frame.and_then(|frame| frame.piece_to)
        };
        [at(1, 0), at(2, 1), at(3, 3)]
    }

    /// The quiet moves to try first in the node at this ply.
    #[inline]
    fn refutations(&self, ply: usize) -> RefutationMoves {
        RefutationMoves {
            killers: match self.params.search.killer_use {
                0 => [None; 2],
                _ => self.history.killers(ply),
            },
            countermove: self.history.countermove(self.frame(ply).piece_to),
            earlier: self.earlier(ply),
            checks: None,
            threat_bonus: self.params.search.quiet_threat_bonus,
            killer_bonus: self.params.search.killer_bonus,
        }
    }

    /// What the table knows about a position, if there is to be a table.
    #[inline]
    fn remembered(&self, key: u64, ply: usize) -> Option<Entry> {
        match self.params.search.table_use {
            0 => None,
            _ => self.table.probe(key, ply),
        }
    }

    /// Puts what was found out about a position into the table, if there is to be one.
    #[inline]
    fn remember(&self, key: u64, ply: usize, entry: Entry) {
        if self.params.search.table_use != 0 {
            self.table.store(key, ply, entry);
        }
    }

    /// Looks a position up in the table, and counts that.
    #[inline]
    fn probe(&mut self, key: u64, ply: usize) -> Option<Entry> {
        let entry = self.remembered(key, ply);
        self.stats.probes += 1;
        self.stats.hits += u64::from(entry.is_some());
        entry
    }

    /// A node has been cut off by the move with this number.
    #[inline]
    fn count_cutoff(&mut self, number: usize) {
        self.stats.cutoffs += 1;
        self.stats.first_cutoffs += u64::from(number == 1);
    }

    /// Static evaluation from the side to move.
    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let eval = evaluate_cached(position, self.weights, &mut self.history.evaluations);
        with_bare_king(&self.params.search, position, eval)
    }

    /// The same, taken from the table where it is known.
    #[inline]
    fn static_eval(&mut self, position: &Position, entry: Option<&Entry>) -> Score {
        match entry.and_then(|entry| entry.eval) {
            Some(eval) => Score::cp(i32::from(eval)),
            None => self.evaluate(position),
        }
    }

    /// The static evaluation of the node at this ply, corrected by what searches found in positions
    /// with the same pawns, the same pieces or the same last moves.
    #[inline]
    fn corrected(&self, position: &Position, ply: usize, eval: Score) -> Score {
        let params = &self.params.search;
        if !corrects(params) || has_bare_king(params, position) {
            return eval;
        }
        let correction = self
            .history
            .correction(params, position, self.last_moves(ply));
        Score::cp(eval.value() + correction)
    }

    /// Learns by how much the evaluation of the node at this ply was off.
    fn correct(
        &mut self,
        position: &Position,
        ply: usize,
        depth: Depth,
        eval: Score,
        found: Score,
    ) {
        let params = &self.params.search;
        if corrects(params) && !has_bare_king(params, position) {
            let error = found.value() - eval.value();
            let last = self.last_moves(ply);
            self.history.correct(params, position, last, depth, error);
        }
    }

    /// The two moves before the node at this ply.
    #[inline]
    fn last_moves(&self, ply: usize) -> LastMoves {
        let piece_to = |back| self.stack.before(ply, back).piece_to;
        LastMoves::new(piece_to(0), piece_to(1))
    }

    /// Whether the side to move stands better than at its last move, or than at the one before
    /// when it was in check then; `true` when there is nothing to compare with
    /// (<https://www.chessprogramming.org/Improving>).
    fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.frame(ply).eval else {
            return false;
        };
        let before = [2, 4].map(|back| self.stack.before(ply, back).eval);
        before
            .into_iter()
            .flatten()
            .next()
            .is_none_or(|then| now > then)
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let searched = self.nodes + self.pool.others();
        let up_to = |last: Option<u64>| last.map_or(u64::MAX, |last| last.saturating_sub(searched));
        let left = match up_to(self.limits.nodes_after_first) {
            0 if self.iteration <= 1 => up_to(self.limits.nodes),
            after_first => up_to(self.limits.nodes).min(after_first),
        };
        if left == 0 {
            return Err(Stopped);
        }
        self.next_poll = self.nodes + left.min(POLL_INTERVAL);
        self.pool.tell(self.nodes);
        if self.iteration <= 1 && self.nodes < UNDISTURBED_NODES {
            return Ok(());
        }
        let clock = self.control.clock;
        let out_of_time = |budget: Budget| clock.elapsed(self.nodes) >= budget.hard;
        if self.control.stop_requested()
            || self.limits.time.is_some_and(out_of_time)
            || (self.is_ready && !clock.ponders())
        {
            return Err(Stopped);
        }
        self.superseded = self.limits.multi_pv <= 1 && self.pool.is_superseded(self.iteration);
        match self.superseded {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// The score of a position that the rules call a draw, whatever could still be played, or that
    /// can't end in anything else. One repetition is as good as two: what was best then is best now.
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
        let blocked = self.params.search.blockage_use != 0 && is_blocked(position);
        (repeated || blocked || position.is_insufficient_material()).then_some(Score::DRAW)
    }
}

/// Half-move clock from which the table's scores are no longer trusted: they know nothing of the
/// fifty-move rule, which is then near.
const CLOCK_TOO_HIGH: u16 = 88;

/// Whether what the table knows of a position settles its search with this window.
#[inline]
fn settles(entry: &Entry, position: &Position, window: Window) -> bool {
    entry.settles(window.alpha, window.beta) && position.halfmove_clock() < CLOCK_TOO_HIGH
}

/// Whether the evaluation is corrected at all.
fn corrects(params: &params::SearchParams) -> bool {
    let limits = [
        params.pawn_correction_limit,
        params.nonpawn_correction_limit,
        params.continuation_correction_limit,
    ];
    limits != [0; 3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::Bound;

    #[test]
    fn the_table_settles_nothing_near_the_fifty_move_rule() {
        let entry = Entry {
            mv: None,
            score: Score::mated_in(9),
            bound: Bound::Exact,
            depth: Depth::PLY,
            eval: None,
            principal: false,
        };
        let settled = |clock: u32| {
            let fen = format!("7k/8/8/8/8/8/R7/6K1 w - - {clock} 90");
            let position = Position::from_fen(&fen).unwrap();
            settles(&entry, &position, Window::zero(Score::DRAW))
        };
        assert_eq!([0, 87, 88, 99].map(settled), [true, true, false, false]);
    }
}
