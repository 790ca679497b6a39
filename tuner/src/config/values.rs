//! Values that keys have: numbers within a range, layouts, data files. Whatever is out of range is
//! refused with what was expected.

use engine::params::{Gene, LAYOUTS, Table, layout};
use schemars::JsonSchema;
use serde::de::{Error as _, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::path::PathBuf;

/// The data of a run. Paths are relative to the profile's folder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Positions {
    /// Training positions, on which fitness is measured (EPD).
    #[schemars(with = "FilePath")]
    pub train: PathBuf,
    /// Held-out positions, on which the champions alone are measured (EPD). No evolution sees them.
    #[schemars(with = "Option<FilePath>")]
    pub test: Option<PathBuf>,
    /// Uses only the first so many training positions. If absent, all.
    pub count: Option<Whole<1, 100_000_000>>,
    /// Uses only the first so many held-out positions. If absent, all.
    pub test_count: Option<Whole<1, 100_000_000>>,
}

/// A path in a profile, for the reference of keys.
pub(super) struct FilePath;

/// A whole number within a range; anything else is refused with the range named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Whole<const MIN: u64, const MAX: u64>(pub(super) u64);

impl<const MIN: u64, const MAX: u64> Whole<MIN, MAX> {
    /// The number.
    pub fn get(self) -> usize {
        self.0 as usize
    }

    /// What is expected, in words.
    pub(super) fn expected() -> String {
        match MIN == MAX {
            true => format!("{MIN}"),
            false => format!("a whole number from {MIN} to {MAX}"),
        }
    }
}

/// The number of a key where a profile doesn't say.
pub(super) fn usual<const USUAL: u64, const MIN: u64, const MAX: u64>() -> Whole<MIN, MAX> {
    Whole(USUAL)
}

impl<const MIN: u64, const MAX: u64> Default for Whole<MIN, MAX> {
    fn default() -> Self {
        Whole(MIN)
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Within<const MIN: u64, const MAX: u64>;
        impl<const MIN: u64, const MAX: u64> Visitor<'_> for Within<MIN, MAX> {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&Whole::<MIN, MAX>::expected())
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<u64, E> {
                let inside = u64::try_from(number).ok();
                inside
                    .filter(|number| (MIN..=MAX).contains(number))
                    .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
            }
        }
        deserializer.deserialize_i64(Within::<MIN, MAX>).map(Whole)
    }
}

/// A probability from 0 to 1.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rate(pub f64);

impl Rate {
    /// What is expected, in words.
    pub(super) const EXPECTED: &str = "a probability from 0.0 to 1.0";
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Within;
        impl Visitor<'_> for Within {
            type Value = f64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Rate::EXPECTED)
            }

            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<f64, E> {
                // A NaN, which TOML has, is in no range.
                match (0.0..=1.0).contains(&number) {
                    true => Ok(number),
                    false => Err(E::invalid_value(Unexpected::Float(number), &self)),
                }
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<f64, E> {
                self.visit_f64(number as f64)
            }
        }
        deserializer.deserialize_any(Within).map(Rate)
    }
}

/// Words that a value may be.
pub(super) fn one_of(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`\"{name}\"`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The layout of the clock's rows, at which a search by nodes does not look.
pub const CLOCK: &str = "time";

/// Any layout of the engine's table.
#[derive(Clone, Debug)]
pub struct AnyLayout {
    /// Its name.
    pub name: String,
    /// Its genes in order.
    pub genes: Vec<Gene>,
    /// Whether some rows of the layout are not among them.
    pub is_part: bool,
}

impl AnyLayout {
    /// The tables that its genes are in.
    pub fn tables(&self) -> Vec<Table> {
        let has = |table: &Table| self.genes.iter().any(|gene| gene.table == *table);
        [Table::Eval, Table::Search]
            .into_iter()
            .filter(has)
            .collect()
    }

    /// The names of the rows that are its genes, a space between them, if these are not all.
    pub fn names_of_part(&self) -> Option<String> {
        let names: Vec<&str> = self.genes.iter().map(|gene| gene.spec().name).collect();
        self.is_part.then(|| names.join(" "))
    }

    /// The layout with these of its rows alone, all if `None`: names, or beginnings of names with
    /// a `*` behind them.
    ///
    /// # Errors
    /// A name that no row has, or an empty list.
    pub fn part(mut self, rows: Option<&[String]>) -> Result<AnyLayout, String> {
        let Some(rows) = rows else {
            return Ok(self);
        };
        let is_meant = |row: &str, gene: &Gene| {
            let spec = gene.spec();
            let begins = |beginning| spec.names().any(|name| name.starts_with(beginning));
            (row.strip_suffix('*')).map_or_else(|| spec.is_called(row), begins)
        };
        let has = |row: &&String| self.genes.iter().any(|gene| is_meant(row, gene));
        if let Some(unknown) = rows.iter().find(|row| !has(row)) {
            return Err(format!(
                "rows: layout {:?} has no row {unknown:?}, expected names of its rows or their \
                 beginnings with a * behind them",
                self.name
            ));
        }
        let all = self.genes.len();
        self.genes
            .retain(|gene| rows.iter().any(|row| is_meant(row, gene)));
        self.is_part = self.genes.len() < all;
        match self.genes.is_empty() {
            true => Err("rows = [] leaves nothing to evolve".into()),
            false => Ok(self),
        }
    }
}

impl<'de> Deserialize<'de> for AnyLayout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match layout(&name).filter(|genes| !genes.is_empty()) {
            Some(genes) => Ok(AnyLayout {
                name,
                genes,
                is_part: false,
            }),
            None => Err(D::Error::custom(format!(
                "there is no layout {name:?}, expected one of {}",
                LAYOUTS.join(", ")
            ))),
        }
    }
}

/// A number above 0.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(try_from = "Number")]
pub struct Positive(pub f64);

impl Positive {
    /// What is expected, in words.
    pub(super) const EXPECTED: &str = "a number above 0";
}

/// Any number, a whole one too.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number")]
pub(super) enum Number {
    Whole(i64),
    Fraction(f64),
}

impl From<Number> for f64 {
    fn from(number: Number) -> f64 {
        match number {
            Number::Whole(number) => number as f64,
            Number::Fraction(number) => number,
        }
    }
}

impl TryFrom<Number> for Positive {
    type Error = String;

    fn try_from(number: Number) -> Result<Self, String> {
        let number = f64::from(number);
        match number > 0.0 {
            true if number.is_finite() => Ok(Positive(number)),
            true => Err(format!("found {number}, expected a finite number")),
            false => Err(format!("found {number}, expected {}", Positive::EXPECTED)),
        }
    }
}

/// The name of a phase, which is a folder's name too.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct PhaseName(pub String);

impl PhaseName {
    /// What is expected, in words.
    pub(super) const EXPECTED: &str = "1 to 40 of a-z, 0-9 and -";
}

impl TryFrom<String> for PhaseName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let tame = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        // These are names of other folders of a run, and of a file.
        let taken = ["champions", "figures", "start", "faults", "lock"].contains(&name.as_str());
        match (1..=40).contains(&name.len()) && name.chars().all(tame) && !taken {
            true => Ok(PhaseName(name)),
            false if taken => Err(format!(
                "{name:?} can't be a phase's name, for a run has a folder or file of that name; \
                 expected another"
            )),
            false => Err(format!(
                "{name:?} can't be a phase's name, expected {}",
                PhaseName::EXPECTED
            )),
        }
    }
}
