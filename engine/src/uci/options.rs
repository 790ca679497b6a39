//! The options that a GUI may set: one declaration feeds what `uci` prints and what `setoption`
//! accepts.
//!
//! Every row of the parameter tables is an option, too, under the row's name. Hundreds of them would
//! bury the others in a GUI, so `uci` lists them only for who has asked for it, by `eyas --tune`.

use super::number::clamped;
use super::parameters::Source;
use crate::params::{ParamSpec, Row};
use crate::{strength, tablebase};
use std::ffi::OsString;
use std::path::PathBuf;
use vampirc_uci::{UciMessage, UciOptionConfig};

/// Smallest, default and largest table in megabytes. The largest is more than most machines have:
/// what the machine can't give is refused when it is asked for.
pub const HASH: (i64, i64, i64) = (1, 64, 1 << 20);

/// Most threads.
pub const MOST_THREADS: i64 = 256;

/// Most lines of analysis: no position that has been found has more legal moves.
pub const MOST_LINES: i64 = 218;

/// Most plies that an endgame program looks ahead; its search has no table and no selection.
pub const MOST_PROGRAM_PLIES: i64 = 16;

/// Default and largest time in milliseconds that a move loses on its way to the clock.
pub const MOVE_OVERHEAD: (i64, i64) = (10, 5000);

/// A setting that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Size of the table in megabytes.
    Hash(usize),
    /// Empty the table.
    ClearHash,
    /// Threads that search.
    Threads(usize),
    /// Whether the GUI may let the engine ponder. It says so with each `go` too.
    Ponder(bool),
    /// Lines of analysis.
    MultiPv(usize),
    /// Milliseconds that a move loses on its way to the clock.
    MoveOverhead(i64),
    /// Whether scores come with chances to win, draw and lose.
    ShowWdl(bool),
    /// Whether positions are analysed, not played: no book, and full strength.
    AnalyseMode(bool),
    /// Whether to play at `UCI_Elo` only.
    LimitStrength(bool),
    /// The rating to play at.
    Elo(i32),
    /// Folders of endgame tables, separated as in `PATH`; empty for none.
    SyzygyPath(OsString),
    /// Depth in plies from which tables are asked within the search about positions with as many pieces as
    /// the limit; see [`crate::tablebase::Probing`].
    SyzygyProbeDepth(usize),
    /// Whether what tables say counts by the fifty-move rule.
    Syzygy50MoveRule(bool),
    /// Most pieces of a position that tables are asked about.
    SyzygyProbeLimit(usize),
    /// Whether to play from the book.
    OwnBook(bool),
    /// The opening book; empty for none.
    BookFile(PathBuf),
    /// Whether the book's heaviest move is played; otherwise one by chance, by weight.
    BestBookMove(bool),
    /// Files of endgame programs; empty for none.
    EndgameProgram(Vec<PathBuf>),
    /// Plies that an endgame program looks ahead.
    EndgameProgramDepth(usize),
    /// Parameter files; empty means the compiled defaults.
    ParamsFile(Vec<PathBuf>),
    /// A row of the parameter tables, with a value in its range.
    Parameter(Row, i32),
}

/// The option that names parameter files.
const PARAMS_FILE: &str = "ParamsFile";

/// What a string option without a value is called in the protocol.
const EMPTY: &str = "<empty>";

/// What an option takes, and the setting that comes of it.
enum Kind {
    Button(Setting),
    Check(bool, fn(bool) -> Setting),
    /// Default, least and most.
    Spin(i64, i64, i64, fn(i64) -> Setting),
    Text(fn(&[u8]) -> Setting),
}

