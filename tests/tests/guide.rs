//! What README and the guide say can be done: their commands run, their links lead somewhere, their
//! pages have a length that is read.
//!
//! A fenced block marked `sh` is run as it stands, after those before it on its page, in a folder with
//! the repository's parameters, profiles and data and with both programs in `PATH`. A block that takes
//! more than this names it in the line before, `<!-- needs: stockfish -->`, and is not run; of its `tuner`
//! commands the options are looked up.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What a block may need that the test does not have.
const NEEDS: &[&str] = &[
    "the build",
    "two minutes",
    "ten minutes",
    "a night",
    "your games",
    "stockfish",
    "xboard",
    "cutechess-cli",
    "endgame tables",
    "cutechess-cli and crafty",
    "redis-server",
    "another machine",
    "a cluster",
    "fastchess",
];

/// Other fenced blocks than commands: what is only shown.
const SHOWN: &[&str] = &["text", "toml", "yaml"];

/// README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let mut pages = tests::files("docs/guide/src", "md");
    assert!(pages.len() > 5, "the guide has moved");
    pages.push(tests::workspace().join("README.md"));
    pages
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A block of commands: the number of its first line, what it needs beyond the repository, its text.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    line: usize,
    needs: Option<String>,
    text: String,
}

/// The blocks of commands on a page; an error names the line of a block or mark that is neither.
fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut needs = None;
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let number = index + 1;
        if let Some(mark) = line.trim().strip_prefix("<!-- needs:") {
            let what = mark.trim_end_matches("-->").trim();
            if !NEEDS.contains(&what) {
                return Err(format!(
                    "line {number}: needs {what:?}, expected one of {NEEDS:?}"
                ));
            }
            needs = Some(what.to_string());
        } else if let Some(kind) = line.strip_prefix("```") {
            let text: String = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| !line.starts_with("```"))
                .map(|line| format!("{line}\n"))
                .collect();
            let needs = needs.take();
            match kind {
                "sh" => blocks.push(Block {
                    line: number + 1,
                    needs,
                    text,
                }),
                _ if needs.is_some() => {
                    return Err(format!("line {number}: what needs something is not `sh`"));
                }
                _ if SHOWN.contains(&kind) => {}
                _ => {
                    return Err(format!(
                        "line {number}: a block of kind {kind:?}, expected sh, or {SHOWN:?}"
                    ));
                }
            }
        } else if needs.is_some() && !line.trim().is_empty() {
            return Err(format!("line {number}: what needs something is no block"));
        }
    }
    Ok(blocks)
}

fn blocks_of(path: &Path) -> Vec<Block> {
    blocks(&read(path)).unwrap_or_else(|error| panic!("{}, {error}", path.display()))
}

/// Every block is run or says what it needs: a misspelt mark, or a fence of another kind, would
/// otherwise take a command out of the test unseen.
#[test]
fn no_block_is_passed_over() {
    let found = blocks("a\n\n```sh\neyas\n```\n<!-- needs: stockfish -->\n```sh\nb\nc\n```\n");
    let block = |line, needs: Option<&str>, text: &str| Block {
        line,
        needs: needs.map(str::to_string),
        text: text.to_string(),
    };
    let expected = vec![
        block(4, None, "eyas\n"),
        block(8, Some("stockfish"), "b\nc\n"),
    ];
    assert_eq!(found, Ok(expected));
    for (page, line) in [
        ("<!-- needs: -->\n```sh\na\n```\n", 1),
        ("<!-- needs: time -->\n```sh\na\n```\n", 1),
        ("\n<!-- needs: stockfish -->\nProse.\n", 3),
        ("<!-- needs: stockfish -->\n```text\na\n```\n", 2),
        ("```bash\na\n```\n", 1),
        ("```\na\n```\n", 1),
    ] {
        let error = blocks(page).unwrap_err();
        assert!(
            error.starts_with(&format!("line {line}:")),
            "{page}: {error}"
        );
    }
}

#[cfg(unix)]
mod commands {
    use super::{Block, blocks_of, pages, read};
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::process::{Command, Stdio};

