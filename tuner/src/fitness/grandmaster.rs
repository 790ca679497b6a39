//! Phase 1: how many grandmaster moves an individual finds with a 1-ply search (2014 §III.B).
//!
//! [`engine::one_ply::choose_one_ply`] defines the answer; this is the same answer for a whole
//! population at once. The tree below a root move depends on the position alone, and the
//! evaluation is linear, so:
//!
//! - each position's tree is built once and stored as the *change* of the counts from parent to
//!   child, which is a handful of terms;
//! - all individuals walk a tree together, one SIMD lane each, so that walking it is one multiply
//!   and one add a term, and minimax is one `min` or `max` a node.
//!
//! Lanes are `f32`, which hold whole numbers below 2^24 exactly. No score reaches that: a test
//! takes the largest weights there are on positions with as many queens as a board may have.

use engine::epd::Epd;
use engine::eval::params::{EvalParams, term};
use engine::eval::{Features, features};
use engine::one_ply::{Node as Expansion, Quiescence, root_moves};
use engine::params::ParamTable;
use engine::position::Position;
use engine::score::Score;
use pulp::Arch;
use rayon::prelude::*;

/// Individuals that walk a tree together: four AVX2 registers of `f32`.
const LANES: usize = 32;

/// Positions that one worker handles at a time.
const CHUNK: usize = 64;

/// One value for each individual of a batch.
type Lanes = [f32; LANES];

/// Weights of a batch of individuals, by term.
type Weights = [Lanes; term::COUNT];

/// A node of a tree, in pre-order.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Plies from the root; the root's moves lead to 1.
    depth: u8,
    /// How many changes of counts it takes to get here from the parent.
    changes: u8,
    /// What the node is worth before its children are looked at.
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Its evaluation.
    Evaluated,
    /// The side to move is mated or stalemated: a score that no weight changes.
    Final,
}

/// The change of one term's count.
#[derive(Clone, Copy, Debug)]
struct Change {
    row: u8,
    count: i8,
}

/// One position's tree.
#[derive(Clone, Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    changes: Vec<Change>,
    /// For each root move, whether it solves the position.
    solves: Vec<bool>,
    /// Deepest node.
    depth: u8,
}

/// The trees of many positions, ready to be walked by any individual.
#[derive(Clone, Debug)]
pub struct Forest {
    trees: Vec<Tree>,
}

impl Forest {
    /// Builds the trees of all positions; a position without a legal move is never solved.
    pub fn build(problems: &[Epd], quiescence: &Quiescence) -> Forest {
        let trees = problems
            .par_iter()
            .map(|problem| Tree::build(problem, quiescence))
            .collect();
        Forest { trees }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Number of nodes in all trees.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(|tree| tree.nodes.len()).sum()
    }

    /// Number of positions that each individual solves.
    pub fn solved(&self, individuals: &[EvalParams]) -> Vec<u32> {
        let batches: Vec<Box<Weights>> = individuals.chunks(LANES).map(weights).collect();
        let zero = || vec![0u32; batches.len() * LANES];
        let arch = Arch::new();
        let mut solved = self
            .trees
            .par_chunks(CHUNK)
            .fold(zero, |mut solved, trees| {
                let mut walk = Walk::default();
                for (batch, solved) in batches.iter().zip(solved.chunks_mut(LANES)) {
                    arch.dispatch(|| {
                        for tree in trees {
                            walk.solve(tree, batch, solved);
                        }
                    });
                }
                solved
            })
            .reduce(zero, |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                a
            });
        solved.truncate(individuals.len());
        solved
    }

    /// Which positions each individual solves: one list a individual, one entry a position.
    pub fn solves(&self, individuals: &[EvalParams]) -> Vec<Vec<bool>> {
        let one = |tree: &Tree| {
            Forest {
                trees: vec![tree.clone()],
            }
            .solved(individuals)
        };
        let by_position: Vec<Vec<u32>> = self.trees.par_iter().map(one).collect();
        let of = |i: usize| by_position.iter().map(|solved| solved[i] == 1).collect();
        (0..individuals.len()).map(of).collect()
    }
}

