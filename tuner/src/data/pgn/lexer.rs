//! PGN text → tags, words and brackets, from a stream and in bounded memory whatever it holds. The one
//! tokenizer of games; what its words mean [`engine::movetext`] says.
//!
//! Lines end with CR, LF or both. White space is what Unicode calls so; a mark of the order of bytes
//! begins a line wherever it stands. A comment ends with its brace, or, since one that is never closed
//! must not swallow the games behind it, where the next game begins: with the tag Event, or with any tag behind
//! an empty line.

mod classes;

use classes::{CLASSES, Class, decode, is_complete, may_break, split_tag, without_blanks};

use engine::kind::{in_tag_name, is_tag};
use engine::movetext::{Word, classify};
use engine::san::{fold, is_invisible};
use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

/// Longest line of a tag, in bytes.
pub const MAX_TAG_LINE: usize = 4096;

/// Bytes of a longest word: no move or number has so many.
const MAX_WORD: usize = 256;

/// Bytes of text in memory.
const BUFFER: usize = 1 << 16;

/// What stands next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A tag: [`Lexer::tag_name`] and [`Lexer::tag_value`].
    Tag,
    /// A line of a tag that is longer than [`MAX_TAG_LINE`]; it is left behind.
    LongTag,
    /// A word that belongs among moves.
    Word(Word),
    /// A word that doesn't: [`Lexer::text`].
    Unknown,
    /// `$12`
    Nag,
    /// A comment, which is left behind.
    Comment,
    /// A comment without an end: the next game or the end of the file comes first.
    OpenComment,
    /// `(`
    Open,
    /// `)`
    Close,
    /// The end of the file.
    End,
}

/// Takes a text apart.
pub struct Lexer<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    is_over: bool,
    line: u64,
    at_line_start: bool,
    line_ends: u32,
    is_spaced: bool,
    /// A word with letters beyond ASCII as [`fold`] has left it, and how much of it has been told.
    folded: Vec<u8>,
    told: usize,
    /// The last word, if it is not the bytes before `start`, and how many these are.
    text: String,
    length: usize,
    tag: Vec<u8>,
    name_length: usize,
}

impl<R: Read> Lexer<R> {
    /// A lexer at the beginning of a text.
    pub fn new(reader: R) -> Lexer<R> {
        Lexer {
            reader,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            is_over: false,
            line: 1,
            at_line_start: true,
            line_ends: 0,
            is_spaced: false,
            folded: Vec::new(),
            told: 0,
            text: String::new(),
            length: 0,
            tag: Vec::new(),
            name_length: 0,
        }
    }

    /// The line, from 1, of what comes next, or of the last token where nothing has come yet.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Line ends between the last two tokens.
    pub fn line_ends(&self) -> u32 {
        self.line_ends
    }

    /// Whether white space stood before the last token.
    pub fn is_spaced(&self) -> bool {
        self.is_spaced
    }

