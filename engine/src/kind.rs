//! What a text file is, told by its first lines: so that who is handed another kind than it wants can
//! say so.

use std::fmt;

/// A kind of text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Games in PGN.
    Games,
    /// Positions in EPD, or in FEN.
    Positions,
    /// Parameters of a player, in TOML.
    Parameters,
    /// What to evolve, in TOML.
    Profile,
    /// A player of endgames, as S-expressions.
    Program,
}

impl fmt::Display for TextKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextKind::Games => "PGN (games)",
            TextKind::Positions => "EPD (a position a line)",
            TextKind::Parameters => "a parameter file",
            TextKind::Profile => "a run profile",
            TextKind::Program => "an endgame program",
        })
    }
}

/// The wrong kind, in words: `this is …, expected …`.
pub fn mismatch(found: TextKind, expected: TextKind) -> String {
    let hint = match (found, expected) {
        (TextKind::Games, TextKind::Positions) => "; make positions of it by `tuner positions`",
        _ => "",
    };
    format!("this is {found}, expected {expected}{hint}")
}

impl TextKind {
    /// The kind of a file that begins with these bytes; `None` if they don't tell.
    pub fn of(head: &[u8]) -> Option<TextKind> {
        let text = String::from_utf8_lossy(head);
        let lines = text.split(['\n', '\r']);
        let lines = lines.map(|line| line.trim_start_matches('\u{feff}').trim());
        let mut table = None;
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%', ';'])) {
            if table.is_none() {
                if is_tag(line.as_bytes()) || line.starts_with('{') || is_first_move(line) {
                    return Some(TextKind::Games);
                }
                if is_position(line) {
                    return Some(TextKind::Positions);
                }
                if line.starts_with("(program") {
                    return Some(TextKind::Program);
                }
            }
            // Of TOML the first key may be the same; the others tell.
            let key = line.split('=').next().unwrap_or("").trim();
            match key.trim_matches(['[', ']']) {
                "eval" | "search" | "layouts" | "provenance" => return Some(TextKind::Parameters),
                "phase" | "hours" | "threads" | "evolution" => return Some(TextKind::Profile),
                "format" => table = Some(()),
                // What came first is none of these.
                _ if table.is_none() => return None,
                _ => {}
            }
        }
        None
    }
}

/// Whether a line begins as a tag of PGN does: `[Event "`. The blanks may be no-break spaces.
pub fn is_tag(line: &[u8]) -> bool {
    fn behind_blanks(mut text: &[u8]) -> &[u8] {
        while let [b' ' | b'\t', rest @ ..] | [0xc2, 0xa0, rest @ ..] = text {
            text = rest;
        }
        text
    }
    let Some(rest) = line.strip_prefix(b"[") else {
        return false;
    };
    let rest = behind_blanks(rest);
    let behind = &rest[rest.iter().take_while(|byte| in_tag_name(byte)).count()..];
    behind.len() < rest.len() && behind_blanks(behind).starts_with(b"\"")
}

/// Whether a byte may be in the name of a tag.
pub fn in_tag_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// `1. e4` or `1.e4`.
fn is_first_move(line: &str) -> bool {
    let rest = line.strip_prefix("1.").unwrap_or("").trim_start();
    rest.starts_with(|c: char| c.is_alphabetic() || c == '.' || !c.is_ascii())
}

/// Eight ranks of pieces.
fn is_position(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or("");
    board.matches('/').count() == 7
        && (board.bytes()).all(|byte| b"12345678/pnbrqkPNBRQK".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_beginnings() {
        for (text, kind) in [
            ("\u{feff}\r\n[Event \"x\"]\r\n", Some(TextKind::Games)),
            ("% an escape\n1.e4 e5", Some(TextKind::Games)),
            ("{a comment} 1. e4", Some(TextKind::Games)),
            ("[\u{a0}Event\u{a0}\t\"x\"]\n", Some(TextKind::Games)),
            (
                "# a comment\r4k3/8/8/8/8/8/4P3/4K3 w - -\r",
                Some(TextKind::Positions),
            ),
            ("format = 1\nlayouts = []\n", Some(TextKind::Parameters)),
            (
                "# x\nformat = 1\n\n[eval]\nPAWN = 100\n",
                Some(TextKind::Parameters),
            ),
            (
                "format = 1\nphase = \"grandmaster\"\n",
                Some(TextKind::Profile),
            ),
            (
                "format = 1\nhours = 2\n[[phase]]\n",
                Some(TextKind::Profile),
            ),
            (
                "; made by hand\n(program\n  (version 1)",
                Some(TextKind::Program),
            ),
            ("format = 1\n", None),
            ("nonsense\n[Event \"x\"]\n", None),
            ("1.5 pawns", None),
            ("", None),
        ] {
            assert_eq!(TextKind::of(text.as_bytes()), kind, "{text:?}");
        }
    }
}
