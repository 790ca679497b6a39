//! Every evolved parameter as an option.

use crate::gui::{Engine, value};
use engine::eval::params::EvalParams;
use engine::params::{LAYOUTS, ParamSet, ParamTable, Row, Table};
use engine::search::params::SearchParams;
use std::path::Path;

/// A parameter file with all rows, which goes when this does.
fn file(params: &ParamSet) -> tempfile::TempPath {
    let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let text = params.to_toml(LAYOUTS, &[], &[Table::Eval, Table::Search]);
    std::fs::write(&path, text).unwrap();
    path
}

/// The compiled defaults but for some rows.
fn changed(rows: &[(&str, i32)]) -> ParamSet {
    let mut params = ParamSet::default();
    for &(name, value) in rows {
        params.set_row(Row::named(name).unwrap(), value);
    }
    params
}

fn set(engine: &mut Engine, rows: &[(&str, i32)]) {
    for (name, value) in rows {
        engine.send(&format!("setoption name {name} value {value}"));
    }
    assert_eq!(engine.ask("debug off"), [""; 0]);
}

fn load(engine: &mut Engine, path: &Path) {
    let told = engine.ask(&format!(
        "setoption name ParamsFile value {}",
        path.display()
    ));
    assert!(
        told[0].starts_with("info string parameters from "),
        "{told:?}"
    );
}

/// Move, score and nodes of a search, which together tell one player from another.
fn play(engine: &mut Engine) -> [String; 3] {
    engine.send("position startpos moves e2e4 e7e5 g1f3 b8c6");
    let lines = engine.go("go depth 7");
    let scored = lines.iter().rev().find(|line| line.contains(" score "));
    let of = |line: &str, key| value(line, key).unwrap().to_string();
    [
        of(lines.last().unwrap(), "bestmove"),
        of(scored.unwrap(), "cp"),
        of(scored.unwrap(), "nodes"),
    ]
}

/// The nodes of the benchmark.
fn bench(engine: &mut Engine) -> String {
    engine.send("bench 5");
    let line = engine.next_line(crate::gui::PATIENCE).unwrap();
    line.split(' ').next().unwrap().to_string()
}

fn shown(engine: &mut Engine, name: &str) -> String {
    let lines = engine.ask("params");
    let line = lines.iter().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().to_string()
}

/// Rows of both tables, the later search methods and an endgame value among them.
const ROWS: &[(&str, i32)] = &[
    ("knight_value", 250),
    ("pawn_value_endgame", 140),
    ("null_move_reduction", 1),
    ("reverse_futility_margin", 60),
];

#[test]
fn only_who_asks_for_it_has_a_list_of_all_parameters() {
    let list = |mut engine: Engine| {
        engine.send("uci");
        engine.read_until("uciok")
    };
    let plain = list(Engine::start());
    let full = list(Engine::start_for_tuning());
    let rows = |specs: &[engine::params::ParamSpec]| -> Vec<String> {
        let line = |spec: &engine::params::ParamSpec| {
            let (name, default, range) = (spec.name, spec.default, &spec.range);
            let (low, high) = (range.start(), range.end());
            format!("option name {name} type spin default {default} min {low} max {high}")
        };
        specs.iter().map(line).collect()
    };
    let rows = [rows(EvalParams::SPECS), rows(SearchParams::SPECS)].concat();
    assert!(rows.len() > 300);
    assert!(plain.iter().all(|line| !rows.contains(line)));
    let (last, options) = plain.split_last().unwrap();
    assert_eq!(full[..options.len()], *options);
    assert_eq!(full[options.len()..full.len() - 1], rows);
    assert_eq!(full.last(), Some(last));
}

#[test]
fn a_parameter_that_is_set_is_as_good_as_one_of_a_file() {
    let path = file(&changed(ROWS));
    let mut by_file = Engine::start();
    load(&mut by_file, &path);
    let mut by_name = Engine::start_for_tuning();
    let plain = (play(&mut by_name), bench(&mut by_name));
    // The table is full of the old ones' scores by now.
    set(&mut by_name, ROWS);
    let expected = (play(&mut by_file), bench(&mut by_file));
    assert_eq!((play(&mut by_name), bench(&mut by_name)), expected);
    assert_ne!(plain.0, expected.0);
    assert_ne!(plain.1, expected.1);
    // What is said again changes nothing, and not what the search remembers.
    by_name.ask("ucinewgame");
    assert_eq!(play(&mut by_name), expected.0);
    set(&mut by_name, ROWS);
    assert_ne!(play(&mut by_name)[2], expected.0[2]);
    // Each row alone, back again, and without isready in between.
    for &(name, number) in ROWS {
        let default = ParamSet::default().row(Row::named(name).unwrap());
        by_name.send(&format!("setoption name {name} value {default}"));
        assert_eq!(shown(&mut by_name, name), default.to_string());
        assert_ne!(default, number);
    }
    assert_eq!(play(&mut by_name), plain.0);
}

/// A file has a say on all rows, whether it names them or not, and a row on itself.
#[test]
fn of_files_and_rows_the_later_wins() {
    let path = file(&changed(&[("knight_value", 250)]));
    let mut engine = Engine::start();
    set(&mut engine, ROWS);
    load(&mut engine, &path);
    let default = ParamSet::default().search.null_move_reduction.to_string();
    assert_eq!(shown(&mut engine, "null_move_reduction"), default);
    assert_eq!(shown(&mut engine, "knight_value"), "250");
    let file_alone = play(&mut engine);
    set(&mut engine, ROWS);
    assert_eq!(shown(&mut engine, "null_move_reduction"), "1");
    assert!(engine.ask("params")[0].ends_with("; 4 rows set since"));
    let both = play(&mut engine);
    assert_ne!(both, file_alone);
    let mut other = Engine::start();
    set(&mut other, ROWS);
    assert_eq!(play(&mut other), both);
    engine.ask("setoption name ParamsFile value <empty>");
    assert_eq!(
        engine.ask("params")[0],
        "parameters: compiled defaults",
        "what was set is forgotten"
    );
}

#[test]
fn what_a_parameter_may_not_be_is_told() {
    let mut engine = Engine::start_for_tuning();
    for text in ["-1", "2048", "1e3", "2.5", "", "99999999999999999999"] {
        let told = engine.ask(&format!("setoption name knight_value value {text}"));
        assert_eq!(told.len(), 1);
        let wanted = "is no whole number from 0 to 2047; nothing changed";
        assert!(told[0].starts_with("info string option knight_value: "));
        assert!(told[0].ends_with(wanted), "{told:?}");
    }
    let told = engine.ask("setoption name knight_valeu value 300");
    assert!(told[0].contains("there is no option"), "{told:?}");
    let default = ParamSet::default().eval.knight_value.to_string();
    assert_eq!(shown(&mut engine, "knight_value"), default);
    // During a search it waits for the end.
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("setoption name KNIGHT_VALUE value 300");
    engine.send("stop");
    engine.read_until("bestmove");
    assert_eq!(shown(&mut engine, "knight_value"), "300");
}
