//! EPD files → problems: training positions and test suites. Plain, gzip or zstd.
//! Imports the engine's EPD and [`super::source`].

use super::source::{Source, SourceError};
use engine::epd::{Epd, EpdError};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Longest line, in bytes: a file of something else must not be read into memory whole.
const MAX_LINE: u64 = 1 << 14;

/// A position with what solves it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position, its moves and operations.
    pub epd: Epd,
    /// Its line in the file, from 1.
    pub line: usize,
}

/// What a line must say to be a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing but a position.
    Position,
    /// `bm` or `am`.
    Solution,
    /// `bm`: the move that was played.
    BestMove,
}

/// Why an EPD file is refused.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file can't be opened or is no text.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Reading fails on the way.
    #[error("{}: line {line}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What the system or the decompressor said.
        cause: std::io::Error,
    },
    /// The line is not UTF-8, too long, or lacks what is needed.
    #[error("{}: line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The line is no EPD.
    #[error("{}: line {line}: {cause}", path.display())]
    Epd {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong.
        cause: EpdError,
    },
    /// Blank lines and comments only.
    #[error("{}: the file has no position", .0.display())]
    NoPosition(PathBuf),
}

/// Reads an EPD file; blank lines and those that begin with `#` are passed over.
///
/// # Errors
/// The first line that is no EPD or lacks what is needed, or a file without any.
pub fn read_epd(path: impl AsRef<Path>, needs: Needs) -> Result<Vec<Problem>, SuiteError> {
    read_source(Source::open(path)?, needs)
}

/// Like [`read_epd`], from an open source.
///
/// # Errors
/// As [`read_epd`].
pub fn read_source(source: Source, needs: Needs) -> Result<Vec<Problem>, SuiteError> {
    let path = source.path().to_path_buf();
    let mut reader = BufReader::new(source);
    let mut problems = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = reader
            .by_ref()
            .take(MAX_LINE + 1)
            .read_until(b'\n', &mut bytes);
        match read {
            Ok(0) => break,
            Ok(_) => {}
            Err(cause) => return Err(SuiteError::Io { path, line, cause }),
        }
        let refuse = |problem: String| SuiteError::Line {
            path: path.clone(),
            line,
            problem,
        };
        if bytes.len() as u64 > MAX_LINE {
            return Err(refuse(format!(
                "longer than {MAX_LINE} bytes, which is no EPD"
            )));
        }
        let text = match str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => {
                return Err(refuse(format!(
                    "byte {} is no UTF-8",
                    1 + error.valid_up_to()
                )));
            }
        };
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let epd = Epd::parse(text).map_err(|cause| SuiteError::Epd {
            path: path.clone(),
            line,
            cause,
        })?;
        let missing = match needs {
            Needs::Position => None,
            Needs::Solution => (!epd.has_solution()).then_some("neither bm nor am"),
            Needs::BestMove => epd.best.is_empty().then_some("no bm (best move)"),
        };
        if let Some(missing) = missing {
            return Err(refuse(format!("the position has {missing}")));
        }
        problems.push(Problem { epd, line });
    }
    if problems.is_empty() {
        return Err(SuiteError::NoPosition(path));
    }
    Ok(problems)
}