/// All options with their names, as `uci` lists them.
const OPTIONS: &[(&str, Kind)] = &[
    (
        "Hash",
        Kind::Spin(HASH.1, HASH.0, HASH.2, |n| Setting::Hash(n as usize)),
    ),
    ("Clear Hash", Kind::Button(Setting::ClearHash)),
    (
        "Threads",
        Kind::Spin(1, 1, MOST_THREADS, |n| Setting::Threads(n as usize)),
    ),
    ("Ponder", Kind::Check(false, Setting::Ponder)),
    (
        "MultiPV",
        Kind::Spin(1, 1, MOST_LINES, |n| Setting::MultiPv(n as usize)),
    ),
    (
        "Move Overhead",
        Kind::Spin(MOVE_OVERHEAD.0, 0, MOVE_OVERHEAD.1, Setting::MoveOverhead),
    ),
    ("UCI_ShowWDL", Kind::Check(false, Setting::ShowWdl)),
    ("UCI_AnalyseMode", Kind::Check(false, Setting::AnalyseMode)),
    (
        "UCI_LimitStrength",
        Kind::Check(false, Setting::LimitStrength),
    ),
    (
        "UCI_Elo",
        Kind::Spin(strength::ELO.1, strength::ELO.0, strength::ELO.2, |n| {
            Setting::Elo(n as i32)
        }),
    ),
    (
        "SyzygyPath",
        Kind::Text(|text| Setting::SyzygyPath(named(text))),
    ),
    (
        "SyzygyProbeDepth",
        Kind::Spin(1, 1, 100, |n| Setting::SyzygyProbeDepth(n as usize)),
    ),
    (
        "Syzygy50MoveRule",
        Kind::Check(true, Setting::Syzygy50MoveRule),
    ),
    (
        "SyzygyProbeLimit",
        Kind::Spin(
            tablebase::MOST_PIECES as i64,
            0,
            tablebase::MOST_PIECES as i64,
            |n| Setting::SyzygyProbeLimit(n as usize),
        ),
    ),
    ("OwnBook", Kind::Check(false, Setting::OwnBook)),
    (
        "Book File",
        Kind::Text(|text| Setting::BookFile(named(text).into())),
    ),
    ("Best Book Move", Kind::Check(true, Setting::BestBookMove)),
    (
        "EndgameProgram",
        Kind::Text(|text| Setting::EndgameProgram(files(text))),
    ),
    (
        "EndgameProgramDepth",
        Kind::Spin(1, 1, MOST_PROGRAM_PLIES, |n| {
            Setting::EndgameProgramDepth(n as usize)
        }),
    ),
    (
        PARAMS_FILE,
        Kind::Text(|text| Setting::ParamsFile(files(text))),
    ),
];

/// Files with `;` between them.
fn files(text: &[u8]) -> Vec<PathBuf> {
    let files = text.split(|&byte| byte == b';');
    let files = files.map(|file| unquoted(file.trim_ascii()));
    let files = files.filter(|file| !file.is_empty());
    files.map(|file| named(file).into()).collect()
}

/// A path without the quotation marks that it has about it where it is copied from.
fn unquoted(path: &[u8]) -> &[u8] {
    let inner = path
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    inner.filter(|inner| !inner.contains(&b'"')).unwrap_or(path)
}

