//! The journal of a run: what was decided at the start and the result of every finished task,
//! one JSON object a line, appended and synced.
//!
//! Everything else a run produces follows from it: the genetic algorithm is deterministic, so
//! going through it again with the journal's counts in place of evaluation restores every bit of
//! the state. A line is `{"sum":"…","record":{…}}`; the sum is the start of the SHA-256 of the
//! previous line's sum and this record, so lines can be neither altered nor removed nor
//! reordered unnoticed.
//!
//! A process killed while writing leaves an incomplete last line, which the next one cuts off, as it
//! does blank lines at the end, which an editor or `echo` left; damage anywhere else is refused. Readers take no lock.

mod any_path;
mod header;

pub use header::{DataFile, Header};

use crate::base::files::{FileError, hex, synced, write_atomically};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Version of the journal's format.
pub const FORMAT: u32 = 2;

/// Name of the journal in a run's folder.
pub const JOURNAL_NAME: &str = "journal.jsonl";

/// Hexadecimal digits of a line's sum: 64 bits.
const SUM_DIGITS: usize = 16;

/// A finished task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The phase that asked.
    pub phase: String,
    /// Which task of the phase.
    pub task: String,
    /// Digest of what the answer depends on beside profile and data: the individuals, say.
    pub of: String,
    /// The answer, in the form that the phase gives it.
    pub answer: Box<RawValue>,
    /// What went wrong on the way, if the task panicked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        let key = |record: &Record| (record.phase.clone(), record.task.clone(), record.of.clone());
        key(self) == key(other)
            && self.answer.get() == other.answer.get()
            && self.fault == other.fault
    }
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no journal.
    #[error("{}: {problem}", folder.display())]
    NoRun {
        /// Where one was looked for.
        folder: PathBuf,
        /// What is there instead.
        problem: String,
    },
    /// A line is damaged.
    #[error("{}: line {line}: {problem}", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The file is not there any more, or another one is.
    #[error(
        "{}: this file or its folder was removed, moved or replaced while the run was under way; \
         the run can't be saved there any more",
        path.display()
    )]
    Gone {
        /// Where the journal was.
        path: PathBuf,
    },
}

/// A journal as it is on disk.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The first record.
    pub header: Header,
    /// All others; record `i` is on line `i + 2`.
    pub records: Vec<Record>,
    /// Bytes up to the end of the last complete line.
    length: u64,
    /// Sum of the last complete line.
    sum: String,
}

/// Why there is nothing to read. A folder that is not a run's has often been mistyped, or is that of
/// one of the run's phases.
fn unread(path: &Path, cause: io::Error) -> JournalError {
    let folder = path.parent().unwrap_or(path);
    let is_missing = cause.kind() == io::ErrorKind::NotFound;
    if !is_missing && !folder.is_file() {
        return FileError::of("read", path)(cause).into();
    }
    // Without `..`, whose parent by name is the folder inside.
    let above = folder.canonicalize().unwrap_or_default();
    let above = above.parent().unwrap_or(folder);
    let problem = if folder.is_file() {
        "this is a file, expected the folder of a run".to_string()
    } else if !folder.is_dir() {
        "there is no such folder".to_string()
    } else if above.join(JOURNAL_NAME).is_file() {
        format!(
            "this is the folder of a phase; the run's is {}",
            above.display()
        )
    } else {
        format!("there is no run in this folder, which has no {JOURNAL_NAME}")
    };
    let folder = folder.to_path_buf();
    JournalError::NoRun { folder, problem }
}

