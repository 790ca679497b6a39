//! Phase 1: how many grandmaster moves an individual finds with a 1-ply search (2014 §III.B).
//!
//! [`engine::one_ply::choose_one_ply`] defines the answer; this is the same answer for a whole
//! population at once. The tree below a root move depends on the position alone, and the
//! evaluation is linear, so:
//!
//! - each position's tree is built once, as far as anybody has to look, and stored as the *change*
//!   of the counts from parent to child, which is a handful of terms;
//! - all individuals walk a tree together, one SIMD lane each, so that walking it is one multiply
//!   and one add a term, and minimax is one `min` or `max` a node.
//!
//! Lanes are `f32`, which hold whole numbers below 2^24 exactly. No score reaches that: a test of
//! the evaluation takes the largest weights on a board with as many queens as there may be.

use engine::epd::Epd;
use engine::eval::core_features;
use engine::eval::params::{CORE, EvalParams};
use engine::one_ply::{MAX_PLIES, Node as Expansion, Quiescence, root_moves};
use engine::params::ParamTable;
use engine::position::Position;
use engine::score::Score;
use engine::types::{Move, MoveList, Square};
use pulp::Arch;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Individuals that walk a tree together, one SIMD lane each.
const LANES: usize = 32;

/// Positions that one worker handles at a time.
const CHUNK: usize = 32;

/// One value for each individual of a batch.
type Lanes = [f32; LANES];

/// Weights of a batch of individuals, by term.
type Weights = [Lanes; CORE];

/// A node of a tree; the children of a node stand side by side.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The move that leads here, and the node that it is played in.
    mv: Move,
    parent: u32,
    /// The first child; 0 as long as nobody has asked for the children.
    first_child: u32,
    /// Where the changes of counts begin that lead here from the parent, and how many they are.
    changes: u32,
    change_count: u8,
    /// Children, once they are known.
    child_count: u8,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Worth its evaluation, or what its moves make of it; nobody has looked at them yet.
    Unknown,
    /// The same, and its children are known.
    Known,
    /// The side to move is mated.
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

/// One position's tree, as far as any individual has had to look.
#[derive(Clone, Debug)]
struct Tree {
    position: Position,
    quiescence: Quiescence,
    nodes: Vec<Node>,
    changes: Vec<Change>,
    /// The root moves in the order of their nodes.
    roots: Vec<RootMove>,
}

/// The trees of many positions, ready to be walked by any individual.
#[derive(Debug)]
pub struct Forest {
    /// Trees grow while they are walked; each is walked by one worker at a time.
    trees: Vec<Mutex<Tree>>,
}

impl Forest {
    /// Builds the trees of all positions; a position without a legal move is never solved.
    pub fn build(problems: &[Epd], quiescence: &Quiescence) -> Forest {
        let trees = problems
            .par_iter()
            .map(|problem| Mutex::new(Tree::build(problem, quiescence)))
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

    /// Number of nodes in all trees, as far as they have grown.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(|tree| lock(tree).nodes.len()).sum()
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
                            walk.solve(&mut lock(tree), batch, solved);
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
        let batches: Vec<Box<Weights>> = individuals.chunks(LANES).map(weights).collect();
        let arch = Arch::new();
        let one = |tree: &Mutex<Tree>| {
            let mut walk = Walk::new();
            let mut solved = vec![0u32; batches.len() * LANES];
            for (batch, solved) in batches.iter().zip(solved.chunks_mut(LANES)) {
                arch.dispatch(|| walk.solve(&mut lock(tree), batch, solved));
            }
            solved
        };
        let by_position: Vec<Vec<u32>> = self.trees.par_iter().map(one).collect();
        let of = |i: usize| by_position.iter().map(|solved| solved[i] == 1).collect();
        (0..individuals.len()).map(of).collect()
    }
}

