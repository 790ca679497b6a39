//! The reference of profile keys, made of the declarations that parse them.
//!
//! schemars turns each `struct` into a JSON schema: comments become meanings, types become forms and
//! ranges. This module walks through the schemas and writes Markdown.

use super::schema::VALUE;
use engine::nearest::nearest;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// One key, as it is in some kinds of phases.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The key behind the tables that it is in: `evolution.population`.
    path: String,
    /// The kinds of phases that have it in this form; none for keys of all profiles.
    kinds: Vec<&'static str>,
    form: Form,
}

/// What a key's value may be, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    value: String,
    presence: String,
    meaning: String,
    /// Each word that the value may be, with its meaning.
    words: Vec<(String, String)>,
    /// `[ ]` or `[[ ]]`, where the value is a table or a list of tables.
    table: Option<[&'static str; 2]>,
}

/// The names of a structure's keys.
pub fn names<T: JsonSchema>() -> Vec<String> {
    let schema = schema::<T>();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map_or_else(Vec::new, |keys| keys.keys().cloned().collect())
}

/// The schema of what is read, with all parts in place.
pub fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>()
}

/// Where the keys are that each phase of a list has.
const LIST: &str = "phase";

/// What may be in profiles, as schemas.
#[derive(Debug)]
pub struct Declared {
    /// Keys beside the phases.
    pub whole: Vec<Schema>,
    /// Keys of each phase in a list.
    pub listed: Schema,
    /// Keys of each kind of phase, with its name.
    pub kinds: Vec<(&'static str, Schema)>,
    /// The names of the kinds with their meanings.
    pub names: Schema,
}

/// Adds the keys of a table; equal ones of several kinds are one entry.
fn collect(table: &str, schema: &Value, kind: Option<&'static str>, entries: &mut Vec<Entry>) {
    let required: Vec<&str> = match schema.get("required").and_then(Value::as_array) {
        Some(names) => names.iter().filter_map(Value::as_str).collect(),
        None => Vec::new(),
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, whole) in properties.into_iter().flatten() {
        let path = match table {
            "" => name.clone(),
            table => format!("{table}.{name}"),
        };
        let value = without_null(whole);
        let form = Form::of(whole, value, required.contains(&name.as_str()));
        let same = |entry: &&mut Entry| entry.path == path && entry.form == form;
        match entries.iter_mut().find(same) {
            Some(entry) => entry.kinds.extend(kind),
            None => entries.push(Entry {
                path: path.clone(),
                kinds: kind.into_iter().collect(),
                form,
            }),
        }
        let inner = value.get("items").unwrap_or(value);
        collect(&path, inner, kind, entries);
    }
}

/// The schema of a value that may be absent.
fn without_null(schema: &Value) -> &Value {
    let choices = schema.get("anyOf").and_then(Value::as_array);
    let is_value = |choice: &&Value| choice.get("type").and_then(Value::as_str) != Some("null");
    let value = choices.and_then(|choices| choices.iter().find(is_value));
    value.unwrap_or(schema)
}

/// A text of a schema.
fn text<'a>(schema: &'a Value, key: &str) -> Option<&'a str> {
    schema.get(key).and_then(Value::as_str)
}

impl Form {
    fn of(whole: &Value, value: &Value, is_required: bool) -> Form {
        let meaning = text(whole, "description").or_else(|| text(value, "description"));
        let has_keys = |schema: &Value| schema.get("properties").is_some();
        let table = match value.get("items") {
            _ if has_keys(value) => Some(["[", "]"]),
            Some(items) if has_keys(items) => Some(["[[", "]]"]),
            _ => None,
        };
        // TOML has no null: without a value the key is absent.
        let default = whole.get("default").filter(|default| !default.is_null());
        let words = value.get("oneOf").and_then(Value::as_array);
        let words = words.into_iter().flatten().map(|word| {
            let meaning = text(word, "description").unwrap_or_default();
            let word = text(word, "const").unwrap_or_default();
            (word.to_string(), meaning.to_string())
        });
        Form {
            value: match text(whole, VALUE) {
                Some(words) => words.to_string(),
                None => described(value),
            },
            presence: match default {
                _ if is_required => "required".into(),
                Some(Value::Object(keys)) => {
                    let keys = keys.iter().filter(|(_, value)| !value.is_null());
                    let keys = keys.map(|(key, value)| format!("`{key} = {value}`"));
                    format!("default {}", keys.collect::<Vec<_>>().join(", "))
                }
                Some(default) => format!("default `{default}`"),
                None => "optional".into(),
            },
            meaning: meaning.unwrap_or_default().to_string(),
            words: words.collect(),
            table,
        }
    }
}

