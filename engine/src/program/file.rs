//! A program of three trees, with its header, as a file.

use super::endings::{Ending, EndingError};
use super::primitives::{digest, is_digest};
use super::text::{Place, ProgramError, Token, Tokens, read_tree};
use super::tree::Tree;
use crate::nearest::nearest;
use crate::position::Position;
use crate::source::{Source, SourceError};
use crate::text::text_of;
use std::fmt;
use std::io::Read;
use std::path::Path;
use thiserror::Error;

/// The version of the files that are written, and the only one that is read.
const VERSION: &str = "1";

/// Longest file that is read, in bytes: three trees of the most nodes are far smaller.
const LONGEST: u64 = 1 << 20;

/// Longest line of a tree that is written.
const WIDTH: usize = 100;

/// The parts of a program's text, each once; those from `endings` on must be there.
const PARTS: [&str; 7] = [
    "functions",
    "provenance",
    "version",
    "endings",
    "advantage",
    "even",
    "disadvantage",
];

/// A player of endings: a tree for each state of the material before its move (the paper, §3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The endings that it is for.
    pub endings: Vec<Ending>,
    /// Where it comes from, for people.
    pub provenance: String,
    /// Digest of the set of primitives that it was made with; `None` if its text does not say.
    pub functions: Option<String>,
    /// The tree for a player with more material.
    pub advantage: Tree,
    /// The tree for equal material.
    pub even: Tree,
    /// The tree for a player with less material.
    pub disadvantage: Tree,
}

/// Why a file is no program.
#[derive(Debug, Error)]
pub enum LoadError {
    /// It can't be read, or is of another kind.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It is no text, or too long.
    #[error("{path}: {why}")]
    Text {
        /// The file.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// The text is no program.
    #[error("{path}: {error}")]
    Program {
        /// The file.
        path: String,
        /// Where and why.
        error: ProgramError,
    },
}

impl Program {
    /// A program made with today's primitives.
    pub fn new(endings: Vec<Ending>, provenance: String, trees: [Tree; 3]) -> Program {
        let nodes = trees.iter().flat_map(|tree| tree.nodes().iter().copied());
        let functions = Some(digest(nodes));
        let [advantage, even, disadvantage] = trees;
        Program {
            endings,
            provenance,
            functions,
            advantage,
            even,
            disadvantage,
        }
    }

    /// Its trees: advantage, even, disadvantage.
    pub fn trees(&self) -> [&Tree; 3] {
        [&self.advantage, &self.even, &self.disadvantage]
    }

    /// Whether it was made with primitives that mean the same today, as far as its text says. If not, some of its
    /// terminals may mean something else now.
    pub fn fits(&self) -> bool {
        self.functions.as_ref().is_none_or(|of| is_digest(of))
    }

