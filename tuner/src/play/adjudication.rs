//! When a game is over: by the laws of chess, or because going on would waste time.
//!
//! Knows the board and the players' scores, no players.

use engine::position::{Game, Outcome, Position};
use engine::score::Score;
use engine::types::Color;
use std::fmt;
use std::str::FromStr;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This side won.
    Win(Color),
    /// Nobody did.
    Draw,
}

impl GameResult {
    /// The result that is written so; `None` for `*` and the like.
    pub fn of(text: &str) -> Option<GameResult> {
        let decisive = Color::ALL.map(GameResult::Win).into_iter();
        let mut all = decisive.chain([GameResult::Draw]);
        all.find(|result| result.to_string() == text)
    }
}

impl fmt::Display for GameResult {
    /// As in PGN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win(Color::White) => "1-0",
            GameResult::Win(Color::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the laws of chess.
    Rule(Outcome),
    /// The resignation rule.
    Resignation,
    /// The rule of announced mates.
    MateScore,
    /// The draw rule.
    DrawScore,
    /// The longest game allowed.
    MaxMoves,
}

impl Ending {
    /// All endings that there are.
    pub const ALL: [Ending; 9] = [
        Ending::Rule(Outcome::Checkmate),
        Ending::Rule(Outcome::Stalemate),
        Ending::Rule(Outcome::Repetition),
        Ending::Rule(Outcome::FiftyMoves),
        Ending::Rule(Outcome::InsufficientMaterial),
        Ending::Resignation,
        Ending::MateScore,
        Ending::DrawScore,
        Ending::MaxMoves,
    ];

    /// Whether the laws of chess ended the game.
    pub fn is_normal(self) -> bool {
        matches!(self, Ending::Rule(_))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Rule(Outcome::Checkmate) => "checkmate",
            Ending::Rule(Outcome::Stalemate) => "stalemate",
            Ending::Rule(Outcome::Repetition) => "threefold repetition",
            Ending::Rule(Outcome::FiftyMoves) => "fifty-move rule",
            Ending::Rule(Outcome::InsufficientMaterial) => "insufficient material",
            Ending::Resignation => "adjudicated: resignation",
            Ending::MateScore => "adjudicated: mate announced",
            Ending::DrawScore => "adjudicated: draw by score",
            Ending::MaxMoves => "adjudicated: longest game",
        })
    }
}

/// A side that has been lost by this much for this long loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Centipawns.
    pub cp: i32,
    /// Consecutive moves of a side.
    pub moves: u32,
}

/// A game that has been level for this long is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before this full move.
    pub from_move: u32,
    /// Centipawns, either way.
    pub cp: i32,
    /// Consecutive moves of each side.
    pub moves: u32,
}

/// A side that has announced mate at so many of its moves in a row wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateRule(pub u32);

impl fmt::Display for MateRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for MateRule {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [moves] = numbers(text, "MOVES")?;
        Ok(MateRule(positive(moves, "MOVES")?))
    }
}

/// A rule that may be switched off; `off` in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrOff<T>(pub Option<T>);

impl<T: fmt::Display> fmt::Display for OrOff<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("off"),
            Some(rule) => rule.fmt(f),
        }
    }
}

impl<T: FromStr<Err = String>> FromStr for OrOff<T> {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(OrOff(None)),
            rule => rule.parse().map(|rule| OrOff(Some(rule))),
        }
    }
}

/// `N` whole numbers, all at least 1 (centipawns may be 0), separated by commas.
fn numbers<const N: usize>(text: &str, form: &str) -> Result<[i32; N], String> {
    let parsed: Option<Vec<i32>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|n| *n >= 0))
        .collect();
    let numbers: Option<[i32; N]> = parsed.and_then(|list| list.try_into().ok());
    numbers.ok_or_else(|| format!("expected {form} in whole numbers, or off"))
}

/// A count that has to be at least 1.
fn positive(number: i32, what: &str) -> Result<u32, String> {
    match u32::try_from(number) {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(format!("{what} has to be at least 1")),
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.cp, self.moves)
    }
}

impl FromStr for ResignRule {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [cp, moves] = numbers(text, "CP,MOVES")?;
        positive(cp, "CP")?;
        let moves = positive(moves, "MOVES")?;
        Ok(ResignRule { cp, moves })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.from_move, self.cp, self.moves)
    }
}

