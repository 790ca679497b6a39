//! Evolutionary programming with a memory of good players: E. Vázquez-Fernández and C. A. Coello Coello, "An
//! evolutionary algorithm with a history mechanism for tuning a chess evaluation function" (Applied Soft Computing
//! 13, 2013), §4 and Algorithm 1.
//!
//! Individuals are real numbers within their ranges. The better half of a generation are the parents of the next
//! and go on into it ((μ + μ) truncation). Each has one child: with the probability that `history` has, somebody
//! from an archive of the best who have left comes back in the child's place; otherwise the child is the parent
//! with all its numbers mutated by Michalewicz's non-uniform mutation (*Genetic Algorithms + Data Structures =
//! Evolution Programs*, 1996), which takes large steps at first and small ones at the end.
//!
//! Where the paper is silent, this is what happens here:
//!
//! - Generation 0 is uniform within the ranges. The mutation's t is the number of the generation that has been
//!   valued, from 0, and T is the number of generations of the run.
//! - The archive takes everybody who is not among the parents, without doubles, and keeps the best of them, who
//!   left first before who left later. Who comes back stays in it.
//! - Who comes back is drawn from all of the archive, or is its best: [`Recall`].
//! - Of equals, the one with the lower index is the better.
//!
//! As long as fitness is exact and the positions are the same every time, nobody who has left can be better than
//! a parent, so a revived player takes a mutant's place and can win nothing. Where fitness is noisy, the memory helps
//! (docs/results/history-2013.md).

use super::algorithm::{Algorithm, Batch, Feedback, by_fitness};
use super::rng::{Probability, Random};
use super::series::{exp, ln};

/// Who of the archive comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recall {
    /// Anybody, all equally likely.
    #[default]
    Any,
    /// The best.
    Best,
}

/// The archive of those who have left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// Probability that a child is somebody from there (the paper's P_r, in per cent there).
    pub probability: Probability,
    /// How many it keeps.
    pub size: usize,
    /// Who comes back.
    pub recall: Recall,
}

/// What makes one run differ from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Individuals in each generation; the better half of them are parents.
    pub population: usize,
    /// Generations of a run, the random one included: the mutation's T.
    pub generations: u32,
    /// The mutation's b: how much sooner its steps become small (the paper: 5).
    pub shape: u32,
    /// The memory, if there is one.
    pub history: Option<History>,
}

/// A population on its way.
#[derive(Clone, Debug)]
pub struct EvolutionaryProgramming {
    settings: Settings,
    /// Least and greatest number of each gene.
    ranges: Vec<(f64, f64)>,
    rng: Random,
    generation: u32,
    individuals: Vec<Vec<f64>>,
    /// The best of those who have left, with their fitness, best first.
    archive: Vec<(u64, Vec<f64>)>,
}

impl EvolutionaryProgramming {
    /// Generation 0: these founders, and random individuals for all who are missing.
    pub fn new(
        settings: Settings,
        ranges: Vec<(f64, f64)>,
        founders: Vec<Vec<f64>>,
        seed: u64,
    ) -> EvolutionaryProgramming {
        let mut rng = Random::new(seed);
        let mut individuals = founders;
        individuals.resize_with(settings.population, || {
            let numbers = ranges
                .iter()
                .map(|(low, high)| low + (high - low) * rng.unit());
            numbers.collect()
        });
        EvolutionaryProgramming {
            settings,
            ranges,
            rng,
            generation: 0,
            individuals,
            archive: Vec::new(),
        }
    }

    /// Those who have left and may come back, best first.
    pub fn archive(&self) -> impl Iterator<Item = &[f64]> {
        self.archive.iter().map(|(_, left)| left.as_slice())
    }

    /// A child: all numbers of its parent moved (equations 2 and 3).
    fn mutant(&mut self, parent: &[f64]) -> Vec<f64> {
        let t = f64::from(self.generation) / f64::from(self.settings.generations.max(1));
        let exponent = power(1.0 - t, self.settings.shape);
        let moved = parent
            .iter()
            .zip(&self.ranges)
            .map(|(&value, &(low, high))| {
                let up = self.rng.bits() & 1 == 1;
                let step = step(self.rng.unit(), exponent);
                match up {
                    true => value + (high - value) * step,
                    false => value - (value - low) * step,
                }
            });
        moved.collect()
    }

    /// Somebody who has left, if one is to come back.
    fn revived(&mut self) -> Option<Vec<f64>> {
        let history = self.settings.history?;
        if !self.rng.happens(history.probability) || self.archive.is_empty() {
            return None;
        }
        let place = match history.recall {
            Recall::Any => self.rng.below(self.archive.len() as u128) as usize,
            Recall::Best => 0,
        };
        self.archive.get(place).map(|(_, left)| left.clone())
    }

