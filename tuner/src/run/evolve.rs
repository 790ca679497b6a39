//! The course of all runs of a profile: evolution asks for counts, [`Tasks`] finds them, in the
//! journal or by evaluation. This is where genetics and fitness meet, and it is a pure function
//! of the recipe and of what the tasks answer.

use super::RunError;
use super::recipe::{Phenotype, Recipe, blocks};
use crate::evolution::ga::{Ga, by_fitness};
use crate::journal::TaskKey;
use crate::report::GenerationStats;
use crate::statistics::mean_and_deviation;
use engine::eval::params::EvalParams;
use engine::params::ParamSet;
use std::collections::HashMap;

/// Where counts come from, and who is told how it goes.
pub trait Tasks {
    /// Positions of the task's block that each individual solves; `None` to end here.
    ///
    /// # Errors
    /// Whatever keeps the counts from being found.
    fn solved(
        &mut self,
        key: TaskKey,
        individuals: &[EvalParams],
    ) -> Result<Option<Vec<u32>>, RunError>;

    /// Called when all of a generation is known; runs count from 1.
    ///
    /// # Errors
    /// Whatever keeps the news from being told.
    fn generation_done(&mut self, run: usize, stats: &GenerationStats) -> Result<(), RunError>;

    /// Called when a run has ended, with all runs until then.
    ///
    /// # Errors
    /// Whatever keeps the news from being told.
    fn run_done(&mut self, runs: &[RunResult]) -> Result<(), RunError>;
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
    /// Training positions that it solves.
    pub train_solved: u32,
    /// Held-out positions that it solves, once all runs have ended.
    pub test_solved: Option<u32>,
    /// Whether all generations are there.
    pub finished: bool,
}

/// What all runs have come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The runs that have at least one generation.
    pub runs: Vec<RunResult>,
    /// Whether all is done.
    pub complete: bool,
}

impl Outcome {
    /// The run whose champion solves most training positions, the first of equals; unfinished
    /// runs have no champion.
    pub fn best(&self) -> Option<(usize, &RunResult)> {
        let finished = self.runs.iter().enumerate().filter(|(_, run)| run.finished);
        finished.rev().max_by_key(|(_, run)| run.train_solved)
    }
}

/// Goes through all runs, as far as the tasks are answered.
///
/// # Errors
/// The first error of a task.
pub fn evolve(recipe: &Recipe, tasks: &mut dyn Tasks) -> Result<Outcome, RunError> {
    let mut outcome = Outcome {
        runs: Vec::new(),
        complete: false,
    };
    for (run, &seed) in (1..).zip(&recipe.seeds) {
        let result = evolve_one(recipe, run, seed, tasks)?;
        let finished = result.as_ref().is_some_and(|result| result.finished);
        outcome.runs.extend(result);
        if !finished {
            return Ok(outcome);
        }
        tasks.run_done(&outcome.runs)?;
    }
    outcome.complete = score_held_out(recipe, &mut outcome.runs, tasks)?;
    Ok(outcome)
}

/// One run; `None` if not even its first generation is known.
fn evolve_one(
    recipe: &Recipe,
    run: usize,
    seed: u64,
    tasks: &mut dyn Tasks,
) -> Result<Option<RunResult>, RunError> {
    let mut ga = Ga::new(recipe.settings.clone(), &recipe.shape, seed);
    // The same phenotype solves the same positions, so none is evaluated twice in a run.
    let mut known: HashMap<Phenotype, u32> = HashMap::new();
    let mut result: Option<RunResult> = None;
    loop {
        let genomes = ga.population().iter();
        let phenotypes: Vec<_> = genomes.map(|genome| recipe.phenotype(genome)).collect();
        if !learn(recipe, run, ga.generation(), &phenotypes, &mut known, tasks)? {
            return Ok(result);
        }
        let solved: Vec<u32> = phenotypes
            .iter()
            .map(|phenotype| known[phenotype])
            .collect();
        let fitness: Vec<u64> = solved
            .iter()
            .map(|&count| recipe.fitness.of(count))
            .collect();
        let stats = statistics(ga.generation(), &phenotypes, &solved);
        tasks.generation_done(run, &stats)?;

        let best = by_fitness(&fitness).first().copied().unwrap_or(0);
        let generations = result.take().map(|result| result.generations);
        let mut generations = generations.unwrap_or_default();
        generations.push(stats);
        let finished = generations.len() as u64 >= u64::from(recipe.generations);
        result = Some(RunResult {
            seed,
            generations,
            champion: recipe.params(&phenotypes[best]),
            train_solved: solved[best],
            test_solved: None,
            finished,
        });
        if finished {
            return Ok(result);
        }
        ga.advance(&fitness);
    }
}

