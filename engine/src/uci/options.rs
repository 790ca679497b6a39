//! The options that a GUI may set: one declaration feeds what `uci` prints and what `setoption`
//! accepts.

use super::command::clamped;
use vampirc_uci::{UciMessage, UciOptionConfig};

/// Smallest, default and largest table in megabytes. The largest is more than most machines have:
/// what the machine can't give is refused when it is asked for.
pub const HASH: (i64, i64, i64) = (1, 64, 1 << 20);

/// Default and largest time in milliseconds that a move loses on its way to the clock.
pub const MOVE_OVERHEAD: (i64, i64) = (10, 5000);

/// A setting that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Size of the table in megabytes.
    Hash(usize),
    /// Empty the table.
    ClearHash,
    /// Always one.
    Threads,
    /// Milliseconds that a move loses on its way to the clock.
    MoveOverhead(i64),
    /// Parameter files; empty means the compiled defaults.
    ParamsFile(Vec<String>),
}

/// What a string option without a value is called in the protocol.
const EMPTY: &str = "<empty>";

/// The options as `uci` lists them.
pub fn declarations() -> Vec<UciMessage> {
    let spin = |name: &str, default, min, max| UciOptionConfig::Spin {
        name: name.to_string(),
        default: Some(default),
        min: Some(min),
        max: Some(max),
    };
    let (least, default, most) = HASH;
    let options = [
        spin("Hash", default, least, most),
        UciOptionConfig::Button {
            name: "Clear Hash".to_string(),
        },
        spin("Threads", 1, 1, 1),
        spin("Move Overhead", MOVE_OVERHEAD.0, 0, MOVE_OVERHEAD.1),
        UciOptionConfig::String {
            name: "ParamsFile".to_string(),
            default: Some(EMPTY.to_string()),
        },
    ];
    options.into_iter().map(UciMessage::Option).collect()
}

/// What a `setoption` means, or why it means nothing. Numbers out of range are clamped.
///
/// # Errors
/// A sentence for an `info string`.
pub fn parse(name: &str, value: &str) -> Result<Setting, String> {
    let spin = |least: i64, most: i64| {
        clamped::<i64>(value)
            .map(|number| number.clamp(least, most))
            .ok_or_else(|| format!("option {name}: {value:?} is no whole number; nothing changed"))
    };
    match name.to_ascii_lowercase().as_str() {
        "hash" => spin(HASH.0, HASH.2).map(|megabytes| Setting::Hash(megabytes as usize)),
        "clear hash" => Ok(Setting::ClearHash),
        "threads" => spin(1, 1).map(|_| Setting::Threads),
        "move overhead" => spin(0, MOVE_OVERHEAD.1).map(Setting::MoveOverhead),
        "paramsfile" => {
            let files = value.split(';').map(str::trim);
            let named = files.filter(|file| !file.is_empty() && *file != EMPTY);
            Ok(Setting::ParamsFile(named.map(str::to_string).collect()))
        }
        _ => Err(format!("there is no option {name:?}; nothing changed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_case_insensitive_and_numbers_clamped() {
        assert_eq!(parse("hash", "32"), Ok(Setting::Hash(32)));
        assert_eq!(parse("HASH", "-4"), Ok(Setting::Hash(1)));
        assert_eq!(parse("clear HASH", ""), Ok(Setting::ClearHash));
        assert_eq!(parse("Move overhead", "77"), Ok(Setting::MoveOverhead(77)));
        assert!(parse("Hash", "abc").is_err());
        assert!(parse("OwnBook", "true").is_err());
    }

    #[test]
    fn several_parameter_files_may_be_named() {
        let files = |names: &[&str]| {
            let names = names.iter().map(|name| name.to_string());
            Ok(Setting::ParamsFile(names.collect()))
        };
        assert_eq!(
            parse("ParamsFile", "a b.toml; c.toml"),
            files(&["a b.toml", "c.toml"])
        );
        assert_eq!(parse("ParamsFile", "<empty>"), files(&[]));
        assert_eq!(parse("ParamsFile", ""), files(&[]));
    }

    #[test]
    fn declarations_read_back() {
        for message in declarations() {
            let line = message.to_string();
            // The crate reads the protocol's "<empty>" as what it means.
            let mut wanted = message;
            if let UciMessage::Option(UciOptionConfig::String { default, .. }) = &mut wanted {
                *default = Some(String::new());
            }
            assert_eq!(vampirc_uci::parse_one(&line), wanted, "{line}");
        }
    }
}
