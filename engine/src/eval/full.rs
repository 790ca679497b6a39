//! The terms of layout `eval-full` that the papers do not have, one documented function a group.
//!
//! Each counts for one side; counts of penalties are negative, though weights may be negative too.

use super::core::{CENTRE_FILES, backward_pawns, isolated_pawns};
use super::params::term;
use super::view::{Attacker, Reach, Side};
use crate::position::{
    Position, attacks, bishop_attacks, king_attacks, knight_attacks, rook_attacks,
};
use crate::types::{Bitboard, Color, Piece, Square};

/// What a side attacks.
struct Attacked {
    /// Squares that anything attacks.
    all: Bitboard,
    /// Squares that two pieces or pawns attack.
    twice: Bitboard,
    /// Squares that a piece other than the king, or a pawn, attacks.
    without_king: Bitboard,
}

impl Attacked {
    #[inline(always)]
    fn new(side: &Side, pieces: &Reach) -> Attacked {
        let front = side.pawns.forward(side.color);
        let by_pawns = side.pawn_attacks;
        let without_king = by_pawns | pieces.all;
        let king = king_attacks(side.king);
        Attacked {
            all: without_king | king,
            twice: (front.east() & front.west())
                | pieces.twice
                | (by_pawns & pieces.all)
                | (without_king & king),
            without_king,
        }
    }
}

/// Adds the counts of both sides that follow from all pieces together, White's minus Black's.
#[inline(always)]
pub(super) fn count(
    position: &Position,
    sides: &[Side; 2],
    reach: &[Reach; 2],
    add: &mut impl FnMut(usize, i32),
) {
    let attacked = [
        Attacked::new(&sides[0], &reach[0]),
        Attacked::new(&sides[1], &reach[1]),
    ];
    let to_move = match position.side_to_move() {
        Color::White => 1,
        Color::Black => -1,
    };
    add(term::tempo, to_move);
    for (i, sign) in [(0, 1), (1, -1)] {
        let (side, own, enemy) = (&sides[i], &attacked[i], &attacked[1 - i]);
        let (ours, theirs) = (&reach[i], &reach[1 - i]);
        let mut add = |row: usize, count: i32| add(row, sign * count);
        minors(position, side, &mut add);
        king_attack(position, side, (ours, theirs), (own, enemy), &mut add);
        passed_pawns(position, side, enemy, &mut add);
        threats(position, side, ours, (own, enemy), &mut add);
        territory(side, own, enemy, &mut add);
    }
}

/// Where a piece stands, seen from the own side: by rank and by distance from the edge, apart. A
/// table of all squares would say more, at many times the number of genes.
pub(super) fn placement(piece: Piece, square: Square, add: &mut impl FnMut(usize, i32)) {
    let (second, bg) = match piece {
        // The second rank is what a pawn's others are compared with, and the first is empty.
        Piece::Pawn => (term::pawn_rank_3 - 1, term::pawn_files_bg),
        Piece::Knight => (term::knight_rank_2, term::knight_files_bg),
        Piece::Bishop => (term::bishop_rank_2, term::bishop_files_bg),
        Piece::Rook => (term::rook_rank_2, term::rook_files_bg),
        Piece::Queen => (term::queen_rank_2, term::queen_files_bg),
        Piece::King => (term::king_rank_2, term::king_files_bg),
    };
    let rank = usize::from(square.rank());
    if rank > usize::from(piece == Piece::Pawn) {
        add(second + rank - 1, 1);
    }
    let edge = usize::from(square.file().min(7 - square.file()));
    if edge > 0 {
        add(bg + edge - 1, 1);
    }
}

/// Adds one side's counts that follow from the pawns and the kings.
pub(super) fn structure(side: &Side, add: &mut impl FnMut(usize, i32)) {
    king_shelter(side, add);
    pawns(side, add);
    for square in side.passed {
        let rank = usize::from(square.rank_for(side.color));
        if rank >= 3 {
            add(term::passed_rank_4 + (rank - 3).min(3), 1);
        }
        let beyond = beyond_third(rank);
        if side.pawn_attacks.contains(square) {
            add(term::passed_protected, beyond);
        }
        if let Some(stop) = square.bitboard().forward(side.color).first() {
            let distance = |king: Square| i32::from(king.distance(stop));
            add(term::passed_own_king, -beyond * distance(side.king));
            add(term::passed_enemy_king, beyond * distance(side.enemy_king));
        }
    }
}

/// How far beyond the third rank a pawn on a rank is, from 1 on.
fn beyond_third(rank: usize) -> i32 {
    (rank as i32 - 2).max(0)
}

