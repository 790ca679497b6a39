//! The words of a game's moves: what each of them is, without a board. PGN and the moves of an EPD
//! are read by these alone. Imports [`crate::san`].

use crate::san::{MoveText, are_signs};
use crate::types::Piece;

/// How a game ended, as its text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultText {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl ResultText {
    /// Reads a result in any of its spellings, from a text that [`crate::san::fold`] has left:
    /// `1-0`, `1:0`, `1/2-1/2`, `1/2`, `0.5-0.5`, `*`.
    pub fn parse(text: &[u8]) -> Option<ResultText> {
        match text {
            b"1-0" | b"1:0" => Some(ResultText::White),
            b"0-1" | b"0:1" => Some(ResultText::Black),
            b"1/2-1/2" | b"1/2:1/2" | b"1/2" | b"0.5-0.5" | b"0.5:0.5" | b"0,5-0,5" => {
                Some(ResultText::Draw)
            }
            b"*" => Some(ResultText::Unknown),
            _ => None,
        }
    }
}

/// A word of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A move.
    Move(MoveText),
    /// The number of a move, `12.` or `12...`, or dots alone.
    Number(Option<u32>),
    /// How the game ended.
    Result(ResultText),
    /// Signs and glyphs that say something of the move before: `!?`, `+-`, `e.p.`.
    Glyph,
    /// `N` (a novelty) or `D` (a diagram) by itself; but a blank may have come between a piece's letter
    /// and its square, so whoever has a board is to ask whether that would be a move too: `D` is the
    /// queen of half a dozen languages.
    Letter(Piece),
}

/// What a word is, and how many of its bytes: behind a number the next word may follow at once
/// (`1.e4`). The word is one that [`crate::san::fold`] has left. `None` if it is nothing that belongs
/// among moves.
pub fn classify(word: &[u8]) -> Option<(Word, usize)> {
    let whole = |found: Word| Some((found, word.len()));
    let first = *word.first()?;
    if matches!(first, b'0'..=b'9' | b'.' | b'*') {
        if let Some(result) = ResultText::parse(word) {
            return whole(Word::Result(result));
        }
        if word == b"0000" {
            return None;
        }
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let dots = word[digits..]
            .iter()
            .take_while(|byte| **byte == b'.')
            .count();
        if dots > 0 || digits == word.len() {
            let value = word[..digits].iter().try_fold(0_u32, |value, digit| {
                value.checked_mul(10)?.checked_add(u32::from(digit - b'0'))
            });
            let value = value.filter(|_| digits > 0);
            return Some((Word::Number(value), digits + dots));
        }
    }
    if let Some(found) = MoveText::parse_ascii(word) {
        return whole(Word::Move(found));
    }
    match word {
        b"N" => return whole(Word::Letter(Piece::Knight)),
        b"D" => return whole(Word::Letter(Piece::Queen)),
        _ => {}
    }
    if are_signs(word) {
        return whole(Word::Glyph);
    }
    // A remark may stand before its move.
    let signs = word
        .iter()
        .take_while(|byte| matches!(byte, b'!' | b'?'))
        .count();
    (signs > 0).then_some((Word::Glyph, signs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::san::fold;

    /// All that a text of glued words is, in letters.
    fn read(text: &str) -> String {
        let folded = fold(text);
        let mut rest = folded.as_bytes();
        let mut found = String::new();
        while !rest.is_empty() {
            let Some((word, length)) = classify(rest) else {
                return found + "?";
            };
            found.push(match word {
                Word::Move(_) => 'm',
                Word::Number(_) => 'n',
                Word::Result(ResultText::Draw) => '=',
                Word::Result(_) => 'r',
                Word::Glyph => 'g',
                Word::Letter(_) => 'l',
            });
            rest = &rest[length..];
        }
        found
    }

    #[test]
    fn words_are_told_apart() {
        for (text, found) in [
            ("1.e4", "nm"),
            ("12...", "n"),
            ("1…e5", "nm"),
            ("...", "n"),
            ("1.e4.e5", "n?"),
            ("1e4", "?"),
            ("0-0", "m"),
            ("O–O–O", "m"),
            ("1-0", "r"),
            ("1–0", "r"),
            ("0:1", "r"),
            ("½-½", "="),
            ("1/2", "="),
            ("½", "="),
            ("0.5-0.5", "="),
            ("41.1-0", "nr"),
            ("*", "r"),
            ("+-", "g"),
            ("±", "g"),
            ("!?", "g"),
            ("?!e4", "gm"),
            ("ep", "g"),
            ("e.p.", "g"),
            ("N", "l"),
            ("D", "l"),
            ("S", "?"),
            ("--", "?"),
            ("Z0", "?"),
            ("0000", "?"),
            ("null", "?"),
            ("1-0-0", "?"),
            ("Sf3", "?"),
            ("Кf3", "?"),
            ("-", "?"),
            ("<", "?"),
            ("99999999999.", "n"),
        ] {
            assert_eq!(read(text), found, "{text}");
        }
    }
}
