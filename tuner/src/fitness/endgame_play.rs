//! Games of endings: how they end, what they are worth, and their counts.
//!
//! A game ends by the rules of chess or when each side has made so many moves; then it is judged by material.

use engine::position::{Game, Outcome, Position};
use engine::program::Standing;
use engine::types::{Color, Move};
use serde::{Deserialize, Serialize};

/// How games are played and what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Moves of each side after which a game is judged by material.
    pub moves: u32,
    /// Points for a mate.
    pub mate: u32,
    /// Points for more material when the moves are up.
    pub advantage: u32,
    /// Points of both for a draw.
    pub draw: u32,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side has mated.
    Mate(Color),
    /// This side has more material when the moves are up.
    Advantage(Color),
    /// By a rule, or nobody has more.
    Draw,
}

/// Counts of games, of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games that each has won by mate.
    pub mates: [u32; 2],
    /// Games in which each had more material when the moves were up.
    pub advantages: [u32; 2],
    /// The others.
    pub draws: u32,
    /// Moves of both in all games.
    pub plies: u64,
}

impl Tally {
    /// Number of games.
    pub fn games(&self) -> u32 {
        let won = self.mates.iter().chain(&self.advantages);
        won.sum::<u32>() + self.draws
    }

    /// Adds other games of the same two.
    pub fn add(&mut self, more: &Tally) {
        for side in 0..2 {
            self.mates[side] += more.mates[side];
            self.advantages[side] += more.advantages[side];
        }
        self.draws += more.draws;
        self.plies += more.plies;
    }

    /// Adds a game that has ended after so many moves of both.
    pub fn count(&mut self, end: End, plies: u64, first_is_white: bool) {
        let side = |winner: Color| usize::from((winner == Color::White) != first_is_white);
        match end {
            End::Mate(winner) => self.mates[side(winner)] += 1,
            End::Advantage(winner) => self.advantages[side(winner)] += 1,
            End::Draw => self.draws += 1,
        }
        self.plies += plies;
    }

    /// Half points of the first player as in a chess tournament: a mate or an advantage 2, a draw 1.
    pub fn halves(&self) -> u32 {
        2 * (self.mates[0] + self.advantages[0]) + self.draws
    }

    /// Points of the first (0) or the second player (1).
    pub fn points(&self, side: usize, rules: &Rules) -> u64 {
        let of = |count: u32, points: u32| u64::from(count) * u64::from(points);
        let [mates, advantages] =
            [self.mates, self.advantages].map(|won| won.get(side).copied().unwrap_or(0));
        of(mates, rules.mate) + of(advantages, rules.advantage) + of(self.draws, rules.draw)
    }

    /// The same seen by the other player.
    #[must_use]
    pub fn turned(mut self) -> Tally {
        self.mates.reverse();
        self.advantages.reverse();
        self
    }

    /// Standard error of the score, games taken as independent.
    pub fn error(&self) -> f64 {
        let (games, score) = (f64::from(self.games().max(1)), self.score());
        let lost = self.mates[1] + self.advantages[1];
        let won = self.games() - self.draws - lost;
        let of = |count: u32, worth: f64| f64::from(count) * (worth - score) * (worth - score);
        (of(won, 1.0) + of(self.draws, 0.5) + of(lost, 0.0)).sqrt() / games
    }

    /// The first player's part of the points as in a chess tournament, from 0 to 1: a mate or an advantage 1, a draw ½.
    pub fn score(&self) -> f64 {
        f64::from(self.halves()) / f64::from(2 * self.games().max(1))
    }
}

