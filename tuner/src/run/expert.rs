//! The phase of kind `expert` as a phase of a run: an evaluation that says what an expert says.
//! What that is worth says [`crate::fitness::expert`]; the course is in [`super::evolve`].

use super::RunError;
use super::desk::Desk;
use super::evolve::{Block, Count, Outcome, Who, evolve, one_by_one};
use super::genotype::Genotype;
use super::lessons::{self, Champions, TEST, TRAIN};
use super::miniature::seconds_to_write;
use super::phase::{Phase, PhaseOutcome, PhaseResult, Provenance, Start, Worker};
use super::plan::Site;
use super::recipe::{BLOCK, Recipe, blocks};
use super::sample::{Checked, LEAST, sample};
use crate::config::Kind;
use crate::config::expert::ExpertKeys;
use crate::data::suite::{Need, SuiteError};
use crate::evolution::ga::Ga;
use crate::fitness::expert::{Lessons, POINTS, Scales, decay, error_percent};
use crate::journal::DataFile;
use crate::progress::duration;
use crate::report::GenerationStats;
use crate::report::expert::{ERROR_NAME, ExpertReport, ExpertRun, figure};
use crate::report::figures::Course;
use crate::room;
use crate::statistics::hundredths;
use engine::eval::params::EvalParams;
use engine::params::{ParamSet, Table};

/// Generations that a figure shows at most, but for the last.
const DRAWN: usize = 400;
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
    recipe: Recipe,
    origin: Provenance,
    files: Vec<DataFile>,
    data: Option<Data>,
}

/// What work needs beside the keys.
#[derive(Debug)]
struct Data {
    train: Lessons,
    test: Option<Lessons>,
    pool: rayon::ThreadPool,
}

impl Expert {
    /// With its data.
    ///
    /// # Errors
    /// The positions are refused.
    pub fn open(keys: ExpertKeys, site: &Site<'_>) -> Result<Expert, RunError> {
        let (train, test, files) = lessons::open(&keys.positions, Need::Score, site)?;
        refuse_too_many(&files)?;
        let pool = site.thread_pool()?;
        let scales = Scales::from(keys.chances);
        let positions = train.problems.len() + test.as_ref().map_or(0, |test| test.problems.len());
        room::ask((positions * POSITION_BYTES) >> 20)?;
        let data = pool.install(|| {
            let train = Lessons::new(&train.problems, scales);
            let test = test.map(|test| Lessons::new(&test.problems, scales));
            (train, test)
        });
        let data = Data {
            train: data.0,
            test: data.1,
            pool,
        };
        Ok(Expert::new(keys, site, files, Some(data)))
    }

    /// Without data: enough to go through a journal.
    pub fn closed(keys: ExpertKeys, site: &Site<'_>) -> Expert {
        let files = site.recorded_files();
        Expert::new(keys, site, files, None)
    }

