//! How far an individual's scores of positions are from an expert's, in centipawns, after O. E. David-Tabibi,
//! M. Koppel and N. S. Netanyahu, "Expert-driven genetic algorithms for simulating evaluation functions"
//! (2011), §3.3.
//!
//! The paper's error is the mean of |own score - expert's score|. "Apply the evaluation function" is read in two
//! ways: as the static evaluation, or as the score of the frozen quiescence ([`engine::one_ply`]) of the position
//! itself. Both are walks of trees that all individuals share, as in [`super::grandmaster`]; the static one
//! is that of a quiescence without moves.
//!
//! Everything is whole numbers: scores are exact in `f32` below 2^24, and no sum of a chunk reaches that.

use super::batched_minimax::{Batch, LANES, Lanes, Walk};
use super::tree::Tree;
use crate::base::room::{self, NoRoom};
use engine::eval::TermSet;
use engine::eval::params::EvalParams;
use engine::one_ply::Quiescence;
use engine::position::Position;
use pulp::Arch;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Points of a position whose score is met exactly; a centipawn of error costs one of them, and an error of more
/// counts as one of so much. Points add up as errors do, and none are the worst there is.
pub const POINTS: u32 = 10_000;

/// Scores of the expert beyond this are left out, in centipawns, and with them all mates: nobody plays for
/// a pawn there.
pub const MOST: i32 = 1_500;

/// Fitness of a mean error of one centipawn. Fitness is in inverse proportion to the error (2011 §3.3) and a whole
/// number: six digits of it at 100 centipawns.
const OF_ONE: u64 = 100_000_000;

/// Positions that one worker handles at a time.
const CHUNK: usize = 32;

/// The fitness of somebody with so much error on so many positions together, before the profile's power. A
/// mean error below a tenth of a centipawn counts as so much.
pub fn fitness(error: u64, positions: usize) -> u32 {
    let worth = OF_ONE.saturating_mul(positions as u64) / error.max(1);
    worth.min(10 * OF_ONE) as u32
}

/// The error that points on so many positions leave, in centipawns together.
pub fn error_of(points: u32, positions: usize) -> u64 {
    (u64::from(POINTS) * positions as u64).saturating_sub(points.into())
}

/// Positions with what an expert says of them, ready to be weighed by any individual.
#[derive(Debug)]
pub struct LabelledPositions {
    /// Each position's tree, which grows while it is walked, by one worker at a time.
    trees: Vec<Mutex<Tree>>,
    /// What they count.
    terms: TermSet,
    /// The expert's scores for the side to move, in centipawns.
    expert: Vec<i32>,
    /// Whether there was no room for the trees to grow any more.
    is_full: AtomicBool,
}

