//! Trees as text: S-expressions such as `(If3 IsMate 1000/2 EvaluateMaterial)`, with `;` before comments.
//!
//! Reading keeps its own stack, so that no text, however deep its parentheses, can exhaust the thread's.

use super::kind::Kind;
use super::primitives::{PRIMITIVES, named};
use super::tree::{MAX_NODES, Tree, Wanted};
use crate::nearest::nearest;
use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {why}")]
pub struct ProgramError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was expected, and what is there.
    pub why: String,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    /// The error that something is wrong here.
    pub fn error<T>(self, why: impl Into<String>) -> Result<T, ProgramError> {
        Err(ProgramError {
            line: self.line,
            column: self.column,
            why: why.into(),
        })
    }
}

/// A piece of text that means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// Anything without spaces, parentheses, quotation marks and semicolons.
    Word(&'a str),
    /// What stands between quotation marks, `\"` and `\\` resolved.
    Quoted(String),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &str| text.chars().take(40).collect::<String>();
        match self {
            Token::Open => f.write_str("\"(\""),
            Token::Close => f.write_str("\")\""),
            Token::Word(word) => write!(f, "{:?}", short(word)),
            Token::Quoted(text) => write!(f, "the text {:?}", short(text)),
            Token::End => f.write_str("the end"),
        }
    }
}

/// A text cut into tokens.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        let place = Place { line: 1, column: 1 };
        // Some editors write a byte-order mark before the first line.
        let rest = text.trim_start_matches('\u{feff}');
        Tokens { rest, place }
    }

    /// Passes over a character.
    fn pass(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next()?;
        self.rest = letters.as_str();
        if letter == '\n' || letter == '\r' && !self.rest.starts_with('\n') {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(letter)
    }

    /// The next token with its place; for ever [`Token::End`] after the last.
    ///
    /// # Errors
    /// Quotation marks that don't end, a backslash before anything else than these two.
    pub fn next(&mut self) -> Result<(Token<'a>, Place), ProgramError> {
        let mut in_comment = false;
        while let Some(letter) = self.rest.chars().next() {
            in_comment = match letter {
                '\n' | '\r' => false,
                ';' => true,
                _ => in_comment,
            };
            if !in_comment && !letter.is_whitespace() {
                break;
            }
            self.pass();
        }
        let place = self.place;
        let begin = self.rest;
        let token = match self.pass() {
            None => Token::End,
            Some('(') => Token::Open,
            Some(')') => Token::Close,
            Some('"') => Token::Quoted(self.quoted(place)?),
            Some(_) => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | ';');
                while self.rest.chars().next().is_some_and(|c| !is_end(c)) {
                    self.pass();
                }
                Token::Word(&begin[..begin.len() - self.rest.len()])
            }
        };
        Ok((token, place))
    }

    /// The rest of a text in quotation marks that began at a place.
    fn quoted(&mut self, begin: Place) -> Result<String, ProgramError> {
        let mut text = String::new();
        loop {
            let place = self.place;
            match self.pass() {
                None => return begin.error("expected a closing quotation mark, found the end"),
                Some('"') => return Ok(text),
                Some('\\') => match self.pass() {
                    Some(letter @ ('"' | '\\')) => text.push(letter),
                    _ => return place.error("expected \\\" or \\\\ after a backslash"),
                },
                Some(letter) => text.push(letter),
            }
        }
    }

    /// Passes over a token that must be there.
    ///
    /// # Errors
    /// If it is another; `what` says what was expected.
    pub fn expect(&mut self, token: &Token<'_>, what: &str) -> Result<Place, ProgramError> {
        let (found, place) = self.next()?;
        match found == *token {
            true => Ok(place),
            false => place.error(format!("expected {what}, found {found}")),
        }
    }
}

/// What is still to be read of a tree.
enum Rest {
    Node(Wanted),
    /// The end of a function's arguments.
    Close(u16),
}

/// An expression of any type, as it may stand for an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// Places in [`PRIMITIVES`] in prefix order, one at least.
    pub nodes: Vec<u16>,
    /// Its type.
    pub kind: Kind,
    /// Levels; a single node is one.
    pub depth: usize,
}

impl Expression {
    /// Reads an expression from its text.
    ///
    /// # Errors
    /// Line, column and what was expected there.
    pub fn parse(text: &str) -> Result<Expression, ProgramError> {
        let mut tokens = Tokens::new(text);
        // Any type will do where a Query is wanted.
        let (kind, level) = (Kind::Query, 1);
        let (nodes, depth) = read_nodes(&mut tokens, Wanted { kind, level })?;
        tokens.expect(&Token::End, "nothing after the expression")?;
        let root = nodes.first().copied().map_or(0, usize::from);
        let kind = PRIMITIVES[root].result;
        Ok(Expression { nodes, kind, depth })
    }
}

