//! Quiescence: where the depth is used up, captures are played out until the static evaluation
//! can be believed (<https://www.chessprogramming.org/Quiescence_Search>).
//!
//! Captures that do not lose material by static exchange, promotions to a queen, and in check all
//! evasions.

use super::limits::Stopped;
use super::ordering::{MovePicker, Selection};
use super::window::Window;
use super::{MAX_PLY, Node, Search};
use crate::position::Position;
use crate::score::Score;

impl Search<'_> {
    pub(super) fn quiescence<N: Node>(
        &mut self,
        position: &Position,
        key: u64,
        ply: usize,
        window: Window,
    ) -> Result<Score, Stopped> {
        self.seldepth = self.seldepth.max(ply);
        if N::PV {
            self.pv.clear(ply);
        }
        if ply >= MAX_PLY - 1 {
            return Ok(self.evaluate(position));
        }

        // 1. The side to move need not capture, unless it is in check.
        let Window { mut alpha, beta } = window;
        let in_check = position.in_check();
        let (mut best, selection) = if in_check {
            (-Score::INFINITE, Selection::All)
        } else {
            (self.evaluate(position), Selection::Winning)
        };
        if best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);

        // 2. The moves.
        let mut picker = MovePicker::new(selection, None, [None; 2]);
        let mut count = 0;
        while let Some(mv) = picker.next(position, self.history, &mut self.moves) {
            count += 1;
            let child = self.make(position, mv)?;
            let child_key = child.key();
            self.keys.push(key);
            let score = match self.draw_score(&child, child_key, ply + 1) {
                Some(score) => {
                    self.pv.clear(ply + 1);
                    Ok(-score)
                }
                None => self
                    .quiescence::<N>(&child, child_key, ply + 1, -Window { alpha, beta })
                    .map(|score| -score),
            };
            self.keys.pop();
            let score = score?;
            if score > best {
                best = score;
                if score > alpha {
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        picker.finish(&mut self.moves);
        if in_check && count == 0 {
            return Ok(Score::mated_in(ply));
        }
        Ok(best)
    }
}