/// Mobility of knights, pieces with too little of it, and bishops in the pawn structure.
#[inline(always)]
pub(super) fn piece(side: &Side, attacker: &Attacker, add: &mut impl FnMut(usize, i32)) {
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    let (square, mobility) = (attacker.square, attacker.mobility);
    let lacks = |enough: i32| -(enough - mobility).max(0);
    match attacker.piece {
        Piece::Knight => {
            add(term::knight_mobility, mobility);
            add(term::knight_cramped, lacks(4));
        }
        Piece::Bishop => {
            add(term::bishop_cramped, lacks(5));
            let colour = if LIGHT.contains(square) {
                LIGHT
            } else {
                !LIGHT
            };
            add(term::bishop_own_pawns, -(side.pawns & colour).count());
            let safe =
                side.pawn_attacks.contains(square) && !side.enemy_attack_span.contains(square);
            let outpost = safe && square.rank_for(side.color) >= 3;
            add(term::bishop_outpost, i32::from(outpost));
        }
        Piece::Rook => add(term::rook_cramped, lacks(5)),
        Piece::Queen => add(term::queen_cramped, lacks(8)),
        Piece::Pawn | Piece::King => {}
    }
}

/// Minor pieces behind an own pawn.
#[inline(always)]
fn minors(position: &Position, side: &Side, add: &mut impl FnMut(usize, i32)) {
    let minors = position.by_piece(Piece::Knight) | position.by_piece(Piece::Bishop);
    let own = minors & position.by_color(side.color);
    let covered = own & side.pawns.forward(!side.color);
    add(term::minor_behind_pawn, covered.count());
}

/// The attack on the enemy king: how many pieces take part, how heavy they are, where the king is
/// alone, and whence it could be checked for nothing.
#[inline(always)]
fn king_attack(
    position: &Position,
    side: &Side,
    (ours, theirs): (&Reach, &Reach),
    (own, enemy): (&Attacked, &Attacked),
    add: &mut impl FnMut(usize, i32),
) {
    let zone = side.enemy_king_zone;
    if ours.king_attackers > 1 {
        let weight = ours.king_attack_weight;
        add(term::king_attackers, ours.king_attackers - 1);
        add(term::king_attack_weight, weight * weight / 8);
    }
    let alone = zone & own.without_king & !enemy.without_king & king_attacks(side.enemy_king);
    add(term::king_zone_undefended, alone.count());

    // Squares from which a check can't be answered by taking the piece, but by a king or queen
    // that would be taken back.
    let weak = own.twice & !enemy.twice & (king_attacks(side.enemy_king) | theirs.queens);
    let safe = !enemy.all | (weak & !enemy.without_king);
    let safe = safe & !(position.by_color(side.color) & !side.king.bitboard());
    let diagonals = bishop_attacks(side.enemy_king, side.occupied);
    let lines = rook_attacks(side.enemy_king, side.occupied);
    let jumps = knight_attacks(side.enemy_king);
    let check = |squares: Bitboard, reached: Bitboard| i32::from((squares & reached & safe).any());
    add(term::knight_safe_check, check(jumps, ours.knights));
    add(term::bishop_safe_check, check(diagonals, ours.bishops));
    add(term::rook_safe_check, check(lines, ours.rooks));
    add(
        term::queen_safe_check,
        check(diagonals | lines, ours.queens),
    );
}

/// The pawns before the own king, both sides', and how far it is from its own.
#[inline(always)]
fn king_shelter(side: &Side, add: &mut impl FnMut(usize, i32)) {
    let king = side.king.bitboard();
    let abreast = king | king.east() | king.west();
    let first = abreast.forward(side.color);
    let second = first.forward(side.color);
    let third = second.forward(side.color);
    add(term::king_shield_second, (side.pawns & first).count());
    add(term::king_shield_third, (side.pawns & second).count());
    let near = side.enemy_pawns & (first | second);
    add(term::king_storm_near, -near.count());
    add(term::king_storm_far, -(side.enemy_pawns & third).count());
    let nearest = side
        .pawns
        .map(|pawn| i32::from(pawn.distance(side.king)))
        .min();
    add(term::king_pawn_distance, -nearest.unwrap_or(0));
}

