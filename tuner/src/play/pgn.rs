//! Games as PGN text, and what a file of such games holds when a run continues it.
//!
//! Writes the export format of the PGN standard: seven tag roster first, SAN, lines of at most 80
//! columns. Openings are moves like any other; a FEN tag is there only where a game begins elsewhere.

use crate::play::adjudication::GameResult;
use crate::play::game::PlayedGame;
use engine::position::Position;
use engine::san::to_san;
use engine::score::Score;
use engine::types::Color;
use std::fmt::Write;
use std::io::BufRead;
use thiserror::Error;

/// Columns of movetext in a line.
const WIDTH: usize = 79;

/// What is said of a game beside its moves.
pub struct GameTags<'a> {
    /// Event.
    pub event: &'a str,
    /// Number of the game in its file, from 1; the Round.
    pub number: u64,
    /// Who had White.
    pub white: &'a str,
    /// Who had Black.
    pub black: &'a str,
    /// A comment before the first move.
    pub preface: Option<&'a str>,
    /// Whether each move carries its score, depth and nodes.
    pub comments: bool,
}

/// Words of movetext, broken into lines.
#[derive(Default)]
struct Movetext {
    text: String,
    column: usize,
}

impl Movetext {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn comment(&mut self, text: &str) {
        let braced = format!("{{{}}}", text.replace(['{', '}'], " "));
        for word in braced.split_whitespace() {
            // A line that begins with a percent sign is no part of a PGN.
            self.word(word.trim_start_matches('%'));
        }
    }
}

fn tag(text: &mut String, name: &str, value: &str) {
    let clean: String = value.chars().filter(|c| !c.is_control()).collect();
    let escaped = clean.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string can't fail.
    let _ = writeln!(text, "[{name} \"{escaped}\"]");
}

/// A score in pawns from its player's side, as cutechess and lichess write it.
fn score_text(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) if moves > 0 => format!("+M{moves}"),
        Some(moves) => format!("-M{}", moves.unsigned_abs()),
        None => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}

/// The tags that each game has first.
fn head(text: &mut String, tags: &GameTags, result: &str) {
    for (name, value) in [
        ("Event", tags.event),
        ("Site", "?"),
        // No date: the same run gives the same file on any day.
        ("Date", "????.??.??"),
        ("Round", &tags.number.to_string()),
        ("White", tags.white),
        ("Black", tags.black),
        ("Result", result),
    ] {
        tag(text, name, value);
    }
}

/// The text of one game, with the empty line behind it.
pub fn write_game(tags: &GameTags, game: &PlayedGame) -> String {
    let mut text = String::with_capacity(2048);
    let result = game.result.to_string();
    let plies = game.opening.moves.len() + game.choices.len();
    head(&mut text, tags, &result);
    if game.opening.start != Position::startpos() {
        tag(&mut text, "SetUp", "1");
        tag(&mut text, "FEN", &game.opening.start.to_fen());
    }
    tag(&mut text, "PlyCount", &plies.to_string());
    let termination = if game.ending.is_normal() {
        "normal"
    } else {
        "adjudication"
    };
    tag(&mut text, "Termination", termination);
    text.push('\n');

    let mut movetext = Movetext::default();
    if let Some(preface) = tags.preface {
        movetext.comment(preface);
    }
    let mut position = game.opening.start;
    // A comment before a move of Black asks for the move's number again.
    let mut interrupted = true;
    for (ply, mv) in game.moves().enumerate() {
        let number = position.fullmove_number();
        if position.side_to_move() == Color::White {
            movetext.word(&format!("{number}."));
        } else if interrupted {
            movetext.word(&format!("{number}..."));
        }
        movetext.word(&to_san(&position, mv));
        interrupted = false;
        let choice = ply
            .checked_sub(game.opening.moves.len())
            .and_then(|index| game.choices.get(index));
        if let Some(choice) = choice
            && tags.comments
        {
            let score = choice.score.map_or("?".to_string(), score_text);
            movetext.comment(&format!("{score}/{} {}n", choice.depth, choice.nodes));
            interrupted = true;
        }
        position = position.play(mv);
    }
    movetext.comment(&game.ending.to_string());
    movetext.word(&result);
    text.push_str(&movetext.text);
    text.push_str("\n\n");
    text
}