/// Reads a tree.
///
/// # Errors
/// The first place where the text is none.
pub(super) fn read_tree(tokens: &mut Tokens<'_>) -> Result<Tree, ProgramError> {
    let begin = tokens.place;
    let (nodes, _) = read_nodes(tokens, Wanted::ROOT)?;
    Tree::new(nodes).or_else(|error| begin.error(error.to_string()))
}

/// Reads the nodes of what is wanted, with the number of their levels.
fn read_nodes(tokens: &mut Tokens<'_>, wanted: Wanted) -> Result<(Vec<u16>, usize), ProgramError> {
    let (mut nodes, mut deepest) = (Vec::new(), 0);
    let mut rest = vec![Rest::Node(wanted)];
    while let Some(next) = rest.pop() {
        let wanted = match next {
            Rest::Node(wanted) => wanted,
            Rest::Close(function) => {
                let function = &PRIMITIVES[usize::from(function)];
                let (name, count) = (function.name, function.arguments.len());
                let plural = if count == 1 { "" } else { "s" };
                tokens.expect(
                    &Token::Close,
                    &format!("\")\" after the {count} argument{plural} of {name}"),
                )?;
                continue;
            }
        };
        let (node, place) = read_node(tokens, wanted.kind)?;
        if let Err(why) = wanted.check(node) {
            return place.error(why);
        }
        if nodes.len() == MAX_NODES {
            return place.error(format!("expected at most {MAX_NODES} nodes"));
        }
        nodes.push(node);
        deepest = deepest.max(wanted.level);
        let arguments = PRIMITIVES[usize::from(node)].arguments;
        if !arguments.is_empty() {
            rest.push(Rest::Close(node));
        }
        rest.extend(arguments.iter().rev().map(|&kind| {
            Rest::Node(Wanted {
                kind,
                level: wanted.level + 1,
            })
        }));
    }
    Ok((nodes, deepest))
}

/// Reads a name: a function's behind its parenthesis, a constant's or a terminal's without one.
fn read_node(tokens: &mut Tokens<'_>, kind: Kind) -> Result<(u16, Place), ProgramError> {
    let (mut token, mut place) = tokens.next()?;
    let opened = token == Token::Open;
    if opened {
        (token, place) = tokens.next()?;
    }
    let Token::Word(name) = token else {
        let what = match opened {
            true => "the name of a function".to_string(),
            false => format!("a {kind}"),
        };
        return place.error(format!("expected {what}, found {token}"));
    };
    let Some(node) = named(name) else {
        let names = PRIMITIVES.iter().map(|primitive| primitive.name);
        let meant = nearest(name, names).map(|near| format!("; did you mean {near}?"));
        let meant = meant.unwrap_or_default();
        return place.error(format!(
            "expected a {kind}, found {token}, which is none of the language{meant}"
        ));
    };
    let primitive = &PRIMITIVES[usize::from(node)];
    match (opened, primitive.is_function()) {
        (true, false) => place.error(format!(
            "expected a function after \"(\", found {name}, which has no arguments"
        )),
        (false, true) => place.error(format!("expected \"(\" before the function {name}")),
        _ => Ok((node, place)),
    }
}

impl Tree {
    /// Reads a tree from its text.
    ///
    /// # Errors
    /// Line, column and what was expected there.
    pub fn parse(text: &str) -> Result<Tree, ProgramError> {
        let mut tokens = Tokens::new(text);
        let tree = read_tree(&mut tokens)?;
        tokens.expect(&Token::End, "nothing after the tree")?;
        Ok(tree)
    }

    /// The tree as text: in one line where it fits into `width` characters, each argument of a longer function
    /// in a line of its own. Lines but the first begin with `indent` spaces or more.
    pub fn to_text(&self, indent: usize, width: usize) -> String {
        let mut text = String::new();
        self.write(0, indent, width, &mut text);
        text
    }

    /// Appends the text of a subtree.
    fn write(&self, at: usize, indent: usize, width: usize, text: &mut String) {
        let name = PRIMITIVES[usize::from(self.nodes()[at])].name;
        let arguments: Vec<usize> = self.arguments(at).collect();
        if arguments.is_empty() {
            text.push_str(name);
            return;
        }
        // A name and a space for each node, and two parentheses for each function at the most.
        let letters = |&node: &u16| PRIMITIVES[usize::from(node)].name.len() + 3;
        let length: usize = self.subtree(at).iter().map(letters).sum();
        let fits = indent + length <= width;
        text.push('(');
        text.push_str(name);
        for argument in arguments {
            if fits {
                text.push(' ');
            } else {
                text.push('\n');
                text.push_str(&" ".repeat(indent + 2));
            }
            self.write(argument, indent + 2, width, text);
        }
        text.push(')');
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(0, usize::MAX))
    }
}
