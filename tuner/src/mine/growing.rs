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
    /// Length of its complete lines, in bytes.
    end: u64,
    /// The same without the last of them.
    end_before: u64,
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
        let ([end_before, end], found) = contents(&bytes, mark, settings)
            .with_context(|| format!("{shown}: can't be continued"))?;
        Ok(Growing {
            path: path.to_path_buf(),
            file,
            end,
            end_before,
            heading: format!("{}\n", settings.to_text_after(mark)),
            found,
        })
    }

    /// Gives up the last position, for it came with others that were torn; one, and before
    /// [`Growing::begin`].
    pub fn give_up_last(&mut self) {
        self.found.pop();
        self.end = self.end_before;
    }

    /// Cuts off a torn last line; a new file gets its first one.
    ///
    /// # Errors
    /// It can't be written.
    pub fn begin(&mut self) -> Result<()> {
        let cut = self.file.set_len(self.end);
        cut.and_then(|()| self.file.seek(SeekFrom::End(0)))
            .with_context(|| {
                format!(
                    "{}: can't be cut behind its last complete line",
                    self.path.display()
                )
            })?;
        match self.end {
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

/// Where a file's last two complete lines end, and the positions of all of them.
fn contents(bytes: &[u8], mark: &str, settings: &Settings) -> Result<([u64; 2], Vec<Epd>)> {
    let behind_line = |bytes: &[u8]| {
        let last = bytes.iter().rposition(|&byte| byte == b'\n');
        last.map_or(0, |at| at + 1)
    };
    let end = behind_line(bytes);
    let end_before = behind_line(&bytes[..end.saturating_sub(1)]);
    let text = str::from_utf8(&bytes[..end]).context("it is no text")?;
    let mut lines = (1..).zip(text.lines());
    let Some((_, heading)) = lines.next() else {
        // A torn first line of ours may go; anything else may not.
        let torn = mark.as_bytes().starts_with(bytes) || bytes.starts_with(mark.as_bytes());
        ensure!(
            torn,
            "it doesn't say with which settings it was made; choose another --out"
        );
        return Ok(([0; 2], Vec::new()));
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
    Ok(([end_before as u64, end as u64], found))
}