/// Reads a journal without changing it; an incomplete last line is left out.
///
/// # Errors
/// The file can't be read, or a line that has its end is damaged.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let bytes = std::fs::read(path).map_err(|cause| unread(path, cause))?;
    let damaged = |line: usize, problem: String| JournalError::Line {
        path: path.to_path_buf(),
        line,
        problem,
    };
    let (mut header, mut records) = (None, Vec::new());
    let (mut length, mut sum) = (0, String::new());
    let lines = without_blank_end(&bytes).split_inclusive(|&byte| byte == b'\n');
    for (index, line) in lines.enumerate() {
        let Some((record, next_sum)) = checked_record(line, &sum) else {
            // The last line, of a process that was killed while it wrote it.
            let problem = match (line.ends_with(b"\n"), index) {
                (false, 1..) => break,
                (false, 0) if line.starts_with(b"{\"sum\":") => {
                    "has no end, so nothing had been done yet: remove the folder and begin again"
                }
                _ => "is damaged (its checksum is wrong); the journal can't be used",
            };
            return Err(damaged(index + 1, problem.into()));
        };
        if index == 0 {
            header = Some(parse_header(record).map_err(|problem| damaged(1, problem))?);
        } else {
            records.push(parse::<Record>(record).map_err(|problem| damaged(index + 1, problem))?);
        }
        length += line.len() as u64;
        sum = next_sum;
    }
    Ok(Contents {
        header: header.ok_or_else(|| damaged(1, "is empty, expected a journal: if nothing had been done yet, remove the folder and begin again".into()))?,
        records,
        length,
        sum,
    })
}

/// Text without the blank lines at its end, whether or not the last of them is complete.
fn without_blank_end(text: &[u8]) -> &[u8] {
    let said = text.trim_ascii_end().len();
    let end = text[said..].iter().position(|&byte| byte == b'\n');
    match end {
        _ if said == 0 => &[],
        Some(end) => &text[..said + end + 1],
        None => text,
    }
}

/// The record of a complete line and its sum, if the sum is right.
fn checked_record<'a>(line: &'a [u8], previous: &str) -> Option<(&'a str, String)> {
    let line = std::str::from_utf8(line).ok()?;
    let line = line.strip_suffix('\n')?;
    // Editors and transfers as text leave CR and LF; the sum is of what stands between.
    let line = line.strip_suffix('\r').unwrap_or(line);
    let rest = line.strip_prefix("{\"sum\":\"")?.strip_suffix('}')?;
    let (sum, record) = rest.split_once("\",\"record\":")?;
    (sum == checksum(previous, record)).then(|| (record, sum.to_string()))
}

fn checksum(previous: &str, record: &str) -> String {
    let sum = Sha256::new_with_prefix(previous).chain_update(record);
    hex(&sum.finalize()[..SUM_DIGITS / 2])
}

fn parse<T: DeserializeOwned>(record: &str) -> Result<T, String> {
    serde_json::from_str(record).map_err(|error| format!("is no record of this program: {error}"))
}

fn parse_header(record: &str) -> Result<Header, String> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    match parse::<Format>(record)?.format {
        FORMAT => parse(record),
        other => Err(format!("has format {other}, this program reads {FORMAT}")),
    }
}

/// A record as a line with its sum.
fn line_of(previous: &str, record: &impl Serialize) -> io::Result<(String, String)> {
    let record = serde_json::to_string(record)?;
    let sum = checksum(previous, &record);
    Ok((format!("{{\"sum\":\"{sum}\",\"record\":{record}}}\n"), sum))
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
    sum: String,
    records: usize,
    /// How long what is written may wait for the disk, and since when it is there.
    lag: Duration,
    synced: Instant,
    /// Records that the disk has.
    safe: usize,
}

impl Journal {
    /// Starts a journal. It appears whole, with its header, or not at all.
    ///
    /// # Errors
    /// It can't be written.
    pub fn create(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let (line, sum) = line_of("", header).map_err(FileError::of("write", path))?;
        write_atomically(path, line.as_bytes())?;
        Journal::open(path, line.len() as u64, sum, 0)
    }

    /// Goes on with a journal that was read; an incomplete last line is cut off.
    ///
    /// # Errors
    /// It can't be written.
    pub fn resume(path: &Path, contents: &Contents) -> Result<Journal, JournalError> {
        Journal::open(
            path,
            contents.length,
            contents.sum.clone(),
            contents.records.len(),
        )
    }

    /// Goes on with the same journal after it was cut to these contents.
    ///
    /// # Errors
    /// It can't be written.
    pub fn after_cut(&self, contents: &Contents) -> Result<Journal, JournalError> {
        Ok(Journal {
            lag: self.lag,
            ..Journal::resume(&self.path, contents)?
        })
    }

