//! Opening books: EPD (a position a line), PGN (the first moves of each game) or Polyglot (a walk
//! through the book). Lines that can't be played are left out and counted, with the first of them
//! in words.
//!
//! A game's opening is a function of the seed and the game's number: lines in an order that the
//! seed shuffles, and again from the front when they are used up; walks by the book's weights.

use super::pgn::games::is_chess;
use super::pgn::reader::Reader;
use crate::base::files::{FileError, refuse_irregular, sha256};
use crate::base::statistics::counted;
use crate::play::openings::{Opening, below, game_rng};
use engine::book::{Book, BookError};
use engine::epd_lines::EpdLines;
use engine::kind::TextKind;
use engine::position::Position;
use engine::source::{Source, SourceError, decoded};
use rand_xoshiro::rand_core::Rng as _;
use std::collections::HashSet;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Bytes of an unpacked book at most.
const MOST_BYTES: u64 = 1 << 30;

/// Why a book is refused.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// It can't be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It can't be unpacked.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It is no Polyglot book.
    #[error("{}: {cause}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        cause: BookError,
    },
    /// Nothing in it can be played.
    #[error("{}: has no opening that can be played{}", path.display(), refused.as_deref().unwrap_or(""))]
    Empty {
        /// The file.
        path: PathBuf,
        /// The first line that was refused, and why.
        refused: Option<String>,
    },
}

/// An opening book.
#[derive(Clone, Debug)]
pub struct Openings {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Lines that were left out.
    pub refused: usize,
    /// Lines that lead to the position of another, and count once.
    pub repeated: usize,
    /// The first of those that can't be played, and why.
    pub first_refused: Option<String>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Lines to choose from.
    Lines(Arc<Vec<Opening>>),
    /// A Polyglot book and how many plies to walk in it.
    Walk(Arc<[u8]>, u32),
}

