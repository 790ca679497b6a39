//! Profiles: what to evolve, from which positions, how. [`Profile`] is what the file says, each value within
//! its range; [`crate::run::plan`] makes of it what a run needs.

mod place;

use super::KINDS;
use super::kind::Kind;
use super::phase::Keys;
use crate::base::files::{FileError, read_text};
use crate::config::error::ProfileError;
use crate::config::method::words;
use crate::config::reference::{self, Declared, schema};
use crate::config::values::{PhaseName, Positive, Whole};
use crate::exec::journal::JOURNAL_NAME;
use engine::kind::TextKind;
use engine::nearest::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// A profile as its file has it: one phase, whose keys stand at the top beside `phase = "…"`, or
/// several, each a `[[phase]]` with its `kind`.
#[derive(Debug)]
pub struct Profile {
    /// The phases, in the order in which they run.
    pub phases: Vec<PhaseEntry>,
    /// Whether the one phase stands at the top of the file and evolves individuals by positions; its
    /// files then lie in the run's folder itself, those of all others in a folder of their name.
    pub flat: bool,
    /// Hours for everything, shared out by the phases' `share`; no limit if absent.
    pub hours: Option<f64>,
    /// Threads; all cores if absent. Results don't depend on it.
    pub threads: Option<Whole<1, 1024>>,
}

/// One phase of a profile.
#[derive(Debug)]
pub struct PhaseEntry {
    /// Its name, the kind's unless the file gives another.
    pub name: String,
    /// Its part of the hours, in proportion to the others' parts.
    pub share: f64,
    /// What it does.
    pub kind: &'static Kind,
    /// Its keys.
    pub keys: Box<dyn Keys>,
}

/// Keys of every profile.
#[derive(Deserialize, JsonSchema)]
struct ProfileTop {
    /// Version of the format of profiles.
    #[schemars(required)]
    format: Option<Whole<1, 1>>,
    /// Hours for the whole run, shared out among the phases by their `share`. If absent, there is no
    /// limit. A run that its hours end can't be repeated exactly.
    hours: Option<Positive>,
    /// Threads to work on. Results don't depend on it. If absent, all cores.
    threads: Option<Whole<1, 1024>>,
}

/// The key of a profile with one phase.
#[derive(Deserialize, JsonSchema)]
struct Alone {
    /// What the only phase of the profile does. A profile with several phases has a list, `[[phase]]`.
    #[schemars(required)]
    phase: Option<KindName>,
}

/// Keys of each phase in a list.
#[derive(Deserialize, JsonSchema)]
struct Listed {
    /// What the phase does.
    kind: KindName,
    /// Name of the phase, of its folder, and for `--phase`. Two phases of a kind need two names. If
    /// absent, the kind.
    name: Option<PhaseName>,
    /// The phase's part of `hours`, in proportion to the parts of the others.
    #[serde(default = "whole_share")]
    share: Positive,
}

fn whole_share() -> Positive {
    Positive(1.0)
}

/// The name of a kind of phase.
struct KindName(&'static Kind);

/// The names of all kinds.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| KINDS.iter().map(|kind| kind.name).collect());

impl<'de> Deserialize<'de> for KindName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let kind = KINDS.iter().find(|kind| kind.name == name);
        kind.map(KindName)
            .ok_or_else(|| D::Error::unknown_variant(&name, &NAMES))
    }
}

impl JsonSchema for KindName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Kind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        words(KINDS.iter().map(|kind| (kind.name, kind.meaning)))
    }
}

/// The keys of a phase of a kind; `is_listed` says whether the table is the phase's alone.
fn keys(
    kind: &Kind,
    table: Spanned<DeTable<'_>>,
    is_listed: bool,
) -> Result<Box<dyn Keys>, toml::de::Error> {
    let (span, all) = (table.span(), table.get_ref().clone());
    let keys = (kind.keys)(toml::Deserializer::from(table));
    let keys = keys.and_then(|keys| match keys.check() {
        Ok(()) => Ok(keys),
        Err(message) => Err(toml::de::Error::custom(message)),
    });
    keys.map_err(|error| {
        // What is wrong with a phase as a whole is told without a place.
        let own = error.span().filter(|own| *own != span);
        match place::of_key(&all, own.as_ref(), error.message()) {
            Some(place) => refused(place, error.message().into()),
            None if own.is_some() => error,
            None if is_listed => refused(span, error.message().into()),
            // The first line of the file says nothing of it.
            None => toml::de::Error::custom(error.message()),
        }
    })
}

