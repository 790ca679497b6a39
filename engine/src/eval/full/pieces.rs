//! Where pieces stand and what they can reach, each kind by itself.

use super::{CENTRE_FILES, EvalInfo, Side, term};
use crate::eval::view::Attacker;
use crate::position::knight_attacks;
use crate::types::{Bitboard, Color, Piece, Square};

/// The middle of the board, files c to f and ranks 3 to 6.
const CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);

/// Where a piece stands, seen from the own side: by rank and by distance from the edge, apart. A
/// table of all squares would say more, at many times the number of genes.
pub(in crate::eval) fn placement(piece: Piece, square: Square, add: &mut impl FnMut(usize, i32)) {
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

/// Squares from which on a piece is not cramped. They are part of what the terms count: the weights
/// were learnt with them, and others would want other weights.
const ENOUGH_KNIGHT: i32 = 4;
const ENOUGH_BISHOP: i32 = 5;
const ENOUGH_ROOK: i32 = 5;
const ENOUGH_QUEEN: i32 = 8;

/// Mobility of knights, pieces with too little of it, bishops in the pawn structure, and how far
/// minor pieces are from their king.
#[inline(always)]
pub(in crate::eval) fn piece(side: &Side, attacker: &Attacker, add: &mut impl FnMut(usize, i32)) {
    let (square, mobility) = (attacker.square, attacker.mobility);
    let lacks = |enough: i32| -(enough - mobility).max(0);
    match attacker.piece {
        Piece::Knight => {
            add(term::knight_mobility, mobility);
            add(term::knight_cramped, lacks(ENOUGH_KNIGHT));
            add(term::knight_king_distance, -distance(square, side.king));
        }
        Piece::Bishop => {
            add(term::bishop_cramped, lacks(ENOUGH_BISHOP));
            add(term::bishop_king_distance, -distance(square, side.king));
            add(term::bishop_centre, (attacker.attacks & CENTRE).count());
            let colour = if Bitboard::LIGHT.contains(square) {
                Bitboard::LIGHT
            } else {
                !Bitboard::LIGHT
            };
            let pawns = (side.pawns & colour).count();
            let blocked = side.pawns & CENTRE_FILES & side.occupied.forward(!side.color);
            add(term::bishop_own_pawns, -pawns);
            add(term::bishop_blocked_centre, -pawns * blocked.count());
            let safe =
                side.pawn_attacks.contains(square) && !side.enemy_attack_span.contains(square);
            let outpost = safe && square.rank_for(side.color) >= 3;
            add(term::bishop_outpost, i32::from(outpost));
        }
        Piece::Rook => add(term::rook_cramped, lacks(ENOUGH_ROOK)),
        Piece::Queen => add(term::queen_cramped, lacks(ENOUGH_QUEEN)),
        Piece::Pawn | Piece::King => {}
    }
}

fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.distance(b))
}

/// Minor pieces behind an own pawn, pieces that nothing defends, and knights on their way to an
/// outpost.
#[inline(always)]
pub(super) fn count(info: &EvalInfo, add: &mut impl FnMut(usize, i32)) {
    let side = info.side;
    let minors = info.own_pieces(Piece::Knight) | info.own_pieces(Piece::Bishop);
    let covered = minors & side.pawns.forward(!side.color);
    add(term::minor_behind_pawn, covered.count());

    let pieces = info.own_all() & !(side.pawns | side.king.bitboard());
    add(term::loose_piece, -(pieces & !info.own.all).count());

    let beyond_third = match side.color {
        Color::White => Bitboard(0x0000_ffff_ff00_0000),
        Color::Black => Bitboard(0x0000_00ff_ffff_0000),
    };
    let outposts = side.pawn_attacks & !side.enemy_attack_span & beyond_third;
    if outposts.any() {
        let knights = info.own_pieces(Piece::Knight) & !outposts;
        let free = outposts & !info.own_all();
        let reaches = |knight: &Square| (knight_attacks(*knight) & free).any();
        add(
            term::knight_outpost_reachable,
            knights.filter(reaches).count() as i32,
        );
    }
}
