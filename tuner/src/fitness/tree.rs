//! One position's tree of quiescence, below its root moves or from itself on, shared by all individuals.
//!
//! The tree depends on the position alone and the evaluation is linear, so the tree is built once,
//! as far as anybody has to look, and stored as the *change* of the counts from parent to child,
//! which is a handful of terms.

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
    /// Where the changes of counts begin that lead here from the parent, and how many they are.
    changes: u32,
    change_count: u8,
    /// Children, once they are known.
    child_count: u8,
    kind: Kind,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
        let nobody = Move::new(nowhere, nowhere, None);
        tree.add(nobody, 0, kind, &terms.counts(position), &[0; CORE]);
        tree
    }

    /// The root and its moves.
    pub fn build(problem: &Epd, quiescence: &Quiescence, terms: TermSet) -> Tree {
        let position = problem.position;
        let root = terms.counts(&position);
        let mut tree = Tree::of_root(&position, Kind::Known, quiescence, terms);
        let moves = root_moves(&position);
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
            tree.add_child(mv, 0, 0, &position, &root);
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
            Expansion::Quiet(moves) | Expansion::Forced(moves) => moves,
            Expansion::Mated | Expansion::Stalemate => MoveList::new(),
        };
        let first_child = self.nodes.len() as u32;
        if !moves.is_empty() {
            let own = self.terms.counts(&position);
            for &mv in moves.iter() {
                self.add_child(mv, index as u32, depth as u32, &position, &own);
            }
        }
        let node = &mut self.nodes[index];
        node.kind = match node.kind {
            Kind::Forced => Kind::ForcedKnown,
            _ => Kind::Known,
        };
        node.first_child = first_child;
        node.child_count = moves.len() as u8;
    }

    /// Adds what a move leads to from a position with these counts, so many plies after the root move.
    fn add_child(
        &mut self,
        mv: Move,
        parent: u32,
        plies: u32,
        position: &Position,
        counts: &[i32; CORE],
    ) {
        let child = position.play(mv);
        let before = counts.map(|count| -count);
        let own = self.terms.counts(&child);
        let kind = kind_of(&child, &self.quiescence, plies);
        self.add(mv, parent, kind, &own, &before);
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