    /// Takes those into the archive who leave.
    fn remember(&mut self, leaving: &[usize], fitness: &[u64]) {
        let Some(history) = self.settings.history else {
            return;
        };
        for &index in leaving {
            let (Some(who), Some(&worth)) = (self.individuals.get(index), fitness.get(index))
            else {
                continue;
            };
            if self.archive.iter().all(|(_, known)| known != who) {
                self.archive.push((worth, who.clone()));
            }
        }
        self.archive
            .sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        self.archive.truncate(history.size);
    }
}

impl Algorithm for EvolutionaryProgramming {
    type Genome = Vec<f64>;

    fn generation(&self) -> u32 {
        self.generation
    }

    fn ask(&mut self) -> Batch<Vec<f64>> {
        Batch::of_candidates(self.individuals.clone())
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        let mut order = by_fitness(feedback.fitness);
        // Who was chosen by something else than fitness is the first parent.
        if let Some(elite) = feedback.elite {
            order.sort_by_key(|&index| index != elite);
        }
        let half = order.len() / 2;
        let (parents, leaving) = order.split_at(order.len() - half);
        self.remember(leaving, feedback.fitness);
        let parents: Vec<Vec<f64>> = parents
            .iter()
            .filter_map(|&index| self.individuals.get(index).cloned())
            .collect();
        let mut next = parents.clone();
        for parent in parents.iter().take(half) {
            let child = match self.revived() {
                Some(child) => child,
                None => self.mutant(parent),
            };
            next.push(child);
        }
        self.individuals = next;
        self.generation += 1;
    }
}

/// A whole power.
fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |power, _| power * base)
}

