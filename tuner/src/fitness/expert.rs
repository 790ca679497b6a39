//! How near an individual's evaluation comes to what an expert says of positions, after O. E.
//! David-Tabibi, M. Koppel and N. S. Netanyahu, "Expert-driven genetic algorithms for simulating
//! evaluation functions" (2011), §3.3.
//!
//! Both scores become chances of winning first (a logistic curve, each with a scale of its own),
//! and an individual gets [`POINTS`] less the square of their difference. The paper takes the
//! difference of centipawns as it is; then positions that are won anyhow, where scores are large
//! and a pawn means nothing, decide what a pawn is worth.
//!
//! Positions say little of what is rare in them, a pawn about to promote for example, or a queen
//! against three pieces, and chance would decide. So every parameter costs something by its square
//! ([`decay`]), and those that nothing speaks for become small.
//!
//! The evaluation is linear, so a position is its counts: few are not zero, and many individuals
//! weigh them at once, one SIMD lane each. The score is the engine's own to the centipawn: sums of
//! whole numbers, exact in `f32` below 2^24, and one division at the end.

use crate::data::suite::expert_score;
use engine::epd::Epd;
use engine::eval::params::{EvalParams, TERMS, term};
use engine::eval::{FULL_PHASE, features};
use engine::params::ParamTable;
use pulp::Arch;
use rayon::prelude::*;
use std::ops::Range;

/// Points of a position whose chance of winning is met exactly.
pub const POINTS: u32 = 10_000;

/// Points are summed in so many parts of a point, and rounded once.
const PARTS: f64 = 10_000.0;

/// Individuals that weigh a position together, one SIMD lane each.
const LANES: usize = 16;

/// Positions that one worker handles at a time.
const CHUNK: usize = 512;

/// Scores are told apart up to this, in centipawns.
const LIMIT: i32 = 4_000;

type Lanes = [f32; LANES];

/// Centipawns at which a side wins 73 games of 100 (e : 1), for the expert and for individuals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Of the expert's scores.
    pub expert: f64,
    /// Of an individual's.
    pub own: f64,
}

/// The chance to win that a score means, from 0 to 1.
pub(super) fn chance(score: i32, scale: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / scale).exp())
}

/// The root of the mean square of the differences of chances, in per cent, from points.
pub fn error_percent(points: f64, positions: usize) -> f64 {
    let lost = 1.0 - points / (positions.max(1) as f64 * f64::from(POINTS));
    100.0 * lost.max(0.0).sqrt()
}

/// Points that an individual loses on every position for the size of its parameters; one of 100
/// centipawns costs `rate`.
pub fn decay(individual: &EvalParams, rate: f64) -> f64 {
    let squares = (0..term::COUNT).map(|row| i64::from(individual.get(row)).pow(2));
    rate * squares.sum::<i64>() as f64 / 10_000.0
}

/// Positions with what an expert says of them, ready to be weighed by any individual.
#[derive(Debug)]
pub struct Lessons {
    /// Where each position's counts begin, and where the last one's end.
    starts: Vec<usize>,
    counts: Vec<Count>,
    /// The expert's chances for the side to move.
    chances: Vec<f64>,
    /// An individual's chance by its score, from -[`LIMIT`] on.
    own: Vec<f64>,
}

/// What is not zero of a position's counts.
#[derive(Clone, Copy, Debug)]
struct Count {
    row: u16,
    count: i16,
}

impl Lessons {
    /// The counts of positions, each of which has a score.
    pub fn new(problems: &[Epd], scales: Scales) -> Lessons {
        let counts = |problem: &Epd| -> Vec<Count> {
            let counts = (0..).zip(features(&problem.position));
            let counts = counts.filter(|(_, count)| *count != 0);
            counts
                .map(|(row, count)| Count {
                    row,
                    count: count.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
                })
                .collect()
        };
        let by_position: Vec<Vec<Count>> = problems.par_iter().map(counts).collect();
        let mut starts = vec![0];
        starts.extend(by_position.iter().scan(0, |end, counts| {
            *end += counts.len();
            Some(*end)
        }));
        let said = |problem: &Epd| chance(expert_score(problem).unwrap_or(0), scales.expert);
        Lessons {
            starts,
            counts: by_position.concat(),
            chances: problems.iter().map(said).collect(),
            own: (-LIMIT..=LIMIT)
                .map(|score| chance(score, scales.own))
                .collect(),
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.chances.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chances.is_empty()
    }

    /// Points of each individual on these positions.
    pub fn points(&self, positions: Range<usize>, individuals: &[EvalParams]) -> Vec<u32> {
        let batches: Vec<Box<Batch>> = individuals.chunks(LANES).map(Batch::new).collect();
        let zero = || vec![0; batches.len() * LANES];
        let starts: Vec<usize> = positions.clone().step_by(CHUNK).collect();
        let lost = starts.par_iter().map(|&start| {
            let chunk = start..positions.end.min(start + CHUNK);
            let mut lost = zero();
            for (batch, lost) in batches.iter().zip(lost.chunks_mut(LANES)) {
                Arch::new().dispatch(Weigh {
                    lessons: self,
                    positions: chunk.clone(),
                    batch,
                    lost,
                });
            }
            lost
        });
        let add = |mut sum: Vec<u64>, lost: Vec<u64>| {
            sum.iter_mut()
                .zip(lost)
                .for_each(|(sum, lost)| *sum += lost);
            sum
        };
        let lost = lost.reduce(zero, add);
        let most = positions.len() as u64 * u64::from(POINTS);
        let points = |lost: u64| {
            let lost = (lost as f64 / PARTS).round() as u64;
            u32::try_from(most.saturating_sub(lost)).unwrap_or(u32::MAX)
        };
        lost.into_iter()
            .take(individuals.len())
            .map(points)
            .collect()
    }

    /// The scores of a position for each individual of a batch.
    #[inline(always)]
    fn scores(&self, position: usize, batch: &Batch) -> [i32; LANES] {
        let (mut plain, mut endgame) = ([0.0; LANES], [0.0; LANES]);
        for counted in &self.counts[self.starts[position]..self.starts[position + 1]] {
            let row = usize::from(counted.row);
            let sum: &mut Lanes = if row < TERMS {
                &mut plain
            } else {
                &mut endgame
            };
            let count = f32::from(counted.count);
            for (sum, weight) in sum.iter_mut().zip(&batch.weights[row]) {
                *sum += count * weight;
            }
        }
        std::array::from_fn(|lane| plain[lane] as i32 + endgame[lane] as i32 / FULL_PHASE)
    }
}

/// Up to [`LANES`] individuals.
struct Batch {
    /// Weights by row; those of lanes without an individual are 0.
    weights: [Lanes; term::COUNT],
}

impl Batch {
    fn new(individuals: &[EvalParams]) -> Box<Batch> {
        let mut batch = Box::new(Batch {
            weights: [[0.0; LANES]; term::COUNT],
        });
        for (lane, individual) in individuals.iter().take(LANES).enumerate() {
            for (row, lanes) in batch.weights.iter_mut().enumerate() {
                lanes[lane] = individual.get(row) as f32;
            }
        }
        batch
    }
}

/// Weighs positions for a batch; compiled once for each kind of vectors, as in
/// [`super::grandmaster`].
struct Weigh<'a> {
    lessons: &'a Lessons,
    positions: Range<usize>,
    batch: &'a Batch,
    /// What each individual loses, in parts of a point.
    lost: &'a mut [u64],
}

