//! PGN → games: what a game is, and why one is skipped. [`lexer`] takes the text apart, [`reader`] goes
//! through main lines, [`games`] collects decisive games, or all that have a result.
//!
//! What is read beside the standard, the same by every command: moves as [`engine::san`] and
//! [`engine::movetext`] have them; CR, LF or both at the ends of lines; a mark of the order of bytes
//! wherever files were joined; no-break spaces; quotes in a tag's value without an escape; a result in
//! the tag alone, if the game ends with the next one or with the file, and not in the middle of a word or of
//! a comment. Names are read as UTF-8, and as Latin-1 (the character set of the PGN standard, 4.1) where
//! they are not that. What is nothing that belongs among moves ends the game, which is skipped by that
//! reason: a move left out would give positions that never occurred.

pub mod games;
pub mod lexer;
pub mod reader;

pub use games::Games;

use crate::base::files::hex;
use engine::source::decoded;
use sha2::{Digest, Sha256};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Games of more plies than this are skipped; the longest game on record (Nikolić–Arsović 1989)
/// has 538.
pub const MAX_PLIES: usize = 2000;

/// Why a game yields no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// `1/2-1/2`
    Draw,
    /// Neither tag nor movetext has a result, or it is `*`.
    NoResult,
    /// The tag and the movetext disagree.
    ResultsDiffer,
    /// The moves end without a result: the game is cut off.
    Unfinished,
    /// Not chess: the Variant tag says so.
    Variant,
    /// The FEN tag is no legal position.
    BadFen,
    /// A rating is missing and one is asked for.
    Unrated,
    /// A rating is below the one asked for.
    LowElo,
    /// A move is illegal or ambiguous.
    IllegalMove,
    /// Something stands among the moves that is no move, number, glyph, comment or result.
    NoMove,
    /// The first move's number is another than that of the position.
    NoBeginning,
    /// More than [`MAX_PLIES`] plies.
    TooLong,
    /// No position in the range of plies, with the winner to move if that is asked for.
    TooShort,
    /// A tag or a comment has no end.
    Syntax,
}

impl SkipReason {
    /// All reasons, in the order of the summary.
    pub const ALL: [SkipReason; 14] = [
        SkipReason::Draw,
        SkipReason::NoResult,
        SkipReason::ResultsDiffer,
        SkipReason::Unfinished,
        SkipReason::Variant,
        SkipReason::BadFen,
        SkipReason::Unrated,
        SkipReason::LowElo,
        SkipReason::IllegalMove,
        SkipReason::NoMove,
        SkipReason::NoBeginning,
        SkipReason::TooLong,
        SkipReason::TooShort,
        SkipReason::Syntax,
    ];

    /// The reason in words.
    pub fn label(self) -> &'static str {
        match self {
            SkipReason::Draw => "drawn",
            SkipReason::NoResult => "without a result",
            SkipReason::ResultsDiffer => "with two different results",
            SkipReason::Unfinished => "cut off before the result",
            SkipReason::Variant => "of a variant",
            SkipReason::BadFen => "from an illegal FEN",
            SkipReason::Unrated => "without ratings",
            SkipReason::LowElo => "of too low ratings",
            SkipReason::IllegalMove => "with an illegal move",
            SkipReason::NoMove => "with a token that is no move",
            SkipReason::NoBeginning => "that begin in the middle",
            SkipReason::TooLong => "of too many moves",
            SkipReason::TooShort => "without a position in range",
            SkipReason::Syntax => "with broken syntax",
        }
    }

    /// Whether the game is damaged, rather than not what is looked for.
    pub fn is_damage(self) -> bool {
        use SkipReason::{BadFen, IllegalMove, NoBeginning, NoMove, ResultsDiffer, Syntax};
        use SkipReason::{TooLong, Unfinished};
        matches!(
            self,
            BadFen
                | IllegalMove
                | NoMove
                | NoBeginning
                | ResultsDiffer
                | Syntax
                | TooLong
                | Unfinished
        )
    }
}

/// A game that is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Why.
    pub reason: SkipReason,
    /// What exactly, where there is more to say; may be empty.
    pub detail: String,
}

/// Why a file can't be read on.
#[derive(Debug, Error)]
#[error("{}: line {line}: in game {game}: {cause}", path.display())]
pub struct PgnError {
    /// The file.
    pub path: PathBuf,
    /// Number of the game in the file, from 1.
    pub game: u64,
    /// Line on which that game begins.
    pub line: u64,
    /// What the system or the decompressor said.
    pub cause: io::Error,
}