/// Which part of the way to the end of its range a number goes: 1 - r^exponent.
fn step(r: f64, exponent: f64) -> f64 {
    match r > 0.0 {
        true => 1.0 - exp(exponent * ln(r)),
        // Nearly all of it at first, and nothing at the end.
        false => f64::from(u8::from(exponent > 0.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(history: Option<History>) -> Settings {
        Settings {
            population: 20,
            generations: 200,
            shape: 5,
            history,
        }
    }

    fn always(recall: Recall) -> Option<History> {
        Some(History {
            probability: Probability::new(1.0),
            size: 10,
            recall,
        })
    }

    fn begun(history: Option<History>, seed: u64) -> EvolutionaryProgramming {
        EvolutionaryProgramming::new(settings(history), vec![(-50.0, 150.0); 6], Vec::new(), seed)
    }

    /// How near all numbers are to 100, so that more is better.
    fn fitness(individuals: &[Vec<f64>]) -> Vec<u64> {
        let off = |one: &Vec<f64>| -> f64 { one.iter().map(|x| (x - 100.0) * (x - 100.0)).sum() };
        individuals
            .iter()
            .map(|one| (1e9 - 1e3 * off(one)) as u64)
            .collect()
    }

    fn tell(algorithm: &mut EvolutionaryProgramming, fitness: &[u64]) {
        algorithm.tell(Feedback {
            fitness,
            elite: None,
        });
    }

    /// Equation 3 by hand: in the first generation a half of r goes half of the way, since the exponent is 1; half
    /// way through the run the exponent is 1/32, and 0.5^(1/32) is 0.978572.
    #[test]
    fn steps_become_small() {
        assert!((step(0.5, power(1.0, 5)) - 0.5).abs() < 1e-12);
        let half_way = step(0.5, power(0.5, 5));
        assert!(
            (half_way - (1.0 - 0.978_572_062_087_7)).abs() < 1e-12,
            "{half_way}"
        );
        assert_eq!(step(0.3, power(0.0, 5)), 0.0);
        assert_eq!((step(0.0, 1.0), step(0.0, 0.0)), (1.0, 0.0));
    }

    /// Whatever is mutated, however early, stays between its bounds, and all numbers move.
    #[test]
    fn mutants_stay_within_their_ranges() {
        let mut algorithm = begun(None, 3);
        for _ in 0..1000 {
            let parent = vec![-50.0, 150.0, 0.0, 100.0, -49.0, 149.0];
            let child = algorithm.mutant(&parent);
            assert!(
                child.iter().all(|x| (-50.0..=150.0).contains(x)),
                "{child:?}"
            );
            assert!(child[2] != 0.0 && child[3] != 100.0);
        }
    }

    /// (μ + μ) truncation: the ten best of twenty are the first ten of the next generation, in order.
    #[test]
    fn the_better_half_goes_on() {
        let mut algorithm = begun(None, 1);
        for _ in 0..5 {
            let before = algorithm.ask().individuals;
            let worth = fitness(&before);
            let order = by_fitness(&worth);
            tell(&mut algorithm, &worth);
            let after = algorithm.ask().individuals;
            assert_eq!(after.len(), 20);
            for (place, &index) in order[..10].iter().enumerate() {
                assert_eq!(after[place], before[index]);
            }
        }
    }

    /// Children are mutants with P_r = 0, and all come from the archive with P_r = 100 %.
    #[test]
    fn those_who_have_left_come_back() {
        let mut algorithm = begun(always(Recall::Any), 2);
        let left = algorithm.ask().individuals;
        let worth = fitness(&left);
        tell(&mut algorithm, &worth);
        let order = by_fitness(&worth);
        let archive: Vec<&[f64]> = algorithm.archive().collect();
        assert_eq!(archive[0], left[order[10]]);
        assert_eq!(archive.len(), 10);
        let children = algorithm.individuals[10..].to_vec();
        assert!(
            children
                .iter()
                .all(|child| archive.contains(&child.as_slice()))
        );

        let mut best = begun(always(Recall::Best), 2);
        tell(&mut best, &worth);
        assert!(
            best.individuals[10..]
                .iter()
                .all(|child| *child == left[order[10]])
        );
        let mut without = begun(None, 2);
        tell(&mut without, &worth);
        assert!(
            without.individuals[10..]
                .iter()
                .all(|child| !left.contains(child))
        );
        assert_eq!(without.archive().count(), 0);
    }

    /// The better ones among those who have left push out the others, and nobody is there twice.
    #[test]
    fn the_archive_keeps_the_best() {
        let mut algorithm = begun(always(Recall::Any), 4);
        for _ in 0..30 {
            let worth = fitness(&algorithm.ask().individuals);
            tell(&mut algorithm, &worth);
            let known: Vec<&(u64, Vec<f64>)> = algorithm.archive.iter().collect();
            assert!(known.len() <= 10 && known.is_sorted_by(|one, next| one.0 >= next.0));
            for (at, (_, one)) in known.iter().enumerate() {
                assert!(known[..at].iter().all(|(_, other)| other != one));
            }
        }
    }

    /// With exact fitness and the same positions a player from the archive is never better than the worst parent.
    #[test]
    fn nobody_who_has_left_beats_who_has_stayed() {
        let mut algorithm = begun(always(Recall::Best), 5);
        for _ in 0..20 {
            let worth = fitness(&algorithm.ask().individuals);
            tell(&mut algorithm, &worth);
            let parents = fitness(&algorithm.individuals[..10]);
            let best_left = algorithm.archive.first().unwrap().0;
            assert!(parents.iter().all(|&parent| parent >= best_left));
        }
    }

    /// How many of those who come back in a run stay as parents, if fitness is off by less than this much.
    fn who_stay(noise: u64) -> (usize, usize) {
        let history = History {
            probability: Probability::new(0.1),
            size: 20,
            recall: Recall::Any,
        };
        let mut algorithm = begun(Some(history), 3);
        let mut chance = Random::new(4);
        let (mut back, mut stay) = (0, 0);
        for _ in 0..200 {
            let individuals = algorithm.ask().individuals;
            let worth = fitness(&individuals);
            let off = |worth| worth + chance.below(u128::from(noise)) as u64;
            let worth: Vec<u64> = worth.into_iter().map(off).collect();
            let children = individuals.iter().skip(10);
            let known: Vec<&[f64]> = algorithm.archive().collect();
            let revived = children.filter(|child| known.contains(&child.as_slice()));
            let revived: Vec<Vec<f64>> = revived.cloned().collect();
            tell(&mut algorithm, &worth);
            let parents = &algorithm.individuals[..10];
            back += revived.len();
            stay += revived.iter().filter(|who| parents.contains(who)).count();
        }
        (back, stay)
    }

    /// Why noise makes a memory useful (docs/results/history-2013.md): with exact fitness nobody who comes back stays.
    #[test]
    fn who_comes_back_stays_only_where_fitness_is_noisy() {
        let (back, stay) = who_stay(1);
        assert!(back > 100 && stay == 0, "{stay} of {back}");
        let (back, stay) = who_stay(10_000_000);
        assert!(back > 100 && stay > back / 10, "{stay} of {back}");
    }

    #[test]
    fn it_finds_what_is_near_and_one_seed_is_one_history() {
        let run = |seed| {
            let mut algorithm = begun(None, seed);
            for _ in 0..200 {
                let worth = fitness(&algorithm.ask().individuals);
                tell(&mut algorithm, &worth);
            }
            algorithm.individuals
        };
        let individuals = run(7);
        assert!(
            individuals[0].iter().all(|x| (x - 100.0).abs() < 5.0),
            "{:?}",
            individuals[0]
        );
        assert_eq!(individuals, run(7));
        assert_ne!(individuals, run(8));
    }

    /// Founders come first, and an odd population keeps one parent more than it has children.
    #[test]
    fn founders_and_odd_numbers() {
        let settings = Settings {
            population: 5,
            ..settings(None)
        };
        let founder = vec![1.0; 6];
        let ranges = vec![(0.0, 2.0); 6];
        let mut algorithm =
            EvolutionaryProgramming::new(settings, ranges, vec![founder.clone()], 1);
        assert_eq!(algorithm.ask().individuals[0], founder);
        tell(&mut algorithm, &[5, 4, 3, 2, 1]);
        assert_eq!(algorithm.ask().individuals.len(), 5);
        let batch = algorithm.ask();
        algorithm.tell(Feedback {
            fitness: &[1, 2, 3, 4, 5],
            elite: Some(1),
        });
        assert_eq!(algorithm.individuals[0], batch.individuals[1]);
    }
}
