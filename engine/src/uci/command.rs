//! Text → [`Command`]: a tokenizer of our own, since nothing on stdin may ever panic.
//!
//! Tolerant as the protocol asks for: any white space separates tokens, unknown tokens are skipped
//! and the rest of the line is read. Pure: no state, no output.

use super::number::{Clamp, clamped};
use super::options;
use crate::bench;
use crate::fen::{FenError, Setup};
use crate::position::Position;
use crate::search::MAX_DEPTH;
use crate::types::Move;

/// What a GUI or a person asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `debug on`, `debug off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `setoption name … [value …]`
    SetOption {
        /// Name as written.
        name: String,
        /// Value as written, empty without one. It may be a path, which need not be UTF-8.
        value: Vec<u8>,
    },
    /// `register …`: there is nothing to register.
    Register,
    /// `ucinewgame`
    NewGame,
    /// `position …`
    Position(PositionCommand),
    /// `go …`
    Go(Box<GoCommand>),
    /// `go perft N`, `perft N`: depth in plies, 1 without a number.
    Perft(u32),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `d`: show the position.
    Display,
    /// `eval [--all]`: show the evaluation by term.
    Eval {
        /// With the terms that contribute nothing.
        all: bool,
    },
    /// `bench [depth] [hash] [threads]`
    Bench(bench::Settings),
    /// `params`: show the parameters.
    Params,
    /// `help`
    Help,
    /// An empty line.
    Nothing,
    /// A line without any known command.
    Unknown,
}

/// A position to be set up.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionCommand {
    /// The position before the moves, with what of its FEN can't be and is dropped, or why it is
    /// refused.
    pub start: Result<(Position, Vec<FenError>), FenError>,
    /// The moves, as written: whether they are legal depends on the position.
    pub moves: Vec<String>,
    /// Words beside `startpos` that were passed over.
    pub unread: Vec<String>,
}

/// What a search is bounded by. Numbers out of range are clamped, negative clocks kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// Root moves to look at.
    pub searchmoves: Vec<Move>,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// White's clock, milliseconds.
    pub wtime: Option<i64>,
    /// Black's clock, milliseconds.
    pub btime: Option<i64>,
    /// White's increment, milliseconds.
    pub winc: Option<i64>,
    /// Black's increment, milliseconds.
    pub binc: Option<i64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Depth in plies.
    pub depth: Option<usize>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Find a mate in so many moves.
    pub mate: Option<u32>,
    /// Time for this move, milliseconds.
    pub movetime: Option<i64>,
    /// Until `stop`.
    pub infinite: bool,
    /// Words that were passed over, and limits without a number.
    pub unread: Vec<String>,
}

/// Deepest perft that is counted: beyond, no count would ever be done.
const MAX_PERFT: u32 = 20;

/// Reads one line. Bytes that are no UTF-8 become replacement characters, but in an option's value,
/// which may be a path.
pub fn parse(line: &[u8]) -> Command {
    let command = parse_text(&String::from_utf8_lossy(line));
    match command {
        Command::SetOption { name, .. } if std::str::from_utf8(line).is_err() => {
            Command::SetOption {
                name,
                value: value_in(line).to_vec(),
            }
        }
        command => command,
    }
}

/// What stands behind the first word `value`, without the white space around it.
fn value_in(line: &[u8]) -> &[u8] {
    let mut rest = line;
    while let Some(end) = rest.iter().position(u8::is_ascii_whitespace) {
        let (word, behind) = rest.split_at(end);
        rest = behind.trim_ascii_start();
        if word == b"value" {
            return rest.trim_ascii_end();
        }
    }
    b""
}

