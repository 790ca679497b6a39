//! Opening books: EPD (a position a line), PGN (the first moves of each game) or Polyglot (a walk
//! through the book). Lines that can't be played are left out and counted, with the first of them
//! in words.
//!
//! A game's opening is a function of the seed and the game's number: lines in an order that the
//! seed shuffles, and again from the front when they are used up; walks by the book's weights.

use super::pgn::games::is_chess;
use super::pgn::reader::Reader;
use crate::base::files::{FileError, refuse_irregular, sha256};
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
            (self.refused, "can’t be played"),
            (self.repeated, "lead to the position of another"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let texts: Vec<String> = counts
            .map(|(count, why)| format!("{count} line(s) that {why} left out"))
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
mod tests {
    use super::*;
    use engine::types::Move;

    fn load(name: &str, text: &[u8], plies: u32) -> Result<Openings, OpeningsError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Openings::load(&path, plies)
    }

    /// An entry of a Polyglot book: the key of the start, or after 1. e4.
    fn entry(key: u64, from: (u16, u16), to: (u16, u16), weight: u16) -> Vec<u8> {
        let mv = to.0 | to.1 << 3 | from.0 << 6 | from.1 << 9;
        let numbers = [
            &key.to_be_bytes()[..],
            &mv.to_be_bytes(),
            &weight.to_be_bytes(),
        ];
        [numbers.concat(), vec![0; 4]].concat()
    }

    #[test]
    fn walks_follow_a_polyglot_book_by_its_weights() {
        const START: u64 = 0x463b_9618_1691_fc9c;
        const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;
        let entries = [
            // What is entered several times counts with the sum.
            entry(START, (4, 1), (4, 3), 1),
            entry(START, (3, 1), (3, 3), 1),
            entry(START, (4, 1), (4, 3), 2),
            // A pawn that goes three squares, one that can't, and a move without weight.
            entry(START, (0, 1), (0, 4), 9),
            entry(AFTER_E4, (4, 6), (4, 4), 1),
            entry(AFTER_E4, (4, 6), (4, 2), 9),
            entry(AFTER_E4, (2, 6), (2, 4), 0),
        ];
        let book = load("b.bin", &entries.concat(), 2).unwrap();
        assert_eq!((book.count(), book.refused, book.lines()), (7, 2, None));
        let why = book.first_refused.clone().unwrap();
        assert!(why.contains("illegal move for rnbqkbnr/pppppppp"), "{why}");
        assert!(book.left_out().unwrap().starts_with("2 line(s)"));
        let mut counts = [0; 2];
        for number in 0..400 {
            let moves = book.draw(5, number).moves;
            assert_eq!(moves, book.draw(5, number).moves);
            let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
            let words: Vec<&str> = moves.iter().map(String::as_str).collect();
            match words[..] {
                ["e2e4", "e7e5"] => counts[0] += 1,
                ["d2d4"] => counts[1] += 1,
                _ => panic!("{moves:?}"),
            }
        }
        assert!((270..330).contains(&counts[0]), "{counts:?}");
        // What no walk comes to is not looked at.
        assert_eq!(load("b.bin", &entries.concat(), 1).unwrap().refused, 1);

        let empty = load("b.bin", &entry(START, (0, 1), (0, 4), 9), 2).unwrap_err();
        assert!(
            empty
                .to_string()
                .contains("no opening that can be played: an illegal")
        );
        assert!(load("b.bin", &entries.concat()[1..], 2).is_err());
    }

    #[test]
    fn illegal_lines_of_a_book_are_counted_and_left_out() {
        let pgn = "[Event \"a\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3! Nc6 $1 1/2-1/2\n\n\
                   [Event \"b\"]\n\n1. e4 e5 2. Ke3 d5 *\n\n\
                   [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1.e4 Kd7 1-0\n";
        let book = load("b.pgn", pgn.as_bytes(), 3).unwrap();
        assert_eq!((book.count(), book.refused), (2, 1));
        let why = book.first_refused.clone().unwrap();
        assert!(why.contains("line 7") && why.contains("Ke3"), "{why}");
        let drawn: Vec<Opening> = (0..2).map(|number| book.draw(1, number)).collect();
        let lengths: Vec<usize> = drawn.iter().map(|opening| opening.moves.len()).collect();
        assert!(lengths == [3, 2] || lengths == [2, 3], "{lengths:?}");
        assert_eq!(book.draw(1, 2), drawn[0]);

        // Another game than chess is none, whatever its moves.
        let variants = format!("{pgn}\n[Event \"d\"]\n[Variant \"Atomic\"]\n\n1. d4 d5 *\n");
        let book = load("b.pgn", variants.as_bytes(), 3).unwrap();
        assert_eq!((book.count(), book.refused), (2, 2));

        // Of openings that lead to the same position one is enough.
        let again = format!("{pgn}\n[Event \"d\"]\n\n1. Nf3 Nc6 2. e4 e5 *\n");
        let both = load("b.pgn", again.as_bytes(), 4).unwrap();
        assert_eq!((both.count(), both.refused), (2, 1));

        // A result ends a game without any tags, and the file may begin with a mark of its order of
        // bytes.
        let plain = "\u{feff}1. e4 ! e5 * 1. d4\n% not a move\nd5 2. c4 *\n\n1. c4 1/2-1/2";
        let book = load("b.pgn", plain.as_bytes(), 8).unwrap();
        assert_eq!((book.count(), book.refused), (3, 0), "{book:?}");
        let placed = "\u{feff}4k3/8/8/8/8/8/4P3/4K3 w - -\n";
        assert_eq!(load("b.epd", placed.as_bytes(), 8).unwrap().count(), 1);

        // Capitals make no other file of it, nor do blanks and remarks that some writers leave out or add.
        let remarks = "1. e4$1 a6$2 2. e5 d5?! 3. exd6 e.p. $14 *\n";
        let book = load("B.PGN", remarks.as_bytes(), 8).unwrap();
        assert_eq!((book.count(), book.refused), (1, 0), "{book:?}");
        assert_eq!(book.draw(1, 0).moves.len(), 5);

        // A position is an opening too, as is the start where no moves are wanted.
        let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]";
        let text = format!("[Event \"a\"]\n{fen}\n\n*\n\n[Event \"b\"]\n\n1. e4 *\n");
        for (plies, length) in [(8, 1), (0, 0)] {
            let book = load("b.pgn", text.as_bytes(), plies).unwrap();
            assert_eq!((book.count(), book.refused), (2, 0));
            let drawn = [book.draw(1, 0), book.draw(1, 1)];
            let longest = drawn.iter().map(|opening| opening.moves.len()).max();
            assert_eq!(longest, Some(length));
        }

        // What is never closed ends with its game, not with the file.
        for open in ["(1... c5 2. Nf3", "{good"] {
            let pgn = pgn.replace("Ke3", open);
            let book = load("b.pgn", pgn.as_bytes(), 3).unwrap();
            assert_eq!((book.count(), book.refused), (2, 1), "{open}");
            let why = book.first_refused.unwrap();
            assert!(why.contains("line 7") && why.contains("no end"), "{why}");
        }

        let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nnonsense\n";
        let book = load("b.epd", epd.as_bytes(), 8).unwrap();
        assert_eq!((book.count(), book.refused), (1, 1));
        let none = load("b.epd", b"nonsense\n", 8).unwrap_err().to_string();
        assert!(
            none.contains("no opening that can be played: line 1"),
            "{none}"
        );
        let book = load("b.bin", &[1; 15], 8).unwrap_err().to_string();
        assert!(book.contains("15 bytes"), "{book}");
        assert!(load("b.bin", &[1; 16], 8).is_err());
    }

    #[test]
    fn the_shuffled_order_has_every_place_once() {
        for count in [1, 2, 3, 7, 64, 1000] {
            let mut all: Vec<u64> = (0..count).map(|place| shuffled(place, count, 5)).collect();
            if count == 1000 {
                assert!(!all.is_sorted());
            }
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
