//! `tuner export`: parameters in the forms that other tools read. Their names are those of the
//! options that `eyas --tune` lists, and that Eyas takes without it.
//!
//! | form | for |
//! |---|---|
//! | `uci` | `setoption` lines: first that by which Eyas loads the files, then one a parameter |
//! | `openbench` | SPSA input of OpenBench: `name, int, value, min, max, c_end, r_end` |
//! | `weather-factory` | its `config.json` of parameters |
//! | `csv` | a table with range, default and meaning |

use crate::base::files::is_sendable;
use engine::params::{LAYOUTS, Loaded, ParamTable, Table, layout};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// `setoption` lines, one a parameter.
    Uci,
    /// SPSA input of OpenBench, for `eyas --tune`.
    Openbench,
    /// SPSA input of weather-factory (JSON), for `eyas --tune`.
    WeatherFactory,
    /// A table.
    Csv,
}

/// OpenBench's usual rate at the end of a tune.
const R_END: f64 = 0.002;

/// Steps of SPSA are this part of a parameter's range.
const STEPS: f64 = 20.0;

/// A row to be exported.
struct Row {
    table: &'static str,
    name: &'static str,
    doc: &'static str,
    value: i32,
    default: i32,
    low: i32,
    high: i32,
}

impl Row {
    /// What a tune moves the parameter by.
    fn step(&self) -> f64 {
        (f64::from(self.high - self.low) / STEPS).max(0.5)
    }
}

/// Parameters of these files in a form: the genes of a layout, or of those that the files name, or
/// all that are there.
///
/// # Errors
/// There is no such layout, or a path that can't be sent to an engine, in words.
pub fn export(
    loaded: &Loaded,
    paths: &[PathBuf],
    form: Form,
    wanted: Option<&str>,
) -> Result<String, String> {
    let rows = rows(loaded, wanted)?;
    let mut text = String::new();
    match form {
        Form::Uci => {
            let path = |path: &PathBuf| {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                match is_sendable(&path) {
                    true => Ok(path.display().to_string()),
                    false => Err(format!(
                        "{}: the engine takes a semicolon for the end of a file's name, expected a path \
                         without",
                        path.display()
                    )),
                }
            };
            let files: Vec<String> = paths.iter().map(path).collect::<Result<_, _>>()?;
            let _ = writeln!(text, "setoption name ParamsFile value {}", files.join(";"));
            for row in &rows {
                let _ = writeln!(text, "setoption name {} value {}", row.name, row.value);
            }
        }
        Form::Openbench => {
            for row in &rows {
                let _ = writeln!(
                    text,
                    "{}, int, {}, {}, {}, {}, {R_END}",
                    row.name,
                    row.value,
                    row.low,
                    row.high,
                    row.step()
                );
            }
        }
        Form::WeatherFactory => {
            let mut object = serde_json::Map::new();
            for row in &rows {
                let value = serde_json::json!({
                    "value": row.value,
                    "min_value": row.low,
                    "max_value": row.high,
                    "step": row.step(),
                });
                object.insert(row.name.to_string(), value);
            }
            let json = serde_json::to_string_pretty(&object);
            text = json.unwrap_or_default() + "\n";
        }
        Form::Csv => {
            text.push_str("table,name,value,default,min,max,meaning\n");
            for row in &rows {
                let meaning = row.doc.trim().replace('"', "\"\"");
                let _ = writeln!(
                    text,
                    "{},{},{},{},{},{},\"{meaning}\"",
                    row.table, row.name, row.value, row.default, row.low, row.high
                );
            }
        }
    }
    Ok(text)
}

fn rows(loaded: &Loaded, wanted: Option<&str>) -> Result<Vec<Row>, String> {
    if let Some(name) = wanted.filter(|name| !LAYOUTS.contains(name)) {
        let known = LAYOUTS.join(", ");
        return Err(format!(
            "there is no layout {name:?}, expected one of {known}"
        ));
    }
    let layouts: Vec<&str> = match wanted {
        Some(name) => vec![name],
        None => loaded.layouts.iter().map(String::as_str).collect(),
    };
    let genes: Vec<_> = layouts
        .iter()
        .filter_map(|name| layout(name))
        .flatten()
        .collect();
    let is_wanted = |table: Table, index: usize, is_missing: bool| match layouts.is_empty() {
        true => !is_missing,
        false => genes
            .iter()
            .any(|gene| gene.table == table && gene.index == index),
    };
    let mut rows = Vec::new();
    collect(&mut rows, &loaded.params.eval, |index, spec| {
        is_wanted(Table::Eval, index, loaded.missing_eval.contains(&spec))
    });
    collect(&mut rows, &loaded.params.search, |index, spec| {
        is_wanted(Table::Search, index, loaded.missing_search.contains(&spec))
    });
    Ok(rows)
}

