//! Decisive games, or all with a result, one at a time, or the reason why a game is skipped: which tags count, how long a game
//! may be, and what its result is. shakmaty plays the moves: it is the fastest of its kind.

use super::reader::{Board, End, Reader};
use super::{Game, MAX_PLIES, PgnError, SkipReason, Skipped, Tags};
use engine::movetext::ResultText;
use engine::san::{MoveText, Unfit};
use engine::source::{Source, decoded};
use engine::types::{Piece, Square as EngineSquare};
use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Move, MoveList, Position, Rank,
    Role, Square,
};
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

impl Board for Chess {
    type Move = Move;

    fn find(&self, text: &MoveText) -> Result<Move, Unfit> {
        let fits: MoveList = match *text {
            MoveText::Castling { king_side } => self.castling_moves(side(king_side)),
            MoveText::Piece {
                piece,
                file,
                rank,
                to,
                promotion,
            } => {
                let to = square(to);
                let file = file.map(|file| File::new(u32::from(file)));
                let rank = rank.map(|rank| Rank::new(u32::from(rank)));
                let from = file
                    .zip(rank)
                    .map(|(file, rank)| Square::from_coords(file, rank));
                let named = piece.map(role);
                let there = || self.board().role_at(from?);
                let role = named.or_else(there).ok_or(Unfit::Illegal)?;
                let promotion = promotion.map(self::role);
                let mut fits = self.san_candidates(role, to);
                fits.retain(|mv| {
                    let from = mv.from();
                    let is = |of: fn(Square) -> File| from.map(of);
                    // A pawn that takes says from which file.
                    let straight = role == Role::Pawn && file.is_none();
                    mv.promotion() == promotion
                        && file.is_none_or(|file| is(Square::file) == Some(file))
                        && rank.is_none_or(|rank| from.map(Square::rank) == Some(rank))
                        && (!straight || is(Square::file) == Some(to.file()))
                });
                match from {
                    Some(from) if fits.is_empty() && role == Role::King && promotion.is_none() => {
                        self.castling_by_squares(from, to)
                    }
                    _ => fits,
                }
            }
        };
        match fits[..] {
            [mv] => Ok(mv),
            [] => Err(Unfit::Illegal),
            _ => Err(Unfit::Ambiguous),
        }
    }

    fn play(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn ply(&self) -> u32 {
        2 * (self.fullmoves().get() - 1) + u32::from(self.turn() == Color::Black)
    }
}

/// Castling as squares of the king, or of king and rook.
trait BySquares {
    fn castling_by_squares(&self, from: Square, to: Square) -> MoveList;
}

impl BySquares for Chess {
    fn castling_by_squares(&self, from: Square, to: Square) -> MoveList {
        let mut moves = self.castling_moves(side(to > from));
        moves.retain(|mv| match *mv {
            Move::Castle { king, rook } => {
                let file = if to > from { File::G } else { File::C };
                king == from && (to == rook || to == Square::from_coords(file, king.rank()))
            }
            _ => false,
        });
        moves
    }
}

fn side(king_side: bool) -> CastlingSide {
    match king_side {
        true => CastlingSide::KingSide,
        false => CastlingSide::QueenSide,
    }
}

fn square(square: EngineSquare) -> Square {
    Square::new(square.index() as u32)
}

fn role(piece: Piece) -> Role {
    match piece {
        Piece::Pawn => Role::Pawn,
        Piece::Knight => Role::Knight,
        Piece::Bishop => Role::Bishop,
        Piece::Rook => Role::Rook,
        Piece::Queen => Role::Queen,
        Piece::King => Role::King,
    }
}

/// The games of a file, in order.
pub struct Games {
    path: PathBuf,
    reader: Reader<Source>,
    min_elo: Option<u16>,
    /// Whether drawn games count.
    draws: bool,
    /// The last game, in buffers that are used again.
    game: Game,
}

impl Games {
    /// Reads games from a source. With `min_elo`, both players must be rated at least so.
    pub fn new(source: Source, min_elo: Option<u16>) -> Games {
        Games {
            path: source.path().to_path_buf(),
            reader: Reader::new(source),
            min_elo,
            draws: false,
            game: Game {
                tags: Tags::default(),
                winner: None,
                start: Chess::default(),
                moves: Vec::with_capacity(256),
                start_fen: None,
            },
        }
    }

