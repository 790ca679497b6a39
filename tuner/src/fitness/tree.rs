//! One position's tree of quiescence, below its root moves or from itself on, shared by all individuals.
//!
//! The tree depends on the position alone and the evaluation is linear, so the tree is built once,
//! as far as anybody has to look, and stored as the *change* of the counts from parent to child,
//! which is a handful of terms. What a node counts is found when a walk first comes to it: many never do.

use engine::epd::Epd;
use engine::eval::TermSet;
use engine::eval::params::CORE;
use engine::one_ply::{Node as Expansion, Quiescence, root_moves};
use engine::position::Position;
use engine::types::{Move, MoveList, Square};
use std::ops::Range;

/// A node of a tree; the children of a node stand side by side.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The move that leads here, and the node that it is played in.
    mv: Move,
    parent: u32,
    /// The first child; 0 as long as nobody has asked for the children.
    first_child: u32,
    /// Where the changes of counts begin that lead here from the parent, and how many they are, once it has been seen.
    changes: u32,
    change_count: u8,
    /// Children, once they are known.
    child_count: u8,
    kind: Kind,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No walk has come here, see [`Tree::see`].
    Unseen,
    /// Worth its evaluation, or what its moves make of it; nobody has looked at them yet.
    Unknown,
    /// The same, and its children are known.
    Known,
    /// Worth what its moves make of it, since its side to move is in check; nobody has looked at them yet.
    Forced,
    /// The same, and its children are known.
    ForcedKnown,
    /// The side to move is mated.
    Mated,
    /// Nobody wins.
    Stalemate,
}

/// The change of one term's count.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The term, by its place in the tree's [`TermSet`].
    pub row: u8,
    /// What is added to its count.
    pub count: i8,
}

/// A move in the position itself.
#[derive(Clone, Copy, Debug)]
pub struct RootMove {
    /// The node that it leads to.
    pub node: usize,
    /// Its place in the order in which ties are resolved.
    pub place: f32,
}

/// One position's tree, as far as any individual has had to look.
#[derive(Clone, Debug)]
pub struct Tree {
    position: Position,
    quiescence: Quiescence,
    /// What is counted.
    terms: TermSet,
    nodes: Vec<Node>,
    changes: Vec<Change>,
    /// The root moves that solve the position.
    pub right: Vec<RootMove>,
    /// The root moves that don't, in the order in which they are best tried.
    pub wrong: Vec<RootMove>,
}

impl Tree {
    /// The root alone, whose own quiescence grows below it; it has no root moves.
    pub fn of_position(position: &Position, quiescence: &Quiescence, terms: TermSet) -> Tree {
        Tree::of_root(
            position,
            kind_of(position, quiescence, 0),
            quiescence,
            terms,
        )
    }

    fn of_root(position: &Position, kind: Kind, quiescence: &Quiescence, terms: TermSet) -> Tree {
        let mut tree = Tree {
            position: *position,
            quiescence: *quiescence,
            terms,
            nodes: Vec::new(),
            changes: Vec::new(),
            right: Vec::new(),
            wrong: Vec::new(),
        };
        let nowhere = Square::new(0);
        tree.add(Move::new(nowhere, nowhere, None), 0);
        tree.note(0, kind, &terms.counts(position), &[0; CORE]);
        tree
    }

    /// The root and its moves.
    pub fn build(problem: &Epd, quiescence: &Quiescence, terms: TermSet) -> Tree {
        let mut tree = Tree::of_root(&problem.position, Kind::Known, quiescence, terms);
        let moves = root_moves(&problem.position);
        for (place, &mv) in moves.iter().enumerate() {
            let root_move = RootMove {
                node: tree.nodes.len(),
                place: place as f32,
            };
            if problem.is_solved_by(mv) {
                tree.right.push(root_move);
            } else {
                tree.wrong.push(root_move);
            }
            tree.add(mv, 0);
        }
        tree.nodes[0].first_child = 1;
        tree.nodes[0].child_count = moves.len() as u8;
        tree
    }

    /// Number of nodes until now.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What is known of a node.
    #[inline(always)]
    pub fn kind(&self, index: usize) -> Kind {
        self.nodes[index].kind
    }

