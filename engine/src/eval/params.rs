//! The weights of the evaluation: one row each, with its gene in every layout that evolves it.
//!
//! First the 35 terms of 2014 Figure 3 (2009 §3.1; 2011 with five piece values). The papers name
//! the terms but do not define them; the reading of each is in `core`. All their weights are
//! centipawns per unit of the term's count, and none is negative: a penalty's count is.
//!
//! Then the further terms of layout `eval-full`, counted in `full`, and for every term one row more
//! that is added to its weight by and by as pieces leave the board ([`crate::eval`]): the rows
//! after [`TERMS`], in the same order.

/// Terms of 2014 Figure 3, the first rows of the table.
pub const CORE: usize = 35;

/// All terms. Row `n` is the weight of term `n`, row `TERMS + n` what is added to it in the
/// endgame.
pub const TERMS: usize = term::COUNT / 2;

crate::params! {
    /// Weights of the terms, centipawns per count.
    pub struct EvalParams in "eval", index term {
        /// Worth of a pawn; the unit in layout eval-2014, where it is no gene.
        pawn_value = 100 in 0..=2047 missing 0 genes { "eval-2011": 10 };
        /// Worth of a knight.
        knight_value = 280 in 0..=2047 missing 0 genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10 };
        /// Worth of a bishop.
        bishop_value = 277 in 0..=2047 missing 0 genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10 };
        /// Worth of a rook.
        rook_value = 326 in 0..=2047 missing 0 genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10 };
        /// Worth of a queen.
        queen_value = 731 in 0..=2047 missing 0 genes { "eval-full": 11, "eval-2014": 11, "eval-2011": 10 };
        /// Each rank that a pawn on the files a, b, g or h has advanced.
        pawn_advance_a = 23 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rank that a pawn on the files c, d, e or f has advanced.
        pawn_advance_b = 24 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each passed pawn, by its rank: 0, 1, 3, 6, 10 or 15, half while it is blocked.
        passed_pawn_mult = 1 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn behind another of its side on the same file (penalty).
        doubled_pawn_penalty = 2 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn without a pawn of its side on a neighbouring file (penalty).
        isolated_pawn_penalty = 3 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn that its neighbours have left behind and that can't safely follow (penalty).
        backward_pawn_penalty = 7 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each square before the own camp that no own pawn can ever defend (penalty).
        weak_square_penalty = 1 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// King moves that the enemy king is farther from each passed pawn's path than the own king.
        passed_pawn_enemy_king_dist = 0 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each knight's square: central files and advanced ranks, 0 to 7.
        knight_sq_mult = 20 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each knight on an outpost, by its rank.
        knight_outpost_mult = 4 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each square that a bishop attacks, safe from pawns and not blocked by own pawns.
        bishop_mobility = 3 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Two bishops or more.
        bishop_pair = 28 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on the enemy king's file.
        rook_attack_king_file = 11 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on a file next to the enemy king's.
        rook_attack_king_adj_file = 7 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// The same while that king stands on the files a, b, g or h.
        rook_attack_king_adj_file_abgh = 1 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on the seventh rank.
        rook_7th_rank = 26 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Rooks that defend each other.
        rook_connected = 0 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each square that a rook attacks, safe from pawns and not blocked by own pawns.
        rook_mobility = 1 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rook behind a passed pawn on its file.
        rook_behind_passed_pawn = 4 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on a file without pawns.
        rook_open_file = 26 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rook on a file with enemy pawns alone.
        rook_semi_open_file = 11 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each rook that attacks a weak pawn on a file without own pawns.
        rook_atck_weak_pawn_open_column = 3 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Centrality of each rook's file.
        rook_column_mult = 1 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each square that a queen attacks, safe from pawns and not blocked by own pawns.
        queen_mobility = 1 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// No own pawn close before the king on its file, while there is an enemy queen (penalty).
        king_no_friendly_pawn = 15 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each file next to the king's without an own pawn close by, likewise (penalty).
        king_no_friendly_pawn_adj = 14 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each pawn of the king's shield that has advanced one step, likewise (penalty).
        king_friendly_pawn_advanced1 = 0 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// No enemy pawn on the king's file, likewise (penalty: a line to the king).
        king_no_enemy_pawn = 13 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each file next to the king's without an enemy pawn, likewise (penalty).
        king_no_enemy_pawn_adj = 2 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        /// Each attack of a piece on a square of the enemy king's zone that no enemy pawn guards.
        king_pressure_mult = 0 in 0..=63 missing 0 genes { "eval-full": 6, "eval-2014": 6, "eval-2011": 6 };
        // A narrow range: positions alone make this 60, and that plays worse (docs/results/expert.md).
        /// The side to move.
        tempo = 31 in -32..=31 missing 0 genes { "eval-full": 6 };
        /// Each pawn on its third rank.
        pawn_rank_3 = -29 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on its fourth rank.
        pawn_rank_4 = -47 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on its fifth rank.
        pawn_rank_5 = -55 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on its sixth rank.
        pawn_rank_6 = -64 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on its seventh rank.
        pawn_rank_7 = -103 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on the files b and g.
        pawn_files_bg = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on the files c and f.
        pawn_files_cf = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on the files d and e.
        pawn_files_de = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on its second rank.
        knight_rank_2 = -18 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on its third rank.
        knight_rank_3 = -43 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on its fourth rank.
        knight_rank_4 = -28 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on its fifth rank.
        knight_rank_5 = -40 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on its sixth rank.
        knight_rank_6 = -36 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on its seventh rank.
        knight_rank_7 = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on its eighth rank.
        knight_rank_8 = -89 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on the files b and g.
        knight_files_bg = -25 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on the files c and f.
        knight_files_cf = -41 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight on the files d and e.
        knight_files_de = -55 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on its second rank.
        bishop_rank_2 = 2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on its third rank.
        bishop_rank_3 = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on its fourth rank.
        bishop_rank_4 = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on its fifth rank.
        bishop_rank_5 = 9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on its sixth rank.
        bishop_rank_6 = 10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on its seventh rank.
        bishop_rank_7 = -21 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on its eighth rank.
        bishop_rank_8 = -5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on the files b and g.
        bishop_files_bg = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on the files c and f.
        bishop_files_cf = -2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop on the files d and e.
        bishop_files_de = -10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on its second rank.
        rook_rank_2 = -9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on its third rank.
        rook_rank_3 = -7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on its fourth rank.
        rook_rank_4 = -11 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on its fifth rank.
        rook_rank_5 = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on its sixth rank.
        rook_rank_6 = 34 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on its seventh rank.
        rook_rank_7 = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on its eighth rank.
        rook_rank_8 = 29 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on the files b and g.
        rook_files_bg = 4 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on the files c and f.
        rook_files_cf = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each rook on the files d and e.
        rook_files_de = 17 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on its second rank.
        queen_rank_2 = 16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on its third rank.
        queen_rank_3 = 20 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on its fourth rank.
        queen_rank_4 = 29 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on its fifth rank.
        queen_rank_5 = 25 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on its sixth rank.
        queen_rank_6 = 44 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on its seventh rank.
        queen_rank_7 = 41 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on its eighth rank.
        queen_rank_8 = 9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on the files b and g.
        queen_files_bg = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on the files c and f.
        queen_files_cf = 12 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each queen on the files d and e.
        queen_files_de = 9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on its second rank.
        king_rank_2 = -6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on its third rank.
        king_rank_3 = -28 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on its fourth rank.
        king_rank_4 = -80 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on its fifth rank.
        king_rank_5 = -47 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on its sixth rank.
        king_rank_6 = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on its seventh rank.
        king_rank_7 = 34 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on its eighth rank.
        king_rank_8 = -11 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on the files b and g.
        king_files_bg = 16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on the files c and f.
        king_files_cf = -19 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each king on the files d and e.
        king_files_de = -33 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square that a knight attacks, safe from pawns and not blocked by own pawns.
        knight_mobility = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square short of four that a knight may go to (penalty).
        knight_cramped = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square short of five that a bishop may go to (penalty).
        bishop_cramped = 4 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square short of five that a rook may go to (penalty).
        rook_cramped = 2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square short of eight that a queen may go to (penalty).
        queen_cramped = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn on the colour of a bishop (penalty).
        bishop_own_pawns = 2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight or bishop right behind an own pawn.
        minor_behind_pawn = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each bishop defended by a pawn where no enemy pawn can drive it away, beyond the third rank.
        bishop_outpost = 20 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each piece beyond the first that attacks the enemy king's zone.
        king_attackers = -6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Square of the attackers' weight (knight, bishop 2, rook 3, queen 5), in eighths.
        king_attack_weight = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square of the enemy king's zone that is attacked and that the king alone defends.
        king_zone_undefended = 9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// A knight could check from a square that the opponent does not attack.
        knight_safe_check = 51 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// A bishop could, likewise.
        bishop_safe_check = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// A rook could, likewise.
        rook_safe_check = 53 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// A queen could, likewise.
        queen_safe_check = 21 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn on the rank before the king, on its file or beside it.
        king_shield_second = -12 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn on the rank after that, likewise.
        king_shield_third = -13 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy pawn one or two ranks before the king, likewise (penalty).
        king_storm_near = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy pawn three ranks before the king, likewise (penalty).
        king_storm_far = 12 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// King moves from the king to the nearest pawn of its side (penalty).
        king_pawn_distance = 2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn on its fourth rank.
        passed_rank_4 = -21 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn on its fifth rank.
        passed_rank_5 = -32 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn on its sixth rank.
        passed_rank_6 = -43 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn on its seventh rank.
        passed_rank_7 = -31 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn that may step forward safely, by ranks beyond the third.
        passed_free = -2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn whose whole path the opponent does not attack, likewise.
        passed_path_safe = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn that a pawn defends, likewise.
        passed_protected = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// King moves from the own king to a passed pawn's stop square, likewise (penalty).
        passed_own_king = -3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// King moves from the enemy king to that square, likewise.
        passed_enemy_king = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each passed pawn that a lone enemy king can't catch.
        passed_unstoppable = 75 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn beside another of its side, by ranks advanced.
        pawn_phalanx = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn defended by another, by ranks advanced.
        pawn_supported = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each isolated or backward pawn that no enemy pawn stands before on its file (penalty).
        pawn_weak_unopposed = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy piece that a pawn attacks.
        threat_by_pawn = 66 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy piece that a pawn would attack after a safe step.
        threat_by_pawn_push = 20 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy rook or queen that a knight or bishop attacks.
        threat_by_minor = 79 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each undefended enemy knight or bishop that one attacks.
        threat_minor_on_minor = 42 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy queen that a rook attacks.
        threat_by_rook = 80 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each undefended enemy piece or pawn that the king attacks.
        threat_by_king = 61 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy piece or pawn that is attacked and not defended.
        hanging = 23 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square on the files c to f and ranks 2 to 4 that is safe from pawns and not an own pawn's.
        space = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square that is attacked and that the opponent does not attack.
        control = -2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square that both sides attack and no enemy pawn defends.
        restriction = 4 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn beyond five, or less for each that is missing, for each knight.
        knight_with_pawns = 24 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The same with enemy pawns.
        knight_against_pawns = 26 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn beyond five, likewise, for each bishop.
        bishop_with_pawns = 27 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The same with enemy pawns.
        bishop_against_pawns = 28 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn beyond five, likewise, for each rook.
        rook_with_pawns = 35 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The same with enemy pawns.
        rook_against_pawns = 34 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn beyond five, likewise, for each queen.
        queen_with_pawns = 17 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The same with enemy pawns.
        queen_against_pawns = 33 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn of both sides beyond ten, likewise, for each pawn.
        pawn_among_pawns = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// A side without pawns.
        no_pawns = 49 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn where bishops of opposite colours are the only pieces.
        opposite_bishops = -10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// King moves from each knight to its king (penalty).
        knight_king_distance = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// King moves from each bishop to its king (penalty).
        bishop_king_distance = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square on the files c to f and ranks 3 to 6 that a bishop attacks.
        bishop_centre = 4 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each own pawn on the colour of a bishop, for each own pawn on the files c to f that is blocked (penalty).
        bishop_blocked_centre = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each knight that could go to an outpost.
        knight_outpost_reachable = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each piece that nothing defends (penalty).
        loose_piece = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The right to castle on the king's side.
        castling_king_side = 33 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each defended enemy knight or bishop that a knight or bishop attacks.
        threat_minor_defended = 21 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy piece that is attacked and has no pawn or second piece to defend it.
        weak_piece = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square from which a knight would attack two of king, queens and rooks and be safe but from the king.
        knight_fork = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square from which a knight could attack the enemy queen and not be lost.
        knight_on_queen = 18 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square from which a bishop or rook could, likewise.
        slider_on_queen = 18 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each enemy piece that is pinned to its king.
        pinned_piece = 38 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square from which a knight, bishop or rook could check, safe or not.
        king_check_squares = 12 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Attacks on the enemy king's zone times kinds of pieces that could check safely.
        king_pressure_checks = 10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Attackers of the zone times their attacks there, while there is an own queen.
        king_attackers_pressure = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Attackers of the zone times files at the enemy king that no pawn covers.
        king_attackers_holes = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Square of the attacks on the enemy king's side of the board, in eighths; a square attacked twice counts double.
        king_flank_attack = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square there that the enemy defends (penalty).
        king_flank_defence = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// King moves from the king to all pawns of its side together (penalty).
        king_own_pawns_distance = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// King moves from the king to all enemy pawns together (penalty).
        king_enemy_pawns_distance = -3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each square from which a queen would see the king if only its own pawns stood there, while there is an enemy queen (penalty).
        king_open_lines = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The pawn nearest before the king on its second rank: on the files b or g.
        shield_bg_second = 39 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The pawn nearest before the king on its third rank: on the files b or g.
        shield_bg_third = 28 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// The pawn nearest before the king on its second rank: on the files c or f.
        shield_cf_second = 14 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Each pawn on its fifth rank that an enemy pawn blocks.
        pawn_blocked_fifth = -9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_value in the endgame.
        pawn_value_endgame = 18 in -512..=511 missing 0 genes { "eval-full": 10 };
        /// Added to knight_value in the endgame.
        knight_value_endgame = 44 in -512..=511 missing 0 genes { "eval-full": 10 };
        /// Added to bishop_value in the endgame.
        bishop_value_endgame = 176 in -512..=511 missing 0 genes { "eval-full": 10 };
        /// Added to rook_value in the endgame.
        rook_value_endgame = 395 in -512..=511 missing 0 genes { "eval-full": 10 };
        /// Added to queen_value in the endgame.
        queen_value_endgame = 442 in -512..=511 missing 0 genes { "eval-full": 10 };
        /// Added to pawn_advance_a in the endgame.
        pawn_advance_a_endgame = -12 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_advance_b in the endgame.
        pawn_advance_b_endgame = -13 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_pawn_mult in the endgame.
        passed_pawn_mult_endgame = 9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to doubled_pawn_penalty in the endgame.
        doubled_pawn_penalty_endgame = 20 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to isolated_pawn_penalty in the endgame.
        isolated_pawn_penalty_endgame = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to backward_pawn_penalty in the endgame.
        backward_pawn_penalty_endgame = -8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to weak_square_penalty in the endgame.
        weak_square_penalty_endgame = 2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_pawn_enemy_king_dist in the endgame.
        passed_pawn_enemy_king_dist_endgame = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_sq_mult in the endgame.
        knight_sq_mult_endgame = 9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_outpost_mult in the endgame.
        knight_outpost_mult_endgame = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_mobility in the endgame.
        bishop_mobility_endgame = -3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_pair in the endgame.
        bishop_pair_endgame = 31 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_attack_king_file in the endgame.
        rook_attack_king_file_endgame = -25 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_attack_king_adj_file in the endgame.
        rook_attack_king_adj_file_endgame = -24 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_attack_king_adj_file_abgh in the endgame.
        rook_attack_king_adj_file_abgh_endgame = 2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_7th_rank in the endgame.
        rook_7th_rank_endgame = -15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_connected in the endgame.
        rook_connected_endgame = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_mobility in the endgame.
        rook_mobility_endgame = 2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_behind_passed_pawn in the endgame.
        rook_behind_passed_pawn_endgame = 41 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_open_file in the endgame.
        rook_open_file_endgame = -18 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_semi_open_file in the endgame.
        rook_semi_open_file_endgame = -3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_atck_weak_pawn_open_column in the endgame.
        rook_atck_weak_pawn_open_column_endgame = 11 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_column_mult in the endgame.
        rook_column_mult_endgame = -25 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_mobility in the endgame.
        queen_mobility_endgame = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_no_friendly_pawn in the endgame.
        king_no_friendly_pawn_endgame = -24 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_no_friendly_pawn_adj in the endgame.
        king_no_friendly_pawn_adj_endgame = -19 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_friendly_pawn_advanced1 in the endgame.
        king_friendly_pawn_advanced1_endgame = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_no_enemy_pawn in the endgame.
        king_no_enemy_pawn_endgame = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_no_enemy_pawn_adj in the endgame.
        king_no_enemy_pawn_adj_endgame = -9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_pressure_mult in the endgame.
        king_pressure_mult_endgame = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to tempo in the endgame.
        tempo_endgame = 31 in -32..=31 missing 0 genes { "eval-full": 6 };
        /// Added to pawn_rank_3 in the endgame.
        pawn_rank_3_endgame = 19 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_rank_4 in the endgame.
        pawn_rank_4_endgame = 36 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_rank_5 in the endgame.
        pawn_rank_5_endgame = 52 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_rank_6 in the endgame.
        pawn_rank_6_endgame = 66 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_rank_7 in the endgame.
        pawn_rank_7_endgame = 82 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_files_bg in the endgame.
        pawn_files_bg_endgame = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_files_cf in the endgame.
        pawn_files_cf_endgame = -16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_files_de in the endgame.
        pawn_files_de_endgame = -16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_rank_2 in the endgame.
        knight_rank_2_endgame = 11 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_rank_3 in the endgame.
        knight_rank_3_endgame = -26 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_rank_4 in the endgame.
        knight_rank_4_endgame = -18 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_rank_5 in the endgame.
        knight_rank_5_endgame = -40 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_rank_6 in the endgame.
        knight_rank_6_endgame = -53 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_rank_7 in the endgame.
        knight_rank_7_endgame = -39 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_rank_8 in the endgame.
        knight_rank_8_endgame = 82 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_files_bg in the endgame.
        knight_files_bg_endgame = 19 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_files_cf in the endgame.
        knight_files_cf_endgame = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_files_de in the endgame.
        knight_files_de_endgame = -2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_rank_2 in the endgame.
        bishop_rank_2_endgame = -2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_rank_3 in the endgame.
        bishop_rank_3_endgame = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_rank_4 in the endgame.
        bishop_rank_4_endgame = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_rank_5 in the endgame.
        bishop_rank_5_endgame = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_rank_6 in the endgame.
        bishop_rank_6_endgame = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_rank_7 in the endgame.
        bishop_rank_7_endgame = 34 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_rank_8 in the endgame.
        bishop_rank_8_endgame = 25 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_files_bg in the endgame.
        bishop_files_bg_endgame = -13 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_files_cf in the endgame.
        bishop_files_cf_endgame = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_files_de in the endgame.
        bishop_files_de_endgame = 17 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_rank_2 in the endgame.
        rook_rank_2_endgame = 17 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_rank_3 in the endgame.
        rook_rank_3_endgame = 20 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_rank_4 in the endgame.
        rook_rank_4_endgame = 38 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_rank_5 in the endgame.
        rook_rank_5_endgame = 30 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_rank_6 in the endgame.
        rook_rank_6_endgame = -15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_rank_7 in the endgame.
        rook_rank_7_endgame = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_rank_8 in the endgame.
        rook_rank_8_endgame = -19 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_files_bg in the endgame.
        rook_files_bg_endgame = 17 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_files_cf in the endgame.
        rook_files_cf_endgame = 43 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_files_de in the endgame.
        rook_files_de_endgame = 41 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_rank_2 in the endgame.
        queen_rank_2_endgame = -25 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_rank_3 in the endgame.
        queen_rank_3_endgame = -9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_rank_4 in the endgame.
        queen_rank_4_endgame = -14 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_rank_5 in the endgame.
        queen_rank_5_endgame = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_rank_6 in the endgame.
        queen_rank_6_endgame = -27 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_rank_7 in the endgame.
        queen_rank_7_endgame = -45 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_rank_8 in the endgame.
        queen_rank_8_endgame = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_files_bg in the endgame.
        queen_files_bg_endgame = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_files_cf in the endgame.
        queen_files_cf_endgame = -12 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_files_de in the endgame.
        queen_files_de_endgame = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_rank_2 in the endgame.
        king_rank_2_endgame = 17 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_rank_3 in the endgame.
        king_rank_3_endgame = 48 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_rank_4 in the endgame.
        king_rank_4_endgame = 116 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_rank_5 in the endgame.
        king_rank_5_endgame = 88 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_rank_6 in the endgame.
        king_rank_6_endgame = 36 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_rank_7 in the endgame.
        king_rank_7_endgame = 16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_rank_8 in the endgame.
        king_rank_8_endgame = 47 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_files_bg in the endgame.
        king_files_bg_endgame = -13 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_files_cf in the endgame.
        king_files_cf_endgame = 22 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_files_de in the endgame.
        king_files_de_endgame = 29 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_mobility in the endgame.
        knight_mobility_endgame = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_cramped in the endgame.
        knight_cramped_endgame = -29 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_cramped in the endgame.
        bishop_cramped_endgame = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_cramped in the endgame.
        rook_cramped_endgame = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_cramped in the endgame.
        queen_cramped_endgame = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_own_pawns in the endgame.
        bishop_own_pawns_endgame = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to minor_behind_pawn in the endgame.
        minor_behind_pawn_endgame = -7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_outpost in the endgame.
        bishop_outpost_endgame = -10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_attackers in the endgame.
        king_attackers_endgame = 16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_attack_weight in the endgame.
        king_attack_weight_endgame = -2 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_zone_undefended in the endgame.
        king_zone_undefended_endgame = -11 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_safe_check in the endgame.
        knight_safe_check_endgame = -46 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_safe_check in the endgame.
        bishop_safe_check_endgame = 22 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_safe_check in the endgame.
        rook_safe_check_endgame = -43 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_safe_check in the endgame.
        queen_safe_check_endgame = 44 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_shield_second in the endgame.
        king_shield_second_endgame = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_shield_third in the endgame.
        king_shield_third_endgame = 25 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_storm_near in the endgame.
        king_storm_near_endgame = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_storm_far in the endgame.
        king_storm_far_endgame = -6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_pawn_distance in the endgame.
        king_pawn_distance_endgame = 10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_rank_4 in the endgame.
        passed_rank_4_endgame = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_rank_5 in the endgame.
        passed_rank_5_endgame = -8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_rank_6 in the endgame.
        passed_rank_6_endgame = 31 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_rank_7 in the endgame.
        passed_rank_7_endgame = 49 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_free in the endgame.
        passed_free_endgame = 16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_path_safe in the endgame.
        passed_path_safe_endgame = 20 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_protected in the endgame.
        passed_protected_endgame = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_own_king in the endgame.
        passed_own_king_endgame = 6 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_enemy_king in the endgame.
        passed_enemy_king_endgame = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to passed_unstoppable in the endgame.
        passed_unstoppable_endgame = 127 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_phalanx in the endgame.
        pawn_phalanx_endgame = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_supported in the endgame.
        pawn_supported_endgame = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_weak_unopposed in the endgame.
        pawn_weak_unopposed_endgame = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to threat_by_pawn in the endgame.
        threat_by_pawn_endgame = 26 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to threat_by_pawn_push in the endgame.
        threat_by_pawn_push_endgame = -11 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to threat_by_minor in the endgame.
        threat_by_minor_endgame = -29 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to threat_minor_on_minor in the endgame.
        threat_minor_on_minor_endgame = -28 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to threat_by_rook in the endgame.
        threat_by_rook_endgame = 28 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to threat_by_king in the endgame.
        threat_by_king_endgame = -43 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to hanging in the endgame.
        hanging_endgame = 15 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to space in the endgame.
        space_endgame = -8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to control in the endgame.
        control_endgame = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to restriction in the endgame.
        restriction_endgame = -3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_with_pawns in the endgame.
        knight_with_pawns_endgame = -13 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_against_pawns in the endgame.
        knight_against_pawns_endgame = -4 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_with_pawns in the endgame.
        bishop_with_pawns_endgame = -16 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_against_pawns in the endgame.
        bishop_against_pawns_endgame = -9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_with_pawns in the endgame.
        rook_with_pawns_endgame = -26 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to rook_against_pawns in the endgame.
        rook_against_pawns_endgame = -7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_with_pawns in the endgame.
        queen_with_pawns_endgame = 37 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to queen_against_pawns in the endgame.
        queen_against_pawns_endgame = 49 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_among_pawns in the endgame.
        pawn_among_pawns_endgame = -3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to no_pawns in the endgame.
        no_pawns_endgame = -124 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to opposite_bishops in the endgame.
        opposite_bishops_endgame = -34 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_king_distance in the endgame.
        knight_king_distance_endgame = -4 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_king_distance in the endgame.
        bishop_king_distance_endgame = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_centre in the endgame.
        bishop_centre_endgame = 1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to bishop_blocked_centre in the endgame.
        bishop_blocked_centre_endgame = 3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_outpost_reachable in the endgame.
        knight_outpost_reachable_endgame = -3 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to loose_piece in the endgame.
        loose_piece_endgame = -5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to castling_king_side in the endgame.
        castling_king_side_endgame = -56 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to threat_minor_defended in the endgame.
        threat_minor_defended_endgame = 7 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to weak_piece in the endgame.
        weak_piece_endgame = 14 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_fork in the endgame.
        knight_fork_endgame = 92 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to knight_on_queen in the endgame.
        knight_on_queen_endgame = -21 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to slider_on_queen in the endgame.
        slider_on_queen_endgame = -10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pinned_piece in the endgame.
        pinned_piece_endgame = 11 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_check_squares in the endgame.
        king_check_squares_endgame = -10 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_pressure_checks in the endgame.
        king_pressure_checks_endgame = -13 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_attackers_pressure in the endgame.
        king_attackers_pressure_endgame = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_attackers_holes in the endgame.
        king_attackers_holes_endgame = -12 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_flank_attack in the endgame.
        king_flank_attack_endgame = -1 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_flank_defence in the endgame.
        king_flank_defence_endgame = -9 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_own_pawns_distance in the endgame.
        king_own_pawns_distance_endgame = 0 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_enemy_pawns_distance in the endgame.
        king_enemy_pawns_distance_endgame = 8 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to king_open_lines in the endgame.
        king_open_lines_endgame = 5 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to shield_bg_second in the endgame.
        shield_bg_second_endgame = -62 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to shield_bg_third in the endgame.
        shield_bg_third_endgame = -48 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to shield_cf_second in the endgame.
        shield_cf_second_endgame = -4 in -128..=127 missing 0 genes { "eval-full": 8 };
        /// Added to pawn_blocked_fifth in the endgame.
        pawn_blocked_fifth_endgame = -4 in -128..=127 missing 0 genes { "eval-full": 8 };
    }
}