impl pulp::NullaryFnOnce for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for position in self.positions {
            let scores = self.lessons.scores(position, self.batch);
            let expert = self.lessons.chances[position];
            for (score, lost) in scores.iter().zip(self.lost.iter_mut()) {
                let place = (score.clamp(&-LIMIT, &LIMIT) + LIMIT) as usize;
                let difference = self.lessons.own[place] - expert;
                *lost += (difference * difference * f64::from(POINTS) * PARTS) as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::testing::{random_position, random_weights};
    use engine::eval::{Weights, evaluate};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    const SCALES: Scales = Scales {
        expert: 150.0,
        own: 210.0,
    };

    /// Positions of random games with random scores.
    fn problems(rng: &mut Xoshiro256PlusPlus, count: usize) -> Vec<Epd> {
        let problem = |_| {
            let fen = random_position(rng).to_fen();
            let score = rng.next_u64() as i32 % 1000;
            Epd::parse(&format!("{fen} ; ce {score};")).unwrap()
        };
        (0..count).map(problem).collect()
    }

    #[test]
    fn points_are_those_of_the_engines_own_evaluation() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let problems = problems(&mut rng, 700);
        // More than a batch, and the last one not full.
        let individuals: Vec<_> = (0..21)
            .map(|_| random_weights(&mut rng, term::COUNT))
            .collect();
        let lessons = Lessons::new(&problems, SCALES);
        assert_eq!(lessons.len(), 700);
        let points = lessons.points(100..700, &individuals);
        for (individual, points) in individuals.iter().zip(points) {
            let weights = Weights::from(individual);
            let lost = problems[100..].iter().map(|problem| {
                let own = evaluate(&problem.position, &weights).value();
                let own = chance(own.clamp(-LIMIT, LIMIT), SCALES.own);
                let expert = chance(expert_score(problem).unwrap(), SCALES.expert);
                (own - expert).powi(2)
            });
            let lost: f64 = lost.sum();
            let expected = f64::from(POINTS) * (600.0 - lost);
            assert!(
                (f64::from(points) - expected).abs() <= 1.0,
                "{points} {expected}"
            );
            let error = error_percent(f64::from(points), 600);
            assert!((error - 100.0 * (lost / 600.0).sqrt()).abs() < 0.01);
        }
    }

    #[test]
    fn parameters_cost_by_their_square() {
        let mut params = EvalParams::missing();
        assert_eq!(decay(&params, 0.5), 0.0);
        params.set(term::tempo, 100);
        params.set(TERMS + term::pawn_value, -200);
        assert_eq!(decay(&params, 0.5), 2.5);
    }

    #[test]
    fn who_says_what_the_expert_says_gets_all_points() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
        let expert = random_weights(&mut rng, term::COUNT);
        let weights = Weights::from(&expert);
        let problems: Vec<Epd> = problems(&mut rng, 50)
            .into_iter()
            .map(|problem| {
                let fen = problem.position.to_fen();
                let score = evaluate(&problem.position, &weights).value();
                Epd::parse(&format!("{fen} ; ce {};", score.clamp(-LIMIT, LIMIT))).unwrap()
            })
            .collect();
        let same = Scales {
            expert: 200.0,
            own: 200.0,
        };
        let lessons = Lessons::new(&problems, same);
        let other = random_weights(&mut rng, term::COUNT);
        let points = lessons.points(0..50, &[expert, other]);
        assert_eq!(points[0], 50 * POINTS);
        assert!(points[1] < points[0]);
    }
}
