//! The names of the algorithms in profiles, those with keys of their own and those of the registry.

use crate::evolution::{PLAIN, Plain};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::sync::LazyLock;

/// An algorithm that evolves.
#[derive(Clone, Copy, Debug, Default)]
pub enum MethodKey {
    /// The genetic algorithm.
    #[default]
    Ga,
    /// CMA-ES.
    CmaEs,
    /// The compact genetic algorithm.
    Compact,
    /// Evolutionary programming.
    EvolutionaryProgramming,
    /// One that needs no keys of its own.
    Plain(&'static Plain),
}

/// The methods that have keys of their own, with what they do.
const METHODS: [(MethodKey, &str, &str); 4] = [
    (
        MethodKey::Ga,
        "ga",
        "The genetic algorithm of the papers (2014 §III.B), with the operators that the keys name.",
    ),
    (
        MethodKey::CmaEs,
        "cma-es",
        "Covariance matrix adaptation: real numbers, drawn from a normal distribution whose mean, step size \
         and\ncovariance matrix are learnt (Hansen 2016). For fitness with little noise and many parameters.",
    ),
    (
        MethodKey::Compact,
        "compact",
        "The compact genetic algorithm: a mean and a standard deviation for each gene, moved by duels (Harik,\n\
         Lobo and Goldberg 1999). For fitness that is mostly noise.",
    ),
    (
        MethodKey::EvolutionaryProgramming,
        "evolutionary-programming",
        "Evolutionary programming: the better half goes on, and each of them has a mutant, or somebody who had \
         left\ncomes back (2013 §4).",
    ),
];

/// All methods: key, name and meaning.
fn methods() -> impl Iterator<Item = (MethodKey, &'static str, &'static str)> {
    let plain = PLAIN.iter();
    let plain = plain.map(|one| (MethodKey::Plain(one), one.name, one.meaning));
    METHODS.into_iter().chain(plain)
}

/// The names of all methods.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| methods().map(|(_, name, _)| name).collect());

impl MethodKey {
    /// Its name in profiles.
    pub fn name(self) -> &'static str {
        match self {
            MethodKey::Ga => "ga",
            MethodKey::CmaEs => "cma-es",
            MethodKey::Compact => "compact",
            MethodKey::EvolutionaryProgramming => "evolutionary-programming",
            MethodKey::Plain(plain) => plain.name,
        }
    }
}

impl PartialEq for MethodKey {
    fn eq(&self, other: &MethodKey) -> bool {
        self.name() == other.name()
    }
}

impl Serialize for MethodKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MethodKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = methods().find(|(_, known, _)| *known == name);
        found
            .map(|(key, ..)| key)
            .ok_or_else(|| D::Error::unknown_variant(&name, &NAMES))
    }
}

impl JsonSchema for MethodKey {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Method".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        words(methods().map(|(_, name, meaning)| (name, meaning)))
    }
}

/// The schema of a value that is one of some words, which have meanings.
pub fn words<'a>(words: impl Iterator<Item = (&'a str, &'a str)>) -> Schema {
    let word = |(word, meaning): (&str, &str)| serde_json::json!({ "type": "string", "const": word, "description": meaning });
    let words: Vec<_> = words.map(word).collect();
    json_schema!({ "oneOf": words })
}
