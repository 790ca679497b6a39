//! The journal of a run: what was decided at the start and the result of every finished task,
//! one JSON object a line, appended and synced.
//!
//! Everything else a run produces follows from it: the genetic algorithm is deterministic, so
//! going through it again with the journal's counts in place of evaluation restores every bit of
//! the state. A line is `{"sum":"…","record":{…}}`; the sum is the start of the SHA-256 of the
//! previous line's sum and this record, so lines can be neither altered nor removed nor
//! reordered unnoticed.
//!
//! A process killed while writing leaves an incomplete last line, which the next one cuts off;
//! damage anywhere else is refused. Readers take no lock.

use crate::files::{FileError, hex, write_atomically};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Version of the journal's format.
pub const FORMAT: u32 = 1;

/// Name of the journal in a run's folder.
pub const JOURNAL_NAME: &str = "journal.jsonl";

/// Hexadecimal digits of a line's sum: 64 bits.
const SUM_DIGITS: usize = 16;

/// What a run was started with; the first record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the journal's format.
    pub format: u32,
    /// Program and version that started the run.
    pub program: String,
    /// Name of the profile.
    pub profile: String,
    /// SHA-256 of the profile's text.
    pub profile_sha256: String,
    /// The declaration of the parameters that are evolved or fixed: a line a row.
    pub table: Vec<String>,
    /// The training positions.
    pub train: DataFile,
    /// The held-out positions.
    pub test: Option<DataFile>,
    /// Seed of each run.
    pub seeds: Vec<u64>,
}

/// A data file that a run depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// Where it was.
    pub path: PathBuf,
    /// SHA-256 of the whole file.
    pub sha256: String,
    /// Positions used.
    pub positions: usize,
}

impl DataFile {
    /// The file's name without its folder.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

impl Header {
    /// What makes a journal that starts with this header unusable for a run that would start with
    /// the other; `None` if nothing does. Where the data files lie and which version of the
    /// program wrote it doesn't matter.
    pub fn difference(&self, other: &Header) -> Option<String> {
        if self.profile_sha256 != other.profile_sha256 {
            return Some(format!(
                "the profile has changed: its SHA-256 was {}, now it is {}",
                self.profile_sha256, other.profile_sha256
            ));
        }
        if self.table != other.table {
            let was = self.table.iter().find(|row| !other.table.contains(row));
            let is = other.table.iter().find(|row| !self.table.contains(row));
            let text =
                |row: Option<&String>| row.map_or("nothing".into(), |row| format!("{row:?}"));
            return Some(format!(
                "the parameter table has changed: it had {}, this program has {}",
                text(was),
                text(is)
            ));
        }
        let files = [
            ("training", Some(&self.train), Some(&other.train)),
            ("held-out", self.test.as_ref(), other.test.as_ref()),
        ];
        for (which, was, is) in files {
            let text = |file: Option<&DataFile>| match file {
                Some(file) => format!(
                    "{} positions of a file with SHA-256 {}",
                    file.positions, file.sha256
                ),
                None => "none".to_string(),
            };
            let (was, is) = (text(was), text(is));
            if was != is {
                return Some(format!(
                    "the {which} positions have changed: they were {was}, now they are {is}"
                ));
            }
        }
        (self.seeds != other.seeds).then(|| "the seeds have changed".to_string())
    }
}

/// A finished task: the counts of some individuals on a block of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Which task.
    #[serde(flatten)]
    pub key: TaskKey,
    /// Digest of the individuals' parameters, in order.
    pub individuals: String,
    /// Positions of the block that each individual solved.
    pub solved: Vec<u32>,
}

/// Names a task within a run of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "kebab-case")]
pub enum TaskKey {
    /// Those individuals of a generation whose parameters have not occurred before in the run,
    /// on a block of the training positions.
    Generation {
        /// The run, from 1.
        run: u32,
        /// The generation, from 0.
        generation: u32,
        /// The block, from 0.
        block: u32,
    },
    /// The champions of all runs on a block of the held-out positions.
    HeldOut {
        /// The block, from 0.
        block: u32,
    },
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
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
}

