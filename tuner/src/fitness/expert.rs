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
//! whole numbers, exact in `f32` below 2^24, and one division at the end. The curve is a polynomial
//! of our own, for additions, multiplications and divisions are the same on every machine and a library's
//! exponential is not.

use crate::data::suite::expert_score;
use engine::epd::Epd;
use engine::eval::params::{EvalParams, TERMS, term};
use engine::eval::{FULL_PHASE, endgame_phase, features};
use engine::params::ParamTable;
use pulp::Arch;
use rayon::prelude::*;
use std::ops::Range;

/// Points of a position whose chance of winning is met exactly.
pub const POINTS: u32 = 10_000;

/// Individuals that weigh a position together, one SIMD lane each.
const LANES: usize = 16;

/// Positions that one worker handles at a time.
const CHUNK: usize = 512;

/// Scores are told apart up to this, in centipawns.
const LIMIT: f32 = 4_000.0;

type Lanes = [f32; LANES];

/// Centipawns at which a side wins 73 games of 100 (e : 1), for the expert and for individuals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Of the expert's scores.
    pub expert: f64,
    /// Of an individual's.
    pub own: f64,
}

/// The chance to win that a score means, from 0 to 1, to six digits: 1 / (1 + 2^t), where the whole
/// part of t goes into the exponent and a polynomial does the rest.
#[inline(always)]
pub(super) fn chance(score: f32, scale: f32) -> f32 {
    /// Added to a number, it leaves no bits for a fraction, and the lowest ones are the whole part.
    const WHOLE: f32 = 12_582_912.0;
    const ONE: u32 = 127;
    let t = (-std::f32::consts::LOG2_E * score / scale).clamp(-60.0, 60.0);
    let whole = t + WHOLE;
    let rest = t - (whole - WHOLE);
    // 2^rest from -1/2 to 1/2: the powers of ln 2 by their factorials.
    let power = 1.0
        + rest
            * (std::f32::consts::LN_2
                + rest
                    * (0.240_226_46
                        + rest * (0.055_503_29 + rest * (0.009_618_176 + rest * 0.001_333_355_8))));
    let scaled = f32::from_bits(whole.to_bits().wrapping_add(ONE) << 23);
    1.0 / (1.0 + power * scaled)
}

/// The root of the mean square of the differences of chances, in per cent, from points.
pub fn error_percent(points: f64, positions: usize) -> f64 {
    let lost = 1.0 - points / (positions.max(1) as f64 * f64::from(POINTS));
    100.0 * lost.max(0.0).sqrt()
}

/// Points deducted on every position for the size of an individual's parameters, which are given in
/// 1/`unit` centipawns; one of 100 centipawns costs `rate`, others by their square.
pub fn decay(individual: &EvalParams, unit: i32, rate: f64) -> f64 {
    let squares = (0..term::COUNT).map(|row| i64::from(individual.get(row)).pow(2));
    let hundred = 100.0 * f64::from(unit);
    rate * squares.sum::<i64>() as f64 / (hundred * hundred)
}

/// Positions with what an expert says of them, ready to be weighed by any individual.
#[derive(Debug)]
pub struct LabelledPositions {
    /// Where each position's counts begin, and where the last one's end.
    starts: Vec<usize>,
    counts: Vec<Count>,
    /// How much each position's endgame rows count.
    fades: Vec<f32>,
    /// The expert's chances for the side to move.
    chances: Vec<f32>,
    /// The scale of individuals' scores.
    own: f32,
}

/// What is not zero of a position's counts.
#[derive(Clone, Copy, Debug)]
struct Count {
    term: u16,
    count: i16,
}

