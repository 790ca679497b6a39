//! What the paper reports of phase 1, to set beside a run. Imports the shipped
//! samples' digests.
//!
//! All numbers are from O. E. David, H. J. van den Herik, M. Koppel, N. S. Netanyahu, "Genetic
//! Algorithms for Evolving Computer Chess Programs", IEEE Transactions on Evolutionary
//! Computation 18(5), 2014, §V.A (text and Figure 2) and §V.B (Figure 3).

use crate::data::SHIPPED_SAMPLES;

/// Whether a file with this SHA-256 is known to come from engines' games, so that none of the paper's
/// figures, which are of grandmasters' games, compares with it.
pub fn is_of_engines(sha256: &str) -> bool {
    SHIPPED_SAMPLES.contains(&sha256)
}

/// The paper, as footnotes name it.
pub const CITATION: &str = "O. E. David, H. J. van den Herik, M. Koppel, N. S. Netanyahu: Genetic \
     Algorithms for Evolving Computer Chess Programs, IEEE Transactions on Evolutionary \
     Computation 18(5), 2014";

/// Positions in the paper's training set, and as many in its test set.
pub const POSITIONS: u32 = 5000;
/// Generations of the paper's runs.
pub const GENERATIONS: u32 = 200;
/// Training positions solved by the best organism of the first run at generation 200.
pub const TRAIN_SOLVED: u32 = 1620;
/// Unseen positions solved by that organism.
pub const TEST_SOLVED: u32 = 1521;
/// "Around": the population's mean after it has stabilised.
pub const MEAN_SOLVED: u32 = 1500;
/// "About": the population's mean in the first generation.
pub const FIRST_MEAN_SOLVED: u32 = 800;

/// Figure 3: the champions' weights, mean of ten runs, rounded. Names are the rows of
/// `engine::eval::params`; the order is the paper's.
const FIGURE_3: [(&str, i32); 35] = [
    ("pawn_value", 100),
    ("knight_value", 521),
    ("bishop_value", 572),
    ("rook_value", 824),
    ("queen_value", 1710),
    ("pawn_advance_a", 3),
    ("pawn_advance_b", 6),
    ("passed_pawn_mult", 10),
    ("doubled_pawn_penalty", 14),
    ("isolated_pawn_penalty", 8),
    ("backward_pawn_penalty", 3),
    ("weak_square_penalty", 5),
    ("passed_pawn_enemy_king_dist", 7),
    ("knight_sq_mult", 6),
    ("knight_outpost_mult", 9),
    ("bishop_mobility", 4),
    ("bishop_pair", 28),
    ("rook_attack_king_file", 51),
    ("rook_attack_king_adj_file", 8),
    ("rook_attack_king_adj_file_abgh", 26),
    ("rook_7th_rank", 30),
    ("rook_connected", 6),
    ("rook_mobility", 4),
    ("rook_behind_passed_pawn", 40),
    ("rook_open_file", 27),
    ("rook_semi_open_file", 11),
    ("rook_atck_weak_pawn_open_column", 15),
    ("rook_column_mult", 6),
    ("queen_mobility", 2),
    ("king_no_friendly_pawn", 35),
    ("king_no_friendly_pawn_adj", 10),
    ("king_friendly_pawn_advanced1", 6),
    ("king_no_enemy_pawn", 17),
    ("king_no_enemy_pawn_adj", 9),
    ("king_pressure_mult", 4),
];

/// Figure 3's value of a row, or `None` for a row that the paper does not have.
pub fn weight(name: &str) -> Option<i32> {
    let row = FIGURE_3.iter().find(|(row, _)| *row == name)?;
    Some(row.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::files::sha256_of_file;
    use std::path::Path;

    /// Whoever renews the sample has to renew its digests, or the demo would stand beside the paper.
    #[test]
    fn the_shipped_samples_are_known_as_engine_games() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        for name in ["sample-train.epd", "sample-test.epd"] {
            let digest = sha256_of_file(&data.join(name)).unwrap();
            assert!(is_of_engines(&digest), "{name} has {digest}");
        }
        assert!(!is_of_engines(""));
    }
}