/// One game, with its moves. The first player has White if `first_is_white`; `choose` is asked for the moves of the
/// first (0) and the second player (1), with the number of the move from 0; who has none to offer draws.
///
/// # Errors
/// Those of a player.
pub fn play<E>(
    begin: Position,
    first_is_white: bool,
    rules: &Rules,
    choose: &mut impl FnMut(usize, &Game, u64) -> Result<Option<Move>, E>,
) -> Result<(End, u64), E> {
    let mut game = Game::new(begin);
    let mut plies = 0;
    loop {
        let position = *game.position();
        let mover = position.side_to_move();
        match game.outcome() {
            Some(Outcome::Checkmate) => return Ok((End::Mate(!mover), plies)),
            Some(_) => return Ok((End::Draw, plies)),
            None => {}
        }
        if plies >= 2 * u64::from(rules.moves) {
            let end = match Standing::of(&position) {
                Standing::Advantage => End::Advantage(mover),
                Standing::Even => End::Draw,
                Standing::Disadvantage => End::Advantage(!mover),
            };
            return Ok((end, plies));
        }
        let who = usize::from((mover == Color::White) != first_is_white);
        match choose(who, &game, plies)? {
            Some(mv) if game.play(mv) => plies += 1,
            _ => return Ok((End::Draw, plies)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::mixing::scramble;
    use engine::program::{Cache, Program, choose};
    use std::convert::Infallible;

    const RULES: Rules = Rules {
        moves: 3,
        mate: 6,
        advantage: 3,
        draw: 1,
    };

    /// A program of one tree in all three places.
    fn program(tree: &str) -> Program {
        let text = format!(
            "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
        );
        Program::parse(&text).unwrap()
    }

    fn ended(players: [&str; 2], fen: &str, first_is_white: bool, rules: &Rules) -> (End, u64) {
        let [one, other] = players.map(program);
        let begin = Position::from_fen(fen).unwrap();
        let (players, mut cache) = ([&one, &other], Cache::new(16));
        let mut chosen = |who: usize, game: &Game, ply: u64| {
            let candidates = cache.candidates(game.position());
            Ok::<_, Infallible>(choose(players[who], candidates, scramble(1 + ply)))
        };
        play(begin, first_is_white, rules, &mut chosen).unwrap()
    }

    /// Whoever looks for mate finds it in one: Qb8 or Ra8 with the black king on h8 behind its pawns.
    #[test]
    fn a_mate_in_one_is_played_and_counted_for_who_plays_it() {
        let mate = "(If3 IsMate 1000/2 2/1000)";
        let fen = "7k/6pp/8/8/8/8/8/R6K w - - 0 1";
        assert_eq!(
            ended([mate, "2/1000"], fen, true, &RULES),
            (End::Mate(Color::White), 1)
        );
        assert_eq!(
            ended(["2/1000", mate], fen, false, &RULES),
            (End::Mate(Color::White), 1)
        );
        // It is mate already, and stalemate.
        let mated = "R6k/6pp/8/8/8/8/8/7K b - - 0 1";
        assert_eq!(
            ended([mate, mate], mated, true, &RULES),
            (End::Mate(Color::White), 0)
        );
        let stale = "7k/5Q2/8/8/8/8/8/7K b - - 0 1";
        assert_eq!(ended([mate, mate], stale, true, &RULES), (End::Draw, 0));
    }

    /// After three moves of each side: pawns up are an advantage whoever has them, nothing up is a draw. All pawns are
    /// blocked and the kings far away, so nothing else can happen, whatever is played.
    #[test]
    fn a_game_without_end_is_judged_by_material() {
        let draw = "2/1000";
        let fen = "4k3/8/8/p7/P7/8/8/4K3 w - - 0 1";
        assert_eq!(ended([draw, draw], fen, true, &RULES), (End::Draw, 6));
        let up = "4k3/8/8/p7/P7/P7/P7/4K3 w - - 0 1";
        let (end, plies) = ended([draw, draw], up, false, &RULES);
        assert_eq!((end, plies), (End::Advantage(Color::White), 6));
        let none = Rules { moves: 0, ..RULES };
        let black = "r3k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(
            ended([draw, draw], black, true, &none),
            (End::Advantage(Color::Black), 0)
        );
    }

    /// 2 mates, 1 advantage and 3 draws against 1 mate: 2·6 + 3 + 3 and 6 + 3 points; a score of (3 + 1.5) / 7.
    #[test]
    fn points_and_scores_are_those_worked_out_by_hand() {
        let mut tally = Tally {
            mates: [2, 0],
            advantages: [1, 0],
            draws: 2,
            plies: 10,
        };
        tally.add(&Tally {
            mates: [0, 1],
            draws: 1,
            plies: 5,
            ..Tally::default()
        });
        assert_eq!(tally.games(), 7);
        assert_eq!([0, 1].map(|side| tally.points(side, &RULES)), [18, 9]);
        assert!((tally.score() - 4.5 / 7.0).abs() < 1e-12);
        assert_eq!(tally.turned().points(0, &RULES), 9);
        // 3 of 1, 3 of ½, 1 of 0 about 4.5/7: squares 3·0.1276, 3·0.0204 and 0.4133 add up to 0.8571.
        assert!((tally.error() - 0.857_142_857_f64.sqrt() / 7.0).abs() < 1e-9);
        assert_eq!(Tally::default().score(), 0.0);
    }
}
