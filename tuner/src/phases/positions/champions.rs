//! The files of the champions of phases that learn from positions.

use super::data::{TEST, TRAIN};
use super::outcome::{Chosen, Outcome, Who};
use crate::base::names::{BEST_NAME, CHAMPIONS_NAME};
use crate::encoding::files::{Provenance, params_toml};
use crate::error::RunError;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::phases::context::{provenance_of, with_role};
use crate::phases::phase::PhaseOutcome;
use crate::phases::summary::Summary;
use engine::params::{ParamSet, Table};
use toml::Value;

/// What a champion's points on a file of positions mean, as keys and values of provenance.
pub type Say<'a> = &'a dyn Fn(&ParamSet, &DataFile, u32) -> Vec<(&'static str, Value)>;

/// What is written of champions.
pub struct Champions<'a> {
    /// What their files say first.
    pub origin: &'a Provenance,
    /// The phase's data files.
    pub files: &'a [DataFile],
    /// The layout that evolves.
    pub layout: &'a str,
    /// What their points mean.
    pub say: Say<'a>,
}

impl Champions<'_> {
    /// Writes the champions of the runs that have ended, and the best individual so far.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn write(&self, executor: &mut Executor<'_>, outcome: &Outcome) -> Result<(), RunError> {
        let just_ended = outcome.runs.last().is_some_and(|run| run.finished);
        let ended = (1..).zip(&outcome.runs).filter(|(_, run)| run.finished);
        for (number, run) in ended {
            if just_ended && (outcome.complete || number == outcome.runs.len()) {
                let name = format!("{CHAMPIONS_NAME}/run-{number:02}.toml");
                executor.write(&name, self.toml(outcome, run.chosen(number - 1)))?;
            }
        }
        if let Some(mean) = &outcome.mean {
            let text = self.toml(outcome, mean.chosen());
            executor.write(&format!("{CHAMPIONS_NAME}/mean.toml"), text)?;
        }
        // Most generations of these phases take less time than a file that is safe on disk.
        let improved = outcome
            .runs
            .last()
            .is_none_or(|run| match &run.generations[..] {
                // Fewer points are an improvement where something else is dear too.
                [.., before, last] => last.best != before.best,
                _ => true,
            });
        match outcome.best_so_far().filter(|_| improved || just_ended) {
            Some(best) => Ok(executor.write(BEST_NAME, self.toml(outcome, best))?),
            None => Ok(()),
        }
    }

    /// What the phase hands on.
    pub fn outcome(&self, outcome: &Outcome, summary: Box<dyn Summary>) -> PhaseOutcome {
        let provenance = |best| self.provenance(outcome, best);
        PhaseOutcome {
            complete: outcome.complete,
            champions: outcome.champions(),
            provenance: outcome.best().map_or(Vec::new(), provenance),
            summary,
        }
    }

    /// A champion as a parameter file that says where its numbers come from.
    fn toml(&self, outcome: &Outcome, chosen: Chosen<'_>) -> String {
        let layouts = (vec![self.layout], vec![Table::Eval]);
        let provenance = [&self.origin[..], &self.provenance(outcome, chosen)].concat();
        params_toml(chosen.champion, &layouts, &provenance)
    }

    /// Where a champion comes from.
    fn provenance(&self, outcome: &Outcome, chosen: Chosen<'_>) -> Provenance {
        let whole = |number: usize| Value::from(number as i64);
        let mut provenance: Provenance = match chosen.who {
            Who::Run(place) => {
                let run = outcome.runs.get(place);
                let generations = run.map_or(0, |run| run.generations.len());
                let seed = run.map_or(0, |run| run.seed as i64);
                vec![
                    ("run".into(), whole(place + 1)),
                    ("seed".into(), seed.into()),
                    ("generations".into(), whole(generations)),
                ]
            }
            Who::Mean => {
                let seeds = outcome.runs.iter().map(|run| Value::from(run.seed as i64));
                vec![
                    ("champion".into(), "mean".into()),
                    ("runs".into(), whole(outcome.runs.len())),
                    ("seeds".into(), Value::Array(seeds.collect())),
                ]
            }
        };
        for (prefix, role, points) in [
            ("train", TRAIN, Some(chosen.train_solved)),
            ("test", TEST, chosen.test_solved),
        ] {
            let Some(file) = with_role(self.files, role) else {
                continue;
            };
            provenance.extend(provenance_of(prefix, file));
            let mut add =
                |key: &str, value: Value| provenance.push((format!("{prefix}_{key}"), value));
            add("positions", (file.count as i64).into());
            let said = points.map(|points| (self.say)(chosen.champion, file, points));
            for (key, value) in said.into_iter().flatten() {
                add(key, value);
            }
        }
        provenance
    }
}