    /// A folder as a clone of the repository is after `make build`, but for the sources.
    fn clone() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for part in [
            "params",
            "programs",
            "programs/starts",
            "tuner/profiles",
            "tuner/experiments",
            "tuner/data",
        ] {
            let (from, to) = (tests::workspace().join(part), folder.path().join(part));
            std::fs::create_dir_all(&to).unwrap();
            for entry in std::fs::read_dir(from).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
                }
            }
        }
        let programs = folder.path().join("target/release");
        std::fs::create_dir_all(&programs).unwrap();
        for name in ["eyas", "tuner"] {
            std::os::unix::fs::symlink(tests::binary(name), programs.join(name)).unwrap();
        }
        folder
    }

    /// Runs a block; an error is what it printed.
    fn run(block: &Block, folder: &Path) -> Result<(), String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [folder.join("target/release")]
            .into_iter()
            .chain(std::env::split_paths(&path));
        let output = Command::new("sh")
            .args(["-e", "-u", "-c", &block.text])
            .current_dir(folder)
            .env("PATH", std::env::join_paths(folders).unwrap())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        match output.status.success() {
            true => Ok(()),
            false => Err(format!(
                "{}\n{}{}{}",
                output.status,
                block.text,
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }

    /// A new user types what is written, in the order of the page.
    #[test]
    fn the_commands_run() {
        let mut count = 0;
        for page in pages() {
            let blocks = blocks_of(&page);
            if blocks.iter().all(|block| block.needs.is_some()) {
                continue;
            }
            let folder = clone();
            for block in blocks.iter().filter(|block| block.needs.is_none()) {
                count += 1;
                if let Err(said) = run(block, folder.path()) {
                    panic!("{}:{}: {said}", page.display(), block.line);
                }
            }
        }
        assert!(count >= 15, "only {count} blocks have been run");
    }

    /// A block fails by any of its lines, not by its last one alone.
    #[test]
    fn a_block_that_fails_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let block = |text: &str| Block {
            line: 1,
            needs: None,
            text: text.to_string(),
        };
        assert_eq!(run(&block("true\n"), folder.path()), Ok(()));
        assert!(run(&block("false\ntrue\n"), folder.path()).is_err());
    }

    /// What `tuner COMMAND --help` prints.
    fn help(command: &[&str]) -> String {
        let mut tuner = Command::new(tests::binary("tuner"));
        let output = tuner.args(command).arg("--help").output().unwrap();
        assert!(output.status.success(), "tuner {command:?} --help");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Of commands that are not run, at least command and options are there.
    #[test]
    fn commands_that_are_not_run_have_their_options() {
        let mut count = 0;
        for page in pages() {
            for block in blocks_of(&page)
                .iter()
                .filter(|block| block.needs.is_some())
            {
                let text = block.text.replace("\\\n", " ");
                for line in text.lines() {
                    let line = line.split(" # ").next().unwrap_or_default();
                    let mut words = line.split_whitespace();
                    if words.next() != Some("tuner") {
                        continue;
                    }
                    let command = words.next().unwrap();
                    let mut help_of = vec![command];
                    let mut text = help(&help_of);
                    // `tuner program` has commands of its own.
                    if text.contains("\nCommands:\n") {
                        help_of.extend(words.next());
                        text = help(&help_of);
                    }
                    let known: BTreeSet<&str> = text
                        .split(|char: char| !char.is_ascii_alphanumeric() && char != '-')
                        .collect();
                    for option in words.filter(|word| word.starts_with("--")) {
                        count += 1;
                        let place = format!("{}:{}", page.display(), block.line);
                        assert!(known.contains(option), "{place}: {option} in {line:?}");
                    }
                }
            }
        }
        assert!(count >= 10, "only {count} options have been looked up");
    }

    /// README's table of commands has all of them.
    #[test]
    fn the_readme_names_every_command() {
        let readme = read(&tests::workspace().join("README.md"));
        let (_, table) = readme.split_once("## Commands\n").unwrap();
        let (table, _) = table.split_once("\n## ").unwrap();
        let words: BTreeSet<&str> = table
            .split(|char: char| !char.is_ascii_alphanumeric())
            .collect();
        let mut count = 0;
        for line in help(&[]).lines() {
            // Two blanks, the command, its meaning in a column of its own.
            let Some(line) = line.strip_prefix("  ") else {
                continue;
            };
            let Some((name, _)) = line.split_once("  ") else {
                continue;
            };
            if name.bytes().all(|byte| byte.is_ascii_lowercase())
                && !name.is_empty()
                && name != "help"
            {
                count += 1;
                assert!(
                    words.contains(name),
                    "tuner {name} is not in README's table"
                );
            }
        }
        assert!(count >= 12, "only {count} commands in tuner --help");
    }
}

/// All pages that are kept in order: not those of the notebook, which stay as they were written.
fn documents() -> Vec<PathBuf> {
    let workspace = tests::workspace();
    let mut documents = tests::files("docs", "md");
    documents.retain(|path| !path.starts_with(workspace.join("docs/notebook")));
    documents.retain(|path| !path.starts_with(workspace.join("docs/guide/book")));
    for name in [
        "README.md",
        "CHANGELOG.md",
        "ARCHITECTURE.md",
        "tuner/data/README.md",
    ] {
        documents.push(workspace.join(name));
    }
    documents
}

/// The lines of a page outside its fenced and indented blocks.
fn prose(page: &str) -> Vec<&str> {
    let mut fenced = false;
    page.lines()
        .filter(|line| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            !fenced && !fence && !line.starts_with("    ")
        })
        .collect()
}

