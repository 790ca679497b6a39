//! Who plays endings to be judged or in a match: random moves, a program, Eyas's evaluation; looking one ply ahead or more.

use engine::eval::Weights;
use engine::eval::params::EvalParams;
use engine::mixing::scramble;
use engine::one_ply::{Moves, Quiescence, choose_one_ply, root_moves};
use engine::position::Position;
use engine::program::{Program, best_ahead, best_by};
use engine::score::Score;
use engine::types::Move;

/// A player of endings.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Any legal move.
    Random,
    /// A program that looks so many plies ahead.
    Program(Box<Program>, usize),
    /// Eyas with these weights, with this quiescence at the leaves, so many plies ahead.
    Engine(Box<EvalParams>, Quiescence, usize),
}

impl Subject {
    /// Eyas with its default weights so many plies ahead, with the quiescence of one ply or its evaluation alone.
    pub fn engine(has_quiescence: bool, plies: usize) -> Subject {
        let mut quiescence = Quiescence::default();
        if !has_quiescence {
            quiescence.moves = Moves::None;
        }
        Subject::Engine(Box::default(), quiescence, plies)
    }

    /// The moves that seem best and equal to it; none if there is no legal move.
    pub fn best(&self, position: &Position) -> Vec<Move> {
        match self {
            Subject::Random => root_moves(position).iter().copied().collect(),
            Subject::Program(program, plies) => best_ahead(program, position, *plies),
            Subject::Engine(weights, quiescence, 0 | 1) => {
                let chosen = choose_one_ply(position, weights, quiescence);
                chosen.into_iter().collect()
            }
            Subject::Engine(weights, quiescence, plies) => {
                let weights = Weights::from(&**weights);
                let whole = (-Score::INFINITE, Score::INFINITE);
                best_by(position, *plies, |before, mv| {
                    let after = before.play(mv);
                    let score = match after.is_insufficient_material() {
                        true => Score::DRAW,
                        false => -quiescence.search(&after, &weights, 0, whole.0, whole.1),
                    };
                    // A mate that the quiescence finds is worth less than any that the search does.
                    f64::from(score.value()).clamp(-9_999.0, 9_999.0)
                })
            }
        }
    }

    /// The move that it plays, drawn by the seed and the position among those.
    pub fn choose(&self, position: &Position, seed: u64) -> Option<Move> {
        drawn(&self.best(position), position, seed)
    }
}

/// One of several moves, by a seed and the position; `None` of none.
pub fn drawn(moves: &[Move], position: &Position, seed: u64) -> Option<Move> {
    let word = u128::from(scramble(seed ^ scramble(position.key())));
    let place = (word * moves.len() as u128) >> 64;
    moves.get(place as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(subject: &Subject, fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let best = subject.best(&position);
        best.iter().map(Move::to_string).collect()
    }

    fn program(tree: &str, plies: usize) -> Subject {
        let text = format!(
            "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
        );
        Subject::Program(Box::new(Program::parse(&text).unwrap()), plies)
    }

    /// Rxa8 is protected by the king: the material alone takes at one ply, and sees the king take back at two. So does
    /// Eyas's evaluation; with the quiescence one ply is enough.
    #[test]
    fn who_looks_further_does_not_take_what_is_protected() {
        let fen = "n7/1k6/8/8/8/8/8/R5K1 w - - 0 1";
        for (player, takes) in [
            (program("EvaluateMaterial", 1), true),
            (program("EvaluateMaterial", 2), false),
            (Subject::engine(false, 1), true),
            (Subject::engine(false, 2), false),
            (Subject::engine(true, 1), false),
            (Subject::engine(true, 2), false),
        ] {
            let best = best(&player, fen);
            assert!(!best.is_empty());
            assert_eq!(
                best.contains(&"a1a8".to_string()),
                takes,
                "{player:?} {best:?}"
            );
        }
    }

    /// Ra1-a8 mates. Whoever looks ahead plays it and nothing else, whatever its leaves say.
    #[test]
    fn a_mate_comes_before_everything() {
        let fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
        assert_eq!(best(&Subject::engine(false, 3), fen), ["a1a8"]);
        assert_eq!(
            best(&program("(If3 IsMate -1000/2 1000/2)", 2), fen),
            ["a1a8"]
        );
        assert!(
            !best(&program("(If3 IsMate -1000/2 1000/2)", 1), fen).contains(&"a1a8".to_string())
        );
        assert!(best(&Subject::Random, fen).len() > 10);
    }
}