/// The weights of up to [`LANES`] individuals, transposed; unused lanes stay 0.
fn weights(individuals: &[EvalParams]) -> Box<Weights> {
    let mut weights = Box::new([[0.0; LANES]; term::COUNT]);
    for (lane, individual) in individuals.iter().enumerate() {
        for (row, lanes) in weights.iter_mut().enumerate() {
            lanes[lane] = individual.get(row) as f32;
        }
    }
    weights
}

impl Tree {
    fn build(problem: &Epd, quiescence: &Quiescence) -> Tree {
        let mut tree = Tree::default();
        let root = features(&problem.position);
        tree.node(0, Kind::Evaluated, &root, &[0; term::COUNT]);
        for &mv in root_moves(&problem.position).iter() {
            tree.solves.push(problem.is_solved_by(mv));
            tree.grow(&problem.position.play(mv), quiescence, 1, &root);
        }
        tree.nodes.shrink_to_fit();
        tree.changes.shrink_to_fit();
        tree
    }

    /// Adds a position and everything below it; counts are from the root's side to move.
    fn grow(&mut self, position: &Position, quiescence: &Quiescence, depth: u8, parent: &Features) {
        let moves = match quiescence.node(position, u32::from(depth) - 1) {
            Expansion::Mated => return self.end(depth, Score::mated_in(usize::from(depth))),
            Expansion::Stalemate => return self.end(depth, Score::DRAW),
            Expansion::Quiet(moves) => moves,
        };
        let mut own = features(position);
        if depth % 2 == 1 {
            own = own.map(|count| -count);
        }
        self.node(depth, Kind::Evaluated, &own, parent);
        for &mv in moves.iter() {
            self.grow(&position.play(mv), quiescence, depth + 1, &own);
        }
    }

    /// Adds a node by the changes from its parent.
    fn node(&mut self, depth: u8, kind: Kind, own: &Features, parent: &Features) {
        let before = self.changes.len();
        for (row, (own, parent)) in own.iter().zip(parent).enumerate() {
            let mut left = own - parent;
            // A change that does not fit into a byte is made in several steps.
            while left != 0 {
                let step = left.clamp(-127, 127);
                self.changes.push(Change {
                    row: row as u8,
                    count: step as i8,
                });
                left -= step;
            }
        }
        let changes = self.changes.len() - before;
        self.depth = self.depth.max(depth);
        self.nodes.push(Node {
            depth,
            changes: changes as u8,
            kind,
        });
    }

    /// Adds a node whose score for its side to move is fixed.
    fn end(&mut self, depth: u8, score: Score) {
        let sign = if depth % 2 == 1 { -1 } else { 1 };
        // The score is kept in the changes, in three bytes of a kind of its own.
        let bytes = (sign * score.value()).to_le_bytes();
        for (row, byte) in bytes.iter().enumerate() {
            self.changes.push(Change {
                row: row as u8,
                count: i8::from_le_bytes([*byte]),
            });
        }
        self.depth = self.depth.max(depth);
        self.nodes.push(Node {
            depth,
            changes: bytes.len() as u8,
            kind: Kind::Final,
        });
    }
}

/// Deepest tree that can be walked: the root, its moves and the longest quiescence.
const MAX_DEPTH: usize = 64;

/// The state of a batch on its way through a tree.
struct Walk {
    /// Evaluation at each depth on the way to the current node.
    eval: [Lanes; MAX_DEPTH],
    /// Minimax value found so far at each depth.
    value: [Lanes; MAX_DEPTH],
}

impl Default for Walk {
    fn default() -> Self {
        Walk {
            eval: [[0.0; LANES]; MAX_DEPTH],
            value: [[0.0; LANES]; MAX_DEPTH],
        }
    }
}

