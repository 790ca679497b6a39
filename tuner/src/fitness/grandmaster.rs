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
use engine::eval::{Features, dot, features};
use engine::one_ply::{MAX_PLIES, Node as Expansion, Quiescence, root_moves};
use engine::params::ParamTable;
use engine::position::Position;
use engine::score::Score;
use pulp::Arch;
use rayon::prelude::*;

/// Individuals that walk a tree together, one SIMD lane each.
const LANES: usize = 32;

/// Positions that one worker handles at a time.
const CHUNK: usize = 32;

/// One value for each individual of a batch.
type Lanes = [f32; LANES];

/// Weights of a batch of individuals, by term.
type Weights = [Lanes; term::COUNT];

/// A node of a tree, in pre-order.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Index of the first node that is not below this one.
    end: u32,
    /// Where its changes of counts begin; they end where the next node's begin.
    changes: u32,
    /// Plies from the root; the root's moves lead to 1.
    depth: u8,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Worth its evaluation, or what its moves make of it.
    Evaluated,
    /// The side to move is mated; the opponent of the root's mover if the depth is odd.
    Mated,
    /// Nobody wins.
    Stalemate,
}

/// The change of one term's count.
#[derive(Clone, Copy, Debug)]
struct Change {
    row: u8,
    count: i8,
}

/// What is to be known of a root move.
#[derive(Clone, Copy, Debug)]
struct RootMove {
    /// Its place in the order in which ties are resolved.
    place: f32,
    /// Whether it solves the position.
    solves: bool,
}

/// One position's tree.
#[derive(Clone, Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    changes: Vec<Change>,
    /// The root moves in the order in which their nodes come.
    roots: Vec<RootMove>,
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
                let mut walk = Walk::new();
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

/// A position of the tree while it is built.
struct Sketch {
    features: Features,
    kind: Kind,
    /// Minimax value for the root's mover with the compiled default weights: a guess at which
    /// moves are good, so that good ones are walked first. It changes the speed, not the result.
    guess: i32,
    children: Vec<Sketch>,
    root: Option<RootMove>,
}

impl Sketch {
    /// Everything below a position; counts and guesses are from the root's mover.
    fn grow(position: &Position, quiescence: &Quiescence, depth: usize) -> Sketch {
        let mut sketch = Sketch {
            features: features(position),
            kind: Kind::Evaluated,
            guess: 0,
            children: Vec::new(),
            root: None,
        };
        let opponent_to_move = depth % 2 == 1;
        if opponent_to_move {
            sketch.features = sketch.features.map(|count| -count);
        }
        match quiescence.node(position, depth as u32 - 1) {
            Expansion::Mated => {
                sketch.kind = Kind::Mated;
                sketch.guess = mated(depth) as i32;
            }
            Expansion::Stalemate => sketch.kind = Kind::Stalemate,
            Expansion::Quiet(moves) => {
                let grown = moves
                    .iter()
                    .map(|&mv| Sketch::grow(&position.play(mv), quiescence, depth + 1));
                sketch.children = grown.collect();
                sketch.guess = dot(&sketch.features, &EvalParams::default()).value();
                for child in &sketch.children {
                    sketch.guess = if opponent_to_move {
                        sketch.guess.min(child.guess)
                    } else {
                        sketch.guess.max(child.guess)
                    };
                }
                sketch.children.sort_by_key(|child| {
                    if opponent_to_move {
                        child.guess
                    } else {
                        -child.guess
                    }
                });
            }
        }
        sketch
    }
}

/// What it is worth to the root's mover that the side to move at this depth is mated.
fn mated(depth: usize) -> f32 {
    let score = Score::mated_in(depth).value() as f32;
    if depth % 2 == 1 { -score } else { score }
}

