//! The course of a phase that learns from positions: evolution asks for points, the [`Desk`] finds
//! them. A point is a position solved, or a part of one where an expert's score is imitated. This
//! is where genetics and fitness meet, and it is a pure function of the recipe and of what
//! the tasks answer.

use super::RunError;
use super::desk::Desk;
use super::genotype::{Phenotype, PhenotypeKey, digest_of_evaluations, key_of};
use super::individuals::Individuals;
use super::phase::{Task, Worker};
use super::recipe::{Recipe, blocks};
use crate::fitness::grandmaster::decay;
use crate::progress::{News, Step};
use crate::report::GenerationStats;
use crate::statistics::{mean_and_deviation, thousands};
use engine::eval::params::EvalParams;
use engine::params::ParamSet;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A task: how many points do these individuals get on a block of positions?
#[derive(Clone, Copy, Debug)]
pub struct Count<'a> {
    /// Which positions, and when.
    pub of: Block,
    /// Whose.
    pub individuals: &'a [EvalParams],
}

/// A block of positions at a place of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Of the training positions, for those individuals of a generation whose parameters have not
    /// occurred before in the run.
    Train {
        /// The run, from 1; the number behind the last stands for the mean of the runs' champions.
        run: u32,
        /// The generation, from 0.
        generation: u32,
        /// The block, from 0.
        block: u32,
    },
    /// Of the held-out positions, for the champions of all runs.
    HeldOut {
        /// The block, from 0.
        block: u32,
    },
}

impl Task for Count<'_> {
    type Answer = Vec<u32>;

    fn key(&self) -> String {
        match self.of {
            Block::Train {
                run,
                generation,
                block,
            } => format!("run {run} generation {generation} block {block}"),
            Block::HeldOut { block } => format!("held-out block {block}"),
        }
    }

    fn digest(&self) -> String {
        digest_of_evaluations(self.individuals)
    }

    fn fits(&self, solved: &Vec<u32>) -> bool {
        solved.len() == self.individuals.len()
    }

    fn worst(&self) -> Vec<u32> {
        vec![0; self.individuals.len()]
    }

    fn describe(&self) -> String {
        format!("individuals: {:?}", self.individuals)
    }
}

/// Counts again after a panic, every individual by itself: whoever panics solves nothing, and the
/// others what they solve. Were all of a generation scored worst, its successors would all be the
/// elite's clones.
///
/// # Errors
/// The worker's.
pub fn one_by_one<W>(worker: &mut W, task: &Count<'_>) -> Result<(Vec<u32>, String), RunError>
where
    W: for<'t> Worker<Count<'t>>,
{
    let (mut solved, mut said) = (Vec::new(), "done again, one by one".to_string());
    for (number, individuals) in (1..).zip(task.individuals.chunks(1)) {
        let of = task.of;
        let alone = AssertUnwindSafe(|| worker.answer(&Count { of, individuals }));
        match catch_unwind(alone) {
            Ok(count) => solved.extend(count?),
            Err(_) => {
                solved.push(0);
                let place = worker.place();
                said += &format!("\nindividual {number}: scored worst, in position: {place}");
            }
        }
    }
    Ok((solved, said))
}

/// First line of the table of generations.
pub const HISTORY_HEADING: &str =
    "run,generation,best,mean,worst,standard_deviation,distinct_phenotypes\n";

/// A line of the table of generations; runs count from 1.
pub fn history_row(run: usize, stats: &GenerationStats) -> String {
    format!(
        "{run},{},{},{:.4},{},{:.4},{}\n",
        stats.generation,
        stats.best,
        stats.mean,
        stats.worst,
        stats.standard_deviation,
        stats.distinct
    )
}

/// What a run has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its seed.
    pub seed: u64,
    /// Its generations until now.
    pub generations: Vec<GenerationStats>,
    /// The best individual of the last of them.
    pub champion: ParamSet,
    /// Its points on the training positions: how many it solves, in phase 1.
    pub train_solved: u32,
    /// Its points on the held-out positions, once all runs have ended.
    pub test_solved: Option<u32>,
    /// Whether all generations are there.
    pub finished: bool,
}

