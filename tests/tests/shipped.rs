//! What is shipped can be used: parameter files, profiles, data.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::eval::params::EvalParams;
use engine::params::{LAYOUTS, ParamSet, ParamTable, layout};
use tuner::run::{Options, Order};

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
    assert_eq!(loaded.missing_eval.len(), EvalParams::SPECS.len());
}

/// What changes with every row is told right: the line that the engine prints of a file of `make
/// evolve`, which has the rows of `paper-2014.toml`, and the count that names the engine.
#[test]
fn the_readme_is_of_this_engine() {
    let workspace = tests::workspace();
    let readme = std::fs::read_to_string(workspace.join("README.md")).unwrap();
    let loaded = ParamSet::load(&[workspace.join("params/paper-2014.toml")]).unwrap();
    let missing = format!(
        "; {} evaluation rows missing, they count 0; {} search rows missing, they are off",
        loaded.missing_eval.len(),
        loaded.missing_search.len()
    );
    assert!(readme.contains(&missing), "{missing}");
    let signature = std::fs::read_to_string(workspace.join("tests/data/bench-signature")).unwrap();
    assert!(readme.contains(signature.trim()), "{signature}");
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