impl Tree {
    fn build(problem: &Epd, quiescence: &Quiescence) -> Tree {
        let position = &problem.position;
        let moves = root_moves(position);
        let grown = moves.iter().enumerate().map(|(place, &mv)| {
            let mut sketch = Sketch::grow(&position.play(mv), quiescence, 1);
            let solves = problem.is_solved_by(mv);
            sketch.root = Some(RootMove {
                place: place as f32,
                solves,
            });
            sketch
        });
        let mut children: Vec<Sketch> = grown.collect();
        children.sort_by_key(|child| -child.guess);
        let root = Sketch {
            features: features(position),
            kind: Kind::Evaluated,
            guess: 0,
            children,
            root: None,
        };
        let mut tree = Tree::default();
        tree.add(&root, &[0; term::COUNT], 0);
        tree.nodes.shrink_to_fit();
        tree.changes.shrink_to_fit();
        tree
    }

    /// Adds a sketch and all below it, by the changes from its parent's counts.
    fn add(&mut self, sketch: &Sketch, parent: &Features, depth: u8) {
        let index = self.nodes.len();
        let changes = self.changes.len() as u32;
        self.nodes.push(Node {
            end: 0,
            changes,
            depth,
            kind: sketch.kind,
        });
        self.roots.extend(sketch.root);
        for (row, (own, parent)) in sketch.features.iter().zip(parent).enumerate() {
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
        for child in &sketch.children {
            self.add(child, &sketch.features, depth + 1);
        }
        self.nodes[index].end = self.nodes.len() as u32;
    }

    /// The changes that lead to a node.
    #[inline(always)]
    fn changes(&self, index: usize) -> &[Change] {
        let begin = self.nodes[index].changes as usize;
        let end = self
            .nodes
            .get(index + 1)
            .map_or(self.changes.len(), |n| n.changes as usize);
        &self.changes[begin..end]
    }
}

/// Deepest tree that can be walked: the root, its moves and [`MAX_PLIES`] of quiescence.
const MAX_DEPTH: usize = MAX_PLIES as usize + 2;

/// A node on the way from the root to where the walk is, for all lanes.
#[derive(Clone, Copy)]
struct Level {
    /// Index of the node.
    index: usize,
    /// Its evaluation.
    eval: Lanes,
    /// Its value so far; the side to move may still improve it.
    value: Lanes,
    /// Values up to this one don't matter, because the root's mover has better elsewhere.
    alpha: Lanes,
    /// Values from this one don't matter, because the opponent has better elsewhere.
    beta: Lanes,
}

/// A batch on its way through a tree: alpha-beta in all lanes at once. A branch is left when it
/// matters in no lane any more.
struct Walk {
    levels: [Level; MAX_DEPTH],
    /// The best value of a root move.
    best: Lanes,
    /// The place of that move in the order of ties.
    place: Lanes,
    /// 1 if that move solves the position.
    solves: [u32; LANES],
}

impl Walk {
    fn new() -> Walk {
        let zero = [0.0; LANES];
        let level = Level {
            index: 0,
            eval: zero,
            value: zero,
            alpha: zero,
            beta: zero,
        };
        Walk {
            levels: [level; MAX_DEPTH],
            best: zero,
            place: zero,
            solves: [0; LANES],
        }
    }

    /// Lets the batch choose a move, and counts who solves the position.
    #[inline(always)]
    fn solve(&mut self, tree: &Tree, weights: &Weights, solved: &mut [u32]) {
        self.best = [f32::NEG_INFINITY; LANES];
        self.place = [0.0; LANES];
        self.solves = [0; LANES];
        self.levels[0].index = 0;
        self.levels[0].eval = evaluate(&[0.0; LANES], tree.changes(0), weights);
        let mut roots = tree.roots.iter();
        let mut root = RootMove {
            place: 0.0,
            solves: false,
        };
        let mut next = 1;
        let mut open = 0;
        loop {
            let node = tree.nodes.get(next);
            let depth = node.map_or(1, |node| usize::from(node.depth));
            if open >= depth {
                // Whatever is not above the next node is complete.
                if open == 1 {
                    self.offer(root);
                } else if !self.hand_up(open) {
                    // The parent does not matter any more, nor do its other moves.
                    next = tree.nodes[self.levels[open - 1].index].end as usize;
                }
                open -= 1;
                continue;
            }
            let Some(node) = node else { break };
            if depth == 1 {
                root = roots.next().copied().unwrap_or(root);
            }
            let matters = self.enter(tree, next, depth, root, weights);
            open = depth;
            next = if matters { next + 1 } else { node.end as usize };
        }
        for (solved, solves) in solved.iter_mut().zip(self.solves) {
            *solved += solves;
        }
    }

