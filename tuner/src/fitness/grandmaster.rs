//! Phase 1: how many grandmaster moves an individual finds with a 1-ply search (2014 §III.B).
//!
//! [`engine::one_ply::choose_one_ply`] defines the answer; this is the same answer for a whole
//! population at once, by trees that all individuals share (`tree.rs`) and walk together
//! (`batched_minimax.rs`).
//!
//! Lanes are `f32`, which hold whole numbers below 2^24 exactly. No score reaches that: a test of
//! the evaluation takes the largest weights on a board with as many queens as there may be.

pub use super::batched_minimax::LANES;
use super::batched_minimax::{Batch, Walk};
use super::tree::Tree;
use crate::base::room::{self, NoRoom};
use engine::epd::Epd;
use engine::eval::TermSet;
use engine::eval::params::{CORE, EvalParams, term};
use engine::one_ply::Quiescence;
use engine::params::ParamTable as _;
use pulp::Arch;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Positions that one worker handles at a time.
const CHUNK: usize = 32;

/// How much each term usually counts, in hundredths: the root of the mean square of its count, own
/// minus opponent's, in 3,893 positions of grandmasters' games (every thirteenth of `train8.epd` of
/// docs/results/grandmaster.md). It is frozen: with other numbers a `decay` would mean something else.
const USUAL: [(usize, i64); CORE] = [
    (term::pawn_value, 94),
    (term::knight_value, 68),
    (term::bishop_value, 68),
    (term::rook_value, 37),
    (term::queen_value, 15),
    (term::pawn_advance_a, 251),
    (term::pawn_advance_b, 253),
    (term::passed_pawn_mult, 349),
    (term::doubled_pawn_penalty, 56),
    (term::isolated_pawn_penalty, 119),
    (term::backward_pawn_penalty, 55),
    (term::weak_square_penalty, 370),
    (term::passed_pawn_enemy_king_dist, 189),
    (term::knight_sq_mult, 373),
    (term::knight_outpost_mult, 126),
    (term::bishop_mobility, 446),
    (term::bishop_pair, 47),
    (term::rook_attack_king_file, 32),
    (term::rook_attack_king_adj_file, 65),
    (term::rook_attack_king_adj_file_abgh, 63),
    (term::rook_7th_rank, 29),
    (term::rook_connected, 103),
    (term::rook_mobility, 486),
    (term::rook_behind_passed_pawn, 30),
    (term::rook_open_file, 68),
    (term::rook_semi_open_file, 68),
    (term::rook_atck_weak_pawn_open_column, 46),
    (term::rook_column_mult, 185),
    (term::queen_mobility, 368),
    (term::king_no_friendly_pawn, 46),
    (term::king_no_friendly_pawn_adj, 65),
    (term::king_friendly_pawn_advanced1, 72),
    (term::king_no_enemy_pawn, 40),
    (term::king_no_enemy_pawn_adj, 57),
    (term::king_pressure_mult, 199),
];

/// Positions, out of `positions`, deducted for the size of an individual's weights: a weight worth 100
/// centipawns at its term's usual count costs `rate` in 10,000, others by the square of that worth.
///
/// Only a pawn's worth is given, so what moves leave open is how large everything else is, and
/// evolution leaves it large, because random bits are. A weight itself would be the wrong measure: that of a
/// queen is large because queens seldom differ, and those of small terms would cost nothing.
pub fn decay(individual: &EvalParams, rate: f64, positions: usize) -> u32 {
    let square = |&(row, usual): &(usize, i64)| (i64::from(individual.get(row)) * usual).pow(2);
    let squares: i64 = USUAL.iter().map(square).sum();
    // Hundredths of a count and 100 centipawns, squared.
    let lost = rate / 10_000.0 * squares as f64 / 100_000_000.0;
    (lost * positions as f64).round() as u32
}

