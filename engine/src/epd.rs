//! EPD: a position of four fields with operations behind it (`bm`, `am`, `id`, `c0`, …).

use crate::fen::FenError;
use crate::movetext::{Word, classify};
use crate::position::Position;
use crate::san::{MoveText, SanError, fold, is_invisible, parse_san};
use crate::types::Move;
use std::borrow::Cow;
use thiserror::Error;

/// One line of an EPD file.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position; its clocks come from `hmvc` and `fmvn`, or are 0 and 1.
    pub position: Position,
    /// Moves that solve the position (`bm`); empty if none is named.
    pub best: Vec<Move>,
    /// Moves that don't (`am`); empty if none is named.
    pub avoid: Vec<Move>,
    /// The position's name (`id`).
    pub id: Option<String>,
    /// All other operations in order: opcode and operands as written, without quotes.
    pub operations: Vec<(String, String)>,
}

/// Why a line is no EPD.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    /// Fewer than four fields.
    #[error("expected a position of 4 fields, found {0}")]
    Fields(usize),
    /// The position is refused.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move of `bm` or `am` is refused.
    #[error("{opcode}: {cause}")]
    Move {
        /// `bm` or `am`.
        opcode: &'static str,
        /// What is wrong with the move.
        cause: SanError,
    },
    /// Another position stands behind this one: a line end is missing.
    #[error("another position stands behind this one, at {0:?}: a line end is missing")]
    Joined(String),
    /// A text without its closing quote.
    #[error("{0}: the closing quote is missing")]
    Quote(String),
    /// Moves stand within another operation: its end is missing.
    #[error("{outer}: {inner} stands within it: a semicolon is missing before {inner}")]
    Semicolon {
        /// The operation that has no end.
        outer: String,
        /// `bm` or `am`.
        inner: String,
    },
}

/// The opcodes that are looked for, which people also write in capitals.
const OPCODES: [&str; 5] = ["bm", "am", "id", "hmvc", "fmvn"];

/// The opcode of [`OPCODES`] that a word begins with, and the length of that beginning: `BM`, `bm:` and
/// `bm=Ra8+` are `bm` too.
fn known_opcode(word: &str) -> Option<(&'static str, usize)> {
    let letters = word.find(|c: char| !c.is_ascii_alphabetic());
    let letters = letters.unwrap_or(word.len());
    let (name, rest) = word.split_at(letters);
    let opcode = OPCODES
        .into_iter()
        .find(|code| code.eq_ignore_ascii_case(name))?;
    match rest.chars().next() {
        None => Some((opcode, letters)),
        Some(':' | '=') => Some((opcode, letters + 1)),
        Some(_) => None,
    }
}

impl Epd {
    /// Reads one line. Moves may be SAN or coordinates (`e2e4`).
    ///
    /// # Errors
    /// The first thing that is wrong with the line.
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        let line = &*visible(line);
        let (fields, rest) = split_fields(line, 4);
        if fields.len() < 4 {
            return Err(EpdError::Fields(fields.len()));
        }
        let operations = parse_operations(rest)?;
        let operand = |code: &str| {
            operations
                .iter()
                .find(|(opcode, _)| opcode == code)
                .map(|(_, text)| text.as_str())
        };
        let fen = format!(
            "{} {} {}",
            fields.join(" "),
            operand("hmvc").unwrap_or("0"),
            operand("fmvn").unwrap_or("1")
        );
        let position = Position::from_fen(&fen)?;
        // An opcode should come once; if one has come twice, both were meant.
        let operands = |code: &str| {
            let all = operations.iter().filter(|(opcode, _)| opcode == code);
            let texts: Vec<&str> = all.map(|(_, text)| text.as_str()).collect();
            texts.join(" ")
        };
        let best = parse_moves(&position, "bm", &operands("bm"))?;
        let avoid = parse_moves(&position, "am", &operands("am"))?;
        let id = operand("id").map(str::to_string);
        let operations = operations
            .into_iter()
            .filter(|(opcode, _)| !matches!(opcode.as_str(), "bm" | "am" | "id" | "hmvc" | "fmvn"))
            .collect();
        Ok(Epd {
            position,
            best,
            avoid,
            id,
            operations,
        })
    }

    /// The operands of another operation.
    pub fn operation(&self, opcode: &str) -> Option<&str> {
        let found = self.operations.iter().find(|(code, _)| code == opcode);
        found.map(|(_, operands)| operands.as_str())
    }

    /// Whether a move solves the position: one of `bm` if there is any, and none of `am`.
    pub fn is_solved_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Whether the line says what solves it at all.
    pub fn has_solution(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }
}

/// The four fields of a position as an EPD begins with them: its FEN without the clocks.
pub fn fields(position: &Position) -> String {
    let fen = position.to_fen();
    split_fields(&fen, 4).0.join(" ")
}

/// A line without the characters outside of quotes that take no room and say nothing.
fn visible(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let mut quoted = false;
    let is_seen = |letter: &char| {
        quoted ^= *letter == '"';
        quoted || !is_invisible(*letter)
    };
    line.chars().filter(is_seen).collect()
}

/// Splits off the first `count` fields; the rest keeps its white space.
fn split_fields(line: &str, count: usize) -> (Vec<&str>, &str) {
    let mut fields = Vec::with_capacity(count);
    let mut rest = line.trim_start();
    while fields.len() < count && !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        fields.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    (fields, rest)
}

