//! The cells of an experiment: a profile for each combination of values.

use crate::base::files::read_text;
use crate::config::error::ProfileError;
use crate::config::experiment::{Axis, Experiment};
use crate::error::RunError;
use crate::phases::profile::Profile;
use engine::kind::TextKind;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A combination of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// `history=0.1 layout=eval-2014`
    pub name: String,
    /// The value of each axis, as it is written.
    pub values: Vec<String>,
    /// Its profile.
    pub text: String,
    /// Number of the cell that it is compared with.
    pub against: usize,
}

impl Cell {
    /// The name of its folder.
    pub fn folder(&self) -> String {
        let tame = |c: char| c.is_ascii_alphanumeric() || "-_.=".contains(c);
        let letters = self.name.chars();
        letters.map(|c| if tame(c) { c } else { '_' }).collect()
    }
}

/// An experiment with its profile.
#[derive(Debug)]
pub struct Design {
    /// Its file.
    pub path: PathBuf,
    /// What the file says.
    pub experiment: Experiment,
    /// Where the profile is.
    pub profile: PathBuf,
    /// The phase whose runs are looked at.
    pub phase: String,
    /// The combinations, those of the last axis beside each other.
    pub cells: Vec<Cell>,
}

/// Longest name of a cell's folder, in letters: file systems have no longer names than 255.
const LONGEST_NAME: usize = 200;

/// Most cells of an experiment.
const MOST_CELLS: usize = 10_000;

