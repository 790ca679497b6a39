//! Move ordering: hash move, captures that do not lose, quiet moves by killers and history, losing
//! captures last.
//!
//! Captures go by most valuable victim, least valuable attacker
//! (<https://www.chessprogramming.org/MVV-LVA>) and are asked for their static exchange value only
//! when their turn comes. Each stage is prepared when it is reached, and the best move of a stage
//! is picked when it is wanted, since a cut-off mostly comes early.

use crate::position::Position;
use crate::search::history::{HISTORY_MAX, History};
use crate::see::{ExchangeValues, is_safe};
use crate::types::{Move, Piece};

/// Worth of the pieces in an exchange, for ordering and quiescence. Fixed, and not taken from the
/// evaluation's weights: these evolve, and a search must be able to order captures with any.
pub const EXCHANGE_VALUES: ExchangeValues = [1, 3, 3, 5, 9, 1000];

/// A move with its rank among those of its stage.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    mv: Move,
    score: i16,
}

/// The moves of all nodes on the current path, one node's above its parent's: no node has to
/// clear a list of its own.
pub type MoveStack = Vec<Ranked>;

/// Which moves a picker yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All legal moves.
    All,
    /// Captures that do not lose material, and promotions to a queen.
    Winning,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hash,
    Generate,
    Tactical,
    ScoreQuiets,
    Quiets,
    Losing,
}

/// Yields the moves of a position, the most promising first.
pub struct MovePicker {
    selection: Selection,
    stage: Stage,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
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

const KILLER_SCORES: [i16; 2] = [i16::MAX, i16::MAX - 1];
const _: () = assert!(HISTORY_MAX < KILLER_SCORES[1] as i32);

impl MovePicker {
    /// A picker; `hash_move` may be illegal here.
    pub fn new(selection: Selection, hash_move: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        MovePicker {
            selection,
            stage: Stage::Hash,
            hash_move,
            killers,
            start: 0,
            next: 0,
            tactical_end: 0,
            end: 0,
            losing_end: 0,
        }
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
                    self.generate(position, stack);
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => match self.pick(self.tactical_end, stack) {
                    Some(ranked) if Some(ranked.mv) == self.hash_move => {}
                    Some(ranked) if is_safe(position, ranked.mv, &EXCHANGE_VALUES) => {
                        return Some(ranked.mv);
                    }
                    Some(ranked) => {
                        stack[self.losing_end] = ranked;
                        self.losing_end += 1;
                    }
                    None if self.selection == Selection::Winning => return None,
                    None => self.stage = Stage::ScoreQuiets,
                },
                Stage::ScoreQuiets => {
                    self.score_quiets(position, history, stack);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick(self.end, stack) {
                    Some(ranked) if Some(ranked.mv) == self.hash_move => {}
                    Some(ranked) => return Some(ranked.mv),
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

    /// Takes the moves off the stack; the picker yields nothing any more.
    pub fn finish(self, stack: &mut MoveStack) {
        if self.stage != Stage::Hash && self.stage != Stage::Generate {
            stack.truncate(self.start);
        }
    }

    /// Generates the moves and brings captures and queen promotions to the front, with ranks.
    fn generate(&mut self, position: &Position, stack: &mut MoveStack) {
        self.start = stack.len();
        let mut tactical_end = self.start;
        match self.selection {
            Selection::All => position.for_each_legal(|mv| match tactical_score(position, mv) {
                None => stack.push(Ranked { mv, score: 0 }),
                Some(score) => {
                    stack.push(Ranked { mv, score });
                    let last = stack.len() - 1;
                    stack.swap(tactical_end, last);
                    tactical_end += 1;
                }
            }),
            Selection::Winning => {
                position.for_each_tactical(|mv| {
                    if let Some(score) = tactical_score(position, mv) {
                        stack.push(Ranked { mv, score });
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

    fn score_quiets(&mut self, position: &Position, history: &History, stack: &mut MoveStack) {
        let color = position.side_to_move();
        for ranked in &mut stack[self.tactical_end..self.end] {
            let mv = ranked.mv;
            let killer = self.killers.iter().position(|&killer| killer == Some(mv));
            ranked.score = match killer {
                Some(which) => KILLER_SCORES[which],
                None if mv.promotion().is_some() => -(HISTORY_MAX as i16) - 1,
                None => history.score(color, mv),
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

/// The rank of a capture or queen promotion among its like; `None` for every other move.
fn tactical_score(position: &Position, mv: Move) -> Option<i16> {
    let victim = position.captured(mv);
    match mv.promotion() {
        Some(Piece::Queen) => {}
        Some(_) => return None,
        None if victim.is_none() => return None,
        None => {}
    }
    let victim = victim.map_or(0, |piece| 1 + piece.index() as i16);
    let promotion = if mv.promotion().is_some() { 64 } else { 0 };
    Some(victim * 8 + promotion - position.moved(mv).index() as i16)
}