/// The mean of the champions of all runs, weight by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Mean {
    /// The weights.
    pub champion: ParamSet,
    /// Its points on the training positions.
    pub train_solved: u32,
    /// Its points on the held-out positions.
    pub test_solved: Option<u32>,
}

/// Somebody with its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen<'a> {
    /// Who it is.
    pub who: Who,
    /// Its parameters.
    pub champion: &'a ParamSet,
    /// Its points on the training positions.
    pub train_solved: u32,
    /// Its points on the held-out positions, once all runs have ended.
    pub test_solved: Option<u32>,
}

/// Who may be a phase's champion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The champion of the run in this place, from 0.
    Run(usize),
    /// The mean of all runs' champions.
    Mean,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Run(place) => write!(f, "run {}", place + 1),
            Who::Mean => f.write_str("the mean of the runs"),
        }
    }
}

impl RunResult {
    /// Its champion.
    pub fn chosen(&self, place: usize) -> Chosen<'_> {
        Chosen {
            who: Who::Run(place),
            champion: &self.champion,
            train_solved: self.train_solved,
            test_solved: self.test_solved,
        }
    }
}

impl Mean {
    /// As a champion.
    pub fn chosen(&self) -> Chosen<'_> {
        Chosen {
            who: Who::Mean,
            champion: &self.champion,
            train_solved: self.train_solved,
            test_solved: self.test_solved,
        }
    }
}

/// What all runs have come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The runs that have at least one generation.
    pub runs: Vec<RunResult>,
    /// The mean of their champions, if that is wanted and all runs have ended.
    pub mean: Option<Box<Mean>>,
    /// Whether all is done.
    pub complete: bool,
}

impl Outcome {
    /// The phase's champion: the mean if that is wanted, else the champion that solves most training
    /// positions, the first of equals; unfinished runs have none.
    pub fn best(&self) -> Option<Chosen<'_>> {
        self.best_of(|run| run.finished)
    }

    /// The same, counting a run that is still under way.
    pub fn best_so_far(&self) -> Option<Chosen<'_>> {
        self.best_of(|_| true)
    }

    fn best_of(&self, counts: impl Fn(&RunResult) -> bool) -> Option<Chosen<'_>> {
        let runs = self.runs.iter().enumerate().filter(|(_, run)| counts(run));
        let best = runs.rev().max_by_key(|(_, run)| run.train_solved);
        let best = best.map(|(place, run)| run.chosen(place));
        self.mean.as_ref().map(|mean| mean.chosen()).or(best)
    }

    /// The mean, if there is one, then the champions of all finished runs, best first, equals in order
    /// of their runs.
    pub fn champions(&self) -> Vec<ParamSet> {
        let mut runs: Vec<&RunResult> = self.runs.iter().filter(|run| run.finished).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.train_solved));
        let mean = self.mean.iter().map(|mean| &mean.champion);
        let runs = runs.into_iter().map(|run| &run.champion);
        mean.chain(runs).cloned().collect()
    }
}

