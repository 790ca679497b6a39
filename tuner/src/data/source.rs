//! A text file as a stream: plain, gzip or zstd, told by its first bytes and not by its name; it
//! knows how many lines have gone by, and whether an error came from below or from the reader of
//! the text. Memory is bounded whatever the file holds. Imports nothing of this crate.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use thiserror::Error;

/// How the first line of a game in PGN begins, as programs write it.
const GAME_HEAD: &[u8] = b"[Event \"";

/// Bytes looked at to tell what a file is.
const HEAD: usize = 4096;

/// Why a file is no text that can be read.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The system or the decompressor says no.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        cause: io::Error,
    },
    /// Not a single byte.
    #[error("{}: the file is empty", .0.display())]
    Empty(PathBuf),
    /// A compression or encoding that is not read here.
    #[error("{}: this is {what}, expected text, plain or packed with gzip or zstd", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What its first bytes say it is.
        what: &'static str,
    },
}

/// A stream of text with the name of its file.
pub struct Source {
    path: PathBuf,
    reader: Box<dyn Read + Send>,
    progress: Progress,
    line: GameHeads,
}

/// How far a source has been read; stays within reach when the source itself has gone into a
/// parser.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    lines: Arc<AtomicU64>,
    game_heads: Arc<AtomicU64>,
    failed: Arc<AtomicBool>,
}

impl Progress {
    /// Line ends handed out so far.
    pub fn lines(&self) -> u64 {
        self.lines.load(Ordering::Relaxed)
    }

    /// Lines handed out so far that look like the first one of a game.
    pub fn game_heads(&self) -> u64 {
        self.game_heads.load(Ordering::Relaxed)
    }

    /// Whether reading has failed below, at the disk or the decompressor: an error that ends the
    /// file, unlike those of a parser.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}

/// Number of line ends in these bytes. Sums of at most 255 fit a byte, and the compiler turns
/// those into vector instructions: this runs over every byte once or twice.
pub fn count_lines(bytes: &[u8]) -> u64 {
    let in_block = |block: &[u8]| {
        block
            .iter()
            .map(|byte| u8::from(*byte == b'\n'))
            .sum::<u8>()
    };
    bytes
        .chunks(255)
        .map(|block| u64::from(in_block(block)))
        .sum()
}

/// Counts the lines that look like the first one of a game, in bytes that come in parts.
pub struct GameHeads {
    /// How much of such a beginning the line has by now; `None` once it differs or is counted.
    matched: Option<usize>,
}

impl Default for GameHeads {
    fn default() -> GameHeads {
        GameHeads { matched: Some(0) }
    }
}

impl GameHeads {
    /// Those that the next bytes complete.
    pub fn count(&mut self, bytes: &[u8]) -> u64 {
        let mut count = 0;
        for (number, part) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if number > 0 {
                self.matched = Some(0);
            }
            let Some(matched) = self.matched else {
                continue;
            };
            let missing = &GAME_HEAD[matched..];
            let length = missing.len().min(part.len());
            let is_head = length == missing.len() && part.starts_with(missing);
            count += u64::from(is_head);
            self.matched =
                (!is_head && part.starts_with(&missing[..length])).then_some(matched + length);
        }
        count
    }
}

impl Source {
    /// Opens a file.
    ///
    /// # Errors
    /// The file can't be opened, is empty, or is no text and no gzip or zstd.
    pub fn open(path: impl AsRef<Path>) -> Result<Source, SourceError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|cause| SourceError::Io {
            path: path.to_path_buf(),
            cause,
        })?;
        Source::from_reader(path, file)
    }

    /// Like [`Source::open`], from bytes of any origin under a name for messages.
    ///
    /// # Errors
    /// The first bytes can't be read, there are none, or they are no text and no gzip or zstd.
    pub fn from_reader(
        path: impl AsRef<Path>,
        reader: impl Read + Send + 'static,
    ) -> Result<Source, SourceError> {
        let path = path.as_ref().to_path_buf();
        match unpack(reader) {
            Err(cause) => Err(SourceError::Io { path, cause }),
            Ok(Unpacked::Empty) => Err(SourceError::Empty(path)),
            Ok(Unpacked::Unknown(what)) => Err(SourceError::Format { path, what }),
            Ok(Unpacked::Text(reader)) => Ok(Source {
                path,
                reader,
                progress: Progress::default(),
                line: GameHeads::default(),
            }),
        }
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How far the source has been read, now and later.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Ok(length) => {
                    let lines = count_lines(&buffer[..length]);
                    self.progress.lines.fetch_add(lines, Ordering::Relaxed);
                    let heads = self.line.count(&buffer[..length]);
                    self.progress.game_heads.fetch_add(heads, Ordering::Relaxed);
                    return Ok(length);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.progress.failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    }
}

