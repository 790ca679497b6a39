//! Whether what a champion is tried on is new to it, and which part of a file a phase takes.

use super::validation::{POSITIONS, suite_role};
use super::{ecm, lessons};
use crate::config::ecm::SuitePart;
use crate::config::{PhaseKeys, Profile};
use crate::fitness::search_cost::{Found, Rule};
use crate::journal::{DataFile, Header};
use std::path::Path;

/// A file that a phase reads, as its profile names it.
struct Read<'a> {
    phase: &'a str,
    role: String,
    path: &'a Path,
    part: SuitePart,
    /// Whether it is halved by stretches of games: then each half has some positions of either half
    /// by positions.
    by_stretches: bool,
}

impl Read<'_> {
    fn is_of(&self, file: &DataFile) -> bool {
        file.phase == self.phase && file.role == self.role
    }

    /// Whether both are of one file, by its content where that is known: a phase that doesn't run
    /// opens none.
    fn is_same_file(&self, other: &Read<'_>, files: &[DataFile]) -> bool {
        let digest = |read: &Read<'_>| {
            let mut files = files.iter();
            let file = files.find(|file| read.is_of(file));
            file.map(|file| file.sha256.as_str())
        };
        match (digest(self), digest(other)) {
            (Some(own), Some(others)) => own == others,
            _ => self.path == other.path,
        }
    }

    fn shares_positions(&self, other: &Read<'_>) -> bool {
        let is_whole = |read: &Read<'_>| read.part == SuitePart::All;
        is_whole(self)
            || is_whole(other)
            || self.part == other.part
            || self.by_stretches != other.by_stretches
    }
}

/// What phases learn from, and what validations try the champion on.
fn read(profile: &Profile) -> (Vec<Read<'_>>, Vec<Read<'_>>) {
    let (mut learnt, mut tried) = (Vec::new(), Vec::new());
    for entry in &profile.phases {
        let one = |role: String, path, part| Read {
            phase: &entry.name,
            role,
            path,
            part,
            by_stretches: false,
        };
        let train = |path| one(lessons::TRAIN.to_string(), path, SuitePart::All);
        match &entry.keys {
            PhaseKeys::Grandmaster(keys) => learnt.push(train(&keys.positions.train)),
            PhaseKeys::Expert(keys) => learnt.push(train(&keys.positions.train)),
            PhaseKeys::Ecm(keys) => {
                let (path, part) = (&keys.suite.train, keys.suite.part);
                learnt.push(Read {
                    by_stretches: Rule::from(keys.search).found == Found::Worth,
                    ..one(ecm::SUITE.to_string(), path, part)
                });
            }
            PhaseKeys::Validation(keys) => {
                let positions = keys.positions.iter();
                tried
                    .extend(positions.map(|held_out| {
                        one(POSITIONS.to_string(), &held_out.file, SuitePart::All)
                    }));
                let suites = (1..).zip(&keys.suites);
                tried.extend(
                    suites.map(|(number, suite)| one(suite_role(number), &suite.file, suite.part)),
                );
            }
            PhaseKeys::Coevolution(_) => {}
        }
    }
    (learnt, tried)
}

/// What of a validation is no proof, since another phase of the profile learns from it: a sentence for
/// each such file. Some of the files are those that these phases have opened.
pub fn seen(profile: &Profile, files: &[DataFile]) -> Vec<String> {
    let (learnt, tried) = read(profile);
    let mut texts = Vec::new();
    for one in &tried {
        let mut opened = files.iter();
        let Some(file) = opened.find(|file| one.is_of(file)) else {
            continue;
        };
        for lesson in &learnt {
            if one.is_same_file(lesson, files) && one.shares_positions(lesson) {
                texts.push(format!(
                    "{}: positions of {} are those that {} learns from",
                    one.phase,
                    file.name(),
                    lesson.phase
                ));
            }
        }
    }
    texts
}

/// What to say of a phase's held-out positions that are learnt from; [`seen`] says it of a validation's.
pub fn not_held_out(profile: &Profile, header: &Header) -> Option<String> {
    // The other half of a suite is held out.
    let is_held_out = |file: &&DataFile| match file.role.as_str() {
        ecm::HELD_OUT => half(profile, &header.files, file).is_none(),
        role => role == lessons::TEST,
    };
    let is_learnt = |file: &&DataFile| {
        let mut files = header.files.iter();
        let lesson = match file.role.as_str() {
            ecm::HELD_OUT => ecm::SUITE,
            _ => lessons::TRAIN,
        };
        files.any(|other| other.role == lesson && other.sha256 == file.sha256)
    };
    let file = header.files.iter().filter(is_held_out).find(is_learnt)?;
    Some(format!(
        "the {} of {} are training positions too, the same file ({}): what is solved of them says \
         nothing of unseen ones",
        file.role,
        file.phase,
        file.name()
    ))
}

/// The half of a file that a phase takes, in words.
pub fn half(profile: &Profile, files: &[DataFile], file: &DataFile) -> Option<&'static str> {
    let (learnt, tried) = read(profile);
    let mut known = learnt.iter().chain(&tried);
    let found = known.find(|read| read.is_of(file));
    let part = match (found, file.role.as_str()) {
        (Some(read), _) => read.part,
        // What is held out of a suite in halves is the other one, unless it is another file.
        (None, ecm::HELD_OUT) => {
            let own = |suite: &&DataFile| {
                suite.phase == file.phase && suite.role == ecm::SUITE && suite.sha256 == file.sha256
            };
            let suite = files.iter().find(own)?;
            match learnt.iter().find(|read| read.is_of(suite))?.part {
                SuitePart::All => SuitePart::All,
                SuitePart::Odd => SuitePart::Even,
                SuitePart::Even => SuitePart::Odd,
            }
        }
        (None, _) => SuitePart::All,
    };
    match part {
        SuitePart::All => None,
        SuitePart::Odd => Some("the odd half"),
        SuitePart::Even => Some("the even half"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_phase_that_learns_worths_halves_by_stretches() {
        let profile = include_str!("../../profiles/ecm-2014.toml");
        for (found, by_stretches) in [("first", false), ("worth", true)] {
            let text = profile.replace("found = \"first\"", &format!("found = \"{found}\""));
            assert!(text.contains(&format!("found = \"{found}\"")));
            let profile = Profile::parse(Path::new("p.toml"), &text).unwrap();
            let (learnt, _) = read(&profile);
            let known: Vec<bool> = learnt.iter().map(|read| read.by_stretches).collect();
            assert_eq!(known, [by_stretches]);
        }
    }

    #[test]
    fn halves_by_stretches_and_by_positions_overlap() {
        let read = |part, by_stretches| Read {
            phase: "any",
            role: String::new(),
            path: Path::new("some.epd"),
            part,
            by_stretches,
        };
        let odd = read(SuitePart::Odd, false);
        for (other, shared) in [
            (read(SuitePart::Odd, false), true),
            (read(SuitePart::Even, false), false),
            (read(SuitePart::All, false), true),
            (read(SuitePart::Even, true), true),
        ] {
            assert_eq!(odd.shares_positions(&other), shared);
            assert_eq!(other.shares_positions(&odd), shared);
        }
    }
}