fn parse_text(line: &str) -> Command {
    // Some programs write a byte-order mark before their first line.
    let mut rest = line.trim_start_matches('\u{feff}').trim();
    if rest.is_empty() {
        return Command::Nothing;
    }
    // Unknown tokens in front are skipped: "joho debug on" turns debug on.
    while !rest.is_empty() {
        let (name, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
        if let Some(command) = parse_from(name, rest) {
            return command;
        }
    }
    Command::Unknown
}

fn parse_from(name: &str, text: &str) -> Option<Command> {
    // Not before the name is known: a long line may have many tokens in front of it.
    let tokens = || text.split_whitespace().collect::<Vec<&str>>();
    Some(match name {
        "uci" => Command::Uci,
        "debug" => Command::Debug(!tokens().contains(&"off")),
        "isready" => Command::IsReady,
        "setoption" => parse_option(text),
        "register" => Command::Register,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(parse_position(&tokens())),
        "go" => parse_go(&tokens()),
        "perft" => parse_perft(tokens().first()),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" | "exit" => Command::Quit,
        "d" => Command::Display,
        "eval" => Command::Eval {
            all: tokens().contains(&"--all"),
        },
        "bench" => Command::Bench(parse_bench(&tokens())),
        "params" => Command::Params,
        "help" => Command::Help,
        _ => return None,
    })
}

/// `name` and `value` begin their parts; both may contain spaces, and a name may contain "value"
/// as part of a longer word. The value is taken as it stands, for it may be a path.
fn parse_option(text: &str) -> Command {
    let after_name = around(text, "name").map_or(text, |(_, after)| after);
    let (name, value) = around(after_name, "value").unwrap_or((after_name, ""));
    Command::SetOption {
        name: name.split_whitespace().collect::<Vec<_>>().join(" "),
        value: value.trim().as_bytes().to_vec(),
    }
}

/// What stands before and after a word.
fn around<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut at = 0;
    for part in text.split_inclusive(char::is_whitespace) {
        if part.trim_end() == word {
            return Some((&text[..at], &text[at + word.len()..]));
        }
        at += part.len();
    }
    None
}

fn from_fen(fields: &[&str]) -> Result<(Position, Vec<FenError>), FenError> {
    let (setup, dropped) = Setup::parse_leniently(&fields.join(" "))?;
    Ok((Position::from_setup(&setup)?, dropped))
}

fn parse_position(tokens: &[&str]) -> PositionCommand {
    let moves_at = tokens.iter().position(|&token| token == "moves");
    let (setup, moves) = match moves_at {
        Some(at) => (&tokens[..at], &tokens[at + 1..]),
        None => (tokens, &[] as &[&str]),
    };
    let owned = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect();
    let mut unread = Vec::new();
    let start = match setup.iter().position(|&token| token == "fen") {
        Some(at) => from_fen(&setup[at + 1..]),
        None if setup.contains(&"startpos") => {
            unread = owned(setup);
            unread.retain(|token| token != "startpos");
            Ok((Position::startpos(), Vec::new()))
        }
        // Some people leave out the word.
        None => from_fen(setup),
    };
    PositionCommand {
        start,
        moves: owned(moves),
        unread,
    }
}

fn parse_go(tokens: &[&str]) -> Command {
    let mut go = GoCommand::default();
    let mut restricts = false;
    let mut rest = tokens.iter().copied().peekable();
    while let Some(token) = rest.next() {
        let mut limit = |is_read: bool| {
            if !is_read {
                go.unread.push(token.to_string());
            }
        };
        match token {
            "searchmoves" => restricts = true,
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => limit(number(&mut rest, &mut go.wtime)),
            "btime" => limit(number(&mut rest, &mut go.btime)),
            "winc" => limit(number(&mut rest, &mut go.winc)),
            "binc" => limit(number(&mut rest, &mut go.binc)),
            "movestogo" => limit(number(&mut rest, &mut go.movestogo)),
            "depth" => limit(number(&mut rest, &mut go.depth)),
            "nodes" => limit(number(&mut rest, &mut go.nodes)),
            "mate" => limit(number(&mut rest, &mut go.mate)),
            "movetime" => limit(number(&mut rest, &mut go.movetime)),
            "perft" => return parse_perft(rest.next().as_ref()),
            // Words among the moves that are none are passed over like all others.
            _ if restricts && Move::parse_uci(token).is_some() => {
                go.searchmoves.extend(Move::parse_uci(token));
            }
            _ => limit(false),
        }
    }
    Command::Go(Box::new(go))
}