/// A journal as it is on disk.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The first record.
    pub header: Header,
    /// All others; record `i` is on line `i + 2`.
    pub tasks: Vec<Task>,
    /// Bytes up to the end of the last complete line.
    length: u64,
    /// Sum of the last complete line.
    sum: String,
}

/// Reads a journal without changing it; an incomplete last line is left out.
///
/// # Errors
/// The file can't be read, or a line other than the last is damaged.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let bytes = std::fs::read(path).map_err(FileError::of("read", path))?;
    let damaged = |line: usize, problem: String| JournalError::Line {
        path: path.to_path_buf(),
        line,
        problem,
    };
    let (mut header, mut tasks) = (None, Vec::new());
    let (mut length, mut sum) = (0, String::new());
    let mut lines = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .enumerate()
        .peekable();
    while let Some((index, line)) = lines.next() {
        let Some((record, next_sum)) = checked_record(line, &sum) else {
            if lines.peek().is_none() && index > 0 {
                break;
            }
            let problem = "is damaged (its checksum is wrong); the journal can't be used";
            return Err(damaged(index + 1, problem.into()));
        };
        if index == 0 {
            header = Some(parse_header(record).map_err(|problem| damaged(1, problem))?);
        } else {
            tasks.push(parse::<Task>(record).map_err(|problem| damaged(index + 1, problem))?);
        }
        length += line.len() as u64;
        sum = next_sum;
    }
    Ok(Contents {
        header: header.ok_or_else(|| damaged(1, "is empty, expected a journal".into()))?,
        tasks,
        length,
        sum,
    })
}

/// The record of a complete line and its sum, if the sum is right.
fn checked_record<'a>(line: &'a [u8], previous: &str) -> Option<(&'a str, String)> {
    let line = std::str::from_utf8(line).ok()?;
    let rest = line.strip_prefix("{\"sum\":\"")?.strip_suffix("}\n")?;
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
}

impl Journal {
    /// Starts a journal. It appears whole, with its header, or not at all.
    ///
    /// # Errors
    /// It can't be written.
    pub fn create(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let (line, sum) = line_of("", header).map_err(FileError::of("write", path))?;
        write_atomically(path, line.as_bytes())?;
        Journal::open(path, line.len() as u64, sum)
    }

    /// Goes on with a journal that was read; an incomplete last line is cut off.
    ///
    /// # Errors
    /// It can't be written.
    pub fn resume(path: &Path, contents: &Contents) -> Result<Journal, JournalError> {
        Journal::open(path, contents.length, contents.sum.clone())
    }

