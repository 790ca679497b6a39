//! The kind `expert-2011`: an evaluation whose scores come as near as can be to an expert's, in centipawns, by the
//! method of the paper (2011 §3.3, §3.4). What an error is says [`crate::fitness::expert_2011`].
//!
//! | file | job |
//! |---|---|
//! | `mod` | data, course, what there is to report |
//! | `objective` | the errors of a generation |
//!
//! Where the paper is silent: an individual's score is its static evaluation or the frozen quiescence's, as the
//! profile says. A run's champion is the best of its last generation, by that generation's positions; of several
//! runs the one counts whose champion has the least error on all training positions.

mod objective;

use super::context::PhaseContext;
use super::dry_run::{INDIVIDUALS, seconds_to_write};
use super::kind::Kind;
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::positions::basis::Basis;
use super::positions::champions::Say;
use super::positions::data::{self, TEST, TRAIN, refuse_too_many};
use super::positions::draw::draw;
use super::positions::imitation::{Data, Examiner, checked, concluded, report};
use super::positions::outcome::Outcome;
use super::positions::score_held_out;
use super::sample::{Checked, LEAST, sample};
use super::start::Start;
use super::uses::DataUse;
use crate::base::statistics::{hundredths, thousands};
use crate::config::expert_2011::Expert2011Keys;
use crate::data::suite::{Need, Suite, SuiteError, expert_score};
use crate::drive::drive;
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::Worker;
use crate::fitness::expert_2011::{LabelledPositions, MOST, POINTS};
use crate::fitness::positions::{Block, Count};
use crate::report::expert::{ExpertReport, ExpertRun, Unit, course};
use engine::eval::params::EvalParams;
use engine::one_ply::Quiescence;
use engine::params::{Gene, ParamTable as _};
use engine::position::Position;
use objective::{Errors, RunSoFar, error};
use std::time::Instant;

/// The registry's line.
pub const KIND: Kind = Kind::of::<Expert2011Keys>(
    "expert-2011",
    "Evolves the evaluation until its scores are those of an expert engine, by the paper's own method\n(2011 §3).",
)
.flat();

impl Keys for Expert2011Keys {
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
            true => Expert2011::open(keys, context)?,
            false => Expert2011::new(keys, context, context.recorded_files(), None),
        }))
    }
}

/// The phase.
#[derive(Debug)]
struct Expert2011 {
    keys: Expert2011Keys,
    basis: Basis,
    data: Option<Data<LabelledPositions>>,
}

impl Expert2011 {
    fn open(keys: Expert2011Keys, context: &PhaseContext<'_>) -> Result<Expert2011, RunError> {
        let (train, test, mut files) = data::open(&keys.positions, Need::Score, context)?;
        let train = used(&train, &mut files, TRAIN, keys.sample.get())?;
        let test = match test {
            Some(test) => Some(used(&test, &mut files, TEST, 1)?),
            None => None,
        };
        refuse_too_many(&files, POINTS)?;
        let pool = context.thread_pool()?;
        let quiescence = Quiescence::from(keys.score);
        let terms = keys.layout.terms();
        let labelled =
            |positions: &[(Position, i32)]| LabelledPositions::new(positions, &quiescence, terms);
        let (train, test) = pool.install(|| (labelled(&train), test.as_deref().map(labelled)));
        let data = Data { train, test, pool };
        Ok(Expert2011::new(keys, context, files, Some(data)))
    }

    fn new(
        keys: Expert2011Keys,
        context: &PhaseContext<'_>,
        files: Vec<DataFile>,
        data: Option<Data<LabelledPositions>>,
    ) -> Expert2011 {
        let layout = (&keys.layout.name[..], &keys.layout.genes[..]);
        let how = (&keys.evolution, &keys.runs);
        let basis = Basis::new(KIND.name, context, layout, how, POINTS, files);
        Expert2011 { keys, basis, data }
    }

    fn report(&self, runs: &[RunSoFar], outcome: &Outcome) -> ExpertReport {
        let (train, test) = data::counts(&self.basis.files);
        let sample = self.keys.sample.get();
        let of_sample = |points| error(points, sample);
        let run = |(at, (seed, generations)): (usize, &RunSoFar)| {
            let ended = outcome.runs.get(at);
            let on_sample = generations.last().map_or(0.0, |last| last.best.into());
            let test_solved = ended.and_then(|run| run.test_solved);
            ExpertRun {
                seed: *seed,
                generations: generations.len(),
                course: course(generations, of_sample),
                train: match ended {
                    Some(run) => error(run.train_solved.into(), train),
                    None => of_sample(on_sample),
                },
                test: (test_solved.zip(test)).map(|(points, test)| error(points.into(), test)),
            }
        };
        let runs = runs.iter().enumerate().map(run).collect();
        report(&self.basis, Unit::Centipawns { sample }, runs, outcome)
    }

