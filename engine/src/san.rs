//! Moves in algebraic notation. [`MoveText::parse`] is the one grammar of a move's text, without a
//! board; [`find`] looks for the move that it means in a position; [`to_san`] writes one.
//!
//! Beside the standard's SAN the grammar has what people's files have: long forms (`Ng1-f3`, `e2e4`),
//! figurines (`♘f3`), castling with zeros or small letters, promotions as `e8Q`, `e8/Q`, `e8(Q)` and
//! `e7e8q`, `:` and `×` for captures, typographical dashes, and signs and glyphs behind the move.
//! Other languages' letters are no moves: what is `R` in one is `K` in another.

use crate::position::Position;
use crate::types::{Move, Piece, Square};
use std::borrow::Cow;
use thiserror::Error;

/// Why a SAN text is no move here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// The text is no SAN at all.
    #[error("{:?} is no move in SAN{}", .0, remark(.0))]
    Syntax(String),
    /// No legal move fits.
    #[error("{0:?} is illegal")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("{0:?} is ambiguous")]
    Ambiguous(String),
}

/// Why a position has not the one move that a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// No legal move fits.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
}

/// What a text says of a move, without a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// Castling.
    Castling {
        /// Towards the h-file.
        king_side: bool,
    },
    /// A piece goes to a square.
    Piece {
        /// The piece; `None` where both squares are named and the piece is not (`g1f3`).
        piece: Option<Piece>,
        /// File of the square that it comes from, 0 to 7.
        file: Option<u8>,
        /// Rank of that square, 0 to 7.
        rank: Option<u8>,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Piece>,
    },
}

/// Signs and glyphs that may stand behind a move, with it or apart; longer ones first.
const SIGNS: &[&str] = &[
    "e.p.", "e.p", "ep.", "ep", "E.P.", "EP", "+/-", "-/+", "+/=", "=/+", "+-", "-+", "+=", "=+",
    "+", "#", "!", "?", "=", "~",
];

/// Most bytes of a move's text that are looked at.
const LONGEST: usize = 48;

impl MoveText {
    /// What a text says, or `None` if it has not the form of a move.
    pub fn parse(text: &str) -> Option<MoveText> {
        if text.len() > 4 * LONGEST {
            return None;
        }
        MoveText::parse_ascii(fold(text).as_bytes())
    }

    /// The same of a text that [`fold`] has left.
    pub fn parse_ascii(text: &[u8]) -> Option<MoveText> {
        if text.len() > LONGEST {
            return None;
        }
        if let [b'O' | b'o' | b'0', b'-', ..] = text {
            return castling(text);
        }
        let (piece, text) = match text {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), rest @ ..] => {
                (Piece::from_letter(char::from(*letter)), rest)
            }
            _ => (None, text),
        };
        let (file, text) = coordinate(text, b'a');
        let (rank, text) = coordinate(text, b'1');
        let whole = text;
        let (is_apart, text) = match text {
            [b'x' | b':' | b'-', rest @ ..] => (true, rest),
            _ => (false, text),
        };
        let (file, rank, to, text) = match (text, file, rank) {
            ([to_file @ b'a'..=b'h', to_rank @ b'1'..=b'8', rest @ ..], ..) => {
                (file, rank, Square::at(to_file - b'a', to_rank - b'1'), rest)
            }
            // What follows may be a sign (`e4-+`).
            (_, Some(file), Some(rank)) => (None, None, Square::at(file, rank), whole),
            _ => return None,
        };
        // A pawn's origin is its file; with the whole square any piece may be meant.
        let piece = match (piece, file, rank) {
            (Some(piece), ..) => Some(piece),
            (None, Some(_), Some(_)) => None,
            (None, None, None) if is_apart => return None,
            (None, _, None) => Some(Piece::Pawn),
            (None, None, Some(_)) => return None,
        };
        let is_last = matches!(to.rank(), 0 | 7) && matches!(piece, None | Some(Piece::Pawn));
        let (promotion, text) = match text {
            [b'(', letter, b')', rest @ ..] | [b'=', b'(', letter, b')', rest @ ..] => {
                (Some(promotion(*letter)?), rest)
            }
            [b'=' | b'/', letter, rest @ ..] if promotion(*letter).is_some() => {
                (promotion(*letter), rest)
            }
            [b'/', ..] => return None,
            [letter, rest @ ..] if is_last && promotion(*letter).is_some() => {
                (promotion(*letter), rest)
            }
            // "A novelty", which some programs write without a blank.
            [b'N'] => (None, &[][..]),
            _ => (None, text),
        };
        are_signs(text).then_some(MoveText::Piece {
            piece,
            file,
            rank,
            to,
            promotion,
        })
    }
}

