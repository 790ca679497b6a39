//! Positions at which a search looks: what the evaluation is asked for, and so what it should be
//! taught. A search is broken off after a random number of nodes, and where it was is the position.

use crate::base::room;
use crate::evolution::rng::Random;
use engine::epd;
use engine::params::ParamSet;
use engine::position::{Game, Position};
use engine::search::{Limits, Searcher};
use engine::tt::TableError;

/// Megabytes of the search's table: a few thousand nodes need no more.
const TABLE: usize = 1;

/// This engine with its default parameters, as one that draws.
pub struct Leaves {
    searcher: Searcher,
    nodes: u64,
}

impl Leaves {
    /// It searches for so many nodes at most.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(nodes: u64) -> Result<Leaves, TableError> {
        let searcher = room::with_table(TABLE, || Searcher::new(ParamSet::default(), TABLE))?;
        Ok(Leaves { searcher, nodes })
    }

    /// Searches a position for a number of nodes drawn by chance, and has where the search was
    /// then, once with each side to move; `None` if it has ended before or stands in check. An
    /// EPD has no clocks, so neither have these.
    pub fn draw(&mut self, root: &Position, rng: &mut Random) -> Option<[Position; 2]> {
        let drawn = 1 + rng.below(self.nodes.into()) as u64;
        self.searcher.clear();
        let limits = Limits::nodes(drawn);
        let searched = self.searcher.search_quietly(&Game::new(*root), &limits);
        let leaf = searched.broken_off_at?;
        // Nobody may pass who is in check.
        let passed = leaf.play_null()?;
        let sides = [leaf, passed].map(|position| unclocked(&position));
        let [Some(leaf), Some(passed)] = sides else {
            return None;
        };
        let go_on = [leaf, passed].iter().all(Position::has_legal_move);
        go_on.then_some([leaf, passed])
    }
}

/// A position as its EPD has it.
pub fn unclocked(position: &Position) -> Option<Position> {
    Position::from_fen(&format!("{} 0 1", epd::fields(position))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_is_one_position_with_either_side_to_move() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        let root = Position::from_fen(fen).unwrap();
        let mut leaves = Leaves::new(3_000).unwrap();
        let mut drawn = |seed| leaves.draw(&root, &mut Random::new(seed));
        let all: Vec<_> = (0..40).filter_map(&mut drawn).collect();
        assert!(all.len() > 25, "{} of 40", all.len());
        for [leaf, passed] in &all {
            assert_ne!(leaf.side_to_move(), passed.side_to_move());
            assert_eq!(leaf.occupied(), passed.occupied());
            assert!(!leaf.in_check() && !passed.in_check());
        }
        // Searches are broken off with one side to move as well as with the other.
        let white = all
            .iter()
            .filter(|[leaf, _]| leaf.side_to_move() == engine::types::Color::White);
        assert!((1..all.len()).contains(&white.count()));
        let mut boards: Vec<String> = all.iter().map(|[leaf, _]| epd::fields(leaf)).collect();
        boards.sort_unstable();
        boards.dedup();
        assert!(boards.len() > 20, "{boards:?}");
        // The same seed draws the same.
        assert_eq!((0..40).filter_map(drawn).collect::<Vec<_>>(), all);
    }
}
