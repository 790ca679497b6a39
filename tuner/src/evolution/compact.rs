//! The compact genetic algorithm (Harik, Lobo and Goldberg, IEEE TEVC 3(4), 1999), for whole
//! numbers: the population is not kept, only what it is like, a mean and a variance for each gene
//! (Mininno, Cupertino and Naso, IEEE TEVC 12(2), 2008). Two individuals are drawn and compete, and
//! the mean goes from the loser's side to the winner's as if the winner had taken the loser's place
//! in a population of a given size.
//!
//! It is for fitness that is mostly noise, as that of games is: what a single game says of every
//! gene of both players is kept, and nobody has to be measured well. The time that it needs grows
//! gracefully with the noise, that of mutation and selection alone does not (Friedrich, Kötzing,
//! Krejca and Sutton, IEEE TEVC 21(3), 2017, for bits that are independent of each other).
//!
//! Where it differs from its sources:
//!
//! - The two individuals lie opposite each other about the mean, so what a gene does to either side
//!   of it is all that they differ by.
//! - A competition can be won by more or by less: the mean moves in proportion.
//! - A number that is drawn between two whole ones becomes either, the nearer one more often. So a
//!   switch whose mean is a half is on in every second individual, as a bit of 1999 would be.

use super::algorithm::{Algorithm, Batch, Feedback, GeneStatistics};
use super::rng::Random;

/// What a population is like in one gene.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginal {
    /// Least and greatest number that the gene can have.
    pub range: (i32, i32),
    /// Mean of the population.
    pub mean: f64,
    /// Its variance.
    pub variance: f64,
}

impl Marginal {
    /// Every number of this range as often as every other.
    pub fn uniform((low, high): (i32, i32)) -> Marginal {
        let width = f64::from(high) - f64::from(low);
        Marginal {
            range: (low, high),
            mean: f64::midpoint(low.into(), high.into()),
            variance: width * width / 12.0,
        }
    }

    /// As these numbers are, but with a standard deviation of at least this part of the range. And
    /// so that nothing is lost for good, a quarter of the individuals or more has the other setting
    /// of a switch: what was no use in short games may be of use in long ones.
    pub fn of(range: (i32, i32), numbers: &[i32], least_spread: f64) -> Marginal {
        let all = numbers.iter().map(|&number| f64::from(number));
        let count = (numbers.len() as f64).max(1.0);
        let mean = all.clone().sum::<f64>() / count;
        let variance = all.map(|number| (number - mean) * (number - mean));
        let variance = variance.sum::<f64>() / count;
        let (low, high) = (f64::from(range.0), f64::from(range.1));
        let least = least_spread * (high - low);
        // Too little to make another number the nearest.
        let margin = if high - low > 1.0 {
            least.min(0.25)
        } else {
            0.25
        };
        Marginal {
            range,
            mean: mean.max(low + margin).min(high - margin),
            variance: variance.max(least * least),
        }
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// A whole number near this one: the one below or the one above, within the range.
    fn whole(&self, number: f64, rng: &mut Random) -> i32 {
        let (low, high) = (f64::from(self.range.0), f64::from(self.range.1));
        (number + rng.unit()).floor().clamp(low, high) as i32
    }

    /// The whole number nearest to the mean.
    fn nearest(&self) -> i32 {
        self.mean.round() as i32
    }
}

/// What competitions have said of a gene so far.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    /// Sum of the outcomes, each times the rivals' difference in this gene.
    sum: f64,
    /// Sum of their squares.
    squares: f64,
}

impl Evidence {
    fn add(&mut self, product: f64) {
        self.sum += product;
        self.squares += product * product;
    }

    fn in_standard_errors(self) -> f64 {
        match self.squares > 0.0 {
            true => self.sum / self.squares.sqrt(),
            false => 0.0,
        }
    }
}

/// A population that is known by its marginals.
#[derive(Clone, Debug)]
pub struct Compact {
    marginals: Vec<Marginal>,
    evidence: Vec<Evidence>,
    /// Individuals that the population stands for.
    size: f64,
    rng: Random,
}

