//! The kind `grandmaster`: an evaluation whose 1-ply searches choose the moves that were played (2014 §III.B).
//! The course is in [`super::positions`].

use super::context::PhaseContext;
use super::dry_run::{Subject, check_moves};
use super::kind::Kind;
use super::measured::{HeldOut, Measured, MeasuredRun, Point};
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::positions::ahead::Ahead;
use super::positions::basis::Basis;
use super::positions::champions::Say;
use super::positions::data::{self, TRAIN};
use super::positions::draw::Draw;
use super::positions::evolve;
use super::positions::outcome::Outcome;
use super::sample::Checked;
use super::start::Start;
use super::summary::{Evolved, Part, PhaseFiles, Summary};
use super::uses::DataUse;
use crate::base::statistics::{Rate, hundredths, rate_text, thousands};
use crate::config::grandmaster::{ChampionKey, DrawKey, GrandmasterKeys};
use crate::config::values::{Positions, Whole};
use crate::data::suite::{Need, Suite, SuiteError};
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::Worker;
use crate::fitness::grandmaster::TreeCache;
use crate::fitness::positions::{Block, Count, one_by_one};
use engine::epd::Epd;
use engine::eval::params::EvalParams;
use engine::one_ply::Quiescence;
use engine::params::Gene;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use toml::Value;

/// The registry's line.
pub const KIND: Kind = Kind::of::<GrandmasterKeys>(
    "grandmaster",
    "Evolves the evaluation until 1-ply searches choose the moves that were played in games (2014\n§III.B).",
)
.flat();

impl Keys for GrandmasterKeys {
    fn check(&self) -> Result<(), String> {
        GrandmasterKeys::check(self)
    }

    fn genes_mut(&mut self) -> Option<&mut Vec<Gene>> {
        Some(&mut self.layout.genes)
    }

    fn begins_at_random(&self) -> bool {
        true
    }

    fn uses(&self) -> Vec<DataUse<'_>> {
        vec![data::training(&self.positions)]
    }

    fn open(&self, context: &PhaseContext<'_>, data: bool) -> Result<Box<dyn Phase>, RunError> {
        let keys = self.clone();
        Ok(Box::new(match data {
            true => Grandmaster::open(keys, context)?,
            false => Grandmaster::new(keys, context, context.recorded_files(), None),
        }))
    }
}

/// Phase 1.
#[derive(Debug)]
struct Grandmaster {
    keys: GrandmasterKeys,
    basis: Basis,
    /// Whether its runs may be answered side by side, however long the first of them takes.
    is_one_of_many: bool,
    data: Option<Data>,
}

/// What work needs beside the keys.
#[derive(Debug)]
struct Data {
    train: Suite,
    test: Option<Suite>,
    pool: rayon::ThreadPool,
    /// The trees of the training positions, built when they are first needed.
    cache: Mutex<Option<TreeCache>>,
}

impl Grandmaster {
    fn open(keys: GrandmasterKeys, context: &PhaseContext<'_>) -> Result<Grandmaster, RunError> {
        let (train, test, files) = data::open(&read(&keys), Need::Solution, context)?;
        let sample = keys.sample.map_or(1, Whole::get);
        if train.problems.len() < sample {
            let expected = format!("{sample} or more, as `sample` says");
            return Err(SuiteError::count(&train.path, train.problems.len(), expected).into());
        }
        let data = Data {
            train,
            test,
            pool: context.thread_pool()?,
            cache: Mutex::default(),
        };
        Ok(Grandmaster::new(keys, context, files, Some(data)))
    }

    fn new(
        keys: GrandmasterKeys,
        context: &PhaseContext<'_>,
        files: Vec<DataFile>,
        data: Option<Data>,
    ) -> Grandmaster {
        let layout = (&keys.layout.name[..], &keys.layout.genes[..]);
        let how = (&keys.evolution, &keys.runs);
        let mut basis = Basis::new(KIND.name, context, layout, how, 1, files);
        basis.settings.decay = keys.decay.0;
        basis.settings.mean = keys.champion == ChampionKey::Mean;
        basis.settings.draw = Draw::of(keys.draw, keys.sample.map(Whole::get));
        Grandmaster {
            basis,
            is_one_of_many: context.is_one_of_many,
            keys,
            data,
        }
    }
}