/// Passed pawns by what is before them.
#[inline(always)]
fn passed_pawns(
    position: &Position,
    side: &Side,
    enemy: &Attacked,
    add: &mut impl FnMut(usize, i32),
) {
    if side.passed.is_empty() {
        return;
    }
    let lone_king = !position.has_pieces(!side.color);
    for square in side.passed {
        let rank = usize::from(square.rank_for(side.color));
        if lone_king && can_outrun(position, side, square, rank) {
            add(term::passed_unstoppable, 1);
        }
        let beyond = beyond_third(rank);
        if beyond == 0 {
            continue;
        }
        let stop = square.bitboard().forward(side.color);
        if (stop & (side.occupied | enemy.all)).is_empty() {
            add(term::passed_free, beyond);
        }
        if (stop.fill_forward(side.color) & enemy.all).is_empty() {
            add(term::passed_path_safe, beyond);
        }
    }
}

/// The rule of the square: the enemy king is too far away to catch the pawn, and nothing stands in
/// its way.
fn can_outrun(position: &Position, side: &Side, square: Square, rank: usize) -> bool {
    let path = square
        .bitboard()
        .forward(side.color)
        .fill_forward(side.color);
    if (path & side.occupied).any() {
        return false;
    }
    let last = match side.color {
        Color::White => Square::at(square.file(), 7),
        Color::Black => Square::at(square.file(), 0),
    };
    // From the second rank a pawn may take two steps at once.
    let steps = if rank == 1 { 5 } else { 7 - rank as i32 };
    let to_move = i32::from(position.side_to_move() != side.color);
    i32::from(last.distance(side.enemy_king)) - to_move > steps
}

/// Pawns that stand together, and weak ones that can be attacked along their file.
#[inline(always)]
fn pawns(side: &Side, add: &mut impl FnMut(usize, i32)) {
    let advanced = |pawns: Bitboard| -> i32 {
        pawns
            .map(|square| i32::from(square.rank_for(side.color)))
            .sum()
    };
    let abreast = side.pawns & (side.pawns.east() | side.pawns.west());
    add(term::pawn_phalanx, advanced(abreast));
    add(
        term::pawn_supported,
        advanced(side.pawns & side.pawn_attacks),
    );
    let behind_enemy = side
        .enemy_pawns
        .forward(!side.color)
        .fill_forward(!side.color);
    let weak = (isolated_pawns(side) | backward_pawns(side)) & !behind_enemy;
    add(term::pawn_weak_unopposed, -weak.count());
}

/// Enemy pieces that are attacked by lesser ones, or not defended.
#[inline(always)]
fn threats(
    position: &Position,
    side: &Side,
    ours: &Reach,
    (own, enemy): (&Attacked, &Attacked),
    add: &mut impl FnMut(usize, i32),
) {
    let them = !side.color;
    let pawns_and_king = side.enemy_pawns | side.enemy_king.bitboard();
    let targets = position.by_color(them) & !pawns_and_king;
    let rooks = position.pieces(them, Piece::Rook);
    let queens = position.pieces(them, Piece::Queen);
    let minors = targets & !(rooks | queens);
    let by_minor = ours.knights | ours.bishops;
    let undefended = !enemy.all;

    add(term::threat_by_pawn, (side.pawn_attacks & targets).count());
    let steps = side.pawns.forward(side.color) & !side.occupied;
    let third = match side.color {
        Color::White => Bitboard::rank(2),
        Color::Black => Bitboard::rank(5),
    };
    let steps = steps | ((steps & third).forward(side.color) & !side.occupied);
    let safe = steps & !side.enemy_pawn_attacks & (own.all | undefended);
    let pushed = safe.pawn_attacks(side.color) & targets & !side.pawn_attacks;
    add(term::threat_by_pawn_push, pushed.count());
    add(term::threat_by_minor, (by_minor & (rooks | queens)).count());
    add(
        term::threat_minor_on_minor,
        (by_minor & minors & undefended).count(),
    );
    add(term::threat_by_rook, (ours.rooks & queens).count());
    let prey = (targets | side.enemy_pawns) & undefended;
    let king = attacks(Piece::King, side.color, side.king, side.occupied);
    add(term::threat_by_king, (king & prey).count());
    add(term::hanging, (own.all & prey).count());
}

/// Squares that a side has for itself.
#[inline(always)]
fn territory(side: &Side, own: &Attacked, enemy: &Attacked, add: &mut impl FnMut(usize, i32)) {
    let camp = match side.color {
        Color::White => Bitboard(0x0000_0000_ffff_ff00),
        Color::Black => Bitboard(0x00ff_ffff_0000_0000),
    };
    let space = camp & CENTRE_FILES & !side.pawns & !side.enemy_pawn_attacks;
    add(term::space, space.count());
    add(term::control, (own.all & !enemy.all).count());
    let contested = own.all & enemy.all & !side.enemy_pawn_attacks;
    add(term::restriction, contested.count());
}