/// What a value may be.
fn described(value: &Value) -> String {
    if let Some(words) = text(value, VALUE) {
        return words.to_string();
    }
    let has_type = |name: &str| match value.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(types)) => types.iter().any(|one| one == name),
        _ => false,
    };
    match value.get("items") {
        Some(items) if items.get("properties").is_some() => "a list of tables".into(),
        Some(items) => format!("a list; each item is {}", described(items)),
        None if value.get("oneOf").is_some() => "one of the words below".into(),
        None if has_type("object") => "a table".into(),
        None if has_type("boolean") => "`true` or `false`".into(),
        None => "text".into(),
    }
}

impl Declared {
    /// All entries, those of all profiles first.
    fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for schema in &self.whole {
            collect("", schema.as_value(), None, &mut entries);
        }
        collect(LIST, self.listed.as_value(), None, &mut entries);
        for (kind, schema) in &self.kinds {
            collect("", schema.as_value(), Some(kind), &mut entries);
        }
        entries
    }

    /// Each meaning that is told, with its key.
    pub fn meanings(&self) -> Vec<(String, String)> {
        let entries = self.entries().into_iter();
        let meanings = entries.flat_map(|entry| {
            let words = entry.form.words.into_iter().map(|(_, meaning)| meaning);
            let all: Vec<String> = words.chain([entry.form.meaning]).collect();
            all.into_iter()
                .map(move |meaning| (entry.path.clone(), meaning))
        });
        meanings.collect()
    }

    /// All names of keys.
    pub fn all_names(&self) -> BTreeSet<String> {
        let name = |entry: Entry| entry.path.rsplit('.').next().map(str::to_string);
        self.entries().into_iter().filter_map(name).collect()
    }

    /// The tables that have a key of this name, as they are written in a list of phases.
    pub fn tables_of(&self, name: &str) -> BTreeSet<String> {
        let table = |entry: Entry| match entry.path.rsplit_once('.') {
            Some((LIST, key)) if key == name => Some("[[phase]]".to_string()),
            Some((table, key)) if key == name => Some(format!("[{table}]")),
            None if entry.path == name && entry.kinds.is_empty() => {
                Some("the whole profile".into())
            }
            _ => None,
        };
        self.entries().into_iter().filter_map(table).collect()
    }

    /// The kinds of phases that have a table of this name.
    pub fn kinds_with_table(&self, name: &str) -> Vec<&'static str> {
        let is_in = |entry: &Entry| {
            let table = entry.path.split_once('.');
            table.is_some_and(|(table, _)| table == name)
        };
        let inside: Vec<Entry> = self.entries().into_iter().filter(is_in).collect();
        let has = |kind: &&str| inside.iter().any(|entry| entry.kinds.contains(kind));
        self.kinds
            .iter()
            .map(|(kind, _)| *kind)
            .filter(has)
            .collect()
    }

    /// The reference as Markdown: all of it, or what it says of a kind of phase, of a key or of a table.
    ///
    /// # Errors
    /// There is nothing of that name; the error names the nearest.
    pub fn reference(&self, of: Option<&str>) -> Result<String, String> {
        let all = self.entries();
        let Some(of) = of else {
            return Ok(page(&all, &self.names));
        };
        let mut kinds = self.kinds.iter();
        let chosen: Vec<Entry> = match kinds.find(|(kind, _)| *kind == of) {
            Some((kind, _)) => {
                let has = |entry: &&Entry| entry.kinds.contains(kind);
                all.iter().filter(has).cloned().collect()
            }
            None => {
                let of = of.trim_matches(['[', ']']);
                let of = of.strip_prefix("phase.").unwrap_or(of);
                let is_meant = |entry: &&Entry| {
                    let path = &entry.path;
                    let is_inside = |rest: &str| rest.starts_with('.');
                    path.rsplit('.').next() == Some(of)
                        || path
                            .strip_prefix(of)
                            .is_some_and(|rest| rest.is_empty() || is_inside(rest))
                };
                all.iter().filter(is_meant).cloned().collect()
            }
        };
        if chosen.is_empty() {
            let names = self.all_names();
            let kinds = self.kinds.iter().map(|(kind, _)| *kind);
            let hint = nearest(of, names.iter().map(String::as_str).chain(kinds));
            let hint = hint.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            return Err(format!("there is no key and no kind of phase {of:?}{hint}"));
        }
        Ok(sections(&chosen).trim_start().to_string())
    }
}

