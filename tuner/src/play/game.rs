//! One game between two players, from a random opening to its end.

use crate::play::adjudication::{Ending, GameResult, Referee, Rules};
use crate::play::openings::random_opening;
use crate::play::player::{Choice, PlayError, Player};
use engine::position::{Game, Position};
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
    /// The random moves.
    pub opening: Vec<Move>,
    /// The players' moves after them.
    pub choices: Vec<Choice>,
    /// Who won.
    pub result: GameResult,
    /// And why.
    pub ending: Ending,
}

impl PlayedGame {
    /// All moves from the initial position.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        let played = self.choices.iter().map(|choice| choice.mv);
        self.opening.iter().copied().chain(played)
    }
}

/// Draws an opening that the player finds balanced.
fn draw_opening(
    judge: &mut dyn Player,
    rule: OpeningRule,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<(Game, Vec<Move>), PlayError> {
    for _ in 0..OPENING_TRIES {
        let moves = random_opening(rng, rule.plies);
        let mut game = Game::new(Position::startpos());
        for &mv in &moves {
            game.play(mv);
        }
        let Some(balance) = rule.balance else {
            return Ok((game, moves));
        };
        let judged = judge.choose(&game, &moves)?.score;
        if judged.is_none_or(|score| score.value().abs() <= balance) {
            return Ok((game, moves));
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
    let (mut game, opening) = draw_opening(&mut *first, opening, rng)?;
    let mut moves = opening.clone();
    let mut choices = Vec::new();
    let mut referee = Referee::new(rules);
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
