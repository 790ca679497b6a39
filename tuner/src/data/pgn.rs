//! PGN → decisive games, one at a time, or the reason why a game is skipped.
//!
//! pgn-reader takes the text apart and shakmaty plays the moves; both are the fastest of their
//! kind. What they leave open is decided here: which tags count, how long a game may be, and that
//! a game needs a result at its end. Imports only [`super::source`] and [`crate::files`].
//!
//! Names are read as UTF-8, and as Latin-1 (the character set of the PGN standard, 4.1) where
//! they are not that. Tokens that are neither move, number, comment nor result are passed over by
//! pgn-reader, which says nothing of them; a move lost that way shows itself, as the next one is then
//! the other side's, unless it is the game's last.

use super::source::{GameHeads, Progress, Source, count_lines};
use crate::files::hex;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use sha2::{Digest, Sha256};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, KnownOutcome, Move, Outcome, Position};
use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Games of more plies than this are skipped; the longest game on record (Nikolić–Arsović 1989)
/// has 538.
pub const MAX_PLIES: usize = 2000;

/// Longest line of a tag, in bytes; a longer one is an error of that game.
const MAX_TAG_LINE: usize = 4096;

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
    /// More than [`MAX_PLIES`] plies.
    TooLong,
    /// No position with the winner to move in the range of plies.
    TooShort,
    /// A tag or a comment has no end.
    Syntax,
}

