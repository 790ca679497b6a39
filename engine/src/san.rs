//! Standard algebraic notation: reading a move in a position, and writing one.

use crate::position::Position;
use crate::types::{Move, Piece, Square};
use thiserror::Error;

/// Why a SAN text is no move here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// The text is no SAN at all.
    #[error("{0:?} is no move in SAN")]
    Syntax(String),
    /// No legal move fits.
    #[error("{0:?} is illegal")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("{0:?} is ambiguous")]
    Ambiguous(String),
}

/// What a SAN text says of a move.
#[derive(Default)]
struct Pattern {
    piece: Option<Piece>,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Option<Square>,
    promotion: Option<Piece>,
}

/// Reads a move: `Nbd7`, `exd8=Q+`, `O-O`, `0-0-0`, with or without `+ # ! ? e.p.` behind it.
/// `e8Q` without the equals sign and long forms (`Ng1-f3`, `e2e4`) are understood too.
///
/// # Errors
/// The text is no SAN, or not exactly one legal move fits it.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let short = || text.chars().take(16).collect::<String>();
    let bare = text
        .trim_end_matches("e.p.")
        .trim_end_matches(['+', '#', '!', '?']);
    let legal = position.legal_moves();
    let mut fits: Box<dyn Iterator<Item = Move>> = match bare {
        "O-O" | "0-0" | "o-o" => Box::new(castling(position, &legal, 6)),
        "O-O-O" | "0-0-0" | "o-o-o" => Box::new(castling(position, &legal, 2)),
        _ => {
            let pattern = pattern(bare).ok_or_else(|| SanError::Syntax(short()))?;
            Box::new(legal.iter().copied().filter(move |&mv| {
                pattern.to == Some(mv.to())
                    && pattern.piece == Some(position.moved(mv))
                    && pattern
                        .from_file
                        .is_none_or(|file| file == mv.from().file())
                    && pattern
                        .from_rank
                        .is_none_or(|rank| rank == mv.from().rank())
                    && pattern.promotion == mv.promotion()
                    && !position.is_castling(mv)
            }))
        }
    };
    match (fits.next(), fits.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(SanError::Illegal(short())),
        (Some(_), Some(_)) => Err(SanError::Ambiguous(short())),
    }
}

fn castling<'a>(
    position: &'a Position,
    legal: &'a [Move],
    file: u8,
) -> impl Iterator<Item = Move> + 'a {
    legal
        .iter()
        .copied()
        .filter(move |&mv| position.is_castling(mv) && mv.to().file() == file)
}

/// Takes a text apart, or `None` if it has no such form.
fn pattern(text: &str) -> Option<Pattern> {
    let mut pattern = Pattern {
        piece: Some(Piece::Pawn),
        ..Pattern::default()
    };
    let mut letters = text.as_bytes();
    if let [first @ (b'N' | b'B' | b'R' | b'Q' | b'K'), rest @ ..] = letters {
        pattern.piece = Piece::from_letter(char::from(*first));
        letters = rest;
    }
    if let [rest @ .., last @ (b'N' | b'B' | b'R' | b'Q')] = letters {
        pattern.promotion = Piece::from_letter(char::from(*last));
        letters = rest.strip_suffix(b"=").unwrap_or(rest);
    }
    let [origin @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = letters else {
        return None;
    };
    pattern.to = Some(Square::at(file - b'a', rank - b'1'));
    let origin = origin
        .strip_suffix(b"x")
        .or_else(|| origin.strip_suffix(b"-"))
        .unwrap_or(origin);
    match origin {
        [] => {}
        [file @ b'a'..=b'h'] => pattern.from_file = Some(file - b'a'),
        [rank @ b'1'..=b'8'] => pattern.from_rank = Some(rank - b'1'),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            pattern.from_file = Some(file - b'a');
            pattern.from_rank = Some(rank - b'1');
        }
        _ => return None,
    }
    Some(pattern)
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