/// The tags that are kept, as bytes of the file.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    white: Vec<u8>,
    black: Vec<u8>,
    event: Vec<u8>,
    date: Vec<u8>,
    round: Vec<u8>,
    white_elo: Option<u16>,
    black_elo: Option<u16>,
}

impl Tags {
    /// Whether a name had to be read as Latin-1.
    pub fn is_latin1(&self) -> bool {
        [&self.white, &self.black, &self.event]
            .into_iter()
            .any(|bytes| str::from_utf8(bytes).is_err())
    }

    /// `White(elo)-Black(elo), Event, date, R round`, fit for an EPD string: no quotes, no
    /// control characters, each part at most 60 characters.
    pub fn heading(&self) -> String {
        let clean = |bytes: &[u8]| -> String {
            let clean: String = decoded(bytes)
                .chars()
                .map(|letter| if letter == '"' { '\'' } else { letter })
                .filter(|letter| !letter.is_control())
                .take(60)
                .collect();
            let trimmed = clean.trim();
            if trimmed.is_empty() {
                "?".to_string()
            } else {
                trimmed.to_string()
            }
        };
        let rated = |elo: Option<u16>| elo.map(|elo| format!("({elo})")).unwrap_or_default();
        format!(
            "{}{}-{}{}, {}, {}, R {}",
            clean(&self.white),
            rated(self.white_elo),
            clean(&self.black),
            rated(self.black_elo),
            clean(&self.event),
            clean(&self.date),
            clean(&self.round),
        )
    }
}

/// What identifies a game: the first 12 hex digits of a SHA-256, and more of its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The first 64 bits, big-endian: what duplicates are told by.
    pub bits: u64,
}

impl GameId {
    /// The 12 hex digits that EPD files and lists show.
    pub fn digits(self) -> String {
        hex(&self.bits.to_be_bytes()[..6])
    }
}

/// A game with a result, as far as its tags and moves are sound.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who, where and when.
    pub tags: Tags,
    /// Who won; nobody in a drawn game, which [`Games::with_draws`] alone gives.
    pub winner: Option<Color>,
    /// The position before the first move.
    pub start: Chess,
    /// The moves, all legal.
    pub moves: Vec<Move>,
    /// The start, if it is not the usual one: its FEN.
    pub start_fen: Option<String>,
}

impl Game {
    /// Plies before the first move of the text: 0 but for games from a FEN.
    pub fn first_ply(&self) -> u32 {
        2 * (self.start.fullmoves().get() - 1) + u32::from(self.start.turn() == Color::Black)
    }

    /// Who makes the move of this index.
    pub fn turn_at(&self, index: usize) -> Color {
        if index.is_multiple_of(2) {
            self.start.turn()
        } else {
            self.start.turn().other()
        }
    }

    /// The position before the move of this index. Replaying is cheaper than keeping a position
    /// for every move of every game.
    pub fn position_at(&self, index: usize) -> Chess {
        let mut position = self.start.clone();
        for mv in self.moves.iter().take(index) {
            position.play_unchecked(*mv);
        }
        position
    }

    /// FEN of the position before each move, in order.
    pub fn fens(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let before = |mv: &Move| {
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            position.play_unchecked(*mv);
            fen
        };
        self.moves.iter().map(before).collect()
    }

    /// The game's id: SHA-256 of the UTF-8 text
    ///
    /// ```text
    /// WHITE "|" BLACK "|" [FEN "|"] MOVE (" " MOVE)*
    /// ```
    ///
    /// where a player is the name up to the first comma (the family name), in lower case, letters
    /// and digits only; FEN is there only for games from a FEN tag; a move is in coordinates as
    /// UCI writes it (`e2e4`, `e7e8q`, castling `e1g1`). So neither given names, tournament, date
    /// nor annotations make two games of one.
    pub fn id(&self) -> GameId {
        let mut words = String::with_capacity(32 + 5 * self.moves.len());
        for name in [&self.tags.white, &self.tags.black] {
            let name = decoded(name);
            let family = name.split(',').next().unwrap_or("");
            let letters = family.chars().filter(|letter| letter.is_alphanumeric());
            words.extend(letters.flat_map(char::to_lowercase));
            words.push('|');
        }
        if let Some(fen) = &self.start_fen {
            words.push_str(fen);
            words.push('|');
        }
        for (number, mv) in self.moves.iter().enumerate() {
            if number > 0 {
                words.push(' ');
            }
            mv.to_uci(CastlingMode::Standard)
                .append_to_string(&mut words);
        }
        let digest = Sha256::digest(words.as_bytes());
        let bits = digest
            .iter()
            .take(8)
            .fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        GameId { bits }
    }
}