    fn open(
        path: &Path,
        length: u64,
        sum: String,
        records: usize,
    ) -> Result<Journal, JournalError> {
        let open = || {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        Ok(Journal {
            path: path.to_path_buf(),
            file: open().map_err(FileError::of("write", path))?,
            length,
            sum,
            records,
            lag: Duration::ZERO,
            synced: Instant::now(),
            safe: records,
        })
    }

    /// From now on a power cut may lose what was appended so long before it; a process that is killed loses nothing.
    pub fn lag(&mut self, lag: Duration) {
        self.lag = lag;
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// It can't be written.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        let synced = synced(&self.path, self.file.sync_data());
        self.synced = Instant::now();
        synced.map_err(FileError::of("write", &self.path))?;
        self.safe = self.records;
        Ok(())
    }

    /// Records behind the header that the disk has. Waits for it if others are there for as long as they may be.
    ///
    /// # Errors
    /// They can't be written.
    pub fn safe(&mut self) -> Result<usize, JournalError> {
        if self.safe < self.records && self.synced.elapsed() >= self.lag {
            self.sync()?;
        }
        Ok(self.safe)
    }

    /// Records behind the header.
    pub fn records(&self) -> usize {
        self.records
    }

    /// Appends finished tasks; once this returns, neither a crash nor a power cut loses them (but see
    /// [`lag`](Journal::lag)).
    ///
    /// # Errors
    /// They can't be written, a full disk for example. The journal then ends with the task before.
    /// Or the file has gone: a file that was removed can still be written, and nobody reads it.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let written = lines_of(&self.sum, records).and_then(|(text, sum)| {
            self.file.write_all(text.as_bytes())?;
            let is_due = self.synced.elapsed() >= self.lag;
            if is_due {
                synced(&self.path, self.file.sync_data())?;
                self.synced = Instant::now();
            }
            Ok((text.len() as u64, sum, is_due))
        });
        match written {
            Ok((length, sum, is_safe)) => {
                self.length += length;
                self.sum = sum;
                self.records += records.len();
                if is_safe {
                    self.safe = self.records;
                }
                self.is_there()
            }
            Err(source) => {
                // Best effort: a reader would cut the incomplete line off anyway.
                let _ = self.file.set_len(self.length);
                let _ = self.file.seek(SeekFrom::End(0));
                Err(FileError::of("write", &self.path)(source).into())
            }
        }
    }

    /// Whether the file that is written is still the one that its path names, as far as its length
    /// tells.
    ///
    /// # Errors
    /// It is not: whatever is appended would be lost.
    pub fn is_there(&self) -> Result<(), JournalError> {
        match std::fs::metadata(&self.path) {
            Ok(file) if file.len() == self.length => Ok(()),
            _ => Err(JournalError::Gone {
                path: self.path.clone(),
            }),
        }
    }
}

/// Leaves the header and so many records in a journal, and keeps a copy of the whole beside it, whose path is
/// returned.
///
/// # Errors
/// It can't be read or written.
pub fn cut(path: &Path, records: usize) -> Result<PathBuf, JournalError> {
    let bytes = std::fs::read(path).map_err(FileError::of("read", path))?;
    let kept = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .take(records + 1);
    let length = kept.map(<[u8]>::len).sum::<usize>();
    let mut copies = (1..).map(|number: u32| path.with_extension(format!("{number}.jsonl")));
    let copy = copies.find(|copy| !copy.exists()).unwrap_or_default();
    write_atomically(&copy, &bytes)?;
    write_atomically(path, &bytes[..length])?;
    Ok(copy)
}

/// Records as lines, each with its sum, and the last sum.
fn lines_of(previous: &str, records: &[Record]) -> io::Result<(String, String)> {
    let (mut text, mut sum) = (String::new(), previous.to_string());
    for record in records {
        let (line, next) = line_of(&sum, record)?;
        text.push_str(&line);
        sum = next;
    }
    Ok((text, sum))
}

#[cfg(test)]
pub(crate) mod tests;
