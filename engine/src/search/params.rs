//! The parameters of the search: one row each, with its gene in every layout that evolves it.
//!
//! First the 18 rows of 2014 Table I (layout `search-2014`, 70 bits), then the techniques that came
//! after the papers (layout `search-full`, which has both), then the clock (layout `time`: only
//! games by the clock can tell what its rows are worth, so a search by nodes must not evolve them).
//! Extensions are in quarter plies, margins and thresholds in centipawns, depths and reductions in whole
//! plies where a row does not say that it counts quarters or hundredths.
//!
//! A technique whose rows a file does not have is off, and 0 is off in every row that says nothing
//! else. A few rows are about what the papers' search has without a parameter of its own (transposition
//! table, killers, exchanges, internal deepening, history, how far lines are extended) or that no game can be
//! without (a share of the clock); such a row keeps its value when it is missing, and a part of something is all of it.
//!
//! A range ends where its gene's bits do, but for two that end where what they count does (a choice, or
//! a percentage), and the bits are the fewest that leave the value that
//! was once set by hand, or that other engines use, room to double. Some ends have reasons of their own: extensions stop at the ply at which
//! all of a move's extensions are capped; internal deepening must lessen the depth or it would
//! never end; with lines extended beyond three times the iteration a search reaches the last ply
//! before it has an answer; a move that takes more than nine tenths of a clock, or less than a
//! tenth of its share, plays no game.

use crate::score::Score;

