//! How well a quiet move has done after an earlier one
//! (<https://www.chessprogramming.org/History_Heuristic>), by the pieces that the two put somewhere.

use super::gravity::with_gravity;
use super::piece_to::PieceTo;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

/// What stands for an earlier move that is not there, or not looked at: nothing is learnt of it.
pub const NO_CONTINUATION: u16 = PieceTo::COUNT as u16;

/// The moves after one earlier move.
type Row = [AtomicI16; PieceTo::COUNT];

/// All threads of a player learn here together, which is why they need fewer nodes than with a memory
/// each. That one of two who change a score at once may have done so in vain does no harm.
pub struct Continuation {
    rows: Arc<[Row]>,
    /// Whether anything was learnt: the table has a megabyte, and a suite empties it for each position.
    is_used: Arc<AtomicBool>,
}

impl Continuation {
    /// An empty table.
    pub fn new() -> Continuation {
        let row = |_| [const { AtomicI16::new(0) }; PieceTo::COUNT];
        Continuation {
            rows: (0..=NO_CONTINUATION).map(row).collect(),
            is_used: Arc::default(),
        }
    }

    /// The same table, for another thread.
    pub fn share(&self) -> Continuation {
        Continuation {
            rows: Arc::clone(&self.rows),
            is_used: Arc::clone(&self.is_used),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if !self.is_used.swap(false, Relaxed) {
            return;
        }
        match Arc::get_mut(&mut self.rows) {
            // One thread alone, as in the suites of the tuner: many times as fast as score by score.
            Some(rows) => rows.as_flattened_mut().fill_with(AtomicI16::default),
            None => {
                let scores = self.rows.iter().flatten();
                scores.for_each(|score| score.store(0, Relaxed));
            }
        }
    }

    /// How well a move has done after an earlier one, given by its number.
    #[inline]
    pub fn score(&self, earlier: u16, piece_to: PieceTo) -> i32 {
        i32::from(self.rows[usize::from(earlier)][piece_to.index()].load(Relaxed))
    }

    /// A move has done well, or badly, after an earlier one.
    #[inline]
    pub fn learn(&self, earlier: u16, piece_to: PieceTo, bonus: i32) {
        if earlier == NO_CONTINUATION {
            return;
        }
        // Written only once, for all threads read it all the time.
        if !self.is_used.load(Relaxed) {
            self.is_used.store(true, Relaxed);
        }
        let score = &self.rows[usize::from(earlier)][piece_to.index()];
        score.store(with_gravity(score.load(Relaxed), bonus), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::types::{Move, Piece};

    #[test]
    fn what_one_thread_learns_the_others_know_until_one_forgets() {
        let mv = Move::parse_uci("g1f3").unwrap();
        let knight = PieceTo::of(&Position::startpos(), Piece::Knight, mv);
        let mut one = Continuation::new();
        let mut another = one.share();
        for earlier in [0, 767, NO_CONTINUATION] {
            one.learn(earlier, knight, 100);
            another.learn(earlier, knight, -30);
        }
        let known = |table: &Continuation| {
            [0, 1, 767, NO_CONTINUATION].map(|earlier| table.score(earlier, knight))
        };
        assert_eq!(known(&one), [70, 0, 70, 0]);
        assert_eq!(known(&another), known(&one));
        another.clear();
        assert_eq!(known(&one), [0; 4]);
        // Also one that has learnt nothing itself.
        one.learn(0, knight, 100);
        another.clear();
        assert_eq!(known(&one), [0; 4]);
        // And alone again.
        drop(another);
        one.learn(0, knight, 100);
        one.clear();
        assert_eq!(known(&one), [0; 4]);
    }
}
