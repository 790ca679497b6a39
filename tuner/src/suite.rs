//! A file of positions with the moves that solve them (EPD), read for scoring.
//!
//! Lines are read one by one and none may be longer than [`MAX_LINE`], so memory is bounded by
//! the number of positions whatever the file holds.

use crate::files::{FileError, hex};
use engine::epd::{Epd, EpdError};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Longest line that is read, in bytes.
pub const MAX_LINE: u64 = 16 * 1024;

/// Positions of a file, in its order.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file, as an absolute path.
    pub path: PathBuf,
    /// SHA-256 of the whole file, in hexadecimal.
    pub sha256: String,
    /// The positions, each with at least one move in `bm` or `am`.
    pub problems: Vec<Epd>,
}

/// Why a suite is refused.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file can't be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is no position with a solution.
    #[error("{}: line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// The file has fewer positions than were asked for.
    #[error("{}: has {found} positions, expected {expected}", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// Positions in it.
        found: usize,
        /// Positions that were asked for.
        expected: String,
    },
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// No EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// No UTF-8.
    #[error("is no UTF-8 text")]
    Encoding,
    /// Too long to be a position.
    #[error("is longer than {MAX_LINE} bytes")]
    Length,
    /// Nothing to solve.
    #[error("has neither bm nor am, so nothing solves it")]
    NoSolution,
}

impl Suite {
    /// Reads the first `count` positions of a file, or all. Empty lines and those that start
    /// with `#` are skipped.
    ///
    /// # Errors
    /// The first line that is no position with a solution; too few positions, or none.
    pub fn load(path: &Path, count: Option<usize>) -> Result<Suite, SuiteError> {
        let absolute = path.canonicalize().map_err(FileError::of("read", path))?;
        let file = File::open(path).map_err(FileError::of("read", path))?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut hash = Sha256::new();
        let mut problems = Vec::new();
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            let length = reader
                .by_ref()
                .take(MAX_LINE + 1)
                .read_until(b'\n', &mut bytes)
                .map_err(FileError::of("read", path))?;
            if length == 0 {
                break;
            }
            hash.update(&bytes);
            // Lines beyond the count belong to the digest alone.
            if count.is_some_and(|count| problems.len() >= count) {
                continue;
            }
            match parse_line(&bytes) {
                Ok(problem) => problems.extend(problem),
                Err(problem) => {
                    return Err(SuiteError::Line {
                        path: path.to_path_buf(),
                        line,
                        problem,
                    });
                }
            }
        }
        if problems.len() < count.unwrap_or(1) {
            return Err(SuiteError::Count {
                path: path.to_path_buf(),
                found: problems.len(),
                expected: count.map_or("at least one".to_string(), |count| count.to_string()),
            });
        }
        Ok(Suite {
            path: absolute,
            sha256: hex(hash, 64),
            problems,
        })
    }

    /// The file's name without its folder.
    pub fn file_name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

fn parse_line(bytes: &[u8]) -> Result<Option<Epd>, LineProblem> {
    if bytes.len() as u64 > MAX_LINE {
        return Err(LineProblem::Length);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| LineProblem::Encoding)?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let problem = Epd::parse(text)?;
    if !problem.has_solution() {
        return Err(LineProblem::NoSolution);
    }
    Ok(Some(problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";

    fn load(bytes: &[u8], count: Option<usize>) -> Result<Suite, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.epd");
        std::fs::write(&path, bytes).unwrap();
        Suite::load(&path, count).map_err(|error| error.to_string())
    }

    #[test]
    fn positions_are_read_and_counted() {
        let text = format!("\u{feff}{LINE}\n# a comment\r\n{LINE}{LINE}");
        assert_eq!(load(text.as_bytes(), None).unwrap().problems.len(), 3);
        let two = load(text.as_bytes(), Some(2)).unwrap();
        assert_eq!(two.problems.len(), 2);
        assert_eq!(two.sha256, crate::files::sha256(text.as_bytes()));
        let error = load(text.as_bytes(), Some(4)).unwrap_err();
        assert!(error.ends_with("has 3 positions, expected 4"), "{error}");
    }

    #[test]
    fn bad_files_say_why() {
        let error = |bytes: &[u8]| load(bytes, None).unwrap_err();
        assert!(error(b"").ends_with("has 0 positions, expected at least one"));
        let text = format!("{LINE}4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";\n");
        assert!(error(text.as_bytes()).contains("line 2: has neither bm nor am"));
        let text = format!("{LINE}4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n");
        assert!(error(text.as_bytes()).contains("line 2: bm: \"e5\" is illegal"));
        assert!(error(b"\xff\xfe").contains("line 1: is no UTF-8"));
        assert!(error(&vec![b'x'; 1 << 20]).contains("line 1: is longer"));
        let missing = Suite::load(Path::new("/nowhere/x.epd"), None).unwrap_err();
        assert!(missing.to_string().contains("cannot read /nowhere/x.epd"));
    }

    proptest! {
        #[test]
        fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_line(&bytes);
        }
    }
}
