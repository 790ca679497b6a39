//! Whether what a champion is tried on is new to it, and which part of a file a phase takes.

use crate::config::ecm::SuitePart;
use crate::exec::journal::{DataFile, Header};
use crate::phases::profile::Profile;
use crate::phases::uses::DataUse;

/// A file that a phase reads.
#[derive(Clone, Debug)]
struct Read<'a> {
    phase: &'a str,
    of: DataUse<'a>,
}

impl Read<'_> {
    fn is_of(&self, file: &DataFile) -> bool {
        file.phase == self.phase && file.role == self.of.role
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
            _ => self.of.path == other.of.path,
        }
    }
}

fn share_positions(one: &DataUse<'_>, other: &DataUse<'_>) -> bool {
    one.part == SuitePart::All
        || other.part == SuitePart::All
        || one.part == other.part
        || one.by_stretches != other.by_stretches
}

/// What phases learn from, and what others try the champion on.
fn read(profile: &Profile) -> (Vec<Read<'_>>, Vec<Read<'_>>) {
    let phases = profile.phases.iter();
    let all = phases.flat_map(|entry| {
        let uses = entry.keys.uses().into_iter();
        uses.map(|of| Read {
            phase: &entry.name,
            of,
        })
    });
    all.partition(|read| read.of.is_learnt)
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
            if one.is_same_file(lesson, files) && share_positions(&one.of, &lesson.of) {
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
    let (learnt, _) = read(profile);
    let lessons_of = |file: &DataFile| {
        let mut lessons = learnt.iter();
        let lesson = lessons.find(|lesson| lesson.of.held_out == Some(file.role.as_str()));
        lesson.map(|lesson| lesson.of.role.clone())
    };
    // The other half of a suite is held out.
    let is_held_out = |file: &&DataFile| {
        lessons_of(file).is_some() && half(profile, &header.files, file).is_none()
    };
    let is_learnt = |file: &&DataFile| {
        let lesson = lessons_of(file);
        let mut files = header.files.iter();
        files.any(|other| Some(&other.role) == lesson.as_ref() && other.sha256 == file.sha256)
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
    let held_out_of =
        |read: &&Read<'_>| read.phase == file.phase && read.of.held_out == Some(file.role.as_str());
    let part = match (found, learnt.iter().find(held_out_of)) {
        (Some(read), _) => read.of.part,
        // What is held out of a suite in halves is the other one, unless it is another file.
        (None, Some(lesson)) => {
            let mut files = files.iter();
            files.find(|suite| lesson.is_of(suite) && suite.sha256 == file.sha256)?;
            match lesson.of.part {
                SuitePart::All => SuitePart::All,
                SuitePart::Odd => SuitePart::Even,
                SuitePart::Even => SuitePart::Odd,
            }
        }
        (None, None) => SuitePart::All,
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
    use std::path::Path;

    #[test]
    fn a_search_phase_that_learns_worths_halves_by_stretches() {
        let profile = include_str!("../../profiles/ecm-2014.toml");
        for (found, by_stretches) in [("first", false), ("worth", true)] {
            let text = profile.replace("found = \"first\"", &format!("found = \"{found}\""));
            assert!(text.contains(&format!("found = \"{found}\"")));
            let profile = Profile::parse(Path::new("p.toml"), &text).unwrap();
            let (learnt, _) = read(&profile);
            let known: Vec<bool> = learnt.iter().map(|read| read.of.by_stretches).collect();
            assert_eq!(known, [by_stretches]);
        }
    }

    #[test]
    fn halves_by_stretches_and_by_positions_overlap() {
        let read = |part, by_stretches| DataUse {
            role: String::new(),
            path: Path::new("some.epd"),
            part,
            by_stretches,
            is_learnt: true,
            held_out: None,
        };
        let odd = read(SuitePart::Odd, false);
        for (other, shared) in [
            (read(SuitePart::Odd, false), true),
            (read(SuitePart::Even, false), false),
            (read(SuitePart::All, false), true),
            (read(SuitePart::Even, true), true),
        ] {
            assert_eq!(share_positions(&odd, &other), shared);
            assert_eq!(share_positions(&other, &odd), shared);
        }
    }
}