impl Design {
    /// Reads an experiment and its profile, and makes the profiles of all cells.
    ///
    /// # Errors
    /// A file can't be read, or a cell's profile is refused.
    pub fn load(path: &Path) -> Result<Design, RunError> {
        let text = read_text(path, TextKind::Profile)?;
        let experiment: Experiment = toml::from_str(&text).map_err(|error| {
            let mut message = error.to_string().trim_end().to_string();
            if Profile::parse(path, &text).is_ok() {
                message += "\nthis is a profile, which `tuner run` runs; an experiment names one by `profile`";
            }
            let path = path.to_path_buf();
            ProfileError::Content {
                path,
                place: String::new(),
                message,
            }
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let profile = folder.join(&experiment.profile);
        let (_, base) = Profile::load(&profile)?;
        let refused = |problem: String| RunError::refused(path, problem);
        let base: Table = toml::from_str(&base).map_err(|error| refused(error.to_string()))?;
        let (phase, cells) = cells(&experiment, &base, &profile).map_err(refused)?;
        Ok(Design {
            path: path.to_path_buf(),
            experiment,
            profile,
            phase,
            cells,
        })
    }

    /// The words for an axis' value.
    pub fn axis_names(&self) -> Vec<&str> {
        let axes = self.experiment.axes.iter();
        axes.map(|axis| axis.name.as_str()).collect()
    }
}

fn cells(
    experiment: &Experiment,
    base: &Table,
    path: &Path,
) -> Result<(String, Vec<Cell>), String> {
    let axes = &experiment.axes;
    let sizes = axes.iter().map(|axis| axis.values.len());
    let count = sizes.fold(1_usize, usize::saturating_mul);
    if count > MOST_CELLS {
        return Err(format!("has more than {MOST_CELLS} cells, expected fewer"));
    }
    let phase = measured(base)?;
    let mut cells = Vec::<Cell>::new();
    for number in 0..count {
        let chosen = chosen(axes, number);
        let mut table = base.clone();
        set_seeds(&mut table, &phase, &experiment.seeds);
        for (axis, &value) in axes.iter().zip(&chosen) {
            put(&mut table, &axis.key, &axis.values[value])
                .map_err(|problem| format!("axis {:?}: {problem}", axis.key))?;
        }
        if table.contains_key("hours") {
            return Err("the profile sets `hours`, and runs that a clock ends can't be compared; expected none".into());
        }
        let text = text_of(&table)?;
        if let Err(error) = Profile::parse(path, &text) {
            return Err(blamed(axes, &chosen, base, path, &error));
        }
        let values = axes.iter().zip(&chosen);
        let values: Vec<String> = values.map(|(axis, &at)| axis.label(at)).collect();
        let pairs = axes.iter().zip(&values);
        let name = pairs.map(|(axis, value)| format!("{}={value}", axis.name));
        let name = name.collect::<Vec<_>>().join(" ");
        let cell = Cell {
            name: if name.is_empty() { "all".into() } else { name },
            values,
            text,
            against: against(experiment, &chosen),
        };
        if cell.folder().len() > LONGEST_NAME {
            return Err(format!(
                "the name of cell {:?} is longer than {LONGEST_NAME} letters, and a folder is called so; give values \
                 shorter `labels`",
                cell.name
            ));
        }
        if let Some(before) = cells.iter().find(|before| before.folder() == cell.folder()) {
            let (one, other) = (&before.name, &cell.name);
            return Err(format!(
                "cells {one:?} and {other:?} would share a folder; give values that differ in letters or digits"
            ));
        }
        cells.push(cell);
    }
    Ok((phase, cells))
}

/// Which value each axis has in the cell of this number; the last axis goes fastest.
fn chosen(axes: &[Axis], number: usize) -> Vec<usize> {
    let mut rest = number;
    let mut chosen: Vec<usize> = axes
        .iter()
        .rev()
        .map(|axis| {
            let value = rest % axis.values.len();
            rest /= axis.values.len();
            value
        })
        .collect();
    chosen.reverse();
    chosen
}

/// The number of the cell that one is compared with.
fn against(experiment: &Experiment, chosen: &[usize]) -> usize {
    if experiment.baseline.is_empty() {
        return 0;
    }
    let axes = experiment.axes.iter().zip(chosen);
    axes.fold(0, |number, (axis, &own)| {
        let named = [&axis.name, &axis.key];
        let value = named.iter().find_map(|name| experiment.baseline.get(*name));
        let place = value.and_then(|value| axis.place(value));
        number * axis.values.len() + place.unwrap_or(own)
    })
}

fn text_of(table: &Table) -> Result<String, String> {
    toml::to_string(table).map_err(|error| error.to_string())
}

/// Why a cell's profile is refused: which value alone is enough, if one is.
fn blamed(
    axes: &[Axis],
    chosen: &[usize],
    base: &Table,
    path: &Path,
    error: &ProfileError,
) -> String {
    let value = |(axis, &at): (&Axis, &usize)| format!("axis {:?} = {}", axis.key, axis.values[at]);
    let alone = axes.iter().zip(chosen).find_map(|(axis, at)| {
        let mut table = base.clone();
        put(&mut table, &axis.key, &axis.values[*at]).ok()?;
        let error = Profile::parse(path, &text_of(&table).ok()?).err()?;
        Some(format!(
            "{}: the profile refuses it:\n{}",
            value((axis, at)),
            error.without_place()
        ))
    });
    alone.unwrap_or_else(|| {
        let all: Vec<String> = axes.iter().zip(chosen).map(value).collect();
        format!(
            "{}: the profile refuses them together:\n{}",
            all.join(", "),
            error.without_place()
        )
    })
}

/// The name of a phase in a list.
fn name_of(phase: &Value) -> &str {
    let word = |key: &str| phase.get(key).and_then(Value::as_str);
    word("name").or(word("kind")).unwrap_or_default()
}

/// The one phase that has runs.
fn measured(base: &Table) -> Result<String, String> {
    let Some(Value::Array(phases)) = base.get("phase") else {
        let phase = base.get("phase").and_then(Value::as_str);
        return Ok(phase.unwrap_or_default().to_string());
    };
    let with_runs = phases.iter().filter(|phase| phase.get("runs").is_some());
    let names: Vec<&str> = with_runs.map(name_of).collect();
    match names[..] {
        [name] => Ok(name.to_string()),
        [] => Err(
            "no phase of the profile has [phase.runs], expected one: runs are what is compared"
                .into(),
        ),
        _ => Err(format!(
            "{} phases of the profile have [phase.runs] ({}), expected one",
            names.len(),
            names.join(", ")
        )),
    }
}

fn set_seeds(base: &mut Table, phase: &str, seeds: &[u64]) {
    let seeds = seeds.iter().map(|&seed| Value::Integer(seed as i64));
    let runs = Table::from_iter([("seeds".to_string(), Value::Array(seeds.collect()))]);
    let place = match base.get_mut("phase") {
        Some(Value::Array(phases)) => {
            let found = phases.iter_mut().find(|entry| name_of(entry) == phase);
            found.and_then(Value::as_table_mut)
        }
        _ => Some(base),
    };
    if let Some(place) = place {
        place.insert("runs".into(), Value::Table(runs));
    }
}

/// Puts a value in the place of a dotted key.
fn put(base: &mut Table, key: &str, value: &Value) -> Result<(), String> {
    let mut parts: Vec<&str> = key.split('.').collect();
    if parts.iter().any(|part| part.is_empty()) {
        return Err("expected words with dots between them".into());
    }
    let mut place = base;
    if let (["phase", name, ..], Some(Value::Array(_))) = (&parts[..], place.get("phase")) {
        let Some(Value::Array(phases)) = place.get_mut("phase") else {
            return Ok(());
        };
        let names: Vec<String> = phases
            .iter()
            .map(|phase| name_of(phase).to_string())
            .collect();
        let found = phases.iter_mut().find(|phase| name_of(phase) == *name);
        place = found.and_then(Value::as_table_mut).ok_or_else(|| {
            format!(
                "the profile has no phase {name:?}, only {}",
                names.join(", ")
            )
        })?;
        parts.drain(..2);
    }
    let Some(last) = parts.pop() else {
        return Err("names a phase, expected a key of it".into());
    };
    for part in parts {
        let next = place
            .entry(part)
            .or_insert_with(|| Value::Table(Table::new()));
        place = next
            .as_table_mut()
            .ok_or_else(|| format!("{part:?} of the profile has no keys, so it has no {last:?}"))?;
    }
    place.insert(last.to_string(), value.clone());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(experiment: &str, profile: &str) -> Result<(String, Vec<Cell>), String> {
        let text = format!("format = 1\nprofile = \"p.toml\"\nseeds = 2\n{experiment}");
        let experiment: Experiment = toml::from_str(&text).unwrap();
        cells(
            &experiment,
            &toml::from_str(profile).unwrap(),
            Path::new("p.toml"),
        )
    }

    const PROFILE: &str = "format = 1\nphase = \"grandmaster\"\nlayout = \"eval-2014\"\n\
        positions = { train = \"a.epd\" }\nruns = { seed = 1, count = 1 }\n[evolution]\n\
        method = \"evolutionary-programming\"\npopulation = 4\ngenerations = 2\nfitness = \"linear\"\n";

    const AXES: &str = "[[axis]]\nkey = \"positions.count\"\nvalues = [10, 20]\n\
        [[axis]]\nkey = \"evolution.history\"\nname = \"P_r\"\nvalues = [0.0, 0.1, 0.2]\n";

    #[test]
    fn cells_are_the_product() {
        let (phase, cells) = made(AXES, PROFILE).unwrap();
        assert_eq!(phase, "grandmaster");
        let names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names[..2], ["count=10 P_r=0.0", "count=10 P_r=0.1"]);
        assert_eq!((names.len(), names[5]), (6, "count=20 P_r=0.2"));
        assert_eq!(cells[5].folder(), "count=20_P_r=0.2");
        let table: Table = toml::from_str(&cells[5].text).unwrap();
        assert_eq!(table["positions"]["count"], Value::Integer(20));
        assert_eq!(table["evolution"]["history"], Value::Float(0.2));
        assert_eq!(table["runs"]["seeds"].as_array().unwrap().len(), 2);
        assert!(cells.iter().all(|cell| cell.against == 0));
        // With a baseline, each with its like.
        let (_, cells) = made(&format!("baseline = {{ P_r = 0.1 }}\n{AXES}"), PROFILE).unwrap();
        let against: Vec<usize> = cells.iter().map(|cell| cell.against).collect();
        assert_eq!(against, [1, 1, 1, 4, 4, 4]);
        // Without axes there is one.
        assert_eq!(made("", PROFILE).unwrap().1[0].name, "all");
    }

    #[test]
    fn a_phase_of_several_is_named() {
        let (head, keys) = PROFILE.split_once("phase = \"grandmaster\"\n").unwrap();
        let keys = keys.replace("[evolution]", "[phase.evolution]");
        let list = format!("{head}[[phase]]\nkind = \"grandmaster\"\nname = \"moves\"\n{keys}");
        let axis = |key: &str| format!("[[axis]]\nkey = \"{key}\"\nvalues = [6]\n");
        let (phase, cells) = made(&axis("phase.moves.evolution.population"), &list).unwrap();
        let table: Table = toml::from_str(&cells[0].text).unwrap();
        assert_eq!(phase, "moves");
        assert_eq!(
            table["phase"][0]["evolution"]["population"],
            Value::Integer(6)
        );
        assert_eq!(
            table["phase"][0]["runs"]["seeds"].as_array().unwrap().len(),
            2
        );
        let error = made(&axis("phase.ecm.evolution.population"), &list).unwrap_err();
        assert!(error.contains("no phase \"ecm\", only moves"), "{error}");
    }

    #[test]
    fn errors_name_axis_key_and_value() {
        let axis = |key: &str, value: &str| {
            format!("{AXES}[[axis]]\nkey = \"{key}\"\nvalues = [{value}]\n")
        };
        for (key, value, expected) in [
            ("evolution.histroy", "0.1", "did you mean `history`?"),
            ("evolution.population", "-4", "`-4`, expected"),
            ("layout.rows", "1", "has no keys, so it has no \"rows\""),
            ("evolution.elitism", "1", "changes nothing with method"),
            ("evolution..x", "1", "expected words with dots"),
        ] {
            let error = made(&axis(key, value), PROFILE).unwrap_err();
            let named = format!("axis {key:?}");
            ::tests::says(&error, &[expected, &named]);
            assert!(!error.contains("line ") && !error.contains('|'), "{error}");
        }
        let error = made("", &format!("hours = 1\n{PROFILE}")).unwrap_err();
        assert!(error.contains("`hours`"), "{error}");
    }
}
