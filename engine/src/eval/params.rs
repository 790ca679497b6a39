//! The weights of the evaluation: one row each, with its gene in every layout that evolves it.
//!
//! First the 35 terms of 2014 Figure 3 (2009 §3.1; 2011 with five piece values). The papers name
//! the terms but do not define them; the reading of each is in `core`. All their weights are
//! centipawns per unit of the term's count, and none is negative: a penalty's count is.
//!
//! Then the further terms of layout `eval-full`, counted in `full`, and for every term one row more
//! that is added to its weight by and by as pieces leave the board ([`crate::eval`]): the rows
//! after [`TERMS`], in the same order.
//!
//! Last the terms of 2013 Table 1, an evaluation of its own that is counted in `terms_2013` for a player that
//! has any of them: layout `eval-2013`, and `eval-2013-24` with the first 24 of the table's 33 rows (§5.1: "we
//! tuned the first 24 weights shown in Table 1"). The five piece values are the rows that all layouts share.
//! The pawn's is no gene in these, since Table 1 gives it 100 as both bounds: it is the unit, as in 2014.

/// Terms of 2014 Figure 3, the first rows of the table.
pub const CORE: usize = 35;

/// All terms that have an endgame row. Row `n` is the weight of term `n`, row `TERMS + n` what is added to it in
/// the endgame.
pub const TERMS: usize = term::pawn_value_endgame;

/// The first row of the terms of 2013 that no other paper has.
pub const FIRST_2013: usize = 2 * TERMS;

/// How many terms of 2013 no other paper has.
pub const OWN_2013: usize = term::COUNT - FIRST_2013;

/// Whether a row is what a term gains in the endgame.
pub fn is_of_endgame(row: usize) -> bool {
    (TERMS..FIRST_2013).contains(&row)
}