/// Reads the number that follows a keyword, and says whether there was one. If not, the token is left for the next turn. Of a
/// number with a fraction, which some scripts send for a clock, the whole part counts.
fn number<'a, T: Clamp>(
    rest: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
    target: &mut Option<T>,
) -> bool {
    let value = rest.peek().and_then(|text| match text.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit.is_ascii_digit()) => {
            clamped(whole)
        }
        _ => clamped(text),
    });
    let is_read = value.is_some();
    if is_read {
        *target = value;
        rest.next();
    }
    is_read
}

/// What is no depth is not taken for one: a count would be the answer to another question.
fn parse_perft(token: Option<&&str>) -> Command {
    let depth: Option<i64> = token.map_or(Some(1), |text| clamped(text));
    let depth = depth.filter(|depth| *depth >= 0);
    depth.map_or(Command::Unknown, |depth| {
        Command::Perft(depth.min(i64::from(MAX_PERFT)) as u32)
    })
}

/// Depth, table and threads of a benchmark; what is missing or no number keeps its default.
fn parse_bench(tokens: &[&str]) -> bench::Settings {
    let default = bench::Settings::default();
    let number = |place: usize, default: usize, most: usize| {
        let given: Option<usize> = tokens.get(place).and_then(|text| clamped(text));
        given.map_or(default, |number| number.clamp(1, most))
    };
    bench::Settings {
        depth: number(0, default.depth, MAX_DEPTH),
        hash: number(1, default.hash, options::HASH.2 as usize),
        threads: number(2, default.threads, options::MOST_THREADS as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn go(line: &str) -> GoCommand {
        match parse(line.as_bytes()) {
            Command::Go(go) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn unknown_tokens_are_skipped() {
        assert_eq!(parse(b"joho debug on"), Command::Debug(true));
        assert_eq!(parse(b"debug off"), Command::Debug(false));
        assert_eq!(parse(b"  \t isready \r\n"), Command::IsReady);
        assert_eq!(parse(b"xyzzy plugh"), Command::Unknown);
        assert_eq!(parse(b" \t\r\n"), Command::Nothing);
        let odd = go("go foo depth bar 7 depth 9");
        assert_eq!(odd.depth, Some(9));
        assert_eq!(odd.unread, ["foo", "depth", "bar", "7"]);
        // A search without a limit by mistake would go on for ever: who typed it is told.
        assert_eq!(go("go movetime 2s").unread, ["movetime", "2s"]);
        assert!(go("go searchmoves e2e4 infinite").unread.is_empty());
    }

    #[test]
    fn go_takes_any_mix_and_order() {
        let all = go(
            "go infinite btime -5 wtime 99999999999999999999 binc 3 winc 2 ponder \
                      movestogo 40 searchmoves e2e4 d2d4 nodes 7 mate 300 depth 1000 movetime 12",
        );
        assert_eq!(all.wtime, Some(i64::MAX));
        assert_eq!(all.btime, Some(-5));
        assert_eq!((all.winc, all.binc), (Some(2), Some(3)));
        assert_eq!((all.movestogo, all.depth), (Some(40), Some(1000)));
        assert_eq!((all.nodes, all.mate), (Some(7), Some(300)));
        assert_eq!(all.movetime, Some(12));
        assert!(all.infinite && all.ponder);
        assert_eq!(all.searchmoves.len(), 2);
        let some = go("go searchmoves zzz e2e4 e2e9 depth 3 d2d4");
        assert_eq!((some.searchmoves, some.depth), (all.searchmoves, Some(3)));
        assert_eq!(go("go depth -3 nodes -1").depth, Some(0));
        assert_eq!(go("go wtime").wtime, None);
        assert_eq!(go("go wtime 60000.0 movetime 12.75").wtime, Some(60_000));
        assert_eq!(go("go wtime 60000.0 movetime 12.75").movetime, Some(12));
        assert_eq!(go("go movetime 1.x depth .").movetime, None);
        assert_eq!(parse(b"go perft 5"), Command::Perft(5));
        assert_eq!(parse(b"perft 4000000000000"), Command::Perft(MAX_PERFT));
        assert_eq!(parse(b"go perft"), Command::Perft(1));
        assert_eq!(parse(b"perft 0"), Command::Perft(0));
        for line in ["go perft -1", "perft -1", "perft two"] {
            assert_eq!(parse(line.as_bytes()), Command::Unknown, "{line}");
        }
    }

    #[test]
    fn benchmarks_take_three_numbers() {
        let settings = |depth, hash, threads| {
            Command::Bench(bench::Settings {
                depth,
                hash,
                threads,
            })
        };
        let default = bench::Settings::default();
        assert_eq!(parse(b"bench"), Command::Bench(default));
        assert_eq!(parse(b"bench 4 32 2 x"), settings(4, 32, 2));
        assert_eq!(
            parse(b"bench 0 x 99999999999999999999999"),
            settings(1, default.hash, options::MOST_THREADS as usize)
        );
    }

    #[test]
    fn option_names_and_values_keep_their_spaces() {
        let option = |line: &str| match parse(line.as_bytes()) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{line}: {other:?}"),
        };
        let owned = |name: &str, value: &str| (name.to_string(), value.as_bytes().to_vec());
        assert_eq!(
            option("setoption name Piece Value Knight value  a b "),
            owned("Piece Value Knight", "a b")
        );
        // A path stands as it is.
        assert_eq!(
            option("setoption name  Book  File\tvalue C:\\My  Books\u{3000}\\a.bin \r"),
            owned("Book File", "C:\\My  Books\u{3000}\\a.bin")
        );
        assert_eq!(option("setoption name Hash value"), owned("Hash", ""));
        assert_eq!(option("setoption name Clear Hash"), owned("Clear Hash", ""));
        assert_eq!(option("setoption"), owned("", ""));
    }

    #[test]
    fn values_keep_bytes_that_are_no_utf8() {
        let option = |line: &[u8]| match parse(line) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{other:?}"),
        };
        let file = b"caf\xe9 \xa0\xff/b.bin".to_vec();
        let line = [b" setoption\tname Book  File value  ", &file[..], b" \r"].concat();
        assert_eq!(option(&line), ("Book File".to_string(), file));
        assert_eq!(option(b"setoption name \xe9 value").1, b"");
        assert_eq!(option(b"setoption name \xe9").1, b"");
    }

    #[test]
    fn a_mark_of_the_byte_order_is_passed_over() {
        assert_eq!(parse("\u{feff}uci".as_bytes()), Command::Uci);
        assert_eq!(parse("\u{feff}".as_bytes()), Command::Nothing);
    }

    #[test]
    fn positions_of_four_to_six_fields_are_read() {
        let position = |line: &str| match parse(line.as_bytes()) {
            Command::Position(position) => position,
            other => panic!("{line}: {other:?}"),
        };
        let bare = position("position startpos");
        assert_eq!(bare.start, Ok((Position::startpos(), Vec::new())));
        for line in [
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - moves e1e2 e8e7",
            "position\tfen  4k3/8/8/8/8/8/8/4K3 w - - 0\tmoves  e1e2  e8e7\r",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2 e8e7",
        ] {
            let position = position(line);
            assert!(position.start.is_ok(), "{line}");
            assert_eq!(position.moves, ["e1e2", "e8e7"]);
        }
        assert!(position("position").start.is_err());
        assert!(position("position fen").start.is_err());
    }

    proptest! {
        #![proptest_config(::tests::cases(1000))]

        #[test]
        fn nothing_panics(line in "\\PC*") {
            parse(line.as_bytes());
        }

        #[test]
        fn no_sequence_of_words_panics(words in prop::collection::vec(
            prop_oneof![
                Just("go"), Just("position"), Just("startpos"), Just("fen"), Just("moves"),
                Just("setoption"), Just("name"), Just("value"), Just("depth"), Just("perft"),
                Just("searchmoves"), Just("wtime"), Just("e2e4"), Just("-"), Just("+"), Just("w"),
                Just("18446744073709551616"), Just("-99999999999999999999999999999999999999999999"),
                Just("8/8/8/8/8/8/8/8"), Just("bench"), Just("debug"), Just("é"),
            ], 0..12)) {
            parse(words.join(" ").as_bytes());
        }
    }
}