/// All keys of profiles, for their list.
pub fn declared() -> Declared {
    Declared {
        whole: vec![schema::<ProfileTop>(), schema::<Alone>()],
        listed: schema::<Listed>(),
        kinds: KINDS
            .iter()
            .map(|kind| (kind.name, (kind.schema)()))
            .collect(),
        names: schema::<KindName>(),
    }
}

impl Profile {
    /// Reads a profile; its text comes along, for the run's copy and digest.
    ///
    /// # Errors
    /// The file can't be read, or the first key that is not as expected.
    pub fn load(path: &Path) -> Result<(Profile, String), ProfileError> {
        let text = read_text(path, TextKind::Profile).map_err(|error| meant_file(path, error))?;
        Ok((Profile::parse(path, &text)?, text))
    }

    /// Reads a profile from its text; `path` is for error messages.
    ///
    /// # Errors
    /// The first key that is not as expected.
    pub fn parse(path: &Path, text: &str) -> Result<Profile, ProfileError> {
        parse(text).map_err(|mut error| {
            error.set_input(Some(text));
            let hint = match toml::from_str::<toml::Table>(text) {
                Ok(table) if table.contains_key("profile") => {
                    "\nthis is an experiment, which `tuner experiment` runs".into()
                }
                _ => hint(error.message()).unwrap_or_default(),
            };
            let said = error.to_string();
            // The crate says so of all errors that have a place.
            let short = said.strip_prefix("TOML parse error at ");
            let short = short.filter(|_| DeTable::parse(text).is_ok());
            let said = short.unwrap_or(&said).trim_end();
            let place = said.strip_suffix(error.message().trim_end());
            let (place, message) = said.split_at(place.map_or(0, str::len));
            ProfileError::Content {
                path: path.to_path_buf(),
                place: place.to_string(),
                message: message.to_string() + &hint,
            }
        })
    }
}

/// The error of a profile that can't be read, with what may have been meant: a shipped profile by its
/// name alone, or a run by its folder.
fn meant_file(path: &Path, mut error: FileError) -> FileError {
    let shipped = Path::new("tuner/profiles")
        .join(path)
        .with_extension("toml");
    let hint = if path.join(JOURNAL_NAME).is_file() {
        format!(
            "this is the folder of a run; `tuner resume {}` goes on with it",
            path.display()
        )
    } else if path.is_dir() {
        "this is a folder, expected a profile".to_string()
    } else if !path.exists() && shipped.is_file() {
        format!("no such file; is {} meant?", shipped.display())
    } else {
        return error;
    };
    error.cause = std::io::Error::other(hint);
    error
}

/// What was meant by an unknown key or word of a message: the nearest of those that are expected in
/// its place, else where there is such a key, else the nearest of all keys. Where one value stands in place of a
/// list, the list of it.
fn hint(message: &str) -> Option<String> {
    if let Some(found) = message.strip_suffix(", expected a sequence") {
        let value = found.strip_prefix("invalid type: ");
        let value = value.and_then(|found| found.split_once(' '));
        let value = value.map_or("…", |(_, value)| value.trim_matches('`'));
        return Some(format!("\nexpected a list in brackets: [{value}]"));
    }
    let rest = ["unknown field `", "unknown key `", "unknown variant `"];
    let rest = rest.iter().find_map(|start| message.strip_prefix(start))?;
    let (word, rest) = rest.split_once('`')?;
    // Every second part is between the quotes.
    let expected = rest.split('`').skip(1).step_by(2);
    let expected = expected.filter(|name| *name != word);
    let meant = |name: &str| Some(format!("\ndid you mean `{name}`?"));
    if let Some(name) = nearest(word, expected) {
        return meant(name);
    }
    if message.starts_with("unknown variant") {
        return None;
    }
    let tables: Vec<String> = declared().tables_of(word).into_iter().collect();
    if !tables.is_empty() {
        return Some(format!("\n`{word}` is a key of {}", tables.join(", ")));
    }
    let kinds = declared().kinds_with_table(word);
    if !kinds.is_empty() {
        return Some(format!(
            "\n`[{word}]` is a table of phases of kind {}",
            kinds.join(", ")
        ));
    }
    let names = declared().all_names();
    meant(nearest(word, names.iter().map(String::as_str))?)
}

