//! Parameter files: errors that name file, line, key and range; round trips; several files.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::params::{LAYOUTS, ParamSet, ParamTable, Table, layout};
use engine::{
    eval::params::{EvalParams, FIRST_2013},
    search::params::SearchParams,
};
use proptest::prelude::*;

fn refuse(text: &str) -> String {
    match ParamSet::parse([("p.toml", text)]) {
        Ok(_) => panic!("taken: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_file_line_key_and_range() {
    for (text, expected) in [
        ("", "p.toml: line 1: format: missing; expected format = 1"),
        (
            "format = 2\n",
            "p.toml: line 1: format: is 2, this program reads format 1",
        ),
        (
            "format = \"1\"\n",
            "p.toml: line 1: format: is the string \"1\"",
        ),
        (
            "format = 1\n[evil]\n",
            "p.toml: line 2: evil: unknown key; expected format",
        ),
        (
            "format = 1\n\n[eval]\nknight_valeu = 3\n",
            "p.toml: line 4: eval.knight_valeu: unknown key; is knight_value meant?",
        ),
        (
            "format = 1\n[eval]\nxyz = 3\n",
            "p.toml: line 3: eval.xyz: unknown key",
        ),
        (
            "format = 1\n[eval]\npawn_value = 100\nknight_value = 2048\n",
            "p.toml: line 4: eval.knight_value: is 2048, expected a whole number from 0 to 2047",
        ),
        (
            "format = 1\n[eval]\nknight_value = -1\n",
            "p.toml: line 3: eval.knight_value: is -1, expected a whole number from 0 to 2047",
        ),
        (
            "format = 1\n[eval]\nknight_value = 99999999999999999999999999\n",
            "line 3",
        ),
        (
            "format = 1\n[eval]\nknight_value = \"big\"\n",
            "p.toml: line 3: eval.knight_value: is the string \"big\", expected a whole number",
        ),
        (
            "format = 1\n[eval]\nknight_value = 1.5\n",
            "is the fraction 1.5",
        ),
        (
            "format = 1\n[eval]\nknight_value = nan\n",
            "is the fraction nan",
        ),
        (
            "format = 1\n[search]\nknight_value = 300\n",
            "p.toml: line 3: search.knight_value: belongs in [eval]",
        ),
        (
            "format = 1\n[eval]\nKnight_value = 300\n",
            "eval.Knight_value: unknown key; is knight_value meant?",
        ),
        ("format = 1\n[eval]\nknight_value = true\n", "is true"),
        ("format = 1\n[eval]\nknight_value = [1]\n", "is a list"),
        ("format = 1\n[eval]\nknight_value = {}\n", "is a table"),
        (
            "format = 1\n[eval]\nknight_value = 2000-01-01\n",
            "is a date",
        ),
        (
            "format = 1\neval = 3\n",
            "p.toml: line 2: eval: expected a table",
        ),
        (
            "format = 1\nprovenance = 3\n",
            "p.toml: line 2: provenance: expected a table",
        ),
        (
            "format = 1\nlayouts = \"eval-2014\"\n",
            "line 2: layouts: is the string",
        ),
        (
            "format = 1\nlayouts = [\"eval-1999\"]\n",
            "\"eval-1999\" is unknown; known are eval-2014",
        ),
        ("format = 1\nlayouts = [7]\n", "layouts: 7 is unknown"),
        (
            "format = 1\n[eval]\nknight_value = 1\nknight_value = 2\n",
            "line 4",
        ),
        ("format = 1\n[eval\n", "line 2"),
        ("format = \u{feff}1\n", "p.toml"),
    ] {
        let error = refuse(text);
        assert!(error.contains(expected), "{text:?}\n{error}");
        assert!(error.starts_with("p.toml"), "{error}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let error = ParamSet::load(&["no/such/file.toml"]).unwrap_err();
    assert!(
        error.to_string().starts_with("no/such/file.toml: "),
        "{error}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("latin1.toml");
    std::fs::write(&file, b"format = 1\n# \xe9\n").unwrap();
    let error = ParamSet::load(&[&file]).unwrap_err().to_string();
    let said = "latin1.toml: line 2 is no UTF-8, expected text";
    assert!(error.ends_with(said), "{error}");
    std::fs::write(&file, "#".repeat((1 << 20) + 1)).unwrap();
    let error = ParamSet::load(&[&file]).unwrap_err().to_string();
    assert!(error.contains("has more than 1 MiB"), "{error}");
    assert!(ParamSet::load(&[&folder]).is_err());
}

#[test]
fn the_last_file_wins_and_missing_rows_are_listed() {
    let first = "format = 1\nlayouts = [\"eval-2014\"]\n[eval]\nknight_value = 1\nrook_value = 2\n";
    let second = "format = 1\nlayouts = [\"search-2014\", \"eval-2014\"]\n[eval]\nrook_value = 3\n";
    let loaded = ParamSet::parse([("a", first), ("b", second)]).unwrap();
    assert_eq!(loaded.params.eval.knight_value, 1);
    assert_eq!(loaded.params.eval.rook_value, 3);
    assert_eq!(loaded.layouts, ["eval-2014", "search-2014"]);
    assert_eq!(loaded.missing_eval.len(), FIRST_2013 - 2);
    assert!(!loaded.missing_eval.contains(&"rook_value"));
    assert!(loaded.missing_eval.contains(&"queen_value"));
    assert_eq!(loaded.missing_search.len(), SearchParams::SPECS.len());
    // What is missing has its missing value, not its default.
    assert_eq!(loaded.params.eval.queen_value, 0);
    assert_eq!(loaded.params.search, SearchParams::missing());
}

/// A file of a search and the evaluation that it evolved with says 0 where that says 0, or it would
/// be another one over the default.
#[test]
fn a_file_says_nought_where_its_smallest_layout_has_a_row() {
    let mut params = ParamSet::missing();
    for gene in layout("eval-2014").unwrap() {
        params.set(&gene, 1);
    }
    params.eval.rook_7th_rank = 0;
    let text = params.to_toml(&["search-2014"], &[], &[Table::Eval, Table::Search]);
    assert!(text.contains("layouts = [\"search-2014\"]"), "{text}");
    assert!(text.contains("\nrook_7th_rank = 0\n"), "{text}");
    let base = ParamSet::default().to_toml(&[], &[], &[Table::Eval, Table::Search]);
    let laid = ParamSet::parse([("base", &base[..]), ("over", &text)]).unwrap();
    assert_eq!(laid.params.eval.rook_7th_rank, 0);
    // Rows of larger layouts stay out of it.
    let (_, tables) = text.split_once("[eval]").unwrap();
    let (eval, _) = tables.split_once("[search]").unwrap();
    let rows = layout("eval-2014").unwrap().len();
    assert_eq!(eval.matches(" = ").count(), rows, "{text}");
}

#[test]
fn a_file_whose_rows_all_stand_in_later_ones_is_named() {
    let eval = "format = 1\n[eval]\nknight_value = 300\n";
    let both = "format = 1\n[eval]\nknight_value = 310\n[search]\nfutility_depth = 2\n";
    let search = "format = 1\n[search]\nfutility_depth = 3\n";
    let none = "format = 1\n";
    for (texts, covered) in [
        (vec![("eval", eval), ("both", both)], vec!["eval"]),
        (vec![("both", both), ("eval", eval)], vec![]),
        (vec![("both", both), ("search", search)], vec![]),
        (
            vec![("both", both), ("eval", eval), ("search", search)],
            vec!["both"],
        ),
        (vec![("none", none), ("eval", eval)], vec![]),
        (vec![("one", eval), ("two", eval)], vec!["one"]),
    ] {
        assert_eq!(ParamSet::parse(texts).unwrap().covered, covered);
    }
}

#[test]
fn defaults_come_back_and_lie_in_their_ranges() {
    let set = ParamSet::default();
    let provenance = [
        ("seed", toml::Value::Integer(7)),
        ("data", toml::Value::String("a \"b\"".into())),
    ];
    let text = set.to_toml(
        &["eval-full", "search-full", "time"],
        &provenance,
        &[Table::Eval, Table::Search],
    );
    let loaded = ParamSet::parse([("p.toml", text.as_str())]).unwrap();
    assert_eq!(loaded.params, set);
    assert!(loaded.missing_eval.is_empty() && loaded.missing_search.is_empty());
    for spec in EvalParams::SPECS.iter().chain(SearchParams::SPECS) {
        assert!(spec.range.contains(&spec.default), "{}", spec.name);
        assert!(spec.range.contains(&spec.missing), "{}", spec.name);
        for (name, bits) in spec.genes {
            assert!(LAYOUTS.contains(name), "{}", spec.name);
            assert!((1..=16).contains(bits), "{}", spec.name);
        }
    }
}

proptest! {
    #![proptest_config(tests::cases(1000))]

    #[test]
    fn any_set_of_values_comes_back(values in proptest::collection::vec(any::<i32>(), 100)) {
        let mut set = ParamSet::default();
        let mut values = values.iter().cycle();
        for name in LAYOUTS {
            for gene in layout(name).unwrap() {
                set.set(&gene, *values.next().unwrap());
                prop_assert!(gene.spec().range.contains(&set.get(&gene)));
            }
        }
        let text = set.to_toml(LAYOUTS, &[], &[Table::Search, Table::Eval]);
        prop_assert_eq!(ParamSet::parse([("p", text.as_str())]).unwrap().params, set);
    }

    #[test]
    fn no_text_panics(text in "(format = 1\n)?(\\[(eval|search|provenance)\\]\n)?.{0,80}") {
        let _ = ParamSet::parse([("p", text.as_str())]);
    }

    #[test]
    fn a_changed_byte_is_an_error_or_another_file(
        at in any::<prop::sample::Index>(),
        letter in any::<char>(),
    ) {
        let text = ParamSet::default().to_toml(&["eval-2014"], &[], &[Table::Eval]);
        let mut letters: Vec<char> = text.chars().collect();
        let at = at.index(letters.len());
        letters[at] = letter;
        let text: String = letters.into_iter().collect();
        if let Err(error) = ParamSet::parse([("p", text.as_str())]) {
            prop_assert!(error.to_string().starts_with("p: "), "{}", error);
        }
    }
}

/// 2014 Table I: the bits of each of the 18 parameters, in its order.
#[test]
fn the_papers_search_genes_have_its_widths() {
    let genes = layout("search-2014").unwrap();
    let bits: Vec<u32> = genes.iter().map(|gene| gene.bits).collect();
    assert_eq!(
        bits,
        [1, 3, 1, 3, 2, 10, 10, 10, 1, 3, 3, 5, 3, 3, 3, 3, 3, 3]
    );
    assert_eq!(bits.iter().sum::<u32>(), 70);
    for gene in &genes {
        // Extensions alone have fewer values than their three bits: 5 to 7 count as 4.
        let range = &gene.spec().range;
        let values = range.end() - range.start() + 1;
        let expected = if range == &(0..=4) { 5 } else { 1 << gene.bits };
        assert_eq!(values, expected, "{}", gene.spec().name);
        let mut params = ParamSet::missing();
        params.set(gene, (1 << gene.bits) - 1);
        assert_eq!(params.get(gene), *range.end(), "{}", gene.spec().name);
    }
}

/// `a.toml;` names two files, and a program is no parameter file.
#[test]
fn names_and_files_that_are_none_are_told() {
    let said = |name: &std::path::Path| ParamSet::load(&[name]).unwrap_err().to_string();
    assert_eq!(
        said("".as_ref()),
        "a name before or behind \";\": is empty, expected that of a parameter file"
    );
    let programs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let said = said(&programs.join("krkr.sexp"));
    assert!(
        said.ends_with("krkr.sexp: this is an endgame program, expected a parameter file"),
        "{said}"
    );
}
