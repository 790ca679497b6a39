//! A text file as a stream: plain, gzip or zstd, told by its first bytes and not by its name, and as
//! lines, whatever ends them. What is no such text is refused in words. Memory is bounded whatever the
//! file holds.
//!
//! Text is UTF-8, and where it is not that Latin-1, the character set of the PGN standard (4.1). A
//! mark of the order of bytes stands wherever files were joined, and begins a line there.

use crate::kind::{TextKind, mismatch};
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Bytes looked at to tell what a file is.
const HEAD: usize = 4096;

/// Longest line of [`Lines`], in bytes.
pub const MAX_LINE: usize = 16 * 1024;

/// A mark of the order of bytes, in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What ends a line besides CR and LF: vertical tab, form feed, NEL, U+2028, U+2029, a mark of the order
/// of bytes.
const BREAKS: [&[u8]; 6] = [
    b"\x0b",
    b"\x0c",
    "\u{85}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    BYTE_ORDER_MARK,
];

/// Ends a text in DOS.
const CTRL_Z: u8 = 0x1a;

/// Why a file is no text that can be read.
#[derive(Debug)]
pub enum SourceError {
    /// The system or the decompressor says no.
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        cause: io::Error,
    },
    /// Not a single byte.
    Empty(PathBuf),
    /// A compression or encoding that is not read here.
    Format {
        /// The file.
        path: PathBuf,
        /// What its first bytes say it is.
        what: &'static str,
    },
    /// Text, but of another kind.
    Kind {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: TextKind,
        /// What is wanted.
        expected: TextKind,
    },
}

impl std::error::Error for SourceError {}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (SourceError::Io { path, .. }
        | SourceError::Empty(path)
        | SourceError::Format { path, .. }
        | SourceError::Kind { path, .. }) = self;
        write!(f, "{}: {}", path.display(), self.problem())
    }
}

impl SourceError {
    /// What is wrong, without the file's name.
    pub fn problem(&self) -> String {
        match self {
            SourceError::Io { cause, .. } => cause.to_string(),
            SourceError::Empty(_) => "the file is empty".to_string(),
            SourceError::Format { what, .. } => {
                format!("this is {what}, expected text, plain or packed with gzip or zstd")
            }
            SourceError::Kind {
                found, expected, ..
            } => mismatch(*found, *expected),
        }
    }
}

/// A stream of text with the name of its file.
pub struct Source {
    path: PathBuf,
    reader: Box<dyn Read + Send>,
    kind: Option<TextKind>,
}

