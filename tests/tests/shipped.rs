//! What is shipped can be used: parameter files, profiles, data.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::epd::fields;
use engine::epd_lines::EpdLines;
use engine::eval::params::FIRST_2013;
use engine::params::{LAYOUTS, ParamSet, layout};
use std::collections::HashSet;
use tuner::phases::options::Options;
use tuner::run::order::Order;

/// The page of the guide that has the engine's options.
const PLAYING: &str = "docs/guide/src/playing.md";

fn page(name: &str) -> String {
    std::fs::read_to_string(tests::workspace().join(name)).unwrap()
}

#[test]
fn parameter_files_load() {
    let files = tests::files("params", "toml");
    assert!(!files.is_empty());
    for path in files {
        let loaded = ParamSet::load(&[&path]);
        assert!(
            loaded.is_ok(),
            "{}: {}",
            path.display(),
            loaded.unwrap_err()
        );
    }
}

/// Invariant 4: the shipped defaults are the compiled ones, and each lies within its gene.
#[test]
fn the_default_file_is_the_compiled_default() {
    let default = ParamSet::default();
    for name in LAYOUTS {
        for gene in layout(name).unwrap() {
            assert!(gene.spec().range.contains(&default.get(&gene)), "{gene:?}");
        }
    }
    let path = tests::workspace().join("params/default.toml");
    let loaded = ParamSet::load(&[&path]).unwrap();
    assert_eq!(loaded.params, default);
    assert!(loaded.missing_eval.is_empty() && loaded.missing_search.is_empty());
}

/// What is to go with a file of evaluation weights has the whole search and nothing else.
#[test]
fn the_search_file_has_every_search_row() {
    let path = tests::workspace().join("params/search-full.toml");
    let loaded = ParamSet::load(&[&path]).unwrap();
    assert!(loaded.missing_search.is_empty());
    assert_eq!(loaded.missing_eval.len(), FIRST_2013);
}

/// What changes with every row is told right: the line that the engine prints of a file of `make
/// evolve`, which has the rows of `paper-2014.toml`, and the count of `bench` that the release has.
#[test]
fn readme_and_guide_are_of_this_engine() {
    let workspace = tests::workspace();
    let loaded = ParamSet::load(&[workspace.join("params/paper-2014.toml")]).unwrap();
    let missing = format!(
        "; {} evaluation rows missing, they count 0; {} search rows missing, they are off",
        loaded.missing_eval.len(),
        loaded.missing_search.len()
    );
    assert!(page(PLAYING).contains(&missing), "{missing}");
    let signature = tests::data("bench-signature");
    let present = format!("(bench {})", signature.trim());
    assert!(page("README.md").contains(&present), "{present}");
}

/// Each option of which the guide tells the default has it, and all are there.
#[test]
fn the_guide_tells_the_options_defaults() {
    let guide = page(PLAYING);
    let declared =
        engine::uci::options::declarations(false, &engine::uci::parameters::Source::compiled());
    let declared: Vec<String> = declared.iter().map(ToString::to_string).collect();
    let (_, table) = guide.split_once("| option | default | meaning |").unwrap();
    let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
    let mut told = 0;
    for row in rows {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let (names, defaults) = (cells.next().unwrap(), cells.next().unwrap());
        for (name, default) in names.split(", ").zip(defaults.split(", ")) {
            let (name, default) = (name.trim_matches('`'), default.trim_matches('`'));
            let begins = format!("option name {name} type ");
            let Some(option) = declared.iter().find(|line| line.starts_with(&begins)) else {
                assert!(name.starts_with("the name of"), "{name}");
                continue;
            };
            told += 1;
            let has = match default {
                "" => option.ends_with(" type button"),
                _ => {
                    let (_, rest) = option.split_once(" default ").unwrap();
                    rest == default || rest.starts_with(&format!("{default} "))
                }
            };
            assert!(has, "{option}: the guide says {default:?}");
        }
    }
    assert_eq!(told, declared.len());
}

#[test]
fn profiles_load_and_their_data_is_there() {
    let profiles = tests::files("tuner/profiles", "toml");
    assert!(profiles.len() >= 3);
    for path in profiles {
        let plan = Order::of(&path).plan(&Options::default());
        assert!(plan.is_ok(), "{}: {}", path.display(), plan.unwrap_err());
    }
}

/// What programs learn from is not what they are judged by, nor what their champions are chosen by.
#[test]
fn lessons_held_out_lessons_and_panels_share_no_position() {
    for ending in ["krkr", "kqkq"] {
        let mut known = HashSet::new();
        for (name, count) in [
            (format!("tuner/data/lessons-{ending}.epd.zst"), 4_000),
            (format!("tuner/data/lessons-{ending}-test.epd.zst"), 2_000),
            (format!("programs/panels/{ending}.epd.zst"), 3_000),
        ] {
            let mut lines = EpdLines::open(&tests::workspace().join(&name)).unwrap();
            let before = known.len();
            while let Some((line, read)) = lines.next_position() {
                let is_new = known.insert(fields(&read.unwrap().position));
                assert!(is_new, "{name}: line {line}");
            }
            assert_eq!(known.len() - before, count, "{name}");
        }
    }
}
