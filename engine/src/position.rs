//! The board with its clocks, and the game with its repetitions.
//!
//! Architecture invariant 1: this is the only file that names the rules crate (`chess`). A board
//! is built from a validated [`Setup`] alone, and a move is played only after the rules crate has
//! generated it. What the crate gets wrong (FEN, clocks, an en-passant square that no pawn may
//! take, repetition) is put right here.

use crate::fen::{Castling, FenError, Setup, write_fen};
use crate::types::{Bitboard, Color, Move, MoveList, Piece, Square};
use crate::zobrist;
use chess::{Board, BoardBuilder, CastleRights, ChessMove, MoveGen};

/// The initial position.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A legal position with its two move counters. Small and `Copy`: a move makes a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    key: u64,
    halfmove_clock: u16,
    fullmove_number: u16,
}

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

/// Whence the opponent's king can be checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    /// The king that would be in check.
    king: Square,
    /// The squares from which each kind of piece attacks it.
    by_piece: [Bitboard; 6],
    /// Pieces that stand alone between it and an own line piece.
    discoverers: Bitboard,
}

#[inline]
const fn bits(set: chess::BitBoard) -> Bitboard {
    Bitboard(set.0)
}

#[inline]
fn square_in(square: chess::Square) -> Square {
    Square::new(square.to_int())
}

#[inline]
fn square_out(square: Square) -> chess::Square {
    chess::ALL_SQUARES[square.index()]
}

#[inline]
const fn color_in(color: chess::Color) -> Color {
    match color {
        chess::Color::White => Color::White,
        chess::Color::Black => Color::Black,
    }
}

#[inline]
const fn color_out(color: Color) -> chess::Color {
    match color {
        Color::White => chess::Color::White,
        Color::Black => chess::Color::Black,
    }
}

#[inline]
const fn piece_in(piece: chess::Piece) -> Piece {
    match piece {
        chess::Piece::Pawn => Piece::Pawn,
        chess::Piece::Knight => Piece::Knight,
        chess::Piece::Bishop => Piece::Bishop,
        chess::Piece::Rook => Piece::Rook,
        chess::Piece::Queen => Piece::Queen,
        chess::Piece::King => Piece::King,
    }
}

#[inline]
const fn piece_out(piece: Piece) -> chess::Piece {
    match piece {
        Piece::Pawn => chess::Piece::Pawn,
        Piece::Knight => chess::Piece::Knight,
        Piece::Bishop => chess::Piece::Bishop,
        Piece::Rook => chess::Piece::Rook,
        Piece::Queen => chess::Piece::Queen,
        Piece::King => chess::Piece::King,
    }
}

#[inline]
fn move_in(mv: ChessMove) -> Move {
    Move::new(
        square_in(mv.get_source()),
        square_in(mv.get_dest()),
        mv.get_promotion().map(piece_in),
    )
}

#[inline]
fn move_out(mv: Move) -> ChessMove {
    ChessMove::new(
        square_out(mv.from()),
        square_out(mv.to()),
        mv.promotion().map(piece_out),
    )
}

/// Squares attacked by a bishop on `square` with these squares occupied.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bits(chess::get_bishop_moves(
        square_out(square),
        chess::BitBoard(occupied.0),
    ))
}

/// Squares attacked by a rook on `square` with these squares occupied.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bits(chess::get_rook_moves(
        square_out(square),
        chess::BitBoard(occupied.0),
    ))
}

/// Squares attacked by a knight on `square`.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    bits(chess::get_knight_moves(square_out(square)))
}

/// Squares attacked by a king on `square`.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    bits(chess::get_king_moves(square_out(square)))
}

/// Squares strictly between two squares on a line, if they are on one.
#[inline]
fn between(a: Square, b: Square) -> Bitboard {
    bits(chess::between(square_out(a), square_out(b)))
}

/// All squares of the rank, file or diagonal that runs through two squares.
#[inline]
fn line(a: Square, b: Square) -> Bitboard {
    bits(chess::line(square_out(a), square_out(b)))
}

/// Squares attacked by any piece on `square` with these squares occupied.
#[inline(always)]
pub fn attacks(piece: Piece, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => square.bitboard().pawn_attacks(color),
        Piece::Knight => knight_attacks(square),
        Piece::Bishop => bishop_attacks(square, occupied),
        Piece::Rook => rook_attacks(square, occupied),
        Piece::Queen => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
        Piece::King => king_attacks(square),
    }
}

impl Position {
    /// The initial position.
    pub fn startpos() -> Position {
        Position::new(Board::default(), 0, 1)
    }

