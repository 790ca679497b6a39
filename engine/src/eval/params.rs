//! The weights of the evaluation: one row each, with its gene in every layout that evolves it.
//!
//! The 35 terms of 2014 Figure 3 (2009 §3.1; 2011 with five piece values). The papers name the
//! terms but do not define them; the reading of each is in [`crate::eval`]. All weights are
//! centipawns per unit of the term's count, and none is negative: a penalty's count is.

crate::params! {
    /// Weights of the 35 terms, centipawns per count.
    pub struct EvalParams in "eval", index term {
        /// Worth of a pawn; the unit in layout eval-2014, where it is no gene.
        pawn_value = 100 in 0..=2047 missing 0 genes { "eval-2011": 10 };
        /// Worth of a knight.
        knight_value = 540 in 0..=2047 missing 0 genes { "eval-2014": 11, "eval-2011": 10 };
        /// Worth of a bishop.
        bishop_value = 796 in 0..=2047 missing 0 genes { "eval-2014": 11, "eval-2011": 10 };
        /// Worth of a rook.
        rook_value = 1076 in 0..=2047 missing 0 genes { "eval-2014": 11, "eval-2011": 10 };
        /// Worth of a queen.
        queen_value = 2046 in 0..=2047 missing 0 genes { "eval-2014": 11, "eval-2011": 10 };
        /// Each rank that a pawn on the files a, b, g or h has advanced.
        pawn_advance_a = 22 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rank that a pawn on the files c, d, e or f has advanced.
        pawn_advance_b = 60 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each passed pawn, by its rank: 0, 1, 3, 6, 10 or 15, half while it is blocked.
        passed_pawn_mult = 22 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn behind another of its side on the same file (penalty).
        doubled_pawn_penalty = 12 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn without a pawn of its side on a neighbouring file (penalty).
        isolated_pawn_penalty = 52 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn that its neighbours have left behind and that can't safely follow (penalty).
        backward_pawn_penalty = 36 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each square before the own camp that no own pawn can ever defend (penalty).
        weak_square_penalty = 38 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// King moves that the enemy king is farther from each passed pawn's path than the own king.
        passed_pawn_enemy_king_dist = 20 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each knight's square: central files and advanced ranks, 0 to 7.
        knight_sq_mult = 40 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each knight on an outpost, by its rank.
        knight_outpost_mult = 18 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each square that a bishop attacks, safe from pawns and not blocked by own pawns.
        bishop_mobility = 8 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Two bishops or more.
        bishop_pair = 60 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on the enemy king's file.
        rook_attack_king_file = 22 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on a file next to the enemy king's.
        rook_attack_king_adj_file = 4 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// The same while that king stands on the files a, b, g or h.
        rook_attack_king_adj_file_abgh = 0 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on the seventh rank.
        rook_7th_rank = 60 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Rooks that defend each other.
        rook_connected = 2 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each square that a rook attacks, safe from pawns and not blocked by own pawns.
        rook_mobility = 11 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rook behind a passed pawn on its file.
        rook_behind_passed_pawn = 19 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on a file without pawns.
        rook_open_file = 34 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on a file with enemy pawns alone.
        rook_semi_open_file = 19 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each rook that attacks a weak pawn on a file without own pawns.
        rook_atck_weak_pawn_open_column = 3 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Centrality of each rook's file.
        rook_column_mult = 22 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each square that a queen attacks, safe from pawns and not blocked by own pawns.
        queen_mobility = 9 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// No own pawn close before the king on its file, while there is an enemy queen (penalty).
        king_no_friendly_pawn = 60 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each file next to the king's without an own pawn close by, likewise (penalty).
        king_no_friendly_pawn_adj = 34 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn of the king's shield that has advanced one step, likewise (penalty).
        king_friendly_pawn_advanced1 = 8 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// No enemy pawn on the king's file, likewise (penalty: a line to the king).
        king_no_enemy_pawn = 9 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each file next to the king's without an enemy pawn, likewise (penalty).
        king_no_enemy_pawn_adj = 3 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
        /// Each attack of a piece on a square of the enemy king's zone that no enemy pawn guards.
        king_pressure_mult = 7 in 0..=63 missing 0 genes { "eval-2014": 6, "eval-2011": 6 };
    }
}