impl SkipReason {
    /// All reasons, in the order of the summary.
    pub const ALL: [SkipReason; 12] = [
        SkipReason::Draw,
        SkipReason::NoResult,
        SkipReason::ResultsDiffer,
        SkipReason::Unfinished,
        SkipReason::Variant,
        SkipReason::BadFen,
        SkipReason::Unrated,
        SkipReason::LowElo,
        SkipReason::IllegalMove,
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
            SkipReason::TooLong => "of too many moves",
            SkipReason::TooShort => "without a position in range",
            SkipReason::Syntax => "with broken syntax",
        }
    }

    /// Whether the game is damaged, rather than not what is looked for.
    pub fn is_damage(self) -> bool {
        use SkipReason::{BadFen, IllegalMove, ResultsDiffer, Syntax, TooLong, Unfinished};
        matches!(
            self,
            BadFen | IllegalMove | ResultsDiffer | Syntax | TooLong | Unfinished
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

/// UTF-8, or else Latin-1, in which every byte is a character.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
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
            let clean: String = text(bytes)
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

/// A decisive game, as far as its tags and moves are sound.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who, where and when.
    pub tags: Tags,
    /// Who won.
    pub winner: Color,
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
            let name = text(name);
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

/// The games of a file, in order.
pub struct Games {
    path: PathBuf,
    progress: Progress,
    reader: Reader<Source>,
    visitor: GameVisitor,
    number: u64,
    line: u64,
    /// Heads of games before that line.
    heads: u64,
    /// Games that begin inside the last one and have not been told of yet.
    hidden: u64,
}

impl Games {
    /// Reads games from a source. With `min_elo`, both players must be rated at least so.
    pub fn new(source: Source, min_elo: Option<u16>) -> Games {
        Games {
            path: source.path().to_path_buf(),
            progress: source.progress(),
            reader: Reader::build(source)
                .set_supported_tag_line_length(MAX_TAG_LINE)
                .finish(),
            visitor: GameVisitor::new(min_elo),
            number: 0,
            line: 1,
            heads: 0,
            hidden: 0,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of the last game that was read, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Line on which that game begins, from 1; for one that begins inside another, the other's.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next game or the reason why it is skipped; `None` at the end of the file.
    ///
    /// # Errors
    /// The file can't be read on: disk error, or the compressed data are damaged or cut off.
    pub fn next_game(&mut self) -> Result<Option<Result<&Game, Skipped>>, PgnError> {
        match self.read() {
            Ok(None) => Ok(None),
            Ok(Some(Ok(()))) => Ok(Some(Ok(&self.visitor.game))),
            Ok(Some(Err(skipped))) => Ok(Some(Err(skipped))),
            Err(cause) => Err(PgnError {
                path: self.path.clone(),
                game: self.number,
                line: self.line,
                cause,
            }),
        }
    }

    fn read(&mut self) -> io::Result<Option<Result<(), Skipped>>> {
        if let Some(hidden) = self.next_hidden() {
            return Ok(Some(Err(hidden)));
        }
        let more = self.reader.has_more()?;
        // A head in the middle of a line counts in the buffer alone, where it begins a line.
        let ahead = GameHeads::default().count(self.reader.buffer());
        let heads = self.progress.game_heads().saturating_sub(ahead);
        // A comment without an end takes the next games for its text, also where the reader only
        // looks for the end of a game that is skipped and says nothing.
        let within = heads.saturating_sub(self.heads);
        self.heads = heads;
        if self.number > 0 && within > 1 {
            self.hidden = within - 1;
            return Ok(self.next_hidden().map(Err));
        }
        if !more {
            return Ok(None);
        }
        self.number += 1;
        self.line = 1 + self.progress.lines() - count_lines(self.reader.buffer());
        match self.reader.read_game(&mut self.visitor) {
            Ok(game) => Ok(game),
            Err(error) if self.progress.has_failed() => Err(error),
            Err(error) => {
                self.skip_rest()?;
                Ok(Some(Err(Skipped {
                    reason: SkipReason::Syntax,
                    detail: error.to_string(),
                })))
            }
        }
    }

    /// Leaves the rest of a game behind that is broken in its tags: it would be taken for another.
    fn skip_rest(&mut self) -> io::Result<()> {
        loop {
            match self.reader.skip_game() {
                // Another broken tag, which is behind by now.
                Err(_) if !self.progress.has_failed() => {}
                ended => return ended.map(drop),
            }
        }
    }
}

impl Games {
    /// Tells of a game that begins inside the last one.
    fn next_hidden(&mut self) -> Option<Skipped> {
        self.hidden = self.hidden.checked_sub(1)?;
        self.number += 1;
        Some(Skipped {
            reason: SkipReason::Syntax,
            detail: "it begins in a comment, a side line or a tag of the game on this line, where one without an end hides it"
                .to_string(),
        })
    }
}

/// What a result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Win(Color),
    Draw,
    Unknown,
}

/// Collects one game after another, in buffers that are used again.
struct GameVisitor {
    min_elo: Option<u16>,
    game: Game,
    /// The position after the moves of the game so far.
    position: Chess,
    verdict: Option<Verdict>,
    variant: Option<String>,
    fen: Option<String>,
}

type Flow<T = ()> = ControlFlow<Result<(), Skipped>, T>;

fn skip<T>(reason: SkipReason, detail: String) -> Flow<T> {
    ControlFlow::Break(Err(Skipped { reason, detail }))
}

impl GameVisitor {
    fn new(min_elo: Option<u16>) -> GameVisitor {
        GameVisitor {
            min_elo,
            game: Game {
                tags: Tags::default(),
                winner: Color::White,
                start: Chess::default(),
                moves: Vec::with_capacity(256),
                start_fen: None,
            },
            position: Chess::default(),
            verdict: None,
            variant: None,
            fen: None,
        }
    }

    /// The position of the FEN tag, if the engine and shakmaty both take it for legal.
    fn start(&self) -> Result<Chess, String> {
        let Some(fen) = &self.fen else {
            return Ok(Chess::default());
        };
        let position =
            engine::position::Position::from_fen(fen).map_err(|error| error.to_string())?;
        let parsed =
            Fen::from_ascii(position.to_fen().as_bytes()).map_err(|error| error.to_string())?;
        parsed
            .into_position(CastlingMode::Standard)
            .map_err(|error| error.to_string())
    }

    fn is_rated(&self) -> Flow {
        let Some(min_elo) = self.min_elo else {
            return ControlFlow::Continue(());
        };
        match (self.game.tags.white_elo, self.game.tags.black_elo) {
            (Some(white), Some(black)) if white.min(black) >= min_elo => ControlFlow::Continue(()),
            (Some(_), Some(_)) => skip(SkipReason::LowElo, String::new()),
            _ => skip(SkipReason::Unrated, String::new()),
        }
    }
}

impl Visitor for GameVisitor {
    type Tags = ();
    type Movetext = ();
    type Output = Result<(), Skipped>;

    fn begin_tags(&mut self) -> Flow {
        let tags = &mut self.game.tags;
        for part in [
            &mut tags.white,
            &mut tags.black,
            &mut tags.event,
            &mut tags.date,
            &mut tags.round,
        ] {
            part.clear();
        }
        tags.white_elo = None;
        tags.black_elo = None;
        self.game.moves.clear();
        self.game.start_fen = None;
        self.verdict = None;
        self.variant = None;
        self.fen = None;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> Flow {
        // Most games of strong players are drawn: their other tags aren't even looked at.
        if self.verdict == Some(Verdict::Draw) {
            return ControlFlow::Continue(());
        }
        let tags = &mut self.game.tags;
        let part = match name {
            b"White" => &mut tags.white,
            b"Black" => &mut tags.black,
            b"Event" => &mut tags.event,
            b"Date" => &mut tags.date,
            b"Round" => &mut tags.round,
            b"WhiteElo" => {
                tags.white_elo = elo(value.as_bytes());
                return ControlFlow::Continue(());
            }
            b"BlackElo" => {
                tags.black_elo = elo(value.as_bytes());
                return ControlFlow::Continue(());
            }
            b"Result" => {
                self.verdict = Some(match value.as_bytes() {
                    b"1-0" => Verdict::Win(Color::White),
                    b"0-1" => Verdict::Win(Color::Black),
                    b"1/2-1/2" => Verdict::Draw,
                    _ => Verdict::Unknown,
                });
                return ControlFlow::Continue(());
            }
            b"Variant" => {
                self.variant = Some(value.decode_utf8_lossy().into_owned());
                return ControlFlow::Continue(());
            }
            b"FEN" => {
                self.fen = Some(value.decode_utf8_lossy().into_owned());
                return ControlFlow::Continue(());
            }
            _ => return ControlFlow::Continue(()),
        };
        part.clear();
        part.extend_from_slice(&value.decode());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> Flow {
        // Not in the middle of the tags: a broken one among the rest would end the game there.
        if self.verdict == Some(Verdict::Draw) {
            return skip(SkipReason::Draw, String::new());
        }
        if let Some(variant) = &self.variant {
            let name = variant.to_ascii_lowercase();
            if !matches!(
                name.trim(),
                "" | "standard" | "chess" | "normal" | "from position"
            ) {
                return skip(SkipReason::Variant, variant.chars().take(40).collect());
            }
        }
        self.is_rated()?;
        match self.start() {
            Err(problem) => return skip(SkipReason::BadFen, problem),
            Ok(start) => {
                if start != Chess::default() {
                    let fen = Fen::from_position(&start, EnPassantMode::Legal);
                    self.game.start_fen = Some(fen.to_string());
                }
                self.position = start.clone();
                self.game.start = start;
            }
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> Flow {
        let plies = self.game.moves.len();
        if plies >= MAX_PLIES {
            return skip(SkipReason::TooLong, format!("more than {MAX_PLIES} plies"));
        }
        match san.san.to_move(&self.position) {
            Ok(mv) => {
                self.position.play_unchecked(mv);
                self.game.moves.push(mv);
                ControlFlow::Continue(())
            }
            Err(_) => skip(
                SkipReason::IllegalMove,
                format!("{san} can't be played after {plies} plies"),
            ),
        }
    }

    /// Side lines are no part of the game.
    fn begin_variation(&mut self, (): &mut ()) -> Flow<Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> Flow {
        let found = match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => Verdict::Win(winner),
            Outcome::Known(KnownOutcome::Draw) => Verdict::Draw,
            Outcome::Unknown => Verdict::Unknown,
        };
        // `*` behind the moves only ends them: some programs write it whatever the tag says.
        match (self.verdict, found) {
            (None | Some(Verdict::Unknown), Verdict::Win(winner)) => {
                self.game.winner = winner;
                ControlFlow::Break(Ok(()))
            }
            (Some(Verdict::Win(winner)), Verdict::Unknown) => {
                self.game.winner = winner;
                ControlFlow::Break(Ok(()))
            }
            (Some(Verdict::Win(winner)), Verdict::Win(other)) if winner == other => {
                self.game.winner = winner;
                ControlFlow::Break(Ok(()))
            }
            (None | Some(Verdict::Unknown), Verdict::Draw) => skip(SkipReason::Draw, String::new()),
            (None | Some(Verdict::Unknown), Verdict::Unknown) => {
                skip(SkipReason::NoResult, String::new())
            }
            _ => skip(SkipReason::ResultsDiffer, String::new()),
        }
    }

    fn end_game(&mut self, (): ()) -> Result<(), Skipped> {
        let reason = match self.verdict {
            None => SkipReason::NoResult,
            Some(_) => SkipReason::Unfinished,
        };
        Err(Skipped {
            reason,
            detail: format!("no result after {} plies", self.game.moves.len()),
        })
    }
}

/// A rating; `?`, `-`, `0` and nonsense are none.
fn elo(value: &[u8]) -> Option<u16> {
    let number = str::from_utf8(value).ok()?.trim().parse().ok()?;
    (100..=4000).contains(&number).then_some(number)
}