/// The text of a game that engines failed twice: nothing is known of it but why.
pub fn write_abandoned(tags: &GameTags, why: &str) -> String {
    let mut text = String::new();
    head(&mut text, tags, NO_RESULT);
    tag(&mut text, "PlyCount", "0");
    tag(&mut text, "Termination", ABANDONED);
    text.push('\n');
    let mut movetext = Movetext::default();
    movetext.comment(why);
    movetext.word(NO_RESULT);
    text.push_str(&movetext.text);
    text.push_str("\n\n");
    text
}

/// The result of a game that has none.
const NO_RESULT: &str = "*";

/// How such a game of ours ended.
const ABANDONED: &str = "abandoned";

/// How games went for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    /// Won by the first player.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by the first player.
    pub losses: u64,
    /// Failed by an engine, twice each.
    pub abandoned: u64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, result: GameResult, first_is_white: bool) {
        match result {
            GameResult::Draw => self.draws += 1,
            GameResult::Win(winner) if (winner == Color::White) == first_is_white => self.wins += 1,
            GameResult::Win(_) => self.losses += 1,
        }
    }

    /// All games, abandoned ones too.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.abandoned
    }

    /// Games that somebody won.
    pub fn decisive(&self) -> u64 {
        self.wins + self.losses
    }
}

/// Whether the first player has White in a game.
pub fn first_is_white(number: u64) -> bool {
    number % 2 == 1
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Contents {
    /// Its complete games.
    pub tally: Tally,
    /// Where the last complete game ends, in bytes.
    pub end: u64,
    /// Bytes behind that: a game that was being written when the run was killed.
    pub torn: u64,
    /// The comment before the first move of the first game, even if that game is torn.
    pub preface: Option<String>,
}

/// Why a file can't be continued.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum ScanError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("line {line}: the game before this one is damaged")]
    Damaged { line: u64 },
    #[error("line {line}: expected game {expected} (its Round), found {found:?}")]
    Round {
        line: u64,
        expected: u64,
        found: String,
    },
}

/// The part of a game that a line belongs to.
enum Part {
    Between,
    Tags,
    Moves,
    Torn,
}

/// Reads a file that [`write_game`] has written, up to its last complete game.
///
/// # Errors
/// The file is unreadable, not such a file, or damaged elsewhere than at its end.
pub fn scan(mut reader: impl BufRead) -> Result<Contents, ScanError> {
    let mut contents = Contents::default();
    let (mut offset, mut line_number) = (0u64, 0u64);
    let mut part = Part::Between;
    let (mut result, mut round) = (String::new(), String::new());
    let mut is_abandoned = false;
    let mut movetext = String::new();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)?;
        if length == 0 {
            contents.torn = offset - contents.end;
            if contents.end == 0 {
                contents.preface = preface_of(&movetext);
            }
            return Ok(contents);
        }
        offset += length as u64;
        line_number += 1;
        let whole = bytes.ends_with(b"\n");
        let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
        let begins = line.contains("[Event \"");
        match part {
            _ if !whole => part = Part::Torn,
            Part::Between if begins => {
                part = Part::Tags;
                result.clear();
                round.clear();
                is_abandoned = false;
                movetext.clear();
            }
            Part::Between if line.is_empty() => contents.end = offset,
            Part::Tags if line.is_empty() => part = Part::Moves,
            Part::Tags if line.starts_with('[') && !begins => {
                if let Some(value) = tag_value(&line, "Result") {
                    result = value.to_string();
                } else if let Some(value) = tag_value(&line, "Round") {
                    round = value.to_string();
                } else if let Some(value) = tag_value(&line, "Termination") {
                    is_abandoned = value == ABANDONED;
                }
            }
            Part::Moves if !line.is_empty() && !begins => {
                movetext.push_str(&line);
                movetext.push(' ');
            }
            Part::Moves
                if ends_with_result(&movetext, &result).is_some()
                    || is_abandoned && movetext.trim_end().ends_with(NO_RESULT) =>
            {
                let expected = contents.tally.games() + 1;
                if round != expected.to_string() {
                    return Err(ScanError::Round {
                        line: line_number,
                        expected,
                        found: round,
                    });
                }
                match ends_with_result(&movetext, &result) {
                    Some(known) => contents.tally.add(known, first_is_white(expected)),
                    None => contents.tally.abandoned += 1,
                }
                if expected == 1 {
                    contents.preface = preface_of(&movetext);
                }
                contents.end = offset;
                part = Part::Between;
            }
            _ if begins => return Err(ScanError::Damaged { line: line_number }),
            _ => part = Part::Torn,
        }
    }
}

