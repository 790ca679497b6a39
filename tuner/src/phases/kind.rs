//! What the registry has of a kind of phase.

use super::phase::Keys;
use crate::config::reference::schema;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

/// A kind of phase.
#[derive(Debug)]
pub struct Kind {
    /// Its name in profiles.
    pub name: &'static str,
    /// What it does, for the list of keys.
    pub meaning: &'static str,
    /// Whether a profile with one phase of it has its files in the run's folder itself.
    pub is_flat: bool,
    /// Reads its keys.
    pub keys: fn(toml::Deserializer<'_>) -> Result<Box<dyn Keys>, toml::de::Error>,
    /// The schema of the same.
    pub schema: fn() -> Schema,
}

impl Kind {
    /// A kind whose keys are read into `K`.
    pub const fn of<K: Keys + JsonSchema + DeserializeOwned>(
        name: &'static str,
        meaning: &'static str,
    ) -> Kind {
        Kind {
            name,
            meaning,
            is_flat: false,
            keys: |table| Ok(Box::new(K::deserialize(table)?)),
            schema: schema::<K>,
        }
    }

    /// The same with its files in the run's folder itself.
    pub const fn flat(self) -> Kind {
        Kind {
            is_flat: true,
            ..self
        }
    }
}
