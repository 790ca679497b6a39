//! What a UCI engine says: the one place where its lines are taken apart.
//!
//! The protocol allows any white space between words, before and behind them, and whatever
//! follows the words that are known is passed over. So a line is a sequence of words here, and nothing is
//! looked for in its text. Reads no pipe (that is [`super::uci`]) and judges nothing.

use engine::score::Score;
use engine::search::MAX_PLY;
use engine::types::Move;

/// A line that an engine has written, as far as it matters.
#[derive(Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// `id name`: what it is called.
    Name(String),
    /// `option`: one that it has.
    Option(Declared),
    /// `uciok`: it has told all of that.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info string`: something for people.
    Remark(String),
    /// Any other `info`, for [`Info::read_line`]: what follows the word.
    Info(&'a str),
    /// `bestmove`: the word behind, if there is one.
    BestMove(&'a str),
    /// Anything else.
    Other,
}

impl<'a> Said<'a> {
    /// Takes a line apart.
    pub fn of(line: &'a str) -> Said<'a> {
        // Programs for Windows may begin with a byte-order mark.
        let (word, rest) = first_word(line.trim_start_matches('\u{feff}'));
        match (word, first_word(rest)) {
            ("id", ("name", name)) => Said::Name(spaced(name)),
            ("option", _) => Declared::parse(rest).map_or(Said::Other, Said::Option),
            ("uciok", _) => Said::UciOk,
            ("readyok", _) => Said::ReadyOk,
            ("info", ("string", text)) => Said::Remark(spaced(text)),
            ("info", _) => Said::Info(rest),
            ("bestmove", (mv, _)) => Said::BestMove(mv),
            _ => Said::Other,
        }
    }
}

/// The first word of a text, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// The words of a text with one blank between them.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a remark says that an option was not set. The protocol has no words for it; these are those of `eyas`.
pub fn is_refusal(remark: &str) -> bool {
    const WORDS: [&str; 5] = [
        "; nothing changed",
        "the parameters stay as they are",
        "; the table stays as it is",
        "; the table has ",
        "; it stays at ",
    ];
    WORDS.iter().any(|words| remark.contains(words))
}

/// A move with what an engine thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Its score for the side to move.
    pub score: Score,
    /// What the engine expects in reply, if it has said so.
    pub reply: Option<Move>,
}

/// What the `info` lines of one search have told so far.
#[derive(Clone, Default)]
pub struct Info {
    /// The last exact score.
    pub score: Option<Score>,
    /// Its depth in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The first move of the line that has the score.
    first: Option<Move>,
    /// The second one.
    second: Option<Move>,
}

impl Info {
    /// Takes over what a line says; lines of other variations and mere bounds give no score.
    pub fn read(&mut self, text: &str) {
        let _ = self.read_line(text, 1);
    }

    /// The same for the line in this place, from 1; what it says, if it says a move and a score.
    pub fn read_line(&mut self, text: &str, place: usize) -> Option<Line> {
        let mut words = text.split_whitespace();
        let mut line = Info {
            score: None,
            depth: self.depth,
            nodes: self.nodes,
            first: None,
            second: None,
        };
        let mut told = None;
        let mut exact = true;
        let mut number_of_line = 1;
        while let Some(word) = words.next() {
            match word {
                "depth" => line.depth = number(words.next()).unwrap_or(line.depth),
                "nodes" => line.nodes = number(words.next()).unwrap_or(line.nodes),
                "multipv" => number_of_line = number(words.next()).unwrap_or(0),
                "lowerbound" | "upperbound" => exact = false,
                "score" => {
                    line.score = match words.next() {
                        Some("cp") => number(words.next()).map(Score::cp),
                        Some("mate") => number(words.next()).map(mate),
                        _ => None,
                    }
                }
                // All that follows is moves.
                "pv" => {
                    line.first = words.next().and_then(Move::parse_uci);
                    line.second = words.next().and_then(Move::parse_uci);
                    break;
                }
                // All that follows is free text.
                "string" => break,
                _ => {}
            }
        }
        if exact && number_of_line == place && line.score.is_some() {
            self.score = line.score;
            (self.first, self.second) = (line.first, line.second);
            self.depth = line.depth;
            told = self.line();
        }
        self.nodes = line.nodes;
        told
    }

    /// The line, if it has a move and a score.
    pub fn line(&self) -> Option<Line> {
        let (mv, score) = (self.first?, self.score?);
        Some(Line {
            mv,
            score,
            reply: self.second,
        })
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word.and_then(|w| w.parse().ok())
}

/// The score of a mate in so many full moves (negative: against the side to move).
fn mate(moves: i32) -> Score {
    let moves_away = moves.unsigned_abs() as usize;
    if moves > 0 {
        Score::mate_in((2 * moves_away - 1).min(MAX_PLY))
    } else {
        Score::mated_in((2 * moves_away).min(MAX_PLY))
    }
}

/// An option that an engine has.
#[derive(Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    kind: OptionKind,
}

#[derive(Debug, PartialEq, Eq)]
enum OptionKind {
    Check,
    /// A whole number from one to the other.
    Spin(i64, i64),
    /// One of these.
    Combo(Vec<String>),
    /// A button, a text, or what the protocol does not know.
    Other,
}

impl Declared {
    /// Reads what follows `option`: `name Hash type spin default 16 min 1 max 1024`.
    fn parse(text: &str) -> Option<Declared> {
        const KINDS: [&str; 5] = ["check", "spin", "combo", "button", "string"];
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.strip_prefix(&["name"])?;
        let of_kind = |pair: &[&str]| pair[0] == "type" && KINDS.contains(&pair[1]);
        // A name may have the word `type` in it.
        let end = words.windows(2).position(of_kind);
        let end = end.or_else(|| words.iter().position(|&word| word == "type"))?;
        let (name, kind) = words.split_at(end);
        let number = |key: &str| -> Option<i64> {
            let at = kind.iter().position(|&word| word == key)?;
            kind.get(at + 1)?.parse().ok()
        };
        let kind = match kind.get(1) {
            Some(&"check") => OptionKind::Check,
            Some(&"spin") => OptionKind::Spin(
                number("min").unwrap_or(i64::MIN),
                number("max").unwrap_or(i64::MAX),
            ),
            Some(&"combo") => {
                let values = kind.split(|&word| word == "var").skip(1);
                OptionKind::Combo(values.map(|words| words.join(" ")).collect())
            }
            _ => OptionKind::Other,
        };
        let name = name.join(" ");
        (!name.is_empty()).then_some(Declared { name, kind })
    }

    /// Whether it has this name: case and white space don't matter.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(&spaced(name))
    }

    /// A number, or the nearest to it that a range of numbers has.
    pub fn nearest(&self, number: i64) -> i64 {
        match self.kind {
            OptionKind::Spin(low, high) => number.min(high).max(low),
            _ => number,
        }
    }

    /// Whether it takes this value, or what it would take: most engines pass over all others without
    /// a word.
    pub fn takes(&self, value: &str) -> Result<(), String> {
        let value = spaced(value);
        match &self.kind {
            OptionKind::Check if !["true", "false"].contains(&&value[..]) => {
                Err("true or false".to_string())
            }
            OptionKind::Spin(low, high) => match value.parse::<i64>() {
                Ok(number) if (*low..=*high).contains(&number) => Ok(()),
                _ => Err(format!("a whole number from {low} to {high}")),
            },
            OptionKind::Combo(values)
                if !values
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(&value)) =>
            {
                Err(format!("one of {}", values.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exact_score_counts() {
        let mut info = Info::default();
        info.read("depth 5 seldepth 7 multipv 1 score cp 31 nodes 900 pv e2e4 score cp 9");
        info.read("depth 6 score cp 99 lowerbound nodes 950");
        info.read("depth 5 multipv 2 score cp -5 nodes 960");
        info.read("depth x score cp");
        info.read("string score cp 1000");
        assert_eq!(info.score, Some(Score::cp(31)));
        assert_eq!((info.depth, info.nodes), (5, 960));
        info.read("depth 7 score mate -2");
        assert_eq!(info.score.unwrap().mate_moves(), Some(-2));
        info.read("depth 7 score mate 2147483647");
        assert!(info.score.unwrap().is_mate());
        info.read("depth 7 score mate -2147483648");
        assert!(info.score.unwrap().is_mate());
    }

    /// UCI: any number of white spaces between words, before and behind them.
    #[test]
    fn white_space_is_of_any_kind_and_number() {
        for line in [
            "info depth 3 score cp 7 pv e2e4 e7e5",
            "bestmove e2e4 ponder e7e5",
            "uciok",
            "readyok",
            "id name A b C",
            "info string a word",
            "bestmove 0000",
            "bestmove (none)",
            "option name Clear Hash type button",
            "option name UCI_Type type x type spin default 1",
            "option name Style type combo default So lid var So lid var Risky",
        ] {
            let read = |line: &str| match Said::of(line) {
                Said::Info(text) => {
                    let mut info = Info::default();
                    format!("{:?}", info.read_line(text, 1).unwrap())
                }
                said => format!("{said:?}"),
            };
            let plain = read(line);
            assert_ne!(plain, "Other", "{line}");
            for space in ["  ", "\t", " \t ", "\u{b}", "\r"] {
                let spaced = line.replace(' ', space);
                let framed = format!("{space}{line}{space}");
                let all = format!("{space}{spaced}\r");
                for odd in [spaced, framed, all] {
                    assert_eq!(read(&odd), plain, "{odd:?}");
                }
            }
        }
        assert_eq!(Said::of("\u{feff}uciok"), Said::UciOk);
        assert_eq!(Said::of("bestmove e2e4 and so on"), Said::BestMove("e2e4"));
        assert_eq!(Said::of("bestmove"), Said::BestMove(""));
        assert_eq!(Said::of("uciok thank you"), Said::UciOk);
        // What only looks like a word is none.
        for line in [
            "",
            " ",
            "bestmovee2e4",
            "the bestmove e2e4",
            "id author X",
            "uciokay",
            "option",
        ] {
            assert_eq!(Said::of(line), Said::Other, "{line}");
        }
    }

    #[test]
    fn numbers_of_ours_are_brought_into_range() {
        let nearest = |option| Declared::parse(option).unwrap().nearest(16);
        assert_eq!(nearest("name Hash type spin default 1 min 1 max 8"), 8);
        assert_eq!(nearest("name Hash type spin default 32 min 32 max 64"), 32);
        assert_eq!(nearest("name Hash type spin default 1"), 16);
        assert_eq!(nearest("name Hash type spin default 1 min 9 max 3"), 9);
    }

    #[test]
    fn option_names_may_have_blanks() {
        let option = Declared::parse("name Clear Hash type button").unwrap();
        assert_eq!(
            (&option.name[..], &option.kind),
            ("Clear Hash", &OptionKind::Other)
        );
        assert!(option.is_named("clear  hash") && !option.is_named("clearhash"));
        assert_eq!(Declared::parse("name broken"), None);
        assert_eq!(Declared::parse("name type spin"), None);
    }

    #[test]
    fn options_take_what_they_declare() {
        for (option, taken, expected) in [
            (
                "name a type spin default 16 min 1 max 64",
                &["1", " 64"][..],
                "a whole number from 1 to 64",
            ),
            (
                "name a type check default false",
                &["true", "false"],
                "true or false",
            ),
            (
                "name a type combo default Risky One var Solid var Risky One",
                &["solid", "Risky One"],
                "one of Solid, Risky One",
            ),
        ] {
            let option = Declared::parse(option).unwrap();
            for value in taken {
                assert_eq!(option.takes(value), Ok(()), "{option:?} {value}");
            }
            for value in ["", "0", "65", "abc", "99999999999999999999"] {
                assert_eq!(
                    option.takes(value),
                    Err(expected.to_string()),
                    "{option:?} {value}"
                );
            }
        }
        let text = Declared::parse("name a type string default <empty>").unwrap();
        assert_eq!(text.takes("anything"), Ok(()));
    }
}
