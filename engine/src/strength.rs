//! Playing weaker than one can: `UCI_LimitStrength` and `UCI_Elo`.
//!
//! Two things make a move weaker: fewer nodes, and a choice among the best few moves by a score
//! with noise. Every move is looked at once, however few the nodes, so that there is a choice. The noise comes from the position's key, so the same position gets the same move,
//! and a move that loses much is still avoided, as weaker people avoid it too.
//!
//! Provenance of the table: nodes and noise grow evenly from row to row; the first column comes from
//! matches against Stockfish 15.1 at its own `UCI_Elo`, whose scale is CCRL's (docs/results/
//! limited-strength.md). It is good to about 50 points, the lowest row to 100.

use crate::mixing::scramble;
use crate::position::Position;
use crate::score::Score;
use crate::types::Move;

/// One calibrated strength.
struct Row {
    elo: i32,
    /// Nodes a move, or as many as its first iteration takes.
    nodes: u64,
    /// Half the centipawns that a move may seem better or worse than it is.
    noise: i32,
}

/// Strengths from the weakest to the strongest; between two rows, noise changes in a straight
/// line and nodes by equal factors.
const TABLE: &[Row] = &[
    Row {
        elo: 800,
        nodes: 20,
        noise: 1000,
    },
    Row {
        elo: 1210,
        nodes: 150,
        noise: 200,
    },
    Row {
        elo: 1480,
        nodes: 1_200,
        noise: 100,
    },
    Row {
        elo: 1860,
        nodes: 10_000,
        noise: 40,
    },
    Row {
        elo: 2200,
        nodes: 100_000,
        noise: 10,
    },
];

/// Least, default and greatest `UCI_Elo`.
pub const ELO: (i64, i64, i64) = (800, 1600, 2200);

/// Moves among which the choice is made.
pub const LINES: usize = 4;

/// A limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Nodes a move, or as many as its first iteration takes.
    pub nodes: u64,
    /// Half the centipawns that a move may seem better or worse than it is.
    pub noise: i32,
}

impl Strength {
    /// The strength of a rating, which is clamped to the table.
    pub fn of_elo(elo: i32) -> Strength {
        let upper = TABLE.iter().position(|row| row.elo >= elo);
        let upper = upper.unwrap_or(TABLE.len() - 1).max(1);
        let (low, high) = (&TABLE[upper - 1], &TABLE[upper]);
        let part = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let part = part.clamp(0.0, 1.0);
        let (low_log, high_log) = ((low.nodes as f64).ln(), (high.nodes as f64).ln());
        let between = |low: f64, high: f64| low + part * (high - low);
        Strength {
            nodes: between(low_log, high_log).exp().round() as u64,
            noise: between(f64::from(low.noise), f64::from(high.noise)).round() as i32,
        }
    }

    /// Which of the best moves with their scores is played: the number in the list. A forced mate
    /// in one is always played.
    pub fn choose(&self, position: &Position, lines: &[(Move, Score)]) -> usize {
        if lines
            .first()
            .is_some_and(|(_, best)| *best == Score::mate_in(1))
        {
            return 0;
        }
        let seeming = |(mv, score): &(Move, Score)| {
            let bits = scramble(position.key() ^ u64::from(mv.to_bits()) << 17);
            // The sum of two even draws: small errors are likelier than large ones.
            let draw = |bits: u64| (bits & 0xffff) as i64 * 2 - 0xffff;
            let draws = draw(bits) + draw(bits >> 32);
            i64::from(score.value()) + draws * i64::from(self.noise) / 0x1_0000
        };
        // Of equals the first, which is the better one.
        let best = (0..lines.len())
            .rev()
            .max_by_key(|&line| seeming(&lines[line]));
        best.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_grows_with_the_rating() {
        let (least, default, most) = ELO;
        assert!(least <= default && default <= most);
        assert_eq!(
            (TABLE[0].elo, TABLE[TABLE.len() - 1].elo),
            (least as i32, most as i32)
        );
        let mut last = Strength::of_elo(i32::MIN / 2);
        assert_eq!((last.nodes, last.noise), (TABLE[0].nodes, TABLE[0].noise));
        for elo in (least as i32..=most as i32).step_by(10) {
            let strength = Strength::of_elo(elo);
            assert!(
                strength.nodes >= last.nodes && strength.noise <= last.noise,
                "{elo}"
            );
            last = strength;
        }
        let row = &TABLE[TABLE.len() - 1];
        assert_eq!((last.nodes, last.noise), (row.nodes, row.noise));
    }

    #[test]
    fn choices_are_repeatable_and_not_absurd() {
        let mut position = Position::startpos();
        let (mut best, mut games) = (0, 0);
        for ply in 0..200 {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else {
                break;
            };
            let lines: Vec<(Move, Score)> = moves
                .iter()
                .take(4)
                .zip([30, 20, 0, -900])
                .map(|(&mv, score)| (mv, Score::cp(score)))
                .collect();
            let strength = Strength::of_elo(TABLE[1].elo);
            let choice = strength.choose(&position, &lines);
            assert_eq!(choice, strength.choose(&position, &lines));
            assert!(choice < 3, "a lost rook goes unnoticed");
            best += usize::from(choice == 0);
            games += 1;
            position = position.play(mv);
        }
        assert!(
            best * 10 > games * 3 && best * 10 < games * 8,
            "{best} of {games}"
        );
        let mate = [
            (position.legal_moves()[0], Score::mate_in(1)),
            (position.legal_moves()[0], Score::cp(5)),
        ];
        let weakest = Strength::of_elo(TABLE[0].elo);
        assert_eq!(weakest.choose(&position, &mate), 0);
        assert_eq!(weakest.choose(&position, &[]), 0);
    }
}