    /// Values a node and opens it; whether its moves matter in any lane.
    #[inline(always)]
    fn enter(
        &mut self,
        tree: &Tree,
        index: usize,
        depth: usize,
        root: RootMove,
        weights: &Weights,
    ) -> bool {
        let (above, below) = self.levels.split_at_mut(depth);
        let (Some(parent), Some(level)) = (above.last(), below.first_mut()) else {
            return false;
        };
        level.index = index;
        if depth == 1 {
            for lane in 0..LANES {
                // Scores are whole numbers, so a tie that this move would win is worth 1 less.
                let wins_tie = root.place < self.place[lane];
                level.alpha[lane] = self.best[lane] - if wins_tie { 1.0 } else { 0.0 };
            }
            level.beta = [f32::INFINITY; LANES];
        } else if depth.is_multiple_of(2) {
            level.alpha = parent.alpha;
            for lane in 0..LANES {
                level.beta[lane] = min(parent.beta[lane], parent.value[lane]);
            }
        } else {
            level.beta = parent.beta;
            for lane in 0..LANES {
                level.alpha[lane] = max(parent.alpha[lane], parent.value[lane]);
            }
        }
        match tree.nodes[index].kind {
            Kind::Evaluated => {
                level.eval = evaluate(&parent.eval, tree.changes(index), weights);
                level.value = level.eval;
            }
            Kind::Mated => level.value = [mated(depth); LANES],
            Kind::Stalemate => level.value = [0.0; LANES],
        }
        level.matters(depth)
    }

    /// Gives a complete node's value to its parent; whether the parent still matters.
    #[inline(always)]
    fn hand_up(&mut self, depth: usize) -> bool {
        let (above, below) = self.levels.split_at_mut(depth);
        let (Some(parent), Some(level)) = (above.last_mut(), below.first()) else {
            return false;
        };
        for lane in 0..LANES {
            parent.value[lane] = if depth.is_multiple_of(2) {
                min(parent.value[lane], level.value[lane])
            } else {
                max(parent.value[lane], level.value[lane])
            };
        }
        parent.matters(depth - 1)
    }

    /// Takes a root move where it is the best so far.
    #[inline(always)]
    fn offer(&mut self, root: RootMove) {
        let Level { value, alpha, .. } = &self.levels[1];
        for lane in 0..LANES {
            let better = value[lane] > alpha[lane];
            self.best[lane] = if better { value[lane] } else { self.best[lane] };
            self.place[lane] = if better { root.place } else { self.place[lane] };
            self.solves[lane] = if better {
                u32::from(root.solves)
            } else {
                self.solves[lane]
            };
        }
    }
}

impl Level {
    /// Whether any lane's value could still change the choice at the root.
    #[inline(always)]
    fn matters(&self, depth: usize) -> bool {
        let mut lanes = 0;
        for lane in 0..LANES {
            // With the opponent to move the value can only fall, with the root's mover only rise.
            let (low, high) = if depth % 2 == 1 {
                (self.alpha[lane], min(self.value[lane], self.beta[lane]))
            } else {
                (max(self.value[lane], self.alpha[lane]), self.beta[lane])
            };
            lanes += u32::from(low < high);
        }
        lanes > 0
    }
}

/// The evaluation after some changes of counts.
#[inline(always)]
fn evaluate(before: &Lanes, changes: &[Change], weights: &Weights) -> Lanes {
    let mut sum = *before;
    for change in changes {
        let count = f32::from(change.count);
        let row = &weights[usize::from(change.row)];
        for lane in 0..LANES {
            sum[lane] += count * row[lane];
        }
    }
    sum
}

#[inline(always)]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
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
        let individuals: Vec<_> = (0..20).map(|_| random_weights(&mut rng)).collect();
        let problems = problems(&mut rng, 100);
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