crate::param_table! {
    /// What the search does: 2014 §IV, Table I, and what came later.
    pub struct SearchParams in "search", index search_row {
        /// Null-move pruning: 1 on, 0 off.
        null_move_use = 1 in 0..=1 missing 0 genes { "search-2014": 1, "search-full": 1 };
        /// Plies by which a null move is searched less deep, R.
        null_move_reduction = 5 in 0..=7 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Depth-adaptive null move: 1 = R above the adaptivity depth and R - 1 at or below it.
        null_move_adaptivity = 0 in 0..=1 missing 0 genes { "search-2014": 1, "search-full": 1 };
        /// Remaining plies at or below which the adaptive null move uses R - 1.
        null_move_adaptivity_depth = 3 in 0..=7 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Remaining plies up to which futility pruning is used; 0 = off.
        futility_depth = 1 in 0..=3 missing 0 genes { "search-2014": 2, "search-full": 2 };
        /// Centipawns below alpha at which a move with 1 ply left is futile.
        futility_threshold_1 = 359 in 0..=1023 missing 0 genes { "search-2014": 10, "search-full": 10 };
        /// Centipawns below alpha at which a move with 2 plies left is futile.
        futility_threshold_2 = 320 in 0..=1023 missing 0 genes { "search-2014": 10, "search-full": 10 };
        /// Centipawns below alpha at which a move with 3 plies left is futile.
        futility_threshold_3 = 359 in 0..=1023 missing 0 genes { "search-2014": 10, "search-full": 10 };
        /// Multi-cut pruning: 1 on, 0 off.
        multi_cut_use = 0 in 0..=1 missing 0 genes { "search-2014": 1, "search-full": 1 };
        /// Plies by which multi-cut searches its moves less deep.
        multi_cut_reduction = 1 in 0..=7 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Remaining plies from which multi-cut is tried.
        multi_cut_depth = 7 in 0..=7 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Moves that multi-cut looks at.
        multi_cut_move_num = 8 in 0..=31 missing 0 genes { "search-2014": 5, "search-full": 5 };
        /// Cut-offs among these moves that prune the node; 0 = off.
        multi_cut_cut_num = 5 in 0..=7 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Extension of a move that gives check, in quarter plies.
        check_extension = 4 in 0..=4 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Extension of the only legal move, in quarter plies.
        one_reply_extension = 2 in 0..=4 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Extension of a recapture, in quarter plies.
        recapture_extension = 1 in 0..=4 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Extension of a passed pawn's move to the seventh rank, in quarter plies.
        passed_pawn_extension = 3 in 0..=4 missing 0 genes { "search-2014": 3, "search-full": 3 };
        /// Extension when passing would allow mate, in quarter plies.
        mate_threat_extension = 3 in 0..=4 missing 0 genes { "search-2014": 3, "search-full": 3 };

        /// Transposition table: 1 on, 0 off.
        table_use = 1 in 0..=1 missing 1 genes { "search-full": 1 };
        /// Killer moves: 1 on, 0 off.
        killer_use = 1 in 0..=1 missing 1 genes { "search-full": 1 };
        /// Whether captures that lose material by static exchange come after all other moves, and are not tried
        /// in quiescence: 1 yes, 0 no.
        see_order_use was exchange_order_use = 1 in 0..=1 missing 1 genes { "search-full": 1 };
        /// Half width of the root's first window around the last iteration's score, in centipawns;
        /// 0 = a full window.
        aspiration_window = 32 in 0..=127 missing 0 genes { "search-full": 7 };
        /// Iterations whose score is not firm enough yet for such a window.
        aspiration_depth = 1 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Percent by which a window that failed is widened; 0 = it becomes a full one at once.
        aspiration_growth = 54 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Half width in centipawns beyond which a window that keeps failing becomes a full one.
        aspiration_widest = 1132 in 0..=2047 missing 0 genes { "search-full": 11 };
        /// Blocked pawn endings are scored as draws: 1 on, 0 off.
        blockage_use = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// A bare king, or one with a single lesser piece against a queen, is driven to where it is mated: 1 on, 0 off.
        mop_up_use was bare_king_use = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// Transposition table in quiescence: 1 on, 0 off.
        quiescence_table_use = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// Delta pruning: centipawns above the captured piece that a capture in quiescence may hope
        /// for; 0 = off.
        quiescence_delta = 120 in 0..=511 missing 0 genes { "search-full": 9 };
        /// Captures that quiescence tries in a position, recaptures aside; 0 = all.
        quiescence_captures = 5 in 0..=7 missing 0 genes { "search-full": 3 };
        /// Quiet moves out of check that quiescence tries in a position once a move does not get
        /// mated; 0 = all.
        quiescence_evasions = 2 in 0..=3 missing 0 genes { "search-full": 2 };
        /// Plies of quiescence at whose start quiet checks are tried too.
        quiescence_checks = 2 in 0..=3 missing 0 genes { "search-full": 2 };
        /// Remaining plies up to which a node whose static evaluation is far above beta is cut
        /// (reverse futility).
        reverse_futility_depth = 11 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Centipawns above beta for each remaining ply that reverse futility asks for.
        reverse_futility_margin = 80 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Centipawns less that it asks for when the evaluation has risen since the side's last move.
        reverse_futility_improving = 60 in 0..=255 missing 0 genes { "search-full": 8 };
        /// One part in so many of what the evaluation is above beta is kept in the score of a node
        /// that reverse futility cuts; 0 = none.
        reverse_futility_divisor = 4 in 0..=7 missing 0 genes { "search-full": 3 };
        /// Remaining plies up to which a node far below alpha goes to quiescence at once (razoring).
        razoring_depth = 3 in 0..=7 missing 0 genes { "search-full": 3 };
        /// Centipawns below alpha for each remaining ply that razoring asks for.
        razoring_margin = 312 in 0..=1023 missing 0 genes { "search-full": 10 };
        /// Remaining plies from which a null move is tried.
        null_move_depth = 4 in 0..=7 missing 2 genes { "search-full": 3 };
        /// Remaining plies for which a null move is reduced by one ply more.
        null_move_depth_divisor = 8 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Centipawns of evaluation above beta for which a null move is reduced by one ply more.
        null_move_eval_divisor = 247 in 0..=511 missing 0 genes { "search-full": 9 };
        /// Most plies that this adds.
        null_move_eval_limit = 3 in 0..=7 missing 0 genes { "search-full": 3 };
        /// Remaining plies from which a null move's cut-off is verified by a search without one.
        null_move_verification_depth = 0 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Guard against zugzwang: a null move's cut-off is verified from so many remaining plies on in any
        /// case, and a side with one minor piece beside king and pawns is not cut by reverse
        /// futility; 0 = off. It has no gene: games at short limits hardly ever punish what is overlooked
        /// in zugzwang, so evolution would switch it off.
        zugzwang_guard_depth = 6 in 0..=15 missing 0 genes {};
        /// Score, in centipawns either way, from which a game is taken for decided: what is left to find is
        /// a mate, which reverse futility and narrow windows at the root hide, so there are none; 0 = no
        /// game is. It has no gene: games tell nothing of it.
        decided_score = 1000 in 0..=4095 missing 0 genes {};
        /// Remaining plies from which captures that beat beta by far in a shallow search cut the
        /// node (ProbCut).
        probcut_depth = 4 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Centipawns above beta that ProbCut asks for.
        probcut_margin = 476 in 0..=511 missing 0 genes { "search-full": 9 };
        /// Plies by which a capture is searched less deep for that.
        probcut_reduction = 3 in 0..=7 missing 0 genes { "search-full": 3 };
        /// Remaining plies from which a node on the principal variation that has no hash move gets
        /// one from a shallower search first (internal iterative deepening); 0 = off.
        internal_deepening_depth = 6 in 0..=15 missing 4 genes { "search-full": 4 };
        /// Plies by which that search is less deep.
        internal_deepening_reduction = 6 in 1..=8 missing 2 genes { "search-full": 3 };
        /// Remaining plies from which a node without a hash move, of the principal variation or
        /// where a cut-off is expected, is searched less deep instead of by internal iterative
        /// deepening.
        internal_reduction_depth = 4 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which it is, but for the last ply.
        internal_reduction = 5 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Late-move reductions: the reduction in plies is base / 100 + ln(remaining plies) ×
        /// ln(move number) × 100 / divisor; 0 = no reductions.
        lmr_divisor was late_move_divisor = 253 in 0..=511 missing 0 genes { "search-full": 9 };
        /// The constant part of late-move reductions, in hundredths of a ply.
        lmr_base was late_move_base = 116 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Remaining plies from which late moves are reduced.
        lmr_depth was late_move_depth = 0 in 0..=15 missing 0 genes { "search-full": 4 };
        /// First moves of a node that are not reduced.
        lmr_move_number was late_move_number = 1 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Plies from which late moves at the root are reduced.
        lmr_root_depth was late_move_root_depth = 4 in 0..=15 missing 0 genes { "search-full": 4 };
        /// First moves at the root that are not reduced; 255 = none is.
        lmr_root_move_number was late_move_root_number = 2 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Whether late moves that give check and lose material by static exchange are reduced: 1 yes, 0 no check is.
        lmr_checks was late_move_checks = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// Whether captures that lose material by static exchange are reduced: 1 yes, 0 no.
        lmr_captures was late_move_captures = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// Quarter plies by which captures and checks that lose material by static exchange are reduced less
        /// than other late moves.
        lmr_bad_see was late_move_losing = 10 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which captures that lose nothing are reduced less than other late moves;
        /// 0 = they are not reduced.
        lmr_good_captures was late_move_good_captures = 10 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which late moves are reduced less with which a piece attacks more squares
        /// around the enemy king than before.
        lmr_king_zone was late_move_king = 4 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which late moves are reduced less that attack a piece of more value than
        /// their own.
        lmr_threat was late_move_threat = 1 in 0..=15 missing 0 genes { "search-full": 4 };
        /// History score that reduces a late move by one ply less (or, negative, more).
        lmr_history_divisor was late_move_history_divisor = 5342 in 0..=32767 missing 0 genes { "search-full": 15 };
        /// Most quarter plies by which history changes a reduction.
        lmr_history_limit was late_move_history_limit = 31 in 0..=31 missing 0 genes { "search-full": 5 };
        /// Quarter plies by which late moves are reduced more where a cut-off is expected.
        lmr_cut_node was late_move_cut_node = 6 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which late moves are reduced less on the principal variation.
        lmr_pv was late_move_principal = 9 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which late moves are reduced less where the position has been on the
        /// principal variation once.
        lmr_tt_pv was late_move_once_principal = 7 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which late moves are reduced more while the evaluation does not rise.
        lmr_not_improving was late_move_worsening = 6 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Quarter plies by which late moves are reduced more while the hash move is a capture.
        lmr_tt_capture was late_move_hash_capture = 5 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Centipawns above the best move until then at which a late move that has beaten alpha
        /// is searched again deeper by a ply; 0 = never.
        lmr_deeper was late_move_deeper = 84 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Centipawns above the best move below which it is searched again less deep by a ply, but never
        /// less deep than before.
        lmr_shallower was late_move_shallower = 40 in 0..=63 missing 0 genes { "search-full": 6 };
        /// Whether a late move that has beaten alpha is searched to its full depth at least where that
        /// opens the window: 1 yes, 0 to the depth at which it was searched again.
        lmr_full_depth was late_move_full_depth = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// Quarter plies by which the moves after one that has raised alpha are searched less deep.
        alpha_raise_reduction = 3 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Remaining plies up to which late quiet moves are left out.
        lmp_depth was late_move_pruning_depth = 7 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Moves up to which, itself among them, late-move pruning leaves a quiet move.
        lmp_base was late_move_pruning_base = 8 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Percent of the square of the remaining plies that it leaves besides.
        lmp_square was late_move_pruning_square = 90 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Percent of all these that it leaves while the evaluation does not rise; 100 makes no difference.
        lmp_not_improving was late_move_pruning_worsening = 53 in 0..=100 missing 100 genes { "search-full": 7 };
        /// Remaining plies after reduction up to which quiet moves are left out far below alpha.
        late_futility_depth = 12 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Centipawns below alpha that this asks for, whatever the depth.
        late_futility_base = 100 in 0..=511 missing 0 genes { "search-full": 9 };
        /// Centipawns more for each remaining ply after reduction.
        late_futility_margin = 155 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Remaining plies up to which quiet moves with a bad history are left out.
        history_pruning_depth = 1 in 0..=15 missing 0 genes { "search-full": 4 };
        /// History score below zero for each remaining ply that this asks for.
        history_pruning_margin = 7476 in 0..=8191 missing 0 genes { "search-full": 13 };
        /// Remaining plies up to which moves that lose material by static exchange are left out.
        see_pruning_depth was exchange_pruning_depth = 9 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Centipawns that a quiet move may lose for each remaining ply after reduction.
        see_pruning_quiet was exchange_pruning_quiet = 159 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Centipawns that a capture may lose for each remaining ply.
        see_pruning_capture was exchange_pruning_capture = 180 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Remaining plies from which the hash move is tested for being the only good one.
        singular_depth = 7 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Centipawns, in sixteenths for each remaining ply, by which it must beat all others.
        singular_margin = 51 in 0..=127 missing 0 genes { "search-full": 7 };
        /// Plies by which the table's knowledge of the hash move may be less deep than the node.
        singular_table_depth = 4 in 0..=7 missing 0 genes { "search-full": 3 };
        /// Sixteenths of its depth to which the others are searched.
        singular_search_depth = 5 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Extension of a singular move, in quarter plies.
        singular_extension = 4 in 0..=4 missing 0 genes { "search-full": 3 };
        /// Quarter plies by which the hash move is searched less deep when it promises a cut-off and
        /// others are not far.
        singular_reduction = 9 in 0..=15 missing 0 genes { "search-full": 4 };
        /// Lines are extended up to so many times as many plies as the iteration has.
        extension_reach = 2 in 0..=3 missing 2 genes { "search-full": 2 };
        /// History score that a cut-off is worth for each square of the remaining plies.
        history_bonus_square = 54 in 0..=63 missing 16 genes { "search-full": 6 };
        /// History score that a cut-off is worth besides for each remaining ply.
        history_bonus_linear = 247 in 0..=255 missing 32 genes { "search-full": 8 };
        /// Most history score that one cut-off is worth.
        history_bonus_limit = 2314 in 0..=4095 missing 1638 genes { "search-full": 12 };
        /// Percent of what a cut-off is worth in the histories that quiet moves lose that were tried
        /// before it.
        history_malus = 167 in 0..=255 missing 0 genes { "search-full": 8 };
        /// History score that killers and the countermove have more than other quiet moves in the
        /// order of moves; 0 = they come before all others.
        killer_bonus = 9944 in 0..=16383 missing 0 genes { "search-full": 14 };
        /// How many earlier plies the history of quiet moves looks back at (continuation history).
        continuation_history_plies = 3 in 0..=3 missing 0 genes { "search-full": 2 };
        /// Percent of what a cut-off is worth in the histories that a node's best move is worth if its
        /// score is exact; 0 = nothing.
        exact_bonus = 66 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Percent of what a cut-off is worth that a quiet move has for continuation history if every
        /// answer to it stays below the bound.
        fail_low_bonus = 125 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Sixteenths of continuation history score that a quiet move has for each centipawn by which
        /// the evaluation has become better with it; 0 = none.
        eval_change_weight = 87 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Most history score that it has for that, either way.
        eval_change_limit = 1654 in 0..=2047 missing 0 genes { "search-full": 11 };
        /// Whether the history of quiet moves counts how they have done with the same pawns on the
        /// board: 1 yes, 0 no.
        pawn_history_use = 0 in 0..=1 missing 0 genes { "search-full": 1 };
        /// Whether the history of quiet moves tells apart whether the enemy attacks where they begin
        /// and where they end: 2 with any piece, 1 with a pawn, 0 no.
        threat_history_use = 2 in 0..=2 missing 0 genes { "search-full": 2 };
        /// History score that a quiet move has more in the order of moves if it gives check.
        quiet_check_bonus = 6243 in 0..=16383 missing 0 genes { "search-full": 14 };
        /// History score that a queen's quiet move has more if it leaves a square that a lesser piece attacks, and less if it goes to one; a rook's has 5/8, a minor piece's 3/8 of it.
        quiet_threat_bonus = 8424 in 0..=16383 missing 0 genes { "search-full": 14 };
        /// Countermove heuristic: 1 on, 0 off.
        countermove_use = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// History of captures in their order: 1 on, 0 off.
        capture_history_use = 1 in 0..=1 missing 0 genes { "search-full": 1 };
        /// What that history counts beside victim and attacker: the score is times this / 128, and
        /// 256 is the step from one attacker to the next.
        capture_history_weight = 115 in 0..=127 missing 0 genes { "search-full": 7 };
        /// Most centipawns by which the evaluation is corrected by what searches of the same pawn
        /// structure found.
        pawn_correction_limit was correction_history_limit = 188 in 0..=255 missing 0 genes { "search-full": 8 };
        /// The same by what searches with the same pieces of White, and of Black, found.
        nonpawn_correction_limit was piece_correction_limit = 144 in 0..=255 missing 0 genes { "search-full": 8 };
        /// The same by what searches after the same last two moves found.
        continuation_correction_limit was move_correction_limit = 218 in 0..=255 missing 0 genes { "search-full": 8 };
        /// Most parts in 256 that one search counts in the correction; it has one part, and one
        /// more for each ply of its depth.
        correction_weight was correction_history_weight = 29 in 0..=63 missing 0 genes { "search-full": 6 };
        /// Most centipawns that the evaluation's error counts in the correction.
        correction_error was correction_history_error = 243 in 0..=2047 missing 0 genes { "search-full": 11 };

        /// Moves that the rest of a game is assumed to take when there is no next time control; the
        /// clock is shared out among them.
        time_moves = 64 in 10..=73 missing 30 genes { "time": 6 };
        /// Percent of a move's share after which no iteration begins, but for the factors below.
        time_soft = 122 in 10..=137 missing 60 genes { "time": 7 };
        /// Percent of a move's share at which its search breaks off.
        time_hard = 491 in 100..=611 missing 300 genes { "time": 9 };
        /// Percent of the clock that one move takes at most.
        time_most = 51 in 10..=90 missing 80 genes { "time": 7 };
        /// Percent of its time for a best move that is new; 100 = this changes nothing.
        time_stable_0 = 249 in 10..=265 missing 100 genes { "time": 8 };
        /// Percent of its time for a best move that has stayed for one iteration.
        time_stable_1 = 223 in 10..=265 missing 100 genes { "time": 8 };
        /// Percent of its time for a best move that has stayed for two iterations.
        time_stable_2 = 163 in 10..=265 missing 100 genes { "time": 8 };
        /// Percent of its time for a best move that has stayed for three iterations.
        time_stable_3 = 140 in 10..=265 missing 100 genes { "time": 8 };
        /// Percent of its time for a best move that has stayed for four iterations.
        time_stable_4 = 177 in 10..=265 missing 100 genes { "time": 8 };
        /// Percent of its time for a best move that has stayed for five iterations or more.
        time_stable_5 = 97 in 10..=265 missing 100 genes { "time": 8 };
        /// Percent more for each pawn by which the score has fallen since the last iteration.
        time_falling = 69 in 0..=255 missing 0 genes { "time": 8 };
        /// Most percent that a falling score adds.
        time_falling_limit = 169 in 0..=255 missing 0 genes { "time": 8 };
        /// Percent of its time that a move has more for every hundred percent of the nodes
        /// that are missing below the best move from `time_effort_even`, or less for each beyond it.
        time_effort = 74 in 0..=255 missing 0 genes { "time": 8 };
        /// Percent of the nodes below the best move at which that changes nothing.
        time_effort_even = 46 in 0..=127 missing 70 genes { "time": 7 };
    }
}

impl SearchParams {
    /// Whether such a score decides a game (row `decided_score`).
    pub fn is_decided_by(&self, score: Score) -> bool {
        self.decided_score > 0 && score.value().abs() >= self.decided_score
    }
}