/// A line without what stands between backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// The targets of links and pictures in a line.
fn links(line: &str) -> Vec<String> {
    without_code(line)
        .split("](")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(')')?.0.to_string()))
        .collect()
}

/// The anchors of a page's headings, as forges and mdBook make them: lower case, blanks as hyphens, no
/// punctuation; a heading that comes again has a number.
fn anchors(page: &str) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    prose(page)
        .into_iter()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let anchor: String = heading
                .chars()
                .filter(|char| char.is_alphanumeric() || " -_".contains(*char))
                .map(|char| if char == ' ' { '-' } else { char })
                .collect();
            let times = seen.entry(anchor.clone()).or_default();
            *times += 1;
            match *times {
                1 => anchor,
                again => format!("{anchor}-{}", again - 1),
            }
        })
        .collect()
}

#[test]
fn headings_have_the_anchors_of_forges() {
    let page = "# It is 2 a.m. and the run has stopped\n```sh\n# no heading\n```\n## `params`, again\n## Ä\n## Ä\n";
    let expected = [
        "it-is-2-am-and-the-run-has-stopped",
        "params-again",
        "ä",
        "ä-1",
    ];
    assert_eq!(anchors(page), expected);
    assert_eq!(
        links("[a](b.md#c) `[x](y)` ![d](e.png)"),
        ["b.md#c", "e.png"]
    );
}

/// No link leads nowhere, neither to a file nor to a heading.
#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let mut count = 0;
    for document in documents() {
        let text = read(&document);
        for link in prose(&text).into_iter().flat_map(links) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (file, anchor) = match link.split_once('#') {
                Some((file, anchor)) => (file, Some(anchor)),
                None => (&link[..], None),
            };
            let target = match file {
                "" => document.clone(),
                _ => document.parent().unwrap().join(file),
            };
            let found = match anchor {
                None => target.exists(),
                Some(anchor) => std::fs::read_to_string(&target)
                    .is_ok_and(|page| anchors(&page).iter().any(|known| known == anchor)),
            };
            if !found {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(count > 50, "only {count} links have been looked at");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A page that the book's summary does not name would not be in the book.
#[test]
fn the_book_has_every_page() {
    let folder = tests::workspace().join("docs/guide/src");
    let summary = read(&folder.join("SUMMARY.md"));
    let named: Vec<String> = summary.lines().flat_map(links).collect();
    for page in tests::files("docs/guide/src", "md") {
        let name = page.strip_prefix(&folder).unwrap().to_str().unwrap();
        assert!(
            name == "SUMMARY.md" || named.iter().any(|link| link == name),
            "{name}"
        );
    }
}

/// What nobody reads to its end helps nobody.
#[test]
fn pages_are_short() {
    let lines = |path: &Path| read(path).lines().count();
    let workspace = tests::workspace();
    let mut limits = vec![
        (workspace.join("README.md"), 180),
        (workspace.join("ARCHITECTURE.md"), 350),
    ];
    let folder = workspace.join("docs/results");
    let mut results = tests::files("docs/results", "md");
    results.retain(|path| path.parent() == Some(&folder));
    limits.extend(results.into_iter().map(|path| (path, 200)));
    let long: Vec<String> = limits
        .iter()
        .filter(|(path, limit)| lines(path) > *limit)
        .map(|(path, limit)| format!("{}: {} lines, at most {limit}", path.display(), lines(path)))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
    let readme = read(&workspace.join("README.md"));
    let wide = |line: &&str| line.chars().count() > 122 && !line.starts_with('|');
    let wide: Vec<&str> = readme.lines().filter(wide).collect();
    assert!(
        wide.is_empty(),
        "lines of README beyond 122 characters: {wide:#?}"
    );
}
