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
use super::dry_run::seconds_to_write;
use super::kind::Kind;
use super::phase::{Keys, Phase, PhaseOutcome};
use super::positions::champions::Champions;
use super::positions::data::{self, TEST, TRAIN, refuse_too_many};
use super::positions::draw::draw;
use super::positions::expert_summary::ExpertSummary;
use super::positions::outcome::{Outcome, Who};
use super::positions::{Settings, score_held_out};
use super::sample::{Checked, LEAST, sample};
use super::start::Start;
use super::uses::DataUse;
use crate::base::progress::duration;
use crate::base::statistics::{counted, hundredths, thousands};
use crate::config::expert_2011::Expert2011Keys;
use crate::data::suite::{Need, Suite, SuiteError, expert_score};
use crate::drive::drive;
use crate::encoding::Encoding;
use crate::encoding::files::{Layouts, Provenance};
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::Worker;
use crate::fitness::expert_2011::{LabelledPositions, MOST, POINTS};
use crate::fitness::positions::{Block, Count, one_by_one};
use crate::report::expert::{ERROR_NAME, ExpertReport, ExpertRun, Unit, course, figure};
use engine::eval::params::EvalParams;
use engine::one_ply::Quiescence;
use engine::params::{Gene, ParamTable as _, Table};
use engine::position::Position;
use objective::{Errors, RunSoFar, error};
use std::time::Instant;

/// The registry's line.
pub const KIND: Kind = Kind::of::<Expert2011Keys>(
    "expert-2011",
    "Evolves the evaluation until its scores are those of an expert engine, by the paper's own method\n(2011 §3).",
)
.flat();

/// Individuals of the check's miniature generation at most.
const INDIVIDUALS: usize = 200;

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

    fn boxed(&self) -> Box<dyn Keys> {
        Box::new(self.clone())
    }
}

/// The phase.
#[derive(Debug)]
struct Expert2011 {
    keys: Expert2011Keys,
    settings: Settings,
    origin: Provenance,
    files: Vec<DataFile>,
    data: Option<Data>,
}

