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
use crate::types::{MAX_MOVES, Move, MoveList, Piece};

/// Worth of the pieces in an exchange, for ordering and quiescence. Fixed, and not taken from the
/// evaluation's weights: these evolve, and a search must be able to order captures with any.
pub const EXCHANGE_VALUES: ExchangeValues = [1, 3, 3, 5, 9, 1000];

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
    moves: MoveList,
    scores: [i16; MAX_MOVES],
    /// Next move to be picked.
    next: usize,
    /// End of the captures and queen promotions at the front of the list.
    tactical_end: usize,
    /// Losing captures, kept in the part of the list that is used up.
    losing: usize,
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
            moves: MoveList::new(),
            scores: [0; MAX_MOVES],
            next: 0,
            tactical_end: 0,
            losing: 0,
        }
    }

    /// The next move, or `None` when there is none left.
    pub fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
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
                    self.generate(position);
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => match self.pick(self.tactical_end) {
                    Some(mv) if Some(mv) == self.hash_move => {}
                    Some(mv) if is_safe(position, mv, &EXCHANGE_VALUES) => return Some(mv),
                    Some(mv) => {
                        self.moves[self.losing] = mv;
                        self.losing += 1;
                    }
                    None if self.selection == Selection::Winning => return None,
                    None => self.stage = Stage::ScoreQuiets,
                },
                Stage::ScoreQuiets => {
                    self.score_quiets(position, history);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick(self.moves.len()) {
                    Some(mv) if Some(mv) == self.hash_move => {}
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = Stage::Losing;
                        self.next = 0;
                    }
                },
                Stage::Losing => {
                    if self.next == self.losing {
                        return None;
                    }
                    self.next += 1;
                    return Some(self.moves[self.next - 1]);
                }
            }
        }
    }

    /// Generates the moves and brings captures and queen promotions to the front, with scores.
    fn generate(&mut self, position: &Position) {
        self.moves = match self.selection {
            Selection::All => position.legal_moves(),
            Selection::Winning => position.tactical_moves(),
        };
        let mut end = 0;
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            if let Some(score) = tactical_score(position, mv) {
                self.moves.swap(i, end);
                self.scores[end] = score;
                end += 1;
            }
        }
        self.tactical_end = end;
    }

    fn score_quiets(&mut self, position: &Position, history: &History) {
        let color = position.side_to_move();
        for i in self.tactical_end..self.moves.len() {
            let mv = self.moves[i];
            let killer = self.killers.iter().position(|&killer| killer == Some(mv));
            self.scores[i] = match killer {
                Some(which) => KILLER_SCORES[which],
                None if mv.promotion().is_some() => -(HISTORY_MAX as i16) - 1,
                None => history.score(color, mv) as i16,
            };
        }
    }

    /// Takes the highest of the moves that are left before `end`; of equals the first.
    fn pick(&mut self, end: usize) -> Option<Move> {
        let scores = self.scores.get(self.next..end)?;
        let (mut best, mut highest) = (0, *scores.first()?);
        for (i, &score) in scores.iter().enumerate() {
            if score > highest {
                (best, highest) = (i, score);
            }
        }
        let best = self.next + best;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
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
