//! A file of EPD lines that an engine's work fills bit by bit: its first line says how it is made,
//! and who finds it unfinished goes on behind its last complete line.

use crate::base::files::{refuse_packed_name, synced};
use crate::base::lock::{OwnFile, open_alone};
use crate::play::settings::Settings;
use anyhow::{Context as _, Result, bail, ensure};
use engine::epd::Epd;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The file, opened for this process alone.
#[derive(Debug)]
pub struct Growing {
    path: PathBuf,
    file: OwnFile,
    /// Where its complete lines end, in bytes: the first one, and that of each position found.
    ends: Vec<u64>,
    heading: String,
    /// The positions that it held when it was opened.
    pub found: Vec<Epd>,
    /// The last line of those that begin with `#`, but for the first one.
    pub comment: Option<String>,
}

/// What a file holds.
#[derive(Default)]
struct Contents {
    ends: Vec<u64>,
    found: Vec<Epd>,
    comment: Option<String>,
}

impl Growing {
    /// Opens a file and looks what it holds. Changes nothing in it.
    ///
    /// # Errors
    /// It can't be opened, is another process's, no such file, or one made with other settings;
    /// `mark` is what its first line begins with.
    pub fn open(path: &Path, mark: &str, settings: &Settings) -> Result<Growing> {
        refuse_packed_name(path)?;
        let shown = path.display();
        let mut file = open_alone(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("{shown}: can't be read"))?;
        let there = contents(&bytes, mark, settings)
            .with_context(|| format!("{shown}: can't be continued"))?;
        Ok(Growing {
            path: path.to_path_buf(),
            file,
            ends: there.ends,
            heading: format!("{}\n", settings.to_text(mark)),
            found: there.found,
            comment: there.comment,
        })
    }

    /// The number in the id of the last position, so many dots before its end; 0 if there is no position.
    ///
    /// # Errors
    /// The id is not of this form.
    pub fn last_number(&self, dots: usize, form: &str) -> Result<usize> {
        let Some(last) = self.found.last() else {
            return Ok(0);
        };
        let id = last.id.as_deref();
        let number = id.and_then(|id| id.rsplit('.').nth(dots)?.parse().ok());
        number
            .with_context(|| format!("the id of its last position is not {form}"))
            .with_context(|| format!("{}: can't be continued", self.path.display()))
    }

    /// Gives up the last position, for what came with it may be torn; before [`Growing::begin`].
    pub fn give_up_last(&mut self) {
        if self.found.pop().is_some() {
            self.ends.pop();
        }
    }

    /// Gives up all that it holds; before [`Growing::begin`].
    pub fn give_up_all(&mut self) {
        self.found.clear();
        self.ends.clear();
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
        let done = synced(&self.path, self.file.sync_all());
        done.with_context(|| format!("{}: can't be written", self.path.display()))
    }
}

/// Where a file's complete lines end, and the position of each but the first. Blank lines, which an
/// editor or `echo` may leave, are passed over, and so are comments.
fn contents(bytes: &[u8], mark: &str, settings: &Settings) -> Result<Contents> {
    let complete = bytes.iter().rposition(|&byte| byte == b'\n');
    let text = &bytes[..complete.map_or(0, |end| end + 1)];
    let text = str::from_utf8(text).context("it is no text")?;
    let mut end = 0;
    let lines = (1..).zip(text.split_inclusive('\n')).map(|(number, line)| {
        end += line.len() as u64;
        (number, end, line.trim())
    });
    let mut lines = lines.filter(|(_, _, line)| !line.is_empty());
    let Some((_, first, heading)) = lines.next() else {
        // A torn first line of ours may go; anything else may not.
        let rest = bytes.trim_ascii_start();
        let torn = mark.as_bytes().starts_with(rest) || rest.starts_with(mark.as_bytes());
        ensure!(
            torn,
            "it doesn't say with which settings it was made; choose another --out"
        );
        return Ok(Contents::default());
    };
    let Some(there) = Settings::parse(mark, heading) else {
        bail!("it doesn't say with which settings it was made; choose another --out");
    };
    let differences = there.differences(settings);
    ensure!(
        differences.is_empty(),
        "it was made with other settings:\n  {}",
        differences.join("\n  ")
    );
    let mut there = Contents {
        ends: vec![first],
        ..Contents::default()
    };
    for (number, end, line) in lines {
        if line.starts_with('#') {
            there.comment = Some(line.to_string());
            continue;
        }
        let epd = Epd::parse(line).with_context(|| format!("line {number}"))?;
        there.found.push(epd);
        there.ends.push(end);
    }
    Ok(there)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "# test: ";
    const LINES: [&str; 3] = [
        "# test: nodes=7\n",
        "7k/8/8/8/8/8/5q2/K7 b - - id \"a.1\";\n",
        "k7/8/1K6/8/8/8/8/7R b - - id \"a.2\";\n",
    ];

    /// Positions that a file of this text holds, and the text once it has been continued by nothing.
    fn continued(text: &str) -> Result<(usize, String)> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("x.epd");
        std::fs::write(&path, text)?;
        let mut settings = Settings::default();
        settings.push("nodes", 7);
        let mut file = Growing::open(&path, MARK, &settings)?;
        file.begin()?;
        Ok((file.found.len(), std::fs::read_to_string(&path)?))
    }

    #[test]
    fn blank_lines_are_passed_over_and_those_at_the_end_go() {
        let whole = LINES.concat();
        for end in [
            "", "\n", "# end\n", " \t\r\n", "\n\n", "  ", "\n 7k/8", "\n\n\0\0",
        ] {
            let there = format!("{whole}{end}");
            assert_eq!(continued(&there).unwrap(), (2, whole.clone()), "{end:?}");
        }
        for blank in ["\n", " \n\t\n"] {
            let there = [blank, LINES[0], blank, LINES[1], LINES[2], blank].concat();
            let kept = there[..there.len() - blank.len()].to_string();
            assert_eq!(continued(&there).unwrap(), (2, kept), "{blank:?}");
            // Nothing but blank lines is a new file.
            assert_eq!(continued(blank).unwrap(), (0, LINES[0].to_string()));
        }
        let error = continued(&format!("{whole}\nword\n")).unwrap_err();
        assert!(format!("{error:#}").contains("line 5"), "{error:#}");
        assert!(continued("word").is_err() && continued("\nword\n").is_err());
    }
}