    /// The changes of counts that lead to a node, both counted for the side to move in it; those
    /// of the root are its counts.
    #[inline(always)]
    pub fn changes(&self, index: usize) -> &[Change] {
        let node = &self.nodes[index];
        let begin = node.changes as usize;
        &self.changes[begin..begin + usize::from(node.change_count)]
    }

    /// The children of a node so many plies below the root; of the root of [`Tree::of_position`], which stands
    /// where a root move has led, one more.
    #[inline(always)]
    pub fn children(&mut self, index: usize, depth: usize) -> Range<u32> {
        if matches!(self.nodes[index].kind, Kind::Unknown | Kind::Forced) {
            self.look(index, depth);
        }
        let node = &self.nodes[index];
        node.first_child..node.first_child + u32::from(node.child_count)
    }

    /// Makes sure that a node's kind and changes are known, so many plies below the root; its parent's are.
    #[inline(always)]
    pub fn see(&mut self, index: usize, depth: usize) {
        if self.nodes[index].kind == Kind::Unseen {
            self.evaluate(index, depth);
        }
    }

    /// Finds out what a node counts.
    #[cold]
    #[inline(never)]
    fn evaluate(&mut self, index: usize, depth: usize) {
        let mut position = self.position;
        let mut counts = [0; CORE];
        self.add_changes(&mut counts, 0);
        // This node has no changes yet, so in the end these are its parent's counts, for its own side to move.
        for &above in self.path(index, depth).iter().rev() {
            position = position.play(self.nodes[above].mv);
            counts = counts.map(|count| -count);
            self.add_changes(&mut counts, above);
        }
        let kind = kind_of(&position, &self.quiescence, depth as u32 - 1);
        let own = self.terms.counts(&position);
        self.note(index, kind, &own, &counts);
    }

    /// The nodes on the way from a node, so many plies below the root, up to the root, without it.
    fn path(&self, index: usize, depth: usize) -> Vec<usize> {
        let mut path = Vec::with_capacity(depth);
        let mut above = index;
        while above != 0 {
            path.push(above);
            above = self.nodes[above].parent as usize;
        }
        path
    }

    /// Adds the changes that lead to a node.
    fn add_changes(&self, counts: &mut [i32; CORE], index: usize) {
        for change in self.changes(index) {
            counts[usize::from(change.row)] += i32::from(change.count);
        }
    }

    /// Finds out which children a node has.
    #[cold]
    #[inline(never)]
    fn look(&mut self, index: usize, depth: usize) {
        let path = self.path(index, depth);
        let play = |position: Position, &node: &usize| position.play(self.nodes[node].mv);
        let position = path.iter().rev().fold(self.position, play);
        let moves = match self.quiescence.node(&position, depth as u32 - 1) {
            Expansion::Quiet(moves) | Expansion::Forced(moves) => moves,
            Expansion::Mated | Expansion::Stalemate => MoveList::new(),
        };
        let first_child = self.nodes.len() as u32;
        moves.iter().for_each(|&mv| self.add(mv, index as u32));
        let node = &mut self.nodes[index];
        node.kind = match node.kind {
            Kind::Forced => Kind::ForcedKnown,
            _ => Kind::Known,
        };
        node.first_child = first_child;
        node.child_count = moves.len() as u8;
    }

    /// Adds what a move leads to.
    fn add(&mut self, mv: Move, parent: u32) {
        self.nodes.push(Node {
            mv,
            parent,
            first_child: 0,
            changes: 0,
            change_count: 0,
            child_count: 0,
            kind: Kind::Unseen,
        });
    }

    /// Takes note of what a node is and of the changes from its parent's counts, both for its side to move.
    fn note(&mut self, index: usize, kind: Kind, own: &[i32; CORE], before: &[i32; CORE]) {
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
        let node = &mut self.nodes[index];
        node.changes = changes as u32;
        node.change_count = (self.changes.len() - changes) as u8;
        node.kind = kind;
    }
}

/// What is known of a position whose moves nobody has looked at, so many plies after the root move.
fn kind_of(position: &Position, quiescence: &Quiescence, plies: u32) -> Kind {
    match (position.has_legal_move(), position.in_check()) {
        (true, true) if quiescence.is_forced(position, plies) => Kind::Forced,
        (true, _) => Kind::Unknown,
        (false, true) => Kind::Mated,
        (false, false) => Kind::Stalemate,
    }
}