/// `bm Nf3 e4; id "x; y";` → opcodes with their operands. Clocks in FEN's fifth and sixth place
/// are taken for what they are.
fn parse_operations(text: &str) -> Result<Vec<(String, String)>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text;
    for opcode in ["hmvc", "fmvn"] {
        let (clock, after) = split_fields(rest, 1);
        let Some(&[clock]) = clock.first_chunk() else {
            break;
        };
        let digits = clock.trim_end_matches(';');
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        operations.push((opcode.to_string(), digits.to_string()));
        rest = after;
        if digits.len() < clock.len() {
            break;
        }
    }
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if rest.is_empty() {
            return Ok(operations);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || c == ';')
            .unwrap_or(rest.len());
        let word = &rest[..end];
        let joined = |text: &str| EpdError::Joined(text.chars().take(16).collect());
        if is_board(word) {
            return Err(joined(word));
        }
        let (opcode, end) = known_opcode(word).unwrap_or((word, end));
        rest = &rest[end..];
        let mut operands = String::new();
        let mut quoted = false;
        let mut consumed = rest.len();
        for (at, letter) in rest.char_indices() {
            match letter {
                '"' => quoted = !quoted,
                ';' if !quoted => {
                    consumed = at;
                    break;
                }
                _ if quoted => operands.push(letter),
                _ if rest[..at].trim_end().ends_with('"') && !letter.is_whitespace() => {
                    let word = rest[at..].split_whitespace().next().unwrap_or("");
                    if is_board(word) {
                        return Err(joined(word));
                    }
                    // A text is over with its quote; the semicolon behind it is forgotten now and then.
                    consumed = at;
                    break;
                }
                _ => operands.push(letter),
            }
        }
        if quoted {
            return Err(EpdError::Quote(opcode.chars().take(16).collect()));
        }
        if let Some(inner) = moves_within(&rest[..consumed], opcode) {
            let outer = opcode.chars().take(16).collect();
            return Err(EpdError::Semicolon { outer, inner });
        }
        rest = &rest[consumed..];
        operations.push((opcode.to_string(), operands.trim().to_string()));
    }
}

/// `bm` or `am` among the operands of another operation, outside of quotes and with a move behind it.
fn moves_within(operands: &str, opcode: &str) -> Option<String> {
    if matches!(opcode, "bm" | "am") {
        return None; // Whatever is no move there is refused as such.
    }
    operands.split('"').step_by(2).find_map(|outside| {
        let words: Vec<&str> = outside.split_whitespace().collect();
        let pair = words.windows(2).find(|pair| {
            let is_opcode = matches!(known_opcode(pair[0]), Some(("bm" | "am", _)));
            is_opcode && MoveText::parse(pair[1].trim_end_matches(',')).is_some()
        });
        pair.map(|pair| pair[0].to_string())
    })
}

/// Whether a word is the board of a position.
fn is_board(word: &str) -> bool {
    word.matches('/').count() == 7
}

/// The moves of an operation. Among them may be what stands among a game's moves too: numbers, and
/// signs behind a move.
fn parse_moves(
    position: &Position,
    opcode: &'static str,
    operands: &str,
) -> Result<Vec<Move>, EpdError> {
    let refused = |cause| EpdError::Move { opcode, cause };
    let no_move = |text: &str| refused(SanError::Syntax(text.chars().take(16).collect()));
    let mut moves = Vec::new();
    for text in operands.split(|c: char| c.is_whitespace() || c == ',') {
        let folded = fold(text);
        let mut rest = folded.as_bytes();
        while !rest.is_empty() {
            let length = match classify(rest) {
                Some((Word::Number(_), length)) => length,
                Some((Word::Glyph, length)) if !moves.is_empty() => length,
                Some((Word::Move(_), length)) => {
                    let said = str::from_utf8(rest).unwrap_or(text);
                    moves.push(parse_san(position, said).map_err(refused)?);
                    length
                }
                _ => return Err(no_move(text)),
            };
            rest = &rest[length..];
        }
    }
    match moves.is_empty() && !operands.is_empty() {
        true => Err(no_move(operands)),
        false => Ok(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_read() {
        let line = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - bm Nd5 a4; \
                    id \"BK; 05\"; c0 \"x\";";
        let epd = Epd::parse(line).unwrap();
        let moves: Vec<_> = epd.best.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["c3d5", "a2a4"]);
        assert_eq!(epd.id.as_deref(), Some("BK; 05"));
        assert_eq!(epd.operation("c0"), Some("x"));
        assert!(epd.is_solved_by(epd.best[1]));
        let fen = "8/8/8/8/8/8/8/K1k5 w - - 7 31";
        assert_eq!(Epd::parse(fen).unwrap().position.to_fen(), fen);
    }

    #[test]
    fn bad_lines_say_why() {
        assert_eq!(Epd::parse("").unwrap_err(), EpdError::Fields(0));
        assert!(matches!(
            Epd::parse("8/8/8/8/8/8/8/8 w - - bm e4;"),
            Err(EpdError::Fen(_))
        ));
        let illegal = Epd::parse("8/8/8/8/8/8/8/K1k5 w - - bm e4;").unwrap_err();
        assert_eq!(illegal.to_string(), "bm: \"e4\" is illegal");
        let quote = Epd::parse("8/8/8/8/8/8/8/K1k5 w - - id \"x;").unwrap_err();
        assert_eq!(quote, EpdError::Quote("id".into()));
    }
}