/// The positions that are read: of a file of which only the first are used no others.
fn read(keys: &GrandmasterKeys) -> Positions {
    let mut positions = keys.positions.clone();
    if keys.draw != DrawKey::Fresh {
        let least = |count: Whole<_, _>, sample: Whole<_, _>| match sample.get() < count.get() {
            true => sample,
            false => count,
        };
        positions.count = match (positions.count, keys.sample) {
            (Some(count), Some(sample)) => Some(least(count, sample)),
            (count, sample) => count.or(sample),
        };
    }
    positions
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
    fn course(&self, _: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let settings = &self.basis.settings;
        let ahead = self.is_one_of_many.then(|| Ahead::new(settings));
        let ahead = ahead.flatten().map(Mutex::new);
        let spawn = || Ok(Counter::new(self, ahead.as_ref()));
        let say: Say<'_> = &|_, file, points| solved(points, file.count);
        let champions = self.basis.champions(say);
        let mut so_far =
            |executor: &mut Executor<'_>, outcome: &Outcome| champions.write(executor, outcome);
        let outcome = evolve(settings, executor, &spawn, &mut so_far)?;
        champions.write(executor, &outcome)?;
        let summary = GrandmasterSummary(outcome.clone());
        Ok(champions.outcome(&outcome, Box::new(summary)))
    }

    fn answers(&self) -> Answers<'_> {
        Answers::none().with::<Count, _>(|| Ok(Counter::new(self, None)))
    }

    fn outline(&self) -> Outline<'_> {
        self.basis.outline()
    }

    fn leaves(&self, _: &Start) -> usize {
        self.basis.leaves()
    }

    fn check(&self, _: &Start, _threads: usize) -> Result<Checked, RunError> {
        let Some(data) = &self.data else {
            return Ok(Checked::nothing());
        };
        check_moves(&Subject {
            basis: &self.basis,
            terms: self.keys.layout.terms(),
            quiescence: self.keys.quiescence.into(),
            train: &data.train,
            test: data.test.as_ref(),
            pool: &data.pool,
        })
    }
}

/// What has come of it.
#[derive(Debug)]
pub struct GrandmasterSummary(pub Outcome);

impl Summary for GrandmasterSummary {
    fn steps_done(&self) -> u64 {
        self.0.generations() as u64
    }

    fn result_text(&self, files: PhaseFiles<'_>) -> Option<String> {
        let (best, train) = (self.0.best()?, files.file(TRAIN)?);
        let trained = rate_text(best.train_solved, train.count);
        let mut text = format!("best is {}: solves {trained} training positions", best.who);
        if let (Some(test), Some(solved)) = (files.file(data::TEST), best.test_solved) {
            let held_out = rate_text(solved, test.count);
            text += &format!(", and {held_out} held-out positions");
        }
        Some(text)
    }

    fn best_so_far(&self) -> Option<String> {
        let best = self.0.best_so_far()?;
        let solved = thousands(u64::from(best.train_solved));
        Some(format!("best solves {solved} positions ({})", best.who))
    }

    fn row(&self, files: PhaseFiles<'_>) -> (String, String) {
        (
            self.0.progress(),
            format!("1-ply searches of {}", data::count_text(files)),
        )
    }

    fn evolved(&self) -> Option<Evolved<'_>> {
        Some(Evolved {
            rows: None,
            first: None,
            last: self.0.best_so_far()?.champion,
            all: self.0.runs.iter().map(|run| &run.champion).collect(),
        })
    }

    fn part(&self, _: &str) -> Option<Part> {
        Some(Part::Moves)
    }

    fn moves(&self) -> Option<&Outcome> {
        Some(&self.0)
    }

    fn measured(&self, files: PhaseFiles<'_>) -> Option<Measured> {
        let (full, test) = (files.file(TRAIN)?.count as u64, files.file(data::TEST));
        let tested = test.map(|file| file.count as u64);
        let runs = self.0.runs.iter().map(|run| {
            let mut evaluations = 0;
            let generations = run.generations.iter().zip(&run.evaluated);
            let course = generations.map(|(generation, evaluated)| {
                evaluations += evaluated;
                Point {
                    evaluations,
                    best: generation.best.into(),
                    mean: Some(generation.mean),
                }
            });
            let solved = run.test_solved.zip(tested);
            MeasuredRun {
                seed: run.seed,
                course: course.collect(),
                held_out: solved.map(|(solved, positions)| HeldOut {
                    points: solved.into(),
                    rate: Rate::new(solved.into(), positions),
                }),
            }
        });
        Some(Measured {
            unit: "positions",
            of: "training positions",
            full,
            held_out_full: tested,
            runs: runs.collect(),
        })
    }
}

