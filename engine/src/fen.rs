//! FEN text → a validated [`Setup`], and back.
//!
//! The rules crate corrupts memory on boards that can't arise in chess, so nothing reaches it but
//! a `Setup`, and the only way to a `Setup` is the validation here (architecture invariant 1). It
//! is written plainly, on a mailbox, and knows no rules crate.

use crate::types::{Color, Piece, Square};
use thiserror::Error;

/// Why a FEN is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum FenError {
    #[error("the FEN is empty")]
    Empty,
    #[error("expected 4 to 6 fields, found {0}")]
    Fields(usize),
    #[error("expected 8 ranks, found {0}")]
    Ranks(usize),
    #[error("rank {rank} has {squares} squares instead of 8")]
    RankWidth { rank: u8, squares: u32 },
    #[error("{0:?} is no piece and no number of empty squares")]
    BadPiece(char),
    #[error("{color:?} has {count} kings instead of 1")]
    Kings { color: Color, count: usize },
    #[error("{color:?} has {count} pawns, more than 8")]
    Pawns { color: Color, count: usize },
    #[error("{color:?} has {count} pieces, more than 16")]
    Pieces { color: Color, count: usize },
    #[error("a pawn stands on {0}, on the first or the last rank")]
    PawnOnBackRank(Square),
    #[error("the side to move is {0:?} instead of w or b")]
    SideToMove(String),
    #[error("the castling field is {0:?} instead of - or some of KQkq (Chess960 is not supported)")]
    Castling(String),
    #[error("castling right {0} without the king and that rook on their squares")]
    CastlingRight(char),
    #[error("the en-passant field is {0:?} instead of - or a square")]
    EnPassant(String),
    #[error("en-passant square {0}, but no pawn has just passed it")]
    EnPassantSquare(Square),
    #[error("the side that is not to move ({0:?}) is in check")]
    OpponentInCheck(Color),
    #[error("the king is attacked by {0} pieces at once, which can't happen")]
    TooManyCheckers(usize),
    #[error("the {what} is {text:?} instead of a number from 0 to 65535")]
    Clock { what: &'static str, text: String },
    #[error("what is no part of it, {0:?}")]
    Rest(String),
}

/// Castling rights, two a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Castling {
    /// King side, by [`Color::index`].
    pub king_side: [bool; 2],
    /// Queen side, by [`Color::index`].
    pub queen_side: [bool; 2],
}

impl Castling {
    /// The right with this letter of a FEN.
    fn right(&mut self, letter: char) -> Option<&mut bool> {
        let color = match letter.is_ascii_uppercase() {
            true => Color::White,
            false => Color::Black,
        };
        match letter {
            'K' | 'k' => Some(&mut self.king_side[color.index()]),
            'Q' | 'q' => Some(&mut self.queen_side[color.index()]),
            _ => None,
        }
    }
}

/// A position that has passed every check below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    squares: [Option<(Color, Piece)>; 64],
    side_to_move: Color,
    castling: Castling,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// Text of unknown origin, cut for an error message.
fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(24).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl Setup {
    /// Parses and validates a FEN of 4 to 6 fields (missing clocks are `0 1`), separated by any
    /// white space.
    ///
    /// # Errors
    /// The first reason for which the text is no legal position.
    pub fn parse(fen: &str) -> Result<Setup, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().take(7).collect();
        let setup = Setup::read(&fields)?;
        setup.validate()?;
        Ok(setup)
    }

    /// Like [`Setup::parse`], but takes what boards that are set up by hand and pasted lines have:
    /// castling rights and en-passant squares that can't be are dropped, and told beside the setup;
    /// so is whatever follows the FEN, clocks that are no numbers too.
    ///
    /// # Errors
    /// The first reason for which the rest is no legal position.
    pub fn parse_leniently(fen: &str) -> Result<(Setup, Vec<FenError>), FenError> {
        let mut fields: Vec<&str> = fen.split_whitespace().take(10).collect();
        let is_clock = |field: &&&str| field.bytes().all(|byte| byte.is_ascii_digit());
        let clocks = fields.iter().skip(4).take(2).take_while(is_clock).count();
        let rest = fields.split_off(fields.len().min(4 + clocks));
        let mut setup = Setup::read(&fields)?;
        let mut dropped = Vec::new();
        if !rest.is_empty() {
            dropped.push(FenError::Rest(clip(&rest.join(" "))));
        }
        for letter in setup.impossible_rights() {
            if let Some(right) = setup.castling.right(letter) {
                *right = false;
            }
            dropped.push(FenError::CastlingRight(letter));
        }
        if let Err(error) = setup.validate_en_passant() {
            setup.en_passant = None;
            dropped.push(error);
        }
        setup.validate()?;
        Ok((setup, dropped))
    }

    /// What the fields say, whether it can be or not.
    fn read(fields: &[&str]) -> Result<Setup, FenError> {
        match fields.len() {
            0 => return Err(FenError::Empty),
            4..=6 => {}
            n => return Err(FenError::Fields(n)),
        }
        Ok(Setup {
            squares: parse_board(fields[0])?,
            side_to_move: match fields[1] {
                "w" => Color::White,
                "b" => Color::Black,
                other => return Err(FenError::SideToMove(clip(other))),
            },
            castling: parse_castling(fields[2])?,
            en_passant: match fields[3] {
                "-" => None,
                text => Some(Square::parse(text).ok_or_else(|| FenError::EnPassant(clip(text)))?),
            },
            halfmove_clock: parse_clock("half-move clock", fields.get(4), 0)?,
            // Some programs write 0 for the first move.
            fullmove_number: parse_clock("full-move number", fields.get(5), 1)?.max(1),
        })
    }

    fn validate(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let count = |wanted: Option<Piece>| {
                let own = self.squares.iter().flatten().filter(|(c, _)| *c == color);
                own.filter(|(_, p)| wanted.is_none_or(|w| w == *p)).count()
            };
            let kings = count(Some(Piece::King));
            if kings != 1 {
                return Err(FenError::Kings {
                    color,
                    count: kings,
                });
            }
            let pawns = count(Some(Piece::Pawn));
            if pawns > 8 {
                return Err(FenError::Pawns {
                    color,
                    count: pawns,
                });
            }
            let pieces = count(None);
            if pieces > 16 {
                return Err(FenError::Pieces {
                    color,
                    count: pieces,
                });
            }
        }
        for (square, _, piece) in self.pieces() {
            if piece == Piece::Pawn && matches!(square.rank(), 0 | 7) {
                return Err(FenError::PawnOnBackRank(square));
            }
        }
        if let Some(&letter) = self.impossible_rights().first() {
            return Err(FenError::CastlingRight(letter));
        }
        self.validate_en_passant()?;
        let opponent = !self.side_to_move;
        if self.king_attackers(opponent) > 0 {
            return Err(FenError::OpponentInCheck(opponent));
        }
        let checkers = self.king_attackers(self.side_to_move);
        if checkers > 2 {
            return Err(FenError::TooManyCheckers(checkers));
        }
        Ok(())
    }

    /// The castling rights without the king and that rook on their squares.
    fn impossible_rights(&self) -> Vec<char> {
        let mut castling = self.castling;
        let mut found = Vec::new();
        for (color, rank, letters) in [(Color::White, 0, ['K', 'Q']), (Color::Black, 7, ['k', 'q'])]
        {
            let stands = |file, piece| self.at(file, rank) == Some((color, piece));
            for (letter, rook_file) in letters.into_iter().zip([7, 0]) {
                let home = stands(4, Piece::King) && stands(rook_file, Piece::Rook);
                if !home && castling.right(letter).is_some_and(|right| *right) {
                    found.push(letter);
                }
            }
        }
        found
    }

    fn validate_en_passant(&self) -> Result<(), FenError> {
        let Some(square) = self.en_passant else {
            return Ok(());
        };
        let (rank, pawn_rank, origin_rank) = match self.side_to_move {
            Color::White => (5, 4, 6),
            Color::Black => (2, 3, 1),
        };
        let passed = square.rank() == rank
            && self.at(square.file(), pawn_rank) == Some((!self.side_to_move, Piece::Pawn))
            && self.at(square.file(), rank).is_none()
            && self.at(square.file(), origin_rank).is_none();
        if passed {
            Ok(())
        } else {
            Err(FenError::EnPassantSquare(square))
        }
    }

    fn at(&self, file: u8, rank: u8) -> Option<(Color, Piece)> {
        self.squares[Square::at(file, rank).index()]
    }

    /// How many pieces attack the king of `color`.
    fn king_attackers(&self, color: Color) -> usize {
        let Some((king, _, _)) = self
            .pieces()
            .find(|(_, c, p)| *c == color && *p == Piece::King)
        else {
            return 0;
        };
        self.pieces()
            .filter(|(from, c, _)| *c != color && self.attacks(*from, king))
            .count()
    }

    /// Whether the piece on `from` attacks `to`, by walking the board.
    fn attacks(&self, from: Square, to: Square) -> bool {
        let Some((color, piece)) = self.squares[from.index()] else {
            return false;
        };
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let straight = files == 0 || ranks == 0;
        let diagonal = files.abs() == ranks.abs();
        match piece {
            Piece::Pawn => {
                let up = if color == Color::White { 1 } else { -1 };
                files.abs() == 1 && ranks == up
            }
            Piece::Knight => files.abs() * ranks.abs() == 2,
            Piece::King => files.abs().max(ranks.abs()) == 1,
            Piece::Bishop => diagonal && self.is_clear(from, files, ranks),
            Piece::Rook => straight && self.is_clear(from, files, ranks),
            Piece::Queen => (straight || diagonal) && self.is_clear(from, files, ranks),
        }
    }

    /// Whether nothing stands between `from` and the square that many files and ranks away.
    fn is_clear(&self, from: Square, files: i8, ranks: i8) -> bool {
        let distance = files.abs().max(ranks.abs());
        (1..distance).all(|step| {
            let file = from.file() as i8 + files.signum() * step;
            let rank = from.rank() as i8 + ranks.signum() * step;
            self.at(file as u8, rank as u8).is_none()
        })
    }

    /// All pieces with their squares, from a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Color, Piece)> + '_ {
        self.squares
            .iter()
            .enumerate()
            .filter_map(|(index, piece)| {
                piece.map(|(color, piece)| (Square::new(index as u8), color, piece))
            })
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The castling rights.
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square that a pawn has just passed, as the text gives it.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half moves since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the current full move, from 1.
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }
}