    /// Reads drawn games too. Those without a result are skipped all the same: they may be cut off.
    pub fn with_draws(self) -> Games {
        Games {
            draws: true,
            ..self
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of the last game that was read, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.reader.number()
    }

    /// Line on which that game begins, from 1.
    pub fn line(&self) -> u64 {
        self.reader.line()
    }

    /// The next game or the reason why it is skipped; `None` at the end of the file.
    ///
    /// # Errors
    /// The file can't be read on: disk error, or the compressed data are damaged or cut off.
    pub fn next_game(&mut self) -> Result<Option<Result<&Game, Skipped>>, PgnError> {
        match self.read() {
            Ok(None) => Ok(None),
            Ok(Some(Ok(()))) => Ok(Some(Ok(&self.game))),
            Ok(Some(Err(skipped))) => Ok(Some(Err(skipped))),
            Err(cause) => Err(PgnError {
                path: self.path.clone(),
                game: self.reader.number(),
                line: self.reader.line(),
                cause,
            }),
        }
    }

    /// Why a game is skipped, with its place.
    pub fn describe(&self, skipped: &Skipped) -> String {
        format!(
            "{}: line {}: game {} {}: {}",
            self.path.display(),
            self.line(),
            self.number(),
            skipped.reason.label(),
            skipped.detail
        )
    }

    fn read(&mut self) -> io::Result<Option<Result<(), Skipped>>> {
        self.game.clear();
        let mut head = Head {
            draws: self.draws,
            ..Head::default()
        };
        let tags = &mut self.game.tags;
        match self
            .reader
            .next_game(|name, value| head.tag(tags, name, value))?
        {
            None => return Ok(None),
            Some(Err(skipped)) => return Ok(Some(Err(skipped))),
            Some(Ok(())) => {}
        }
        let mut position = match head.start(self.min_elo, &self.game.tags) {
            Ok(start) => start,
            Err(skipped) => return Ok(Some(Err(skipped))),
        };
        self.game.start_from(&position);
        loop {
            match self.reader.next_move(&mut position)? {
                Ok(Some(_)) if self.game.moves.len() >= MAX_PLIES => {
                    let detail = format!("more than {MAX_PLIES} plies");
                    return Ok(Some(skip(SkipReason::TooLong, detail)));
                }
                Ok(Some(mv)) => self.game.moves.push(mv),
                Ok(None) => break,
                Err(skipped) => return Ok(Some(Err(skipped))),
            }
        }
        let winner = self.winner(head.verdict, &position);
        Ok(Some(winner.map(|winner| self.game.winner = winner)))
    }

    /// Who has won, if anybody has, by the tag and by the end of the moves.
    fn winner(&self, tag: Option<ResultText>, last: &Chess) -> Result<Option<Color>, Skipped> {
        use ResultText::{Black, Draw, Unknown, White};
        let color = |result| match result {
            White => Some(Some(Color::White)),
            Black => Some(Some(Color::Black)),
            Draw if self.draws => Some(None),
            Draw | Unknown => None,
        };
        let told = tag.filter(|tag| *tag != Unknown);
        let reason = match (told, self.reader.end()) {
            // `*` behind the moves only ends them: some programs write it whatever the tag says.
            (Some(result), Some(End::Result(Unknown))) | (None, Some(End::Result(result))) => {
                match (color(result), result) {
                    (Some(winner), _) => return Ok(winner),
                    (None, Draw) => SkipReason::Draw,
                    (None, _) => SkipReason::NoResult,
                }
            }
            (Some(result), Some(End::Result(end))) => match color(result) {
                Some(winner) if result == end => return Ok(winner),
                _ => SkipReason::ResultsDiffer,
            },
            (None, _) => SkipReason::NoResult,
            // The result stands in the tag alone. A word that touches the end of the file may be cut off.
            (Some(result), end) => {
                let is_whole = match end {
                    Some(End::File { is_whole }) => is_whole || last.is_checkmate(),
                    _ => true,
                };
                match color(result) {
                    Some(winner) if is_whole && !self.game.moves.is_empty() => return Ok(winner),
                    _ => SkipReason::Unfinished,
                }
            }
        };
        let detail = match reason {
            SkipReason::NoResult if !matches!(self.reader.end(), Some(End::Result(_))) => {
                format!("no result after {} plies", self.game.moves.len())
            }
            SkipReason::Unfinished => format!("no result after {} plies", self.game.moves.len()),
            SkipReason::ResultsDiffer => "the tag and the end of the moves".to_string(),
            _ => String::new(),
        };
        skip(reason, detail)
    }
}

fn skip<T>(reason: SkipReason, detail: String) -> Result<T, Skipped> {
    Err(Skipped { reason, detail })
}

impl Game {
    fn clear(&mut self) {
        let tags = &mut self.tags;
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
        self.moves.clear();
        self.start_fen = None;
    }

