//! The kind `expert`: an evaluation that says what an expert says (2011 §3.3). What that is worth says
//! [`crate::fitness::expert`]; the course is in [`super::positions`].

use super::context::PhaseContext;
use super::dry_run::seconds_to_write;
use super::kind::Kind;
use super::phase::{Keys, Phase, PhaseOutcome};
use super::positions::champions::Champions;
use super::positions::data::{self, TEST, TRAIN, refuse_too_many};
use super::positions::expert_summary::ExpertSummary;
use super::positions::outcome::{Outcome, Who};
use super::positions::{Settings, evolve};
use super::sample::{Checked, LEAST, sample};
use super::start::Start;
use super::uses::DataUse;
use crate::base::progress::duration;
use crate::base::room;
use crate::base::statistics::{counted, hundredths};
use crate::config::expert::ExpertKeys;
use crate::data::suite::Need;
use crate::encoding::Encoding;
use crate::encoding::files::{Layouts, Provenance};
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::Worker;
use crate::fitness::expert::{LabelledPositions, POINTS, Scales, decay, error_percent};
use crate::fitness::positions::{Block, Count, one_by_one};
use crate::report::expert::{ERROR_NAME, ExpertReport, ExpertRun, Unit, course, figure};
use engine::eval::params::EvalParams;
use engine::params::{Gene, ParamSet, Table};

/// The registry's line.
pub const KIND: Kind = Kind::of::<ExpertKeys>(
    "expert",
    "Evolves the evaluation until its scores agree with those of an expert engine (2011 §3.3).",
)
.flat();

impl Keys for ExpertKeys {
    fn check(&self) -> Result<(), String> {
        ExpertKeys::check(self)
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
            true => Expert::open(keys, context)?,
            false => Expert::closed(keys, context),
        }))
    }

    fn boxed(&self) -> Box<dyn Keys> {
        Box::new(self.clone())
    }
}

/// Parts of a centipawn that are told apart where the covariance is learnt: what it would have a parameter
/// change by is mostly less than one.
const FRACTIONS: i32 = 16;
/// What a position takes at most while its terms are counted, in bytes: some sixty of four, twice.
const POSITION_BYTES: usize = 600;
/// Individuals of the check's miniature generation at most.
const INDIVIDUALS: usize = 200;

/// The phase.
#[derive(Debug)]
pub struct Expert {
    keys: ExpertKeys,
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

impl Expert {
    /// With its data.
    ///
    /// # Errors
    /// The positions are refused.
    pub fn open(keys: ExpertKeys, context: &PhaseContext<'_>) -> Result<Expert, RunError> {
        let (train, test, files) = data::open(&keys.positions, Need::Score, context)?;
        refuse_too_many(&files, POINTS)?;
        let pool = context.thread_pool()?;
        let scales = Scales::from(keys.chances);
        let positions = train.problems.len() + test.as_ref().map_or(0, |test| test.problems.len());
        room::ask((positions * POSITION_BYTES) >> 20)?;
        let data = pool.install(|| {
            let train = LabelledPositions::new(&train.problems, scales);
            let test = test.map(|test| LabelledPositions::new(&test.problems, scales));
            (train, test)
        });
        let data = Data {
            train: data.0,
            test: data.1,
            pool,
        };
        Ok(Expert::new(keys, context, files, Some(data)))
    }

    /// Without data: enough to go through a journal.
    pub fn closed(keys: ExpertKeys, context: &PhaseContext<'_>) -> Expert {
        let files = context.recorded_files();
        Expert::new(keys, context, files, None)
    }

    fn new(
        keys: ExpertKeys,
        context: &PhaseContext<'_>,
        files: Vec<DataFile>,
        data: Option<Data>,
    ) -> Expert {
        let how = (&keys.evolution, &keys.runs);
        let mut settings = Settings::new(&keys.layout.genes, how, POINTS, data::counts(&files));
        if let Some(covariance) = &keys.covariance {
            settings.encoding.unit = FRACTIONS;
            settings.covariance_from = Some(covariance.from());
        }
        // Points are rounded once a block.
        settings.is_additive = false;
        Expert {
            settings,
            origin: context.origin(KIND.name),
            keys,
            files,
            data,
        }
    }

    /// What the size of its parameters costs a champion on so many positions.
    fn lost(&self, champion: &ParamSet, positions: usize) -> f64 {
        decay(&champion.eval, 1, self.keys.decay.0) * positions as f64
    }

