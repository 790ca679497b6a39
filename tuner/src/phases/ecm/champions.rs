//! The files of champions of a suite.

use super::*;

impl Ecm {
    /// Writes the champions of the runs that have ended, the best individual so far and the curves.
    pub(super) fn write_files(
        &self,
        executor: &mut Executor<'_>,
        outcome: &EcmOutcome,
    ) -> Result<(), RunError> {
        let just_ended = outcome.runs.last().is_some_and(|run| run.finished);
        let ended = (1..).zip(&outcome.runs).filter(|(_, run)| run.finished);
        for (number, run) in ended {
            if just_ended && (outcome.complete || number == outcome.runs.len()) {
                let name = format!("{CHAMPIONS_NAME}/run-{number:02}.toml");
                executor.write(&name, self.champion_toml(number, run))?;
            }
        }
        let Some((index, run)) = outcome.best() else {
            return Ok(());
        };
        executor.write(BEST_NAME, self.champion_toml(index + 1, run))?;
        let report = self.report(outcome);
        for (name, figure) in [
            (NODES_NAME, nodes_figure(&report)),
            (SOLVED_NAME, solved_figure(&report)),
        ] {
            let figure = figure.map_err(RunError::Report)?;
            executor.write(&format!("{name}.svg"), figure.file())?;
        }
        Ok(())
    }

    /// A champion as a parameter file that says where its numbers come from.
    fn champion_toml(&self, run: usize, result: &EcmRun) -> String {
        let provenance = [&self.origin[..], &self.provenance(run, result)].concat();
        params_toml(&result.champion, &self.outline().layouts, &provenance)
    }

    /// Where a champion comes from.
    pub(super) fn provenance(&self, run: usize, result: &EcmRun) -> Provenance {
        let whole = |number: u64| toml::Value::from(i64::try_from(number).unwrap_or(i64::MAX));
        let rule = Rule::from(self.keys.search);
        let mut provenance: Provenance = vec![
            ("run".into(), whole(run as u64)),
            ("seed".into(), whole(result.seed)),
            ("generations".into(), whole(result.generations.len() as u64)),
            ("cap".into(), whole(rule.cap)),
            ("found".into(), rule.found.to_string().into()),
        ];
        let part = self.keys.layout.names_of_part();
        provenance.extend(part.map(|names| ("rows".into(), names.into())));
        let mut suite = |prefix: &str, role: &str, tally: Option<Tally>| {
            let Some(file) = with_role(&self.files, role) else {
                return;
            };
            provenance.extend(provenance_of(prefix, file));
            let mut add = |key: &str, value| provenance.push((format!("{prefix}_{key}"), value));
            let positions = tally.map_or(file.count, |tally| tally.positions);
            add("positions", whole(positions as u64));
            if let Some(tally) = tally {
                add("nodes", whole(tally.nodes));
                add("solved", whole(tally.solved.into()));
            }
        };
        suite("train", SUITE, Some(result.train));
        suite("test", HELD_OUT, result.test);
        let mut files = self.files.iter();
        if let Some(file) = files.find(|file| file.role.starts_with(EVALUATION)) {
            provenance.extend(provenance_of("evaluation", file));
        }
        provenance
    }
}