impl Openings {
    /// Opens a book; its kind is told by its name (`.bin` is Polyglot) and its first lines: games or
    /// positions, packed or not; by its name where they don't tell. Of games the first `plies` half moves count, or as many as there are; lines
    /// that lead to the same position count once.
    ///
    /// # Errors
    /// It can't be read, or nothing in it can be played.
    pub fn load(path: &Path, plies: u32) -> Result<Openings, OpeningsError> {
        // It is read twice.
        refuse_irregular("read", path)?;
        let raw = std::fs::read(path).map_err(FileError::of("read", path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_lowercase();
        let mut openings = Openings {
            path: path.to_path_buf(),
            sha256: sha256(&raw),
            refused: 0,
            repeated: 0,
            first_refused: None,
            kind: Kind::Walk(Arc::default(), plies),
        };
        if name.ends_with(".bin") {
            let bytes: Arc<[u8]> = raw.into();
            let book = |cause| OpeningsError::Book {
                path: path.to_path_buf(),
                cause,
            };
            let mut polyglot = Book::new(Cursor::new(Arc::clone(&bytes))).map_err(book)?;
            let first = polyglot.moves(&Position::startpos()).map_err(book)?;
            (openings.look_through(&mut polyglot, plies)).map_err(book)?;
            openings.kind = Kind::Walk(bytes, plies);
            return openings.unless(first.is_empty(), path);
        }
        let source = Source::open(path)?.limited(MOST_BYTES);
        let is_pgn = name.split('.').any(|part| part == "pgn");
        let kind = match is_pgn {
            true => TextKind::Games,
            false => TextKind::Positions,
        };
        let lines = match source.kind().unwrap_or(kind) {
            TextKind::Games => openings
                .read_games(source, plies)
                .map_err(FileError::of("read", path))?,
            _ => openings.read_positions(EpdLines::new(source)?),
        };
        let read = lines.len();
        let lines = distinct(lines);
        openings.repeated = read - lines.len();
        let is_empty = lines.is_empty();
        openings.kind = Kind::Lines(Arc::new(lines));
        openings.unless(is_empty, path)
    }

    fn unless(self, is_empty: bool, path: &Path) -> Result<Openings, OpeningsError> {
        match is_empty {
            false => Ok(self),
            true => Err(OpeningsError::Empty {
                path: path.to_path_buf(),
                refused: self.first_refused.map(|first| format!(": {first}")),
            }),
        }
    }

    /// How many openings there are to choose from, or entries of a Polyglot book.
    pub fn count(&self) -> usize {
        match &self.kind {
            Kind::Lines(lines) => lines.len(),
            Kind::Walk(bytes, _) => bytes.len() / 16,
        }
    }

    /// How many lines are no openings, in words.
    pub fn left_out(&self) -> Option<String> {
        let counts = [
            (self.refused, "a move that can’t be played"),
            (self.repeated, "the position of another line"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let texts: Vec<String> = counts
            .map(|(count, why)| format!("{} left out for {why}", counted(count, "line")))
            .collect();
        Some(texts.join(", ")).filter(|text| !text.is_empty())
    }

    /// How many different openings there are; `None` for the walks of a Polyglot book.
    pub fn lines(&self) -> Option<u64> {
        match &self.kind {
            Kind::Lines(lines) => Some(lines.len() as u64),
            Kind::Walk(..) => None,
        }
    }

    fn refuse(&mut self, line: u64, why: impl std::fmt::Display) {
        self.refused += 1;
        let first = || format!("line {line}: {why}");
        self.first_refused.get_or_insert_with(first);
    }

    /// Goes to all positions that a walk can come to, and counts the illegal moves there.
    fn look_through(
        &mut self,
        book: &mut Book<Cursor<Arc<[u8]>>>,
        plies: u32,
    ) -> Result<(), BookError> {
        let start = Position::startpos();
        let mut seen = HashSet::from([start.key()]);
        let mut positions = vec![start];
        for _ in 0..plies {
            let mut next = Vec::new();
            for position in &positions {
                let illegal = book.illegal(position)?;
                if illegal > 0 {
                    self.refused += illegal;
                    let first = || format!("an illegal move for {}", position.to_fen());
                    self.first_refused.get_or_insert_with(first);
                }
                let moves = book.moves(position)?;
                let played = moves.iter().map(|known| position.play(known.mv));
                next.extend(played.filter(|after| seen.insert(after.key())));
            }
            positions = next;
        }
        Ok(())
    }

    fn read_positions(&mut self, mut positions: EpdLines) -> Vec<Opening> {
        let mut lines = Vec::new();
        while let Some((number, read)) = positions.next_position() {
            match read {
                Ok(epd) if !epd.position.has_legal_move() => {
                    self.refuse(number, "the game is over");
                }
                Ok(epd) => lines.push(Opening {
                    start: epd.position,
                    moves: Vec::new(),
                }),
                Err(error) => self.refuse(number, error),
            }
        }
        lines
    }

    /// The first moves of each game. What stands behind them is not played, but it must be moves: where
    /// it is not, the first ones may mean something else too.
    fn read_games(&mut self, text: Source, plies: u32) -> io::Result<Vec<Opening>> {
        let mut lines = Vec::new();
        let mut reader = Reader::new(text);
        loop {
            let (mut fen, mut variant) = (None, None);
            let on_tag = |name: &[u8], value: &[u8]| match name {
                b"FEN" => fen = Some(decoded(value).into_owned()),
                b"Variant" => variant = Some(decoded(value).into_owned()),
                _ => {}
            };
            let Some(begun) = reader.next_game(on_tag)? else {
                return Ok(lines);
            };
            let number = reader.moves_line();
            if let Some(variant) = variant.filter(|name| !is_chess(name)) {
                self.refuse(number, format!("a game of the variant {variant:?}"));
                continue;
            }
            let start = fen
                .as_deref()
                .map_or_else(|| Ok(Position::startpos()), Position::from_fen);
            let start = match (begun, start) {
                (Ok(()), Ok(start)) => start,
                (Err(skipped), _) => {
                    self.refuse(number, skipped.detail);
                    continue;
                }
                (_, Err(error)) => {
                    self.refuse(number, error);
                    continue;
                }
            };
            match opening(&mut reader, start, plies)? {
                Err(why) => self.refuse(number, why),
                Ok((opening, _)) if !opening.game().position().has_legal_move() => {
                    self.refuse(number, "the game is over");
                }
                // Tags without a move say nothing, unless it is where to begin.
                Ok((opening, is_all)) if opening.moves.is_empty() && is_all && fen.is_none() => {}
                Ok((opening, _)) => lines.push(opening),
            }
        }
    }

    /// The opening of the game with this number.
    pub fn draw(&self, seed: u64, number: u64) -> Opening {
        match &self.kind {
            Kind::Lines(lines) => {
                let count = lines.len().max(1) as u64;
                let place = shuffled(number % count, count, seed);
                lines
                    .get(place as usize)
                    .cloned()
                    .unwrap_or_else(|| Opening::from_startpos(Vec::new()))
            }
            Kind::Walk(bytes, plies) => walk(bytes, *plies, seed, number),
        }
    }
}

/// The first of all lines that lead to the same position: from games many begin alike, and at fixed
/// nodes the same opening is the same game once more.
fn distinct(mut lines: Vec<Opening>) -> Vec<Opening> {
    let mut seen = HashSet::new();
    lines.retain(|line| seen.insert(line.game().position().key()));
    lines
}

/// Where a place is in an order that the seed shuffles: the images of all places are all places.
/// (A Feistel network on the bits of the place, walked until it falls within the count.)
pub fn shuffled(place: u64, count: u64, seed: u64) -> u64 {
    let half = (64 - count.leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut at = place;
    loop {
        let (mut left, mut right) = (at >> half, at & mask);
        for round in 0..4 {
            let mixed = game_rng(seed ^ (round << 56), right).next_u64() & mask;
            (left, right) = (right, left ^ mixed);
        }
        at = left << half | right;
        if at < count {
            return at;
        }
    }
}

/// A walk through a Polyglot book by the weights of its moves.
fn walk(bytes: &Arc<[u8]>, plies: u32, seed: u64, number: u64) -> Opening {
    let mut opening = Opening::from_startpos(Vec::new());
    let mut position = opening.start;
    let mut rng = game_rng(seed, number);
    // Opened once already, so this can't fail.
    let Ok(mut book) = Book::new(Cursor::new(Arc::clone(bytes))) else {
        return opening;
    };
    for _ in 0..plies {
        let moves = book.moves(&position).unwrap_or_default();
        let total: usize = moves.iter().map(|known| known.weight as usize).sum();
        let mut left = below(&mut rng, total);
        let chosen = moves.iter().find(|known| {
            let weight = known.weight as usize;
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        });
        let Some(chosen) = chosen else { break };
        let next = position.play(chosen.mv);
        if !next.has_legal_move() {
            break;
        }
        opening.moves.push(chosen.mv);
        position = next;
    }
    opening
}

/// The first moves of a game, and whether there are no others.
fn opening<R: io::Read>(
    reader: &mut Reader<R>,
    start: Position,
    plies: u32,
) -> io::Result<Result<(Opening, bool), String>> {
    let mut position = start;
    let mut moves = Vec::new();
    while moves.len() < plies as usize {
        match reader.next_move(&mut position)? {
            Ok(Some(mv)) => moves.push(mv),
            Ok(None) => return Ok(Ok((Opening { start, moves }, true))),
            Err(skipped) => return Ok(Err(skipped.detail)),
        }
    }
    let rest = reader.check_rest()?;
    Ok(match rest {
        Ok(count) => Ok((Opening { start, moves }, count == 0)),
        Err(skipped) => Err(skipped.detail),
    })
}

#[cfg(test)]
mod tests;