/// A tree for one worker. A worker that panicked leaves a tree with nodes too many at worst.
fn lock(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The weights of up to [`LANES`] individuals, transposed; unused lanes stay 0.
fn weights(individuals: &[EvalParams]) -> Box<Weights> {
    let mut weights = Box::new([[0.0; LANES]; CORE]);
    for (lane, individual) in individuals.iter().enumerate() {
        for (row, lanes) in weights.iter_mut().enumerate() {
            lanes[lane] = individual.get(row) as f32;
        }
    }
    weights
}

impl Tree {
    /// The root and its moves; those that look good by the compiled default weights come first,
    /// which changes the speed and not the result.
    fn build(problem: &Epd, quiescence: &Quiescence) -> Tree {
        let position = problem.position;
        let mut tree = Tree {
            position,
            quiescence: *quiescence,
            nodes: Vec::new(),
            changes: Vec::new(),
            roots: Vec::new(),
        };
        let root = core_features(&position);
        let nowhere = Square::new(0);
        tree.add(
            Move::new(nowhere, nowhere, None),
            0,
            Kind::Known,
            &root,
            &[0; CORE],
        );
        let guesser = engine::eval::Weights::from(&EvalParams::default());
        let mut best = -Score::INFINITE;
        let mut moves = Vec::new();
        for (place, &mv) in root_moves(&position).iter().enumerate() {
            let child = position.play(mv);
            let guess = -quiescence.search(&child, &guesser, 0, -Score::INFINITE, -best);
            best = best.max(guess);
            moves.push((guess, place, mv, child));
        }
        moves.sort_by_key(|(guess, ..)| -guess.value());
        for (_, place, mv, child) in moves {
            tree.roots.push(RootMove {
                place: place as f32,
                solves: problem.is_solved_by(mv),
            });
            tree.add(
                mv,
                0,
                kind(&child),
                &core_features(&child).map(|count| -count),
                &root,
            );
        }
        tree.nodes[0].first_child = 1;
        tree.nodes[0].child_count = tree.roots.len() as u8;
        tree
    }

    /// The children of a node at this depth.
    #[inline(always)]
    fn children(&mut self, index: usize, depth: usize) -> Range<u32> {
        if self.nodes[index].kind == Kind::Unknown {
            self.look(index, depth);
        }
        let node = &self.nodes[index];
        node.first_child..node.first_child + u32::from(node.child_count)
    }

    /// Finds out which children a node has.
    #[cold]
    #[inline(never)]
    fn look(&mut self, index: usize, depth: usize) {
        let mut path = Vec::with_capacity(depth);
        let mut above = index;
        while above != 0 {
            path.push(self.nodes[above].mv);
            above = self.nodes[above].parent as usize;
        }
        let position = path
            .iter()
            .rev()
            .fold(self.position, |position, &mv| position.play(mv));
        let moves = match self.quiescence.node(&position, depth as u32 - 1) {
            Expansion::Quiet(moves) => moves,
            Expansion::Mated | Expansion::Stalemate => MoveList::new(),
        };
        let own_turn = depth.is_multiple_of(2);
        let from_root = |features: [i32; CORE], own_turn: bool| {
            if own_turn {
                features
            } else {
                features.map(|count| -count)
            }
        };
        let own = from_root(core_features(&position), own_turn);
        let first_child = self.nodes.len() as u32;
        for &mv in moves.iter() {
            let after = position.play(mv);
            let child = from_root(core_features(&after), !own_turn);
            self.add(mv, index as u32, kind(&after), &child, &own);
        }
        let node = &mut self.nodes[index];
        node.kind = Kind::Known;
        node.first_child = first_child;
        node.child_count = moves.len() as u8;
    }

    /// Adds a node by the changes from its parent's counts.
    fn add(&mut self, mv: Move, parent: u32, kind: Kind, own: &[i32; CORE], before: &[i32; CORE]) {
        let changes = self.changes.len();
        for (row, (own, before)) in own.iter().zip(before).enumerate() {
            let mut left = own - before;
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
        self.nodes.push(Node {
            mv,
            parent,
            first_child: 0,
            changes: changes as u32,
            change_count: (self.changes.len() - changes) as u8,
            child_count: 0,
            kind,
        });
    }

    /// The changes that lead to a node.
    #[inline(always)]
    fn changes(&self, index: usize) -> &[Change] {
        let node = &self.nodes[index];
        let begin = node.changes as usize;
        &self.changes[begin..begin + usize::from(node.change_count)]
    }
}

/// What is known of a position at first sight.
fn kind(position: &Position) -> Kind {
    match (position.has_legal_move(), position.in_check()) {
        (true, _) => Kind::Unknown,
        (false, true) => Kind::Mated,
        (false, false) => Kind::Stalemate,
    }
}

/// What it is worth to the root's mover that the side to move at this depth is mated.
fn mated(depth: usize) -> f32 {
    let score = Score::mated_in(depth).value() as f32;
    if depth.is_multiple_of(2) {
        score
    } else {
        -score
    }
}

/// Deepest tree that can be walked: the root, its moves and [`MAX_PLIES`] of quiescence.
const MAX_DEPTH: usize = MAX_PLIES as usize + 2;

/// A node on the way from the root to where the walk is, for all lanes.
#[derive(Clone, Copy)]
struct Level {
    /// The children that are still to be walked.
    next: u32,
    end: u32,
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
            next: 0,
            end: 0,
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
    fn solve(&mut self, tree: &mut Tree, weights: &Weights, solved: &mut [u32]) {
        self.best = [f32::NEG_INFINITY; LANES];
        self.place = [0.0; LANES];
        self.solves = [0; LANES];
        self.levels[0].eval = evaluate(&[0.0; LANES], tree.changes(0), weights);
        self.levels[0].next = 1;
        self.levels[0].end = 1 + tree.roots.len() as u32;
        let mut root = RootMove {
            place: 0.0,
            solves: false,
        };
        let mut open = 0;
        loop {
            let level = &mut self.levels[open];
            if level.next < level.end {
                let index = level.next as usize;
                level.next += 1;
                open += 1;
                if open == 1 {
                    root = tree.roots[index - 1];
                }
                self.enter(tree, index, open, root, weights);
                continue;
            }
            match open {
                0 => break,
                1 => self.offer(root),
                // A parent that does not matter any more needs none of its other moves.
                _ if self.hand_up(open) => {}
                _ => self.levels[open - 1].next = self.levels[open - 1].end,
            }
            open -= 1;
        }
        for (solved, solves) in solved.iter_mut().zip(self.solves) {
            *solved += solves;
        }
    }

    /// Values a node and opens it, with its children if they matter in any lane.
    #[inline(always)]
    fn enter(
        &mut self,
        tree: &mut Tree,
        index: usize,
        depth: usize,
        root: RootMove,
        weights: &Weights,
    ) {
        let (above, below) = self.levels.split_at_mut(depth);
        let (Some(parent), Some(level)) = (above.last(), below.first_mut()) else {
            return;
        };
        level.next = 0;
        level.end = 0;
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
        level.eval = evaluate(&parent.eval, tree.changes(index), weights);
        level.value = level.eval;
        match tree.nodes[index].kind {
            Kind::Mated => level.value = [mated(depth); LANES],
            Kind::Stalemate => level.value = [0.0; LANES],
            Kind::Unknown | Kind::Known => {
                if level.matters(depth) {
                    let children = tree.children(index, depth);
                    level.next = children.start;
                    level.end = children.end;
                }
            }
        }
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
        let individuals: Vec<_> = (0..40).map(|_| random_weights(&mut rng)).collect();
        let problems = problems(&mut rng, 50);
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
