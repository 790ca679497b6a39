//! Move ordering: hash move, captures that do not lose, quiet moves by killers, countermove and
//! history, losing captures last.
//!
//! Captures go by most valuable victim, least valuable attacker
//! (<https://www.chessprogramming.org/MVV-LVA>) and are asked for their static exchange value only
//! when their turn comes. Each stage is prepared when it is reached, and the best move of a stage
//! is picked when it is wanted, since a cut-off mostly comes early.

use crate::param_table::ParamTable as _;
use crate::position::{CheckSquares, Position};
use crate::search::gravity::HISTORY_MAX;
use crate::search::history::{Attacked, ContinuationKeys, History, QuietContext};
use crate::search::params::{SearchParams, search_row};
use crate::see::{SeeValues, see_ge};
use crate::types::{Move, Piece};

/// Worth of the pieces in an exchange, in centipawns, for ordering and quiescence. Fixed, and not
/// taken from the evaluation's weights: these evolve, and a search must be able to order captures
/// with any.
pub const SEE_VALUES: SeeValues = [100, 300, 300, 500, 900, 100_000];

/// A move with its rank among those of its stage.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    mv: Move,
    piece: Piece,
    score: i32,
}

/// The moves of all nodes on the current path, one node's above its parent's: no node has to
/// clear a list of its own.
pub type MoveStack = Vec<Ranked>;

/// Which moves a picker yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All legal moves.
    All,
    /// Captures and promotions to a queen that gain enough.
    Winning,
    /// These, then quiet moves that give check.
    WinningAndChecks,
}

/// A gain by static exchange that every move has.
const ANY_GAIN: i32 = -1_000_000;

/// Quiet moves that are tried before the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefutationMoves {
    /// The killers of this distance from the root.
    pub killers: [Option<Move>; 2],
    /// The move that last refuted the opponent's.
    pub countermove: Option<Move>,
    /// The moves before, for their history.
    pub earlier: ContinuationKeys,
    /// What a move that gives check has besides, and where checks are given.
    pub checks: Option<(i32, CheckSquares)>,
    /// What a queen's move has besides if it leaves a square that a lesser piece attacks; 0 = off.
    pub threat_bonus: i32,
    /// What a killer or the countermove has besides; 0 = it comes before all others.
    pub killer_bonus: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hash,
    Generate,
    Tactical,
    GenerateChecks,
    ScoreQuiets,
    Quiets,
    Losing,
}

/// Yields the moves of a position, the most promising first.
pub struct MovePicker {
    selection: Selection,
    /// What a capture must gain by static exchange to come before the quiet moves, in centipawns.
    least: i32,
    stage: Stage,
    hash_move: Option<Move>,
    refutations: RefutationMoves,
    /// What quiet moves are judged by, once one was.
    quiet_context: Option<QuietContext>,
    /// Where the moves begin on the stack.
    start: usize,
    /// Next move to be picked.
    next: usize,
    /// End of the captures and queen promotions, which come before the quiet moves.
    tactical_end: usize,
    /// End of the moves.
    end: usize,
    /// End of the losing captures, kept at the start, in the part that is used up.
    losing_end: usize,
}

const FAVOURITE: i32 = 1 << 20;
const MOST_FOR_CHECK: i32 = *SearchParams::SPECS[search_row::quiet_check_bonus]
    .range
    .end();
const MOST_FOR_THREAT: i32 = *SearchParams::SPECS[search_row::quiet_threat_bonus]
    .range
    .end();
const MOST_FOR_KILLER: i32 = *SearchParams::SPECS[search_row::killer_bonus].range.end();
const _: () =
    assert!(6 * HISTORY_MAX + MOST_FOR_CHECK + MOST_FOR_THREAT + MOST_FOR_KILLER < FAVOURITE);

/// Weight of most valuable victim, least valuable attacker beside the history of captures.
const VICTIM_WEIGHT: i32 = 256;

impl MovePicker {
    /// A picker of moves in which a capture loses no material; `hash_move` may be illegal here.
    pub fn new(
        params: &SearchParams,
        selection: Selection,
        hash_move: Option<Move>,
        refutations: RefutationMoves,
    ) -> Self {
        let least = match params.see_order_use {
            0 => ANY_GAIN,
            _ => 0,
        };
        MovePicker {
            selection,
            least,
            stage: Stage::Hash,
            hash_move,
            refutations,
            quiet_context: None,
            start: 0,
            next: 0,
            tactical_end: 0,
            end: 0,
            losing_end: 0,
        }
    }