impl Walk {
    /// Lets the batch choose a move, and counts who solves the position.
    #[inline(always)]
    fn solve(&mut self, tree: &Tree, weights: &Weights, solved: &mut [u32]) {
        let mut best = [f32::NEG_INFINITY; LANES];
        let mut right = [0u32; LANES];
        let mut changes = tree.changes.as_slice();
        let mut roots = tree.solves.iter();
        let mut open = 0;
        for node in &tree.nodes {
            let depth = usize::from(node.depth);
            // What lies deeper than this node's parent is complete.
            while open >= depth.max(1) {
                self.close(open, &mut roots, &mut best, &mut right);
                open -= 1;
            }
            let (own, rest) = changes.split_at(usize::from(node.changes));
            changes = rest;
            if node.kind == Kind::Final {
                let byte = |i: usize| own.get(i).map_or(0, |change| change.count as u8);
                let score = i32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
                self.value[depth] = [score as f32; LANES];
            } else {
                let mut sum = if depth == 0 {
                    [0.0; LANES]
                } else {
                    self.eval[depth - 1]
                };
                for change in own {
                    let count = f32::from(change.count);
                    let row = &weights[usize::from(change.row)];
                    for lane in 0..LANES {
                        sum[lane] += count * row[lane];
                    }
                }
                self.eval[depth] = sum;
                self.value[depth] = sum;
            }
            open = depth;
        }
        while open >= 1 {
            self.close(open, &mut roots, &mut best, &mut right);
            open -= 1;
        }
        for lane in 0..LANES {
            solved[lane] += right[lane];
        }
    }

    /// Hands a finished node's value to its parent; a root move's to the choice.
    #[inline(always)]
    fn close(
        &mut self,
        depth: usize,
        roots: &mut std::slice::Iter<'_, bool>,
        best: &mut Lanes,
        right: &mut [u32; LANES],
    ) {
        let value = self.value[depth];
        if depth == 1 {
            let solves = u32::from(roots.next().copied().unwrap_or(false));
            for lane in 0..LANES {
                let better = value[lane] > best[lane];
                right[lane] = if better { solves } else { right[lane] };
                best[lane] = if better { value[lane] } else { best[lane] };
            }
            return;
        }
        let parent = &mut self.value[depth - 1];
        // At odd depths the opponent is to move, and takes the least.
        if depth % 2 == 0 {
            for lane in 0..LANES {
                parent[lane] = if value[lane] < parent[lane] {
                    value[lane]
                } else {
                    parent[lane]
                };
            }
        } else {
            for lane in 0..LANES {
                parent[lane] = if value[lane] > parent[lane] {
                    value[lane]
                } else {
                    parent[lane]
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::one_ply::{Moves, choose_one_ply};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    fn random_weights(rng: &mut Xoshiro256PlusPlus) -> EvalParams {
        let mut weights = EvalParams::default();
        for (row, spec) in EvalParams::SPECS.iter().enumerate() {
            weights.set(
                row,
                (rng.next_u64() % (*spec.range.end() as u64 + 1)) as i32,
            );
        }
        weights
    }

    /// Positions of random games, each "solved" by one of its moves.
    fn problems(rng: &mut Xoshiro256PlusPlus, count: usize) -> Vec<Epd> {
        let mut problems = Vec::new();
        while problems.len() < count {
            let mut position = Position::startpos();
            for _ in 0..rng.next_u64() % 120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[rng.next_u64() as usize % moves.len()]);
            }
            let moves = position.legal_moves();
            if let Some(&mv) = moves.get(rng.next_u64() as usize % moves.len().max(1)) {
                let fen = position.to_fen();
                problems.push(Epd::parse(&format!("{fen} ; bm {mv};")).unwrap());
            }
        }
        problems
    }

    #[test]
    fn the_forest_chooses_what_the_engine_chooses() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let individuals: Vec<_> = (0..40).map(|_| random_weights(&mut rng)).collect();
        let problems = problems(&mut rng, 300);
        for moves in [Moves::None, Moves::See, Moves::All] {
            let quiescence = Quiescence {
                moves,
                max_plies: 4,
            };
            let forest = Forest::build(&problems, &quiescence);
            let solves = forest.solves(&individuals);
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
            assert_eq!(forest.solved(&individuals), counts.collect::<Vec<_>>());
        }
    }
}
