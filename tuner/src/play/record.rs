//! A game as a journal keeps it: short text from which every move, score, depth and node count
//! comes back.

use crate::play::adjudication::{Ending, GameResult};
use crate::play::game::PlayedGame;
use crate::play::openings::Opening;
use crate::play::player::Choice;
use engine::position::Position;
use engine::score::Score;
use engine::types::Move;
use serde::{Deserialize, Serialize};

/// A game as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// FEN of the start, if that is not the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Moves of the opening: `e2e4 e7e5`.
    pub opening: String,
    /// The players' moves, each with score, depth and nodes: `g1f3,31,7,5012`.
    pub moves: String,
    /// `1-0`, `0-1` or `1/2-1/2`; `*` for a game that could not be played.
    pub result: String,
    /// Why it ended, in the words of [`Ending`].
    pub ending: String,
}

impl GameRecord {
    /// Of a game that could not be played.
    pub fn void() -> GameRecord {
        GameRecord {
            start: None,
            opening: String::new(),
            moves: String::new(),
            result: "*".into(),
            ending: String::new(),
        }
    }

    /// Of a game.
    pub fn of(game: &PlayedGame) -> GameRecord {
        let start = game.opening.start;
        let opening = game.opening.moves.iter().map(ToString::to_string);
        GameRecord {
            start: (start != Position::startpos()).then(|| start.to_fen()),
            opening: opening.collect::<Vec<_>>().join(" "),
            moves: game
                .choices
                .iter()
                .map(text_of)
                .collect::<Vec<_>>()
                .join(" "),
            result: game.result.to_string(),
            ending: game.ending.to_string(),
        }
    }

    /// Who won; `None` if it could not be played.
    pub fn result(&self) -> Option<GameResult> {
        GameResult::of(&self.result)
    }

    /// The game; `None` if the text is none, or it could not be played.
    pub fn game(&self) -> Option<PlayedGame> {
        let start = match &self.start {
            Some(fen) => Position::from_fen(fen).ok()?,
            None => Position::startpos(),
        };
        let moves = self.opening.split_whitespace().map(Move::parse_uci);
        let opening = Opening {
            start,
            moves: moves.collect::<Option<_>>()?,
        };
        let choices = self.moves.split_whitespace().map(choice_of);
        let game = PlayedGame {
            choices: choices.collect::<Option<_>>()?,
            result: self.result()?,
            ending: (Ending::ALL.into_iter()).find(|ending| ending.to_string() == self.ending)?,
            opening,
        };
        let mut position = start;
        for mv in game.moves() {
            if !position.is_legal(mv) {
                return None;
            }
            position = position.play(mv);
        }
        Some(game)
    }

    /// Nodes that both players searched.
    pub fn nodes(&self) -> u64 {
        let choices = self.moves.split_whitespace().filter_map(choice_of);
        choices.fold(0, |sum, choice| sum.saturating_add(choice.nodes))
    }
}

fn text_of(choice: &Choice) -> String {
    let score = choice.score.map(|score| score.value().to_string());
    let score = score.unwrap_or_else(|| "?".to_string());
    format!("{},{score},{},{}", choice.mv, choice.depth, choice.nodes)
}

fn choice_of(text: &str) -> Option<Choice> {
    let mut parts = text.split(',');
    let choice = Choice {
        mv: Move::parse_uci(parts.next()?)?,
        score: match parts.next()? {
            "?" => None,
            value => Some(score_of(value.parse().ok()?)),
        },
        depth: parts.next()?.parse().ok()?,
        nodes: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(choice)
}

/// A score from its raw value.
fn score_of(value: i32) -> Score {
    let mate = Score::MATE.value();
    let away = usize::try_from(mate.saturating_sub(value.saturating_abs())).unwrap_or(0);
    if value > Score::MAX_EVAL.value() {
        Score::mate_in(away)
    } else if value < -Score::MAX_EVAL.value() {
        Score::mated_in(away)
    } else {
        Score::cp(value)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use engine::position::Outcome;

    /// The shortest game; the first move is of the opening.
    pub(crate) fn fools_mate() -> PlayedGame {
        let choice = |text: &str, score| Choice {
            mv: Move::parse_uci(text).unwrap(),
            score,
            depth: 3,
            nodes: 99,
        };
        PlayedGame {
            opening: Opening::from_startpos(vec![Move::parse_uci("f2f3").unwrap()]),
            choices: vec![
                choice("e7e5", None),
                choice("g2g4", Some(Score::mated_in(2))),
                choice("d8h4", Some(Score::mate_in(1))),
            ],
            result: GameResult::Win(engine::types::Color::Black),
            ending: Ending::Rule(Outcome::Checkmate),
        }
    }

    #[test]
    fn games_come_back() {
        let game = fools_mate();
        let record = GameRecord::of(&game);
        assert_eq!(record.game(), Some(game));
        assert_eq!(record.nodes(), 3 * 99);
        assert_eq!(record.start, None);
        for value in [0, -7, 999_000, 999_990, -999_990, -999_871, 1_000_000] {
            assert_eq!(score_of(value).value(), value.clamp(-1_000_000, 1_000_000));
        }
    }

    #[test]
    fn nonsense_is_no_game() {
        assert_eq!(GameRecord::void().game(), None);
        let record = |moves: &str| GameRecord {
            start: None,
            opening: "e2e4".into(),
            moves: moves.into(),
            result: "1-0".into(),
            ending: "checkmate".into(),
        };
        assert!(record("e7e5,1,1,1").game().is_some());
        for moves in [
            "e7e4,1,1,1",
            "e7e5",
            "e7e5,1,1,1,1",
            "e7e5,x,1,1",
            "e9e5,1,1,1",
        ] {
            assert_eq!(record(moves).game(), None, "{moves}");
        }
    }
}