    fn new(keys: ExpertKeys, site: &Site<'_>, files: Vec<DataFile>, data: Option<Data>) -> Expert {
        let how = (&keys.evolution, &keys.runs);
        let mut recipe = Recipe::new(&keys.layout.genes, how, POINTS, lessons::counts(&files));
        if let Some(covariance) = &keys.covariance {
            recipe.genotype.unit = FRACTIONS;
            recipe.covariance_from = Some(covariance.from());
        }
        Expert {
            recipe,
            origin: site.origin(Kind::Expert),
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
        let (train, test) = lessons::counts(&self.files);
        let runs = outcome.runs.iter().map(|run| ExpertRun {
            seed: run.seed,
            generations: run.generations.len(),
            course: course(&run.generations, train),
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

/// Errors of the best and of the mean, by generation: no more of them than a figure shows.
fn course(generations: &[GenerationStats], positions: usize) -> Course {
    let step = generations.len().div_ceil(DRAWN).max(1);
    let last = generations.len().saturating_sub(1);
    let drawn = generations.iter().enumerate();
    drawn
        .filter(|(at, _)| at % step == 0 || *at == last)
        .map(|(_, stats)| {
            (
                stats.generation,
                error_percent(f64::from(stats.best), positions),
                error_percent(stats.mean, positions),
            )
        })
        .collect()
}

impl Phase for Expert {
    fn course(&self, _start: &Start, desk: &mut Desk<'_>) -> Result<PhaseOutcome, RunError> {
        let hire = || Ok(Examiner { phase: self });
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
        let mut so_far = |desk: &mut Desk<'_>, outcome: &Outcome| champions.write(desk, outcome);
        let outcome = evolve(&self.recipe, desk, &hire, &mut so_far)?;
        champions.write(desk, &outcome)?;
        let report = self.report(&outcome);
        if !report.runs.is_empty() {
            let figure = figure(&report).map_err(RunError::Report)?;
            desk.write(&format!("{ERROR_NAME}.svg"), figure.file())?;
        }
        Ok(champions.outcome(&outcome, PhaseResult::Expert(report)))
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
        let Some(data) = &self.data else {
            return Ok(Checked::nothing());
        };
        let recipe = &self.recipe;
        let seed = recipe.seeds.first().copied().unwrap_or(0);
        let ga = Ga::new(recipe.settings.clone(), &recipe.genotype.shape, seed);
        let genotype = &recipe.genotype;
        let genomes = ga.population().iter().take(INDIVIDUALS);
        let individuals: Vec<EvalParams> = genomes
            .map(|genome| genotype.params(&genotype.phenotype(genome)).eval)
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
        let to_score = self.generations() as f64 * recipe.settings.population as f64;
        let seconds = scored.time_of(to_score) + seconds_to_write(self.generations());
        let file = |role: &str| {
            let file = self.files.iter().find(|file| file.role == role);
            file.map_or("none".to_string(), |file| {
                format!("{}, {} positions", file.name(), file.count)
            })
        };
        let error = |points: u32| error_percent(f64::from(points), data.train.len());
        let text = format!(
            "  layout {}: {} genes, {} bits\n  {} run(s) of {} generations of {} individuals\n  \
             training: {}\n  held out: {}\nMiniature generation: {} random individuals, error of \
             the best {:.2} %; of the engine's own evaluation {:.2} %\n\
             Estimated time of all runs: about {} on {} thread(s), less where individuals repeat",
            self.keys.layout.name,
            recipe.genotype.genes.len(),
            recipe.genotype.shape.bits(),
            recipe.seeds.len(),
            recipe.generations,
            recipe.settings.population,
            file(TRAIN),
            file(TEST),
            individuals.len(),
            error(best),
            error(default),
            duration(seconds),
            data.pool.current_num_threads()
        );
        Ok(Checked { text, seconds })
    }
}

/// Gives points on all threads at once.
struct Examiner<'a> {
    phase: &'a Expert,
}

impl Worker<Count<'_>> for Examiner<'_> {
    fn answer(&mut self, task: &Count<'_>) -> Result<Vec<u32>, RunError> {
        let Some(data) = &self.phase.data else {
            return Ok(Vec::new());
        };
        let (lessons, block) = match task.of {
            Block::Train { block, .. } => (Some(&data.train), block),
            Block::HeldOut { block } => (data.test.as_ref(), block),
        };
        let Some(lessons) = lessons else {
            return Ok(Vec::new());
        };
        let range = blocks(lessons.len(), BLOCK).nth(block as usize);
        let range = range.unwrap_or_default();
        let positions = range.len();
        let unit = self.phase.recipe.genotype.unit;
        let points = || lessons.points(range, task.individuals, unit);
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

    fn answer_again(&mut self, task: &Count<'_>) -> Result<(Vec<u32>, String), RunError> {
        one_by_one(self, task)
    }
}

/// An individual's points are counted in 32 bits.
fn refuse_too_many(files: &[DataFile]) -> Result<(), SuiteError> {
    const MOST: usize = (u32::MAX / POINTS) as usize;
    let Some(file) = files.iter().find(|file| file.count > MOST) else {
        return Ok(());
    };
    Err(SuiteError::Count {
        path: file.path.clone(),
        found: file.count,
        expected: format!("at most {MOST}; `count` and `test_count` say how many to use"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_positions_than_points_can_be_counted() {
        let file = |count: usize| DataFile {
            phase: "expert".into(),
            role: TRAIN.into(),
            path: "train.epd".into(),
            sha256: String::new(),
            count,
            note: None,
        };
        assert!(refuse_too_many(&[file(10), file(429_496)]).is_ok());
        let error = refuse_too_many(&[file(10), file(429_497)]).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("429497") && said.contains("429496"), "{said}");
        assert!(429_496_u32.checked_mul(POINTS).is_some());
    }
}
