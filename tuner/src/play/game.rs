//! One game between two players, from a random opening to its end.

use crate::play::adjudication::{Ending, GameResult, Referee, Rules};
use crate::play::openings::{Opening, random_opening};
use crate::play::player::{Choice, PlayError, Player};
use engine::position::Game;
use engine::types::{Color, Move};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Openings tried before giving up.
const OPENING_TRIES: u32 = 1000;

/// Which openings to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningRule {
    /// Random half moves.
    pub plies: u32,
    /// Largest score, either way, that the first player may give the position behind them
    /// (centipawns); `None` plays any.
    pub balance: Option<i32>,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// How it began.
    pub opening: Opening,
    /// The players' moves after them.
    pub choices: Vec<Choice>,
    /// Who won.
    pub result: GameResult,
    /// And why.
    pub ending: Ending,
}

impl PlayedGame {
    /// All moves from the start.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        let played = self.choices.iter().map(|choice| choice.mv);
        self.opening.moves.iter().copied().chain(played)
    }
}

/// Draws a random opening that the player finds balanced.
///
/// # Errors
/// The player is out of order, or nothing is balanced.
pub fn draw_opening(
    judge: &mut dyn Player,
    rule: OpeningRule,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<(Game, Opening), PlayError> {
    for _ in 0..OPENING_TRIES {
        let opening = Opening::from_startpos(random_opening(rng, rule.plies));
        let game = opening.game();
        let Some(balance) = rule.balance else {
            return Ok((game, opening));
        };
        let judged = judge.choose(&game, &opening.moves)?.score;
        if judged.is_none_or(|score| score.value().abs() <= balance) {
            return Ok((game, opening));
        }
    }
    Err(PlayError::NoOpening {
        tries: OPENING_TRIES,
        plies: rule.plies,
        balance: rule.balance.unwrap_or_default(),
    })
}

/// Plays one game. The first player of the two has White if `first_is_white`, and judges the
/// openings either way.
///
/// # Errors
/// A player is out of order, or the user wants to stop.
pub fn play_game(
    players: [&mut dyn Player; 2],
    first_is_white: bool,
    opening: OpeningRule,
    rules: Rules,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<PlayedGame, PlayError> {
    let [first, second] = players;
    first.new_game()?;
    second.new_game()?;
    let (game, opening) = draw_opening(&mut *first, opening, rng)?;
    play_on([first, second], first_is_white, game, opening, rules)
}

/// Plays on from a game to which the moves of an opening have led.
///
/// # Errors
/// A player is out of order, or the user wants to stop.
pub fn play_on(
    players: [&mut dyn Player; 2],
    first_is_white: bool,
    mut game: Game,
    opening: Opening,
    rules: Rules,
) -> Result<PlayedGame, PlayError> {
    let [first, second] = players;
    let mut moves = opening.moves.clone();
    let mut choices = Vec::new();
    let mut referee = Referee::new(rules, &opening.start);
    loop {
        let white_to_move = game.position().side_to_move() == Color::White;
        let player = if white_to_move == first_is_white {
            &mut *first
        } else {
            &mut *second
        };
        let choice = player.choose(&game, &moves)?;
        if !game.play(choice.mv) {
            return Err(PlayError::IllegalMove {
                player: player.name().to_string(),
                mv: choice.mv,
                fen: game.position().to_fen(),
            });
        }
        moves.push(choice.mv);
        choices.push(choice);
        if let Some((result, ending)) = referee.after_move(&game, choice.score) {
            return Ok(PlayedGame {
                opening,
                choices,
                result,
                ending,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::openings::game_rng;
    use engine::score::Score;

    /// Finds an opening as good as whoever is to move has moves, beyond 22.
    struct Judge {
        asked: u32,
    }

    fn worth(game: &Game) -> i32 {
        100 * (game.position().legal_moves().len() as i32 - 22)
    }

    impl Player for Judge {
        fn name(&self) -> &str {
            "judge"
        }

        fn new_game(&mut self) -> Result<(), PlayError> {
            Ok(())
        }

        fn choose(&mut self, game: &Game, _: &[Move]) -> Result<Choice, PlayError> {
            self.asked += 1;
            Ok(Choice {
                mv: game.position().legal_moves()[0],
                score: Some(Score::cp(worth(game))),
                depth: 1,
                nodes: 1,
            })
        }
    }

    #[test]
    fn openings_lie_within_the_balance() {
        let draw = |number: u64, balance: Option<i32>| {
            let mut judge = Judge { asked: 0 };
            let rule = OpeningRule { plies: 6, balance };
            let drawn = draw_opening(&mut judge, rule, &mut game_rng(1, number));
            drawn.map(|(game, opening)| {
                assert_eq!(opening.moves.len(), 6);
                (worth(&game).abs(), judge.asked)
            })
        };
        let drawn: Vec<(i32, u32)> = (0..50).map(|n| draw(n, Some(200)).unwrap()).collect();
        assert!(drawn.iter().all(|(worth, _)| *worth <= 200), "{drawn:?}");
        // Some had to be drawn again; without a bound nobody is asked, and some lie beyond it.
        assert!(drawn.iter().any(|(_, asked)| *asked > 1), "{drawn:?}");
        let any: Vec<(i32, u32)> = (0..50).map(|n| draw(n, None).unwrap()).collect();
        assert!(any.iter().all(|(_, asked)| *asked == 0));
        assert!(any.iter().any(|(worth, _)| *worth > 200), "{any:?}");
        let error = draw(0, Some(-1)).unwrap_err().to_string();
        assert!(error.contains("allow more"), "{error}");
    }
}