/// The trees of many positions, ready to be walked by any individual.
#[derive(Debug)]
pub struct TreeCache {
    /// Trees grow while they are walked; each is walked by one worker at a time.
    trees: Vec<Mutex<Tree>>,
    /// What they count.
    terms: TermSet,
    /// Whether there was no room for them to grow any more.
    is_full: AtomicBool,
}

impl TreeCache {
    /// Builds the trees of all positions, for individuals with these terms; a position without a legal move is
    /// never solved.
    pub fn build(problems: &[Epd], quiescence: &Quiescence, terms: TermSet) -> TreeCache {
        let trees = problems
            .par_iter()
            .map(|problem| Mutex::new(Tree::build(problem, quiescence, terms)))
            .collect();
        TreeCache {
            trees,
            terms,
            is_full: AtomicBool::new(false),
        }
    }

    /// Whether all positions have been walked.
    ///
    /// # Errors
    /// There was no room for the trees to grow, and what was counted is worth nothing.
    pub fn has_room(&self) -> Result<(), NoRoom> {
        match self.is_full.load(Relaxed) {
            true => room::ask(usize::MAX),
            false => Ok(()),
        }
    }

    /// Number of nodes in all trees, as far as they have grown.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(|tree| lock(tree).len()).sum()
    }

    /// Number of positions that each individual solves.
    pub fn solved(&self, individuals: &[EvalParams]) -> Vec<u32> {
        self.solved_in(0..self.trees.len(), individuals)
    }

    /// The same of a range of positions alone.
    pub fn solved_in(&self, range: Range<usize>, individuals: &[EvalParams]) -> Vec<u32> {
        let batches = self.batches(individuals);
        let trees = self.trees.get(range).unwrap_or_default();
        let chunks = trees.par_chunks(CHUNK);
        let counts = chunks.map(|trees| self.walk(trees, &batches));
        sums(counts, individuals.len())
    }

    /// The same of the positions in these places alone.
    pub fn solved_at(&self, places: &[usize], individuals: &[EvalParams]) -> Vec<u32> {
        let batches = self.batches(individuals);
        let chunks = places.par_chunks(CHUNK);
        let counts = chunks.map(|places| {
            let trees = places.iter().filter_map(|&place| self.trees.get(place));
            self.walk(trees, &batches)
        });
        sums(counts, individuals.len())
    }

    fn batches(&self, individuals: &[EvalParams]) -> Vec<AnyBatch> {
        let batches = individuals.chunks(LANES);
        batches
            .map(|some| AnyBatch::new(some, self.terms))
            .collect()
    }

    /// The first position in whose tree a worker panicked, by its number. It is told once: all
    /// trees are in order again then.
    pub fn take_panicked(&self) -> Option<usize> {
        let place = self.trees.iter().position(Mutex::is_poisoned);
        self.trees.iter().for_each(Mutex::clear_poison);
        place
    }

    /// Which positions each individual solves: one list a individual, one entry a position.
    pub fn solves(&self, individuals: &[EvalParams]) -> Vec<Vec<bool>> {
        let batches = self.batches(individuals);
        let chunks = self.trees.par_chunks(1);
        let by_position: Vec<Vec<u32>> = chunks.map(|tree| self.walk(tree, &batches)).collect();
        let of = |i: usize| by_position.iter().map(|solved| solved[i] == 1).collect();
        (0..individuals.len()).map(of).collect()
    }

    /// Counts, with the widest vectors that the processor has, how many of the trees each individual
    /// of the batches solves. Walks none where there is no room for it to grow.
    fn walk<'a>(
        &self,
        trees: impl IntoIterator<Item = &'a Mutex<Tree>>,
        batches: &[AnyBatch],
    ) -> Vec<u32> {
        let mut solved = vec![0; batches.len() * LANES];
        if room::ask(0).is_err() {
            self.is_full.store(true, Relaxed);
            return solved;
        }
        let (mut of_32, mut of_16, mut of_8) = (Walk::new(), Walk::new(), Walk::new());
        for tree in trees {
            // All batches after each other, while the tree is in the cache.
            let mut tree = lock(tree);
            for (batch, solved) in batches.iter().zip(solved.chunks_mut(LANES)) {
                match batch {
                    AnyBatch::Of32(batch) => solve(&mut of_32, &mut tree, batch, solved),
                    AnyBatch::Of16(batch) => solve(&mut of_16, &mut tree, batch, solved),
                    AnyBatch::Of8(batch) => solve(&mut of_8, &mut tree, batch, solved),
                }
            }
        }
        solved
    }
}

