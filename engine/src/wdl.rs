//! From centipawns to chances: how often a score wins, draws and loses.
//!
//! The usual logistic model: with a score of x centipawns, the chance to win is
//! 1 / (1 + exp((a - x) / b)), the chance to lose that of the opponent's score, and the rest draws.
//! `a` is the score that wins every second game, `b` how soon chances grow around it. Both go in a
//! straight line from a full board to an empty one.
//!
//! Provenance of [`MODEL`]: fitted to 106,031 positions of 1,000 games of the engine with its evolved defaults
//! (bench 762219) against 784373, which is as strong and has the same evaluation, at 1 s and 0.01 s a move, from
//! 500 balanced openings with both colours (docs/results/reliability.md); mates and scores beyond
//! 1,500 centipawns left out; by the greatest likelihood of the results over the four numbers. Fitted to one half
//! of the games, it gives the results of the other half a mean logarithm of -0.616, that of an earlier model
//! -0.632. Slower games have more draws.

use crate::eval::{FULL_PHASE, endgame_phase};
use crate::position::Position;
use crate::score::Score;

/// The four numbers of the model, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The score that wins every second game: with all pieces on the board, with none.
    pub a: [f64; 2],
    /// The slope's inverse: with all pieces on the board, with none.
    pub b: [f64; 2],
}

/// The model of the default parameters.
pub const MODEL: Model = Model {
    a: [63.0, 224.0],
    b: [61.0, 74.0],
};

/// Chances in permille; they sum to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// The part of the pieces that is still on the board, 0 to 1.
fn pieces_left(position: &Position) -> f64 {
    f64::from(FULL_PHASE - endgame_phase(position)) / f64::from(FULL_PHASE)
}

impl Model {
    /// The chances of the side to move, with this score for it.
    pub fn chances(&self, score: Score, position: &Position) -> Chances {
        let whole = |win: u16, loss: u16| Chances {
            win,
            draw: 1000 - win - loss,
            loss,
        };
        if score.is_decided() {
            return match score > Score::DRAW {
                true => whole(1000, 0),
                false => whole(0, 1000),
            };
        }
        let pieces = pieces_left(position);
        let at = |ends: [f64; 2]| ends[0] * pieces + ends[1] * (1.0 - pieces);
        let (a, b) = (at(self.a), at(self.b));
        let chance = |x: f64| (1000.0 / (1.0 + ((a - x) / b).exp())) as u16;
        let x = f64::from(score.value());
        whole(chance(x), chance(-x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_sound() {
        let start = Position::startpos();
        let bare = Position::from_fen("8/5k2/8/8/8/8/4KP2/8 w - - 0 1").unwrap();
        for position in [&start, &bare] {
            let mut last = 0;
            for x in -3000..3000 {
                let chances = MODEL.chances(Score::cp(x), position);
                assert_eq!(chances.win + chances.draw + chances.loss, 1000);
                assert!(chances.win >= last, "{x}");
                last = chances.win;
                let other = MODEL.chances(Score::cp(-x), position);
                assert_eq!((chances.win, chances.loss), (other.loss, other.win));
            }
            assert!(MODEL.chances(Score::cp(0), position).draw > 250);
            for huge in [Score::MAX_EVAL, Score::mate_in(3)] {
                assert_eq!(MODEL.chances(huge, position).win, 1000);
                assert_eq!(MODEL.chances(-huge, position).loss, 1000);
            }
        }
        assert_eq!(MODEL.chances(Score::mated_in(0), &start).loss, 1000);
    }
}
