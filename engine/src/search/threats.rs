//! What a move threatens. A late move that attacks something is rarely as hopeless as its number
//! says, sacrifices before the enemy king least of all, so it is reduced less.

use super::params::SearchParams;
use crate::position::{Position, attacks, king_attacks};
use crate::types::{Bitboard, Move, Piece};

/// Quarter plies by which a legal move of this piece is reduced less, should it turn out to be late,
/// for what it attacks from where it goes.
#[inline]
pub fn less_reduced(params: &SearchParams, position: &Position, piece: Piece, mv: Move) -> i32 {
    let (for_king, for_threat) = (params.lmr_king_zone, params.lmr_threat);
    if for_king == 0 && for_threat == 0 {
        return 0;
    }
    let us = position.side_to_move();
    let occupied = position.occupied();
    let there = attacks(piece, us, mv.to(), occupied ^ mv.from().bitboard());
    let mut less = 0;
    if for_king > 0 && piece != Piece::King {
        let king = position.king(!us);
        let around = king_attacks(king) | king.bitboard();
        let here = attacks(piece, us, mv.from(), occupied);
        if (there & around).count() > (here & around).count() {
            less += for_king;
        }
    }
    if for_threat > 0 && (there & worth_more(position, piece)).any() {
        less += for_threat;
    }
    less
}

/// The enemy pieces of more value than this one; a king does not count.
#[inline]
fn worth_more(position: &Position, piece: Piece) -> Bitboard {
    let them = |piece| position.pieces(!position.side_to_move(), piece);
    match piece {
        Piece::Pawn => {
            let minors = them(Piece::Knight) | them(Piece::Bishop);
            minors | them(Piece::Rook) | them(Piece::Queen)
        }
        Piece::Knight | Piece::Bishop => them(Piece::Rook) | them(Piece::Queen),
        Piece::Rook => them(Piece::Queen),
        Piece::Queen | Piece::King => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(lmr_king_zone: i32, lmr_threat: i32) -> SearchParams {
        SearchParams {
            lmr_king_zone,
            lmr_threat,
            ..SearchParams::default()
        }
    }

    #[test]
    fn moves_that_attack_the_king_or_a_better_piece_are_reduced_less() {
        // The black king has h7, g7, f7, h8 and f8 around it; the queen stands on d5.
        let fen = "6k1/8/8/3q4/8/2N5/P3B3/1R2R1K1 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let less_with = |params: &SearchParams, text: &str| {
            let mv = Move::parse_uci(text).unwrap();
            less_reduced(params, &position, position.moved(mv), mv)
        };
        let less = |text: &str| less_with(&params(2, 5), text);
        // The knight attacks the queen from where it stands, from b5 and e4 nothing.
        assert_eq!(less("c3b5"), 0);
        assert_eq!(less("c3e4"), 0);
        // The bishop attacks the queen from f3 and c4, f7 from h5.
        assert_eq!(less("e2f3"), 5);
        assert_eq!(less("e2c4"), 5);
        assert_eq!(less("e2h5"), 2);
        // From b7 and b8 the rook sees the squares beside the king, from b5 the queen.
        assert_eq!(less("b1b7"), 2);
        assert_eq!(less("b1b5"), 5);
        assert_eq!(less("b1b4"), 0);
        // From b8 it sees f8 and the king itself.
        assert_eq!(less("b1b8"), 2);
        // A king makes no threats.
        assert_eq!(less("g1h2"), 0);
        assert_eq!(less_with(&params(0, 5), "b1b7"), 0);
        assert_eq!(less_with(&params(2, 0), "b1b5"), 0);
    }

    #[test]
    fn a_pawn_threatens_every_piece() {
        let params = params(0, 3);
        let position = Position::from_fen("6k1/8/1n1p1n2/8/P1P1P3/8/8/6K1 w - - 0 1").unwrap();
        let less = |text: &str| {
            let mv = Move::parse_uci(text).unwrap();
            less_reduced(&params, &position, Piece::Pawn, mv)
        };
        assert_eq!(less("a4a5"), 3);
        assert_eq!(less("e4e5"), 3);
        assert_eq!(less("c4c5"), 3);
        // A pawn is worth no more than a pawn.
        let position = Position::from_fen("6k1/8/3p4/8/2P5/8/8/6K1 w - - 0 1").unwrap();
        let mv = Move::parse_uci("c4c5").unwrap();
        assert_eq!(less_reduced(&params, &position, Piece::Pawn, mv), 0);
    }
}