enum Unpacked {
    Text(Box<dyn Read + Send>),
    Empty,
    Unknown(&'static str),
}

fn unpack(reader: impl Read + Send + 'static) -> io::Result<Unpacked> {
    let (head, reader) = peek(reader)?;
    let text: Box<dyn Read + Send> = match head[..] {
        [] => return Ok(Unpacked::Empty),
        [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(reader)),
        // A frame, or a skippable frame such as parallel compressors put first (RFC 8878, 3.1).
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Box::new(zstd::Decoder::new(reader)?)
        }
        [b'P', b'K', 3, 4, ..] => return Ok(Unpacked::Unknown("a zip archive")),
        [b'B', b'Z', b'h', ..] => return Ok(Unpacked::Unknown("packed with bzip2")),
        [0xfd, b'7', b'z', b'X', ..] => return Ok(Unpacked::Unknown("packed with xz")),
        [b'7', b'z', 0xbc, 0xaf, ..] => return Ok(Unpacked::Unknown("a 7z archive")),
        _ => Box::new(reader),
    };
    let (head, text) = peek(text)?;
    Ok(if head.is_empty() {
        Unpacked::Empty
    } else if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        Unpacked::Unknown("UTF-16")
    } else if head.contains(&0) {
        Unpacked::Unknown("binary data")
    } else {
        Unpacked::Text(Box::new(text))
    })
}

/// The first bytes, and a reader that yields them again.
fn peek<R: Read>(mut reader: R) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut head = Vec::with_capacity(HEAD);
    reader.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(reader)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_games_are_counted_however_the_text_is_cut() {
        let text =
            b"[Event \"a\"]\n[Event\n [Event \"b\"]\r\n\n[Event \"c\"][Event \"d\"]\n[Event \"";
        for size in 1..=text.len() {
            let mut heads = GameHeads::default();
            let count: u64 = text.chunks(size).map(|part| heads.count(part)).sum();
            assert_eq!(count, 3, "{size}");
        }
    }

    #[test]
    fn lines_are_counted() {
        let text = "line\n".repeat(10_000);
        let mut source = Source::from_reader("x", Cursor::new(text.into_bytes())).unwrap();
        let progress = source.progress();
        let mut bytes = vec![0; 5 * 100];
        source.read_exact(&mut bytes).unwrap();
        assert_eq!(progress.lines(), 100);
        source.read_to_end(&mut bytes).unwrap();
        assert_eq!(progress.lines(), 10_000);
        assert!(!progress.has_failed());
    }

    #[test]
    fn other_formats_are_named() {
        for (bytes, what) in [
            (&b"PK\x03\x04rest"[..], "a zip archive"),
            (b"BZh91AY", "packed with bzip2"),
            (b"\xfd7zXZ\0", "packed with xz"),
            (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
            (b"\xff\xfe[\0E\0", "UTF-16"),
            (b"[Event \"\0\"]", "binary data"),
        ] {
            let error = Source::from_reader("x.pgn", Cursor::new(bytes.to_vec())).err();
            let text = error.map(|error| error.to_string()).unwrap_or_default();
            assert!(
                text.starts_with(&format!("x.pgn: this is {what}, ")),
                "{text}"
            );
        }
    }
}
