//! The board with its clocks, and the game with its repetitions.
//!
//! Architecture invariant 1: this folder alone names the rules crate (`chess`). A board
//! is built from a validated [`Setup`] alone, and a move is played only after `generate` or
//! `is_legal` has found it legal. What the crate gets wrong (FEN, clocks, an en-passant square that no pawn may
//! take, repetition) is put right here.

mod attacks;
mod convert;
mod game;
mod generate;
mod moves;

pub use attacks::{attacks, bishop_attacks, king_attacks, knight_attacks, rook_attacks};
pub(crate) use attacks::{between, queen_lines};
pub use game::{Game, Outcome};
pub use moves::{CheckSquares, Step};

use crate::fen::{Castling, FenError, Setup, write_fen};
use crate::types::{Bitboard, Color, Move, Piece, Square};
use crate::zobrist;
use chess::{Board, BoardBuilder, CastleRights, MoveGen};
use convert::{bits, color_in, color_out, move_out, piece_out, square_in, square_out};

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
        let color = Color::ALL
            .into_iter()
            .find(|&color| self.by_color(color).contains(square))?;
        Some((color, self.kind_on(square)))
    }

    /// The kind of piece on a square where one stands, a pawn elsewhere. Without a branch: what stands
    /// on a square can't be foreseen.
    #[inline]
    fn kind_on(&self, square: Square) -> Piece {
        use Piece::{Bishop, King, Knight, Pawn, Queen, Rook};
        const BY_BITS: [Piece; 8] = [Pawn, Knight, Bishop, Rook, Queen, King, King, King];
        let of = |piece| self.by_piece(piece).0;
        let bit = |set: u64, place: u32| ((set >> square.index() & 1) << place) as usize;
        let bits = bit(of(Knight) | of(Rook) | of(King), 0)
            | bit(of(Bishop) | of(Rook), 1)
            | bit(of(Queen) | of(King), 2);
        BY_BITS[bits]
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

    /// Zobrist key of pieces, side to move, castling rights and a legal en-passant capture.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
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
            return (bishops & Bitboard::LIGHT).is_empty()
                || (bishops & !Bitboard::LIGHT).is_empty();
        }
        knights == 1 && bishops.is_empty()
    }
}

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