impl FromStr for DrawRule {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [from_move, cp, moves] = numbers(text, "MOVENUMBER,CP,MOVES")?;
        Ok(DrawRule {
            from_move: positive(from_move, "MOVENUMBER")?,
            cp,
            moves: positive(moves, "MOVES")?,
        })
    }
}

/// When to end games that the laws of chess let go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Lost positions.
    pub resign: Option<ResignRule>,
    /// Whether the winner's scores have to say so as well, not the loser's alone.
    pub resign_needs_both: bool,
    /// A side that announces mate for itself at so many of its moves in a row wins.
    pub mate_moves: Option<u32>,
    /// Level positions.
    pub draw: Option<DrawRule>,
    /// A draw after so many full moves.
    pub max_moves: u32,
}

/// Watches one game.
pub struct Referee {
    rules: Rules,
    /// Consecutive own scores at or below the loss bound, by [`Color::index`].
    losing: [u32; 2],
    /// Consecutive own scores at or above the win bound.
    winning: [u32; 2],
    /// Consecutive own scores that are a mate of the opponent.
    mating: [u32; 2],
    /// Consecutive own scores within the draw bound.
    level: [u32; 2],
    /// Number of the first move: a book's position may say that it is the fortieth.
    first: u32,
}

impl Referee {
    /// For a game that begins at this position.
    pub fn new(rules: Rules, start: &Position) -> Referee {
        Referee {
            rules,
            first: u32::from(start.fullmove_number()),
            losing: [0; 2],
            winning: [0; 2],
            mating: [0; 2],
            level: [0; 2],
        }
    }

    /// How the game ended by the laws of chess.
    pub fn by_law(game: &Game) -> Option<(GameResult, Ending)> {
        let outcome = game.outcome()?;
        let result = match outcome {
            Outcome::Checkmate => GameResult::Win(!game.position().side_to_move()),
            _ => GameResult::Draw,
        };
        Some((result, Ending::Rule(outcome)))
    }

    /// Takes note of a move just played, with its player's score of it, and says whether the game
    /// is over. A move without a score breaks every run of scores.
    pub fn after_move(
        &mut self,
        game: &Game,
        score: Option<Score>,
    ) -> Option<(GameResult, Ending)> {
        let mover = !game.position().side_to_move();
        let extend = |run: &mut u32, holds: Option<bool>| {
            *run = if holds == Some(true) { *run + 1 } else { 0 };
        };
        let index = mover.index();
        if let Some(rule) = self.rules.resign {
            let bound = Score::cp(rule.cp);
            extend(&mut self.losing[index], score.map(|s| s <= -bound));
            extend(&mut self.winning[index], score.map(|s| s >= bound));
        }
        if self.rules.mate_moves.is_some() {
            let mates = score.map(|s| s.mate_moves().is_some_and(|moves| moves > 0));
            extend(&mut self.mating[index], mates);
        }
        if let Some(rule) = self.rules.draw {
            let bound = Score::cp(rule.cp);
            let level = score.map(|s| s <= bound && s >= -bound);
            extend(&mut self.level[index], level);
        }
        Referee::by_law(game).or_else(|| self.by_score(game))
    }