fn preface_of(movetext: &str) -> Option<String> {
    let (comment, _) = movetext.strip_prefix('{')?.split_once('}')?;
    Some(comment.to_string())
}

fn tag_value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix('[')?.strip_prefix(name)?;
    rest.strip_prefix(" \"")?.strip_suffix("\"]")
}

/// The result in the tags, if the moves end with it too.
fn ends_with_result(movetext: &str, tag: &str) -> Option<GameResult> {
    let last = movetext.split_whitespace().next_back()?;
    GameResult::of(tag).filter(|_| last == tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::record;

    fn fools_mate(number: u64, preface: Option<&str>, comments: bool) -> String {
        let tags = GameTags {
            event: "a \"test\" \\ \n",
            number,
            white: "W",
            black: "B",
            preface,
            comments,
        };
        write_game(&tags, &record::tests::fools_mate())
    }

    #[test]
    fn a_game_is_written_to_the_standard() {
        let text = fools_mate(7, None, true);
        let lines = [
            r#"[Event "a \"test\" \\ "]"#,
            r#"[Site "?"]"#,
            r#"[Date "????.??.??"]"#,
            r#"[Round "7"]"#,
            r#"[White "W"]"#,
            r#"[Black "B"]"#,
            r#"[Result "0-1"]"#,
            r#"[PlyCount "4"]"#,
            r#"[Termination "normal"]"#,
            "",
            "1. f3 e5 {?/3 99n} 2. g4 {-M1/3 99n} 2... Qh4# {+M1/3 99n} {checkmate} 0-1",
            "",
            "",
        ];
        assert_eq!(text, lines.join("\n"));
    }

    #[test]
    fn no_line_of_a_comment_is_an_escape() {
        let tags = GameTags {
            event: "e",
            number: 1,
            white: "W",
            black: "B",
            preface: None,
            comments: false,
        };
        let text = write_abandoned(&tags, &"said %x and 5 % ".repeat(40));
        assert!(
            text.contains("x and 5") && text.lines().count() > 12,
            "{text}"
        );
        assert!(!text.contains("\n%"), "{text}");
    }

    #[test]
    fn a_file_cut_anywhere_ends_with_its_last_complete_game() {
        let games = [1, 2, 3].map(|n| fools_mate(n, (n == 1).then_some("how: it"), false));
        let file = games.concat();
        for cut in 0..=file.len() {
            let contents = scan(&file.as_bytes()[..cut]).unwrap();
            let mut complete = 0;
            let mut end = 0;
            while complete < 3 && end + games[complete].len() <= cut {
                end += games[complete].len();
                complete += 1;
            }
            assert_eq!(contents.tally.games(), complete as u64, "cut at {cut}");
            assert_eq!(contents.end, end as u64, "cut at {cut}");
            assert_eq!(contents.torn, (cut - end) as u64, "cut at {cut}");
            if complete > 0 {
                assert_eq!(contents.preface.as_deref(), Some("how: it"));
            }
        }
        let tags = GameTags {
            event: "e",
            number: 4,
            white: "W",
            black: "B",
            preface: None,
            comments: false,
        };
        let file =
            file + &write_abandoned(&tags, "a {bad}\n  engine") + &fools_mate(5, None, false);
        let contents = scan(file.as_bytes()).unwrap();
        assert_eq!(
            (contents.end, contents.tally.abandoned),
            (file.len() as u64, 1)
        );
        let tally = Tally {
            abandoned: 0,
            ..contents.tally
        };
        // Black wins each: the first player has White in games 1, 3 and 5.
        assert_eq!((tally.wins, tally.draws, tally.losses), (1, 0, 3));
    }

    #[test]
    fn damage_before_the_end_is_no_torn_game() {
        let [one, two, three] = [1, 2, 3].map(|n| fools_mate(n, None, false));
        let gap = format!("{one}{three}");
        assert!(matches!(
            scan(gap.as_bytes()),
            Err(ScanError::Round { expected: 2, .. })
        ));
        let cut = format!("{one}{}{three}", &two[..two.len() - 19]);
        assert!(matches!(
            scan(cut.as_bytes()),
            Err(ScanError::Damaged { .. })
        ));
        let zeros = [one.as_bytes(), &[0; 5000]].concat();
        assert_eq!(scan(&zeros[..]).unwrap().torn, 5000);
        assert_eq!(scan(&b"\xff\xfe\n[Site"[..]).unwrap().end, 0);
    }
}
