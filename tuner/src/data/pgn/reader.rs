//! One game after another from a text, its tags and the moves of its main line, played on any board.
//! Nothing vanishes: what is no move, number, glyph, comment, variation or result ends the game, and is
//! named.
//!
//! A game ends with its result, with another game's tags, with an empty line and the number 1, or with
//! the file. An empty line by itself ends nothing.

use super::lexer::{Lexer, MAX_TAG_LINE, Token};
use super::{SkipReason, Skipped};
use engine::movetext::{ResultText, Word};
use engine::position::Position;
use engine::san::{self, MoveText, Unfit};
use engine::types::{Color, Move, Piece};
use std::io::{self, Read};

/// A board that moves are played on.
pub trait Board {
    /// A move.
    type Move: Copy + PartialEq;
    /// The one legal move that a text means.
    ///
    /// # Errors
    /// None fits, or several.
    fn find(&self, text: &MoveText) -> Result<Self::Move, Unfit>;
    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);
    /// Plies before the position, as a FEN counts them.
    fn ply(&self) -> u32;
}

impl Board for Position {
    type Move = Move;

    fn find(&self, text: &MoveText) -> Result<Move, Unfit> {
        san::find(self, text)
    }

    fn play(&mut self, mv: Move) {
        *self = Position::play(self, mv);
    }

    fn ply(&self) -> u32 {
        let black = u32::from(self.side_to_move() == Color::Black);
        2 * (u32::from(self.fullmove_number()) - 1) + black
    }
}

/// How the moves of a game end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a result.
    Result(ResultText),
    /// With the next game.
    NextGame,
    /// With the file; whether white space or a comment stands behind the last move, so that it has come
    /// whole.
    File {
        /// It does.
        is_whole: bool,
    },
}

/// Names of tags that are read, whatever letters of them are capitals.
const NAMES: [&[u8]; 7] = [
    b"Event", b"White", b"Black", b"Result", b"Date", b"FEN", b"Variant",
];

/// The tags of a game that a second time, behind an empty line, belong to another game.
const ONCE: [&[u8]; 6] = [b"Event", b"White", b"Black", b"Result", b"Date", b"FEN"];

/// Reads games.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// A token that was read and belongs to what comes.
    kept: Option<Token>,
    number: u64,
    line: u64,
    moves_line: u64,
    /// Plies before the game, as its board counts them.
    start: u32,
    /// Moves of the game so far.
    plies: u32,
    has_number: bool,
    end: Option<End>,
}

fn skipped<T>(reason: SkipReason, detail: String) -> io::Result<Result<T, Skipped>> {
    Ok(Err(Skipped { reason, detail }))
}

impl<R: Read> Reader<R> {
    /// A reader at the beginning of a text.
    pub fn new(text: R) -> Reader<R> {
        Reader {
            lexer: Lexer::new(text),
            kept: None,
            number: 0,
            line: 0,
            moves_line: 0,
            start: 0,
            plies: 0,
            has_number: false,
            // Before the first game.
            end: Some(End::NextGame),
        }
    }

    /// Number of the last game, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Line on which that game begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Line on which its moves begin, from 1.
    pub fn moves_line(&self) -> u64 {
        self.moves_line
    }