/// A letter of a file or a rank at the beginning of a text.
fn coordinate(text: &[u8], first: u8) -> (Option<u8>, &[u8]) {
    match text {
        [letter, rest @ ..] if (first..first + 8).contains(letter) => (Some(letter - first), rest),
        _ => (None, text),
    }
}

/// What a letter makes of a pawn.
fn promotion(letter: u8) -> Option<Piece> {
    let is_one = matches!(letter.to_ascii_uppercase(), b'Q' | b'R' | b'B' | b'N');
    is_one.then(|| Piece::from_letter(char::from(letter)))?
}

/// `O-O` or `O-O-O`, with signs behind it.
fn castling(text: &[u8]) -> Option<MoveText> {
    let step = |text: &[u8]| matches!(text, [b'-', b'O' | b'o' | b'0', ..]);
    let (steps, rest) = match (step(&text[1..]), text.get(3..)) {
        (true, Some(rest)) if step(rest) => (2, &rest[2..]),
        (true, Some(rest)) => (1, rest),
        _ => return None,
    };
    are_signs(rest).then_some(MoveText::Castling {
        king_side: steps == 1,
    })
}

/// Whether there is nothing but signs and glyphs.
pub fn are_signs(mut text: &[u8]) -> bool {
    while !text.is_empty() {
        let sign = SIGNS.iter().find(|sign| text.starts_with(sign.as_bytes()));
        match sign {
            Some(sign) => text = &text[sign.len()..],
            // The end of a sentence.
            None => return text == b".",
        }
    }
    true
}

/// A text with the letters and signs of books and web pages as typewriters have them: figurines,
/// dashes, daggers, fractions and evaluations; what takes no room is left out.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '♔' | '♚' => folded.push('K'),
            '♕' | '♛' => folded.push('Q'),
            '♖' | '♜' => folded.push('R'),
            '♗' | '♝' => folded.push('B'),
            '♘' | '♞' => folded.push('N'),
            '♙' | '♟' => {}
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
                folded.push('-');
            }
            '×' | '✕' => folded.push('x'),
            '†' | '‡' => folded.push('+'),
            '…' => folded.push_str("..."),
            '½' => folded.push_str("1/2"),
            '±' | '∓' | '⩲' | '⩱' | '⩮' | '∞' | '□' | '■' | '⌓' | '△' | '∆' | '▲' | '↑' | '→'
            | '←' | '↓' | '⇄' | '⇆' | '⇔' | '⊕' | '⟳' | '⨀' | '⊙' | '○' | '●' | '≈' | '≌' | '≅'
            | '‼' | '⁇' | '⁈' | '⁉' => folded.push('!'),
            _ if is_invisible(letter) => {}
            _ => folded.push(letter),
        }
    }
    Cow::Owned(folded)
}

/// Whether a character takes no room and says nothing: joiners, marks of direction and order.
pub fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// What a text that is no move may be, as an afterthought.
pub fn remark(text: &str) -> &'static str {
    let mut letters = text.chars();
    let first = letters.next();
    let is_foreign = first.is_some_and(|c| c.is_uppercase() && !"KQRBNO".contains(c));
    match first {
        // With any English letter it would be one.
        Some(_) if is_foreign && MoveText::parse(&format!("N{}", letters.as_str())).is_some() => {
            " (foreign piece letters?)"
        }
        Some('a'..='h') if text.ends_with(|c: char| c.is_uppercase()) => {
            " (foreign piece letters?)"
        }
        _ if matches!(
            fold(text).as_ref(),
            "--" | "Z0" | "0000" | "@@@@" | "null" | "pass"
        ) =>
        {
            ": a null move"
        }
        _ => "",
    }
}

/// Reads a move: `Nbd7`, `exd8=Q+`, `O-O` and what else [`MoveText`] knows.
///
/// # Errors
/// The text is no move, or not exactly one legal move fits it.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let short = || text.chars().take(16).collect::<String>();
    let said = MoveText::parse(text).ok_or_else(|| SanError::Syntax(short()))?;
    find(position, &said).map_err(|unfit| match unfit {
        Unfit::Illegal => SanError::Illegal(short()),
        Unfit::Ambiguous => SanError::Ambiguous(short()),
    })
}

/// The one legal move that a text means.
///
/// # Errors
/// None fits, or several.
pub fn find(position: &Position, text: &MoveText) -> Result<Move, Unfit> {
    let legal = position.legal_moves();
    let mut fits = legal.iter().copied().filter(|&mv| fits(position, mv, text));
    match (fits.next(), fits.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(Unfit::Illegal),
        (Some(_), Some(_)) => Err(Unfit::Ambiguous),
    }
}