/// Individuals in as many lanes as they need: a generation of evolutionary programming has some ten new ones.
enum AnyBatch {
    Of32(Box<Batch<LANES>>),
    Of16(Box<Batch<16>>),
    Of8(Box<Batch<8>>),
}

impl AnyBatch {
    /// Of [`LANES`] individuals at most.
    fn new(individuals: &[EvalParams], terms: TermSet) -> AnyBatch {
        match individuals.len() {
            0..=8 => AnyBatch::Of8(Batch::new(individuals, terms)),
            9..=16 => AnyBatch::Of16(Batch::new(individuals, terms)),
            _ => AnyBatch::Of32(Batch::new(individuals, terms)),
        }
    }
}

fn solve<const N: usize>(
    walk: &mut Walk<N>,
    tree: &mut Tree,
    batch: &Batch<N>,
    solved: &mut [u32],
) {
    Arch::new().dispatch(Solve {
        walk,
        tree,
        batch,
        solved,
    });
}

/// [`Walk::solve`], to be compiled once for each kind of vectors. A closure will not do: where
/// the compiler makes a function of it, that one has the narrowest vectors.
struct Solve<'a, const N: usize> {
    walk: &'a mut Walk<N>,
    tree: &'a mut Tree,
    batch: &'a Batch<N>,
    solved: &'a mut [u32],
}

impl<const N: usize> pulp::NullaryFnOnce for Solve<'_, N> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.walk.solve(self.tree, self.batch, self.solved);
    }
}

/// The sums of what chunks have counted for the lanes of so many individuals.
fn sums(counts: impl ParallelIterator<Item = Vec<u32>>, individuals: usize) -> Vec<u32> {
    let add = |mut sum: Vec<u32>, counts: Vec<u32>| {
        sum.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
        sum
    };
    let zero = || vec![0; individuals.next_multiple_of(LANES)];
    let mut solved = counts.reduce(zero, add);
    solved.truncate(individuals);
    solved
}

