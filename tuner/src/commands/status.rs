//! `tuner status`: how far a run is. Reads the journal and the table of wall times, takes no lock
//! and writes nothing, so it may be asked at any time.

use crate::base::lock::FolderLock;
use crate::base::progress::clock;
use crate::base::shell;
use crate::base::statistics::{counted, thousands};
use crate::error::RunError;
use crate::exec::journal::JOURNAL_NAME;
#[cfg(feature = "redis")]
use crate::exec::remote::roster::{Told, WORKERS_NAME};
use crate::exec::timing::{seconds_spent, time_of};
use crate::phases::phase::PhaseOutcome;
use crate::run::replay::journaled;
use std::path::Path;
use std::time::Duration;

/// A run that has written nothing for so long is doubtful.
const LONG: Duration = Duration::from_secs(30 * 60);

/// What there is to say of the run in a folder.
///
/// # Errors
/// There is no run, or its journal is damaged.
pub fn status(folder: &Path) -> Result<String, RunError> {
    let (plan, outcome) = journaled(folder)?;
    let spent = seconds_spent(folder);
    let state = match (outcome.complete, FolderLock::is_held(folder)) {
        (true, _) => "complete".to_string(),
        (false, true) => format!("under way{}", last_written(folder)),
        (false, false) => format!("stopped; it goes on with  {}", shell::resume(folder)),
    };
    let mut text = format!("Run of profile {}: {state}", plan.header.profile);
    let mut left = 0.0;
    for (number, planned) in plan.phases.iter().enumerate() {
        let name = &planned.name;
        let seconds = spent.get(name).copied().unwrap_or(0.0);
        let Some((_, phase)) = outcome.phases.get(number) else {
            text += &format!("\n  {name}: to come");
            continue;
        };
        let (done, of) = (
            phase.summary.steps_done(),
            planned.phase.outline().generations,
        );
        // While a phase is under way, only some of its runs have been.
        let is_cut = phase.complete && outcome.cut.contains(name);
        let state = match is_cut {
            true => format!(
                "ended by the hours after {} {done} of {of}",
                phase.summary.step()
            ),
            false => done_text(phase, done, of),
        };
        text += &format!("\n  {name}: {state}{}", best(phase));
        text += &format!(", {}", clock(seconds));
        if let Some((answered, all)) = outcome.in_hand.filter(|_| !phase.complete) {
            let (answered, all) = (thousands(answered as u64), thousands(all as u64));
            text += &format!(", then {answered} of the next {all} tasks");
        }
        if !phase.complete && done > 0 && of > done {
            // The time is that of the generation under way too.
            let part = outcome
                .in_hand
                .map_or(0.0, |(answered, all)| answered as f64 / all.max(1) as f64);
            let done = done as f64 + part;
            let rest = seconds / done * (of as f64 - done);
            let hours = plan.profile.hours;
            let share = hours.map(|hours| time_of(hours, &plan.shares(), number, &spent));
            match share.map(|share| share.as_secs_f64()) {
                Some(share) if share < rest => {
                    text += &format!(", its hours end it in {}", clock(share));
                }
                _ => {
                    left += rest;
                    text += &format!(", about {} left", clock(rest));
                }
            }
        }
    }
    if let Some(hours) = plan.profile.hours.filter(|_| !outcome.complete) {
        let rest = (hours * 3600.0 - spent.values().sum::<f64>()).max(0.0);
        text += &format!("\nTime left of {hours} hours: {}", clock(rest));
    } else if left > 0.0 {
        text += &format!("\nTime left in this phase: about {}", clock(left));
    }
    #[cfg(feature = "redis")]
    if !outcome.complete {
        text += &workers(folder);
    }
    if outcome.faults > 0 {
        text += &format!(
            "\n{} panicked, see faults/ in the phases' folders",
            counted(outcome.faults, "task")
        );
    }
    Ok(text)
}

fn done_text(phase: &PhaseOutcome, done: u64, of: u64) -> String {
    match phase.complete {
        true => "complete".to_string(),
        false => format!("{} {done} of {of}", phase.summary.step()),
    }
}

/// The best until now.
fn best(phase: &PhaseOutcome) -> String {
    let best = phase.summary.best_so_far();
    best.map_or(String::new(), |best| format!(", {best}"))
}

/// The workers on other machines, as the leader has told last.
#[cfg(feature = "redis")]
fn workers(folder: &Path) -> String {
    let path = folder.join(WORKERS_NAME);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let told: Vec<Told> = serde_json::from_str(&text).unwrap_or_default();
    let written = std::fs::metadata(&path).and_then(|data| data.modified());
    let age = written.map_or(Duration::ZERO, |at| at.elapsed().unwrap_or_default());
    let mut text = String::new();
    for worker in told {
        let (name, done) = (&worker.name, counted(worker.done as usize, "task"));
        let unseen = clock(worker.unseen + age.as_secs_f64());
        text += &format!(
            "\n  worker {name}: {}, {done}, {:.1} a second, heard of {unseen} ago",
            counted(worker.threads as usize, "thread"),
            worker.per_second
        );
        if let Some(out) = worker.out {
            text += &format!("; shut out: {out}");
        }
    }
    text
}

/// How long nothing has been written: a process may be there and hang, or be another with the same
/// number. A clock that was set back makes it no time at all.
fn last_written(folder: &Path) -> String {
    let written = std::fs::metadata(folder.join(JOURNAL_NAME)).and_then(|data| data.modified());
    let Ok(written) = written else {
        return String::new();
    };
    let age = written.elapsed().unwrap_or_default();
    let doubt = match age > LONG {
        true => " (it may hang or be stopped)",
        false => "",
    };
    format!(", last written {} ago{doubt}", clock(age.as_secs_f64()))
}