/// What work needs beside the keys.
#[derive(Debug)]
struct Data {
    train: LabelledPositions,
    test: Option<LabelledPositions>,
    pool: rayon::ThreadPool,
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
        let data = pool.install(|| (labelled(&train), test.as_deref().map(labelled)));
        let data = Data {
            train: data.0,
            test: data.1,
            pool,
        };
        Ok(Expert2011::new(keys, context, files, Some(data)))
    }

    fn new(
        keys: Expert2011Keys,
        context: &PhaseContext<'_>,
        files: Vec<DataFile>,
        data: Option<Data>,
    ) -> Expert2011 {
        let how = (&keys.evolution, &keys.runs);
        Expert2011 {
            settings: Settings::new(&keys.layout.genes, how, POINTS, data::counts(&files)),
            origin: context.origin(KIND.name),
            keys,
            files,
            data,
        }
    }

    fn report(&self, runs: &[RunSoFar], outcome: &Outcome) -> ExpertReport {
        let (train, test) = data::counts(&self.files);
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
        ExpertReport {
            unit: Unit::Centipawns { sample },
            layout: self.keys.layout.name.clone(),
            positions: train,
            test_positions: test.unwrap_or(0),
            runs: runs.iter().enumerate().map(run).collect(),
            best: outcome.best().and_then(|best| match best.who {
                Who::Run(place) => Some(place),
                Who::Mean => None,
            }),
        }
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
        return Err(SuiteError::Count {
            path: suite.path.clone(),
            found: used.len(),
            expected: format!(
                "{} or more whose score is no mate and not beyond {} centipawns",
                thousands(least as u64),
                thousands(MOST as u64)
            ),
        });
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
        let settings = &self.settings;
        let spawn = || Ok(Examiner { phase: self });
        let champions = Champions {
            origin: &self.origin,
            files: &self.files,
            layout: &self.keys.layout.name,
            say: &|_, file, points| {
                let error = error(points.into(), file.count);
                vec![("error_centipawns", hundredths(error).into())]
            },
        };
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
        if !report.runs.is_empty() {
            let figure = figure(&report).map_err(RunError::Report)?;
            executor.write(&format!("{ERROR_NAME}.svg"), figure.file())?;
        }
        let generations = runs.iter().map(|(_, generations)| generations.len() as u64);
        let generations: u64 = generations.sum();
        let summary = ExpertSummary {
            progress: format!("{} run(s), {generations} generations", report.runs.len()),
            report,
            generations,
        };
        Ok(champions.outcome(&outcome, Box::new(summary)))
    }

    fn answers(&self) -> Answers<'_> {
        Answers::none().with::<Count, _>(|| Ok(Examiner { phase: self }))
    }

    fn files(&self) -> &[DataFile] {
        &self.files
    }

    fn encoding(&self) -> Option<&Encoding> {
        Some(&self.settings.encoding)
    }

    fn generations(&self) -> u64 {
        self.settings.schedule.all_generations()
    }

    fn leaves(&self, _: &Start) -> usize {
        self.settings.schedule.seeds.len()
    }

    fn layouts(&self) -> Layouts<'_> {
        (vec![self.keys.layout.name.as_str()], vec![Table::Eval])
    }

    fn check(&self, _: &Start, _threads: usize) -> Result<Checked, RunError> {
        let Some(data) = &self.data else {
            return Ok(Checked::nothing());
        };
        let (settings, size) = (&self.settings, self.keys.sample.get());
        let seed = settings.schedule.seeds.first().copied().unwrap_or(0);
        let first = settings.population(seed)?.ask().individuals;
        let mut individuals: Vec<EvalParams> = (first.iter().take(INDIVIDUALS))
            .map(|phenotype| settings.encoding.evaluation(phenotype))
            .collect();
        // The last one says 0 of everything.
        individuals.push(EvalParams::missing());
        let places = draw(seed, 0, size, data.train.len());
        let score = || {
            data.pool
                .install(|| data.train.points(&places, &individuals))
        };
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
        let to_score = self.generations() as f64 * settings.method.individuals() as f64;
        let seconds = scored.time_of(to_score)
            + growing * trees as f64
            + seconds_to_write(self.generations());
        let file = |role: &str| {
            let file = self.files.iter().find(|file| file.role == role);
            file.map_or("none".to_string(), |file| {
                let note = file.note.as_ref();
                let note = note.map_or(String::new(), |note| format!("; {note}"));
                format!("{}, {} positions{note}", file.name(), file.count)
            })
        };
        let text = format!(
            "  layout {}: {} genes, {} bits\n  {} of {} generations of {} individuals, each on \
             {size} positions\n  training: {}\n  held out: {}\nMiniature generation: {} random individuals, \
             error of the best {:.1} centipawns; of who says 0 of everything {:.1}\n\
             Estimated time of all runs: about {} on {}, less where individuals repeat",
            self.keys.layout.name,
            settings.encoding.genes.len(),
            settings.encoding.shape.bits(),
            counted(settings.schedule.seeds.len(), "run"),
            settings.schedule.generations,
            settings.method.individuals(),
            file(TRAIN),
            file(TEST),
            points.len(),
            error(best.into(), size),
            error(of_zero.into(), size),
            duration(seconds),
            counted(data.pool.current_num_threads(), "thread")
        );
        Ok(Checked { text, seconds })
    }
}

/// Gives points on all threads at once.
struct Examiner<'a> {
    phase: &'a Expert2011,
}

impl Examiner<'_> {
    /// The positions of a task: those drawn for a generation, or all of a file.
    fn places(&self, task: &Count, known: usize) -> Vec<usize> {
        let seeds = &self.phase.settings.schedule.seeds;
        let places = match task.of {
            Block::Train {
                run, generation, ..
            } => (seeds.get((run as usize).wrapping_sub(1)))
                .map(|&seed| draw(seed, generation, self.phase.keys.sample.get(), known)),
            Block::HeldOut { .. } => None,
        };
        let places = places.unwrap_or_else(|| (0..known).collect());
        places
            .get(task.positions.clone())
            .unwrap_or_default()
            .to_vec()
    }
}

impl Worker<Count> for Examiner<'_> {
    fn answer(&mut self, task: &Count) -> Result<Vec<u32>, WorkError> {
        let Some(data) = &self.phase.data else {
            return Ok(Vec::new());
        };
        let labelled = match task.of {
            Block::Train { .. } => Some(&data.train),
            Block::HeldOut { .. } => data.test.as_ref(),
        };
        let Some(labelled) = labelled else {
            return Ok(Vec::new());
        };
        let places = self.places(task, labelled.len());
        let points = || labelled.points(&places, &task.individuals);
        Ok(data.pool.install(points)?)
    }

    fn answer_again(&mut self, task: &Count) -> Result<(Vec<u32>, String), WorkError> {
        one_by_one(self, task)
    }
}