    fn start_from(&mut self, start: &Chess) {
        if *start != Chess::default() {
            let fen = Fen::from_position(start, EnPassantMode::Legal);
            self.start_fen = Some(fen.to_string());
        }
        self.start = start.clone();
    }
}

/// What a tag Result says, with whatever dashes.
pub fn result_of_tag(value: &[u8]) -> ResultText {
    let result = engine::san::fold(&decoded(value)).trim().to_string();
    ResultText::parse(result.as_bytes()).unwrap_or(ResultText::Unknown)
}

/// Whether a tag Variant means chess.
pub fn is_chess(variant: &str) -> bool {
    let name = variant.trim().to_ascii_lowercase();
    matches!(
        name.as_str(),
        "" | "standard" | "chess" | "normal" | "from position"
    )
}

/// What the tags say beside names.
#[derive(Default)]
struct Head {
    /// Whether drawn games count.
    draws: bool,
    verdict: Option<ResultText>,
    variant: Option<String>,
    fen: Option<String>,
}

impl Head {
    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: &[u8]) {
        // Most games of strong players are drawn: their other tags aren't even looked at.
        if self.is_unwanted_draw() {
            return;
        }
        let text = || decoded(&unescaped(value)).into_owned();
        let part = match name {
            b"White" => &mut tags.white,
            b"Black" => &mut tags.black,
            b"Event" => &mut tags.event,
            b"Date" => &mut tags.date,
            b"Round" => &mut tags.round,
            b"WhiteElo" => return tags.white_elo = elo(value),
            b"BlackElo" => return tags.black_elo = elo(value),
            b"Result" => return self.verdict = Some(result_of_tag(value)),
            b"Variant" => return self.variant = Some(text()),
            b"FEN" => return self.fen = Some(text()),
            _ => return,
        };
        part.clear();
        part.extend_from_slice(&unescaped(value));
    }

    fn is_unwanted_draw(&self) -> bool {
        !self.draws && self.verdict == Some(ResultText::Draw)
    }

    /// The position to begin from, if the game is one that is looked for.
    fn start(&self, min_elo: Option<u16>, tags: &Tags) -> Result<Chess, Skipped> {
        if self.is_unwanted_draw() {
            return skip(SkipReason::Draw, String::new());
        }
        if let Some(variant) = self.variant.as_deref().filter(|name| !is_chess(name)) {
            return skip(SkipReason::Variant, variant.chars().take(40).collect());
        }
        if let Some(min_elo) = min_elo {
            match (tags.white_elo, tags.black_elo) {
                (Some(white), Some(black)) if white.min(black) >= min_elo => {}
                (Some(_), Some(_)) => return skip(SkipReason::LowElo, String::new()),
                _ => return skip(SkipReason::Unrated, String::new()),
            }
        }
        match &self.fen {
            None => Ok(Chess::default()),
            Some(fen) => position(fen).or_else(|problem| skip(SkipReason::BadFen, problem)),
        }
    }
}

/// The position of a FEN, if the engine and shakmaty both take it for legal.
fn position(fen: &str) -> Result<Chess, String> {
    let position = engine::position::Position::from_fen(fen).map_err(|error| error.to_string())?;
    let parsed =
        Fen::from_ascii(position.to_fen().as_bytes()).map_err(|error| error.to_string())?;
    (parsed.into_position(CastlingMode::Standard)).map_err(|error| error.to_string())
}

/// A tag's value without the backslashes before quotes and backslashes.
pub fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(&next @ (b'\\' | b'"'))) => {
                plain.push(next);
                bytes.next();
            }
            _ => plain.push(byte),
        }
    }
    Cow::Owned(plain)
}

/// A rating; `?`, `-`, `0` and nonsense are none.
fn elo(value: &[u8]) -> Option<u16> {
    let number = str::from_utf8(value).ok()?.trim().parse().ok()?;
    (100..=4000).contains(&number).then_some(number)
}
