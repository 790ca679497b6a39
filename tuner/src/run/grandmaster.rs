//! Phase 1 as a phase of a run: its data, its workers and its files. The course is in
//! [`super::evolve`].

use super::RunError;
use super::desk::Desk;
use super::evolve::{Block, Count, Outcome, RunResult, evolve, one_by_one};
use super::genotype::Genotype;
use super::output::{BEST_NAME, CHAMPIONS_NAME, PROGRAM, hundredths};
use super::phase::{Phase, PhaseOutcome, PhaseResult, Provenance, Start, Worker, params_toml};
use super::plan::Site;
use super::recipe::{BLOCK, Recipe, blocks};
use crate::check::check_grandmaster;
use crate::config::GrandmasterKeys;
use crate::data::suite::Suite;
use crate::fitness::grandmaster::Forest;
use crate::journal::DataFile;
use crate::statistics::Rate;
use engine::epd::Epd;
use engine::one_ply::Quiescence;
use engine::params::Table;
use std::sync::{Mutex, MutexGuard, PoisonError};
use toml::Value;

/// Role of the positions that fitness is counted on.
pub const TRAIN: &str = "training positions";
/// Role of the positions that only champions are scored on.
pub const TEST: &str = "held-out positions";

/// Phase 1.
#[derive(Debug)]
pub struct Grandmaster {
    /// The keys of its profile.
    pub keys: GrandmasterKeys,
    /// What decides its course.
    pub recipe: Recipe,
    origin: Provenance,
    files: Vec<DataFile>,
    data: Option<Data>,
}

/// What work needs beside the keys.
#[derive(Debug)]
pub struct Data {
    /// The training positions.
    pub train: Suite,
    /// The held-out positions.
    pub test: Option<Suite>,
    /// The threads that evaluate.
    pub pool: rayon::ThreadPool,
    /// The training positions, block by block, each built when first needed.
    forests: Mutex<Vec<Option<Forest>>>,
}

impl Grandmaster {
    /// With its data.
    ///
    /// # Errors
    /// The positions are refused.
    pub fn open(keys: GrandmasterKeys, site: &Site<'_>) -> Result<Grandmaster, RunError> {
        let positions = &keys.positions;
        let load = |role: &str, path, count| -> Result<(Suite, DataFile), RunError> {
            let suite = Suite::load(&site.path(role, path), count)?;
            let file = site.file(role, &suite.path, &suite.sha256, suite.problems.len());
            Ok((suite, file))
        };
        let count = positions.count.map(|count| count.get());
        let (train, file) = load(TRAIN, Some(&positions.train), count)?;
        let mut files = vec![file];
        let mut test = None;
        if positions.test.is_some() || site.is_given(TEST) {
            let count = positions.test_count.map(|count| count.get());
            let (suite, file) = load(TEST, positions.test.as_ref(), count)?;
            files.push(file);
            test = Some(suite);
        }
        let blocks = blocks(train.problems.len(), BLOCK).count();
        let data = Data {
            train,
            test,
            pool: site.thread_pool()?,
            forests: Mutex::new((0..blocks).map(|_| None).collect()),
        };
        Ok(Grandmaster::new(keys, site, files, Some(data)))
    }

    /// Without data: enough to go through a journal.
    pub fn closed(keys: GrandmasterKeys, site: &Site<'_>) -> Grandmaster {
        let files = site.recorded_files();
        Grandmaster::new(keys, site, files, None)
    }

    fn new(
        keys: GrandmasterKeys,
        site: &Site<'_>,
        files: Vec<DataFile>,
        data: Option<Data>,
    ) -> Grandmaster {
        let count = |role: &str| {
            let file = files.iter().find(|file| file.role == role);
            file.map(|file| file.count)
        };
        Grandmaster {
            recipe: Recipe::new(&keys, count(TRAIN).unwrap_or(0), count(TEST)),
            origin: site.origin(),
            keys,
            files,
            data,
        }
    }

    /// The data, if it was opened.
    pub fn data(&self) -> Option<&Data> {
        self.data.as_ref()
    }

    /// Writes the champions of the runs that have ended, and the best individual so far.
    fn write_files(&self, desk: &mut Desk<'_>, outcome: &Outcome) -> Result<(), RunError> {
        let just_ended = outcome.runs.last().is_some_and(|run| run.finished);
        let ended = (1..).zip(&outcome.runs).filter(|(_, run)| run.finished);
        for (number, run) in ended {
            if just_ended && (outcome.complete || number == outcome.runs.len()) {
                let name = format!("{CHAMPIONS_NAME}/run-{number:02}.toml");
                desk.write(&name, self.champion_toml(number, run))?;
            }
        }
        // Most generations of this phase take less time than a file that is safe on disk.
        let improved = outcome
            .runs
            .last()
            .is_none_or(|run| match &run.generations[..] {
                [.., before, last] => last.best > before.best,
                _ => true,
            });
        match outcome.best_so_far().filter(|_| improved || just_ended) {
            Some((index, run)) => desk.write(BEST_NAME, self.champion_toml(index + 1, run)),
            None => Ok(()),
        }
    }