    fn report(&self, outcome: &Outcome) -> ExpertReport {
        let (train, test) = data::counts(&self.files);
        let runs = outcome.runs.iter().map(|run| ExpertRun {
            seed: run.seed,
            generations: run.generations.len(),
            course: course(&run.generations, |points| error_percent(points, train)),
            train: error_percent(
                f64::from(run.train_solved) + self.lost(&run.champion, train),
                train,
            ),
            test: run
                .test_solved
                .zip(test)
                .map(|(points, test)| error_percent(f64::from(points), test)),
        });
        ExpertReport {
            unit: Unit::Chances,
            layout: self.keys.layout.name.clone(),
            positions: train,
            test_positions: test.unwrap_or(0),
            runs: runs.collect(),
            best: outcome.best_so_far().and_then(|best| match best.who {
                Who::Run(place) => Some(place),
                Who::Mean => None,
            }),
        }
    }
}

impl Phase for Expert {
    fn course(&self, _: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let spawn = || Ok(Examiner { phase: self });
        let champions = Champions {
            origin: &self.origin,
            files: &self.files,
            layout: &self.keys.layout.name,
            say: &|champion, file, points| {
                let lost = match file.role == TRAIN {
                    true => self.lost(champion, file.count),
                    false => 0.0,
                };
                let error = error_percent(f64::from(points) + lost, file.count);
                vec![("error_percent", hundredths(error).into())]
            },
        };
        let mut so_far =
            |executor: &mut Executor<'_>, outcome: &Outcome| champions.write(executor, outcome);
        let outcome = evolve(&self.settings, executor, &spawn, &mut so_far)?;
        champions.write(executor, &outcome)?;
        let report = self.report(&outcome);
        if !report.runs.is_empty() {
            let figure = figure(&report).map_err(RunError::Report)?;
            executor.write(&format!("{ERROR_NAME}.svg"), figure.file())?;
        }
        let summary = ExpertSummary {
            report,
            progress: outcome.progress(),
            generations: outcome.generations() as u64,
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
        self.settings.schedule.seeds.len() + usize::from(self.settings.mean)
    }

    fn layouts(&self) -> Layouts<'_> {
        (vec![self.keys.layout.name.as_str()], vec![Table::Eval])
    }

    fn check(&self, _start: &Start, _threads: usize) -> Result<Checked, RunError> {
        let Some(data) = &self.data else {
            return Ok(Checked::nothing());
        };
        let settings = &self.settings;
        let seed = settings.schedule.seeds.first().copied().unwrap_or(0);
        let first = settings.population(seed)?.ask().individuals;
        let individuals: Vec<EvalParams> = (first.iter().take(INDIVIDUALS))
            .map(|phenotype| settings.encoding.params(phenotype).eval)
            .collect();
        let mut points = Vec::new();
        let scored = sample(LEAST, 1, |_| {
            let all = 0..data.train.len();
            points = data
                .pool
                .install(|| data.train.points(all, &individuals, 1));
            Ok::<_, RunError>(individuals.len() as f64)
        })?;
        let best = points.iter().copied().max().unwrap_or(0);
        let default = [ParamSet::default().eval];
        let of_default = data
            .pool
            .install(|| data.train.points(0..data.train.len(), &default, 1));
        let default = of_default.first().copied().unwrap_or(0);
        let to_score = self.generations() as f64 * settings.method.individuals() as f64;
        let seconds = scored.time_of(to_score) + seconds_to_write(self.generations());
        let file = |role: &str| {
            let file = self.files.iter().find(|file| file.role == role);
            file.map_or("none".to_string(), |file| {
                format!("{}, {} positions", file.name(), file.count)
            })
        };
        let error = |points: u32| error_percent(f64::from(points), data.train.len());
        let text = format!(
            "  layout {}: {} genes, {} bits\n  {} of {} generations of {} individuals\n  \
             training: {}\n  held out: {}\nMiniature generation: {} random individuals, error of \
             the best {:.2} %; of the engine's own evaluation {:.2} %\n\
             Estimated time of all runs: about {} on {}, less where individuals repeat",
            self.keys.layout.name,
            settings.encoding.genes.len(),
            settings.encoding.shape.bits(),
            counted(settings.schedule.seeds.len(), "run"),
            settings.schedule.generations,
            settings.method.individuals(),
            file(TRAIN),
            file(TEST),
            individuals.len(),
            error(best),
            error(default),
            duration(seconds),
            counted(data.pool.current_num_threads(), "thread")
        );
        Ok(Checked { text, seconds })
    }
}

/// Gives points on all threads at once.
struct Examiner<'a> {
    phase: &'a Expert,
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
        let Some(labelled) = labelled.filter(|known| task.positions.end <= known.len()) else {
            return Ok(Vec::new());
        };
        let positions = task.positions.len();
        let unit = self.phase.settings.encoding.unit;
        let points = || labelled.points(task.positions.clone(), &task.individuals, unit);
        let points = data.pool.install(points);
        // On held-out positions nothing is to be learnt any more.
        let rate = match task.of {
            Block::Train { .. } => self.phase.keys.decay.0,
            Block::HeldOut { .. } => 0.0,
        };
        let lost = |individual| (decay(individual, unit, rate) * positions as f64).round() as u32;
        let individuals = task.individuals.iter();
        Ok(individuals
            .zip(points)
            .map(|(individual, points)| points.saturating_sub(lost(individual)))
            .collect())
    }

    fn answer_again(&mut self, task: &Count) -> Result<(Vec<u32>, String), WorkError> {
        one_by_one(self, task)
    }
}