fn parse_board(field: &str) -> Result<[Option<(Color, Piece)>; 64], FenError> {
    let ranks = field.split('/').count();
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }
    let mut squares = [None; 64];
    for (row, text) in field.split('/').enumerate() {
        let rank = 7 - row as u8;
        let mut file: u32 = 0;
        for letter in text.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file = file.saturating_add(empty);
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenError::BadPiece(letter))?;
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            if file < 8 {
                squares[Square::at(file as u8, rank).index()] = Some((color, piece));
            }
            file = file.saturating_add(1);
        }
        if file != 8 {
            return Err(FenError::RankWidth {
                rank: rank + 1,
                squares: file,
            });
        }
    }
    Ok(squares)
}

fn parse_castling(field: &str) -> Result<Castling, FenError> {
    let mut castling = Castling::default();
    if field == "-" {
        return Ok(castling);
    }
    for letter in field.chars() {
        match castling.right(letter) {
            Some(right) if !*right => *right = true,
            _ => return Err(FenError::Castling(clip(field))),
        }
    }
    Ok(castling)
}

fn parse_clock(what: &'static str, field: Option<&&str>, missing: u16) -> Result<u16, FenError> {
    match field {
        None => Ok(missing),
        Some(text) => text.parse().map_err(|_| FenError::Clock {
            what,
            text: clip(text),
        }),
    }
}

/// Writes a FEN from its parts.
pub(crate) fn write_fen(
    piece_at: impl Fn(Square) -> Option<(Color, Piece)>,
    side_to_move: Color,
    castling: Castling,
    en_passant: Option<Square>,
    clocks: (u16, u16),
) -> String {
    let mut fen = String::with_capacity(90);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match piece_at(Square::at(file, rank)) {
                None => empty += 1,
                Some((color, piece)) => {
                    if empty > 0 {
                        fen.push_str(&empty.to_string());
                        empty = 0;
                    }
                    fen.push(match color {
                        Color::White => piece.letter(),
                        Color::Black => piece.letter().to_ascii_lowercase(),
                    });
                }
            }
        }
        if empty > 0 {
            fen.push_str(&empty.to_string());
        }
        if rank > 0 {
            fen.push('/');
        }
    }
    fen.push_str(if side_to_move == Color::White {
        " w "
    } else {
        " b "
    });
    let before = fen.len();
    for (color, king, queen) in [(Color::White, 'K', 'Q'), (Color::Black, 'k', 'q')] {
        if castling.king_side[color.index()] {
            fen.push(king);
        }
        if castling.queen_side[color.index()] {
            fen.push(queen);
        }
    }
    if fen.len() == before {
        fen.push('-');
    }
    match en_passant {
        None => fen.push_str(" -"),
        Some(square) => fen.push_str(&format!(" {square}")),
    }
    fen.push_str(&format!(" {} {}", clocks.0, clocks.1));
    fen
}
