//! The parameters of the search: one row each, with its gene in every layout that evolves it.
//!
//! The 18 rows of 2014 Table I (layout `search-2014`, 70 bits). Extensions are in quarter plies,
//! every other depth and reduction in whole plies, thresholds in centipawns. Their defaults are
//! the values of 2014 Table II.

crate::params! {
    /// What the search does (2014 §IV, Table I).
    pub struct SearchParams in "search", index search_row {
        /// Null-move pruning: 1 on, 0 off.
        null_move_use = 1 in 0..=1 missing 0 genes { "search-2014": 1 };
        /// Plies by which a null move is searched less deep, R.
        null_move_reduction = 4 in 0..=7 missing 0 genes { "search-2014": 3 };
        /// Depth-adaptive null move: 1 = R above the adaptivity depth and R - 1 at or below it.
        null_move_adaptivity = 1 in 0..=1 missing 0 genes { "search-2014": 1 };
        /// Remaining plies at or below which the adaptive null move uses R - 1.
        null_move_adaptivity_depth = 6 in 0..=7 missing 0 genes { "search-2014": 3 };
        /// Remaining plies up to which futility pruning is used; 0 = off.
        futility_depth = 3 in 0..=3 missing 0 genes { "search-2014": 2 };
        /// Centipawns below alpha at which a move with 1 ply left is futile.
        futility_threshold_1 = 112 in 0..=1023 missing 0 genes { "search-2014": 10 };
        /// Centipawns below alpha at which a move with 2 plies left is futile.
        futility_threshold_2 = 227 in 0..=1023 missing 0 genes { "search-2014": 10 };
        /// Centipawns below alpha at which a move with 3 plies left is futile.
        futility_threshold_3 = 506 in 0..=1023 missing 0 genes { "search-2014": 10 };
        /// Multi-cut pruning: 1 on, 0 off.
        multi_cut_use = 1 in 0..=1 missing 0 genes { "search-2014": 1 };
        /// Plies by which multi-cut searches its moves less deep.
        multi_cut_reduction = 4 in 0..=7 missing 0 genes { "search-2014": 3 };
        /// Remaining plies from which multi-cut is tried.
        multi_cut_depth = 6 in 0..=7 missing 0 genes { "search-2014": 3 };
        /// Moves that multi-cut looks at.
        multi_cut_move_num = 15 in 0..=31 missing 0 genes { "search-2014": 5 };
        /// Cut-offs among these moves that prune the node; 0 = off.
        multi_cut_cut_num = 3 in 0..=7 missing 0 genes { "search-2014": 3 };
        /// Extension of a move that gives check, in quarter plies.
        check_extension = 4 in 0..=4 missing 0 genes { "search-2014": 3 };
        /// Extension of the only legal move, in quarter plies.
        one_reply_extension = 4 in 0..=4 missing 0 genes { "search-2014": 3 };
        /// Extension of a recapture, in quarter plies.
        recapture_extension = 2 in 0..=4 missing 0 genes { "search-2014": 3 };
        /// Extension of a passed pawn's move to the seventh rank, in quarter plies.
        passed_pawn_extension = 3 in 0..=4 missing 0 genes { "search-2014": 3 };
        /// Extension when passing would allow mate, in quarter plies.
        mate_threat_extension = 2 in 0..=4 missing 0 genes { "search-2014": 3 };
    }
}
