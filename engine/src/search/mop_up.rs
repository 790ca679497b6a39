//! A bare king: how to mate it, and when nobody can.
//!
//! Mates of a few pieces are farther away than a search sees, and the evaluation has learnt nothing of
//! them: who mates in thirty moves has won, whatever he does next. So the king is driven to the edge, or with
//! a bishop and a knight to a corner of the bishop's colour, and the other king comes near
//! (<https://www.chessprogramming.org/Mop-up_Evaluation>). So is one with a single lesser piece against a queen.
//! And pawns on a rook file win nothing, with however many
//! bishops that don't command the last square, once the king stands there or beside
//! (<https://www.chessprogramming.org/Wrong_Color_Bishop>); nor do two knights alone. Of a single pawn all is known.
//!
//! Worth, with 60,000 nodes a move against Stockfish 15.1 from random positions: docs/results/endgames.md.

use crate::king_and_pawn::is_won;
use crate::position::Position;
use crate::score::Score;
use crate::search::ordering::SEE_VALUES;
use crate::search::params::SearchParams;
use crate::types::{Bitboard, Color, Piece, Square};

/// Centipawns that a bare king is worth to whoever can mate it.
const KNOWN_WIN: i32 = 500;
/// Centipawns for each step by which the bare king is nearer to where it is mated.
const DRIVEN: i32 = 20;
/// Centipawns for each step by which the kings are nearer to each other.
const NEAR: i32 = 8;

/// Whether a king is bare and more is known of that than what searches have learnt of the evaluation.
#[inline]
pub fn has_bare_king(params: &SearchParams, position: &Position) -> bool {
    params.mop_up_use != 0 && mop_up(position).is_some()
}

/// Who has nothing but the king, or against a queen alone nothing but the king and a lesser piece.
#[inline]
fn mop_up(position: &Position) -> Option<Color> {
    let men = |color: Color| position.by_color(color).count();
    let is_bare = |color: &Color| {
        men(*color) == 1 || (position.occupied().count() == 4 && faces_a_queen(position, *color))
    };
    Color::ALL.into_iter().find(is_bare)
}

#[cold]
fn faces_a_queen(position: &Position, color: Color) -> bool {
    let queens = position.by_piece(Piece::Queen);
    let pawns = position.by_piece(Piece::Pawn);
    position.by_color(color).count() == 2
        && (queens & position.by_color(!color)).count() == 1
        && (queens | pawns).count() == 1
}

/// An evaluation, and in place of it or besides what is known of a bare king, if that is asked for.
#[inline]
pub fn with_bare_king(params: &SearchParams, position: &Position, eval: Score) -> Score {
    if params.mop_up_use == 0 {
        return eval;
    }
    match mop_up(position) {
        Some(bare) => judged(position, bare, eval),
        None => eval,
    }
}

#[cold]
fn judged(position: &Position, bare: Color, eval: Score) -> Score {
    let strong = !bare;
    let sign = if position.side_to_move() == strong {
        1
    } else {
        -1
    };
    let has = |piece| position.pieces(strong, piece);
    let (pawns, bishops) = (has(Piece::Pawn), has(Piece::Bishop));
    let has_major = (has(Piece::Queen) | has(Piece::Rook)).any();
    let (knights, king) = (has(Piece::Knight), position.king(bare));
    // Where a search ends it looks at captures alone, and the best way to drive a king leads past stalemates.
    let is_stalemate = || !position.in_check() && !position.has_legal_move();
    if position.side_to_move() == bare && is_stalemate() {
        return Score::DRAW;
    }
    if position.occupied().count() == 3 && pawns.any() {
        return match is_won(position, strong) {
            true => Score::cp(eval.value() + sign * KNOWN_WIN),
            false => Score::DRAW,
        };
    }
    if !has_major && knights.is_empty() && is_rook_file_draw(strong, pawns, bishops, king) {
        return Score::DRAW;
    }
    // Two knights mate only a king that helps them.
    if !has_major && (pawns | bishops).is_empty() && knights.count() <= 2 {
        return Score::DRAW;
    }
    let both_colours = (bishops & Bitboard::LIGHT).any() && (bishops & !Bitboard::LIGHT).any();
    let with_knight = bishops.any() && knights.any();
    if !(has_major || both_colours || with_knight) {
        return eval;
    }
    let driven = if has_major || both_colours || pawns.any() {
        from_the_middle(king)
    } else {
        // The way leads along the edge from one corner to the other, and goes first.
        3 * near_corner(king, (bishops & Bitboard::LIGHT).any())
    };
    let near = 14 - steps(king, position.king(strong));
    let bonus = KNOWN_WIN + DRIVEN * driven + NEAR * near;
    if pawns.any() {
        return Score::cp(eval.value() + sign * bonus);
    }
    // What the evaluation says of where king and pieces stand was learnt elsewhere, and weighs more than a step
    // towards the bare king: only what the pieces are worth counts.
    let pieces = Piece::ALL.into_iter().zip(SEE_VALUES);
    let pieces = pieces.filter(|(piece, _)| *piece != Piece::King);
    let worth: i32 = pieces
        .map(|(piece, worth)| worth * (has(piece).count() - position.pieces(bare, piece).count()))
        .sum();
    Score::cp(sign * (worth + bonus))
}

