//! The words of a command line. Options begin with two hyphens and may stand anywhere.

use anyhow::bail;
use std::collections::VecDeque;

/// What is left of the words.
pub struct Arguments {
    words: VecDeque<String>,
}

impl Arguments {
    /// The words behind the program's name.
    pub fn new(words: impl Iterator<Item = String>) -> Arguments {
        Arguments {
            words: words.collect(),
        }
    }

    /// Takes the first word.
    pub fn next(&mut self) -> Option<String> {
        self.words.pop_front()
    }

    /// Takes an option that stands alone; says whether it was there.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() < before
    }

    /// Takes all `--name VALUE`.
    pub fn values(&mut self, name: &str) -> anyhow::Result<Vec<String>> {
        let mut values = Vec::new();
        while let Some(at) = self.words.iter().position(|word| word == name) {
            let _ = self.words.remove(at);
            match self.words.remove(at) {
                Some(value) if !value.starts_with("--") => values.push(value),
                _ => bail!("{name} needs a value"),
            }
        }
        Ok(values)
    }

    /// Takes `--name VALUE`, which may come once.
    pub fn value(&mut self, name: &str) -> anyhow::Result<Option<String>> {
        let mut values = self.values(name)?;
        if values.len() > 1 {
            bail!("{name} is given {} times", values.len());
        }
        Ok(values.pop())
    }

    /// The rest, of which there may be so many words and no option.
    pub fn finish(self, most: usize) -> anyhow::Result<Vec<String>> {
        if let Some(option) = self.words.iter().find(|word| word.starts_with("--")) {
            bail!("{option} is not understood here; try eyas --help");
        }
        if let Some(word) = self.words.get(most) {
            bail!("{word:?} is too much; try eyas --help");
        }
        Ok(self.words.into())
    }
}
