//! Opening books in Polyglot's format (<http://hgm.nubati.net/book_format.html>).
//!
//! A book is a sorted file of entries of 16 bytes, all numbers big-endian: the position's key
//! (8), a move (2), its weight (2) and four bytes for learning, which are not used. It is searched
//! in place, so a book of any size takes no memory.

use crate::bridge::polyglot_key;
use crate::position::Position;
use crate::types::{Move, Piece, Square};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use thiserror::Error;

const ENTRY_BYTES: u64 = 16;

/// More moves than a position can have are not read: such a book is damaged.
const MOST_MOVES: u64 = 256;

/// Why a file is no book, or can't be read any more.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file can't be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file's length can't be that of a book.
    #[error("{0} bytes are no whole number of entries of 16 bytes; expected a Polyglot book")]
    Length(u64),
}

/// A move of the book that is legal in the position, and its weight: how much it is to be
/// preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its weight, above zero: the sum of those of all its entries.
    pub weight: u32,
}

/// An opening book.
pub struct Book<F = File> {
    source: F,
    entries: u64,
}

/// One entry as stored.
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl Book {
    /// Opens a file.
    ///
    /// # Errors
    /// If it can't be read or is no book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        // Asked first: to open a pipe would take as long as nobody writes to it.
        let metadata = path.metadata()?;
        if metadata.is_dir() {
            return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory).into());
        }
        if !metadata.is_file() {
            return Err(std::io::Error::other("is no file").into());
        }
        Book::new(File::open(path)?)
    }
}