/// A tree for one worker. A worker that panicked leaves a tree with nodes too many at worst.
fn lock(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::testing::{random_position, random_weights};
    use engine::eval::core_features;
    use engine::one_ply::{Moves, choose_one_ply};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// Positions of random games, each "solved" by one of its moves, by three, or by all but one.
    fn problems(rng: &mut Xoshiro256PlusPlus, count: usize) -> Vec<Epd> {
        let mut problems = Vec::new();
        while problems.len() < count {
            let position = random_position(rng);
            let moves = position.legal_moves();
            if moves.is_empty() {
                continue;
            }
            let mut any = || moves[rng.next_u64() as usize % moves.len()];
            let solution = match problems.len() % 3 {
                0 => format!("bm {}", any()),
                1 => format!("bm {} {} {}", any(), any(), any()),
                _ => format!("am {}", any()),
            };
            let fen = position.to_fen();
            problems.push(Epd::parse(&format!("{fen} ; {solution};")).unwrap());
        }
        problems
    }

    #[test]
    fn the_forest_chooses_what_the_engine_chooses() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let problems = problems(&mut rng, 60);
        let moves = [
            (Moves::None, 0),
            (Moves::See, 0),
            (Moves::See, 2),
            (Moves::All, 1),
        ];
        for ((moves, checks), terms) in [TermSet::Of2014, TermSet::Of2013]
            .into_iter()
            .flat_map(|terms| moves.map(|moves| (moves, terms)))
        {
            let individuals: Vec<_> = (0..40).map(|_| random_weights(&mut rng, terms)).collect();
            let quiescence = Quiescence {
                moves,
                max_plies: 4,
                checks,
            };
            let cache = TreeCache::build(&problems, &quiescence, terms);
            let solves = cache.solves(&individuals);
            for (individual, solves) in individuals.iter().zip(&solves) {
                for (problem, solved) in problems.iter().zip(solves) {
                    let chosen = choose_one_ply(&problem.position, individual, &quiescence);
                    let expected = chosen.is_some_and(|mv| problem.is_solved_by(mv));
                    assert_eq!(*solved, expected, "{}", problem.position.to_fen());
                }
            }
            let counts = solves
                .iter()
                .map(|s| s.iter().filter(|s| **s).count() as u32);
            let counts: Vec<u32> = counts.collect();
            // Batches of 32, 16 and 8 lanes, full and not.
            for count in [40, 32, 17, 16, 9, 8, 1] {
                assert_eq!(cache.solved(&individuals[..count]), counts[..count]);
            }
            let some = [3, 17, 40, 59];
            let counts = solves
                .iter()
                .map(|solves| some.map(|place| u32::from(solves[place])));
            let counts = counts.map(|of_some| of_some.iter().sum());
            assert_eq!(
                cache.solved_at(&some, &individuals),
                counts.collect::<Vec<u32>>()
            );
        }
    }

    #[test]
    fn weights_cost_by_the_square_of_what_they_usually_make() {
        let mut params = EvalParams::missing();
        assert_eq!(decay(&params, 1.0, 50_000), 0);
        // A queen of 1,000 makes 150 centipawns, and a bishop that counts 0.68 makes 68 of 100.
        params.set(term::queen_value, 1_000);
        assert_eq!(decay(&params, 1.0, 40_000), 9);
        params.set(term::bishop_value, 100);
        assert_eq!(decay(&params, 10.0, 100_000), 225 + 46);
        assert_eq!(decay(&params, 0.0, 100_000), 0);
        // No weights are too large.
        let largest = (0..CORE).map(|row| (row, *EvalParams::SPECS[row].range.end()));
        largest.for_each(|(row, most)| params.set(row, most));
        assert!(decay(&params, 1.0, 10_000) > 100);
        assert!(decay(&params, 100.0, usize::MAX) == u32::MAX);
    }

    /// The embedded sample is of other games, by engines of unequal strength, so its counts are near and not the same.
    #[test]
    fn terms_count_about_what_they_usually_count() {
        let sample = include_str!("../../data/sample-train.epd");
        let positions = sample
            .lines()
            .map(|line| Epd::parse(line).unwrap().position);
        let counts: Vec<[i32; CORE]> = positions.map(|it| core_features(&it)).collect();
        for (at, (row, usual)) in USUAL.into_iter().enumerate() {
            assert_eq!(at, row);
            let squares = counts.iter().map(|counts| f64::from(counts[row]).powi(2));
            let here = (squares.sum::<f64>() / counts.len() as f64).sqrt();
            let ratio = here / (usual as f64 / 100.0);
            assert!((0.4..=2.5).contains(&ratio), "row {row}: {here:.2}");
        }
    }

    #[test]
    fn the_position_of_a_panic_is_told_once() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let problems = problems(&mut rng, 6);
        let cache = TreeCache::build(&problems, &Quiescence::default(), TermSet::Of2014);
        assert_eq!(cache.take_panicked(), None);
        let individuals = [random_weights(&mut rng, TermSet::Of2014)];
        let before = cache.solved(&individuals);
        let walk = || {
            let _tree = lock(&cache.trees[4]);
            panic!("a worker");
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(walk)).is_err());
        assert_eq!(cache.take_panicked(), Some(4));
        assert_eq!(cache.take_panicked(), None);
        assert_eq!(cache.solved(&individuals), before);
    }
}