/// Two individuals that are to compete.
pub type Rivals = [Vec<i32>; 2];

impl Compact {
    /// A population of so many individuals that is like this.
    pub fn new(marginals: Vec<Marginal>, size: u64, seed: u64) -> Compact {
        Compact {
            evidence: vec![Evidence::default(); marginals.len()],
            marginals,
            size: size as f64,
            rng: Random::new(seed),
        }
    }

    /// What the population is like.
    pub fn marginals(&self) -> &[Marginal] {
        &self.marginals
    }

    /// For each gene, how many standard errors the sum of all competitions is on the side of a
    /// greater number (of a smaller one, if negative). If competitions are decided by chance alone,
    /// the mean of the squares is 1; if it stays near that, there were too few of them, or their
    /// individuals lay too near each other.
    pub fn evidence(&self) -> Vec<f64> {
        let all = self.evidence.iter();
        all.map(|evidence| evidence.in_standard_errors()).collect()
    }

    /// The mean individual.
    pub fn mean(&self) -> Vec<i32> {
        self.marginals.iter().map(Marginal::nearest).collect()
    }

    /// Draws two individuals.
    pub fn rivals(&mut self) -> Rivals {
        let mut rivals = [Vec::new(), Vec::new()];
        for marginal in &self.marginals {
            let distance = marginal.deviation() * normal(&mut self.rng);
            for (rival, side) in rivals.iter_mut().zip([distance, -distance]) {
                rival.push(marginal.whole(marginal.mean + side, &mut self.rng));
            }
        }
        rivals
    }

    /// What comes of a competition: `outcome` is 1 if the first has won all there was to win, -1 if
    /// the second has, 0 if neither is the better.
    pub fn learn(&mut self, rivals: &Rivals, outcome: f64) {
        let [first, second] = rivals;
        let genes = self.marginals.iter_mut().zip(&mut self.evidence);
        for ((marginal, evidence), (&first, &second)) in genes.zip(first.iter().zip(second)) {
            let product = outcome * (f64::from(first) - f64::from(second));
            evidence.add(product);
            let step = product / self.size;
            let (low, high) = (f64::from(marginal.range.0), f64::from(marginal.range.1));
            marginal.mean = (marginal.mean + step).clamp(low, high);
            // The 2008 update, for two that lie opposite each other: the variance of a population
            // in which one of them has taken the other's place.
            marginal.variance = (marginal.variance - step * step).max(0.0);
        }
    }
}

/// How a competition ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By how much of all that both have the winner has more: for points of games.
    Share,
    /// Won, lost or neither, however narrowly, as in 1999: for fitness whose scale says nothing.
    Sign,
}

impl Outcome {
    /// From -1 to 1, positive if the first is the better.
    fn of(self, first: u64, second: u64) -> f64 {
        match self {
            Outcome::Share => {
                let (first, second) = (first as f64, second as f64);
                (first - second) / (first + second).max(1.0)
            }
            Outcome::Sign => f64::from(i8::from(first > second) - i8::from(first < second)),
        }
    }
}

/// A compact population, generation by generation: so many competitions between two individuals each, all
/// drawn before the first is over.
#[derive(Clone, Debug)]
pub struct CompactGa {
    population: Compact,
    competitions: usize,
    outcome: Outcome,
    /// Whether the mean is an individual of the generation too, the only one that may be a champion.
    shows_mean: bool,
    rivals: Vec<Rivals>,
    generation: u32,
}

impl CompactGa {
    /// Generation 0.
    pub fn new(
        population: Compact,
        competitions: usize,
        outcome: Outcome,
        shows_mean: bool,
    ) -> CompactGa {
        CompactGa {
            population,
            competitions,
            outcome,
            shows_mean,
            rivals: Vec::new(),
            generation: 0,
        }
    }
}

impl Algorithm for CompactGa {
    type Genome = Vec<i32>;

    fn generation(&self) -> u32 {
        self.generation
    }

