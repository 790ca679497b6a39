//! Files of positions: the one loop over the lines of an EPD file, plain or packed. Imports
//! [`crate::source`] and [`crate::epd`].

use crate::epd::{Epd, EpdError};
use crate::kind::TextKind;
use crate::source::{LineError, Lines, Source, SourceError};
use std::path::Path;
use thiserror::Error;

/// Why a line of a file is no position.
#[derive(Debug, Error)]
pub enum EpdLineError {
    /// It is no line of text.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It is no EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
}

/// The positions of a file, a line each; empty lines and those that begin with `#` are left out.
pub struct EpdLines {
    lines: Lines,
}

impl EpdLines {
    /// Opens a file.
    ///
    /// # Errors
    /// It can't be opened, is empty, no text, or text of another kind.
    pub fn open(path: &Path) -> Result<EpdLines, SourceError> {
        EpdLines::new(Source::open(path)?)
    }

    /// The same of a source.
    ///
    /// # Errors
    /// It is text of another kind.
    pub fn new(source: Source) -> Result<EpdLines, SourceError> {
        let lines = Lines::new(source.expecting(TextKind::Positions)?);
        Ok(EpdLines { lines })
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// The next position with the number of its line, from 1, or why that line is none.
    pub fn next_position(&mut self) -> Option<(u64, Result<Epd, EpdLineError>)> {
        loop {
            let (number, line) = self.lines.next_line()?;
            let read = match line {
                Err(error) => Err(error.into()),
                Ok(line) => match line.trim() {
                    text if text.is_empty() || text.starts_with('#') => continue,
                    text => Epd::parse(text).map_err(EpdLineError::from),
                },
            };
            return Some((number, read));
        }
    }
}