const INTRODUCTION: &str = "\
# Profile keys

A profile is a TOML file that says what to evolve, from which data, and how. This page lists every key.
`tuner keys` prints it; `tuner keys grandmaster` prints the keys of one kind of phase, and
`tuner keys population` those of one name.

- A profile has either one phase, whose keys stand at the top of the file beside `phase = \"KIND\"`, or a
  list of phases, each under `[[phase]]` with `kind = \"KIND\"`.
- The table `[evolution]` of a profile with one phase is `[phase.evolution]` in a list of phases, and so
  on.
- A relative path counts from the folder of the profile.
- An unknown key is an error, so a misspelt key can't be ignored by mistake.
";

fn page(entries: &[Entry], names: &Schema) -> String {
    let mut text = INTRODUCTION.to_string();
    text += "\n## Kinds of phases\n\n| Kind | What it does | Tables |\n|---|---|---|\n";
    let kinds = names.get("oneOf").and_then(Value::as_array);
    for word in kinds.into_iter().flatten() {
        let name = text_of(word, "const");
        let has = |entry: &&Entry| entry.kinds.contains(&name);
        let table = |entry: &Entry| {
            let [open, close] = entry.form.table?;
            Some(format!("`{open}{}{close}`", entry.path))
        };
        let tables: Vec<String> = entries.iter().filter(has).filter_map(table).collect();
        let meaning = text_of(word, "description").replace('\n', " ");
        let _ = writeln!(text, "| `{name}` | {meaning} | {} |", tables.join(", "));
    }
    text + &sections(entries)
}

fn text_of<'a>(schema: &'a Value, key: &str) -> &'a str {
    text(schema, key).unwrap_or_default()
}

/// Entries by the table that they are in.
fn sections(entries: &[Entry]) -> String {
    let table_of = |entry: &Entry| match entry.path.rsplit_once('.') {
        Some((table, _)) => (true, table.to_string()),
        None => (!entry.kinds.is_empty(), String::new()),
    };
    let mut tables: Vec<(bool, String)> = Vec::new();
    for entry in entries {
        let table = table_of(entry);
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables.sort_by_key(|(_, table)| (table != LIST, table.clone()));
    tables.sort_by_key(|(is_of_phase, _)| *is_of_phase);
    let mut text = String::new();
    for table in tables {
        text += &heading(&table, entries);
        let mut paths: Vec<&str> = Vec::new();
        for entry in entries.iter().filter(|entry| table_of(entry) == table) {
            // The keys of a table have a section of their own.
            if !paths.contains(&entry.path.as_str()) && entry.form.table.is_none() {
                paths.push(&entry.path);
            }
        }
        paths.sort_unstable();
        for path in paths {
            let _ = write!(text, "\n### `{path}`\n");
            let forms = entries.iter().filter(|entry| entry.path == *path);
            text.extend(
                forms
                    .filter(|entry| entry.form.table.is_none())
                    .map(Entry::text),
            );
        }
    }
    text
}

/// The heading of a section, and what its table is.
fn heading((is_of_phase, table): &(bool, String), entries: &[Entry]) -> String {
    if !is_of_phase {
        return "\n## The whole profile\n".into();
    }
    if table.is_empty() {
        return "\n## The phase itself\n".into();
    }
    if table == LIST {
        return "\n## `[[phase]]`\n\nKeys of every phase in a list, beside those of its kind.\n"
            .into();
    }
    let forms = entries
        .iter()
        .filter(|entry| entry.path == *table && entry.form.table.is_some());
    let [open, close] = forms
        .clone()
        .find_map(|entry| entry.form.table)
        .unwrap_or(["[", "]"]);
    let mut text = format!("\n## `{open}{table}{close}`\n");
    text.extend(forms.map(Entry::text));
    text
}

impl Entry {
    fn text(&self) -> String {
        let kinds = match &self.kinds[..] {
            [] if self.path.starts_with(LIST) && self.path != LIST => "*every phase*: ".into(),
            [] => "*every profile*: ".into(),
            kinds => format!("*{}*: ", kinds.join(", ")),
        };
        let Form {
            value,
            presence,
            meaning,
            words,
            ..
        } = &self.form;
        let mut text = format!("\n{kinds}{value}; {presence}.\n\n{meaning}\n");
        if !words.is_empty() {
            text += "\n";
        }
        for (word, meaning) in words {
            let _ = writeln!(text, "- `\"{word}\"`: {}", meaning.replace('\n', "\n  "));
        }
        text
    }
}
