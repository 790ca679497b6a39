//! What an experiment may say: a profile, keys of it that vary, and the seeds of every cell.

use super::values::Whole;
use crate::base::statistics::counted;
use crate::evolution::rng::run_seeds;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::Value;

/// An experiment: the profile is run with every combination of the axes' values, each from the same seeds,
/// so that runs of two cells are pairs.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Keys")]
pub struct Experiment {
    /// The profile, relative to the experiment's file.
    pub profile: PathBuf,
    /// The seeds of each cell.
    pub seeds: Vec<u64>,
    /// What varies.
    pub axes: Vec<Axis>,
    /// Values of axes, by name: every cell is compared with the one that has these and is otherwise like it.
    /// If empty, with the first of all.
    pub baseline: BTreeMap<String, Value>,
}

/// A key of the profile with the values that it takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "AxisKeys")]
pub struct Axis {
    /// The key: `evolution.history`, or `phase.NAME.evolution.history` where the profile lists its phases.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Its values.
    pub values: Vec<Value>,
    /// What each value is called in tables, if not by itself.
    pub labels: Option<Vec<String>>,
}

impl Axis {
    /// The place of a value among its own.
    pub fn place(&self, value: &Value) -> Option<usize> {
        self.values.iter().position(|known| same(known, value))
    }

    /// Whether it sets a key that another sets, or a part of it.
    fn meets(&self, other: &Axis) -> bool {
        let (mut own, mut others) = (self.key.split('.'), other.key.split('.'));
        loop {
            match (own.next(), others.next()) {
                (Some(own), Some(other)) if own == other => {}
                (Some(_), Some(_)) => return false,
                _ => return true,
            }
        }
    }

    /// What a value is called; nothing for none.
    pub fn label(&self, place: usize) -> String {
        let label = self.labels.as_ref().and_then(|labels| labels.get(place));
        let value = || self.values.get(place).map(plain);
        label.cloned().or_else(value).unwrap_or_default()
    }
}

/// Whether two values are the same: 0 is 0.0.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Integer(whole), Value::Float(number))
        | (Value::Float(number), Value::Integer(whole)) => *whole as f64 == *number,
        _ => one == other,
    }
}

