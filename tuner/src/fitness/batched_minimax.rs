//! The walk of a batch of individuals through a tree, one SIMD lane each.
//!
//! Whether an individual solves a position is decided in two steps. First the moves that solve it
//! get their values, by alpha-beta in all lanes at once. Then each other move is asked one
//! question: is it chosen instead? That takes no values, only a comparison a node and lane, and
//! ends with the first move that says yes.
//!
//! Of a tree without root moves the value itself is asked for ([`Walk::scores`]).
//!
//! Every node is seen by its side to move, as in negamax.

use super::tree::{Change, Kind, RootMove, Tree};
use engine::eval::TermSet;
use engine::eval::params::{CORE, EvalParams};
use engine::one_ply::MAX_PLIES;
use engine::params::ParamTable;
use engine::score::Score;

/// Individuals that walk a tree together, one SIMD lane each, where there are enough of them.
pub const LANES: usize = 32;

/// One value for each individual of a batch.
pub type Lanes<const N: usize = LANES> = [f32; N];

/// Yes (all bits set) or no (0) for each individual of a batch.
type Mask<const N: usize> = [u32; N];

/// Up to `N` individuals.
pub struct Batch<const N: usize = LANES> {
    /// Weights by term, in the order of a [`TermSet`]; those of lanes without an individual are 0.
    weights: [Lanes<N>; CORE],
    /// The lanes that have an individual.
    used: Mask<N>,
}

impl<const N: usize> Batch<N> {
    /// The first `N` of these individuals, by their weights for these terms.
    pub fn new(individuals: &[EvalParams], terms: TermSet) -> Box<Batch<N>> {
        let mut batch = Box::new(Batch {
            weights: [[0.0; N]; CORE],
            used: [0; N],
        });
        for (lane, individual) in individuals.iter().take(N).enumerate() {
            batch.used[lane] = u32::MAX;
            for (lanes, &row) in batch.weights.iter_mut().zip(terms.rows()) {
                lanes[lane] = individual.get(row) as f32;
            }
        }
        batch
    }

    /// The evaluation of a node for its side to move, from that of its parent for the other side.
    #[inline(always)]
    fn evaluate(&self, before: &Lanes<N>, changes: &[Change]) -> Lanes<N> {
        let mut sum = before.map(|value| -value);
        for change in changes {
            let count = f32::from(change.count);
            let row = &self.weights[usize::from(change.row)];
            for lane in 0..N {
                sum[lane] += count * row[lane];
            }
        }
        sum
    }
}

/// Deepest tree that can be walked: the root, its moves and [`MAX_PLIES`] of quiescence.
const MAX_DEPTH: usize = MAX_PLIES as usize + 2;

/// A node on the way from the root to where the walk is, for all lanes.
#[derive(Clone, Copy)]
struct Level<const N: usize> {
    /// The children that are still to be walked.
    next: u32,
    end: u32,
    /// Its evaluation.
    eval: Lanes<N>,
    /// While moves are valued: the value so far, and the window in which it matters.
    value: Lanes<N>,
    alpha: Lanes<N>,
    beta: Lanes<N>,
    /// While a question is asked: the lanes in which the side to move has not had its way yet.
    open: Mask<N>,
}

/// A batch on its way through a tree.
pub struct Walk<const N: usize = LANES> {
    levels: [Level<N>; MAX_DEPTH],
}

impl<const N: usize> Walk<N> {
    /// A walk that can be used again and again.
    pub fn new() -> Walk<N> {
        let zero = [0.0; N];
        let level = Level {
            next: 0,
            end: 0,
            eval: zero,
            value: zero,
            alpha: zero,
            beta: zero,
            open: [0; N],
        };
        Walk {
            levels: [level; MAX_DEPTH],
        }
    }

    /// The scores of the root of [`Tree::of_position`] by quiescence, for its side to move. The root is walked
    /// as if a move had led to it, from a position in which nothing counts.
    #[inline(always)]
    pub fn scores(&mut self, tree: &mut Tree, batch: &Batch<N>) -> Lanes<N> {
        self.levels[0].eval = [0.0; N];
        let of_mover = self.value(tree, 0, batch, &[f32::NEG_INFINITY; N]);
        of_mover.map(|value| -value)
    }

