//! Endgame tables for tests: made-up ones, which are always there, and real ones, which are not.
//!
//! A Syzygy file may say the same of all its positions: such a file is 80 bytes long, and it is
//! valid whether it tells the truth or not. With a table that is wrong on purpose a test sees who
//! believes it. (The format is Ronald de Man's; <https://github.com/syzygy1/tb>.)

use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of tables, which goes when this does.
pub struct Tables {
    folder: TempDir,
}

impl Tables {
    /// An empty folder.
    #[allow(clippy::new_without_default)] // It makes a folder; that is no default of anything.
    pub fn new() -> Tables {
        let folder = tempfile::tempdir().unwrap();
        Tables { folder }
    }

    /// Tables with results and, if asked for, with distances.
    pub fn of(tables: &[(&str, i8)], with_distances: bool) -> Tables {
        let made = Tables::new();
        for &(material, result) in tables {
            made.write(&format!("{material}.rtbw"), &results(material, result));
            if with_distances {
                made.write(&format!("{material}.rtbz"), &distances(material));
            }
        }
        made
    }

    /// Puts a file there.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The bytes of a table, as `KQvK.rtbw`, by which the first side has this result in all positions:
/// 2 for a win, 1 for one that the fifty-move rule takes away, 0 for a draw, and so on down to -2.
pub fn results(material: &str, result: i8) -> Vec<u8> {
    let [own, other] = [2 + result, 2 - result].map(|value| value as u8);
    constant(
        [0x71, 0xe8, 0x23, 0x5d],
        material,
        &[[SINGLE_VALUE, own], [SINGLE_VALUE, other]],
    )
}

/// The bytes of a table, as `KQvK.rtbz`, by which the first side, if it wins and has the move, can
/// take something or move a pawn at once. Readers look one ply ahead for the other side's distance.
pub fn distances(material: &str) -> Vec<u8> {
    const IN_PLIES: u8 = 4 | 8;
    let values = [[SINGLE_VALUE | IN_PLIES, 0]];
    constant([0xd7, 0x66, 0x0c, 0xa5], material, &values)
}

const SINGLE_VALUE: u8 = 0x80;

/// A table that has the same values in each of its parts: one part, or one for each file of a pawn.
fn constant(magic: [u8; 4], material: &str, values: &[[u8; 2]]) -> Vec<u8> {
    const BLACK: u8 = 8;
    let mut color = 0;
    let mut pieces = Vec::new();
    for letter in material.chars() {
        match "PNBRQK".find(letter) {
            Some(kind) => pieces.push(color | (1 + kind as u8)),
            None => color = BLACK,
        }
    }
    let pawn = pieces.iter().position(|piece| piece & !BLACK == 1);
    // A pawn comes first, and the rest in any order.
    pieces.swap(0, pawn.unwrap_or(0));
    let parts = if pawn.is_some() { 4 } else { 1 };
    // Where both sides have the same men, there is nothing to tell apart by who is to move.
    let is_split = material
        .split_once('v')
        .is_none_or(|(own, other)| own != other);
    let values = if is_split { values } else { &values[..1] };
    let layout = u8::from(is_split) | (u8::from(pawn.is_some()) << 1);
    let mut bytes = magic.to_vec();
    bytes.push(layout);
    for _ in 0..parts {
        bytes.push(0);
        // The same pieces for both sides to move, half a byte for each.
        bytes.extend(pieces.iter().map(|piece| (piece << 4) | piece));
    }
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes.extend(std::iter::repeat_n(values, parts).flatten().flatten());
    // Readers tell a damaged file by its size.
    assert!(bytes.len() <= 80);
    bytes.resize(80, 0);
    bytes
}

/// A folder with the real tables of up to four pieces, if `EYAS_SYZYGY` names one; otherwise a
/// line on the terminal says that the test does nothing.
pub fn real_tables(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("EYAS_SYZYGY").map(PathBuf::from);
    if folder.is_none() {
        // What macros print is captured, and nobody would ever read it.
        let line = format!("skipped: {test} (EYAS_SYZYGY names no folder)\n");
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    folder
}
