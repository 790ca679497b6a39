//! What engines have said of positions, kept in a file so that nobody asks them twice.
//!
//! Lines of JSON of two kinds. One names an expert: a digest of all that decides what it says, and the
//! same for people. The other has its score of a position, for the side to move:
//!
//! ```text
//! {"expert":"0f3a…","engine":"Stockfish 15.1","options":"Hash=1, Threads=1","limit":"depth 2"}
//! {"expert":"0f3a…","position":"8/8/8/3k4/8/8/3PK3/8 w - -","said":{"cp":31}}
//! ```
//!
//! The file only grows. Of several lines of one position the last counts; a damaged one is passed over
//! with a warning, a torn last one cut off.

use crate::base::files::{sha256, sha256_of_file, synced};
use crate::base::lock::{OwnFile, open_alone};
use crate::base::progress::note;
use crate::play::limit::Limit;
use crate::play::player::Player as _;
use crate::play::uci::{UciEngine, split_command};
use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// What an expert says of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// Centipawns.
    Cp(i32),
    /// A mate in so many moves; negative if it is the side to move that is mated.
    Mate(i32),
    /// No score: some engines tell none of an only move.
    Nothing,
}

impl Said {
    /// Centipawns, if it is no mate.
    pub fn centipawns(self) -> Option<i32> {
        match self {
            Said::Cp(score) => Some(score),
            Said::Mate(_) | Said::Nothing => None,
        }
    }
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Score {
        expert: String,
        position: String,
        said: Said,
    },
    Expert(Expert),
}

/// What a line begins with.
const MARK: &[u8] = b"{\"expert\":";

/// Who is asked, as far as it decides the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expert {
    /// A digest of it all, in hexadecimal.
    #[serde(rename = "expert")]
    pub digest: String,
    /// Its name.
    pub engine: String,
    /// UCI options.
    pub options: String,
    /// How far it thinks.
    pub limit: String,
}

impl Expert {
    /// A running engine that thinks so far. Files that its command or its options name count by what is in
    /// them: another build, or other parameters under the same name, are another expert.
    pub fn of(engine: &UciEngine, command: &OsStr, limit: Limit) -> Expert {
        let words = split_command(command).unwrap_or_default();
        let named = words.iter().enumerate().map(|(place, word)| {
            let file = match place {
                0 => program(word),
                _ => Some(PathBuf::from(word)),
            };
            identity(file.as_deref(), &word.to_string_lossy())
        });
        let values = engine.options().iter().flat_map(|(name, value)| {
            let files = value.split(';');
            let files = files.map(|one| identity(Some(Path::new(one)), one));
            std::iter::once(name.clone()).chain(files)
        });
        let mut parts = vec![engine.name().to_string(), limit.to_string()];
        parts.extend(named);
        parts.extend(values);
        Expert {
            digest: sha256(parts.join("\n").as_bytes())[..16].to_string(),
            engine: engine.name().to_string(),
            options: engine.options_text(),
            limit: limit.to_string(),
        }
    }
}

/// The digest of a file, or the text if it names none.
fn identity(file: Option<&Path>, text: &str) -> String {
    let file = file.filter(|file| file.is_file());
    let digest = file.and_then(|file| sha256_of_file(file).ok());
    digest.unwrap_or_else(|| text.to_string())
}

/// The file that a command starts.
fn program(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    if path.components().count() > 1 {
        return Some(path.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(path));
    files.find(|file| file.is_file())
}

/// The file, opened for this process alone, and what it holds of some experts.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    file: OwnFile,
    /// By expert and position.
    said: HashMap<(String, String), Said>,
}