    /// The positions of a task: those drawn for a generation, or all of a file.
    fn places(&self, task: &Count, known: usize) -> Vec<usize> {
        let seeds = &self.basis.settings.schedule.seeds;
        let places = match task.of {
            Block::Train {
                run, generation, ..
            } => (seeds.get((run as usize).wrapping_sub(1)))
                .map(|&seed| draw(seed, generation, self.keys.sample.get(), known)),
            Block::HeldOut { .. } => None,
        };
        let places = places.unwrap_or_else(|| (0..known).collect());
        places
            .get(task.positions.clone())
            .unwrap_or_default()
            .to_vec()
    }

    /// The points of the individuals of a task.
    fn points(&self, task: &Count) -> Result<Vec<u32>, WorkError> {
        let data = self.data.as_ref();
        let Some((data, labelled)) = data.and_then(|data| Some((data, data.of(task.of)?))) else {
            return Ok(Vec::new());
        };
        let places = self.places(task, labelled.len());
        let points = || labelled.points(&places, &task.individuals);
        Ok(data.pool.install(points)?)
    }

    /// Who answers tasks.
    fn examiner(&self) -> impl Worker<Count> {
        Examiner(|task: &Count| self.points(task))
    }
}

/// The positions that are used of a file, with their scores; the others are counted in its note.
fn used(
    suite: &Suite,
    files: &mut [DataFile],
    role: &str,
    least: usize,
) -> Result<Vec<(Position, i32)>, SuiteError> {
    let scored = suite.problems.iter();
    let scored = scored.filter_map(|problem| Some((problem.position, expert_score(problem)?)));
    let used: Vec<_> = scored.filter(|(_, score)| score.abs() <= MOST).collect();
    if used.len() < least {
        let expected = format!(
            "{} or more whose score is no mate and not beyond {} centipawns",
            thousands(least as u64),
            thousands(MOST as u64)
        );
        return Err(SuiteError::count(&suite.path, used.len(), expected));
    }
    let left_out = suite.problems.len() - used.len();
    if let Some(file) = files.iter_mut().find(|file| file.role == role) {
        file.count = used.len();
        file.note = (left_out > 0).then(|| {
            let left_out = thousands(left_out as u64);
            let most = thousands(MOST as u64);
            format!("{left_out} positions left out: mates and scores beyond {most} centipawns")
        });
    }
    Ok(used)
}

impl Phase for Expert2011 {
    fn course(&self, _: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let settings = &self.basis.settings;
        let spawn = || Ok(self.examiner());
        let say: Say<'_> = &|_, file, points| {
            let error = error(points.into(), file.count);
            vec![("error_centipawns", hundredths(error).into())]
        };
        let champions = self.basis.champions(say);
        let mut so_far =
            |executor: &mut Executor<'_>, outcome: &Outcome| champions.write(executor, outcome);
        let mut errors = Errors::new(settings, self.keys.sample.get(), &spawn, &mut so_far);
        let begin = &mut |seed| settings.population(seed);
        let all = drive(&settings.schedule, &mut errors, executor, begin)?;
        let (runs, mut outcome) = (errors.runs, errors.outcome);
        if all && outcome.runs.len() == settings.schedule.seeds.len() {
            outcome.complete = score_held_out(settings, &mut outcome, executor, &spawn)?;
            champions.write(executor, &outcome)?;
        }
        let report = self.report(&runs, &outcome);
        concluded(report, &champions, &outcome, executor)
    }

    fn answers(&self) -> Answers<'_> {
        Answers::none().with::<Count, _>(|| Ok(self.examiner()))
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
        let (settings, size) = (&self.basis.settings, self.keys.sample.get());
        let mut individuals = settings.first_individuals(INDIVIDUALS)?;
        // The last one says 0 of everything.
        individuals.push(EvalParams::missing());
        let seed = settings.schedule.seeds.first().copied().unwrap_or(0);
        let places = draw(seed, 0, size, data.train.len());
        let points = || data.train.points(&places, &individuals);
        let score = || data.pool.install(points);
        // The first walk mostly makes the trees grow, which a run does once with each.
        let begun = Instant::now();
        let mut points = score()?;
        let first = begun.elapsed().as_secs_f64();
        let walked = individuals.len() as f64;
        let scored = sample(LEAST, 1, |_| {
            points = score()?;
            Ok::<_, RunError>(walked)
        })?;
        let growing = (first - scored.time_of(walked)).max(0.0) / size.max(1) as f64;
        let trees = data.train.len() + data.test.as_ref().map_or(0, LabelledPositions::len);
        let of_zero = points.pop().unwrap_or(0);
        let best = points.iter().copied().max().unwrap_or(0);
        let generations = settings.schedule.all_generations();
        let to_score = generations as f64 * settings.method.individuals() as f64;
        let seconds =
            scored.time_of(to_score) + growing * trees as f64 + seconds_to_write(generations);
        let errors = format!(
            "{:.1} centipawns; of who says 0 of everything {:.1}",
            error(best.into(), size),
            error(of_zero.into(), size)
        );
        let found = (points.len(), errors.as_str());
        let time = (seconds, data.pool.current_num_threads());
        let each = format!(", each on {size} positions");
        Ok(checked(&self.basis, &each, found, time))
    }
}