/// Most phases of a profile.
const MOST_PHASES: usize = 20;

fn parse(text: &str) -> Result<Profile, toml::de::Error> {
    let mut root = DeTable::parse(text)?;
    let top: ProfileTop = take(&mut root)?;
    if top.format.is_none() {
        return Err(missing("format", "format = 1"));
    }
    let listed = root.get_ref().get("phase");
    let listed = listed.is_some_and(|phase| phase.get_ref().is_array());
    let (phases, flat) = if listed {
        let tables: Vec<Spanned<DeValue<'_>>> = match root.get_mut().remove("phase") {
            Some(value) => match value.into_inner() {
                DeValue::Array(array) => array.into_iter().collect(),
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        if let Some(key) = root.get_ref().keys().next() {
            let (span, key) = (key.span(), key.get_ref());
            let message = format!(
                "unknown key `{key}` beside [[phase]], expected `format`, `threads` or `hours`"
            );
            return Err(refused(span, message));
        }
        let mut phases = Vec::<PhaseEntry>::new();
        for table in tables {
            let span = table.span();
            let phase = listed_phase(table)?;
            let name = &phase.name;
            if phases.iter().any(|before| before.name == *name) {
                let message =
                    format!("two phases are called {name:?}: give one of them another `name`");
                return Err(refused(span, message));
            }
            phases.push(phase);
        }
        (phases, false)
    } else {
        let KindName(kind) = take::<Alone>(&mut root)?.phase.ok_or_else(|| {
            missing(
                "phase",
                "phase = \"grandmaster\" or another kind, or a list of [[phase]]",
            )
        })?;
        let entry = PhaseEntry {
            name: kind.name.to_string(),
            share: 1.0,
            kind,
            keys: keys(kind, root, false)?,
        };
        // The report of the others is that of several phases.
        (vec![entry], kind.is_flat)
    };
    if phases.is_empty() || phases.len() > MOST_PHASES {
        let found = phases.len();
        let message = format!("has {found} phases, expected 1 to {MOST_PHASES}");
        return Err(toml::de::Error::custom(message));
    }
    Ok(Profile {
        phases,
        flat,
        hours: top.hours.map(|hours| hours.0),
        threads: top.threads,
    })
}

/// One `[[phase]]`.
fn listed_phase(value: Spanned<DeValue<'_>>) -> Result<PhaseEntry, toml::de::Error> {
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else {
        return Err(refused(span, "a phase is a table: [[phase]]".into()));
    };
    let mut table = Spanned::new(span.clone(), table);
    let Listed { kind, name, share } = take(&mut table)?;
    let KindName(kind) = kind;
    Ok(PhaseEntry {
        name: name.map_or_else(|| kind.name.to_string(), |name| name.0),
        share: share.0,
        kind,
        keys: keys(kind, table, true)?,
    })
}

fn missing(key: &str, expected: &str) -> toml::de::Error {
    toml::de::Error::custom(format!("missing field `{key}`, expected {expected}"))
}

/// What is wrong with the part of a profile that is between these bytes.
fn refused(span: Range<usize>, message: String) -> toml::de::Error {
    struct Refusal(String);

    impl Visitor<'_> for Refusal {
        type Value = Infallible;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(&self.0)
        }

        fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Infallible, E> {
            Err(E::custom(self.0))
        }
    }

    // The crate gives an error its place only while it reads a value.
    let value = Spanned::new(span, DeValue::Boolean(true));
    match ValueDeserializer::from(value).deserialize_any(Refusal(message)) {
        Err(error) => error,
        Ok(never) => match never {},
    }
}

/// Takes the keys of a structure out of a table, which may have others.
fn take<'i, T: Deserialize<'i> + JsonSchema>(
    table: &mut Spanned<DeTable<'i>>,
) -> Result<T, toml::de::Error> {
    let span = table.span();
    let mut taken = DeTable::new();
    for name in reference::names::<T>() {
        if let Some(value) = table.get_mut().remove(name.as_str()) {
            taken.insert(Spanned::new(value.span(), Cow::Owned(name)), value);
        }
    }
    let taken = T::deserialize(toml::Deserializer::from(Spanned::new(span.clone(), taken)));
    // What is missing is told without a place.
    taken.map_err(|error| match error.span() {
        Some(_) => error,
        None => refused(span, error.message().into()),
    })
}

#[cfg(test)]
mod tests;
