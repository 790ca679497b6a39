//! Bytes of a PGN file by what they may begin.

use super::*;

/// What a byte does to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Letter,
    Ends,
    Foreign,
}

pub(super) const CLASSES: [Class; 256] = {
    let mut classes = [Class::Letter; 256];
    let ends = b" \t\n\r\x0b\x0c\x1a{}()[;$*";
    let mut at = 0;
    while at < ends.len() {
        classes[ends[at] as usize] = Class::Ends;
        at += 1;
    }
    let mut at = 128;
    while at < 256 {
        classes[at] = Class::Foreign;
        at += 1;
    }
    classes
};

/// The character at the beginning of some bytes, and its length: UTF-8, or else a byte of Latin-1 with
/// the dashes and daggers that Windows has between its controls.
pub(super) fn decode(bytes: &[u8]) -> (char, usize) {
    let length = match bytes.first() {
        None => return ('\0', 0),
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        Some(_) => 1,
    };
    let text = bytes
        .get(..length)
        .and_then(|text| str::from_utf8(text).ok());
    if let Some(letter) = text.and_then(|text| text.chars().next()) {
        return (letter, length);
    }
    let letter = match bytes[0] {
        0x85 => '…',
        0x86 => '†',
        0x87 => '‡',
        0x96 => '–',
        0x97 => '—',
        byte => char::from(byte),
    };
    (letter, 1)
}

/// Whether a move may be broken there, unlike at other characters without a width.
pub(super) fn may_break(letter: char) -> bool {
    matches!(letter, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Whether a word is something by itself, so that it ends where it may.
pub(super) fn is_complete(word: &str) -> bool {
    let folded = fold(word);
    let word = folded.as_bytes();
    let found = classify(word).filter(|(_, length)| *length == word.len());
    let word = found.map(|(word, _)| word);
    matches!(
        word,
        Some(Word::Move(_) | Word::Number(_) | Word::Result(_))
    )
}

/// The rest of a line behind its blanks.
pub(super) fn without_blanks(line: &[u8]) -> &[u8] {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    &line[blanks.count()..]
}

/// Where name and value of a tag stand in a line that begins with it, and where the tag ends. Quotes
/// within the value need no escape: the tag ends with the first quote and bracket behind which the line
/// ends or another tag begins. Another tag behind a bracket ends it too, whatever stands before that.
/// Without such an end the value is the rest of the line.
pub(super) fn split_tag(line: &[u8]) -> (Range<usize>, Range<usize>, usize) {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let open = line
        .iter()
        .position(|byte| *byte == b'"')
        .unwrap_or(line.len());
    let before = line[..open].iter().take_while(|byte| !in_tag_name(byte));
    let name_start = before.count();
    let name_length = line[name_start..open]
        .iter()
        .take_while(|byte| in_tag_name(byte));
    let name = name_start..name_start + name_length.count();
    let first = (open + 1).min(line.len());
    let mut closed = None;
    let mut last_quote = None;
    let mut is_escaped = false;
    for (at, &byte) in line.iter().enumerate().skip(first) {
        if byte == b']' && is_tag(without_blanks(&line[at + 1..])) {
            let value = line[first..at].trim_ascii_end();
            let value = value.strip_suffix(b"\"").unwrap_or(value);
            closed = Some((first + value.len(), at + 1));
            break;
        }
        if byte != b'"' {
            is_escaped = byte == b'\\' && !is_escaped;
            continue;
        }
        last_quote = Some(at);
        let after = line[at + 1..].iter().position(|byte| !blank(byte));
        let bracket = after
            .map(|after| at + 1 + after)
            .filter(|at| line[*at] == b']');
        if let Some(bracket) = bracket.filter(|_| !is_escaped) {
            let behind = line[bracket + 1..].iter().find(|byte| !blank(byte));
            closed = closed.or(Some((at, bracket + 1)));
            if matches!(behind, None | Some(b'[')) {
                closed = Some((at, bracket + 1));
                break;
            }
        }
        is_escaped = false;
    }
    let (end, length) = closed.unwrap_or((last_quote.unwrap_or(line.len()), line.len()));
    (name, first..end.max(first), length)
}