impl LabelledPositions {
    /// The counts of positions, each of which has a score.
    pub fn new(problems: &[Epd], scales: Scales) -> LabelledPositions {
        let counts = |problem: &Epd| -> Vec<Count> {
            let features = features(&problem.position);
            let counts = (0..).zip(&features[..TERMS]);
            let counts = counts.filter(|(_, count)| **count != 0);
            counts
                .map(|(term, &count)| Count {
                    term,
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
        let faded = |problem: &Epd| endgame_phase(&problem.position) as f32;
        let said = |problem: &Epd| {
            let score = expert_score(problem).unwrap_or(0);
            chance(score as f32, scales.expert as f32)
        };
        LabelledPositions {
            starts,
            counts: by_position.concat(),
            fades: problems.iter().map(faded).collect(),
            chances: problems.iter().map(said).collect(),
            own: scales.own as f32,
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

    /// Points of each individual on these positions; their parameters are given in 1/`unit` centipawns,
    /// `unit` being a power of two.
    pub fn points(
        &self,
        positions: Range<usize>,
        individuals: &[EvalParams],
        unit: i32,
    ) -> Vec<u32> {
        let batches = individuals.chunks(LANES);
        let batches: Vec<Box<Batch>> = batches.map(|batch| Batch::new(batch, unit)).collect();
        let starts: Vec<usize> = positions.clone().step_by(CHUNK).collect();
        let lost = starts.par_iter().map(|&start| -> Vec<Lanes> {
            let chunk = start..positions.end.min(start + CHUNK);
            let lost = batches.iter().map(|batch| {
                Arch::new().dispatch(Weigh {
                    labelled: self,
                    positions: chunk.clone(),
                    batch,
                })
            });
            lost.collect()
        });
        // Added up in the order of the chunks, whoever was first.
        let lost: Vec<Vec<Lanes>> = lost.collect();
        let points = |individual: usize| {
            let (batch, lane) = (individual / LANES, individual % LANES);
            let lost: f64 = lost.iter().map(|chunk| f64::from(chunk[batch][lane])).sum();
            let left = positions.len() as f64 - lost;
            (left * f64::from(POINTS)).round() as u32
        };
        (0..individuals.len()).map(points).collect()
    }

    /// The scores of a position for each individual of a batch.
    #[inline(always)]
    fn scores(&self, position: usize, batch: &Batch) -> Lanes {
        let (mut plain, mut endgame) = ([0.0; LANES], [0.0; LANES]);
        for counted in &self.counts[self.starts[position]..self.starts[position + 1]] {
            let [weights, added] = &batch.weights[usize::from(counted.term)];
            let count = f32::from(counted.count);
            for (sum, weight) in plain.iter_mut().zip(weights) {
                *sum += count * weight;
            }
            for (sum, weight) in endgame.iter_mut().zip(added) {
                *sum += count * weight;
            }
        }
        let endgame_phase = self.fades[position];
        let mut scores = plain;
        for (score, endgame) in scores.iter_mut().zip(endgame) {
            // A quotient below 2^18 is never rounded to a whole number that it does not reach.
            *score += (endgame * endgame_phase / FULL_PHASE as f32).trunc();
        }
        scores
    }
}

/// Up to [`LANES`] individuals.
struct Batch {
    /// Weights by term, and what is added to them in the endgame; those of lanes without an
    /// individual are 0.
    weights: [[Lanes; 2]; TERMS],
}

impl Batch {
    fn new(individuals: &[EvalParams], unit: i32) -> Box<Batch> {
        let centipawns = |parts: i32| parts as f32 / unit as f32;
        let mut batch = Box::new(Batch {
            weights: [[[0.0; LANES]; 2]; TERMS],
        });
        for (lane, individual) in individuals.iter().take(LANES).enumerate() {
            for (term, [weights, added]) in batch.weights.iter_mut().enumerate() {
                weights[lane] = centipawns(individual.get(term));
                added[lane] = centipawns(individual.get(TERMS + term));
            }
        }
        batch
    }
}

/// What each individual of a batch loses on positions, in positions; compiled once for each kind of
/// vectors, as in [`super::grandmaster`].
struct Weigh<'a> {
    labelled: &'a LabelledPositions,
    positions: Range<usize>,
    batch: &'a Batch,
}

impl pulp::NullaryFnOnce for Weigh<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn call(self) -> Lanes {
        let mut lost = [0.0; LANES];
        for position in self.positions {
            let scores = self.labelled.scores(position, self.batch);
            let expert = self.labelled.chances[position];
            for (score, lost) in scores.iter().zip(&mut lost) {
                let own = chance(score.clamp(-LIMIT, LIMIT), self.labelled.own);
                *lost += (own - expert) * (own - expert);
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::testing::{random_position, random_rows};
    use engine::eval::params::FIRST_2013;
    use engine::eval::{Weights, evaluate};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    const SCALES: Scales = Scales {
        expert: 150.0,
        own: 210.0,
    };

    /// The chance that a score means.
    fn exactly(score: i32, scale: f64) -> f64 {
        1.0 / (1.0 + (-f64::from(score) / scale).exp())
    }

    #[test]
    fn the_curve_is_the_logistic_one() {
        for score in -4_000..=4_000 {
            let (own, exact) = (chance(score as f32, 150.0), exactly(score, 150.0));
            assert!(
                (f64::from(own) - exact).abs() < 1e-6,
                "{score}: {own} {exact}"
            );
        }
    }

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
            .map(|_| random_rows(&mut rng, 0..FIRST_2013))
            .collect();
        let labelled = LabelledPositions::new(&problems, SCALES);
        assert_eq!(labelled.len(), 700);
        let points = labelled.points(100..700, &individuals, 1);
        for (individual, points) in individuals.iter().zip(points) {
            let weights = Weights::from(individual);
            let lost = problems[100..].iter().map(|problem| {
                let own = evaluate(&problem.position, &weights).value();
                let own = own.clamp(-LIMIT as i32, LIMIT as i32);
                let expert = expert_score(problem).unwrap();
                (exactly(own, SCALES.own) - exactly(expert, SCALES.expert)).powi(2)
            });
            let lost: f64 = lost.sum();
            let expected = f64::from(POINTS) * (600.0 - lost);
            // Chances have six digits; a centipawn is worth some ten points on every position.
            assert!(
                (f64::from(points) - expected).abs() <= 5.0,
                "{points} {expected}"
            );
            let error = error_percent(f64::from(points), 600);
            assert!((error - 100.0 * (lost / 600.0).sqrt()).abs() < 0.01);
        }
    }

    #[test]
    fn parameters_cost_by_their_square() {
        let mut params = EvalParams::missing();
        assert_eq!(decay(&params, 1, 0.5), 0.0);
        params.set(term::tempo, 100);
        params.set(TERMS + term::pawn_value, -200);
        assert_eq!(decay(&params, 1, 0.5), 2.5);
        assert_eq!(decay(&params, 2, 0.5), 0.625);
    }

    #[test]
    fn who_says_what_the_expert_says_gets_all_points() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
        let expert = random_rows(&mut rng, 0..FIRST_2013);
        let weights = Weights::from(&expert);
        let problems: Vec<Epd> = problems(&mut rng, 50)
            .into_iter()
            .map(|problem| {
                let fen = problem.position.to_fen();
                let score = evaluate(&problem.position, &weights).value();
                Epd::parse(&format!("{fen} ; ce {};", score.clamp(-4_000, 4_000))).unwrap()
            })
            .collect();
        let same = Scales {
            expert: 200.0,
            own: 200.0,
        };
        let labelled = LabelledPositions::new(&problems, same);
        let other = random_rows(&mut rng, 0..FIRST_2013);
        let points = labelled.points(0..50, &[expert, other], 1);
        assert_eq!(points[0], 50 * POINTS);
        assert!(points[1] < points[0]);
    }
}
