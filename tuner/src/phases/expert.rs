//! The kind `expert`: an evaluation that says what an expert says (2011 §3.3). What that is worth says
//! [`crate::fitness::expert`]; the course is in [`super::positions`].

use super::context::PhaseContext;
use super::dry_run::{INDIVIDUALS, seconds_to_write};
use super::kind::Kind;
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::positions::basis::Basis;
use super::positions::champions::Say;
use super::positions::data::{self, TRAIN, refuse_too_many};
use super::positions::evolve;
use super::positions::imitation::{Data, Examiner, checked, concluded, report};
use super::positions::outcome::Outcome;
use super::sample::{Checked, LEAST, sample};
use super::start::Start;
use super::uses::DataUse;
use crate::base::room;
use crate::base::statistics::hundredths;
use crate::config::expert::ExpertKeys;
use crate::data::suite::{Need, Suite};
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::exec::task::Worker;
use crate::fitness::expert::{LabelledPositions, POINTS, Scales, decay, error_percent};
use crate::fitness::positions::{Block, Count};
use crate::report::expert::{ExpertReport, ExpertRun, Unit, course};
use engine::eval::params::EvalParams;
use engine::params::{Gene, ParamSet};

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
            false => Expert::new(keys, context, context.recorded_files(), None),
        }))
    }
}

/// Parts of a centipawn that are told apart where the covariance is learnt: what it would have a parameter
/// change by is mostly less than one.
const FRACTIONS: i32 = 16;
/// What a position takes at most while its terms are counted, in bytes: some sixty of four, twice.
const POSITION_BYTES: usize = 600;

/// The phase.
#[derive(Debug)]
struct Expert {
    keys: ExpertKeys,
    basis: Basis,
    data: Option<Data<LabelledPositions>>,
}

impl Expert {
    fn open(keys: ExpertKeys, context: &PhaseContext<'_>) -> Result<Expert, RunError> {
        let (train, test, files) = data::open(&keys.positions, Need::Score, context)?;
        refuse_too_many(&files, POINTS)?;
        let pool = context.thread_pool()?;
        let scales = Scales::from(keys.chances);
        let positions = train.problems.len() + test.as_ref().map_or(0, |test| test.problems.len());
        room::ask((positions * POSITION_BYTES) >> 20)?;
        let labelled = |suite: &Suite| LabelledPositions::new(&suite.problems, scales);
        let (train, test) = pool.install(|| (labelled(&train), test.as_ref().map(labelled)));
        let data = Data { train, test, pool };
        Ok(Expert::new(keys, context, files, Some(data)))
    }

    fn new(
        keys: ExpertKeys,
        context: &PhaseContext<'_>,
        files: Vec<DataFile>,
        data: Option<Data<LabelledPositions>>,
    ) -> Expert {
        let layout = (&keys.layout.name[..], &keys.layout.genes[..]);
        let how = (&keys.evolution, &keys.runs);
        let mut basis = Basis::new(KIND.name, context, layout, how, POINTS, files);
        if let Some(covariance) = &keys.covariance {
            basis.settings.encoding.unit = FRACTIONS;
            basis.settings.covariance_from = Some(covariance.from());
        }
        // Points are rounded once a block.
        basis.settings.is_additive = false;
        Expert { keys, basis, data }
    }

    /// What the size of its parameters costs a champion on so many positions.
    fn lost(&self, champion: &ParamSet, positions: usize) -> f64 {
        decay(&champion.eval, 1, self.keys.decay.0) * positions as f64
    }

    fn report(&self, outcome: &Outcome) -> ExpertReport {
        let (train, test) = data::counts(&self.basis.files);
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
        report(&self.basis, Unit::Chances, runs.collect(), outcome)
    }

    /// The points of the individuals of a task.
    fn points(&self, task: &Count) -> Vec<u32> {
        let data = self.data.as_ref();
        let labelled = data.and_then(|data| Some((data, data.of(task.of)?)));
        let is_known = |known: &&LabelledPositions| task.positions.end <= known.len();
        let Some((data, labelled)) = labelled.filter(|(_, known)| is_known(known)) else {
            return Vec::new();
        };
        let positions = task.positions.len();
        let unit = self.basis.settings.encoding.unit;
        let points = || labelled.points(task.positions.clone(), &task.individuals, unit);
        let points = data.pool.install(points);
        // On held-out positions nothing is to be learnt any more.
        let rate = match task.of {
            Block::Train { .. } => self.keys.decay.0,
            Block::HeldOut { .. } => 0.0,
        };
        let lost = |individual| (decay(individual, unit, rate) * positions as f64).round() as u32;
        let individuals = task.individuals.iter();
        individuals
            .zip(points)
            .map(|(individual, points)| points.saturating_sub(lost(individual)))
            .collect()
    }

    /// Who answers tasks.
    fn examiner(&self) -> impl Worker<Count> {
        Examiner(|task: &Count| Ok(self.points(task)))
    }
}

impl Phase for Expert {
    fn course(&self, _: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        let spawn = || Ok(self.examiner());
        let say: Say<'_> = &|champion, file, points| {
            let lost = match file.role == TRAIN {
                true => self.lost(champion, file.count),
                false => 0.0,
            };
            let error = error_percent(f64::from(points) + lost, file.count);
            vec![("error_percent", hundredths(error).into())]
        };
        let champions = self.basis.champions(say);
        let mut so_far =
            |executor: &mut Executor<'_>, outcome: &Outcome| champions.write(executor, outcome);
        let outcome = evolve(&self.basis.settings, executor, &spawn, &mut so_far)?;
        champions.write(executor, &outcome)?;
        concluded(self.report(&outcome), &champions, &outcome, executor)
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

    fn check(&self, _start: &Start, _threads: usize) -> Result<Checked, RunError> {
        let Some(data) = &self.data else {
            return Ok(Checked::nothing());
        };
        let settings = &self.basis.settings;
        let individuals = settings.first_individuals(INDIVIDUALS)?;
        let all = data.train.len();
        let score = |individuals: &[EvalParams]| {
            let points = || data.train.points(0..all, individuals, 1);
            data.pool.install(points)
        };
        let mut points = Vec::new();
        let scored = sample(LEAST, 1, |_| {
            points = score(&individuals);
            Ok::<_, RunError>(individuals.len() as f64)
        })?;
        let best = points.iter().copied().max().unwrap_or(0);
        let default = score(&[ParamSet::default().eval]);
        let default = default.first().copied().unwrap_or(0);
        let generations = settings.schedule.all_generations();
        let to_score = generations as f64 * settings.method.individuals() as f64;
        let seconds = scored.time_of(to_score) + seconds_to_write(generations);
        let error = |points: u32| error_percent(f64::from(points), all);
        let (best, default) = (error(best), error(default));
        let errors = format!("{best:.2} %; of the engine's own evaluation {default:.2} %");
        let found = (individuals.len(), errors.as_str());
        let time = (seconds, data.pool.current_num_threads());
        Ok(checked(&self.basis, "", found, time))
    }
}
