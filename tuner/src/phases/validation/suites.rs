//! The suites of a validation.

use super::*;

impl Validation {
    /// Somebody who searches all suites.
    pub(super) fn searching(&self) -> Searching<'_> {
        let suites = self.suites.iter().zip(&self.keys.suites);
        let suites = suites.map(|(problems, keys)| suite::Suite {
            problems,
            rule: keys.rule(),
        });
        Searching::new(suites.collect())
    }

    /// The file of a suite, from 0, by its name alone.
    fn suite_name(&self, number: usize) -> String {
        let role = suite_role(number + 1);
        with_role(&self.files, &role).map_or(role, DataFile::name)
    }

    /// What both make of a suite, and the champion with other parameters; `None` if the executor ends.
    pub(super) fn suite(
        &self,
        executor: &mut Executor<'_>,
        number: usize,
        [champion, opponent]: &[ParamSet; 2],
        evolved: &[Row],
    ) -> Result<Option<SuiteResult>, RunError> {
        let (Some(keys), Some(&count)) =
            (self.keys.suites.get(number), self.counts.suites.get(number))
        else {
            return Ok(None);
        };
        let cap = keys.rule().cap;
        let changes = match keys.sensitivity && count > 0 {
            true => searches(champion, evolved),
            false => Vec::new(),
        };
        let mut whom = vec![
            ("champion".to_string(), champion),
            ("opponent".to_string(), opponent),
        ];
        for change in &changes {
            let name = |params: &ParamSet| {
                format!(
                    "{} = {}",
                    change.row.spec().first_name(),
                    params.row(change.row)
                )
            };
            whom.extend(
                change
                    .changed
                    .iter()
                    .flatten()
                    .map(|params| (name(params), params)),
            );
        }
        let mut tasks = Vec::new();
        for (who, params) in whom {
            let params = Arc::new(params.clone());
            let digest = digest_of([&*params]);
            tasks.extend((0..count).map(|place| Solve {
                key: format!("suite {} {who} position {}", number + 1, place + 1),
                suite: number,
                place,
                params: Arc::clone(&params),
                digest: digest.clone(),
                cap,
                tells_searched: false,
            }));
        }
        let Some(answers) = executor.ask(&tasks, || Ok(self.searching()))? else {
            return Ok(None);
        };
        let mut answers = answers.chunks(count.max(1));
        let mut next = || {
            let mut sum = Solved::default();
            for answer in answers.next().unwrap_or_default() {
                sum.nodes += answer.nodes();
                sum.positions += u32::from(answer.is_solved());
            }
            sum
        };
        Ok(Some(SuiteResult {
            name: self.suite_name(number),
            positions: count,
            cap,
            results: [next(), next()],
            sensitivity: changes
                .into_iter()
                .map(|change| Sensitivity {
                    row: change.row,
                    changed: change.changed.map(|params| params.map(|_| next())),
                })
                .collect(),
        }))
    }
}