/// A value as it is shown: text without quotes, a list as its entries with a plus between them.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) if list.is_empty() => "none".into(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join("+"),
        other => other.to_string(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Keys {
    /// Version of the format.
    #[serde(rename = "format")]
    _format: Whole<1, 1>,
    profile: PathBuf,
    /// So many runs of each cell, whose seeds are drawn from 1.
    seeds: Option<Whole<1, 1000>>,
    seed: Option<Whole<0, { super::evolution::MAX_SEED }>>,
    count: Option<Whole<1, 1000>>,
    #[serde(default)]
    axis: Vec<Axis>,
    #[serde(default)]
    baseline: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct AxisKeys {
    key: String,
    name: Option<String>,
    values: Vec<Value>,
    labels: Option<Vec<String>>,
}

impl TryFrom<AxisKeys> for Axis {
    type Error = String;

    fn try_from(keys: AxisKeys) -> Result<Axis, String> {
        let AxisKeys {
            key,
            name,
            values,
            labels,
        } = keys;
        if key.split('.').any(|part| part == "runs") {
            return Err(format!(
                "axis {key:?}: the runs and their seeds are the same in every cell, expected another key"
            ));
        }
        let last = key.rsplit('.').next().unwrap_or_default();
        if last == "name" {
            return Err(format!(
                "axis {key:?}: what a phase is called changes nothing, expected another key"
            ));
        }
        let name = name.unwrap_or_else(|| last.to_string());
        let is_tame = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || !name.chars().all(is_tame) {
            return Err(format!(
                "an axis can't be called {name:?}, expected letters, digits, -, _ and ."
            ));
        }
        // Columns of its tables.
        let taken = ["cell", "seed", "positions", "evaluations"];
        if taken.contains(&name.as_str()) {
            return Err(format!(
                "an axis can't be called {name:?}, as a column of the results is; give it another `name`"
            ));
        }
        if let Some(labels) = labels.as_ref().filter(|all| all.len() != values.len()) {
            let labels = counted(labels.len(), "label");
            let values = counted(values.len(), "value");
            return Err(format!(
                "axis {key:?} has {labels} for {values}, expected one for each"
            ));
        }
        let before = |at: usize| values[..at].iter().any(|known| same(known, &values[at]));
        let twice = (1..values.len()).find(|&at| before(at));
        match twice {
            _ if values.is_empty() => Err(format!("axis {key:?} has no values, expected some")),
            Some(at) => Err(format!("axis {key:?} has {} twice", values[at])),
            None => Ok(Axis {
                key,
                name,
                values,
                labels,
            }),
        }
    }
}

impl TryFrom<Keys> for Experiment {
    type Error = String;

    fn try_from(keys: Keys) -> Result<Experiment, String> {
        let seeds = match (keys.seeds, keys.seed, keys.count) {
            (Some(count), None, None) => run_seeds(1, count.get()),
            (None, Some(seed), Some(count)) => run_seeds(seed.0, count.get()),
            _ => return Err("expected either seeds, or seed and count".into()),
        };
        let axes = keys.axis;
        for (at, axis) in axes.iter().enumerate() {
            if let Some(before) = axes[..at].iter().find(|before| before.meets(axis)) {
                let (one, other) = (&before.key, &axis.key);
                return Err(format!(
                    "axes {one:?} and {other:?} set the same key, expected one axis for it"
                ));
            }
        }
        let names = || axes.iter().map(|axis| axis.name.as_str());
        if let Some(twice) = names()
            .enumerate()
            .find(|(at, name)| names().take(*at).any(|known| known == *name))
        {
            let name = twice.1;
            return Err(format!(
                "two axes are called {name:?}: give one of them another `name`"
            ));
        }
        for (name, value) in &keys.baseline {
            let axis = axes
                .iter()
                .find(|axis| axis.name == *name || axis.key == *name);
            let Some(axis) = axis else {
                return Err(format!(
                    "baseline: there is no axis {name:?}, expected one of {}",
                    names().collect::<Vec<_>>().join(", ")
                ));
            };
            if axis.place(value).is_none() {
                let values: Vec<String> = axis.values.iter().map(Value::to_string).collect();
                let values = values.join(", ");
                return Err(format!(
                    "baseline: axis {name:?} has no value {value}, expected one of {values}"
                ));
            }
        }
        Ok(Experiment {
            profile: keys.profile,
            seeds,
            axes,
            baseline: keys.baseline,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Experiment, String> {
        let head = "format = 1\nprofile = \"p.toml\"\n";
        let read = toml::from_str::<Experiment>(&format!("{head}{text}"));
        read.map_err(|error| error.message().to_string())
    }

    #[test]
    fn seeds_and_names() {
        let axis = "[[axis]]\nkey = \"evolution.history\"\nvalues = [0.0, 0.1]\n";
        let experiment = read(&format!("seed = 7\ncount = 3\n{axis}")).unwrap();
        assert_eq!(experiment.seeds, run_seeds(7, 3));
        assert_eq!(experiment.axes[0].name, "history");
        assert_eq!(read("seeds = 31").unwrap().seeds, run_seeds(1, 31));
        for value in ["0.1", "0"] {
            let baseline = format!("seeds = 2\nbaseline = {{ history = {value} }}\n{axis}");
            assert_eq!(read(&baseline).unwrap().baseline.len(), 1);
        }
    }

    #[test]
    fn lists_have_names_and_labels_are_others() {
        let axis = |labels: &str| {
            let values = "values = [[], [\"A\"], [\"A\", \"B\"]]";
            let text = format!("seeds = 2\n[[axis]]\nkey = \"only\"\n{values}\n{labels}");
            let experiment = read(&text)?;
            Ok::<_, String>([0, 1, 2, 3].map(|place| experiment.axes[0].label(place)))
        };
        assert_eq!(axis("").unwrap(), ["none", "A", "A+B", ""]);
        let labels = "labels = [\"0\", \"1\", \"2\"]";
        assert_eq!(axis(labels).unwrap(), ["0", "1", "2", ""]);
        let error = axis("labels = [\"0\"]").unwrap_err();
        assert!(error.contains("1 label for 3 values"), "{error}");
    }

    #[test]
    fn what_can_not_be_an_experiment() {
        let axis = |keys: &str| format!("seeds = 2\n[[axis]]\n{keys}");
        let cases = [
            ("count = 3".to_string(), "either seeds, or seed and count"),
            ("seeds = 0".to_string(), "a whole number from 1 to 1000"),
            (axis("key = \"a\"\nvalues = []"), "has no values"),
            (axis("key = \"a\"\nvalues = [1, 2, 1]"), "has 1 twice"),
            (axis("key = \"a\"\nvalues = [1, 1.0]"), "has 1.0 twice"),
            (
                axis("key = \"phase.a.name\"\nvalues = [\"b\"]"),
                "changes nothing",
            ),
            (
                axis(
                    "key = \"a.b\"\nvalues = [1]\n[[axis]]\nkey = \"a.b\"\nname = \"c\"\nvalues = [2]",
                ),
                "axes \"a.b\" and \"a.b\" set the same key",
            ),
            (
                axis("key = \"a.b\"\nvalues = [1]\n[[axis]]\nkey = \"a\"\nvalues = [2]"),
                "axes \"a.b\" and \"a\" set the same key",
            ),
            (
                axis("key = \"runs.seed\"\nvalues = [1]"),
                "the same in every cell",
            ),
            (
                axis("key = \"a\"\nname = \"a/b\"\nvalues = [1]"),
                "can't be called",
            ),
            (
                axis("key = \"positions\"\nvalues = [1]"),
                "a column of the results",
            ),
            (
                axis("key = \"a\"\nvalues = [1]\n[[axis]]\nkey = \"b.a\"\nvalues = [1]"),
                "two axes are called \"a\"",
            ),
            (
                axis("key = \"a\"\nvalues = [1]\n[baseline]\nb = 1"),
                "no axis \"b\", expected one of a",
            ),
            (
                axis("key = \"a\"\nvalues = [1]\n[baseline]\na = 2"),
                "no value 2, expected one of 1",
            ),
        ];
        for (text, expected) in cases {
            let error = read(&text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