    /// How the game ended, once it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    fn next_token(&mut self) -> io::Result<Token> {
        match self.kept.take() {
            Some(token) => Ok(token),
            None => self.lexer.next_token(),
        }
    }

    /// Goes to the next game, behind what is left of the last one, and hands over the names and values of
    /// its tags, as bytes of the file with their escapes. `None` at the end of the file, or why the
    /// game can't be used.
    ///
    /// # Errors
    /// The text can't be read on.
    pub fn next_game(
        &mut self,
        mut on_tag: impl FnMut(&[u8], &[u8]),
    ) -> io::Result<Option<Result<(), Skipped>>> {
        self.skip_rest()?;
        let mut is_behind_result = matches!(self.end, Some(End::Result(_)));
        self.plies = 0;
        self.has_number = false;
        let mut sound = Ok(());
        let mut begun = false;
        let mut seen = [false; ONCE.len()];
        let mut has_gap = false;
        loop {
            let token = self.next_token()?;
            has_gap |= self.lexer.line_ends() > 1;
            let is_same_line = self.lexer.line_ends() == 0;
            let is_first = !begun;
            match token {
                Token::End if is_first => return Ok(None),
                Token::Comment => continue,
                Token::Nag | Token::Word(Word::Glyph | Word::Result(_)) if is_first => continue,
                // What is said of the result.
                Token::Unknown if is_behind_result && is_same_line => {
                    self.lexer.skip_line()?;
                    continue;
                }
                Token::Open if is_behind_result && is_same_line => {
                    self.lexer.skip_variation()?;
                    continue;
                }
                _ => begun = true,
            }
            let is_stray = is_behind_result && is_same_line;
            is_behind_result = false;
            if is_first {
                self.number += 1;
                self.line = self.lexer.line();
                self.end = None;
            }
            match token {
                Token::Tag => {
                    let name = self.lexer.tag_name();
                    let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(name));
                    let name = known.copied().unwrap_or(name);
                    if let Some(place) = ONCE.iter().position(|once| *once == name) {
                        if seen[place] && (has_gap || place == 0) {
                            self.kept = Some(token);
                            self.end = Some(End::NextGame);
                            break;
                        }
                        seen[place] = true;
                    }
                    has_gap = false;
                    on_tag(name, self.lexer.tag_value());
                }
                Token::LongTag => {
                    sound = Err(Skipped {
                        reason: SkipReason::Syntax,
                        detail: format!("a tag's line has more than {MAX_TAG_LINE} bytes"),
                    });
                }
                // Not another remark, but moves without their numbers.
                Token::Word(Word::Move(_)) if is_stray => {
                    let line = self.lexer.line();
                    sound = Err(Skipped {
                        reason: SkipReason::NoBeginning,
                        detail: format!(
                            "on line {line}, {} stands behind a result",
                            self.lexer.text()
                        ),
                    });
                    break;
                }
                // A bracket without name and value.
                Token::Unknown if self.lexer.text().starts_with('[') => {
                    let line = self.lexer.line();
                    let Some(text) = self.lexer.skip_bracket()? else {
                        self.kept = Some(token);
                        break;
                    };
                    if says_what_is_played(&text) {
                        sound = Err(Skipped {
                            reason: SkipReason::Syntax,
                            detail: format!("on line {line}, {text:?} is no tag"),
                        });
                    }
                }
                _ => {
                    self.kept = Some(token);
                    break;
                }
            }
        }
        self.moves_line = self.lexer.line();
        Ok(Some(sound))
    }

    /// Plays the next move of the main line; `None` at its end, or why the game can't be used.
    ///
    /// # Errors
    /// The text can't be read on.
    pub fn next_move<B: Board>(
        &mut self,
        board: &mut B,
    ) -> io::Result<Result<Option<B::Move>, Skipped>> {
        if self.plies == 0 {
            self.start = board.ply();
        }
        let mut letter = None;
        let mut is_numbered = false;
        loop {
            let Some(word) = (match self.next_word()? {
                Ok(word) => word,
                Err(skipped) => return Ok(Err(skipped)),
            }) else {
                return Ok(Ok(None));
            };
            let text = match word {
                Word::Move(text) => text,
                // It says something of the move before it.
                Word::Letter(_) if is_numbered || self.plies == 0 => return self.no_move(),
                Word::Letter(piece) => {
                    letter = Some(piece);
                    continue;
                }
                _ => {
                    letter = None;
                    is_numbered = true;
                    continue;
                }
            };
            let found = board.find(&text);
            let other = letter.and_then(|piece| board.find(&with_piece(&text, piece)?).ok());
            if other.is_some_and(|other| found != Ok(other)) {
                let detail = format!(
                    "on line {}, a letter and {}: is that one move or a remark and a pawn’s move?",
                    self.lexer.line(),
                    self.lexer.text()
                );
                return skipped(SkipReason::NoMove, detail);
            }
            let Ok(mv) = found else {
                let (line, text) = (self.lexer.line(), self.lexer.text());
                let plies = self.plies;
                let detail = format!("on line {line}, {text} can't be played after {plies} plies");
                return skipped(SkipReason::IllegalMove, detail);
            };
            board.play(mv);
            self.plies += 1;
            return Ok(Ok(Some(mv)));
        }
    }

    /// Reads the rest of the main line without a board: how many moves it has, or why the game can't be
    /// used.
    ///
    /// # Errors
    /// The text can't be read on.
    pub fn check_rest(&mut self) -> io::Result<Result<u32, Skipped>> {
        let before = self.plies;
        loop {
            match self.next_word()? {
                Ok(None) => return Ok(Ok(self.plies - before)),
                Ok(Some(word)) => self.plies += u32::from(matches!(word, Word::Move(_))),
                Err(skipped) => return Ok(Err(skipped)),
            }
        }
    }

    /// The next move, number, or letter of the main line; `None` at its end.
    fn next_word(&mut self) -> io::Result<Result<Option<Word>, Skipped>> {
        // A word that touches the end of the file may be the beginning of another.
        let mut is_whole = false;
        loop {
            if self.end.is_some() {
                return Ok(Ok(None));
            }
            let syntax = |text: &str| skipped(SkipReason::Syntax, text.to_string());
            match self.next_token()? {
                Token::Word(Word::Result(result)) => self.end = Some(End::Result(result)),
                Token::Word(Word::Number(number)) => {
                    if self.is_next_game(number) {
                        self.keep(Token::Word(Word::Number(number)));
                    } else if let Some(number) = number
                        && !std::mem::replace(&mut self.has_number, true)
                    {
                        // Of games from a FEN some are numbered from 1.
                        let here = 1 + (self.start + self.plies) / 2;
                        let from_one = 1 + (self.start % 2 + self.plies) / 2;
                        if number != here && number != from_one {
                            let line = self.lexer.line();
                            let detail = format!(
                                "on line {line}, the first number is {number}, expected {here}"
                            );
                            return skipped(SkipReason::NoBeginning, detail);
                        }
                    }
                    return Ok(Ok(Some(Word::Number(number))));
                }
                Token::Word(Word::Glyph) | Token::Nag | Token::Comment => is_whole = true,
                Token::Word(word) => return Ok(Ok(Some(word))),
                Token::Unknown => return self.no_move(),
                Token::Open => {
                    if !self.lexer.skip_variation()? {
                        return syntax("a variation has no end");
                    }
                    is_whole = true;
                }
                Token::Close => return syntax("a parenthesis is closed that was not opened"),
                Token::OpenComment => return syntax("a comment has no end"),
                token @ (Token::Tag | Token::LongTag) => self.keep(token),
                Token::End => {
                    is_whole |= self.lexer.is_spaced();
                    self.end = Some(End::File { is_whole });
                }
            }
        }
    }

    /// Ends the game before a token of the next.
    fn keep(&mut self, token: Token) {
        self.kept = Some(token);
        self.end = Some(End::NextGame);
    }

    /// Whether a number belongs to the next game, which has no tags.
    fn is_next_game(&self, number: Option<u32>) -> bool {
        number == Some(1) && self.plies > 1 && self.lexer.line_ends() > 1
    }

    fn no_move<T>(&self) -> io::Result<Result<T, Skipped>> {
        let text: String = self.lexer.text().chars().take(24).collect();
        let detail = format!(
            "on line {}, {text:?} is no move{}",
            self.lexer.line(),
            san::remark(&text)
        );
        skipped(SkipReason::NoMove, detail)
    }

    /// Leaves what is left of a game behind, without looking what it says.
    fn skip_rest(&mut self) -> io::Result<()> {
        while self.end.is_none() {
            match self.next_token()? {
                Token::Word(Word::Result(result)) => self.end = Some(End::Result(result)),
                Token::Word(Word::Number(number)) if self.is_next_game(number) => {
                    self.keep(Token::Word(Word::Number(number)));
                }
                token @ (Token::Tag | Token::LongTag) => self.keep(token),
                Token::End => self.end = Some(End::File { is_whole: false }),
                Token::Open => {
                    self.lexer.skip_variation()?;
                }
                Token::Word(Word::Move(_)) => self.plies += 1,
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether a bracket that is no tag was to say what is played: a position, or another game than chess.
fn says_what_is_played(bracket: &str) -> bool {
    let name: String = bracket.chars().filter(char::is_ascii_alphabetic).collect();
    let name = name.to_ascii_lowercase();
    ["fen", "variant", "setup"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// What a pawn's move would be if the letter before it belonged to it.
fn with_piece(text: &MoveText, piece: Piece) -> Option<MoveText> {
    match *text {
        MoveText::Piece {
            piece: None | Some(Piece::Pawn),
            file,
            rank,
            to,
            promotion: None,
        } => Some(MoveText::Piece {
            piece: Some(piece),
            file,
            rank,
            to,
            promotion: None,
        }),
        _ => None,
    }
}