/// UTF-8, or else Latin-1, in which every byte is a character.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
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
            Ok(Unpacked::Text(reader, kind)) => Ok(Source { path, reader, kind }),
        }
    }

    /// The source, unless its first lines say that it is of another kind.
    ///
    /// # Errors
    /// It is.
    pub fn expecting(self, expected: TextKind) -> Result<Source, SourceError> {
        match self.kind {
            Some(found) if found != expected => Err(SourceError::Kind {
                path: self.path,
                found,
                expected,
            }),
            _ => Ok(self),
        }
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What its first lines say it is, if they do.
    pub fn kind(&self) -> Option<TextKind> {
        self.kind
    }

    /// The same text, of which so many bytes are read at most: more are an error.
    pub fn limited(self, most: u64) -> Source {
        Source {
            reader: Box::new(Limited {
                reader: self.reader,
                left: most,
                most,
            }),
            ..self
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

/// What must not be longer.
struct Limited {
    reader: Box<dyn Read + Send>,
    left: u64,
    most: u64,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(length as u64).ok_or_else(|| {
            io::Error::other(format!("has more than {} MB unpacked", self.most >> 20))
        })?;
        Ok(length)
    }
}

/// Why a line is none.
#[derive(Debug, Error)]
pub enum LineError {
    /// Reading or unpacking failed on the way.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// Longer than [`MAX_LINE`].
    #[error("is longer than {MAX_LINE} bytes")]
    Length,
    /// What a system leaves of a file that it was about to write.
    #[error("is filled with NUL bytes, expected text: the file is damaged")]
    Nul,
}

/// The lines of a text. They end with CR, LF or both, and outside of quotes also with what some
/// programs have for that: vertical tab, form feed, NEL, U+2028 and U+2029, or a mark of the order of
/// bytes where files were joined. None of these is part of a line, nor is the Ctrl-Z with which DOS ends a
/// text.
pub struct Lines {
    reader: BufReader<Source>,
    line: u64,
    bytes: Vec<u8>,
    /// How much of the bytes has been handed out; they have more lines where files were joined.
    done: usize,
    /// Whether the last line ended with CR, which LF may follow.
    after_return: bool,
    failed: bool,
}

impl Lines {
    /// The lines of a source.
    pub fn new(source: Source) -> Lines {
        Lines {
            reader: BufReader::with_capacity(1 << 16, source),
            line: 0,
            bytes: Vec::new(),
            done: 0,
            after_return: false,
            failed: false,
        }
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        self.reader.get_ref().path()
    }

    /// The next line with its number, from 1. After one that can't be read there is none.
    pub fn next_line(&mut self) -> Option<(u64, Result<Cow<'_, str>, LineError>)> {
        if self.failed {
            return None;
        }
        if self.done >= self.bytes.len() {
            self.line += 1;
            match self.read() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.failed = matches!(error, LineError::Read(_));
                    return Some((self.line, Err(error)));
                }
            }
        }
        let mut rest = &self.bytes[self.done..];
        let (mut length, mut end) = before_break(rest);
        while length == 0 && end > 0 {
            self.done += end;
            rest = &rest[end..];
            (length, end) = before_break(rest);
        }
        // One more, so that an empty line is over too.
        self.done += length + end.max(usize::from(length == rest.len()));
        let line = &rest[..length];
        let line = line.strip_suffix(&[CTRL_Z]).unwrap_or(line);
        Some((self.line, Ok(decoded(line))))
    }

    /// Reads the bytes of a line, without its end; `false` at the end of the file.
    fn read(&mut self) -> Result<bool, LineError> {
        self.bytes.clear();
        self.done = 0;
        let mut is_there = false;
        let mut is_long = false;
        loop {
            let buffer = self.reader.fill_buf().map_err(LineError::Read)?;
            let mut bytes = buffer;
            let mut skipped = 0;
            if self.after_return && !bytes.is_empty() {
                self.after_return = false;
                skipped = usize::from(bytes[0] == b'\n');
                bytes = &bytes[skipped..];
            }
            if buffer.is_empty() {
                break;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &bytes[..end.unwrap_or(bytes.len())];
            is_there |= !part.is_empty() || end.is_some();
            let room = MAX_LINE.saturating_sub(self.bytes.len());
            is_long |= part.len() > room;
            self.bytes.extend_from_slice(&part[..part.len().min(room)]);
            self.after_return = end.is_some_and(|end| bytes[end] == b'\r');
            let consumed = skipped + part.len() + usize::from(end.is_some());
            self.reader.consume(consumed);
            if end.is_some() {
                break;
            }
        }
        let is_nul = !self.bytes.is_empty() && self.bytes.iter().all(|byte| *byte == 0);
        if is_nul || is_long {
            self.bytes.clear();
            return Err(if is_nul {
                LineError::Nul
            } else {
                LineError::Length
            });
        }
        Ok(is_there)
    }
}

/// How many bytes stand before a break of a line that is not within quotes, and how many it has itself.
fn before_break(bytes: &[u8]) -> (usize, usize) {
    let mut quoted = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            0x0b | 0x0c | 0xc2 | 0xe2 | 0xef if !quoted => {
                let rest = &bytes[at..];
                if let Some(sign) = BREAKS.iter().find(|sign| rest.starts_with(sign)) {
                    return (at, sign.len());
                }
            }
            _ => {}
        }
    }
    (bytes.len(), 0)
}

enum Unpacked {
    Text(Box<dyn Read + Send>, Option<TextKind>),
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
    Ok(match not_text(&head) {
        _ if head.is_empty() => Unpacked::Empty,
        Some(what) => Unpacked::Unknown(what),
        None => Unpacked::Text(Box::new(text), TextKind::of(&head)),
    })
}