    fn by_score(&self, game: &Game) -> Option<(GameResult, Ending)> {
        if let Some(rule) = self.rules.resign {
            for loser in Color::ALL {
                let lost = self.losing[loser.index()] >= rule.moves;
                let won = self.winning[(!loser).index()] >= rule.moves;
                if lost && (won || !self.rules.resign_needs_both) {
                    return Some((GameResult::Win(!loser), Ending::Resignation));
                }
            }
        }
        if let Some(moves) = self.rules.mate_moves {
            let mates = |side: &Color| self.mating[side.index()] >= moves;
            if let Some(winner) = Color::ALL.into_iter().find(mates) {
                return Some((GameResult::Win(winner), Ending::MateScore));
            }
        }
        // One more than the full moves played.
        let next = u32::from(game.position().fullmove_number());
        let number = 1 + next.saturating_sub(self.first);
        if let Some(rule) = self.rules.draw
            && number > rule.from_move
            && self.level.iter().all(|&run| run >= rule.moves)
        {
            return Some((GameResult::Draw, Ending::DrawScore));
        }
        (number > self.rules.max_moves).then_some((GameResult::Draw, Ending::MaxMoves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::position::Position;
    use engine::types::Move;

    const RULES: Rules = Rules {
        resign: Some(ResignRule { cp: 500, moves: 2 }),
        resign_needs_both: true,
        mate_moves: None,
        draw: Some(DrawRule {
            from_move: 2,
            cp: 10,
            moves: 2,
        }),
        max_moves: 4,
    };

    /// Plays knights to and fro with these scores in centipawns, each from its player's side.
    fn end(rules: Rules, scores: &[Option<i32>]) -> Option<(usize, GameResult, Ending)> {
        let scores = scores.iter().map(|score| score.map(Score::cp));
        end_of(rules, &scores.collect::<Vec<_>>())
    }

    fn end_of(rules: Rules, scores: &[Option<Score>]) -> Option<(usize, GameResult, Ending)> {
        let mut game = Game::new(Position::startpos());
        let mut referee = Referee::new(rules, game.position());
        let tour = [
            "b1c3", "b8c6", "g1f3", "g8f6", "a2a3", "a7a6", "h2h3", "h7h6",
        ];
        for (ply, (text, score)) in tour.iter().zip(scores).enumerate() {
            assert!(game.play(Move::parse_uci(text).unwrap()));
            if let Some((result, ending)) = referee.after_move(&game, *score) {
                return Some((ply + 1, result, ending));
            }
        }
        None
    }

    #[test]
    fn both_have_to_agree_on_a_resignation() {
        let black_wins = [Some(-500), Some(500), Some(-600), Some(700)];
        let won = Some((4, GameResult::Win(Color::Black), Ending::Resignation));
        assert_eq!(end(RULES, &black_wins), won);
        let doubtful = [Some(-500), Some(499), Some(-600), Some(700)];
        assert_eq!(end(RULES, &doubtful), None);
        let mut alone = RULES;
        alone.resign_needs_both = false;
        let won = Some((3, GameResult::Win(Color::Black), Ending::Resignation));
        assert_eq!(end(alone, &doubtful), won);
        let gap = [
            Some(-500),
            Some(500),
            None,
            Some(700),
            Some(-500),
            Some(700),
        ];
        assert_eq!(end(RULES, &gap), None);
    }

    #[test]
    fn announced_mates_are_believed_after_a_while() {
        let mut rules = RULES;
        rules.resign = None;
        rules.mate_moves = Some(2);
        let mut scores = [20, 0, -30, 50, -40, 0, -50, 0].map(|cp| Some(Score::cp(cp)));
        for ply in [1, 5, 7] {
            scores[ply] = Some(Score::mate_in(5));
        }
        let won = (8, GameResult::Win(Color::Black), Ending::MateScore);
        assert_eq!(end_of(rules, &scores), Some(won));
    }

    #[test]
    fn level_games_are_drawn_late_enough() {
        let drawn = Some((4, GameResult::Draw, Ending::DrawScore));
        assert_eq!(end(RULES, &[Some(0), Some(10), Some(-10), Some(3)]), drawn);
        let later = Some((5, GameResult::Draw, Ending::DrawScore));
        assert_eq!(end(RULES, &[11, 0, 0, 0, 0, 0].map(Some)), later);
        let longest = Some((8, GameResult::Draw, Ending::MaxMoves));
        assert_eq!(end(RULES, &[Some(100); 8]), longest);
    }

    #[test]
    fn the_laws_come_first() {
        let mut game = Game::new(Position::startpos());
        let mut referee = Referee::new(RULES, game.position());
        let mut last = None;
        for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            assert!(game.play(Move::parse_uci(text).unwrap()));
            last = referee.after_move(&game, Some(Score::DRAW));
        }
        let mate = Ending::Rule(Outcome::Checkmate);
        assert_eq!(last, Some((GameResult::Win(Color::Black), mate)));
    }

    #[test]
    fn rules_come_back_from_their_text() {
        for text in ["off", "900,4"] {
            let rule: OrOff<ResignRule> = text.parse().unwrap();
            assert_eq!(rule.to_string(), text);
        }
        let rule: OrOff<DrawRule> = "40,0,8".parse().unwrap();
        assert_eq!(rule.to_string(), "40,0,8");
        for text in [
            "",
            "900",
            "900,0",
            "0,4",
            "-1,4",
            "900,4,1",
            "9e9,4",
            "99999999999,1",
        ] {
            assert!(text.parse::<OrOff<ResignRule>>().is_err(), "{text}");
        }
    }
}
