//! Legal moves: making them, telling what they are, playing them.

use super::attacks::{
    attacks, between, bishop_attacks, king_attacks, knight_attacks, line, rook_attacks,
};
use super::convert::move_out;
use super::generate::Destinations;
use super::{Position, without_phantom_en_passant};
use crate::types::{Bitboard, Color, Move, MoveList, Piece, Square};
use crate::zobrist;

/// A legal move with what is known of it before it is played.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// What it moves.
    pub piece: Piece,
    /// What it takes.
    pub captured: Option<Piece>,
    /// The key of the position after it, but for a pawn that can be taken en passant there: to
    /// know whether it can, the move has to be played.
    pub key: u64,
}

impl Step {
    /// Whether it neither takes anything nor promotes.
    #[inline]
    pub fn is_quiet(&self) -> bool {
        self.captured.is_none() && self.mv.promotion().is_none()
    }
}

/// From where the opponent's king can be checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    /// The king that would be in check.
    king: Square,
    /// The squares from which each kind of piece attacks it.
    by_piece: [Bitboard; 6],
    /// Pieces that stand alone between it and an own line piece.
    discoverers: Bitboard,
}

impl CheckSquares {
    /// The empty squares on which a quiet move that gives check can end; some others too.
    #[inline]
    pub fn quiet_targets(&self, position: &Position) -> Bitboard {
        let empty = !position.occupied();
        if self.discoverers.any() {
            return empty;
        }
        // A king checks by castling alone, and what a pawn becomes checks from the last rank.
        let home = Bitboard::RANK_1 | Bitboard::rank(7);
        self.by_piece
            .into_iter()
            .fold(home, |all, squares| all | squares)
            & empty
    }
}

impl Position {
    /// What is known of a legal move before it is played.
    #[inline]
    pub fn step(&self, mv: Move) -> Step {
        let piece = self.moved(mv);
        let captured = self.captured_by(piece, mv);
        let key = self.key_after(piece, mv, captured);
        Step {
            mv,
            piece,
            captured,
            key,
        }
    }

    #[inline]
    fn key_after(&self, piece: Piece, mv: Move, captured: Option<Piece>) -> u64 {
        let (us, them) = (self.side_to_move(), !self.side_to_move());
        let (from, to) = (mv.from(), mv.to());
        let placed = mv.promotion().unwrap_or(piece);
        let mut key = self.key
            ^ zobrist::black_to_move()
            ^ zobrist::piece(us, piece, from)
            ^ zobrist::piece(us, placed, to)
            ^ self.en_passant_key();
        if let Some(victim) = captured {
            let is_en_passant = !self.by_color(them).contains(to);
            let square = match is_en_passant {
                true => Square::at(to.file(), from.rank()),
                false => to,
            };
            key ^= zobrist::piece(them, victim, square);
        }
        let rights = self.castling_bits();
        if rights != 0 {
            let left = rights & CASTLING_KEPT[from.index()] & CASTLING_KEPT[to.index()];
            key ^= zobrist::castling(rights) ^ zobrist::castling(left);
            if piece == Piece::King && self.is_castling(mv) {
                let (corner, beside) = if to > from { (7, 5) } else { (0, 3) };
                for file in [corner, beside] {
                    key ^= zobrist::piece(us, Piece::Rook, Square::at(file, from.rank()));
                }
            }
        }
        key
    }

