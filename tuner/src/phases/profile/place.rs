//! Where the key stands in a profile that a sentence is about. Checks of keys that go together know names alone.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The first word of a sentence that is a key of a phase: where it stands. `table` is the place of the table that the
/// sentence is about, if it has one; without it, all tables of the phase count.
pub(super) fn of_key(
    phase: &DeTable<'_>,
    table: Option<&Range<usize>>,
    sentence: &str,
) -> Option<Range<usize>> {
    // What is not there has no place, and may have one elsewhere.
    if sentence.starts_with("missing field") {
        return None;
    }
    let mut keys = Vec::new();
    collect(phase, table, table.is_none(), &mut keys);
    let words = sentence.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut places = words.filter_map(|word| keys.iter().find(|(name, _)| *name == word));
    places.next().map(|(_, place)| place.clone())
}

/// The keys that are no tables, with their places.
fn collect<'a>(
    table: &'a DeTable<'_>,
    wanted: Option<&Range<usize>>,
    is_wanted: bool,
    keys: &mut Vec<(&'a str, Range<usize>)>,
) {
    for (name, value) in table {
        let tables: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
            DeValue::Table(_) => vec![value],
            DeValue::Array(items) => items.iter().collect(),
            _ => Vec::new(),
        };
        for inner in &tables {
            if let DeValue::Table(keys_of) = inner.get_ref() {
                let is_meant = wanted.is_none_or(|place| *place == inner.span());
                collect(keys_of, wanted, is_meant, keys);
            }
        }
        let has_keys = |one: &&Spanned<DeValue<'_>>| one.get_ref().is_table();
        if is_wanted && !tables.iter().any(has_keys) {
            keys.push((name.get_ref().as_ref(), name.span()));
        }
    }
}