/// Counts solved positions on all threads at once.
struct Counter<'a, 'b> {
    phase: &'a Grandmaster,
    /// The runs behind the one that asks.
    ahead: Option<&'a Mutex<Ahead<'b>>>,
    /// What is being counted.
    counting: Option<(Block, Range<usize>)>,
    /// The trees of held-out positions that are being walked.
    held_out: Option<TreeCache>,
}

impl<'a, 'b> Counter<'a, 'b> {
    fn new(phase: &'a Grandmaster, ahead: Option<&'a Mutex<Ahead<'b>>>) -> Counter<'a, 'b> {
        Counter {
            phase,
            ahead,
            counting: None,
            held_out: None,
        }
    }

    /// Where the training positions of a task are, if they are drawn.
    fn places(&self, task: &Count) -> Option<Vec<usize>> {
        let settings = &self.phase.basis.settings;
        let Block::Train {
            run, generation, ..
        } = task.of
        else {
            return None;
        };
        // Behind the last run it is champions that are valued, on all positions.
        let seed = settings
            .schedule
            .seeds
            .get((run as usize).checked_sub(1)?)?;
        let of = (generation, settings.schedule.generations);
        let places = settings.draw.places(*seed, of, settings.train_positions)?;
        Some(places.get(task.positions.clone())?.to_vec())
    }
}

impl Data {
    /// Some of the held-out positions.
    fn held_out(&self, positions: &Range<usize>) -> &[Epd] {
        let problems = self.test.as_ref().map_or(&[][..], |test| &test.problems);
        let end = positions.end.min(problems.len());
        problems.get(positions.start..end).unwrap_or_default()
    }

    /// The trees of the training positions, if they have been asked for.
    fn cache(&self) -> MutexGuard<'_, Option<TreeCache>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker<Count> for Counter<'_, '_> {
    fn answer(&mut self, task: &Count) -> Result<Vec<u32>, WorkError> {
        let Some(data) = &self.phase.data else {
            return Ok(Vec::new());
        };
        self.counting = Some((task.of, task.positions.clone()));
        let quiescence = Quiescence::from(self.phase.keys.quiescence);
        let terms = self.phase.keys.layout.terms();
        let build = |problems: &[Epd]| TreeCache::build(problems, &quiescence, terms);
        let mut trees = data.cache();
        let trees = &mut *trees;
        match task.of {
            Block::Train { .. } => {
                let places = self.places(task);
                let mut count = |individuals: &[EvalParams]| -> Result<Vec<u32>, WorkError> {
                    data.pool.install(|| {
                        let cache = trees.get_or_insert_with(|| build(&data.train.problems));
                        let solved = match &places {
                            Some(places) => cache.solved_at(places, individuals),
                            None => cache.solved_in(task.positions.clone(), individuals),
                        };
                        cache.has_room()?;
                        Ok(solved)
                    })
                };
                match self.ahead {
                    Some(ahead) => {
                        let mut ahead = ahead.lock().unwrap_or_else(PoisonError::into_inner);
                        ahead.answer(task, count)
                    }
                    None => count(&task.individuals),
                }
            }
            // These trees are needed once, so they don't stay, and neither do those of the
            // training positions, with which evolution is over.
            Block::HeldOut { .. } => {
                *trees = None;
                let problems = data.held_out(&task.positions);
                let cache = self.held_out.insert(data.pool.install(|| build(problems)));
                let solved = data.pool.install(|| cache.solved(&task.individuals));
                cache.has_room()?;
                self.held_out = None;
                Ok(solved)
            }
        }
    }

    fn answer_again(&mut self, task: &Count) -> Result<(Vec<u32>, String), WorkError> {
        // Whoever panicked may have been of another run.
        self.ahead = None;
        one_by_one(self, task)
    }

    fn place(&self) -> String {
        let fen = || {
            let (data, (of, positions)) = (self.phase.data.as_ref()?, self.counting.as_ref()?);
            let problem = match (of, &self.held_out) {
                (Block::Train { .. }, _) => {
                    let place = data.cache().as_ref()?.take_panicked()?;
                    data.train.problems.get(place)
                }
                (Block::HeldOut { .. }, cache) => {
                    let place = cache.as_ref()?.take_panicked()?;
                    data.held_out(positions).get(place)
                }
            };
            Some(problem?.position.to_fen())
        };
        fen().unwrap_or_default()
    }
}
