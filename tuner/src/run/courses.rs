//! The phases of a run, one after the other.

use super::outcome::Outcome;
use super::plan::Plan;
use crate::base::progress::{Place, duration};
use crate::error::RunError;
use crate::exec::executor::Executor;
use crate::exec::timing::{seconds_spent, time_of};
use crate::phases::summary::PhaseFiles;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Told when a phase has ended by work.
pub type PhaseEnded<'a> = &'a mut dyn FnMut(&Outcome) -> Result<(), RunError>;

/// Phases that have nothing to begin with say so before there is a folder.
///
/// # Errors
/// The first phase can't begin.
pub fn can_begin(planned: &Plan) -> Result<(), RunError> {
    let mut replay = Executor::replay(Vec::new());
    courses(planned, &mut replay, None, &mut |_| Ok(())).map(drop)
}

/// The courses of all phases, one after the other, each beginning with what the last left.
/// Without a folder nothing is written.
///
/// # Errors
/// The first of a phase.
pub fn courses(
    planned: &Plan,
    executor: &mut Executor<'_>,
    folder: Option<&Path>,
    phase_ended: PhaseEnded<'_>,
) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::default();
    let shares = planned.shares();
    let mut start = planned.start.clone();
    for (number, next) in planned.phases.iter().enumerate() {
        let own = folder.map(|folder| match planned.profile.flat {
            true => folder.to_path_buf(),
            false => folder.join(&next.name),
        });
        // What the phases before this one have taken is known only now.
        let spent = folder.map_or_else(BTreeMap::new, seconds_spent);
        let hours = planned.profile.hours.filter(|_| folder.is_some());
        let time = hours.map(|hours| time_of(hours, &shares, number, &spent));
        executor.place(Place {
            phase: (number + 1, planned.phases.len()),
            time: hours.map(|hours| {
                let left = hours * 3600.0 - spent.values().sum::<f64>();
                Duration::try_from_secs_f64(left.max(0.0)).unwrap_or(Duration::MAX)
            }),
        });
        executor.begin(&next.name, own.as_deref(), time);
        let ended = next.phase.course(&start, executor);
        // Whether it has ended, was stopped or failed, its time is known to what comes after it.
        executor.note_time();
        let ended = ended.map_err(|error| error.in_phase(&next.name))?;
        let complete = ended.complete;
        start = start.after(&ended.champions, next.phase.outline().encoding);
        outcome.phases.push((next.name.clone(), ended));
        outcome.faults = executor.faults();
        outcome.cut = executor.cut().to_vec();
        outcome.in_hand = executor.in_hand();
        if !complete {
            return Ok(outcome);
        }
        if let Some(folder) = folder
            && executor.is_working()
        {
            // In the morning there is something to look at, whatever happens to the next phase.
            phase_ended(&outcome)?;
            let files = PhaseFiles {
                header: &planned.header,
                phase: &next.name,
            };
            let ended = outcome.phases.last().map(|(_, phase)| &phase.summary);
            let said = ended.and_then(|summary| summary.result_text(files));
            let seconds = seconds_spent(folder).get(&next.name).copied();
            executor.announce(&format!(
                "{} has ended after {}{}",
                next.name,
                duration(seconds.unwrap_or(0.0)),
                said.map_or(String::new(), |said| format!(": {said}")),
            ));
        }
    }
    outcome.complete = true;
    Ok(outcome)
}