impl<F: Read + Seek> Book<F> {
    /// A book in anything that can be read at any place.
    ///
    /// # Errors
    /// If its length can't be that of a book.
    pub fn new(mut source: F) -> Result<Book<F>, BookError> {
        let bytes = source.seek(SeekFrom::End(0))?;
        if bytes == 0 || bytes % ENTRY_BYTES != 0 {
            return Err(BookError::Length(bytes));
        }
        Ok(Book {
            source,
            entries: bytes / ENTRY_BYTES,
        })
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The book's moves in a position, the greatest weight first. Moves that are illegal here or
    /// have no weight are left out; one that is entered several times counts with the sum.
    ///
    /// # Errors
    /// If the file can't be read any more.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.entries_of(position)? {
            let Some(mv) = decode(entry.mv, position) else {
                continue;
            };
            // No sum of [`MOST_MOVES`] weights is too large.
            let weight = u32::from(entry.weight);
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight += weight,
                None => moves.push(BookMove { mv, weight }),
            }
        }
        moves.retain(|known| known.weight > 0);
        // Stable: of equal weights, the one that stands first in the file stays first.
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        Ok(moves)
    }

    /// How many entries a position has whose moves are illegal in it.
    ///
    /// # Errors
    /// If the file can't be read any more.
    pub fn illegal(&mut self, position: &Position) -> Result<usize, BookError> {
        let entries = self.entries_of(position)?.into_iter();
        let illegal = entries.filter(|entry| decode(entry.mv, position).is_none());
        Ok(illegal.count())
    }

    /// The entries of a position, as they stand in the file.
    fn entries_of(&mut self, position: &Position) -> Result<Vec<Entry>, BookError> {
        let mut entries = Vec::new();
        let Some(key) = polyglot_key(position) else {
            return Ok(entries);
        };
        let first = self.first_with(key)?;
        for number in first..self.entries.min(first + MOST_MOVES) {
            let entry = self.read(number)?;
            if entry.key != key {
                break;
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// Number of the first entry whose key is not less.
    fn first_with(&mut self, key: u64) -> Result<u64, BookError> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.read(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn read(&mut self, number: u64) -> Result<Entry, BookError> {
        self.source.seek(SeekFrom::Start(number * ENTRY_BYTES))?;
        let mut bytes = [0; ENTRY_BYTES as usize];
        self.source.read_exact(&mut bytes)?;
        let number = u128::from_be_bytes(bytes);
        Ok(Entry {
            key: (number >> 64) as u64,
            mv: (number >> 48) as u16,
            weight: (number >> 32) as u16,
        })
    }
}

/// A legal move from its 16 bits: to-file, to-rank, from-file, from-rank and promotion, three bits
/// each from the lowest. Castling is written as the king taking its own rook.
fn decode(bits: u16, position: &Position) -> Option<Move> {
    let three = |shift: u32| (bits >> shift & 7) as u8;
    let to = Square::at(three(0), three(3));
    let from = Square::at(three(6), three(9));
    let promotion = match three(12) {
        0 => None,
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => return None,
    };
    let written = Move::new(from, to, promotion);
    let mv = position.castling_by_rook(written).unwrap_or(written);
    // A king that goes two squares is not how books write it.
    let is_sound = position.is_castling(mv) == (mv != written);
    (position.is_legal(mv) && is_sound).then_some(mv)
}

/// Which of a book's moves to play: the first (the greatest weight), or with `random`, any
/// number, one in proportion to the weights.
pub fn choose(moves: &[BookMove], random: Option<u64>) -> Option<Move> {
    let first = moves.first()?;
    let Some(random) = random else {
        return Some(first.mv);
    };
    let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
    let mut left = random % total;
    for known in moves {
        match left.checked_sub(u64::from(known.weight)) {
            Some(rest) => left = rest,
            None => return Some(known.mv),
        }
    }
    Some(first.mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// An entry of a position, with a move in the book's own bits.
    fn entry(position: &Position, mv: u16, weight: u16) -> Vec<u8> {
        let key = polyglot_key(position).unwrap();
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend(mv.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    fn bits(from: &str, to: &str, promotion: u16) -> u16 {
        let square = |text| Square::parse(text).unwrap();
        let (from, to) = (square(from), square(to));
        u16::from(to.file())
            | u16::from(to.rank()) << 3
            | u16::from(from.file()) << 6
            | u16::from(from.rank()) << 9
            | promotion << 12
    }

    fn book(mut entries: Vec<Vec<u8>>) -> Book<Cursor<Vec<u8>>> {
        entries.sort_by(|a, b| a[..8].cmp(&b[..8]));
        Book::new(Cursor::new(entries.concat())).unwrap()
    }

    fn found(book: &mut Book<Cursor<Vec<u8>>>, position: &Position) -> Vec<(String, u32)> {
        let moves = book.moves(position).unwrap();
        let text = |known: &BookMove| (known.mv.to_string(), known.weight);
        moves.iter().map(text).collect()
    }

    #[test]
    fn moves_come_by_weight() {
        let start = Position::startpos();
        let castling = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let kings = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
        let promotion = Position::from_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let mut book = book(vec![
            entry(&start, bits("e2", "e4", 0), 3),
            entry(&start, bits("d2", "d4", 0), 9),
            entry(&start, bits("e2", "e5", 0), 99),
            entry(&start, bits("c2", "c4", 0), 0),
            entry(&start, bits("g1", "f3", 7), 5),
            entry(&castling, bits("e1", "h1", 0), 2),
            entry(&castling, bits("e1", "a1", 0), 1),
            // Without the right there is no castling, whatever the book says, and a king that
            // goes two squares is not how books write it.
            entry(&kings, bits("e1", "h1", 0), 1),
            entry(&castling, bits("e1", "g1", 0), 7),
            entry(&promotion, bits("a7", "a8", 4), 1),
        ]);
        assert_eq!(
            found(&mut book, &start),
            [("d2d4".into(), 9), ("e2e4".into(), 3)]
        );
        assert_eq!(
            found(&mut book, &castling),
            [("e1g1".into(), 2), ("e1c1".into(), 1)]
        );
        assert_eq!(found(&mut book, &kings), []);
        assert_eq!(found(&mut book, &promotion), [("a7a8q".into(), 1)]);
        let unknown = Position::from_fen("8/8/8/8/8/8/8/K1k5 w - - 0 1").unwrap();
        assert_eq!(found(&mut book, &unknown), []);
    }

    /// Books that were merged have a move as often as there were books.
    #[test]
    fn a_move_that_is_entered_several_times_counts_with_the_sum() {
        let start = Position::startpos();
        let mut twice = book(vec![
            entry(&start, bits("e2", "e4", 0), 5),
            entry(&start, bits("d2", "d4", 0), 3),
            entry(&start, bits("c2", "c4", 0), 0),
            entry(&start, bits("d2", "d4", 0), 3),
            entry(&start, bits("c2", "c4", 0), 1),
        ]);
        let expected = [("d2d4", 6), ("e2e4", 5), ("c2c4", 1)];
        let expected = expected.map(|(mv, weight)| (mv.to_string(), weight));
        assert_eq!(found(&mut twice, &start), expected);
        // More than an entry can hold.
        let heavy = entry(&start, bits("g1", "f3", 0), u16::MAX);
        let mut most = book(vec![heavy; 2 * MOST_MOVES as usize]);
        let sum = MOST_MOVES as u32 * u32::from(u16::MAX);
        assert_eq!(found(&mut most, &start), [("g1f3".into(), sum)]);
    }

    #[test]
    fn choices_are_by_weight() {
        let known = |text, weight| BookMove {
            mv: Move::parse_uci(text).unwrap(),
            weight,
        };
        let moves = [known("d2d4", 3), known("e2e4", 1)];
        assert_eq!(choose(&moves, None), Some(moves[0].mv));
        let counts = (0..400).filter(|&n| choose(&moves, Some(n)) == Some(moves[0].mv));
        assert_eq!(counts.count(), 300);
        assert_eq!(choose(&[], Some(1)), None);
    }

    #[test]
    fn what_is_no_book_is_refused() {
        for bytes in [0, 1, 15, 17, 1000] {
            assert!(Book::new(Cursor::new(vec![7u8; bytes])).is_err(), "{bytes}");
        }
        // Unsorted rubbish has no moves and does no harm.
        let rubbish: Vec<u8> = (0..16_000u32).map(|n| ((n * 7919) >> 3) as u8).collect();
        let mut book = Book::new(Cursor::new(rubbish)).unwrap();
        assert_eq!(found(&mut book, &Position::startpos()), []);
    }
}
