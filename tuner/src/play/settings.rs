//! The settings that decide what the games of a file look like, as a comment in its first game.
//!
//! The file so says how it was made, and a run that continues it can tell whether it would make
//! the same games.

/// Settings in order, as names and texts.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Settings(Vec<(String, String)>);

impl Settings {
    /// Adds a setting.
    pub fn push(&mut self, name: &str, value: impl ToString) {
        let value = value.to_string();
        // A comment can't hold its own end, and a value no separator.
        let tame: String = value
            .chars()
            .map(|letter| match letter {
                '{' => '(',
                '}' => ')',
                '|' => '/',
                other => other,
            })
            .collect();
        // No line of a PGN begins with a percent sign but its escapes, and any word may begin one.
        let words = tame.split_whitespace();
        let words = words.map(|word| word.trim_start_matches('%'));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        self.0.push((name.to_string(), words.join(" ")));
    }

    /// The text of a comment that begins with this mark.
    pub fn to_text(&self, mark: &str) -> String {
        let pairs: Vec<String> = self.0.iter().map(|(n, v)| format!("{n}={v}")).collect();
        format!("{mark}{}", pairs.join(" | "))
    }

    /// Reads a comment that begins with this mark, however its lines are broken; `None` if it holds no settings.
    pub fn parse(mark: &str, text: &str) -> Option<Settings> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        let pairs = line.strip_prefix(mark)?.split(" | ").map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((name.to_string(), value.to_string()))
        });
        Some(Settings(pairs.collect::<Option<_>>()?))
    }

    /// What is different in `other`, a line each.
    pub fn differences(&self, other: &Settings) -> Vec<String> {
        let value = |settings: &Settings, name: &str| {
            let found = settings.0.iter().find(|(n, _)| n == name);
            found.map_or("(not set)".to_string(), |(_, v)| v.clone())
        };
        let mut names: Vec<&String> = self.0.iter().chain(&other.0).map(|(n, _)| n).collect();
        names.sort();
        names.dedup();
        names
            .into_iter()
            .filter(|name| value(self, name) != value(other, name))
            .map(|name| {
                format!(
                    "{name}: {} there, {} here",
                    value(self, name),
                    value(other, name)
                )
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_line_breaks_and_odd_values() {
        let mut settings = Settings::default();
        settings.push("engine 1", "my engine --x={1|2}");
        settings.push("nodes", "100,50");
        settings.push("empty", "");
        settings.push("path", "/a %b %");
        let text = settings.to_text("made: ");
        assert!(!text.contains('}'));
        assert_eq!(
            Settings::parse("made: ", &text.replace(' ', "\n")),
            Some(settings.clone())
        );
        assert_eq!(Settings::parse("made: ", "a comment"), None);
        let mut other = Settings::default();
        other.push("engine 1", "my engine --x=(1/2)");
        other.push("nodes", "100");
        other.push("empty", "");
        other.push("path", "/a b");
        assert_eq!(
            settings.differences(&other),
            ["nodes: 100,50 there, 100 here"]
        );
    }
}