/// Goes through all runs, as far as the desk answers. `so_far` is told of every generation, with
/// all runs until then.
///
/// # Errors
/// The first error of a task, of the desk or of `so_far`.
pub fn evolve<W>(
    recipe: &Recipe,
    desk: &mut Desk<'_>,
    hire: &(impl Fn() -> Result<W, RunError> + Sync),
    so_far: &mut dyn FnMut(&mut Desk<'_>, &Outcome) -> Result<(), RunError>,
) -> Result<Outcome, RunError>
where
    W: for<'t> Worker<Count<'t>>,
{
    let mut outcome = Outcome {
        runs: Vec::new(),
        mean: None,
        complete: false,
    };
    for (run, &seed) in (1..).zip(&recipe.seeds) {
        desk.begin_part(recipe.seeds.len() + 1 - run);
        desk.seeded(seed);
        evolve_one(recipe, (run, seed), desk, hire, so_far, &mut outcome)?;
        if outcome.runs.len() < run || !outcome.runs.iter().all(|result| result.finished) {
            return Ok(outcome);
        }
    }
    if recipe.mean {
        outcome.mean = mean(recipe, &outcome.runs, desk, hire)?.map(Box::new);
        if outcome.mean.is_none() {
            return Ok(outcome);
        }
    }
    outcome.complete = score_held_out(recipe, &mut outcome, desk, hire)?;
    Ok(outcome)
}

/// The mean of the runs' champions, every weight rounded to the nearest, a half upwards; `None` if the
/// desk ends before its points are known.
fn mean<W>(
    recipe: &Recipe,
    runs: &[RunResult],
    desk: &mut Desk<'_>,
    hire: &(impl Fn() -> Result<W, RunError> + Sync),
) -> Result<Option<Mean>, RunError>
where
    W: for<'t> Worker<Count<'t>>,
{
    let genotype = &recipe.genotype;
    let count = runs.len() as i32;
    let weights = genotype.genes.iter().map(|gene| {
        let sum: i32 = runs.iter().map(|run| run.champion.get(gene)).sum();
        (2 * sum + count).div_euclid(2 * count) * genotype.unit
    });
    let phenotype: Phenotype = weights.collect();
    let champion = genotype.params(&phenotype);
    let train = |block| Block::Train {
        run: runs.len() as u32 + 1,
        generation: 0,
        block,
    };
    let (positions, alone) = (recipe.train_positions, [genotype.evaluation(&phenotype)]);
    let points = count_all(recipe, positions, train, &alone, desk, hire)?;
    let points = points.and_then(|points| points.first().copied());
    Ok(points.map(|train_solved| Mean {
        champion,
        train_solved,
        test_solved: None,
    }))
}

/// One run, which becomes the outcome's last as soon as its first generation is known.
fn evolve_one<W>(
    recipe: &Recipe,
    (run, seed): (usize, u64),
    desk: &mut Desk<'_>,
    hire: &(impl Fn() -> Result<W, RunError> + Sync),
    so_far: &mut dyn FnMut(&mut Desk<'_>, &Outcome) -> Result<(), RunError>,
    outcome: &mut Outcome,
) -> Result<(), RunError>
where
    W: for<'t> Worker<Count<'t>>,
{
    let genotype = &recipe.genotype;
    let mut individuals = Individuals::new(recipe, seed);
    // The same phenotype solves the same positions, so none is evaluated twice in a run.
    let mut known: HashMap<PhenotypeKey, u32> = HashMap::new();
    loop {
        let phenotypes = individuals.phenotypes();
        let generation = individuals.generation();
        let place = (run, generation);
        let Some(fresh) = learn(recipe, place, &phenotypes, &mut known, desk, hire)? else {
            return Ok(());
        };
        let solved: Vec<u32> = phenotypes
            .iter()
            .map(|phenotype| known[&key_of(phenotype)])
            .collect();
        let fitness: Vec<u64> = phenotypes
            .iter()
            .zip(&solved)
            .map(|(phenotype, &count)| fitness(recipe, phenotype, count))
            .collect();
        let best = individuals.best(&fitness);
        let stats = statistics(generation, &phenotypes, &solved, best);
        desk.generation_done(HISTORY_HEADING, &news(recipe, run, &stats, fresh))?;

        let before = match outcome.runs.len() == run {
            true => outcome.runs.pop(),
            false => None,
        };
        let mut generations = before.map_or(Vec::new(), |before| before.generations);
        generations.push(stats);
        let finished = generations.len() as u64 >= u64::from(recipe.generations)
            || desk.time_is_up(&format!("run {run} generation {generation}"))?;
        outcome.runs.push(RunResult {
            seed,
            generations,
            champion: genotype.params(&phenotypes[best]),
            train_solved: solved[best],
            test_solved: None,
            finished,
        });
        so_far(desk, outcome)?;
        if finished {
            return Ok(());
        }
        individuals.advance(&fitness);
    }
}

/// What an individual with so many points is worth to selection. The journal and all that is told
/// have the points as they were counted: they are to be compared between profiles.
fn fitness(recipe: &Recipe, phenotype: &[i32], points: u32) -> u64 {
    if recipe.decay == 0.0 {
        return recipe.fitness.of(points);
    }
    let weights = recipe.genotype.params(phenotype).eval;
    let lost = decay(&weights, recipe.decay, recipe.train_positions);
    recipe.fitness.of(points.saturating_sub(lost))
}

/// Finds the counts of all phenotypes that are not known yet, and says how many these were;
/// `None` if the desk ends.
fn learn<W>(
    recipe: &Recipe,
    (run, generation): (usize, u32),
    phenotypes: &[Phenotype],
    known: &mut HashMap<PhenotypeKey, u32>,
    desk: &mut Desk<'_>,
    hire: &(impl Fn() -> Result<W, RunError> + Sync),
) -> Result<Option<usize>, RunError>
where
    W: for<'t> Worker<Count<'t>>,
{
    let (mut fresh, mut met) = (Vec::new(), HashSet::new());
    for phenotype in phenotypes {
        if !known.contains_key(&key_of(phenotype)) && met.insert(phenotype) {
            fresh.push(phenotype);
        }
    }
    let count = fresh.len();
    if count == 0 {
        return Ok(Some(0));
    }
    let individuals = fresh.iter();
    let individuals: Vec<EvalParams> = individuals
        .map(|phenotype| recipe.genotype.evaluation(phenotype))
        .collect();
    let train = |block| Block::Train {
        run: run as u32,
        generation,
        block,
    };
    let positions = recipe.train_positions;
    let Some(totals) = count_all(recipe, positions, train, &individuals, desk, hire)? else {
        return Ok(None);
    };
    known.extend(fresh.into_iter().map(|new| key_of(new)).zip(totals));
    Ok(Some(count))
}

/// How many of all positions each individual solves, block by block; `None` if the desk ends.
fn count_all<W>(
    recipe: &Recipe,
    positions: usize,
    of: impl Fn(u32) -> Block,
    individuals: &[EvalParams],
    desk: &mut Desk<'_>,
    hire: &(impl Fn() -> Result<W, RunError> + Sync),
) -> Result<Option<Vec<u32>>, RunError>
where
    W: for<'t> Worker<Count<'t>>,
{
    let mut totals = vec![0; individuals.len()];
    for (block, _) in (0..).zip(blocks(positions, recipe.block)) {
        let of = of(block);
        let Some(solved) = desk.ask(&[Count { of, individuals }], hire)? else {
            return Ok(None);
        };
        for (total, count) in totals.iter_mut().zip(solved.into_iter().flatten()) {
            *total += count;
        }
    }
    Ok(Some(totals))
}

/// What is said of a generation.
fn news<'a>(recipe: &Recipe, run: usize, stats: &GenerationStats, fresh: usize) -> News<'a> {
    let positions = recipe.train_positions;
    News {
        step: Step::Generation,
        run: (run, recipe.seeds.len()),
        generation: (stats.generation, recipe.generations),
        row: history_row(run, stats),
        json: serde_json::json!({
            "best": stats.best,
            "mean": stats.mean,
            "worst": stats.worst,
            "standard_deviation": stats.standard_deviation,
            "distinct": stats.distinct,
            "positions": positions,
        }),
        facts: vec![
            format!(
                "best {} ({:.1} %)",
                thousands(u64::from(stats.best)),
                100.0 * f64::from(stats.best)
                    / (positions as f64 * f64::from(recipe.points)).max(1.0),
            ),
            format!("mean {:.1}", stats.mean),
        ],
        work: (fresh as u64 * positions as u64, "positions"),
    }
}

/// The numbers of a generation whose best individual is the one with this index.
fn statistics(
    generation: u32,
    phenotypes: &[Phenotype],
    solved: &[u32],
    best: usize,
) -> GenerationStats {
    let (mean, standard_deviation) = mean_and_deviation(solved);
    let mut distinct: Vec<&Phenotype> = phenotypes.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    GenerationStats {
        generation,
        best: solved.get(best).copied().unwrap_or(0),
        mean,
        worst: solved.iter().copied().min().unwrap_or(0),
        standard_deviation,
        distinct: distinct.len() as u32,
    }
}

/// Scores all champions on the held-out positions, which evolution never sees. `false` if the
/// desk ends before.
fn score_held_out<W>(
    recipe: &Recipe,
    outcome: &mut Outcome,
    desk: &mut Desk<'_>,
    hire: &(impl Fn() -> Result<W, RunError> + Sync),
) -> Result<bool, RunError>
where
    W: for<'t> Worker<Count<'t>>,
{
    let Some(positions) = recipe.test_positions else {
        return Ok(true);
    };
    let runs = outcome.runs.iter().map(|run| &run.champion);
    let mean = outcome.mean.iter().map(|mean| &mean.champion);
    let genotype = &recipe.genotype;
    let champions: Vec<EvalParams> = runs
        .chain(mean)
        .map(|champion| genotype.evaluation(&genotype.values(champion)))
        .collect();
    let held_out = |block| Block::HeldOut { block };
    let Some(totals) = count_all(recipe, positions, held_out, &champions, desk, hire)? else {
        return Ok(false);
    };
    let runs = outcome.runs.iter_mut().map(|run| &mut run.test_solved);
    let mean = outcome.mean.iter_mut().map(|mean| &mut mean.test_solved);
    for (solved, total) in runs.chain(mean).zip(totals) {
        *solved = Some(total);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Fitness;
    use crate::evolution::ga::Settings;
    use crate::evolution::rng::Probability;
    use crate::evolution::selection::Selection;
    use crate::run::desk::tests::with_desk;
    use crate::run::genotype::{Genotype, base};
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn recipe(block: usize) -> Recipe {
        let genes = engine::params::layout("eval-2014").unwrap();
        Recipe {
            genotype: Genotype::new(genes, base()),
            settings: Settings {
                population: 12,
                crossover_rate: Probability::new(0.75),
                mutation_rate: Probability::new(0.005),
                creep_rate: None,
                difference_rate: None,
                ancestor_rate: None,
                intermediate_rate: None,
                elitism: 1,
                selection: Selection::Roulette,
            },
            generations: 15,
            covariance_from: None,
            fitness: Fitness::Squared,
            points: 1,
            seeds: vec![3, 4],
            train_positions: 63 * 5,
            test_positions: Some(63),
            block,
            decay: 0.0,
            mean: false,
        }
    }

    /// "Position" p is solved by those whose value of knight outposts exceeds p modulo 63.
    struct Synthetic<'a> {
        block: usize,
        seen: &'a Mutex<HashSet<(u32, String)>>,
        done: &'a AtomicUsize,
    }

    impl Worker<Count<'_>> for Synthetic<'_> {
        fn answer(&mut self, task: &Count<'_>) -> Result<Vec<u32>, RunError> {
            self.done.fetch_add(1, Ordering::Relaxed);
            let (positions, block) = match task.of {
                Block::Train { run, block, .. } => {
                    if block == 0 {
                        for params in task.individuals {
                            let entry = (run, digest_of_evaluations([params]));
                            let new = self.seen.lock().unwrap().insert(entry);
                            assert!(new, "a phenotype was evaluated twice");
                        }
                    }
                    (63 * 5, block)
                }
                Block::HeldOut { block } => (63, block),
            };
            let range = blocks(positions, self.block).nth(block as usize).unwrap();
            let count = |params: &EvalParams| {
                let value = params.knight_outpost_mult as usize;
                range
                    .clone()
                    .filter(|position| value > position % 63)
                    .count() as u32
            };
            Ok(task.individuals.iter().map(count).collect())
        }
    }

    /// The course with so many answers from a journal of the whole; `usize::MAX` works it out.
    fn outcome(block: usize, left: usize) -> Outcome {
        outcome_of(&recipe(block), left)
    }

    fn outcome_of(recipe: &Recipe, left: usize) -> Outcome {
        let block = recipe.block;
        let (seen, done) = (Mutex::default(), AtomicUsize::new(0));
        let hire = || {
            Ok(Synthetic {
                block,
                seen: &seen,
                done: &done,
            })
        };
        let (whole, mut records) =
            with_desk(|desk| evolve(recipe, desk, &hire, &mut |_, _| Ok(())).unwrap());
        assert_eq!(records.len(), done.load(Ordering::Relaxed));
        if left == usize::MAX {
            return whole;
        }
        records.truncate(left);
        let mut desk = Desk::replay(records);
        desk.begin("test", None, None);
        evolve(recipe, &mut desk, &hire, &mut |_, _| Ok(())).unwrap()
    }

    #[test]
    fn with_decay_the_best_has_smaller_weights_and_solves_fewer() {
        let dear = |decay| Recipe {
            decay,
            ..recipe(1000)
        };
        let plain = outcome_of(&dear(0.0), usize::MAX);
        assert_eq!(plain, outcome(1000, usize::MAX));
        // Random pieces cost some forty positions of 315 then.
        let small = outcome_of(&dear(100.0), usize::MAX);
        let costs = |outcome: &Outcome| -> u32 {
            let runs = outcome.runs.iter();
            runs.map(|run| decay(&run.champion.eval, 100.0, 63 * 5))
                .sum()
        };
        assert!(costs(&small) < costs(&plain), "{small:?}");
        // What is told are positions, with nothing taken away.
        for run in &small.runs {
            let value = run.champion.eval.knight_outpost_mult as u32;
            assert_eq!(
                (run.train_solved, run.test_solved),
                (5 * value, Some(value))
            );
            assert_eq!(run.train_solved, run.generations[14].best);
        }
        assert_eq!(small, outcome_of(&dear(100.0), usize::MAX));
    }

    #[test]
    fn the_mean_is_of_all_runs_and_the_first_champion() {
        let of_mean = |block| Recipe {
            mean: true,
            ..recipe(block)
        };
        let whole = outcome_of(&of_mean(1000), usize::MAX);
        assert_eq!(whole, outcome_of(&of_mean(50), usize::MAX));
        let plain = outcome(1000, usize::MAX);
        assert_eq!((&whole.runs, &plain.mean), (&plain.runs, &None));
        let mean = whole.mean.clone().unwrap();
        let outposts = |params: &ParamSet| params.eval.knight_outpost_mult;
        let sum: i32 = whole.runs.iter().map(|run| outposts(&run.champion)).sum();
        let value = (sum + 1) / 2;
        assert_eq!(outposts(&mean.champion), value);
        let value = value as u32;
        assert_eq!(
            (mean.train_solved, mean.test_solved),
            (5 * value, Some(value))
        );
        assert_eq!(whole.best(), Some(mean.chosen()));
        assert_eq!(whole.champions()[0], mean.champion);
        assert_eq!(whole.champions()[1..], plain.champions());
    }

    #[test]
    fn the_number_of_blocks_changes_nothing() {
        let whole = outcome(1000, usize::MAX);
        assert!(whole.complete);
        assert_eq!(whole, outcome(50, usize::MAX));
        for run in &whole.runs {
            assert_eq!(run.generations.len(), 15);
            assert!(run.generations.is_sorted_by_key(|stats| stats.best));
            let value = run.champion.eval.knight_outpost_mult as u32;
            assert_eq!(
                (run.train_solved, run.test_solved),
                (5 * value, Some(value))
            );
            assert_eq!(run.train_solved, run.generations[14].best);
        }
        assert!(whole.runs[0].train_solved > whole.runs[0].generations[0].mean as u32);
    }

    #[test]
    fn what_was_answered_is_kept() {
        let whole = outcome(1000, usize::MAX);
        assert!(outcome(1000, 0).runs.is_empty());
        for left in [1, 5, 14, 16, 20] {
            let part = outcome(1000, left);
            assert!(!part.complete);
            for (part, whole) in part.runs.iter().zip(&whole.runs) {
                assert!(whole.generations.starts_with(&part.generations));
            }
        }
        assert!(outcome(1000, 5).best().is_none());
        assert_eq!(
            outcome(1000, 20).best().map(|best| best.who),
            Some(Who::Run(0))
        );
    }

    #[test]
    fn the_first_of_equal_champions_is_the_best() {
        let mut outcome = outcome(1000, usize::MAX);
        for run in &mut outcome.runs {
            run.train_solved = 7;
        }
        assert_eq!(outcome.best().map(|best| best.who), Some(Who::Run(0)));
    }
}
