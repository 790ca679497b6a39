//! What is known of earlier positions, so that they are not evaluated again.

use super::pawn_cache::PawnCache;
use crate::score::Score;

/// Scores of positions and of pawn structures, for one set of weights
/// (<https://www.chessprogramming.org/Evaluation_Hash_Table>). The transposition table knows the
/// evaluation of positions that were searched; many in quiescence are good enough without that.
pub struct EvalCache {
    /// The high 48 bits of a position's key, which are hardly ever zero, as in an empty cell, and its
    /// score in centipawns from the side to move.
    scores: Vec<u64>,
    /// What is known of pawn structures.
    pub(super) pawn_cache: PawnCache,
}

/// Cells: a quarter of a megabyte. Twice or half as many bring no more speed.
const CELLS: usize = 1 << 15;

const SCORE_BITS: u32 = 16;

impl EvalCache {
    /// An empty cache.
    pub fn new() -> EvalCache {
        EvalCache {
            scores: vec![0; CELLS],
            pawn_cache: PawnCache::new(),
        }
    }

    /// Forgets everything: needed when the weights change.
    pub fn clear(&mut self) {
        self.scores.fill(0);
        self.pawn_cache.clear();
    }

    /// The score of the position with this key, if it is known.
    #[inline(always)]
    pub(super) fn score(&self, key: u64) -> Option<Score> {
        let cell = self.scores[key as usize % CELLS];
        let is_known = (cell ^ key) >> SCORE_BITS == 0;
        is_known.then(|| Score::cp(i32::from(cell as i16)))
    }

    /// Remembers a score; one beyond what a cell holds is not worth remembering.
    #[inline(always)]
    pub(super) fn remember(&mut self, key: u64, score: Score) {
        if let Ok(score) = i16::try_from(score.value()) {
            self.scores[key as usize % CELLS] =
                key >> SCORE_BITS << SCORE_BITS | u64::from(score as u16);
        }
    }
}

impl Default for EvalCache {
    fn default() -> Self {
        EvalCache::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back_for_their_own_position() {
        let mut cache = EvalCache::new();
        let key = 0x0123_4567_89ab_cdef;
        for score in [-32_768, -1, 0, 1, 32_767] {
            cache.remember(key, Score::cp(score));
            assert_eq!(cache.score(key), Some(Score::cp(score)));
            // The same cell, other positions.
            assert_eq!(cache.score(key ^ 1 << 16), None);
            assert_eq!(cache.score(key ^ 1 << 63), None);
        }
        cache.remember(key, Score::cp(32_768));
        assert_eq!(cache.score(key), Some(Score::cp(32_767)));
        cache.clear();
        assert_eq!(cache.score(key), None);
    }
}
