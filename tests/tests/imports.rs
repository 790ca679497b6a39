//! Who imports whom, file by file: no file imports one that imports it, however long the way round.
//! The files of a folder may use what the folder's own `mod.rs` declares, which may use them.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

/// The path of a module: `["search", "history"]`.
type Module = Vec<String>;

/// Names and signs of a text without comments and without what is behind `#[cfg(test)]`.
fn words(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let mut words = Vec::<String>::new();
    for line in code.lines().map(|line| line.split("//").next().unwrap()) {
        let mut in_name = false;
        for letter in line.chars() {
            let is_name = letter.is_alphanumeric() || letter == '_';
            match words.last_mut() {
                Some(word) if in_name && is_name => word.push(letter),
                _ if letter.is_whitespace() => {}
                _ => words.push(letter.to_string()),
            }
            in_name = is_name;
        }
    }
    words
}

/// All paths that a text names, braces opened: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(text: &str) -> Vec<Module> {
    fn follow(words: &[String], mut at: usize, before: &Module, found: &mut Vec<Module>) -> usize {
        let is = |at: usize, sign: &str| words.get(at).is_some_and(|word| word == sign);
        let is_name = |word: &String| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let mut path = before.clone();
        while words.get(at).is_some_and(is_name) {
            path.push(words[at].clone());
            at += 1;
            if !(is(at, ":") && is(at + 1, ":")) {
                break;
            }
            at += 2;
            if is(at, "{") {
                while !is(at, "}") && at < words.len() {
                    at = follow(words, at + 1, &path, found);
                }
                return at + 1;
            }
        }
        // A macro stands in the crate's root, wherever it is written.
        if path.len() > before.len() && !is(at, "!") {
            found.push(path);
        }
        at
    }
    let words = words(text);
    let (mut at, mut found) = (0, Vec::new());
    while at < words.len() {
        at = follow(&words, at, &Vec::new(), &mut found).max(at + 1);
    }
    found
}

/// The files of a crate as modules, each with those that it imports.
fn imports(folder: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let root = tests::workspace().join(folder);
    let texts: BTreeMap<Module, String> = tests::files(folder, "rs")
        .into_iter()
        .map(|path| {
            let inside = path.strip_prefix(&root).unwrap().with_extension("");
            let mut module: Module = inside
                .iter()
                .map(|part| part.to_str().unwrap().into())
                .collect();
            module.retain(|part| part != "mod" && part != "lib");
            (module, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    let owner = |path: &[String]| {
        let lengths = (1..=path.len()).rev();
        let mut owners = lengths.map(|length| path[..length].to_vec());
        owners.find(|path| texts.contains_key(path))
    };
    let imported = |module: &Module, path: &Module| {
        let mut whole = module.clone();
        let mut rest = path.as_slice();
        match rest[0].as_str() {
            "crate" => (whole, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {}
            // Something of a file of its own folder, or a name from elsewhere.
            _ => {
                whole.push(rest[0].clone());
                if rest.len() == 1 || !texts.contains_key(&whole) {
                    return None;
                }
                rest = &rest[1..];
            }
        }
        while rest.first().is_some_and(|part| part == "super") {
            whole.pop();
            rest = &rest[1..];
        }
        whole.extend_from_slice(rest);
        owner(&whole)
    };
    let modules = texts.iter().map(|(module, text)| {
        let paths = paths(text);
        let found = paths.iter().filter_map(|path| imported(module, path));
        // What the file of a folder declares (`mod.rs`) is common to all files in it.
        let found = found.filter(|found| !module.starts_with(found));
        (module.clone(), found.collect())
    });
    modules.collect()
}

/// The files that import each other in circles, each circle as one set.
fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<BTreeSet<String>> {
    let reached = |from: &Module| -> BTreeSet<Module> {
        let (mut known, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            for named in imports.get(module).into_iter().flatten() {
                if known.insert(named.clone()) {
                    next.push(named);
                }
            }
        }
        known
    };
    let all: BTreeMap<&Module, BTreeSet<Module>> = imports
        .keys()
        .map(|module| (module, reached(module)))
        .collect();
    let circle = |(module, known): (&&Module, &BTreeSet<Module>)| -> BTreeSet<String> {
        let knows_it = |other: &&Module| all.get(other).is_some_and(|all| all.contains(*module));
        let others = known.iter().filter(knows_it);
        others.map(|other| other.join("::")).collect()
    };
    all.iter()
        .map(circle)
        .filter(|circle| !circle.is_empty())
        .collect()
}

#[test]
fn paths_are_found_in_all_their_forms() {
    let text = "use crate::a::{b, c::{self, D}};\nlet x = super::e::f(1); // crate::no\nmod g;\n\
                crate::table! {}\n#[cfg(test)]\nuse crate::tests;";
    let found: Vec<String> = paths(text).iter().map(|path| path.join("::")).collect();
    for path in [
        "crate::a::b",
        "crate::a::c::self",
        "crate::a::c::D",
        "super::e::f",
    ] {
        assert!(found.iter().any(|found| found == path), "{path}: {found:?}");
    }
    assert!(
        !found
            .iter()
            .any(|found| found.contains("no") || found.contains("tests"))
    );
    assert!(!found.iter().any(|found| found == "crate::table"));
}

#[test]
fn a_circle_is_seen() {
    let module = |name: &str| vec![name.to_string()];
    let imports = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")];
    let imports = imports.map(|(from, to)| (module(from), BTreeSet::from([module(to)])));
    let found = circles(&BTreeMap::from(imports));
    assert_eq!(
        found,
        BTreeSet::from([["a", "b", "c"].map(String::from).into()])
    );
}

#[test]
fn no_file_of_the_engine_imports_one_that_imports_it() {
    let imports = imports("engine/src");
    let history = &imports[&["search", "history"].map(String::from).to_vec()];
    assert!(history.contains(&["search", "gravity"].map(String::from).to_vec()));
    assert_eq!(circles(&imports), BTreeSet::new());
}

#[test]
fn no_file_of_the_tuner_imports_one_that_imports_it() {
    let imports = imports("tuner/src");
    let driver = &imports[&["drive"].map(String::from).to_vec()];
    assert!(driver.contains(&["exec", "executor"].map(String::from).to_vec()));
    assert_eq!(circles(&imports), BTreeSet::new());
}
