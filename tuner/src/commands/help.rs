//! The command line's overview, with its commands in groups, and answers to mistyped words.

use crate::commands::cli::Cli;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _, FromArgMatches as _};
use engine::nearest::nearest;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;

/// The commands by what they are for. A test holds that each is in one group.
const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Evolve",
        &[
            "run", "resume", "check", "status", "report", "keys", "worker",
        ],
    ),
    ("Data", &["positions", "games", "mine", "label"]),
    (
        "Judge",
        &[
            "score",
            "compare",
            "experiment",
            "rate",
            "program",
            "export",
            "bench",
        ],
    ),
];

const EXAMPLES: &str = "\
Examples:
  tuner run tuner/profiles/quick.toml         evolve for a few minutes
  tuner check tuner/profiles/night.toml       estimate how long a profile takes
  tuner resume runs/quick-1                   go on with a run
  tuner compare runs/quick-1/best.toml params/default.toml
                                              play a match between two parameter files
  tuner keys ecm                              list the keys of one kind of phase
  tuner help run                              explain a command";

/// The command line that the program was called with. One that is wrong ends the program with what is
/// wrong and what may have been meant (exit code 2).
pub fn parse() -> Cli {
    let words: Vec<OsString> = std::env::args_os().collect();
    let parsed = command().try_get_matches_from(&words);
    let parsed = parsed.and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => cli,
        Err(error) => {
            let words: Vec<String> = (words.iter().skip(1))
                .map(|word| word.to_string_lossy().into_owned())
                .collect();
            with_tip(error, &words).exit()
        }
    }
}

/// The commands, with an overview by groups.
fn command() -> Command {
    let command = Cli::command();
    let mut template = "{about}\n\n{usage-heading} {usage}\n".to_string();
    for (group, names) in GROUPS {
        let _ = writeln!(template, "\n{group}:");
        for name in names {
            let about = command
                .find_subcommand(name)
                .and_then(|command| command.get_about());
            let about = about.map(StyledStr::to_string).unwrap_or_default();
            let _ = writeln!(template, "  {name:<10} {about}");
        }
    }
    template += "\nOptions:\n{options}\n\n";
    template += EXAMPLES;
    with_negative_numbers(command.help_template(template))
}

/// Takes what looks like a negative number for the value of the option before it, whatever its range: it is then the
/// range that is told.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let has_value = !argument.is_positional() && argument.get_action().takes_values();
        match has_value {
            true => argument.allow_negative_numbers(true),
            false => argument,
        }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Adds what may have been meant.
fn with_tip(mut error: clap::Error, words: &[String]) -> clap::Error {
    let text = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let command = Cli::command();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(&error, ContextKind::InvalidSubcommand).unwrap_or_default();
            let names = command.get_subcommands().map(Command::get_name);
            if let Some(name) = nearest(&word, names) {
                let names = ContextValue::Strings(vec![name.to_string()]);
                error.insert(ContextKind::SuggestedSubcommand, names);
            }
        }
        ErrorKind::UnknownArgument => {
            let word = text(&error, ContextKind::InvalidArg).unwrap_or_default();
            if let Some(path) = split_path(words, &word) {
                let tip = format!("a path with spaces needs quotes: '{path}'");
                let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
                error.insert(ContextKind::Suggested, tips);
                return error;
            }
            let Some(word) = word.strip_prefix("--") else {
                return error;
            };
            let first = words.first().map_or("", String::as_str);
            let options = command.find_subcommand(first).into_iter();
            let options = options.flat_map(|command| command.get_opts());
            let names = options.filter_map(|option| option.get_long());
            let tip = nearest(word, names).map(|name| ContextValue::String(format!("--{name}")));
            // Of its own tip clap makes a usage, too.
            error.remove(ContextKind::Usage);
            match tip {
                Some(tip) => error.insert(ContextKind::SuggestedArg, tip),
                None => error.remove(ContextKind::SuggestedArg),
            };
        }
        _ => {}
    }
    error
}

/// The path of something that exists, of which this word is a part behind a space.
fn split_path(words: &[String], part: &str) -> Option<String> {
    let at = words.iter().position(|word| word == part)?;
    let starts = (0..at).rev();
    let paths = starts.flat_map(|from| (at..words.len()).map(move |to| words[from..=to].join(" ")));
    let mut paths = paths.into_iter();
    paths.find(|path| Path::new(path).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command that is in no group would not be in the overview at all.
    #[test]
    fn each_command_is_in_one_group_and_begins_with_a_verb_in_the_imperative() {
        let command = Cli::command();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let shown = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut all: Vec<&str> = shown.map(Command::get_name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
        for command in command.get_subcommands() {
            let about = command
                .get_about()
                .map(StyledStr::to_string)
                .unwrap_or_default();
            let verb = about.split(' ').next().unwrap_or_default().to_string();
            assert!(!verb.ends_with('s') || verb == "Guess", "{about}");
            assert!(about.len() <= 100, "{about}");
        }
    }

    /// `-5` is no option, so the answer is about the value.
    #[test]
    fn negative_numbers_are_values() {
        let parsed = |line: &str| {
            let words = std::iter::once("tuner").chain(line.split(' '));
            command().try_get_matches_from(words)
        };
        assert!(parsed("rate --advantage -5 games.pgn").is_ok());
        assert!(parsed("compare a.toml b.toml --elo0 -1.5").is_ok());
        for line in [
            "compare a.toml b.toml --seconds -1",
            "games --engine e --nodes 9 --out x --count -1",
            "program match a b --games -1",
        ] {
            let error = parsed(line).unwrap_err().to_string();
            assert!(error.contains("invalid value '-1' for '--"), "{error}");
        }
    }

    #[test]
    fn the_overview_has_the_groups_and_examples_that_parse() {
        let help = command().render_help().to_string();
        for words in [
            "\nEvolve:\n  run  ",
            "\nData:\n  positions  ",
            "\nJudge:\n  score  ",
        ] {
            assert!(help.contains(words), "{help}");
        }
        for line in EXAMPLES.lines() {
            if let Some(line) = line.strip_prefix("  tuner ") {
                let line = line.split("  ").next().unwrap_or_default();
                let words = std::iter::once("tuner").chain(line.split(' '));
                let parsed = command().try_get_matches_from(words);
                let is_help = |error: &clap::Error| error.kind() == ErrorKind::DisplayHelp;
                assert!(
                    parsed.is_ok() || parsed.as_ref().is_err_and(is_help),
                    "{line}"
                );
            }
        }
    }
}
