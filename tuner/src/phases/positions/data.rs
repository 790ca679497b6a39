//! The data files of phases that learn from positions.

use crate::base::statistics::thousands;
use crate::config::ecm::SuitePart;
use crate::config::values::Positions;
use crate::data::suite::{Need, Suite, SuiteError};
use crate::error::RunError;
use crate::exec::journal::DataFile;
use crate::phases::context::{PhaseContext, Role, with_role};
pub use crate::phases::context::{TEST, TRAIN};
use crate::phases::summary::PhaseFiles;
use crate::phases::uses::DataUse;

/// Opens the training positions and the held-out ones, if there are any.
///
/// # Errors
/// They are refused.
pub fn open(
    positions: &Positions,
    need: Need,
    context: &PhaseContext<'_>,
) -> Result<(Suite, Option<Suite>, Vec<DataFile>), RunError> {
    let load = |role: &str, of, path, count| -> Result<(Suite, DataFile), RunError> {
        let suite = Suite::load_with(need, &context.path(role, of, path), count)?;
        let file = context.file(role, &suite.path, &suite.sha256, suite.problems.len());
        Ok((suite, file))
    };
    let count = positions.count.map(|count| count.get());
    let (train, file) = load(TRAIN, Role::Train, Some(&positions.train), count)?;
    let mut files = vec![file];
    let mut test = None;
    if positions.test.is_some() || context.is_given(TEST, Role::Test) {
        let count = positions.test_count.map(|count| count.get());
        let (suite, file) = load(TEST, Role::Test, positions.test.as_ref(), count)?;
        files.push(file);
        test = Some(suite);
    }
    Ok((train, test, files))
}

/// How many training and held-out positions there are.
pub fn counts(files: &[DataFile]) -> (usize, Option<usize>) {
    let count = |role| with_role(files, role).map(|file| file.count);
    (count(TRAIN).unwrap_or(0), count(TEST))
}

/// How many positions a phase learns from, in words.
pub fn count_text(files: PhaseFiles<'_>) -> String {
    let count = files.file(TRAIN).map_or(0, |file| file.count as u64);
    format!("{} positions", thousands(count))
}

/// What a phase learns from.
pub fn training(positions: &Positions) -> DataUse<'_> {
    DataUse {
        role: TRAIN.to_string(),
        path: &positions.train,
        part: SuitePart::All,
        by_stretches: false,
        is_learnt: true,
        held_out: Some(TEST),
    }
}

/// An individual's points are counted in 32 bits, so there are not too many positions of so many points each.
///
/// # Errors
/// A file has more.
pub fn refuse_too_many(files: &[DataFile], points: u32) -> Result<(), SuiteError> {
    let most = (u32::MAX / points.max(1)) as usize;
    let Some(file) = files.iter().find(|file| file.count > most) else {
        return Ok(());
    };
    let expected = format!("at most {most}; `count` and `test_count` say how many to use");
    Err(SuiteError::count(&file.path, file.count, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_positions_than_points_can_be_counted() {
        const POINTS: u32 = 10_000;
        let file = |count: usize| DataFile {
            phase: "expert".into(),
            role: TRAIN.into(),
            path: "train.epd".into(),
            sha256: String::new(),
            count,
            note: None,
        };
        assert!(refuse_too_many(&[file(10), file(429_496)], POINTS).is_ok());
        let error = refuse_too_many(&[file(10), file(429_497)], POINTS).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("429497") && said.contains("429496"), "{said}");
        assert!(429_496_u32.checked_mul(POINTS).is_some());
    }
}