    fn open(path: &Path, length: u64, sum: String) -> Result<Journal, JournalError> {
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
        })
    }

    /// Appends a finished task; once this returns, neither a crash nor a power cut loses it.
    ///
    /// # Errors
    /// It can't be written, a full disk for example. The journal then ends with the task before.
    pub fn append(&mut self, task: &Task) -> Result<(), JournalError> {
        let written = line_of(&self.sum, task).and_then(|(line, sum)| {
            self.file.write_all(line.as_bytes())?;
            self.file.sync_data()?;
            Ok((line.len() as u64, sum))
        });
        match written {
            Ok((length, sum)) => {
                self.length += length;
                self.sum = sum;
                Ok(())
            }
            Err(source) => {
                // Best effort: a reader would cut the incomplete line off anyway.
                let _ = self.file.set_len(self.length);
                let _ = self.file.seek(SeekFrom::End(0));
                Err(FileError::of("write", &self.path)(source).into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            format: FORMAT,
            program: "tuner 0".into(),
            profile: "p".into(),
            profile_sha256: "aa".into(),
            table: vec!["x 0..=1 1".into(), "y 0..=3 2".into()],
            train: DataFile {
                path: "t.epd".into(),
                sha256: "bb".into(),
                positions: 9,
            },
            test: None,
            seeds: vec![1, 2],
        }
    }

    fn task(generation: u32) -> Task {
        Task {
            key: TaskKey::Generation {
                run: 1,
                generation,
                block: 0,
            },
            individuals: "00".into(),
            solved: vec![generation, 7],
        }
    }

    fn journal(tasks: u32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(JOURNAL_NAME);
        let mut journal = Journal::create(&path, &header()).unwrap();
        for generation in 0..tasks {
            journal.append(&task(generation)).unwrap();
        }
        (folder, path)
    }

    #[test]
    fn round_trip() {
        let (_folder, path) = journal(3);
        let contents = read(&path).unwrap();
        assert_eq!(contents.header, header());
        assert_eq!(contents.tasks, [task(0), task(1), task(2)]);
        assert_eq!(contents.length, std::fs::metadata(&path).unwrap().len());
    }

    #[test]
    fn any_torn_tail_is_cut_off() {
        let (_folder, path) = journal(3);
        let bytes = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
        for cut in ends[0] + 1..bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let contents = read(&path).unwrap();
            let whole = ends.iter().filter(|&&end| end < cut).count();
            assert_eq!(contents.tasks.len(), whole - 1, "cut at {cut}");
            let mut journal = Journal::resume(&path, &contents).unwrap();
            for generation in contents.tasks.len() as u32..3 {
                journal.append(&task(generation)).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "cut at {cut}");
        }
    }

    #[test]
    fn damage_in_the_middle_is_refused_with_its_line() {
        let (_folder, path) = journal(3);
        let text = std::fs::read_to_string(&path).unwrap();
        let line = |text: String| {
            std::fs::write(&path, text).unwrap();
            match read(&path).unwrap_err() {
                JournalError::Line { line, .. } => line,
                other => panic!("{other}"),
            }
        };
        assert_eq!(line(text.replacen("[1,7]", "[2,7]", 1)), 3);
        assert_eq!(line(text.replacen("tuner 0", "tuner 1", 1)), 1);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        assert_eq!(line([lines[0], lines[2], lines[3]].concat()), 2);
        assert_eq!(line([lines[0], lines[2], lines[1], lines[3]].concat()), 2);
        assert_eq!(line(String::new()), 1);
        assert_eq!(line("no journal".into()), 1);
    }

    #[test]
    fn other_formats_are_refused() {
        let (_folder, path) = journal(0);
        let (line, _) = line_of(
            "",
            &Header {
                format: 2,
                ..header()
            },
        )
        .unwrap();
        std::fs::write(&path, line).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("line 1: has format 2, this program reads 1"),
            "{error}"
        );
    }

    #[test]
    fn a_full_disk_is_an_error_with_a_name() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let mut journal = Journal {
            path: full.into(),
            file: OpenOptions::new().write(true).open(full).unwrap(),
            length: 0,
            sum: String::new(),
        };
        let error = journal.append(&task(0)).unwrap_err().to_string();
        assert!(error.contains("cannot write /dev/full"), "{error}");
        assert_eq!(journal.length, 0);
    }

    #[test]
    fn differences_are_named() {
        let differs = |change: fn(&mut Header)| {
            let mut other = header();
            change(&mut other);
            header().difference(&other).unwrap_or_default()
        };
        assert_eq!(differs(|other| other.program = "tuner 9".into()), "");
        assert_eq!(differs(|other| other.train.path = "elsewhere".into()), "");
        assert!(
            differs(|other| other.profile_sha256 = "cc".into()).contains("was aa, now it is cc")
        );
        let table = differs(|other| other.table[1] = "y 0..=7 3".into());
        assert!(
            table.contains("had \"y 0..=3 2\", this program has \"y 0..=7 3\""),
            "{table}"
        );
        assert!(differs(|other| other.train.positions = 8).contains("training"));
        assert!(differs(|other| other.test = Some(other.train.clone())).contains("were none"));
        assert!(differs(|other| other.seeds[0] = 5).contains("seeds"));
    }
}