    /// Counts who solves the position.
    #[inline(always)]
    pub fn solve(&mut self, tree: &mut Tree, batch: &Batch<N>, solved: &mut [u32]) {
        if tree.right.is_empty() {
            return;
        }
        self.levels[0].eval = batch.evaluate(&[0.0; N], tree.changes(0));
        let mut best = [f32::NEG_INFINITY; N];
        let mut best_place = [f32::INFINITY; N];
        for number in 0..tree.right.len() {
            let RootMove { node, place } = tree.right[number];
            let bound = to_beat(place, &best, &best_place);
            let value = *self.value(tree, node, batch, &bound);
            for (lane, value) in value.into_iter().enumerate() {
                if value > bound[lane] {
                    best[lane] = value;
                    best_place[lane] = place;
                }
            }
        }
        let mut unbeaten = batch.used;
        for number in 0..tree.wrong.len() {
            let RootMove { node, place } = tree.wrong[number];
            let bound = to_beat(place, &best, &best_place);
            let beaten = self.ask(tree, node, batch, &bound, &unbeaten);
            if any(&beaten) {
                // A move that beat one individual is likely to beat the next: it goes first.
                tree.wrong[..=number].rotate_right(1);
                clear(&mut unbeaten, &beaten);
                if !any(&unbeaten) {
                    return;
                }
            }
        }
        for (solved, unbeaten) in solved.iter_mut().zip(unbeaten) {
            *solved += unbeaten & 1;
        }
    }

    /// Values a root move; exact where it is above the bound.
    #[inline(always)]
    fn value(
        &mut self,
        tree: &mut Tree,
        root: usize,
        batch: &Batch<N>,
        bound: &Lanes<N>,
    ) -> &Lanes<N> {
        self.levels[0].value = *bound;
        self.levels[0].alpha = *bound;
        self.levels[0].beta = [f32::INFINITY; N];
        self.enter_value(tree, root, 1, batch);
        let mut depth = 1;
        loop {
            let level = &mut self.levels[depth];
            if level.next < level.end {
                let index = level.next as usize;
                level.next += 1;
                depth += 1;
                self.enter_value(tree, index, depth, batch);
                continue;
            }
            if depth == 1 {
                let Level { value, .. } = &mut self.levels[1];
                *value = value.map(|value| -value);
                return value;
            }
            let value = level.value;
            depth -= 1;
            let parent = &mut self.levels[depth];
            for (best, value) in parent.value.iter_mut().zip(value) {
                *best = max(*best, -value);
            }
            if !parent.matters() {
                parent.next = parent.end;
            }
        }
    }

    /// Evaluates a node, and opens it if it matters in any lane.
    #[inline(always)]
    fn enter_value(&mut self, tree: &mut Tree, index: usize, depth: usize, batch: &Batch<N>) {
        let (higher, lower) = self.levels.split_at_mut(depth);
        let (Some(parent), Some(level)) = (higher.last(), lower.first_mut()) else {
            return;
        };
        for lane in 0..N {
            level.alpha[lane] = -parent.beta[lane];
            level.beta[lane] = -max(parent.alpha[lane], parent.value[lane]);
        }
        tree.see(index, depth);
        level.eval = batch.evaluate(&parent.eval, tree.changes(index));
        level.value = worth(tree.kind(index), depth, &level.eval);
        (level.next, level.end) = (0, 0);
        if may_move(tree.kind(index)) && level.matters() {
            let children = tree.children(index, depth);
            (level.next, level.end) = (children.start, children.end);
        }
    }