    /// A position with its key, from nothing but the board.
    fn new(board: Board, halfmove_clock: u16, fullmove_number: u16) -> Position {
        let mut position = Position {
            board,
            key: 0,
            halfmove_clock,
            fullmove_number,
        };
        let placed = |square| {
            let (color, piece) = position.piece_at(square)?;
            Some(zobrist::piece(color, piece, square))
        };
        let pieces = position.occupied().filter_map(placed);
        let mut key = pieces.fold(0, |key, number| key ^ number);
        key ^= zobrist::castling(position.castling_bits());
        if position.side_to_move() == Color::Black {
            key ^= zobrist::black_to_move();
        }
        position.key = key ^ position.en_passant_key();
        position
    }

    /// The position of a FEN with 4 to 6 fields.
    ///
    /// # Errors
    /// The reason for which the text is no legal position.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Position::from_setup(&Setup::parse(fen)?)
    }

    /// The position of a validated setup.
    ///
    /// # Errors
    /// None that [`Setup::parse`] lets through; the rules crate has the last word all the same.
    pub fn from_setup(setup: &Setup) -> Result<Position, FenError> {
        let mut builder = BoardBuilder::new();
        for (square, color, piece) in setup.pieces() {
            builder.piece(square_out(square), piece_out(piece), color_out(color));
        }
        builder.side_to_move(color_out(setup.side_to_move()));
        for color in Color::ALL {
            let castling = setup.castling();
            let rights = match (
                castling.king_side[color.index()],
                castling.queen_side[color.index()],
            ) {
                (false, false) => CastleRights::NoRights,
                (true, false) => CastleRights::KingSide,
                (false, true) => CastleRights::QueenSide,
                (true, true) => CastleRights::Both,
            };
            builder.castle_rights(color_out(color), rights);
        }
        // The crate keeps the square of the pawn, a FEN the square behind it; the builder takes
        // the file and the side to move into account.
        builder.en_passant(
            setup
                .en_passant()
                .map(|square| square_out(square).get_file()),
        );
        let opponent = !setup.side_to_move();
        let board = Board::try_from(&builder).map_err(|_| FenError::OpponentInCheck(opponent))?;
        Ok(Position::new(
            without_phantom_en_passant(board),
            setup.halfmove_clock(),
            setup.fullmove_number(),
        ))
    }

    /// The FEN, with an en-passant square only where a pawn may legally take.
    pub fn to_fen(&self) -> String {
        write_fen(
            |square| self.piece_at(square),
            self.side_to_move(),
            self.castling(),
            self.en_passant(),
            (self.halfmove_clock, self.fullmove_number),
        )
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        color_in(self.board.side_to_move())
    }

    /// All pieces of both sides.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        bits(*self.board.combined())
    }

    /// All pieces of a side.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        bits(*self.board.color_combined(color_out(color)))
    }

    /// All pieces of a kind.
    #[inline]
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        bits(*self.board.pieces(piece_out(piece)))
    }

    /// The pieces of a kind of a side.
    #[inline]
    pub fn pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.by_color(color) & self.by_piece(piece)
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<(Color, Piece)> {
        let piece = self.board.piece_on(square_out(square))?;
        let white = self.by_color(Color::White).contains(square);
        Some((
            if white { Color::White } else { Color::Black },
            piece_in(piece),
        ))
    }

    /// Where the king of a side stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        square_in(self.board.king_square(color_out(color)))
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        bits(*self.board.checkers())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// The pieces that may not leave the line to their king: those of the side to move.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        bits(*self.board.pinned())
    }

    /// The square behind a pawn that may legally be taken en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        let pawn = square_in(self.board.en_passant()?);
        let target = pawn.bitboard().forward(self.side_to_move());
        target.first()
    }

    /// The castling rights.
    pub fn castling(&self) -> Castling {
        let mut castling = Castling::default();
        for color in Color::ALL {
            let rights = self.board.castle_rights(color_out(color));
            castling.king_side[color.index()] = rights.has_kingside();
            castling.queen_side[color.index()] = rights.has_queenside();
        }
        castling
    }

    /// Half moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the current full move, from 1.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Plies from the start of a game that began at move 1.
    pub fn ply(&self) -> u32 {
        2 * (u32::from(self.fullmove_number) - 1) + self.side_to_move().index() as u32
    }

    /// Zobrist key of pieces, side to move, castling rights and a legal en-passant capture.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

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

    /// What the key says of a legal en-passant capture.
    #[inline]
    fn en_passant_key(&self) -> u64 {
        self.en_passant().map_or(0, zobrist::en_passant)
    }

    /// The castling rights, a bit each: White's to the king's side, to the queen's side, Black's.
    #[inline]
    fn castling_bits(&self) -> u8 {
        let of = |color| self.board.castle_rights(color).to_index() as u8;
        of(chess::Color::White) | of(chess::Color::Black) << 2
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
        self.visit(MoveGen::new_legal(&self.board), visit);
    }

    /// The same with the moves to some squares alone.
    #[inline]
    pub fn for_each_to(&self, targets: Bitboard, visit: impl FnMut(Piece, Move)) {
        let mut generator = MoveGen::new_legal(&self.board);
        generator.set_iterator_mask(chess::BitBoard(targets.0));
        self.visit(generator, visit);
    }

    /// The generator yields all moves from a square one after the other: what stands there is
    /// looked up once.
    #[inline]
    fn visit(&self, generator: MoveGen, mut visit: impl FnMut(Piece, Move)) {
        let mut from = None;
        let mut piece = Piece::King;
        for mv in generator {
            let mv = move_in(mv);
            if from != Some(mv.from()) {
                from = Some(mv.from());
                piece = self.moved(mv);
            }
            visit(piece, mv);
        }
    }

    /// Whether the side to move has any legal move.
    pub fn has_legal_move(&self) -> bool {
        MoveGen::new_legal(&self.board).next().is_some()
    }

    /// Legal captures (en passant among them) and all promotions.
    pub fn tactical_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_tactical(|_, mv| list.push(mv));
        list
    }

    /// Calls a function with each of [`Position::tactical_moves`], without making a list.
    #[inline]
    pub fn for_each_tactical(&self, mut visit: impl FnMut(Piece, Move)) {
        let us = self.side_to_move();
        let enemies = self.by_color(!us);
        let last_rank = Bitboard::rank(if us == Color::White { 7 } else { 0 });
        let pawns = self.pieces(us, Piece::Pawn);
        let promoting = (pawns.forward(us) & last_rank).any();
        let en_passant = self.en_passant();
        // One mask for the generator, which then also yields other pieces' quiet moves to these
        // squares; they are dropped below. A mask of enemies alone would miss en passant.
        let mut mask = enemies;
        if promoting {
            mask |= last_rank;
        }
        if let Some(square) = en_passant {
            mask |= square.bitboard();
        }
        self.for_each_to(mask, |piece, mv| {
            let takes_en_passant = Some(mv.to()) == en_passant && piece == Piece::Pawn;
            if enemies.contains(mv.to()) || mv.promotion().is_some() || takes_en_passant {
                visit(piece, mv);
            }
        });
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
        let pawn = from.bitboard();
        if pawn.pawn_attacks(us).contains(to) {
            return self.by_color(!us).contains(to);
        }
        let empty = !self.occupied();
        let step = pawn.forward(us) & empty;
        let home_step = if from.rank_for(us) == 1 {
            step
        } else {
            Bitboard::EMPTY
        };
        (step | (home_step.forward(us) & empty)).contains(to)
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

    /// The same for who knows what it moves.
    #[inline]
    pub fn captured_by(&self, piece: Piece, mv: Move) -> Option<Piece> {
        match self.board.piece_on(square_out(mv.to())) {
            Some(victim) => Some(piece_in(victim)),
            None if piece == Piece::Pawn && self.en_passant() == Some(mv.to()) => Some(Piece::Pawn),
            None => None,
        }
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

    /// The kind of piece that a legal move moves.
    #[inline]
    pub fn moved(&self, mv: Move) -> Piece {
        // A legal move starts on a piece; the king stands in for one that doesn't.
        self.board
            .piece_on(square_out(mv.from()))
            .map_or(Piece::King, piece_in)
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
    #[inline]
    pub fn gives_check(&self, piece: Piece, mv: Move, squares: &CheckSquares) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let is_special = mv.promotion().is_some()
            || (piece == Piece::King && self.is_castling(mv))
            || (piece == Piece::Pawn && self.is_en_passant(mv));
        if is_special {
            return self.play(mv).in_check();
        }
        squares.by_piece[piece.index()].contains(to)
            || (squares.discoverers.contains(from) && !line(squares.king, from).contains(to))
    }

    /// A key of the pawns alone, for tables indexed by pawn structure.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        // Two odd constants with well-spread bits (the golden ratio's, and that of MurmurHash's
        // finaliser) are hash enough for a table of a few thousand cells.
        let white = self.pieces(Color::White, Piece::Pawn).0;
        let black = self.pieces(Color::Black, Piece::Pawn).0;
        let mixed = white.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ black.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(32);
        mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// A key of the king and the pieces of a side, without its pawns.
    #[inline]
    pub fn piece_key(&self, color: Color) -> u64 {
        // As for the pawns: odd constants, those of MurmurHash's and SplitMix64's last steps too.
        const SPREAD: [u64; 5] = [
            0x9e37_79b9_7f4a_7c15,
            0xff51_afd7_ed55_8ccd,
            0xc4ce_b9fe_1a85_ec53,
            0xbf58_476d_1ce4_e5b9,
            0x94d0_49bb_1331_11eb,
        ];
        let own = self.by_color(color);
        let kinds = Piece::ALL[1..].iter().zip(SPREAD);
        let mixed = kinds.fold(0, |mixed: u64, (&piece, spread)| {
            mixed.rotate_left(13) ^ (own & self.by_piece(piece)).0.wrapping_mul(spread)
        });
        mixed.wrapping_mul(SPREAD[0])
    }

    /// Whether a side has a piece besides king and pawns.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        let few = self.by_piece(Piece::Pawn) | self.by_piece(Piece::King);
        (self.by_color(color) & !few).any()
    }

    /// Whether the side to move has exactly one legal move.
    pub fn has_single_reply(&self) -> bool {
        MoveGen::new_legal(&self.board).len() == 1
    }

    /// The position after a legal move. The caller has the move from [`Position::legal_moves`] or
    /// has asked [`Position::is_legal`].
    #[inline]
    pub fn play(&self, mv: Move) -> Position {
        self.play_step(&self.step(mv))
    }

    /// The same for who knows the move already.
    #[inline]
    pub fn play_step(&self, step: &Step) -> Position {
        let mv = step.mv;
        debug_assert!(self.is_legal(mv), "{mv} is illegal in {}", self.to_fen());
        let resets = step.piece == Piece::Pawn || step.captured.is_some();
        let mut board = self.board;
        self.board.make_move(move_out(mv), &mut board);
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

    /// Whether neither side can mate by any sequence of legal moves that is worth knowing: bare
    /// kings, a single minor piece, or bishops that all stand on one colour (FIDE 5.2.2 for these
    /// cases; blocked pawn walls are not seen).
    pub fn is_insufficient_material(&self) -> bool {
        let strong =
            self.by_piece(Piece::Pawn) | self.by_piece(Piece::Rook) | self.by_piece(Piece::Queen);
        if strong.any() {
            return false;
        }
        let knights = self.by_piece(Piece::Knight).count();
        let bishops = self.by_piece(Piece::Bishop);
        if knights == 0 {
            const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
            return (bishops & LIGHT).is_empty() || (bishops & !LIGHT).is_empty();
        }
        knights == 1 && bishops.is_empty()
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

    /// Number of leaves of the legal move tree of this depth (plies).
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => MoveGen::new_legal(&self.board).len() as u64,
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

/// The rules crate keeps an en-passant square whenever an enemy pawn stands beside the pawn, even
/// if pins or checks forbid the capture, and hashes it; two positions that are the same by the
/// laws of chess would differ. Rare, so rebuilding the board costs nothing that can be measured.
///
/// When it asks whether the capture leaves a check, it thinks of bishops, rooks and queens alone. In a
/// game nothing else can give a check that the capture leaves: a knight or another pawn would have
/// given it before the double step. A FEN can have it, so such a check is looked for here.
fn without_phantom_en_passant(board: Board) -> Board {
    let Some(pawn) = board.en_passant() else {
        return board;
    };
    let us = board.side_to_move();
    let pawn_set = Bitboard(1 << pawn.to_int());
    let Some(target) = pawn_set.forward(color_in(us)).first() else {
        return board;
    };
    let pawns = bits(*board.pieces(chess::Piece::Pawn));
    let leapers = pawns | bits(*board.pieces(chess::Piece::Knight));
    let stays_in_check = !(bits(*board.checkers()) & leapers & !pawn_set).is_empty();
    let takers = (pawn_set.east() | pawn_set.west()) & pawns & bits(*board.color_combined(us));
    for from in takers {
        if !stays_in_check && MoveGen::legal_quick(&board, move_out(Move::new(from, target, None)))
        {
            return board;
        }
    }
    let mut builder = BoardBuilder::from(&board);
    builder.en_passant(None);
    Board::try_from(&builder).unwrap_or(board)
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position has occurred three times.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// Nobody can mate.
    InsufficientMaterial,
}

/// A position with the keys of all positions before it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    keys: Vec<u64>,
}

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Game {
        Game {
            position,
            keys: Vec::new(),
        }
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the positions before the current one, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move if it is legal; otherwise nothing changes and `false` comes back.
    pub fn play(&mut self, mv: Move) -> bool {
        let legal = self.position.is_legal(mv);
        if legal {
            self.keys.push(self.position.key());
            self.position = self.position.play(mv);
        }
        legal
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let reversible = usize::from(self.position.halfmove_clock());
        let key = self.position.key();
        1 + self
            .keys
            .iter()
            .rev()
            .take(reversible)
            .filter(|&&k| k == key)
            .count()
    }

    /// Whether and how the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Outcome::Checkmate
            } else {
                Outcome::Stalemate
            });
        }
        if position.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if position.halfmove_clock() >= 100 {
            Some(Outcome::FiftyMoves)
        } else if self.occurrences() >= 3 {
            Some(Outcome::Repetition)
        } else {
            None
        }
    }
}