/// What bytes are that are no text.
fn not_text(head: &[u8]) -> Option<&'static str> {
    let is_wide = |first: usize| {
        let (mut narrow, wide) = (
            head.iter().skip(first).step_by(2),
            head.iter().skip(1 - first),
        );
        head.len() > 3 && narrow.all(|byte| *byte == 0) && wide.step_by(2).all(|byte| *byte != 0)
    };
    match head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        _ if is_wide(0) || is_wide(1) => Some("UTF-16"),
        _ if !head.is_empty() && head.iter().all(|byte| *byte == 0) => {
            Some("a file of NUL bytes, as a lost write leaves it")
        }
        _ if head.contains(&0) => Some("binary data"),
        _ => None,
    }
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

    fn lines(bytes: &[u8]) -> Vec<(u64, String)> {
        let source = Source::from_reader("x", Cursor::new(bytes.to_vec())).unwrap();
        let mut lines = Lines::new(source);
        let mut found = Vec::new();
        while let Some((number, line)) = lines.next_line() {
            let line = line.map_or_else(|error| error.to_string(), Cow::into_owned);
            found.push((number, line));
        }
        found
    }

    #[test]
    fn lines_end_in_any_way() {
        let expected = ["a", "", "b", "c"].map(String::from);
        for text in [
            "a\n\nb\nc",
            "a\r\rb\rc\r",
            "a\r\n\r\nb\r\nc\r\n",
            "a\n\r\nb\rc\n",
        ] {
            let found = lines(text.as_bytes());
            let (numbers, texts): (Vec<u64>, Vec<String>) = found.into_iter().unzip();
            assert_eq!(texts, expected, "{text:?}");
            assert_eq!(numbers, [1, 2, 3, 4], "{text:?}");
        }
        // Also where a buffer ends between the two.
        let long = format!("{}\r\nb", "a".repeat((1 << 14) - 1));
        let many = format!("{}x", format!("{}\r\n", "a".repeat(1022)).repeat(200));
        assert_eq!(lines(long.as_bytes()).len(), 2);
        assert_eq!(lines(many.as_bytes()).len(), 201);
    }

    #[test]
    fn marks_of_the_order_of_bytes_are_where_files_were_joined() {
        let text = "\u{feff}a\n\u{feff}b\u{feff}c \"q\u{feff}\"\n";
        let found = lines(text.as_bytes());
        let expected = [(1, "a"), (2, "b"), (2, "c \"q\u{feff}\"")];
        assert_eq!(
            found,
            expected.map(|(number, text)| (number, text.to_string()))
        );
    }

    /// Each of these joins the lines that people see as two.
    #[test]
    fn lines_end_as_some_programs_end_them() {
        for sign in ["\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let found = lines(format!("a{sign}b{sign}\n{sign}é \"q{sign}r\"\n\u{1a}").as_bytes());
            let quoted = format!("é \"q{sign}r\"");
            let expected = [(1, "a"), (1, "b"), (2, quoted.as_str()), (3, "")];
            let expected = expected.map(|(number, text)| (number, text.to_string()));
            assert_eq!(found, expected, "{sign:?}");
        }
        assert_eq!(
            lines(b"a\r\nb\x1a"),
            [(1, "a".to_string()), (2, "b".to_string())]
        );
    }

    #[test]
    fn odd_lines_are_read_or_named() {
        assert_eq!(lines(b"caf\xe9\n")[0].1, "café");
        let nuls = [vec![b'a'; 5000], b"\n".to_vec(), vec![0; 40_000]].concat();
        let found = lines(&nuls);
        assert!(found.len() == 2 && found[1].1.contains("NUL"), "{found:?}");
        let long = [vec![b'x'; MAX_LINE + 1], b"\nb".to_vec()].concat();
        let found = lines(&long);
        assert_eq!(found[0].1, "is longer than 16384 bytes");
        assert_eq!(found[1], (2, "b".to_string()));
        let source = Source::from_reader("x", Cursor::new(vec![b'\n'; 99])).unwrap();
        let mut bytes = Vec::new();
        let error = source.limited(98).read_to_end(&mut bytes).unwrap_err();
        assert!(error.to_string().contains("more than 0 MB"), "{error}");
    }

    #[test]
    fn other_formats_are_named() {
        for (bytes, what) in [
            (&b"PK\x03\x04rest"[..], "a zip archive"),
            (b"BZh91AY", "packed with bzip2"),
            (b"\xfd7zXZ\0", "packed with xz"),
            (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
            (b"\xff\xfe[\0E\0", "UTF-16"),
            (b"[\0E\0v\0", "UTF-16"),
            (b"\0[\0E\0v", "UTF-16"),
            (b"\xff\xfe\0\0[\0\0\0", "UTF-32"),
            (&[0; 5000], "a file of NUL bytes"),
            (b"[Event \"\0\"]", "binary data"),
        ] {
            let error = Source::from_reader("x.pgn", Cursor::new(bytes.to_vec())).err();
            let text = error.map(|error| error.to_string()).unwrap_or_default();
            assert!(
                text.starts_with(&format!("x.pgn: this is {what}")),
                "{text}"
            );
            assert!(text.contains("expected text, plain or packed"), "{text}");
        }
        let games = Source::from_reader("x.pgn", Cursor::new("[Event \"x\"]\n")).unwrap();
        assert_eq!(games.kind(), Some(TextKind::Games));
        let error = games
            .expecting(TextKind::Positions)
            .err()
            .unwrap()
            .to_string();
        let said = "x.pgn: this is PGN (games), expected EPD (a position a line); make positions";
        assert!(error.starts_with(said), "{error}");
    }
}
