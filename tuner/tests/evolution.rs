//! Architecture invariant 6, checked on the sources: evolution knows no chess, fitness no
//! genetics.

use std::path::Path;

/// The source files of a folder, with their names.
fn sources(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder);
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let sources = files.map(|entry| (entry.path().display().to_string(), read(&entry.path())));
    sources.collect()
}

fn none_names(folder: &str, forbidden: &[&str]) {
    let sources = sources(folder);
    assert!(!sources.is_empty(), "{folder} has no sources");
    for (name, text) in sources {
        for word in forbidden {
            assert!(!text.contains(word), "{name} names {word}");
        }
    }
}

#[test]
fn evolution_knows_no_chess_and_nothing_of_this_crate() {
    none_names(
        "evolution",
        &["engine::", "crate::", "std::fs", "std::time", "Instant"],
    );
}

#[test]
fn fitness_knows_no_genetics() {
    none_names("fitness", &["evolution::", "Genome", "crate::run"]);
}
