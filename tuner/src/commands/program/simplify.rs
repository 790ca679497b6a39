//! The same choices by fewer nodes: subtrees are removed as long as no set of best moves changes in positions met in
//! games.

use super::usage::{positions, tree_of};
use crate::base::statistics::thousands;
use engine::program::{Candidates, EndingError, Program, Tree, best_moves};
use engine::types::Move;

/// Positions of a tree by which it is simplified at most: the others only tell whether it went too far.
const MOST: usize = 1_000;

/// A tree that is met in fewer positions stays as it is: too little would be known of what it is for.
const LEAST: usize = 100;

/// A program that was made smaller.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// Itself.
    pub program: Program,
    /// Nodes of its trees before and after.
    nodes: [(usize, usize); 3],
    /// Positions by which each tree was simplified, in all of which its best moves are the same.
    sampled: [usize; 3],
    /// Positions of other games, and in how many of them its best moves are the same.
    unseen: (usize, usize),
}

impl Simplified {
    /// What was done, in words.
    pub fn text(&self) -> String {
        let names = ["advantage", "even", "disadvantage"];
        let trees = names.iter().zip(&self.nodes).zip(self.sampled);
        let trees = trees.map(|((name, (before, after)), sampled)| {
            let sampled_text = thousands(sampled as u64);
            match sampled >= LEAST {
                true => format!(
                    "{name}: {before} nodes, now {after}; the same best moves in all of {sampled_text} positions"
                ),
                false => format!(
                    "{name}: {before} nodes, as it was; {sampled_text} positions are too few, expected {LEAST} or more"
                ),
            }
        });
        let (all, same) = self.unseen;
        format!(
            "{}\nIn {} positions of other games the best moves are the same {} times.",
            trees.collect::<Vec<_>>().join("\n"),
            thousands(all as u64),
            thousands(same as u64)
        )
    }
}

/// A position's moves with the best of them.
struct Lesson {
    candidates: Candidates,
    best: Vec<Move>,
}

/// The positions of so many games for each tree.
fn lessons(program: &Program, games: u32, seed: u64) -> Result<[Vec<Lesson>; 3], EndingError> {
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    positions(program, games, seed, &mut |_, candidates, _| {
        let of = &mut all[tree_of(candidates.standing())];
        if of.len() < MOST {
            let mut best = Vec::new();
            best_moves(program, candidates, &mut best);
            of.push(Lesson {
                candidates: candidates.clone(),
                best,
            });
        }
    })?;
    Ok(all)
}

/// Whether a program's best moves are the same in a position.
fn is_same(program: &Program, lesson: &mut Lesson) -> bool {
    let mut best = Vec::new();
    best_moves(program, &mut lesson.candidates, &mut best);
    best == lesson.best
}

/// A program with another tree in one of its places.
fn with(program: &Program, at: usize, tree: Tree) -> Program {
    let mut other = program.clone();
    match at {
        0 => other.advantage = tree,
        1 => other.even = tree,
        _ => other.disadvantage = tree,
    }
    other
}

/// Removes what changes no set of best moves in the positions of so many games. A tree whose standing is hardly met
/// stays as it is.
///
/// # Errors
/// No start of an ending is found.
pub fn simplify(program: &Program, games: u32, seed: u64) -> Result<Simplified, EndingError> {
    let mut simple = program.clone();
    let mut sampled = [0; 3];
    for (tree, lessons) in lessons(program, games, seed)?.iter_mut().enumerate() {
        sampled[tree] = lessons.len();
        while lessons.len() >= LEAST {
            match smaller(&simple, tree, lessons) {
                Some(found) => simple = found,
                None => break,
            }
        }
    }
    let mut unseen = (0, 0);
    positions(program, games, seed ^ u64::MAX, &mut |_, candidates, _| {
        let mut best = [Vec::new(), Vec::new()];
        best_moves(program, candidates, &mut best[0]);
        best_moves(&simple, candidates, &mut best[1]);
        unseen.0 += 1;
        unseen.1 += usize::from(best[0] == best[1]);
    })?;
    let sizes = |of: &Program| of.trees().map(|tree| tree.nodes().len());
    let (before, after) = (sizes(program), sizes(&simple));
    if before != after {
        simple.provenance = format!("simplified from: {}", simple.provenance);
    }
    Ok(Simplified {
        program: simple,
        nodes: [0, 1, 2].map(|at| (before[at], after[at])),
        sampled,
        unseen,
    })
}

/// The program with a subtree of one of its trees in place of a larger one around it, if no set of best moves changes by
/// that; the largest gain that is found first.
fn smaller(program: &Program, at: usize, lessons: &mut [Lesson]) -> Option<Program> {
    let tree = *program.trees().get(at)?;
    let mut tries: Vec<(usize, usize)> = Vec::new();
    for outer in 0..tree.nodes().len() {
        let end = outer + tree.subtree(outer).len();
        tries.extend((outer + 1..end).map(|inner| (outer, inner)));
    }
    let gain = |&(outer, inner): &(usize, usize)| {
        std::cmp::Reverse(tree.subtree(outer).len() - tree.subtree(inner).len())
    };
    tries.sort_by_key(gain);
    tries.into_iter().find_map(|(outer, inner)| {
        // Of the wrong type it is no tree.
        let other = tree.replaced(outer, tree.subtree(inner)).ok()?;
        let other = with(program, at, other);
        let same = lessons.iter_mut().all(|lesson| is_same(&other, lesson));
        same.then_some(other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(tree: &str) -> Program {
        let text = format!(
            "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
        );
        Program::parse(&text).unwrap()
    }

    /// A condition that never holds (IsMate and not IsMate), a branch that never is taken, a double negation: what is
    /// left is the terminal alone.
    #[test]
    fn what_never_matters_goes_and_play_stays() {
        let dead = program("(If3 (And2 IsMate (Not IsMate)) -1000/2 NumMyPiecesNotAttacked)");
        let simplified = simplify(&dead, 20, 1).unwrap();
        assert_eq!(
            simplified.program.even,
            program("NumMyPiecesNotAttacked").even
        );
        assert_eq!(simplified.nodes[1], (7, 1));
        let (all, same) = simplified.unseen;
        assert!(all > 50 && all == same, "{:?}", simplified.unseen);
        assert!(simplified.sampled[1] > 100);
        let twice = program("(If3 (Not (Not IsOppKingInCheck)) 1000/2 2/1000)");
        let once = simplify(&twice, 20, 1).unwrap().program;
        assert_eq!(
            once.even,
            program("(If3 IsOppKingInCheck 1000/2 2/1000)").even
        );
        assert!(once.provenance.starts_with("simplified from:"));
    }

    /// What matters stays: checks are given if and only if there are any. Who is behind has a king alone, which never
    /// gives one, so there the question goes.
    #[test]
    fn what_matters_stays() {
        let lean = program("(If3 IsOppKingInCheck 1000/2 2/1000)");
        let simplified = simplify(&lean, 40, 1).unwrap();
        assert_eq!(simplified.program.even, lean.even);
        assert_eq!(simplified.program.advantage, lean.advantage);
        assert_eq!(simplified.program.disadvantage.nodes().len(), 1);
        let text = simplified.text();
        assert!(
            text.contains("even: 4 nodes, now 4; the same best moves in all of"),
            "{text}"
        );
    }
}
