//! The name that was meant by a mistyped one.

use strsim::osa_distance;

/// The nearest of some names: by letters that were left out, added, changed or swapped, or one that the
/// word begins or is the beginning of. `None` if none is near.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let most = 1 + word.chars().count() / 4;
    let distance = |name: &str| {
        let is_part = word.len() > 2 && (name.starts_with(&word) || word.starts_with(name));
        match osa_distance(&word, &name.to_lowercase()) {
            distance if distance <= most => Some(distance),
            _ if is_part => Some(most + 1),
            _ => None,
        }
    };
    let near = names
        .into_iter()
        .filter_map(|name| Some((distance(name)?, name)));
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let names = ["population", "elitism", "run", "resume", "out"];
        for (word, meant) in [
            ("elitsm", Some("elitism")),
            ("rnu", Some("run")),
            ("ot", Some("out")),
            ("Population", Some("population")),
            ("populations_size", Some("population")),
            ("resum", Some("resume")),
            ("chess", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names), meant, "{word}");
        }
    }
}