/// Whether all pawns stand on one rook file, no bishop commands its last square, and the king does.
fn is_rook_file_draw(strong: Color, pawns: Bitboard, bishops: Bitboard, king: Square) -> bool {
    let all_on = |file: &u8| pawns.any() && (pawns & !Bitboard::file(*file)).is_empty();
    let Some(file) = [0, 7].into_iter().find(all_on) else {
        return false;
    };
    let last = Square::at(file, if strong == Color::White { 7 } else { 0 });
    let same_colour = match Bitboard::LIGHT.contains(last) {
        true => bishops & Bitboard::LIGHT,
        false => bishops & !Bitboard::LIGHT,
    };
    same_colour.is_empty() && king.distance(last) <= 1
}

/// Steps of a rook that go from the four squares in the middle to here: 0 to 6.
fn from_the_middle(square: Square) -> i32 {
    let off = |line: u8| i32::from(line.max(7 - line)) - 4;
    off(square.file()) + off(square.rank())
}

/// How near a square is to the nearer corner of a colour: 0 on the long diagonal of the others, 7 there.
fn near_corner(square: Square, light: bool) -> i32 {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    match light {
        true => (file - rank).abs(),
        false => (file + rank - 7).abs(),
    }
}

/// Steps of a rook between two squares, 0 to 14.
fn steps(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file())) + i32::from(a.rank().abs_diff(b.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(fen: &str) -> i32 {
        instead_of(0, fen)
    }

    fn instead_of(eval: i32, fen: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let params = SearchParams {
            mop_up_use: 1,
            ..SearchParams::default()
        };
        with_bare_king(&params, &position, Score::cp(eval)).value()
    }

    #[test]
    fn the_edge_is_where_a_bare_king_is_mated() {
        let middle = with("8/8/8/3k4/8/8/8/K5Q1 w - - 0 1");
        assert_eq!(middle, -with("8/8/8/3k4/8/8/8/K5Q1 b - - 0 1"));
        let edge = with("3k4/8/8/8/8/8/8/K5Q1 w - - 0 1");
        let corner = with("k7/8/8/8/8/8/8/K5Q1 w - - 0 1");
        let closer = with("k7/8/2K5/8/8/8/8/6Q1 w - - 0 1");
        assert!(KNOWN_WIN < middle && middle < edge && edge < corner && corner < closer);
        let black = with("K7/8/2k5/8/8/8/8/6q1 b - - 0 1");
        assert_eq!(closer, black);
    }

    #[test]
    fn a_piece_does_not_save_its_king_from_a_queen() {
        let bare = with("3k4/8/8/8/8/8/8/K5Q1 w - - 0 1");
        let knight = with("3k4/8/8/8/8/4n3/8/K5Q1 w - - 0 1");
        assert_eq!(bare - knight, SEE_VALUES[Piece::Knight.index()]);
        let middle = with("8/8/3k4/8/8/4n3/8/K5Q1 w - - 0 1");
        assert!(KNOWN_WIN < middle && middle < knight);
        // Nobody knows what comes of two queens, or of a pawn.
        assert_eq!(with("3k4/8/8/8/8/4q3/8/K5Q1 w - - 0 1"), 0);
        assert_eq!(with("3k4/8/8/8/8/4p3/8/K5Q1 w - - 0 1"), 0);
        assert_eq!(with("3k4/8/8/8/8/4n3/8/K5R1 w - - 0 1"), 0);
    }

    /// h1 is light, and so is its bishop's corner.
    #[test]
    fn with_a_bishop_and_a_knight_it_is_a_corner_of_the_bishops_colour() {
        let right = with("8/8/8/8/8/8/8/K1NB3k w - - 0 1");
        let wrong = with("7k/8/8/8/8/8/8/K1NB4 w - - 0 1");
        assert!(right > wrong + 5 * DRIVEN, "{right} {wrong}");
        let right = with("7k/8/8/8/8/8/8/K1B1N3 w - - 0 1");
        let wrong = with("8/8/8/8/8/8/8/K1B1N2k w - - 0 1");
        assert!(right > wrong + 5 * DRIVEN, "{right} {wrong}");
    }

    #[test]
    fn rook_pawns_that_win_nothing() {
        let eval = |fen| instead_of(300, fen);
        // a8 is light, h8 dark, a1 dark.
        assert_eq!(eval("k7/8/8/P7/8/8/8/K1B5 w - - 0 1"), 0);
        assert_eq!(eval("1k6/8/8/P7/P7/8/8/K7 b - - 0 1"), 0);
        assert_eq!(eval("8/8/4b3/8/8/8/p3k3/K7 b - - 0 1"), 0);
        assert_eq!(eval("k7/8/8/P7/8/8/8/K2B4 w - - 0 1"), 300);
        assert_eq!(eval("3k4/8/8/P7/8/8/8/K1B5 w - - 0 1"), 300);
        assert_eq!(eval("k7/8/8/PP6/8/8/8/K1B5 w - - 0 1"), 300);
        assert!(eval("k7/8/8/P7/8/8/8/K1BN4 w - - 0 1") > 300);
    }

    #[test]
    fn a_stalemate_is_no_win() {
        assert_eq!(with("7k/8/7K/8/8/8/8/6Q1 b - - 0 1"), 0);
        assert!(with("7k/8/7K/8/8/8/8/6Q1 w - - 0 1") > KNOWN_WIN);
        assert!(with("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1") < -KNOWN_WIN);
    }

    #[test]
    fn of_a_single_pawn_all_is_known() {
        let eval = |fen| instead_of(-30, fen);
        assert_eq!(eval("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), -30 - KNOWN_WIN);
        assert_eq!(eval("8/8/8/4p3/4k3/8/4K3/8 w - - 0 1"), -30 - KNOWN_WIN);
        assert_eq!(eval("8/8/8/4p3/4k3/8/4K3/8 b - - 0 1"), 0);
        assert_eq!(eval("4k3/8/4K3/4PP2/8/8/8/8 b - - 0 1"), -30);
    }

    #[test]
    fn two_knights_win_nothing_alone() {
        let eval = |fen| instead_of(300, fen);
        assert_eq!(eval("k7/8/8/8/8/8/8/KNN5 w - - 0 1"), 0);
        assert_eq!(eval("k7/8/8/8/8/8/8/KNNN4 w - - 0 1"), 300);
        assert_eq!(eval("k7/8/8/8/8/8/P7/KNN5 w - - 0 1"), 300);
    }

    #[test]
    fn who_cannot_mate_gets_nothing() {
        assert_eq!(with("k7/8/8/8/8/8/8/K1B5 w - - 0 1"), 0);
        assert_eq!(with("k7/1p6/8/8/8/8/8/K1Q5 w - - 0 1"), 0);
        assert_eq!(with("k7/8/8/8/8/8/8/K7 w - - 0 1"), 0);
    }
}