    /// All legal moves, in an order that is the same on every run.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_legal(|_, mv| list.push(mv));
        list
    }

    /// Calls a function with each of [`Position::legal_moves`] and what it moves, without making a
    /// list.
    #[inline]
    pub fn for_each_legal(&self, visit: impl FnMut(Piece, Move)) {
        self.for_each_to(Bitboard::ALL, visit);
    }

    /// The same with the moves to some squares alone.
    #[inline]
    pub fn for_each_to(&self, targets: Bitboard, visit: impl FnMut(Piece, Move)) {
        Destinations::new(self, targets, targets).for_each(visit);
    }

    /// Whether the side to move has any legal move.
    pub fn has_legal_move(&self) -> bool {
        !self.destinations().is_empty()
    }

    fn destinations(&self) -> Destinations {
        Destinations::new(self, Bitboard::ALL, Bitboard::ALL)
    }

    /// Legal captures (en passant among them) and all promotions.
    pub fn tactical_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_tactical(|_, mv| list.push(mv));
        list
    }

    /// Calls a function with each of [`Position::tactical_moves`], without making a list.
    #[inline]
    pub fn for_each_tactical(&self, visit: impl FnMut(Piece, Move)) {
        let us = self.side_to_move();
        let enemies = self.by_color(!us);
        let last_rank = Bitboard::rank(if us == Color::White { 7 } else { 0 });
        let en_passant = self.en_passant().map_or(Bitboard::EMPTY, Square::bitboard);
        Destinations::new(self, enemies, enemies | last_rank | en_passant).for_each(visit);
    }

    /// Whether a move is legal here; any 16 bits may be asked about. Same answer as looking it up
    /// in [`Position::legal_moves`] (a test compares them), without generating those.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let own = self.by_color(us);
        let is_canonical = mv == Move::new(from, to, mv.promotion());
        if !is_canonical || !own.contains(from) || own.contains(to) {
            return false;
        }
        let piece = self.moved(mv);
        if self.is_castling(mv) || self.is_en_passant(mv) {
            return self.legal_moves().contains(&mv);
        }
        let reached = match piece {
            Piece::Pawn => self.pawn_reaches(from, to),
            _ => attacks(piece, us, from, self.occupied()).contains(to),
        };
        let promotes = piece == Piece::Pawn && to.rank_for(us) == 7;
        if !reached || promotes != mv.promotion().is_some() {
            return false;
        }
        if piece == Piece::King {
            let without_king = self.occupied() ^ from.bitboard();
            return (self.attackers_to(to, without_king) & self.by_color(!us)).is_empty();
        }
        let king = self.king(us);
        if self.pinned().contains(from) && !line(king, from).contains(to) {
            return false;
        }
        let checkers = self.checkers();
        match checkers.first() {
            None => true,
            Some(_) if checkers.count() > 1 => false,
            Some(checker) => checker == to || between(king, checker).contains(to),
        }
    }

    /// Whether a pawn of the side to move gets there by a step, a double step or a capture that
    /// is not en passant.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move();
        if from.bitboard().pawn_attacks(us).contains(to) {
            return self.by_color(!us).contains(to);
        }
        self.pawn_steps(from).contains(to)
    }

    /// Where a pawn of the side to move gets by a step or a double step.
    #[inline]
    pub(super) fn pawn_steps(&self, from: Square) -> Bitboard {
        let us = self.side_to_move();
        let empty = !self.occupied();
        let step = from.bitboard().forward(us) & empty;
        match from.rank_for(us) {
            1 => step | (step.forward(us) & empty),
            _ => step,
        }
    }

    /// Whether a legal move takes something.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.captured(mv).is_some()
    }

    /// What a legal move takes.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        self.captured_by(self.moved(mv), mv)
    }

    /// [`Position::captured`] for a caller that already knows the moving piece.
    #[inline]
    pub fn captured_by(&self, piece: Piece, mv: Move) -> Option<Piece> {
        if self.occupied().contains(mv.to()) {
            return Some(self.kind_on(mv.to()));
        }
        let en_passant = piece == Piece::Pawn && self.en_passant() == Some(mv.to());
        en_passant.then_some(Piece::Pawn)
    }

    /// Whether a legal move takes en passant.
    #[inline]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.en_passant() == Some(mv.to())
            && self
                .pieces(self.side_to_move(), Piece::Pawn)
                .contains(mv.from())
    }

    /// Whether a legal move is castling.
    #[inline]
    pub fn is_castling(&self, mv: Move) -> bool {
        self.by_piece(Piece::King).contains(mv.from())
            && mv.from().file().abs_diff(mv.to().file()) == 2
    }

    /// The castling that is written as the king taking its own rook, as in Polyglot books and by
    /// programs that play Chess960 too; `None` if that is no legal castling.
    pub fn castling_by_rook(&self, written: Move) -> Option<Move> {
        let us = self.side_to_move();
        let (from, to) = (written.from(), written.to());
        let takes_rook = from == self.king(us)
            && to.rank() == from.rank()
            && self.pieces(us, Piece::Rook).contains(to);
        let file = if to.file() > from.file() { 6 } else { 2 };
        let mv = Move::new(from, Square::at(file, from.rank()), written.promotion());
        (takes_rook && self.is_castling(mv) && self.is_legal(mv)).then_some(mv)
    }

    /// The legal move that coordinates mean, however castling is written; `None` if they mean none.
    pub fn meant_by(&self, written: Move) -> Option<Move> {
        let legal = self.is_legal(written).then_some(written);
        legal.or_else(|| self.castling_by_rook(written))
    }

    /// The kind of piece that a legal move moves; a pawn if it starts where nothing stands.
    #[inline]
    pub fn moved(&self, mv: Move) -> Piece {
        self.kind_on(mv.from())
    }

    /// What the side to move could give check with.
    pub fn check_squares(&self) -> CheckSquares {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let diagonal = bishop_attacks(king, occupied);
        let straight = rook_attacks(king, occupied);
        let queens = self.by_piece(Piece::Queen);
        let own = self.by_color(us);
        // Own line pieces that would attack the king if nothing stood between.
        let behind =
            |reached: Bitboard, piece: Piece| own & (self.by_piece(piece) | queens) & !reached;
        let snipers = (bishop_attacks(king, Bitboard::EMPTY) & behind(diagonal, Piece::Bishop))
            | (rook_attacks(king, Bitboard::EMPTY) & behind(straight, Piece::Rook));
        let mut discoverers = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = between(king, sniper) & occupied;
            if blockers.count() == 1 {
                discoverers |= blockers & own;
            }
        }
        CheckSquares {
            king,
            by_piece: [
                king.bitboard().pawn_attacks(!us),
                knight_attacks(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
            discoverers,
        }
    }

    /// Whether a legal move of this piece gives check: the same answer as playing it, for less. The
    /// squares are those of this position.
    #[inline(always)]
    pub fn gives_check(&self, piece: Piece, mv: Move, squares: &CheckSquares) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match piece {
            Piece::Pawn if mv.promotion().is_some() || self.is_en_passant(mv) => {
                self.checks_when_played(mv)
            }
            Piece::King if self.is_castling(mv) => self.checks_when_played(mv),
            _ => {
                squares.by_piece[piece.index()].contains(to)
                    || (squares.discoverers.contains(from)
                        && !line(squares.king, from).contains(to))
            }
        }
    }

    #[cold]
    fn checks_when_played(&self, mv: Move) -> bool {
        self.play(mv).in_check()
    }

    /// Whether the side to move has exactly one legal move.
    pub fn has_single_reply(&self) -> bool {
        self.destinations().count() == 1
    }

    /// The position after a legal move. The caller has the move from [`Position::legal_moves`] or
    /// has asked [`Position::is_legal`].
    ///
    /// # Panics
    /// If the move takes an own piece or a king, with which the rules crate would read beyond its
    /// tables. Other illegal moves lead to positions that mean nothing.
    #[inline]
    pub fn play(&self, mv: Move) -> Position {
        let taboo = self.by_color(self.side_to_move()) | self.by_piece(Piece::King);
        assert!(!taboo.contains(mv.to()), "{mv} is illegal");
        self.play_step(&self.step(mv))
    }

    /// The same for who knows the move already.
    #[inline]
    pub(crate) fn play_step(&self, step: &Step) -> Position {
        let mv = step.mv;
        debug_assert!(self.is_legal(mv), "{mv} is illegal in {}", self.to_fen());
        let resets = step.piece == Piece::Pawn || step.captured.is_some();
        let board = self.board.make_move_new(move_out(mv));
        let mut position = Position {
            board: without_phantom_en_passant(board),
            key: step.key,
            halfmove_clock: if resets {
                0
            } else {
                self.halfmove_clock.saturating_add(1)
            },
            fullmove_number: match self.side_to_move() {
                Color::White => self.fullmove_number,
                Color::Black => self.fullmove_number.saturating_add(1),
            },
        };
        position.key ^= position.en_passant_key();
        position
    }

    /// The position after passing; `None` in check.
    #[inline]
    pub fn play_null(&self) -> Option<Position> {
        Some(Position {
            board: self.board.null_move()?,
            key: self.key ^ self.en_passant_key() ^ zobrist::black_to_move(),
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove_number: match self.side_to_move() {
                Color::White => self.fullmove_number,
                Color::Black => self.fullmove_number.saturating_add(1),
            },
        })
    }

    /// All pieces of both sides that attack a square, with these squares occupied.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.by_piece(Piece::Bishop) | self.by_piece(Piece::Queen);
        let straight = self.by_piece(Piece::Rook) | self.by_piece(Piece::Queen);
        let target = square.bitboard();
        (target.pawn_attacks(Color::Black) & self.pieces(Color::White, Piece::Pawn))
            | (target.pawn_attacks(Color::White) & self.pieces(Color::Black, Piece::Pawn))
            | (knight_attacks(square) & self.by_piece(Piece::Knight))
            | (king_attacks(square) & self.by_piece(Piece::King))
            | (bishop_attacks(square, occupied) & diagonal)
            | (rook_attacks(square, occupied) & straight)
    }

    /// All squares that this side's pieces of this kind attack.
    #[inline]
    pub fn attacked_by(&self, color: Color, piece: Piece) -> Bitboard {
        let pieces = self.pieces(color, piece);
        match piece {
            Piece::Pawn => pieces.pawn_attacks(color),
            _ => pieces.fold(Bitboard::EMPTY, |all, square| {
                all | attacks(piece, color, square, self.occupied())
            }),
        }
    }

    /// Number of leaves of the legal move tree of this depth (plies).
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.destinations().count() as u64,
            _ => self
                .legal_moves()
                .iter()
                .map(|&mv| self.play(mv).perft(depth - 1))
                .sum(),
        }
    }
}

/// The castling rights that stay when a move begins or ends on a square.
const CASTLING_KEPT: [u8; 64] = {
    let mut kept = [15; 64];
    // From White's corners and king to Black's.
    (kept[0], kept[4], kept[7]) = (!2 & 15, !3 & 15, !1 & 15);
    (kept[56], kept[60], kept[63]) = (!8 & 15, !12 & 15, !4 & 15);
    kept
};