crate::tapered_params! {
    /// Weights of the terms, centipawns per count.
    pub struct EvalParams in "eval", index term {
        /// Worth of a pawn; the unit in layout eval-2014, where it is no gene.
        pawn_value, pawn_value_endgame = 100, 18 in 0..=2047, -512..=511
            genes { "eval-2011": 10 }, { "eval-full": 10 };
        /// Worth of a knight.
        knight_value, knight_value_endgame = 280, 44 in 0..=2047, -512..=511
            genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10,
                "eval-2013": 8 from 200 to 400, "eval-2013-24": 8 from 200 to 400 }, { "eval-full": 10 };
        /// Worth of a bishop.
        bishop_value, bishop_value_endgame = 277, 176 in 0..=2047, -512..=511
            genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10,
                "eval-2013": 8 from 200 to 400, "eval-2013-24": 8 from 200 to 400 }, { "eval-full": 10 };
        /// Worth of a rook.
        rook_value, rook_value_endgame = 326, 395 in 0..=2047, -512..=511
            genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10,
                "eval-2013": 8 from 400 to 600, "eval-2013-24": 8 from 400 to 600 }, { "eval-full": 10 };
        /// Worth of a queen.
        queen_value, queen_value_endgame = 731, 442 in 0..=2047, -512..=511
            genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10,
                "eval-2013": 8 from 800 to 1000, "eval-2013-24": 8 from 800 to 1000 }, { "eval-full": 10 };
        /// Each rank that a pawn on the files a, b, g or h has advanced.
        pawn_advance_a, pawn_advance_a_endgame = 23, -12 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rank that a pawn on the files c, d, e or f has advanced.
        pawn_advance_b, pawn_advance_b_endgame = 24, -13 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each passed pawn, by its rank: 0, 1, 3, 6, 10 or 15, half while it is blocked.
        passed_pawn_mult, passed_pawn_mult_endgame = 1, 9 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each pawn behind another of its side on the same file (penalty).
        doubled_pawn_penalty, doubled_pawn_penalty_endgame = 2, 20 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each pawn without a pawn of its side on a neighbouring file (penalty).
        isolated_pawn_penalty, isolated_pawn_penalty_endgame = 3, 0 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each pawn that its neighbours have left behind and that can't safely follow (penalty).
        backward_pawn_penalty, backward_pawn_penalty_endgame = 7, -8 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each square before the own camp that no own pawn can ever defend (penalty).
        weak_square_penalty, weak_square_penalty_endgame = 1, 2 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// King moves that the enemy king is farther from each passed pawn's path than the own king.
        passed_pawn_enemy_king_dist, passed_pawn_enemy_king_dist_endgame = 0, 7 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each knight's square: central files and advanced ranks, 0 to 7.
        knight_sq_mult, knight_sq_mult_endgame = 20, 9 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each knight on an outpost, by its rank.
        knight_outpost_mult, knight_outpost_mult_endgame = 4, 0 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each square that a bishop attacks, safe from pawns and not blocked by own pawns.
        bishop_mobility, bishop_mobility_endgame = 3, -3 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Two bishops or more.
        bishop_pair, bishop_pair_endgame = 28, 31 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rook on the enemy king's file.
        rook_attack_king_file, rook_attack_king_file_endgame = 11, -25 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rook on a file next to the enemy king's.
        rook_attack_king_adj_file, rook_attack_king_adj_file_endgame = 7, -24 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// The same while that king stands on the files a, b, g or h.
        rook_attack_king_adj_file_abgh, rook_attack_king_adj_file_abgh_endgame = 1, 2 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rook on the seventh rank.
        rook_7th_rank, rook_7th_rank_endgame = 26, -15 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Rooks that defend each other.
        rook_connected, rook_connected_endgame = 0, 0 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each square that a rook attacks, safe from pawns and not blocked by own pawns.
        rook_mobility, rook_mobility_endgame = 1, 2 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rook behind a passed pawn on its file.
        rook_behind_passed_pawn, rook_behind_passed_pawn_endgame = 4, 41 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rook on a file without pawns.
        rook_open_file, rook_open_file_endgame = 26, -18 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rook on a file with enemy pawns alone.
        rook_semi_open_file, rook_semi_open_file_endgame = 11, -3 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each rook that attacks a weak pawn on a file without own pawns.
        rook_atck_weak_pawn_open_column, rook_atck_weak_pawn_open_column_endgame = 3, 11 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Centrality of each rook's file.
        rook_column_mult, rook_column_mult_endgame = 1, -25 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each square that a queen attacks, safe from pawns and not blocked by own pawns.
        queen_mobility, queen_mobility_endgame = 1, 7 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// No own pawn close before the king on its file, while there is an enemy queen (penalty).
        king_no_friendly_pawn, king_no_friendly_pawn_endgame = 15, -24 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each file next to the king's without an own pawn close by, likewise (penalty).
        king_no_friendly_pawn_adj, king_no_friendly_pawn_adj_endgame = 14, -19 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each pawn of the king's shield that has advanced one step, likewise (penalty).
        king_friendly_pawn_advanced1, king_friendly_pawn_advanced1_endgame = 0, 1 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// No enemy pawn on the king's file, likewise (penalty: a line to the king).
        king_no_enemy_pawn, king_no_enemy_pawn_endgame = 13, 0 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each file next to the king's without an enemy pawn, likewise (penalty).
        king_no_enemy_pawn_adj, king_no_enemy_pawn_adj_endgame = 2, -9 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        /// Each attack of a piece on a square of the enemy king's zone that no enemy pawn guards.
        king_pressure_mult, king_pressure_mult_endgame = 0, -1 in 0..=63, -128..=127
            genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 }, { "eval-full": 8 };
        // A narrow range: positions alone make this 60, and that plays worse (docs/results/expert.md).
        /// The side to move.
        tempo, tempo_endgame = 31, 31 in -32..=31, -32..=31
            genes { "eval-full": 6 }, { "eval-full": 6 };
        /// Each pawn on its third rank.
        pawn_rank_3, pawn_rank_3_endgame = -29, 19 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on its fourth rank.
        pawn_rank_4, pawn_rank_4_endgame = -47, 36 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on its fifth rank.
        pawn_rank_5, pawn_rank_5_endgame = -55, 52 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on its sixth rank.
        pawn_rank_6, pawn_rank_6_endgame = -64, 66 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on its seventh rank.
        pawn_rank_7, pawn_rank_7_endgame = -103, 82 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on the files b and g.
        pawn_files_bg, pawn_files_bg_endgame = 0, 0 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on the files c and f.
        pawn_files_cf, pawn_files_cf_endgame = 6, -16 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on the files d and e.
        pawn_files_de, pawn_files_de_endgame = 6, -16 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on its second rank.
        knight_rank_2, knight_rank_2_endgame = -18, 11 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on its third rank.
        knight_rank_3, knight_rank_3_endgame = -43, -26 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on its fourth rank.
        knight_rank_4, knight_rank_4_endgame = -28, -18 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on its fifth rank.
        knight_rank_5, knight_rank_5_endgame = -40, -40 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on its sixth rank.
        knight_rank_6, knight_rank_6_endgame = -36, -53 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on its seventh rank.
        knight_rank_7, knight_rank_7_endgame = 8, -39 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on its eighth rank.
        knight_rank_8, knight_rank_8_endgame = -89, 82 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on the files b and g.
        knight_files_bg, knight_files_bg_endgame = -25, 19 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on the files c and f.
        knight_files_cf, knight_files_cf_endgame = -41, 7 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight on the files d and e.
        knight_files_de, knight_files_de_endgame = -55, -2 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on its second rank.
        bishop_rank_2, bishop_rank_2_endgame = 2, -2 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on its third rank.
        bishop_rank_3, bishop_rank_3_endgame = 7, 8 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on its fourth rank.
        bishop_rank_4, bishop_rank_4_endgame = 7, 7 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on its fifth rank.
        bishop_rank_5, bishop_rank_5_endgame = 9, 8 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on its sixth rank.
        bishop_rank_6, bishop_rank_6_endgame = 10, 15 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on its seventh rank.
        bishop_rank_7, bishop_rank_7_endgame = -21, 34 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on its eighth rank.
        bishop_rank_8, bishop_rank_8_endgame = -5, 25 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on the files b and g.
        bishop_files_bg, bishop_files_bg_endgame = 6, -13 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on the files c and f.
        bishop_files_cf, bishop_files_cf_endgame = -2, 7 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop on the files d and e.
        bishop_files_de, bishop_files_de_endgame = -10, 17 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on its second rank.
        rook_rank_2, rook_rank_2_endgame = -9, 17 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on its third rank.
        rook_rank_3, rook_rank_3_endgame = -7, 20 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on its fourth rank.
        rook_rank_4, rook_rank_4_endgame = -11, 38 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on its fifth rank.
        rook_rank_5, rook_rank_5_endgame = 5, 30 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on its sixth rank.
        rook_rank_6, rook_rank_6_endgame = 34, -15 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on its seventh rank.
        rook_rank_7, rook_rank_7_endgame = 3, 15 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on its eighth rank.
        rook_rank_8, rook_rank_8_endgame = 29, -19 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on the files b and g.
        rook_files_bg, rook_files_bg_endgame = 4, 17 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on the files c and f.
        rook_files_cf, rook_files_cf_endgame = 7, 43 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each rook on the files d and e.
        rook_files_de, rook_files_de_endgame = 17, 41 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on its second rank.
        queen_rank_2, queen_rank_2_endgame = 16, -25 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on its third rank.
        queen_rank_3, queen_rank_3_endgame = 20, -9 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on its fourth rank.
        queen_rank_4, queen_rank_4_endgame = 29, -14 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on its fifth rank.
        queen_rank_5, queen_rank_5_endgame = 25, 15 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on its sixth rank.
        queen_rank_6, queen_rank_6_endgame = 44, -27 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on its seventh rank.
        queen_rank_7, queen_rank_7_endgame = 41, -45 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on its eighth rank.
        queen_rank_8, queen_rank_8_endgame = 9, 15 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on the files b and g.
        queen_files_bg, queen_files_bg_endgame = 7, -1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on the files c and f.
        queen_files_cf, queen_files_cf_endgame = 12, -12 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each queen on the files d and e.
        queen_files_de, queen_files_de_endgame = 9, 5 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on its second rank.
        king_rank_2, king_rank_2_endgame = -6, 17 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on its third rank.
        king_rank_3, king_rank_3_endgame = -28, 48 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on its fourth rank.
        king_rank_4, king_rank_4_endgame = -80, 116 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on its fifth rank.
        king_rank_5, king_rank_5_endgame = -47, 88 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on its sixth rank.
        king_rank_6, king_rank_6_endgame = 3, 36 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on its seventh rank.
        king_rank_7, king_rank_7_endgame = 34, 16 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on its eighth rank.
        king_rank_8, king_rank_8_endgame = -11, 47 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on the files b and g.
        king_files_bg, king_files_bg_endgame = 16, -13 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on the files c and f.
        king_files_cf, king_files_cf_endgame = -19, 22 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each king on the files d and e.
        king_files_de, king_files_de_endgame = -33, 29 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square that a knight attacks, safe from pawns and not blocked by own pawns.
        knight_mobility, knight_mobility_endgame = -1, 15 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square short of four that a knight may go to (penalty).
        knight_cramped, knight_cramped_endgame = 15, -29 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square short of five that a bishop may go to (penalty).
        bishop_cramped, bishop_cramped_endgame = 4, 5 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square short of five that a rook may go to (penalty).
        rook_cramped, rook_cramped_endgame = 2, 8 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square short of eight that a queen may go to (penalty).
        queen_cramped, queen_cramped_endgame = 3, 6 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn on the colour of a bishop (penalty).
        bishop_own_pawns, bishop_own_pawns_endgame = 2, 1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight or bishop right behind an own pawn.
        minor_behind_pawn, minor_behind_pawn_endgame = 7, -7 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each bishop defended by a pawn where no enemy pawn can drive it away, beyond the third rank.
        bishop_outpost, bishop_outpost_endgame = 20, -10 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each piece beyond the first that attacks the enemy king's zone.
        king_attackers, king_attackers_endgame = -6, 16 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Square of the attackers' weight (knight, bishop 2, rook 3, queen 5), in eighths.
        king_attack_weight, king_attack_weight_endgame = 0, -2 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square of the enemy king's zone that is attacked and that the king alone defends.
        king_zone_undefended, king_zone_undefended_endgame = 9, -11 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// A knight could check from a square that the opponent does not attack.
        knight_safe_check, knight_safe_check_endgame = 51, -46 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// A bishop could, likewise.
        bishop_safe_check, bishop_safe_check_endgame = 6, 22 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// A rook could, likewise.
        rook_safe_check, rook_safe_check_endgame = 53, -43 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// A queen could, likewise.
        queen_safe_check, queen_safe_check_endgame = 21, 44 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn on the rank before the king, on its file or beside it.
        king_shield_second, king_shield_second_endgame = -12, 8 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn on the rank after that, likewise.
        king_shield_third, king_shield_third_endgame = -13, 25 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy pawn one or two ranks before the king, likewise (penalty).
        king_storm_near, king_storm_near_endgame = 15, -1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy pawn three ranks before the king, likewise (penalty).
        king_storm_far, king_storm_far_endgame = 12, -6 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// King moves from the king to the nearest pawn of its side (penalty).
        king_pawn_distance, king_pawn_distance_endgame = 2, 10 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn on its fourth rank.
        passed_rank_4, passed_rank_4_endgame = -21, 3 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn on its fifth rank.
        passed_rank_5, passed_rank_5_endgame = -32, -8 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn on its sixth rank.
        passed_rank_6, passed_rank_6_endgame = -43, 31 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn on its seventh rank.
        passed_rank_7, passed_rank_7_endgame = -31, 49 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn that may step forward safely, by ranks beyond the third.
        passed_free, passed_free_endgame = -2, 16 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn whose whole path the opponent does not attack, likewise.
        passed_path_safe, passed_path_safe_endgame = -1, 20 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn that a pawn defends, likewise.
        passed_protected, passed_protected_endgame = 6, 3 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// King moves from the own king to a passed pawn's stop square, likewise (penalty).
        passed_own_king, passed_own_king_endgame = -3, 6 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// King moves from the enemy king to that square, likewise.
        passed_enemy_king, passed_enemy_king_endgame = 1, 5 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each passed pawn that a lone enemy king can't catch.
        passed_unstoppable, passed_unstoppable_endgame = 75, 127 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn beside another of its side, by ranks advanced.
        pawn_phalanx, pawn_phalanx_endgame = 3, 1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn defended by another, by ranks advanced.
        pawn_supported, pawn_supported_endgame = 5, -1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each isolated or backward pawn that no enemy pawn stands before on its file (penalty).
        pawn_weak_unopposed, pawn_weak_unopposed_endgame = 8, 0 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy piece that a pawn attacks.
        threat_by_pawn, threat_by_pawn_endgame = 66, 26 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy piece that a pawn would attack after a safe step.
        threat_by_pawn_push, threat_by_pawn_push_endgame = 20, -11 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy rook or queen that a knight or bishop attacks.
        threat_by_minor, threat_by_minor_endgame = 79, -29 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each undefended enemy knight or bishop that one attacks.
        threat_minor_on_minor, threat_minor_on_minor_endgame = 42, -28 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy queen that a rook attacks.
        threat_by_rook, threat_by_rook_endgame = 80, 28 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each undefended enemy piece or pawn that the king attacks.
        threat_by_king, threat_by_king_endgame = 61, -43 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy piece or pawn that is attacked and not defended.
        hanging, hanging_endgame = 23, 15 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square on the files c to f and ranks 2 to 4 that is safe from pawns and not an own pawn's.
        space, space_endgame = 3, -8 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square that is attacked and that the opponent does not attack.
        control, control_endgame = -2, 3 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square that both sides attack and no enemy pawn defends.
        restriction, restriction_endgame = 4, -3 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn beyond five, or less for each that is missing, for each knight.
        knight_with_pawns, knight_with_pawns_endgame = 24, -13 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The same with enemy pawns.
        knight_against_pawns, knight_against_pawns_endgame = 26, -4 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn beyond five, likewise, for each bishop.
        bishop_with_pawns, bishop_with_pawns_endgame = 27, -16 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The same with enemy pawns.
        bishop_against_pawns, bishop_against_pawns_endgame = 28, -9 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn beyond five, likewise, for each rook.
        rook_with_pawns, rook_with_pawns_endgame = 35, -26 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The same with enemy pawns.
        rook_against_pawns, rook_against_pawns_endgame = 34, -7 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn beyond five, likewise, for each queen.
        queen_with_pawns, queen_with_pawns_endgame = 17, 37 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The same with enemy pawns.
        queen_against_pawns, queen_against_pawns_endgame = 33, 49 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn of both sides beyond ten, likewise, for each pawn.
        pawn_among_pawns, pawn_among_pawns_endgame = 6, -3 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// A side without pawns.
        no_pawns, no_pawns_endgame = 49, -124 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn where bishops of opposite colours are the only pieces.
        opposite_bishops, opposite_bishops_endgame = -10, -34 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// King moves from each knight to its king (penalty).
        knight_king_distance, knight_king_distance_endgame = 5, -4 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// King moves from each bishop to its king (penalty).
        bishop_king_distance, bishop_king_distance_endgame = 3, -1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square on the files c to f and ranks 3 to 6 that a bishop attacks.
        bishop_centre, bishop_centre_endgame = 4, 1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each own pawn on the colour of a bishop, for each own pawn on the files c to f that is blocked (penalty).
        bishop_blocked_centre, bishop_blocked_centre_endgame = 1, 3 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each knight that could go to an outpost.
        knight_outpost_reachable, knight_outpost_reachable_endgame = 15, -3 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each piece that nothing defends (penalty).
        loose_piece, loose_piece_endgame = 7, -5 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The right to castle on the king's side.
        castling_king_side, castling_king_side_endgame = 33, -56 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each defended enemy knight or bishop that a knight or bishop attacks.
        threat_minor_defended, threat_minor_defended_endgame = 21, 7 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy piece that is attacked and has no pawn or second piece to defend it.
        weak_piece, weak_piece_endgame = 8, 14 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square from which a knight would attack two of king, queens and rooks and be safe but from the king.
        knight_fork, knight_fork_endgame = 6, 92 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square from which a knight could attack the enemy queen and not be lost.
        knight_on_queen, knight_on_queen_endgame = 18, -21 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square from which a bishop or rook could, likewise.
        slider_on_queen, slider_on_queen_endgame = 18, -10 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each enemy piece that is pinned to its king.
        pinned_piece, pinned_piece_endgame = 38, 11 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square from which a knight, bishop or rook could check, safe or not.
        king_check_squares, king_check_squares_endgame = 12, -10 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Attacks on the enemy king's zone times kinds of pieces that could check safely.
        king_pressure_checks, king_pressure_checks_endgame = 10, -13 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Attackers of the zone times their attacks there, while there is an own queen.
        king_attackers_pressure, king_attackers_pressure_endgame = 1, 5 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Attackers of the zone times files at the enemy king that no pawn covers.
        king_attackers_holes, king_attackers_holes_endgame = 7, -12 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Square of the attacks on the enemy king's side of the board, in eighths; a square attacked twice counts double.
        king_flank_attack, king_flank_attack_endgame = 1, -1 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square there that the enemy defends (penalty).
        king_flank_defence, king_flank_defence_endgame = 5, -9 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// King moves from the king to all pawns of its side together (penalty).
        king_own_pawns_distance, king_own_pawns_distance_endgame = 3, 0 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// King moves from the king to all enemy pawns together (penalty).
        king_enemy_pawns_distance, king_enemy_pawns_distance_endgame = -3, 8 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each square from which a queen would see the king if only its own pawns stood there, while there is an enemy queen (penalty).
        king_open_lines, king_open_lines_endgame = 1, 5 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The pawn nearest before the king on its second rank: on the files b or g.
        shield_bg_second, shield_bg_second_endgame = 39, -62 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The pawn nearest before the king on its third rank: on the files b or g.
        shield_bg_third, shield_bg_third_endgame = 28, -48 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// The pawn nearest before the king on its second rank: on the files c or f.
        shield_cf_second, shield_cf_second_endgame = 14, -4 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
        /// Each pawn on its fifth rank that an enemy pawn blocks.
        pawn_blocked_fifth, pawn_blocked_fifth_endgame = -9, -4 in -128..=127, -128..=127
            genes { "eval-full": 8 }, { "eval-full": 8 };
    }
    without endgame rows {
        /// 2013: each pawn behind another of its side on the same file.
        pawn_doubled_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each pawn without a pawn of its side on a neighbouring file.
        pawn_isolated_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each pawn that its neighbours have left behind and that can't safely follow.
        pawn_backward_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each passed pawn.
        pawn_passed_2013 in -50..=100 genes { "eval-2013": 8, "eval-2013-24": 8 };
        /// 2013: each pawn on the ranks 4 and 5 of the files c to f.
        pawn_central_2013 in -50..=100 genes { "eval-2013": 8, "eval-2013-24": 8 };
        /// 2013: each knight that an own pawn defends.
        knight_supported_2013 in -50..=100 genes { "eval-2013": 8, "eval-2013-24": 8 };
        /// 2013: each knight that no enemy pawn attacks or can come to attack.
        knight_operations_base_2013 in -50..=100 genes { "eval-2013": 8, "eval-2013-24": 8 };
        /// 2013: each knight on the edge of the board.
        knight_periphery_0_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each knight one square from the edge.
        knight_periphery_1_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each knight two squares from the edge.
        knight_periphery_2_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each knight on the four squares of the centre.
        knight_periphery_3_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each rook on a file without pawns.
        rook_open_column_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each rook on a file with enemy pawns alone.
        rook_semi_open_column_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each rook behind an own pawn on a file with pawns of both sides.
        rook_closed_column_behind_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each rook on the seventh rank.
        rook_seven_rank_2013 in -50..=50 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each move of a knight.
        knight_mobility_2013 in 0..=100 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each move of a bishop.
        bishop_mobility_2013 in 0..=100 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each move of a rook.
        rook_mobility_2013 in 0..=100 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each move of a queen.
        queen_mobility_2013 in 0..=100 genes { "eval-2013": 7, "eval-2013-24": 7 };
        /// 2013: each move of the king.
        king_mobility_2013 in 0..=100 genes { "eval-2013": 7 };
        /// 2013: each rook ahead of all own pawns on a file with pawns of both sides.
        rook_closed_column_ahead_2013 in -50..=50 genes { "eval-2013": 7 };
        /// 2013: pawns' worth of the pieces that attack the enemy king or a square beside it.
        king_attacking_material_2013 in -100..=0 genes { "eval-2013": 7 };
        /// 2013: pawns' worth of the pieces that attack a square beside the own king.
        king_defending_material_2013 in 0..=100 genes { "eval-2013": 7 };
        /// 2013: the king is castled.
        king_castling_2013 in 0..=100 genes { "eval-2013": 7 };
        /// 2013: each own pawn beside the king.
        king_pawns_2013 in 0..=100 genes { "eval-2013": 7 };
        /// 2013: each own pawn ahead that stops a bishop.
        bishop_ahead_2013 in -100..=0 genes { "eval-2013": 7 };
        /// 2013: each move of these pawns.
        bishop_pawns_mobility_2013 in 0..=100 genes { "eval-2013": 7 };
        /// 2013: two bishops or more.
        bishop_pair_2013 in 0..=100 genes { "eval-2013": 7 };
    }
}
