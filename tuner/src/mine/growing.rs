//! A file of EPD lines that an engine's work fills bit by bit: its first line says how it is made,
//! and who finds it unfinished goes on behind its last complete line.

use crate::files::open_alone;
use crate::play::settings::Settings;
use anyhow::{Context as _, Result, bail, ensure};
use engine::epd::Epd;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The file, opened for this process alone.
#[derive(Debug)]
pub struct Growing {
    path: PathBuf,
    file: File,
    /// Where its complete lines end, in bytes: the first one, and that of each position found.
    ends: Vec<u64>,
    heading: String,
    /// The positions that it held when it was opened.
    pub found: Vec<Epd>,
}

impl Growing {
    /// Opens a file and looks what it holds. Changes nothing in it.
    ///
    /// # Errors
    /// It can't be opened, is another process's, no such file, or one made with other settings;
    /// `mark` is what its first line begins with.
    pub fn open(path: &Path, mark: &str, settings: &Settings) -> Result<Growing> {
        let shown = path.display();
        let mut file = open_alone(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("{shown}: can't be read"))?;
        let (ends, found) = contents(&bytes, mark, settings)
            .with_context(|| format!("{shown}: can't be continued"))?;
        Ok(Growing {
            path: path.to_path_buf(),
            file,
            ends,
            heading: format!("{}\n", settings.to_text_after(mark)),
            found,
        })
    }

    /// Gives up the last position, for what came with it may be torn; before [`Growing::begin`].
    pub fn give_up_last(&mut self) {
        if self.found.pop().is_some() {
            self.ends.pop();
        }
    }

    /// Length of what is complete, in bytes.
    fn end(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Cuts off a torn last line; a new file gets its first one.
    ///
    /// # Errors
    /// It can't be written.
    pub fn begin(&mut self) -> Result<()> {
        let cut = self.file.set_len(self.end());
        cut.and_then(|()| self.file.seek(SeekFrom::End(0)))
            .with_context(|| {
                format!(
                    "{}: can't be cut behind its last complete line",
                    self.path.display()
                )
            })?;
        match self.end() {
            0 => self.write(&self.heading.clone()),
            _ => Ok(()),
        }
    }

    /// Adds whole lines. What is one call is in the file as a whole or, after a kill, with one
    /// line torn.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write(&mut self, lines: &str) -> Result<()> {
        let written = self.file.write_all(lines.as_bytes());
        written.with_context(|| format!("{}: can't be written", self.path.display()))
    }

    /// Waits until all is on disk.
    ///
    /// # Errors
    /// It can't be written.
    pub fn finish(&self) -> Result<()> {
        let synced = self.file.sync_all();
        synced.with_context(|| format!("{}: can't be written", self.path.display()))
    }
}

/// Where a file's complete lines end, and the position of each but the first.
fn contents(bytes: &[u8], mark: &str, settings: &Settings) -> Result<(Vec<u64>, Vec<Epd>)> {
    let places = (1..).zip(bytes).filter(|(_, byte)| **byte == b'\n');
    let ends: Vec<u64> = places.map(|(end, _)| end).collect();
    let end = ends.last().map_or(0, |&end| end as usize);
    let text = str::from_utf8(&bytes[..end]).context("it is no text")?;
    let mut lines = (1..).zip(text.lines());
    let Some((_, heading)) = lines.next() else {
        // A torn first line of ours may go; anything else may not.
        let torn = mark.as_bytes().starts_with(bytes) || bytes.starts_with(mark.as_bytes());
        ensure!(
            torn,
            "it doesn't say with which settings it was made; choose another --out"
        );
        return Ok((ends, Vec::new()));
    };
    let Some(there) = Settings::parse_after(mark, heading) else {
        bail!("it doesn't say with which settings it was made; choose another --out");
    };
    let differences = there.differences(settings);
    ensure!(
        differences.is_empty(),
        "it was made with other settings:\n  {}",
        differences.join("\n  ")
    );
    let mut found = Vec::new();
    for (number, line) in lines {
        found.push(Epd::parse(line).with_context(|| format!("line {number}"))?);
    }
    Ok((ends, found))
}