    /// The same, in which a capture gains at least so many centipawns.
    pub fn gaining(mut self, least: i32) -> Self {
        self.least = least;
        self
    }

    /// The next move, or `None` when there is none left.
    pub fn next(
        &mut self,
        position: &Position,
        history: &History,
        stack: &mut MoveStack,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::Generate;
                    self.hash_move = self.hash_move.filter(|&mv| position.is_legal(mv));
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::Generate => {
                    self.generate(position, history, stack);
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => match self.pick(self.tactical_end, stack) {
                    Some(ranked) if Some(ranked.mv) == self.hash_move => {}
                    Some(ranked) if see_ge(position, ranked.mv, &SEE_VALUES, self.least) => {
                        return Some(ranked.mv);
                    }
                    Some(ranked) => {
                        stack[self.losing_end] = ranked;
                        self.losing_end += 1;
                    }
                    None => match self.selection {
                        Selection::Winning => return None,
                        Selection::WinningAndChecks => self.stage = Stage::GenerateChecks,
                        Selection::All => self.stage = Stage::ScoreQuiets,
                    },
                },
                Stage::GenerateChecks => {
                    self.generate_checks(position, stack);
                    self.stage = Stage::ScoreQuiets;
                }
                Stage::ScoreQuiets => {
                    self.score_quiets(position, history, stack);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick(self.end, stack) {
                    Some(ranked) if Some(ranked.mv) == self.hash_move => {}
                    Some(ranked) => return Some(ranked.mv),
                    None if self.selection == Selection::WinningAndChecks => return None,
                    None => {
                        self.stage = Stage::Losing;
                        self.next = self.start;
                    }
                },
                Stage::Losing => {
                    if self.next == self.losing_end {
                        return None;
                    }
                    self.next += 1;
                    return Some(stack[self.next - 1].mv);
                }
            }
        }
    }

    /// Leaves out the quiet moves that have not been yielded yet.
    pub fn skip_quiets(&mut self) {
        if matches!(
            self.stage,
            Stage::GenerateChecks | Stage::ScoreQuiets | Stage::Quiets
        ) {
            self.stage = Stage::Losing;
            self.next = self.start;
        }
    }

    /// Whether the move that was yielded last loses material by static exchange.
    pub fn is_at_losing(&self) -> bool {
        self.stage == Stage::Losing
    }

    /// What the position's quiet moves are judged by.
    #[inline]
    pub fn quiet_context(&mut self, position: &Position, history: &History) -> &QuietContext {
        let earlier = &self.refutations.earlier;
        self.quiet_context
            .get_or_insert_with(|| history.quiet_context(position, earlier))
    }

    /// Takes the moves off the stack; the picker is not to be asked for more.
    pub fn finish(&self, stack: &mut MoveStack) {
        if self.stage != Stage::Hash && self.stage != Stage::Generate {
            stack.truncate(self.start);
        }
    }

    /// Generates the moves and brings captures and queen promotions to the front, with ranks.
    #[inline(never)] // Or every call of `next` would save registers for its sake.
    fn generate(&mut self, position: &Position, history: &History, stack: &mut MoveStack) {
        self.start = stack.len();
        let mut tactical_end = self.start;
        match self.selection {
            Selection::All => {
                position.for_each_legal(|piece, mv| {
                    let tactical = tactical_score(position, history, piece, mv);
                    let score = tactical.unwrap_or(0);
                    stack.push(Ranked { mv, piece, score });
                    if tactical.is_some() {
                        let last = stack.len() - 1;
                        stack.swap(tactical_end, last);
                        tactical_end += 1;
                    }
                });
            }
            Selection::Winning | Selection::WinningAndChecks => {
                position.for_each_tactical(|piece, mv| {
                    if let Some(score) = tactical_score(position, history, piece, mv) {
                        stack.push(Ranked { mv, piece, score });
                    }
                });
                tactical_end = stack.len();
            }
        }
        self.next = self.start;
        self.losing_end = self.start;
        self.tactical_end = tactical_end;
        self.end = stack.len();
    }

    /// Generates the quiet moves that give check, in place of the captures, which are used up.
    #[inline(never)]
    fn generate_checks(&mut self, position: &Position, stack: &mut MoveStack) {
        stack.truncate(self.start);
        let squares = position.check_squares();
        position.for_each_to(squares.quiet_targets(position), |piece, mv| {
            let is_tactical =
                mv.promotion() == Some(Piece::Queen) || position.captured_by(piece, mv).is_some();
            if !is_tactical && position.gives_check(piece, mv, &squares) {
                let score = 0;
                stack.push(Ranked { mv, piece, score });
            }
        });
        self.next = self.start;
        self.losing_end = self.start;
        self.tactical_end = self.start;
        self.end = stack.len();
    }

