//! Crossover and mutation of subtrees, within bounds by construction.

use super::super::rng::Random;
use super::grow::{self, Method};
use super::signatures::Signatures;
use super::tree::{Bounds, Node, Tree, nodes};

/// Of ten crossover points, so many are functions if there are any (Koza 1992 §6.4.1).
const FUNCTIONS_OF_TEN: u128 = 9;

/// Subtree crossover: the mother's tree with one of its subtrees replaced by a subtree of the father's whose kind will
/// do there and which stays within the bounds. Where the father has none, the child has the father's whole tree.
pub fn crossover(
    signatures: &Signatures,
    (mother, father): (&Tree, &Tree),
    bounds: Bounds,
    rng: &mut Random,
) -> Tree {
    let (Some(hers), Some(his)) = (nodes(signatures, mother), nodes(signatures, father)) else {
        return mother.clone();
    };
    let all: Vec<usize> = (0..hers.len()).collect();
    let Some(at) = point(&hers, &all, rng) else {
        return mother.clone();
    };
    let place = hers[at];
    let is_possible = |&from: &usize| {
        let one = his[from];
        signatures.fits(place.wanted, father[from])
            && place.level - 1 + one.height <= bounds.depth
            && mother.len() - place.size + one.size <= bounds.nodes
    };
    let possible: Vec<usize> = (0..his.len()).filter(is_possible).collect();
    match point(&his, &possible, rng) {
        Some(from) => {
            let given = father.get(from..from + his[from].size);
            replaced(mother, (at, place.size), given.unwrap_or_default())
        }
        None => father.clone(),
    }
}

/// Subtree mutation: a node is drawn, all equally likely, and a new tree of no more than so many levels is grown in its
/// place. A constant becomes another one instead in half of all cases.
pub fn mutation(
    signatures: &Signatures,
    tree: &Tree,
    bounds: Bounds,
    depth: u32,
    rng: &mut Random,
) -> Tree {
    let Some(nodes) = nodes(signatures, tree) else {
        return tree.clone();
    };
    let at = rng.below(nodes.len() as u128) as usize;
    let (Some(&place), Some(&primitive)) = (nodes.get(at), tree.get(at)) else {
        return tree.clone();
    };
    if signatures.is_constant(primitive) && rng.bits() & 1 == 1 {
        let other = grow::other_constant(signatures, place.wanted, primitive, rng);
        return replaced(tree, (at, 1), &[other.unwrap_or(primitive)]);
    }
    let most = bounds.depth.saturating_sub(place.level - 1);
    let room = Bounds {
        depth: most.min(depth),
        nodes: bounds.nodes.saturating_sub(tree.len() - place.size),
    };
    // What was there has room; something flatter need not.
    let least = signatures.least(place.wanted, room.depth);
    let room = match least.is_some_and(|least| least <= room.nodes) {
        true => room,
        false => Bounds {
            depth: most,
            ..room
        },
    };
    let new = grow::tree(signatures, place.wanted, room, (Method::Grow, false), rng);
    replaced(tree, (at, place.size), &new)
}

/// One of these nodes, functions preferred.
fn point(nodes: &[Node], of: &[usize], rng: &mut Random) -> Option<usize> {
    let is_function = |at: &usize| nodes.get(*at).is_some_and(|node| node.size > 1);
    let functions: Vec<usize> = of.iter().copied().filter(is_function).collect();
    let wants_function = rng.below(10) < FUNCTIONS_OF_TEN;
    let of = match functions.is_empty() || !wants_function {
        true => of,
        false => &functions,
    };
    of.get(rng.below(of.len() as u128) as usize).copied()
}

/// A tree with other nodes in place of some of its own.
fn replaced(tree: &[u16], (at, size): (usize, usize), by: &[u16]) -> Tree {
    let (before, behind) = (tree.get(..at), tree.get(at + size..));
    [before.unwrap_or_default(), by, behind.unwrap_or_default()].concat()
}