    /// A champion as a parameter file that says where its numbers come from.
    fn champion_toml(&self, run: usize, result: &RunResult) -> String {
        let mut provenance: Provenance = vec![
            ("program".into(), PROGRAM.into()),
            ("phase".into(), "grandmaster".into()),
        ];
        provenance.extend(self.origin.iter().cloned());
        provenance.extend([
            ("run".into(), (run as i64).into()),
            ("seed".into(), (result.seed as i64).into()),
            (
                "generations".into(),
                (result.generations.len() as i64).into(),
            ),
        ]);
        for (prefix, role, solved) in [
            ("train", TRAIN, Some(result.train_solved)),
            ("test", TEST, result.test_solved),
        ] {
            if let Some(file) = self.files.iter().find(|file| file.role == role) {
                data_provenance(&mut provenance, prefix, file, solved);
            }
        }
        params_toml(&result.champion, &self.layouts(), &provenance)
    }
}

/// A data file and what was solved of it, in per cent with a 95 % interval.
fn data_provenance(
    provenance: &mut Provenance,
    prefix: &str,
    file: &DataFile,
    solved: Option<u32>,
) {
    let mut add = |key: &str, value: Value| provenance.push((format!("{prefix}_{key}"), value));
    add("file", file.name().into());
    add("sha256", file.sha256.clone().into());
    add("positions", (file.count as i64).into());
    if let Some(solved) = solved {
        let rate = Rate::new(solved.into(), file.count as u64);
        add("solved", i64::from(solved).into());
        add("percent", hundredths(rate.percent).into());
        let interval = vec![hundredths(rate.low).into(), hundredths(rate.high).into()];
        add("percent_95", Value::Array(interval));
    }
}

impl Phase for Grandmaster {
    fn course(&self, _start: &Start, desk: &mut Desk<'_>) -> Result<PhaseOutcome, RunError> {
        let hire = || {
            Ok(Counter {
                phase: self,
                block: None,
                held_out: None,
            })
        };
        let mut so_far = |desk: &mut Desk<'_>, outcome: &Outcome| self.write_files(desk, outcome);
        let outcome = evolve(&self.recipe, desk, &hire, &mut so_far)?;
        self.write_files(desk, &outcome)?;
        Ok(PhaseOutcome {
            complete: outcome.complete,
            champions: outcome.champions(),
            result: PhaseResult::Grandmaster(outcome),
        })
    }

    fn files(&self) -> &[DataFile] {
        &self.files
    }

    fn genotype(&self) -> Option<&Genotype> {
        Some(&self.recipe.genotype)
    }

    fn generations(&self) -> u64 {
        self.recipe.seeds.len() as u64 * u64::from(self.recipe.generations)
    }

    fn layouts(&self) -> (Vec<&str>, Vec<Table>) {
        (vec![self.keys.layout.name.as_str()], vec![Table::Eval])
    }

    fn check(&self, _start: &Start) -> Result<String, RunError> {
        check_grandmaster(self)
    }
}

/// Counts solved positions on all threads at once.
struct Counter<'a> {
    phase: &'a Grandmaster,
    /// What is being counted.
    block: Option<Block>,
    /// The trees of held-out positions that are being walked.
    held_out: Option<Forest>,
}

impl Data {
    /// The positions of a block.
    fn problems(&self, block: Block) -> &[Epd] {
        let (suite, number) = match block {
            Block::Train { block, .. } => (Some(&self.train), block),
            Block::HeldOut { block } => (self.test.as_ref(), block),
        };
        let problems = suite.map_or(&[][..], |suite| &suite.problems);
        let range = blocks(problems.len(), BLOCK).nth(number as usize);
        problems.get(range.unwrap_or_default()).unwrap_or_default()
    }

    /// The trees of all training positions.
    fn forests(&self) -> MutexGuard<'_, Vec<Option<Forest>>> {
        self.forests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker<Count<'_>> for Counter<'_> {
    fn answer(&mut self, task: &Count<'_>) -> Result<Vec<u32>, RunError> {
        let Some(data) = &self.phase.data else {
            return Ok(Vec::new());
        };
        self.block = Some(task.of);
        let quiescence = Quiescence::from(self.phase.keys.quiescence);
        let problems = data.problems(task.of);
        let build = || Forest::build(problems, &quiescence);
        let mut forests = data.forests();
        match task.of {
            Block::Train { block, .. } => {
                let Some(forest) = forests.get_mut(block as usize) else {
                    return Ok(Vec::new());
                };
                Ok(data.pool.install(|| {
                    let forest = forest.get_or_insert_with(build);
                    forest.solved(task.individuals)
                }))
            }
            // These trees are needed once, so they don't stay, and neither do those of the
            // training positions, with which evolution is over.
            Block::HeldOut { .. } => {
                forests.iter_mut().for_each(|forest| *forest = None);
                let forest = self.held_out.insert(data.pool.install(build));
                let solved = data.pool.install(|| forest.solved(task.individuals));
                self.held_out = None;
                Ok(solved)
            }
        }
    }

    fn answer_again(&mut self, task: &Count<'_>) -> Result<(Vec<u32>, String), RunError> {
        one_by_one(self, task)
    }

    fn place(&self) -> String {
        let fen = || {
            let (data, block) = (self.phase.data.as_ref()?, self.block?);
            let place = match (block, &self.held_out) {
                (Block::Train { block, .. }, _) => {
                    let forests = data.forests();
                    forests.get(block as usize)?.as_ref()?.take_panicked()
                }
                (Block::HeldOut { .. }, forest) => forest.as_ref()?.take_panicked(),
            };
            Some(data.problems(block).get(place?)?.position.to_fen())
        };
        fen().unwrap_or_default()
    }
}