impl Cache {
    /// Opens the file or makes it, reads what these experts have said, and adds those that it does not
    /// know.
    ///
    /// # Errors
    /// It can't be read or written, is another process's, or holds something else.
    pub fn open(path: &Path, experts: &[Expert]) -> Result<Cache> {
        let shown = path.display();
        let mut file = open_alone(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("{shown}: can't be read"))?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n');
        let (whole, torn) = bytes.split_at(end.map_or(0, |end| end + 1));
        let mut cache = Cache {
            path: path.to_path_buf(),
            file,
            said: HashMap::new(),
        };
        let mut known = HashSet::new();
        let (mut lines, mut damaged) = (0, Vec::new());
        for (number, line) in (1..).zip(whole.split(|&byte| byte == b'\n')) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            lines += 1;
            match serde_json::from_slice(line) {
                Ok(Entry::Score {
                    expert,
                    position,
                    said,
                }) => {
                    if experts.iter().any(|one| one.digest == expert) {
                        cache.said.insert((expert, position), said);
                    }
                }
                Ok(Entry::Expert(expert)) => drop(known.insert(expert.digest)),
                Err(_) => damaged.push(number),
            }
        }
        let is_ours = match lines {
            0 => torn.starts_with(MARK) || MARK.starts_with(torn),
            _ => damaged.len() < lines,
        };
        ensure!(
            is_ours,
            "{shown}: this is no file of scores that `tuner label` has made; choose another --cache"
        );
        if let Some(first) = damaged.first() {
            note(&format!(
                "warning: {shown}: {} damaged lines are passed over, the first is line {first}; what \
                 they said is asked again",
                damaged.len()
            ));
        }
        let cut = cache.file.set_len(whole.len() as u64);
        cut.and_then(|()| cache.file.seek(SeekFrom::End(0)))
            .with_context(|| format!("{shown}: can't be cut behind its last complete line"))?;
        for expert in experts {
            if known.insert(expert.digest.clone()) {
                cache.write(&Entry::Expert(expert.clone()))?;
            }
        }
        Ok(cache)
    }

    /// What an expert has said of a position.
    pub fn get(&self, expert: &Expert, position: &str) -> Option<Said> {
        let key = (expert.digest.clone(), position.to_string());
        self.said.get(&key).copied()
    }

    /// Keeps what an expert has said of a position.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn add(&mut self, expert: &Expert, position: &str, said: Said) -> Result<()> {
        let key = (expert.digest.clone(), position.to_string());
        self.said.insert(key, said);
        self.write(&Entry::Score {
            expert: expert.digest.clone(),
            position: position.to_string(),
            said,
        })
    }

    /// One write a line: a kill leaves at most one torn.
    fn write(&mut self, entry: &Entry) -> Result<()> {
        let shown = self.path.display();
        let failed = || format!("{shown}: can't be written");
        let line = serde_json::to_string(entry).with_context(failed)?;
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.with_context(failed)
    }

    /// Waits until all is on disk.
    ///
    /// # Errors
    /// It can't be written.
    pub fn finish(&self) -> Result<()> {
        let done = synced(&self.path, self.file.sync_all());
        done.with_context(|| format!("{}: can't be written", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expert(digest: &str) -> Expert {
        Expert {
            digest: digest.to_string(),
            engine: "E".to_string(),
            options: String::new(),
            limit: "depth 2".to_string(),
        }
    }

    #[test]
    fn what_is_kept_comes_back_whatever_happens_to_other_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.jsonl");
        let (one, two) = (expert("01"), expert("02"));
        let open = || Cache::open(&path, &[one.clone(), two.clone()]);
        let mut cache = open().unwrap();
        for (who, position, said) in [
            (&one, "a", Said::Cp(-31)),
            (&one, "b", Said::Mate(-2)),
            (&two, "a", Said::Nothing),
            (&two, "b", Said::Cp(7)),
        ] {
            cache.add(who, position, said).unwrap();
        }
        assert!(open().is_err(), "two at a time");
        drop(cache);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 6, "{text}");
        let last = "{\"expert\":\"02\",\"position\":\"b\",\"said\":{\"cp\":7}}\n";
        assert!(text.ends_with(last), "{text}");
        let said = |who, position| open().unwrap().get(who, position);
        assert_eq!(said(&one, "a"), Some(Said::Cp(-31)));
        assert_eq!(said(&one, "b"), Some(Said::Mate(-2)));
        assert_eq!(said(&two, "a"), Some(Said::Nothing));
        assert_eq!(said(&two, "c"), None);
        // A line torn at the end goes; one damaged in the middle stays, and counts for nothing.
        for damage in ["{\"expert\":\"02\",\"pos\n", "\u{0}\n", "word\n", "{}\n"] {
            std::fs::write(&path, format!("{damage}{text}")).unwrap();
            assert_eq!(said(&one, "a"), Some(Said::Cp(-31)), "{damage:?}");
        }
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        assert_eq!(
            (said(&two, "b"), said(&two, "a")),
            (None, Some(Said::Nothing))
        );
        assert!(text.starts_with(&std::fs::read_to_string(&path).unwrap()));
        // Anything else is not written to.
        for other in ["4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n", "word", "\u{0}"] {
            std::fs::write(&path, other).unwrap();
            let error = open().unwrap_err().to_string();
            assert!(error.contains("no file of scores"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
    }
}