fn collect<T: ParamTable>(
    rows: &mut Vec<Row>,
    table: &T,
    is_wanted: impl Fn(usize, &'static str) -> bool,
) {
    for (index, spec) in T::SPECS.iter().enumerate() {
        if is_wanted(index, spec.name) {
            rows.push(Row {
                table: T::TABLE,
                name: spec.name,
                doc: spec.doc,
                value: table.get(index),
                default: spec.default,
                low: *spec.range.start(),
                high: *spec.range.end(),
            });
        }
    }
}

/// Rows in which two parameter sets differ: table, name, both values.
pub fn differences(a: &Loaded, b: &Loaded) -> Vec<(&'static str, &'static str, i32, i32)> {
    let mut rows = Vec::new();
    differ(&mut rows, &a.params.eval, &b.params.eval);
    differ(&mut rows, &a.params.search, &b.params.search);
    rows
}

fn differ<T: ParamTable>(rows: &mut Vec<(&'static str, &'static str, i32, i32)>, a: &T, b: &T) {
    for (index, spec) in T::SPECS.iter().enumerate() {
        if a.get(index) != b.get(index) {
            rows.push((T::TABLE, spec.name, a.get(index), b.get(index)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::params::ParamSet;
    use engine::uci::options;
    use engine::uci::parameters::Source;

    fn loaded() -> Loaded {
        let text = "format = 1\nlayouts = [\"search-2014\"]\n[search]\nnull_move_reduction = 3\n";
        ParamSet::parse([("x.toml", text)]).unwrap()
    }

    #[test]
    fn forms_of_other_tools() {
        let of = |form| export(&loaded(), &["/x.toml".into()], form, None).unwrap();
        let uci = of(Form::Uci);
        ::tests::says(&uci, &["setoption name null_move_reduction value 3\n"]);
        let path = std::path::absolute("/x.toml").unwrap();
        let first = format!("setoption name ParamsFile value {}\n", path.display());
        assert!(uci.starts_with(&first), "{uci}");
        assert_eq!(uci.lines().count(), 19);
        // The engine would look for two files.
        let said = export(&loaded(), &["/a;b/x.toml".into()], Form::Uci, None).unwrap_err();
        assert!(said.contains("a path without"), "{said}");
        let openbench = of(Form::Openbench);
        ::tests::says(
            &openbench,
            &["null_move_reduction, int, 3, 0, 7, 0.5, 0.002\n"],
        );
        assert!(openbench.contains("futility_threshold_1, int, 0, 0, 1023, 51.15, 0.002\n"));
        let json: serde_json::Value = serde_json::from_str(&of(Form::WeatherFactory)).unwrap();
        assert_eq!(json["null_move_reduction"]["value"], 3);
        assert_eq!(json["null_move_reduction"]["max_value"], 7);
        let csv = of(Form::Csv);
        assert!(csv.contains("search,null_move_reduction,3,"), "{csv}");
        ::tests::says(
            &export(&loaded(), &[], Form::Csv, Some("eval-1")).unwrap_err(),
            &["eval-2014"],
        );
        let weights = export(&loaded(), &[], Form::Openbench, Some("eval-2014")).unwrap();
        assert_eq!(weights.lines().count(), 34);
    }

    /// What other tools set is what the engine calls its options, in its ranges.
    #[test]
    fn all_names_are_options_of_the_engine() {
        let declared: Vec<String> = options::declarations(true, &Source::compiled())
            .iter()
            .map(ToString::to_string)
            .collect();
        for layout in LAYOUTS {
            let of = |form| export(&loaded(), &["/x.toml".into()], form, Some(layout)).unwrap();
            for line in of(Form::Uci).lines() {
                let words = line.strip_prefix("setoption name ").unwrap();
                let (name, value) = words.split_once(" value ").unwrap();
                assert!(options::parse(name, value.as_bytes()).is_ok(), "{line}");
            }
            for line in of(Form::Openbench).lines() {
                let fields: Vec<&str> = line.split(", ").collect();
                let (name, low, high) = (fields[0], fields[3], fields[4]);
                let starts = format!("option name {name} type spin default ");
                let ends = format!(" min {low} max {high}");
                let is_this = |line: &&String| line.starts_with(&starts) && line.ends_with(&ends);
                assert_eq!(declared.iter().filter(is_this).count(), 1, "{line}");
            }
        }
    }

    #[test]
    fn differences_are_listed() {
        let plain = ParamSet::parse([("y.toml", "format = 1\n")]).unwrap();
        assert_eq!(
            differences(&plain, &loaded()),
            [("search", "null_move_reduction", 0, 3)]
        );
        assert!(differences(&plain, &plain).is_empty());
    }
}