impl LabelledPositions {
    /// Of positions with their scores, for individuals with these terms.
    pub fn new(
        positions: &[(Position, i32)],
        quiescence: &Quiescence,
        terms: TermSet,
    ) -> LabelledPositions {
        let tree = |(position, _): &(Position, i32)| {
            Mutex::new(Tree::of_position(position, quiescence, terms))
        };
        LabelledPositions {
            terms,
            trees: positions.par_iter().map(tree).collect(),
            expert: positions.iter().map(|(_, score)| *score).collect(),
            is_full: AtomicBool::new(false),
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Number of nodes in all trees, as far as they have grown.
    pub fn nodes(&self) -> usize {
        let lock = |tree: &Mutex<Tree>| tree.lock().unwrap_or_else(PoisonError::into_inner).len();
        self.trees.iter().map(lock).sum()
    }

    /// Points of each individual on the positions with these indices.
    ///
    /// # Errors
    /// There is no room for the trees to grow.
    pub fn points(
        &self,
        positions: &[usize],
        individuals: &[EvalParams],
    ) -> Result<Vec<u32>, NoRoom> {
        let batches = individuals.chunks(LANES);
        let batches: Vec<Box<Batch>> = batches.map(|some| Batch::new(some, self.terms)).collect();
        let zero = || vec![0; batches.len() * LANES];
        let add = |mut sum: Vec<u32>, lost: Vec<u32>| {
            sum.iter_mut()
                .zip(lost)
                .for_each(|(sum, lost)| *sum += lost);
            sum
        };
        let chunks = positions.par_chunks(CHUNK);
        let lost = chunks
            .map(|chunk| self.errors(chunk, &batches))
            .reduce(zero, add);
        if self.is_full.load(Relaxed) {
            room::ask(usize::MAX)?;
        }
        let all = POINTS * positions.len() as u32;
        Ok((lost.iter().take(individuals.len()))
            .map(|lost| all.saturating_sub(*lost))
            .collect())
    }

    /// The error of each individual of the batches on some positions. Walks none where there is no room to grow.
    fn errors(&self, positions: &[usize], batches: &[Box<Batch>]) -> Vec<u32> {
        if room::ask(0).is_err() {
            self.is_full.store(true, Relaxed);
            return vec![0; batches.len() * LANES];
        }
        let mut sums = vec![[0.0; LANES]; batches.len()];
        let mut walk = Walk::new();
        for &position in positions {
            let (Some(tree), Some(&expert)) = (self.trees.get(position), self.expert.get(position))
            else {
                continue;
            };
            // All batches after each other, while the tree is in the cache.
            Arch::new().dispatch(Weigh {
                walk: &mut walk,
                tree: &mut tree.lock().unwrap_or_else(PoisonError::into_inner),
                expert: expert as f32,
                batches,
                sums: &mut sums,
            });
        }
        sums.iter().flatten().map(|sum| *sum as u32).collect()
    }
}

/// Adds the errors of all batches on one position, to be compiled once for each kind of vectors, as in
/// [`super::grandmaster`].
struct Weigh<'a> {
    walk: &'a mut Walk,
    tree: &'a mut Tree,
    expert: f32,
    batches: &'a [Box<Batch>],
    sums: &'a mut [Lanes],
}

impl pulp::NullaryFnOnce for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (batch, sums) in self.batches.iter().zip(self.sums) {
            let scores = self.walk.scores(self.tree, batch);
            for (sum, score) in sums.iter_mut().zip(scores) {
                *sum += (score - self.expert).abs().min(POINTS as f32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::testing::{random_position, random_weights};
    use engine::eval::params::term;
    use engine::eval::{Weights, evaluate};
    use engine::one_ply::Moves;
    use engine::params::ParamTable as _;
    use engine::score::Score;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    const STATIC: Quiescence = Quiescence {
        moves: Moves::None,
        max_plies: 0,
        checks: 0,
    };

    /// A knight and a pawn more are 300 + 100, seen by White; two pawns against a bishop -130, seen by
    /// Black, who is a bishop up: 330 - 200. The expert says 350 and 100: errors of 50 and 30.
    #[test]
    fn errors_worked_out_by_hand() {
        let positions = [
            ("4k3/8/8/8/8/8/4P3/1N2K3 w - - 0 1", 350),
            ("2b1k3/8/8/8/8/8/PP6/4K3 b - - 0 1", 100),
        ];
        let positions = positions.map(|(fen, score)| (Position::from_fen(fen).unwrap(), score));
        let mut individual = EvalParams::missing();
        individual.set(term::pawn_value, 100);
        individual.set(term::knight_value, 300);
        individual.set(term::bishop_value, 330);
        let labelled = LabelledPositions::new(&positions, &STATIC, TermSet::Of2014);
        let all_zero = EvalParams::missing();
        let points = labelled
            .points(&[0, 1], &[individual.clone(), all_zero])
            .unwrap();
        let errors = points.iter().map(|points| error_of(*points, 2));
        assert_eq!(errors.collect::<Vec<_>>(), [50 + 30, 350 + 100]);
        let second = labelled.points(&[1], &[individual]).unwrap();
        assert_eq!(error_of(second[0], 1), 30);
    }

    #[test]
    fn fitness_is_the_reciprocal_of_the_mean_error() {
        assert_eq!(fitness(100 * 1_000, 1_000), 1_000_000);
        assert_eq!(fitness(50 * 1_000, 1_000), 2_000_000);
        assert_eq!(fitness(400, 4), fitness(100, 1));
        assert_eq!(fitness(0, 1_000), fitness(100, 1_000));
        assert_eq!(error_of(2 * POINTS, 2), 0);
        assert_eq!(error_of(0, 2), 20_000);
    }

    /// The score of every individual is what the engine's own quiescence says, to the centipawn, mates and
    /// stalemates at the root too.
    #[test]
    fn scores_are_those_of_the_engines_own_quiescence() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(62);
        let sets = [TermSet::Of2014, TermSet::Of2013];
        let individuals = sets
            .map(|terms| -> Vec<_> { (0..40).map(|_| random_weights(&mut rng, terms)).collect() });
        let mut positions: Vec<Position> = (0..60).map(|_| random_position(&mut rng)).collect();
        for ended in [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            positions.push(Position::from_fen(ended).unwrap());
        }
        let see = Quiescence::default();
        let all = Quiescence {
            moves: Moves::All,
            max_plies: 4,
            checks: 0,
        };
        let checks = Quiescence { checks: 2, ..see };
        let quiescences = [STATIC, see, all, checks].into_iter();
        let both = |quiescence| sets.map(|terms| (quiescence, terms));
        for (quiescence, terms) in quiescences.flat_map(both) {
            let individuals = &individuals[usize::from(terms == TermSet::Of2013)];
            for position in &positions {
                let mut tree = Tree::of_position(position, &quiescence, terms);
                for batch in individuals.chunks(LANES) {
                    let scores = Walk::<LANES>::new().scores(&mut tree, &Batch::new(batch, terms));
                    for (individual, score) in batch.iter().zip(scores) {
                        let weights = Weights::from(individual);
                        let window = (-Score::INFINITE, Score::INFINITE);
                        let own = quiescence.search(position, &weights, 0, window.0, window.1);
                        assert_eq!(score as i32, own.value(), "{}", position.to_fen());
                        if quiescence == STATIC && position.has_legal_move() {
                            assert_eq!(own, evaluate(position, &weights));
                        }
                    }
                }
            }
        }
    }

    /// Whoever says what the expert says has no error, and nobody else's error is less.
    #[test]
    fn the_expert_itself_has_no_error() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(63);
        let individuals: Vec<_> = (0..40)
            .map(|_| random_weights(&mut rng, TermSet::Of2014))
            .collect();
        let quiescence = Quiescence::default();
        let weights = Weights::from(&individuals[35]);
        let scored = (0..100).map(|_| {
            let position = random_position(&mut rng);
            let (low, high) = (-Score::INFINITE, Score::INFINITE);
            let score = quiescence.search(&position, &weights, 0, low, high);
            (position, score.value())
        });
        let labelled =
            LabelledPositions::new(&scored.collect::<Vec<_>>(), &quiescence, TermSet::Of2014);
        assert_eq!((labelled.len(), labelled.is_empty()), (100, false));
        let places: Vec<usize> = (0..100).collect();
        let points = labelled.points(&places, &individuals).unwrap();
        assert_eq!(error_of(points[35], 100), 0);
        assert!(
            points
                .iter()
                .enumerate()
                .all(|(at, points)| at == 35 || *points < 100 * POINTS)
        );
        assert!(labelled.nodes() > 100);
        // Parts add up to the whole.
        let parts = [&places[..37], &places[37..]];
        let parts = parts.map(|part| labelled.points(part, &individuals).unwrap());
        let sums = parts[0]
            .iter()
            .zip(&parts[1])
            .map(|(one, other)| one + other);
        assert_eq!(sums.collect::<Vec<_>>(), points);
    }
}
