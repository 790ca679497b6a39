//! The words of a command line. Options begin with two hyphens and may stand anywhere.

use anyhow::bail;
use engine::nearest::nearest;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};

/// What is left of the words.
pub struct Arguments {
    words: VecDeque<OsString>,
    /// The options that were asked for.
    known: Vec<&'static str>,
}

impl Arguments {
    /// The words behind the program's name.
    pub fn new(words: impl Iterator<Item = OsString>) -> Arguments {
        Arguments {
            words: words.collect(),
            known: Vec::new(),
        }
    }

    /// Takes the first word, unless it is an option: then there is no command.
    pub fn command(&mut self) -> Option<String> {
        let first = self.words.front().filter(|word| !is_option(word));
        first.is_some().then(|| self.words.pop_front().map(text))?
    }

    /// Takes an option that stands alone; says whether it was there.
    pub fn flag(&mut self, name: &'static str) -> bool {
        self.known.push(name);
        let before = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() < before
    }

    /// Takes all `--name VALUE`; a value may be a path, which need not be UTF-8.
    pub fn values(&mut self, name: &'static str) -> anyhow::Result<Vec<OsString>> {
        self.known.push(name);
        let mut values = Vec::new();
        while let Some(at) = self.words.iter().position(|word| word == name) {
            let _ = self.words.remove(at);
            match self.words.remove(at) {
                Some(value) if !is_option(&value) => values.push(value),
                _ => bail!("{name} needs a value"),
            }
        }
        Ok(values)
    }

    /// Takes `--name VALUE`, which may come once.
    pub fn value(&mut self, name: &'static str) -> anyhow::Result<Option<OsString>> {
        let mut values = self.values(name)?;
        if values.len() > 1 {
            bail!("{name} is given {} times", values.len());
        }
        Ok(values.pop())
    }

    /// The rest, of which there may be so many words and no option.
    pub fn finish(self, most: usize) -> anyhow::Result<Vec<String>> {
        if let Some(option) = self.words.iter().find(|word| is_option(word)) {
            let option = text(option.clone());
            let meant = meant(&option, self.known);
            bail!("{option} is not understood here{meant}; try eyas --help");
        }
        if let Some(word) = self.words.get(most) {
            bail!("{word:?} is too much; try eyas --help");
        }
        Ok(self.words.into_iter().map(text).collect())
    }
}

/// `: is X meant?` if a name is near to a word.
pub fn meant(word: &str, names: impl IntoIterator<Item = &'static str>) -> String {
    nearest(word, names).map_or(String::new(), |name| format!(": is {name} meant?"))
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"--")
}

/// A word that is no path.
pub fn text(word: OsString) -> String {
    word.to_string_lossy().into_owned()
}