    #[inline(never)]
    fn score_quiets(&mut self, position: &Position, history: &History, stack: &mut MoveStack) {
        let quiet_context = *self.quiet_context(position, history);
        let RefutationMoves {
            killers,
            countermove,
            checks,
            threat_bonus,
            killer_bonus,
            ..
        } = &self.refutations;
        for ranked in &mut stack[self.tactical_end..self.end] {
            let mv = Some(ranked.mv);
            let favourite = [killers[0], killers[1], *countermove]
                .iter()
                .position(|&favourite| favourite == mv);
            ranked.score = match favourite {
                Some(rank) if *killer_bonus == 0 => FAVOURITE + 2 - rank as i32,
                _ if ranked.mv.promotion().is_some() => -FAVOURITE,
                _ => {
                    let mut bonus = match checks {
                        Some((bonus, squares))
                            if position.gives_check(ranked.piece, ranked.mv, squares) =>
                        {
                            *bonus
                        }
                        _ => 0,
                    };
                    if *threat_bonus > 0 {
                        let escape = escape(&quiet_context.attacked, ranked.piece, ranked.mv);
                        bonus += escape * threat_bonus / 8;
                    }
                    if favourite.is_some() {
                        bonus += killer_bonus;
                    }
                    history.quiet(&quiet_context, ranked.piece, ranked.mv) + bonus
                }
            };
        }
    }

    /// Takes the highest of the moves that are left before `end`; of equals the first.
    fn pick(&mut self, end: usize, stack: &mut MoveStack) -> Option<Ranked> {
        let left = &mut stack[self.next..end];
        let mut best = 0;
        let mut highest = left.first()?.score;
        for (i, ranked) in left.iter().enumerate().skip(1) {
            if ranked.score > highest {
                (best, highest) = (i, ranked.score);
            }
        }
        left.swap(0, best);
        self.next += 1;
        Some(left[0])
    }
}

/// What a piece's move is worth for leaving squares that lesser enemy pieces attack, or, below zero,
/// for going there: eighths of what a queen's is.
#[inline]
fn escape(attacked: &Attacked, piece: Piece, mv: Move) -> i32 {
    let (attacked, eighths) = match piece {
        Piece::Knight | Piece::Bishop => (attacked.pawns, 3),
        Piece::Rook => (attacked.minors, 5),
        Piece::Queen => (attacked.rooks, 8),
        Piece::Pawn | Piece::King => return 0,
    };
    let from = i32::from(attacked.contains(mv.from()));
    let to = i32::from(attacked.contains(mv.to()));
    (from - to) * eighths
}

/// The rank of a capture or queen promotion among its like; `None` for every other move.
fn tactical_score(position: &Position, history: &History, piece: Piece, mv: Move) -> Option<i32> {
    let captured = position.captured_by(piece, mv);
    match mv.promotion() {
        Some(Piece::Queen) => {}
        Some(_) => return None,
        None if captured.is_none() => return None,
        None => {}
    }
    let victim = captured.map_or(0, |victim| 1 + victim.index() as i32);
    let promotion = if mv.promotion().is_some() { 64 } else { 0 };
    let learnt = captured.map_or(0, |victim| history.capture(piece, mv, victim));
    Some((victim * 8 + promotion - piece.index() as i32) * VICTIM_WEIGHT + learnt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_attacked_by_less_is_worth_moving_away() {
        // Black's pawn attacks b4 and d4, the bishop g5 and the long diagonal up to d4, the rook
        // the h-file.
        let fen = "k6r/8/5b2/2p5/3Q4/6R1/7N/4K3 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let attacked = Attacked::new(&position);
        let escape = |piece, text: &str| {
            let moves = position.legal_moves();
            let mv = moves.iter().find(|mv| mv.to_string() == text).unwrap();
            escape(&attacked, piece, *mv)
        };
        assert_eq!(escape(Piece::Queen, "d4d1"), 8);
        assert_eq!(escape(Piece::Queen, "d4b4"), 0);
        assert_eq!(escape(Piece::Queen, "d4e3"), 8);
        assert_eq!(escape(Piece::Rook, "g3g5"), -5);
        // Neither a rook nor a knight need care for a rook.
        assert_eq!(escape(Piece::Rook, "g3h3"), 0);
        assert_eq!(escape(Piece::Knight, "h2f1"), 0);
        assert_eq!(escape(Piece::King, "e1e2"), 0);
    }
}
