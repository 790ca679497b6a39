//! Phase 1 as a phase of a run: its data, its workers and its files. The course is in
//! [`super::evolve`].

use super::RunError;
use super::desk::Desk;
use super::evolve::{Block, Count, Outcome, evolve, one_by_one};
use super::genotype::Genotype;
use super::lessons::{self, Champions};
use super::miniature::check_grandmaster;
use super::phase::{Phase, PhaseOutcome, PhaseResult, Provenance, Start, Worker};
use super::plan::Site;
use super::recipe::{BLOCK, Recipe, blocks};
use super::sample::Checked;
use crate::config::grandmaster::ChampionKey;
use crate::config::{GrandmasterKeys, Kind};
use crate::data::suite::{Need, Suite};
use crate::fitness::grandmaster::Forest;
use crate::journal::DataFile;
use crate::statistics::{Rate, hundredths};
use engine::epd::Epd;
use engine::one_ply::Quiescence;
use engine::params::Table;
use std::sync::{Mutex, MutexGuard, PoisonError};
use toml::Value;

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
        let (train, test, files) = lessons::open(&keys.positions, Need::Solution, site)?;
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
        let how = (&keys.evolution, &keys.runs);
        Grandmaster {
            recipe: Recipe {
                decay: keys.decay.0,
                mean: keys.champion == ChampionKey::Mean,
                ..Recipe::new(&keys.layout.genes, how, 1, lessons::counts(&files))
            },
            origin: site.origin(Kind::Grandmaster),
            keys,
            files,
            data,
        }
    }

    /// The data, if it was opened.
    pub fn data(&self) -> Option<&Data> {
        self.data.as_ref()
    }

    fn champions(&self) -> Champions<'_> {
        Champions {
            origin: &self.origin,
            files: &self.files,
            layout: &self.keys.layout.name,
            say: &|_, file, points| solved(points, file.count),
        }
    }
}

/// Positions solved, in per cent with a 95 % interval.
fn solved(solved: u32, positions: usize) -> Vec<(&'static str, Value)> {
    let rate = Rate::new(solved.into(), positions as u64);
    let interval = vec![hundredths(rate.low).into(), hundredths(rate.high).into()];
    vec![
        ("solved", i64::from(solved).into()),
        ("percent", hundredths(rate.percent).into()),
        ("percent_95", Value::Array(interval)),
    ]
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
        let champions = self.champions();
        let mut so_far = |desk: &mut Desk<'_>, outcome: &Outcome| champions.write(desk, outcome);
        let outcome = evolve(&self.recipe, desk, &hire, &mut so_far)?;
        champions.write(desk, &outcome)?;
        Ok(champions.outcome(&outcome, PhaseResult::Grandmaster(outcome.clone())))
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

    fn leaves(&self, _: &Start) -> usize {
        self.recipe.seeds.len() + usize::from(self.recipe.mean)
    }

    fn layouts(&self) -> (Vec<&str>, Vec<Table>) {
        (vec![self.keys.layout.name.as_str()], vec![Table::Eval])
    }

    fn check(&self, _start: &Start, _threads: usize) -> Result<Checked, RunError> {
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
                data.pool.install(|| {
                    let forest = forest.get_or_insert_with(build);
                    let solved = forest.solved(task.individuals);
                    forest.has_room()?;
                    Ok(solved)
                })
            }
            // These trees are needed once, so they don't stay, and neither do those of the
            // training positions, with which evolution is over.
            Block::HeldOut { .. } => {
                forests.iter_mut().for_each(|forest| *forest = None);
                let forest = self.held_out.insert(data.pool.install(build));
                let solved = data.pool.install(|| forest.solved(task.individuals));
                forest.has_room()?;
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