/// Finds the counts of all phenotypes that are not known yet; `false` if the tasks end.
fn learn(
    recipe: &Recipe,
    run: usize,
    generation: u32,
    phenotypes: &[Phenotype],
    known: &mut HashMap<Phenotype, u32>,
    tasks: &mut dyn Tasks,
) -> Result<bool, RunError> {
    let mut fresh: Vec<&Phenotype> = Vec::new();
    for phenotype in phenotypes {
        if !known.contains_key(phenotype) && !fresh.contains(&phenotype) {
            fresh.push(phenotype);
        }
    }
    if fresh.is_empty() {
        return Ok(true);
    }
    let individuals: Vec<EvalParams> = fresh.iter().map(|p| recipe.params(p).eval).collect();
    let mut totals = vec![0; fresh.len()];
    for (block, _) in (0..).zip(blocks(recipe.train_positions, recipe.block)) {
        let key = TaskKey::Generation {
            run: run as u32,
            generation,
            block,
        };
        let Some(solved) = tasks.solved(key, &individuals)? else {
            return Ok(false);
        };
        for (total, count) in totals.iter_mut().zip(solved) {
            *total += count;
        }
    }
    known.extend(fresh.into_iter().cloned().zip(totals));
    Ok(true)
}

fn statistics(generation: u32, phenotypes: &[Phenotype], solved: &[u32]) -> GenerationStats {
    let (mean, standard_deviation) = mean_and_deviation(solved);
    let mut distinct: Vec<&Phenotype> = phenotypes.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    GenerationStats {
        generation,
        best: solved.iter().copied().max().unwrap_or(0),
        mean,
        worst: solved.iter().copied().min().unwrap_or(0),
        standard_deviation,
        distinct: distinct.len() as u32,
    }
}

/// Scores all champions on the held-out positions, which evolution never sees. `false` if the
/// tasks end before.
fn score_held_out(
    recipe: &Recipe,
    runs: &mut [RunResult],
    tasks: &mut dyn Tasks,
) -> Result<bool, RunError> {
    let Some(positions) = recipe.test_positions else {
        return Ok(true);
    };
    let champions: Vec<EvalParams> = runs.iter().map(|run| run.champion.eval.clone()).collect();
    let mut totals = vec![0; runs.len()];
    for (block, _) in (0..).zip(blocks(positions, recipe.block)) {
        let Some(solved) = tasks.solved(TaskKey::HeldOut { block }, &champions)? else {
            return Ok(false);
        };
        for (total, count) in totals.iter_mut().zip(solved) {
            *total += count;
        }
    }
    for (run, total) in runs.iter_mut().zip(totals) {
        run.test_solved = Some(total);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Fitness;
    use crate::evolution::ga::Settings;
    use crate::evolution::genome::Shape;
    use crate::evolution::rng::Probability;
    use crate::evolution::selection::Selection;
    use std::collections::HashSet;

    fn recipe(block: usize) -> Recipe {
        let genes = engine::params::layout("eval-2014").unwrap();
        Recipe {
            shape: Shape::new(genes.iter().map(|gene| gene.bits)),
            genes,
            base: ParamSet::missing(),
            settings: Settings {
                population: 12,
                crossover_rate: Probability::new(0.75),
                mutation_rate: Probability::new(0.005),
                elitism: 1,
                selection: Selection::Roulette,
            },
            generations: 15,
            fitness: Fitness::Squared,
            seeds: vec![3, 4],
            train_positions: 63 * 5,
            test_positions: Some(63),
            block,
        }
    }

    /// "Position" p is solved by those whose value of knight outposts exceeds p modulo 63.
    struct Synthetic {
        block: usize,
        left: usize,
        seen: HashSet<(u32, String)>,
    }

    impl Tasks for Synthetic {
        fn solved(
            &mut self,
            key: TaskKey,
            individuals: &[EvalParams],
        ) -> Result<Option<Vec<u32>>, RunError> {
            if self.left == 0 {
                return Ok(None);
            }
            self.left -= 1;
            let (positions, block) = match key {
                TaskKey::Generation { run, block, .. } => {
                    if block == 0 {
                        for params in individuals {
                            let new = self
                                .seen
                                .insert((run, super::super::recipe::digest([params])));
                            assert!(new, "a phenotype was evaluated twice");
                        }
                    }
                    (63 * 5, block)
                }
                TaskKey::HeldOut { block } => (63, block),
            };
            let range = blocks(positions, self.block).nth(block as usize).unwrap();
            let count = |params: &EvalParams| {
                let value = params.knight_outpost_mult as usize;
                range
                    .clone()
                    .filter(|position| value > position % 63)
                    .count() as u32
            };
            Ok(Some(individuals.iter().map(count).collect()))
        }

        fn generation_done(&mut self, _: usize, _: &GenerationStats) -> Result<(), RunError> {
            Ok(())
        }

        fn run_done(&mut self, _: &[RunResult]) -> Result<(), RunError> {
            Ok(())
        }
    }

    fn outcome(block: usize, left: usize) -> Outcome {
        let mut tasks = Synthetic {
            block,
            left,
            seen: HashSet::new(),
        };
        evolve(&recipe(block), &mut tasks).unwrap()
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
        assert_eq!(outcome(1000, 20).best().map(|(run, _)| run), Some(0));
    }

    #[test]
    fn the_first_of_equal_champions_is_the_best() {
        let mut outcome = outcome(1000, usize::MAX);
        for run in &mut outcome.runs {
            run.train_solved = 7;
        }
        assert_eq!(outcome.best().map(|(run, _)| run), Some(0));
    }
}