    /// In which of some lanes a root move is worth more than a bound.
    #[inline(always)]
    fn ask(
        &mut self,
        tree: &mut Tree,
        root: usize,
        batch: &Batch<N>,
        bound: &Lanes<N>,
        lanes: &Mask<N>,
    ) -> Mask<N> {
        // The side to move in a node has its way above this: whole numbers again.
        let bounds = [*bound, bound.map(|bound| -bound - 1.0)];
        self.levels[0].open = *lanes;
        self.enter_ask(tree, root, 1, batch, &bounds);
        let mut depth = 1;
        loop {
            let level = &mut self.levels[depth];
            if level.next < level.end {
                let index = level.next as usize;
                level.next += 1;
                depth += 1;
                self.enter_ask(tree, index, depth, batch, &bounds);
                continue;
            }
            if depth == 1 {
                return level.open;
            }
            // Where it has not had its way at all, the other side has.
            let open = level.open;
            depth -= 1;
            let parent = &mut self.levels[depth];
            clear(&mut parent.open, &open);
            if !any(&parent.open) {
                parent.next = parent.end;
            }
        }
    }

    /// Evaluates a node, and opens it if the side to move does not have its way already.
    #[inline(always)]
    fn enter_ask(
        &mut self,
        tree: &mut Tree,
        index: usize,
        depth: usize,
        batch: &Batch<N>,
        bounds: &[Lanes<N>; 2],
    ) {
        let (higher, lower) = self.levels.split_at_mut(depth);
        let (Some(parent), Some(level)) = (higher.last(), lower.first_mut()) else {
            return;
        };
        tree.see(index, depth);
        level.eval = batch.evaluate(&parent.eval, tree.changes(index));
        let value = worth(tree.kind(index), depth, &level.eval);
        let mut open = parent.open;
        clear(&mut open, &above(&value, &bounds[depth % 2]));
        level.open = open;
        (level.next, level.end) = (0, 0);
        if may_move(tree.kind(index)) && any(&open) {
            let children = tree.children(index, depth);
            (level.next, level.end) = (children.start, children.end);
        }
    }
}

impl<const N: usize> Level<N> {
    /// Whether moves could still change the choice at the root in any lane.
    #[inline(always)]
    fn matters(&self) -> bool {
        let mut low = self.value;
        for (low, &alpha) in low.iter_mut().zip(&self.alpha) {
            *low = max(*low, alpha);
        }
        any(&above(&self.beta, &low))
    }
}

/// What a root move must be worth more than to be chosen. Scores are whole numbers, so where it
/// would win a tie that is 1 less than the best.
#[inline(always)]
fn to_beat<const N: usize>(place: f32, best: &Lanes<N>, best_place: &Lanes<N>) -> Lanes<N> {
    let mut bound = *best;
    for lane in 0..N {
        bound[lane] -= if place < best_place[lane] { 1.0 } else { 0.0 };
    }
    bound
}

/// What a node is worth to its side to move, before any move.
#[inline(always)]
fn worth<const N: usize>(kind: Kind, depth: usize, eval: &Lanes<N>) -> Lanes<N> {
    match kind {
        Kind::Unseen | Kind::Unknown | Kind::Known => *eval,
        // Nothing, before any move.
        Kind::Forced | Kind::ForcedKnown => [f32::NEG_INFINITY; N],
        Kind::Mated => [Score::mated_in(depth).value() as f32; N],
        Kind::Stalemate => [0.0; N],
    }
}

/// Whether there may be moves.
#[inline(always)]
fn may_move(kind: Kind) -> bool {
    !matches!(kind, Kind::Mated | Kind::Stalemate)
}

/// Where values are greater than bounds.
#[inline(always)]
fn above<const N: usize>(values: &Lanes<N>, bounds: &Lanes<N>) -> Mask<N> {
    let mut mask = [0; N];
    for lane in 0..N {
        mask[lane] = u32::from(values[lane] > bounds[lane]).wrapping_neg();
    }
    mask
}

/// Whether any lane says yes.
#[inline(always)]
fn any<const N: usize>(mask: &Mask<N>) -> bool {
    mask.iter().fold(0, |any, lane| any | lane) != 0
}

/// Sets to no where another mask says yes.
#[inline(always)]
fn clear<const N: usize>(mask: &mut Mask<N>, other: &Mask<N>) {
    for lane in 0..N {
        mask[lane] &= !other[lane];
    }
}

#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
