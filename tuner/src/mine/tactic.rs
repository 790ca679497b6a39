//! What makes a position tactical, and how an engine is asked.
//!
//! | search | nodes | lines | the position goes on if |
//! |---|---|---|---|
//! | shallow | `shallow` | 1 | it has more than one legal move |
//! | screening | `screen` | 2 | another move than the shallow one is best, by half of `gap` |
//! | deep | `deep` | 2 | the same move is best, by `gap` |
//! | first verification | 2 × `deep` | 2 | the same |
//! | second verification | 4 × `deep` | 2 | the same: it is taken |
//!
//! The screening only saves time: most positions end there. Each search starts with an empty table,
//! so none leans on another, and each position's answer depends on engine and nodes alone.

use crate::play::player::PlayError;
use crate::play::uci::{Analysis, UciEngine};
use engine::position::Position;
use engine::types::Move;

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Nodes of the search that must not find the move.
    pub shallow: u64,
    /// Nodes of the search that sorts most positions out.
    pub screen: u64,
    /// Nodes of the first of the three searches that must find it.
    pub deep: u64,
    /// Centipawns by which the best move must be better than the second.
    pub gap: i32,
    /// Centipawns beyond which a score counts as this: a game that is won or lost with either move
    /// is no exercise.
    pub decided: i32,
}

/// Whoever analyses positions; [`UciEngine`] but in tests.
pub trait Expert {
    /// The best `lines` moves after so many nodes.
    ///
    /// # Errors
    /// The expert is out of order.
    fn analyse(
        &mut self,
        position: &Position,
        nodes: u64,
        lines: usize,
    ) -> Result<Analysis, PlayError>;

    /// The move that it would play after so many nodes; its score doesn't matter.
    ///
    /// # Errors
    /// The expert is out of order.
    fn best_move(&mut self, position: &Position, nodes: u64) -> Result<Move, PlayError> {
        self.analyse(position, nodes, 1).map(|found| found.best)
    }
}

impl Expert for UciEngine {
    fn analyse(
        &mut self,
        position: &Position,
        nodes: u64,
        lines: usize,
    ) -> Result<Analysis, PlayError> {
        UciEngine::analyse(self, position, nodes, lines)
    }

    fn best_move(&mut self, position: &Position, nodes: u64) -> Result<Move, PlayError> {
        UciEngine::best_move(self, position, nodes)
    }
}

impl Rule {
    /// The move that makes the position tactical, if one does.
    ///
    /// # Errors
    /// The expert is out of order.
    pub fn solution(
        &self,
        expert: &mut dyn Expert,
        position: &Position,
    ) -> Result<Option<Move>, PlayError> {
        if position.legal_moves().len() < 2 {
            return Ok(None);
        }
        let obvious = expert.best_move(position, self.shallow)?;
        let mut solution = None;
        for (nodes, gap) in [
            (self.screen, self.gap / 2),
            (self.deep, self.gap),
            (2 * self.deep, self.gap),
            (4 * self.deep, self.gap),
        ] {
            let best = self.clearly_best(&expert.analyse(position, nodes, 2)?, gap);
            match best {
                Some(mv) if mv != obvious && solution.is_none_or(|known| known == mv) => {
                    solution = best;
                }
                _ => return Ok(None),
            }
        }
        Ok(solution)
    }

    /// The best move, if it is better than the second by so many centipawns.
    fn clearly_best(&self, analysis: &Analysis, gap: i32) -> Option<Move> {
        let [first, second, ..] = analysis.lines[..] else {
            return None;
        };
        // In a search that is broken off, the second line may be from the iteration before.
        let told = first.mv == analysis.best && second.mv != first.mv;
        let value = |score: engine::score::Score| score.value().clamp(-self.decided, self.decided);
        (told && value(first.score) - value(second.score) >= gap).then_some(first.mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::said::Line;
    use engine::score::Score;

    const RULE: Rule = Rule {
        shallow: 1,
        screen: 4,
        deep: 10,
        gap: 150,
        decided: 600,
    };

    /// Says at each number of nodes what it has been given; `best` is that of the first line.
    struct Scripted(Vec<(u64, Vec<(&'static str, Score)>)>);

    impl Expert for Scripted {
        fn analyse(
            &mut self,
            _: &Position,
            nodes: u64,
            lines: usize,
        ) -> Result<Analysis, PlayError> {
            let (at, said) = self.0.remove(0);
            assert_eq!(at, nodes);
            let line = |&(mv, score): &(&str, Score)| Line {
                mv: Move::parse_uci(mv).unwrap(),
                score,
                reply: None,
            };
            let lines: Vec<Line> = said.iter().take(lines).map(line).collect();
            Ok(Analysis {
                best: lines[0].mv,
                moves: lines.clone(),
                lines,
            })
        }
    }

    fn solution(said: &[(u64, &[(&'static str, Score)])]) -> (Option<String>, usize) {
        let said = said.iter().map(|(nodes, lines)| (*nodes, lines.to_vec()));
        let mut expert = Scripted(said.collect());
        let found = RULE.solution(&mut expert, &Position::startpos()).unwrap();
        (found.map(|mv| mv.to_string()), expert.0.len())
    }

    #[test]
    fn a_move_is_taken_that_is_clear_three_times_and_not_at_first_sight() {
        let cp = Score::cp;
        let quiet: &[_] = &[("e2e4", cp(30))];
        let half: &[_] = &[("d2d4", cp(90)), ("e2e4", cp(15))];
        let clear: &[_] = &[("d2d4", cp(180)), ("e2e4", cp(30))];
        let unclear: &[_] = &[("d2d4", cp(179)), ("e2e4", cp(30))];
        let other: &[_] = &[("g1f3", cp(300)), ("e2e4", cp(30))];
        let mate: &[_] = &[("d2d4", Score::mate_in(5)), ("e2e4", cp(450))];
        let won: &[_] = &[("d2d4", Score::mate_in(5)), ("e2e4", cp(451))];
        let lost: &[_] = &[("d2d4", cp(-460)), ("e2e4", Score::mated_in(8))];
        let found = Some("d2d4".to_string());
        let all = |at: usize, line: &[(&'static str, Score)]| {
            let mut said = [(1, quiet), (4, half), (10, clear), (20, clear), (40, clear)];
            said[at].1 = line;
            solution(&said)
        };
        assert_eq!(all(1, half), (found.clone(), 0));
        assert_eq!(all(2, mate), (found, 0));
        // The second number is that of the searches that were not needed.
        assert_eq!(all(0, &[("d2d4", cp(9))]), (None, 3));
        assert_eq!(all(1, &[("d2d4", cp(89)), ("e2e4", cp(15))]), (None, 3));
        assert_eq!(all(2, unclear), (None, 2));
        assert_eq!(all(3, other), (None, 1));
        assert_eq!(all(4, won), (None, 0));
        assert_eq!(all(4, lost), (None, 0));
        assert_eq!(all(4, &[("d2d4", cp(300))]), (None, 0));
        assert_eq!(all(4, &[("d2d4", cp(300)), ("d2d4", cp(10))]), (None, 0));
    }
}