    /// The last word that is a move or unknown, as it stands there; of a long one the beginning. Before
    /// the next token is read.
    pub fn text(&self) -> Cow<'_, str> {
        let start = self.start.saturating_sub(self.length);
        match self.text.is_empty() {
            true => String::from_utf8_lossy(&self.buffer[start..self.start]),
            false => Cow::Borrowed(&self.text),
        }
    }

    /// The last tag's name.
    pub fn tag_name(&self) -> &[u8] {
        &self.tag[..self.name_length]
    }

    /// The last tag's value, as it stands there: with its escapes.
    pub fn tag_value(&self) -> &[u8] {
        &self.tag[self.name_length..]
    }

    /// The next token.
    ///
    /// # Errors
    /// The text can't be read on.
    pub fn next_token(&mut self) -> io::Result<Token> {
        if self.told < self.folded.len() {
            self.is_spaced = false;
            self.line_ends = 0;
            let rest = self.told;
            return Ok(self.tell(rest));
        }
        self.skip_blanks()?;
        let Some(&first) = self.bytes().first() else {
            return Ok(Token::End);
        };
        self.at_line_start = false;
        match first {
            b'{' => {
                self.start += 1;
                let is_closed = self.skip_comment()?;
                Ok(if is_closed {
                    Token::Comment
                } else {
                    Token::OpenComment
                })
            }
            b'(' => {
                self.start += 1;
                Ok(Token::Open)
            }
            b')' => {
                self.start += 1;
                Ok(Token::Close)
            }
            b'$' => self.nag(),
            b'[' => self.tag_or_word(),
            _ => self.word(),
        }
    }

    /// Leaves a variation behind whose parenthesis has been read; `false` if it has no end before the
    /// next game or the end of the file.
    ///
    /// # Errors
    /// The text can't be read on.
    pub fn skip_variation(&mut self) -> io::Result<bool> {
        self.told = self.folded.len();
        let mut depth = 1;
        while depth > 0 {
            self.skip_blanks()?;
            let Some(&first) = self.bytes().first() else {
                return Ok(false);
            };
            if first == b'[' && self.at_line_start && self.is_at_tag()? {
                return Ok(false);
            }
            self.at_line_start = false;
            self.start += 1;
            match first {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'{' => {
                    if !self.skip_comment()? {
                        return Ok(false);
                    }
                }
                _ => {
                    let ends = |byte: &u8| CLASSES[usize::from(*byte)] == Class::Ends;
                    let rest = self.bytes();
                    self.start += rest.iter().position(ends).unwrap_or(rest.len());
                }
            }
        }
        Ok(true)
    }

    /// Leaves the rest of a line behind that began with a bracket, if another one ends it: `[a remark]`
    /// among tags. The beginning of the line, if it was one.
    ///
    /// # Errors
    /// The text can't be read on.
    pub fn skip_bracket(&mut self) -> io::Result<Option<String>> {
        let word = self.text().into_owned();
        self.ensure(MAX_TAG_LINE)?;
        let rest = self.bytes();
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r'))
            .unwrap_or(rest.len());
        let line = rest[..end].trim_ascii_end();
        // The first word may be all of it.
        let inside = match line {
            [] => word.ends_with(']'),
            [inside @ .., b']'] => !word.contains(']') && !inside.contains(&b']'),
            _ => false,
        };
        let shown = line.iter().take(40).copied().collect::<Vec<u8>>();
        self.start += if inside { end } else { 0 };
        Ok(inside.then(|| word + &String::from_utf8_lossy(&shown)))
    }

    /// Leaves the rest of a line behind.
    ///
    /// # Errors
    /// The text can't be read on.
    pub fn skip_line(&mut self) -> io::Result<()> {
        self.told = self.folded.len();
        while self.ensure(1)? {
            let rest = self.bytes();
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.start += end.unwrap_or(rest.len());
            if end.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Sees to it that so many bytes are there, or all that the text has; whether they are.
    #[inline]
    fn ensure(&mut self, count: usize) -> io::Result<bool> {
        if self.end - self.start < count && !self.is_over {
            self.fill(count)?;
        }
        Ok(self.end - self.start >= count)
    }

    #[cold]
    fn fill(&mut self, count: usize) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        while self.end < count && !self.is_over {
            let length = self.reader.read(&mut self.buffer[self.end..])?;
            self.end += length;
            self.is_over = length == 0;
        }
        Ok(())
    }

    /// Leaves white space, line ends, escaped lines and the comments of a rest of a line behind.
    fn skip_blanks(&mut self) -> io::Result<()> {
        self.line_ends = 0;
        self.is_spaced = false;
        while self.ensure(4)? || self.start < self.end {
            match self.buffer[self.start] {
                b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\x1a' => {
                    self.start += 1;
                    self.at_line_start = false;
                }
                b'\n' | b'\r' => self.line_end(),
                b'%' if self.at_line_start => self.skip_line()?,
                b';' => self.skip_line()?,
                128.. => {
                    let (letter, length) = decode(self.bytes());
                    if !letter.is_whitespace() && !is_invisible(letter) {
                        break;
                    }
                    self.start += length;
                    self.at_line_start = letter == '\u{feff}';
                }
                _ => break,
            }
            self.is_spaced = true;
        }
        Ok(())
    }

    /// Leaves a line end behind; of CR and LF together both, which are in the buffer.
    fn line_end(&mut self) {
        let length = if self.bytes().starts_with(b"\r\n") {
            2
        } else {
            1
        };
        self.start += length;
        self.line += 1;
        self.line_ends += 1;
        self.at_line_start = true;
    }

    /// Leaves a comment behind whose brace has been read; `false` if it has no end.
    fn skip_comment(&mut self) -> io::Result<bool> {
        // Of the line so far.
        let mut is_empty = false;
        while self.ensure(1)? {
            let rest = self.bytes();
            let end = rest
                .iter()
                .position(|byte| matches!(byte, b'}' | b'\n' | b'\r'));
            let length = end.unwrap_or(rest.len());
            let is_closed = end.is_some_and(|end| rest[end] == b'}');
            is_empty &= rest[..length].trim_ascii().is_empty();
            self.start += length + usize::from(is_closed);
            self.at_line_start = false;
            if is_closed {
                return Ok(true);
            }
            if end.is_some() {
                self.ensure(2)?;
                self.line_end();
                self.ensure(MAX_WORD)?;
                let line = self.bytes();
                let line = line
                    .strip_prefix(engine::source::BYTE_ORDER_MARK)
                    .unwrap_or(line);
                let tag = without_blanks(line);
                let is_event = || without_blanks(&tag[1..]).starts_with(b"Event");
                if is_tag(tag) && (is_empty || is_event()) {
                    return Ok(false);
                }
                is_empty = true;
            }
        }
        Ok(false)
    }

    fn nag(&mut self) -> io::Result<Token> {
        self.ensure(MAX_WORD)?;
        let digits = self.bytes()[1..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        match digits.count() {
            digits @ 1..=3 => {
                self.start += 1 + digits;
                Ok(Token::Nag)
            }
            _ => self.word(),
        }
    }

    /// Whether `[` begins a tag, as far as can be seen.
    fn is_at_tag(&mut self) -> io::Result<bool> {
        self.ensure(MAX_WORD)?;
        Ok(is_tag(self.bytes()))
    }

    fn tag_or_word(&mut self) -> io::Result<Token> {
        if !self.is_at_tag()? {
            return self.word();
        }
        self.ensure(MAX_TAG_LINE + 1)?;
        let rest = self.bytes();
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let line = &rest[..end.unwrap_or(rest.len())];
        // Several tags may stand in a line, and moves behind them.
        let (name, value, length) = split_tag(line);
        if length > MAX_TAG_LINE {
            self.skip_line()?;
            return Ok(Token::LongTag);
        }
        self.tag.clear();
        self.tag
            .extend_from_slice(&self.buffer[self.start..][name.clone()]);
        self.name_length = self.tag.len();
        self.tag
            .extend_from_slice(&self.buffer[self.start..][value.clone()]);
        self.start += length;
        Ok(Token::Tag)
    }

    /// A word, or as much of it as is one by itself.
    fn word(&mut self) -> io::Result<Token> {
        self.ensure(MAX_WORD + 4)?;
        let rest = &self.buffer[self.start..self.end];
        let mut length = 1;
        if CLASSES[usize::from(rest[0])] == Class::Foreign {
            return self.foreign_word(0);
        }
        while let Some(&byte) = rest.get(length) {
            match CLASSES[usize::from(byte)] {
                Class::Letter => length += 1,
                Class::Foreign => return self.foreign_word(length),
                // A promotion, where no move of a variation can stand alone.
                Class::Ends => match rest[length..] {
                    [
                        b'(',
                        b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n',
                        b')',
                        ..,
                    ] => {
                        length += 3;
                    }
                    _ => break,
                },
            }
            if length > MAX_WORD {
                return self.long_word(length);
            }
        }
        let found = classify(&rest[..length]);
        let (token, length) = match found {
            Some((word, length)) => (Token::Word(word), length),
            None => (Token::Unknown, length),
        };
        self.text.clear();
        self.length = length;
        self.start += length;
        Ok(token)
    }

    /// What is too long to be anything.
    fn long_word(&mut self, seen: usize) -> io::Result<Token> {
        self.text = String::from_utf8_lossy(&self.bytes()[..seen.min(40)]).into_owned();
        let ends = |byte: &u8| CLASSES[usize::from(*byte)] == Class::Ends;
        self.start += seen.min(self.end - self.start);
        while self.ensure(1)? {
            let rest = self.bytes();
            let end = rest.iter().position(ends);
            self.start += end.unwrap_or(rest.len());
            if end.is_some() {
                break;
            }
        }
        Ok(Token::Unknown)
    }

    /// A word with letters beyond ASCII, the first of them in this place.
    fn foreign_word(&mut self, first: usize) -> io::Result<Token> {
        let mut length = first;
        let ascii = self.buffer[self.start..][..first].iter().copied();
        let mut word: String = ascii.map(char::from).collect();
        loop {
            let rest = &self.bytes()[length..];
            let (letter, width) = decode(rest);
            let ends = width == 0 || CLASSES[usize::from(rest[0])] == Class::Ends;
            if ends || letter.is_whitespace() || may_break(letter) && is_complete(&word) {
                break;
            }
            length += width;
            if length > MAX_WORD {
                return self.long_word(length);
            }
            if !is_invisible(letter) {
                word.push(letter);
            }
        }
        self.start += length;
        self.folded.clear();
        self.folded.extend_from_slice(fold(&word).as_bytes());
        self.text = word;
        Ok(self.tell(0))
    }

    /// The next part of a word that has been read already.
    fn tell(&mut self, from: usize) -> Token {
        match classify(&self.folded[from..]) {
            Some((word, length)) => {
                self.told = from + length;
                Token::Word(word)
            }
            None => {
                self.told = self.folded.len();
                Token::Unknown
            }
        }
    }
}