    /// The mean, if it is shown, then the two individuals of each competition side by side.
    fn ask(&mut self) -> Batch<Vec<i32>> {
        let rivals = std::iter::repeat_with(|| self.population.rivals());
        self.rivals = rivals.take(self.competitions).collect();
        let mean = self.shows_mean.then(|| self.population.mean());
        let candidates = usize::from(self.shows_mean);
        let individuals = mean
            .into_iter()
            .chain(self.rivals.iter().flatten().cloned());
        Batch {
            individuals: individuals.collect(),
            candidates,
        }
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        let of_rivals = feedback.fitness.get(usize::from(self.shows_mean)..);
        let pairs = of_rivals.unwrap_or_default().chunks_exact(2);
        for (rivals, pair) in self.rivals.iter().zip(pairs) {
            let outcome = self.outcome.of(pair[0], pair[1]);
            self.population.learn(rivals, outcome);
        }
        self.generation += 1;
    }

    fn mean(&self) -> Option<Vec<i32>> {
        Some(self.population.mean())
    }

    fn statistics(&self) -> Vec<GeneStatistics> {
        let genes = self
            .population
            .marginals()
            .iter()
            .zip(self.population.evidence());
        genes
            .map(|(marginal, evidence)| GeneStatistics {
                mean: marginal.mean,
                deviation: marginal.deviation(),
                evidence,
            })
            .collect()
    }
}