    /// Whether a position has the material of one of its endings, or what captures leave of it.
    pub fn covers(&self, position: &Position) -> bool {
        self.endings.iter().any(|ending| ending.covers(position))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file, and the line and column where it is no program.
    pub fn load(path: &Path) -> Result<Program, LoadError> {
        let name = path.display().to_string();
        let wrong = |why: String| LoadError::Text {
            path: path.display().to_string(),
            why,
        };
        let mut bytes = Vec::new();
        let read = Source::open(path)?
            .take(LONGEST + 1)
            .read_to_end(&mut bytes);
        read.map_err(|error| wrong(error.to_string()))?;
        if bytes.len() as u64 > LONGEST {
            return Err(wrong(format!(
                "expected a program of at most {LONGEST} bytes, it is longer"
            )));
        }
        let text = text_of(bytes).map_err(wrong)?;
        Program::parse(&text).map_err(|error| LoadError::Program { path: name, error })
    }

    /// Reads a program from its text.
    ///
    /// # Errors
    /// Line, column and what was expected there.
    pub fn parse(text: &str) -> Result<Program, ProgramError> {
        let mut tokens = Tokens::new(text);
        tokens.expect(&Token::Open, "\"(program\"")?;
        tokens.expect(&Token::Word("program"), "\"program\"")?;
        let mut seen = Vec::new();
        let (mut endings, mut provenance, mut functions) = (Vec::new(), String::new(), None);
        let mut trees = [None, None, None];
        let end = loop {
            let (token, place) = tokens.next()?;
            match token {
                Token::Close => break place,
                Token::Open => {}
                _ => {
                    return place.error(format!(
                        "expected \"(\" before a part of the program or \")\" after the last, found {token}"
                    ));
                }
            }
            let (part, place) = part(&mut tokens)?;
            if seen.contains(&part) {
                return place.error(format!("expected the part {part} once, it is here again"));
            }
            seen.push(part);
            match part {
                "version" => version(&mut tokens)?,
                "functions" => functions = Some(word(&mut tokens, "a digest")?.0.to_string()),
                "provenance" => provenance = quoted(&mut tokens)?,
                "endings" => {
                    endings = read_endings(&mut tokens)?;
                    // It has read its parenthesis.
                    continue;
                }
                "advantage" => trees[0] = Some(read_tree(&mut tokens)?),
                "even" => trees[1] = Some(read_tree(&mut tokens)?),
                _ => trees[2] = Some(read_tree(&mut tokens)?),
            }
            tokens.expect(&Token::Close, &format!("\")\" after the part {part}"))?;
        };
        tokens.expect(&Token::End, "nothing after the program")?;
        if let Some(missing) = PARTS[2..].iter().find(|part| !seen.contains(*part)) {
            return end.error(format!("expected a part ({missing} …) before \")\""));
        }
        let [Some(advantage), Some(even), Some(disadvantage)] = trees else {
            return end.error("expected three trees before \")\"");
        };
        Ok(Program {
            endings,
            provenance,
            functions,
            advantage,
            even,
            disadvantage,
        })
    }
}

/// The name of a part.
fn part<'a>(tokens: &mut Tokens<'a>) -> Result<(&'static str, Place), ProgramError> {
    let (token, place) = tokens.next()?;
    if let Token::Word(word) = token
        && let Some(part) = PARTS.iter().find(|part| **part == word)
    {
        return Ok((part, place));
    }
    let meant = match token {
        Token::Word(word) => nearest(word, PARTS),
        _ => None,
    };
    let meant = meant.map_or(String::new(), |near| format!("; did you mean {near}?"));
    let parts = PARTS.join(", ");
    place.error(format!("expected one of {parts}, found {token}{meant}"))
}

/// A word that must be there.
fn word<'a>(tokens: &mut Tokens<'a>, what: &str) -> Result<(&'a str, Place), ProgramError> {
    match tokens.next()? {
        (Token::Word(word), place) => Ok((word, place)),
        (token, place) => place.error(format!("expected {what}, found {token}")),
    }
}

/// The version, which must be ours.
fn version(tokens: &mut Tokens<'_>) -> Result<(), ProgramError> {
    let (version, place) = word(tokens, "the version 1")?;
    if version == VERSION {
        return Ok(());
    }
    let short: String = version.chars().take(40).collect();
    place.error(format!("expected the version {VERSION}, found {short:?}"))
}

/// A text in quotation marks that must be there.
fn quoted(tokens: &mut Tokens<'_>) -> Result<String, ProgramError> {
    match tokens.next()? {
        (Token::Quoted(text), _) => Ok(text),
        (token, place) => place.error(format!("expected a text in quotation marks, found {token}")),
    }
}

/// Endings up to the parenthesis behind them.
fn read_endings(tokens: &mut Tokens<'_>) -> Result<Vec<Ending>, ProgramError> {
    let mut endings = Vec::new();
    loop {
        match tokens.next()? {
            (Token::Word(name), place) => match name.parse::<Ending>() {
                Ok(ending) if ending.is_drawn() => {
                    return place.error(EndingError::Drawn(ending.to_string()).to_string());
                }
                Ok(ending) if endings.contains(&ending) => {
                    return place.error(format!("expected {ending} once, it is here again"));
                }
                Ok(ending) => endings.push(ending),
                Err(error) => return place.error(error.to_string()),
            },
            (Token::Close, _) if !endings.is_empty() => return Ok(endings),
            (token, place) => {
                return place.error(format!("expected an ending such as KRKR, found {token}"));
            }
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(program")?;
        writeln!(f, "  (version {VERSION})")?;
        if let Some(functions) = &self.functions {
            writeln!(f, "  (functions {functions})")?;
        }
        write!(f, "  (endings")?;
        for ending in &self.endings {
            write!(f, " {ending}")?;
        }
        writeln!(f, ")")?;
        if !self.provenance.is_empty() {
            let escaped = self.provenance.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "  (provenance \"{escaped}\")")?;
        }
        let names = ["advantage", "even", "disadvantage"];
        for (name, tree) in names.iter().zip(self.trees()) {
            write!(f, "  ({name}\n    {})", tree.to_text(4, WIDTH))?;
            f.write_str(if *name == "disadvantage" { ")\n" } else { "\n" })?;
        }
        Ok(())
    }
}
