//! Static exchange evaluation: what a sequence of captures on one square is worth.
//!
//! The swap algorithm on bitboards
//! (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>); x-rays are seen, pins are not.

use crate::position::{Position, bishop_attacks, rook_attacks};
use crate::types::{Bitboard, Color, Move, Piece};

/// Worth of each kind of piece in an exchange, by [`Piece::index`].
pub type SeeValues = [i32; 6];

/// Pawn 1, knight and bishop 3, rook 5, queen 9; the king can't be given.
pub const CLASSIC_VALUES: SeeValues = [1, 3, 3, 5, 9, 1000];

/// Gain of the side to move when a legal move starts the exchange on its target square and both
/// sides go on capturing with their least piece only while it pays. In units of `values`.
pub fn see(position: &Position, mv: Move, values: &SeeValues) -> i32 {
    see_by(position, position.side_to_move(), mv, values)
}

/// The same for either side, as if it were its turn. The capture need not be legal; its piece attacks the
/// target square.
pub(crate) fn see_by(position: &Position, mover: Color, mv: Move, values: &SeeValues) -> i32 {
    let target = mv.to();
    let mut gain = [0i32; 32];
    let mut depth = 0;
    let mut occupied = position.occupied() ^ mv.from().bitboard();
    let mut on_target = values[position.moved(mv).index()];
    gain[0] = position
        .captured(mv)
        .map_or(0, |piece| values[piece.index()]);
    if position.is_en_passant(mv) {
        let taken = target.bitboard().forward(!mover);
        occupied &= !taken;
    }
    if let Some(promotion) = mv.promotion() {
        on_target = values[promotion.index()];
        gain[0] += on_target - values[Piece::Pawn.index()];
    }
    occupied |= target.bitboard();

    let diagonal = position.by_piece(Piece::Bishop) | position.by_piece(Piece::Queen);
    let straight = position.by_piece(Piece::Rook) | position.by_piece(Piece::Queen);
    let mut attackers = position.attackers_to(target, occupied) & occupied;
    let mut side = !mover;
    while depth + 1 < gain.len() {
        let Some((piece, from)) = least_attacker(position, attackers, side) else {
            break;
        };
        if piece == Piece::King && (attackers & position.by_color(!side)).any() {
            break;
        }
        depth += 1;
        gain[depth] = on_target - gain[depth - 1];
        on_target = values[piece.index()];
        occupied = occupied ^ from;
        attackers |= bishop_attacks(target, occupied) & diagonal;
        attackers |= rook_attacks(target, occupied) & straight;
        attackers &= occupied;
        side = !side;
    }
    while depth > 0 {
        gain[depth - 1] = -(-gain[depth - 1]).max(gain[depth]);
        depth -= 1;
    }
    gain[0]
}

/// Whether [`see`] is at least `threshold`, found without working out by how much: the exchange
/// ends as soon as one side is ahead even if its last piece is lost.
pub fn see_ge(position: &Position, mv: Move, values: &SeeValues, threshold: i32) -> bool {
    let target = mv.to();
    let us = position.side_to_move();
    let mut on_target = values[position.moved(mv).index()];
    let mut gain = position
        .captured(mv)
        .map_or(0, |piece| values[piece.index()])
        - threshold;
    if let Some(promotion) = mv.promotion() {
        on_target = values[promotion.index()];
        gain += on_target - values[Piece::Pawn.index()];
    }
    if gain < 0 {
        return false;
    }
    // What the mover keeps if the piece on the target is then lost for nothing.
    let mut balance = gain - on_target;
    if balance >= 0 {
        return true;
    }
    let mut occupied = position.occupied() ^ mv.from().bitboard();
    if position.is_en_passant(mv) {
        occupied &= !target.bitboard().forward(!us);
    }
    occupied |= target.bitboard();
    let diagonal = position.by_piece(Piece::Bishop) | position.by_piece(Piece::Queen);
    let straight = position.by_piece(Piece::Rook) | position.by_piece(Piece::Queen);
    let mut attackers = position.attackers_to(target, occupied) & occupied;
    let mut side = !us;
    // Each turn `side` is behind and must capture; the one that can't has lost the exchange.
    while let Some((piece, from)) = least_attacker(position, attackers, side) {
        if piece == Piece::King && (attackers & position.by_color(!side)).any() {
            break;
        }
        occupied = occupied ^ from;
        // A line piece that stood behind it now attacks the square, along the same line.
        if !matches!(piece, Piece::Knight | Piece::Rook) {
            attackers |= bishop_attacks(target, occupied) & diagonal;
        }
        if !matches!(piece, Piece::Pawn | Piece::Knight | Piece::Bishop) {
            attackers |= rook_attacks(target, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        // From the capturer's point of view; an even exchange is enough for the first mover alone.
        balance = -balance - 1 - values[piece.index()];
        if balance >= 0 {
            break;
        }
    }
    side != us
}

fn least_attacker(
    position: &Position,
    attackers: Bitboard,
    side: Color,
) -> Option<(Piece, Bitboard)> {
    let own = attackers & position.by_color(side);
    Piece::ALL.into_iter().find_map(|piece| {
        let first = (own & position.by_piece(piece)).first()?;
        Some((piece, first.bitboard()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let mv = Move::parse_uci(mv).unwrap();
        assert!(position.is_legal(mv));
        see(&position, mv, &CLASSIC_VALUES)
    }

    #[test]
    fn exchanges_have_their_known_values() {
        // A free pawn, and the textbook case of a knight for a pawn with x-rays behind.
        assert_eq!(
            exchange("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "e1e5"),
            1
        );
        assert_eq!(
            exchange(
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -",
                "d3e5"
            ),
            -2
        );
        assert_eq!(exchange("8/8/8/3pP3/8/8/8/K1k5 w - d6", "e5d6"), 1);
        assert_eq!(exchange("1r6/P7/8/8/8/8/8/K1k5 w - -", "a7b8q"), 13);
    }
}