/// A number from a distribution that is nearly normal, with mean 0 and variance 1, made by additions
/// alone: every machine gets the same.
fn normal(rng: &mut Random) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compact(ranges: &[(i32, i32)], size: u64, seed: u64) -> Compact {
        let marginals = ranges.iter().map(|&range| Marginal::uniform(range));
        Compact::new(marginals.collect(), size, seed)
    }

    #[test]
    fn it_learns_what_no_single_competition_tells() {
        // The better one wins some 55 times of 100 where the two differ as at the beginning.
        let best = [5, 60, 0, 31, 1, 0, 40, 17, 63, 9];
        let mut ranges = [(0, 63); 10];
        ranges[4] = (0, 1);
        ranges[5] = (0, 1);
        let width = |gene: usize| f64::from(ranges[gene].1);
        let cost = |numbers: &[i32]| {
            let off = |gene: usize| f64::from(numbers[gene] - best[gene]) / width(gene);
            (0..best.len())
                .map(|gene| off(gene) * off(gene))
                .sum::<f64>()
        };
        for seed in 1..4 {
            let mut compact = compact(&ranges, 500, seed);
            let before = cost(&compact.mean());
            let mut luck = Random::new(seed + 100);
            for _ in 0..50_000 {
                let rivals = compact.rivals();
                let lead = cost(&rivals[1]) - cost(&rivals[0]);
                let wins = luck.unit() < 0.5 + 0.05 * lead;
                compact.learn(&rivals, if wins { 1.0 } else { -1.0 });
            }
            let after = cost(&compact.mean());
            assert!(after < before / 10.0, "seed {seed}: {before} to {after}");
            assert_eq!(compact.mean()[4..6], [1, 0]);
        }
    }

    #[test]
    fn evidence_is_of_what_decides() {
        let mut population = compact(&[(0, 100); 40], 1000, 5);
        assert_eq!(population.evidence(), [0.0; 40]);
        let mut luck = Random::new(6);
        for _ in 0..2000 {
            let rivals = population.rivals();
            // More of the first gene is better, less of the second; of the others nobody asks.
            let lead = f64::from(rivals[0][0] - rivals[1][0] - rivals[0][1] + rivals[1][1]);
            let wins = luck.unit() < 0.5 + lead / 1000.0;
            population.learn(&rivals, if wins { 1.0 } else { -1.0 });
        }
        let evidence = population.evidence();
        assert!(evidence[0] > 4.0 && evidence[1] < -4.0, "{evidence:?}");
        let chance = evidence[2..].iter().map(|one| one * one).sum::<f64>() / 38.0;
        assert!((0.5..2.0).contains(&chance), "{chance}");
    }

    #[test]
    fn rivals_lie_opposite_each_other() {
        let mut compact = compact(&[(0, 1000), (0, 1), (-50, 50)], 10, 3);
        let mut on = 0;
        for _ in 0..1000 {
            let [first, second] = compact.rivals();
            let middle = f64::midpoint(first[0].into(), second[0].into());
            // Where neither end of the range is in the way, only rounding keeps it from the mean.
            if (1..1000).contains(&first[0]) && (1..1000).contains(&second[0]) {
                assert!((middle - 500.0).abs() <= 1.0, "{first:?} {second:?}");
            }
            on += first[1] + second[1];
            assert!((-50..=50).contains(&first[2]));
        }
        assert!((900..1100).contains(&on), "{on}");
        assert_eq!(compact.mean(), [500, 1, 0]);
    }

    #[test]
    fn a_draw_changes_nothing_and_a_win_what_they_differ_in() {
        let mut compact = compact(&[(0, 100), (0, 100), (0, 100)], 10, 1);
        let before = compact.marginals().to_vec();
        let rivals = [vec![60, 50, 100], vec![40, 50, 0]];
        compact.learn(&rivals, 0.0);
        assert_eq!(compact.marginals(), before);
        compact.learn(&rivals, -0.5);
        let means: Vec<f64> = compact.marginals().iter().map(|gene| gene.mean).collect();
        assert_eq!(means, [49.0, 50.0, 45.0]);
        let lost: Vec<f64> = (before.iter().zip(compact.marginals()))
            .map(|(before, after)| before.variance - after.variance)
            .collect();
        assert!((lost[0] - 1.0).abs() < 1e-9 && lost[1] == 0.0, "{lost:?}");
        // However often it wins, nobody leaves the range, and the variance ends at 0.
        for _ in 0..1000 {
            compact.learn(&rivals, 1.0);
        }
        let last = &compact.marginals()[2];
        assert_eq!((last.mean, last.variance), (100.0, 0.0));
    }

    /// Of 30 and 10 points the first has half of all more than the second; by their sign it has won.
    #[test]
    fn a_competition_ends_by_share_or_by_sign() {
        let of = |first, second| [Outcome::Share, Outcome::Sign].map(|way| way.of(first, second));
        assert_eq!(of(30, 10), [0.5, 1.0]);
        assert_eq!(of(0, 7), [-1.0, -1.0]);
        assert_eq!(of(4, 4), [0.0, 0.0]);
        assert_eq!(of(0, 0), [0.0, 0.0]);
    }

    /// What a generation learns is what its competitions say one after the other.
    #[test]
    fn a_generation_is_its_competitions_in_turn() {
        let population = compact(&[(0, 100); 3], 20, 9);
        let mut by_hand = population.clone();
        let rivals: Vec<Rivals> = (0..2).map(|_| by_hand.rivals()).collect();
        let mut algorithm = CompactGa::new(population, 2, Outcome::Share, true);
        let batch = algorithm.ask();
        assert_eq!((batch.individuals.len(), batch.candidates), (5, 1));
        assert_eq!(batch.individuals[0], by_hand.mean());
        assert_eq!(batch.individuals[1..], rivals.concat());
        algorithm.tell(Feedback {
            fitness: &[0, 4, 0, 1, 3],
            elite: None,
        });
        by_hand.learn(&rivals[0], 1.0);
        by_hand.learn(&rivals[1], -0.5);
        assert_eq!(algorithm.population.marginals(), by_hand.marginals());
        assert_eq!(algorithm.generation(), 1);
    }

    #[test]
    fn founders_give_mean_and_spread() {
        let founded = Marginal::of((0, 100), &[10, 20, 30], 0.05);
        assert_eq!(founded.mean, 20.0);
        assert!((founded.variance - 200.0 / 3.0).abs() < 1e-9);
        let alone = Marginal::of((0, 100), &[200], 0.05);
        assert_eq!((alone.nearest(), alone.deviation()), (100, 5.0));
        let switch = Marginal::of((0, 1), &[0], 0.125);
        assert_eq!((switch.mean, switch.nearest()), (0.25, 0));
    }
}
