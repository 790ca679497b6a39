//! The page of profile keys in the guide is what the program prints of its own declarations.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use std::process::Command;

/// Whoever changes a key, its range or its comment prints the page anew:
/// `tuner keys > docs/guide/src/keys.md`.
#[test]
fn the_guides_page_of_keys_is_what_the_program_prints() {
    let printed = Command::new(env!("CARGO_BIN_EXE_tuner"))
        .arg("keys")
        .output()
        .unwrap();
    assert!(printed.status.success());
    let printed = String::from_utf8(printed.stdout).unwrap();
    let page = tests::workspace().join("docs/guide/src/keys.md");
    let page = std::fs::read_to_string(page).unwrap();
    let differs = page.lines().zip(printed.lines()).position(|(a, b)| a != b);
    assert!(
        page == printed,
        "docs/guide/src/keys.md differs from `tuner keys`, first in line {:?}",
        differs.map(|line| line + 1)
    );
}

/// Every key that a shipped profile has is in the reference, under the name that it has there.
#[test]
fn the_keys_of_the_shipped_profiles_are_in_the_reference() {
    let page = tests::workspace().join("docs/guide/src/keys.md");
    let page = std::fs::read_to_string(page).unwrap();
    for path in tests::files("tuner/profiles", "toml") {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut table = String::new();
        for line in text.lines() {
            let header = line.trim_matches(['[', ']']);
            if line.starts_with('[') {
                let inner = header.strip_prefix("phase.").unwrap_or(header);
                table = if line == "[[phase]]" {
                    String::new()
                } else {
                    format!("{inner}.")
                };
            } else if let Some((key, _)) = line.split_once(" = ")
                && !key.starts_with('#')
            {
                let key = match key {
                    "kind" | "name" | "share" => format!("phase.{key}"),
                    key => format!("{table}{key}"),
                };
                let heading = format!("\n### `{key}`\n");
                assert!(page.contains(&heading), "{}: {key}", path.display());
            }
        }
    }
}
