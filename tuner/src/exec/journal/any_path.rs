//! A path as text, or, if it is none (no UTF-8), as the system's own units.

use serde::{Deserialize, Deserializer, Serialize as _, Serializer};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(PathBuf),
    Units(OsString),
}

pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    match path.to_str() {
        Some(text) => text.serialize(serializer),
        None => path.as_os_str().serialize(serializer),
    }
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(match Written::deserialize(deserializer)? {
        Written::Text(path) => path,
        Written::Units(path) => path.into(),
    })
}