/// The name of files as the system has it: any bytes.
#[cfg(unix)]
fn named(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

/// The name of files as the system has it: text.
#[cfg(not(unix))]
fn named(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// The options as `uci` lists them, with or without the rows of the parameter tables. Parameters and
/// their files have as default what the session begins with: some GUIs send every default back.
pub fn declarations(with_parameters: bool, begin: &Source) -> Vec<UciMessage> {
    let files = begin.option_value();
    let declare = |(name, kind): &(&str, Kind)| {
        let name = name.to_string();
        UciMessage::Option(match *kind {
            Kind::Button(_) => UciOptionConfig::Button { name },
            Kind::Check(default, _) => UciOptionConfig::Check {
                name,
                default: Some(default),
            },
            Kind::Spin(default, least, most, _) => UciOptionConfig::Spin {
                name,
                default: Some(default),
                min: Some(least),
                max: Some(most),
            },
            Kind::Text(_) => UciOptionConfig::String {
                default: Some(match &files {
                    Some(files) if name == PARAMS_FILE => files.clone(),
                    _ => EMPTY.to_string(),
                }),
                name,
            },
        })
    };
    let declare_row = |row: Row| {
        let spec = row.spec();
        UciMessage::Option(UciOptionConfig::Spin {
            name: spec.name.to_string(),
            default: Some(begin.params().row(row).into()),
            min: Some((*spec.range.start()).into()),
            max: Some((*spec.range.end()).into()),
        })
    };
    let rows = Row::all().filter(|_| with_parameters).map(declare_row);
    OPTIONS.iter().map(declare).chain(rows).collect()
}

/// What a `setoption` means, or why it means nothing. Numbers out of range are clamped, but for those
/// of parameters: who tunes is to know that a value was not tried.
///
/// # Errors
/// A sentence for an `info string`.
pub fn parse(name: &str, value: &[u8]) -> Result<Setting, String> {
    let text = String::from_utf8_lossy(value);
    let option = OPTIONS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    let Some((name, kind)) = option else {
        if name.is_empty() {
            return Err("setoption needs name and the option's name; nothing changed".into());
        }
        if let Some(row) = Row::named(name) {
            let value = parameter(row.spec(), &text)?;
            return Ok(Setting::Parameter(row, value));
        }
        let short: String = name.chars().take(40).collect();
        return Err(format!("there is no option {short:?}; nothing changed"));
    };
    let short: String = text.chars().take(40).collect();
    match kind {
        Kind::Button(setting) => Ok(setting.clone()),
        Kind::Check(_, setting) => match text.to_ascii_lowercase().as_str() {
            "true" => Ok(setting(true)),
            "false" => Ok(setting(false)),
            _ => Err(format!(
                "option {name}: {short:?} is neither true nor false; nothing changed"
            )),
        },
        Kind::Spin(_, least, most, setting) => clamped::<i64>(&text)
            .map(|number| setting(number.clamp(*least, *most)))
            .ok_or_else(|| format!("option {name}: {short:?} is no whole number; nothing changed")),
        Kind::Text(setting) => {
            let value = unquoted(value);
            Ok(setting(if value == EMPTY.as_bytes() {
                b""
            } else {
                value
            }))
        }
    }
}

/// The value of a row of the parameter tables.
fn parameter(spec: &ParamSpec, value: &str) -> Result<i32, String> {
    let number = clamped::<i64>(value).and_then(|number| i32::try_from(number).ok());
    let number = number.filter(|number| spec.range.contains(number));
    number.ok_or_else(|| {
        let short: String = value.chars().take(40).collect();
        format!(
            "option {}: {short:?} is no whole number from {} to {}; nothing changed",
            spec.name,
            spec.range.start(),
            spec.range.end()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_case_insensitive_and_numbers_clamped() {
        assert_eq!(parse("hash", b"32"), Ok(Setting::Hash(32)));
        assert_eq!(parse("HASH", b"-4"), Ok(Setting::Hash(1)));
        assert_eq!(parse("clear HASH", b""), Ok(Setting::ClearHash));
        assert_eq!(parse("Move overhead", b"77"), Ok(Setting::MoveOverhead(77)));
        assert_eq!(parse("ownbook", b"TRUE"), Ok(Setting::OwnBook(true)));
        assert_eq!(
            parse("uci_elo", b"9999"),
            Ok(Setting::Elo(strength::ELO.2 as i32))
        );
        for (name, value) in [
            ("Hash", "abc"),
            ("Hash", ""),
            ("Ponder", "yes"),
            ("No", "1"),
        ] {
            assert!(parse(name, value.as_bytes()).is_err(), "{name} {value}");
        }
        let nameless = "setoption needs name and the option's name; nothing changed";
        assert_eq!(parse("", b""), Err(nameless.to_string()));
    }

    #[test]
    fn several_parameter_files_may_be_named() {
        let files = |names: &[&str]| {
            let names = names.iter().map(PathBuf::from);
            Ok(Setting::ParamsFile(names.collect()))
        };
        assert_eq!(
            parse("ParamsFile", b"a b.toml; c.toml"),
            files(&["a b.toml", "c.toml"])
        );
        assert_eq!(parse("ParamsFile", b"<empty>"), files(&[]));
        assert_eq!(parse("ParamsFile", b""), files(&[]));
        assert_eq!(
            parse("Book File", b"<empty>"),
            Ok(Setting::BookFile(PathBuf::new()))
        );
    }

    #[test]
    fn declarations_read_back() {
        for message in declarations(true, &Source::compiled()) {
            let line = message.to_string();
            // The crate reads the protocol's "<empty>" as what it means.
            let mut wanted = message;
            if let UciMessage::Option(UciOptionConfig::String { default, .. }) = &mut wanted {
                *default = Some(String::new());
            }
            assert_eq!(vampirc_uci::parse_one(&line), wanted, "{line}");
        }
    }

    #[test]
    fn parameters_are_options_of_their_own() {
        let row = Row::named("knight_value").unwrap();
        assert_eq!(
            parse("Knight_Value", b"333"),
            Ok(Setting::Parameter(row, 333))
        );
        for value in ["-1", "2048", "99999999999999999999", "3.5", "", "many"] {
            let told = parse("knight_value", value.as_bytes()).unwrap_err();
            let expected = format!("{value:?} is no whole number from 0 to 2047; nothing changed");
            assert_eq!(told, format!("option knight_value: {expected}"));
        }
        // No name means two things.
        let mut names: Vec<String> = Row::all().map(|row| row.spec().name.to_string()).collect();
        names.extend(OPTIONS.iter().map(|(name, _)| name.to_ascii_lowercase()));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        let declared = |all| declarations(all, &Source::compiled());
        assert_eq!(declared(true).len(), count);
        assert_eq!(declared(false).len(), OPTIONS.len());
    }

    #[test]
    fn defaults_lie_in_their_ranges_and_fit_32_bits() {
        for (name, kind) in OPTIONS {
            if let Kind::Spin(default, least, most, _) = *kind {
                assert!((least..=most).contains(&default), "{name}");
                assert!(i32::try_from(least).is_ok() && i32::try_from(most).is_ok());
            }
        }
    }
}