/// Whether a legal move is one that a text may mean.
fn fits(position: &Position, mv: Move, text: &MoveText) -> bool {
    let (from, is_castling) = (mv.from(), position.is_castling(mv));
    match *text {
        MoveText::Castling { king_side } => is_castling && king_side == (mv.to().file() == 6),
        MoveText::Piece {
            piece,
            file,
            rank,
            to,
            promotion,
        } => {
            // A pawn that takes says from which file, a king that castles from which square: to its
            // own, or to the rook's.
            let is_exact = match file {
                None if piece == Some(Piece::Pawn) => from.file() == to.file(),
                None => !is_castling,
                Some(_) => rank.is_some() || !is_castling,
            };
            let rook = Square::at(if mv.to().file() == 6 { 7 } else { 0 }, from.rank());
            is_exact
                && (to == mv.to() || is_castling && to == rook)
                && piece.is_none_or(|piece| piece == position.moved(mv))
                && file.is_none_or(|file| file == from.file())
                && rank.is_none_or(|rank| rank == from.rank())
                && promotion == mv.promotion()
        }
    }
}

/// Writes a legal move in SAN, with the least disambiguation and with `+` or `#`.
pub fn to_san(position: &Position, mv: Move) -> String {
    let mut san = String::with_capacity(8);
    let piece = position.moved(mv);
    if position.is_castling(mv) {
        san.push_str(if mv.to().file() == 6 { "O-O" } else { "O-O-O" });
    } else {
        if piece == Piece::Pawn {
            if position.is_capture(mv) {
                san.push(char::from(b'a' + mv.from().file()));
            }
        } else {
            san.push(piece.letter());
            san.push_str(&origin(position, mv, piece));
        }
        if position.is_capture(mv) {
            san.push('x');
        }
        san.push_str(&mv.to().to_string());
        if let Some(promotion) = mv.promotion() {
            san.push('=');
            san.push(promotion.letter());
        }
    }
    let after = position.play(mv);
    if after.in_check() {
        san.push(if after.has_legal_move() { '+' } else { '#' });
    }
    san
}

/// The file, the rank or both that tell this piece from others that can go to the same square.
fn origin(position: &Position, mv: Move, piece: Piece) -> String {
    let legal = position.legal_moves();
    let rivals = || {
        legal.iter().filter(|other| {
            other.to() == mv.to() && other.from() != mv.from() && position.moved(**other) == piece
        })
    };
    let from = mv.from().to_string();
    if rivals().next().is_none() {
        String::new()
    } else if rivals().all(|other| other.from().file() != mv.from().file()) {
        from[..1].to_string()
    } else if rivals().all(|other| other.from().rank() != mv.from().rank()) {
        from[1..].to_string()
    } else {
        from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, san: &str) -> Result<String, SanError> {
        let position = Position::from_fen(fen).unwrap();
        parse_san(&position, san).map(|mv| mv.to_string())
    }

    #[test]
    fn moves_are_read() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for (san, uci) in [
            ("O-O", "e1g1"),
            ("0-0-0!?", "e1c1"),
            ("Nxd7", "e5d7"),
            ("Ne5xd7", "e5d7"),
            ("Qxf6+", "f3f6"),
            ("dxe6", "d5e6"),
            ("Rb1", "a1b1"),
        ] {
            assert_eq!(read(kiwipete, san).as_deref(), Ok(uci), "{san}");
        }
        assert_eq!(read(kiwipete, "Kg1"), Err(SanError::Illegal("Kg1".into())));
        assert_eq!(read(kiwipete, "é4"), Err(SanError::Syntax("é4".into())));
        let two = "6k1/8/8/8/8/8/8/RK5R w - -";
        assert_eq!(read(two, "Re1").as_deref(), Ok("h1e1"));
        let knights = "7k/8/8/8/8/2N3N1/8/K7 w - -";
        assert_eq!(read(knights, "Ne4"), Err(SanError::Ambiguous("Ne4".into())));
        assert_eq!(
            read("7k/P7/8/8/8/8/8/K7 w - -", "a8Q").as_deref(),
            Ok("a7a8q")
        );
        assert_eq!(
            read("7k/P7/8/8/8/8/8/K7 w - -", "a8"),
            Err(SanError::Illegal("a8".into()))
        );
    }

    #[test]
    fn every_legal_move_comes_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "7k/8/8/QQ6/Q1Q5/8/8/K7 w - - 0 1",
            "8/8/8/8/1k1PpN1R/8/8/4K3 b - d3 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for &mv in position.legal_moves().iter() {
                let san = to_san(&position, mv);
                assert_eq!(parse_san(&position, &san), Ok(mv), "{san} in {fen}");
            }
        }
    }
}
