//! A tree as a flat array in prefix order: checked when it is made, so that running it can't go wrong.

use super::kind::Kind;
use super::lazy::LazyTerminals;
use super::primitives::{Operation, PRIMITIVES};
use std::fmt;

/// Most nodes of a tree. The paper's printed one has 159.
pub const MAX_NODES: usize = 4096;

/// Most levels of a tree; a single node is one. The paper's printed tree has 16.
pub const MAX_DEPTH: usize = 64;

/// A tree of primitives whose types fit and whose value is a number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tree {
    /// Places in [`PRIMITIVES`]: each function is followed by its arguments.
    nodes: Box<[u16]>,
    /// For each node, the place behind its last descendant.
    ends: Box<[u16]>,
}

/// Why nodes are no tree, and at which of them that shows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node {at}: {why}")]
pub struct TreeError {
    /// The node's place, from 0; the number of nodes if one is missing at the end.
    pub at: usize,
    /// What was expected, and what is there.
    pub why: String,
}

/// What a node's place wants: its type, and its level.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub kind: Kind,
    pub level: usize,
}

impl Wanted {
    /// What the root must be.
    pub const ROOT: Wanted = Wanted {
        kind: Kind::Float,
        level: 1,
    };

    /// Says what is wrong with a primitive in this place.
    pub fn check(self, node: u16) -> Result<(), String> {
        let Some(primitive) = PRIMITIVES.get(usize::from(node)) else {
            let count = PRIMITIVES.len();
            return Err(format!("expected a primitive below {count}, found {node}"));
        };
        if !self.kind.accepts(primitive.result) {
            return Err(format!(
                "expected a {} here, {} is {}",
                self.kind, primitive.name, primitive.result
            ));
        }
        if self.level > MAX_DEPTH {
            return Err(format!("expected at most {MAX_DEPTH} levels"));
        }
        Ok(())
    }
}

impl Tree {
    /// The tree of these nodes in prefix order.
    ///
    /// # Errors
    /// The first node that is unknown, of a wrong type, too deep, missing or one too many.
    pub fn new(nodes: Vec<u16>) -> Result<Tree, TreeError> {
        let error = |at, why: String| Err(TreeError { at, why });
        if nodes.len() > MAX_NODES {
            let count = nodes.len();
            return error(
                MAX_NODES,
                format!("expected at most {MAX_NODES} nodes, found {count}"),
            );
        }
        let mut ends = vec![0; nodes.len()];
        // The places to be filled, the next one last.
        let mut open = vec![Wanted::ROOT];
        for (at, &node) in nodes.iter().enumerate() {
            let Some(wanted) = open.pop() else {
                return error(at, "expected nothing after the whole tree".to_string());
            };
            if let Err(why) = wanted.check(node) {
                return error(at, why);
            }
            let arguments = PRIMITIVES[usize::from(node)].arguments.iter().rev();
            open.extend(arguments.map(|&kind| Wanted {
                kind,
                level: wanted.level + 1,
            }));
        }
        if let Some(wanted) = open.last() {
            return error(
                nodes.len(),
                format!("expected a {}, found the end", wanted.kind),
            );
        }
        for at in (0..nodes.len()).rev() {
            let mut end = at + 1;
            for _ in PRIMITIVES[usize::from(nodes[at])].arguments {
                end = usize::from(ends[end]);
            }
            ends[at] = end as u16;
        }
        Ok(Tree {
            nodes: nodes.into(),
            ends: ends.into(),
        })
    }

    /// All nodes in prefix order, as places in [`PRIMITIVES`].
    pub fn nodes(&self) -> &[u16] {
        &self.nodes
    }

    /// The nodes of the subtree that begins at a node; none if there is no such node.
    pub fn subtree(&self, at: usize) -> &[u16] {
        let end = self.ends.get(at).map_or(at, |&end| usize::from(end));
        self.nodes.get(at..end).unwrap_or(&[])
    }

    /// The places of a node's arguments, in order.
    pub fn arguments(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let count = self
            .nodes
            .get(at)
            .map_or(0, |&node| PRIMITIVES[usize::from(node)].arguments.len());
        let next = |&child: &usize| Some(usize::from(self.ends[child]));
        std::iter::successors(Some(at + 1), next).take(count)
    }

    /// The tree with other nodes in the place of a subtree.
    ///
    /// # Errors
    /// As [`Tree::new`] for what comes of it.
    pub fn replaced(&self, at: usize, by: &[u16]) -> Result<Tree, TreeError> {
        let end = at + self.subtree(at).len();
        let (before, after) = (self.nodes.get(..at), self.nodes.get(end..));
        Tree::new([before.unwrap_or(&[]), by, after.unwrap_or(&[])].concat())
    }

    /// Levels; a single node is one.
    pub fn depth(&self) -> usize {
        let mut open: Vec<usize> = Vec::new();
        let mut deepest = 0;
        for (at, &end) in self.ends.iter().enumerate() {
            while open.last().is_some_and(|&end| end <= at) {
                open.pop();
            }
            open.push(usize::from(end));
            deepest = deepest.max(open.len());
        }
        deepest
    }

    /// The tree's value for a position. Nothing is allocated, and what can't matter is not asked: the other
    /// branch of an If3, what follows a false argument of an And or a true one of an Or.
    pub fn evaluate(&self, terminals: &mut LazyTerminals) -> f64 {
        self.value(0, terminals, &mut |_, _| ())
    }

    /// The same with a witness, who is told of every node that was evaluated: its place and its value, arguments
    /// before their function.
    pub fn evaluate_with(
        &self,
        terminals: &mut LazyTerminals,
        witness: &mut impl FnMut(usize, f64),
    ) -> f64 {
        self.value(0, terminals, witness)
    }

    /// The value of the node at a place. It calls itself [`MAX_DEPTH`] times at most.
    fn value(
        &self,
        at: usize,
        terminals: &mut LazyTerminals,
        witness: &mut impl FnMut(usize, f64),
    ) -> f64 {
        let node = self.nodes[at];
        let primitive = &PRIMITIVES[usize::from(node)];
        let second = |first: usize| usize::from(self.ends[first]);
        let value = match primitive.operation {
            Operation::If => {
                let then = second(at + 1);
                let chosen = match self.value(at + 1, terminals, witness) != 0.0 {
                    true => then,
                    false => second(then),
                };
                self.value(chosen, terminals, witness)
            }
            // Both stop at the first argument that settles the matter.
            Operation::Or | Operation::And => {
                let settles = matches!(primitive.operation, Operation::Or);
                let mut argument = at + 1;
                let end = second(at);
                let mut settled = false;
                while argument < end && !settled {
                    settled = (self.value(argument, terminals, witness) != 0.0) == settles;
                    argument = second(argument);
                }
                f64::from(settled == settles)
            }
            Operation::Smaller => {
                let first = self.value(at + 1, terminals, witness);
                f64::from(first < self.value(second(at + 1), terminals, witness))
            }
            Operation::Not => f64::from(self.value(at + 1, terminals, witness) == 0.0),
            Operation::Constant(value) => value,
            Operation::Truth(_) | Operation::Number(_) => terminals.value(node),
        };
        witness(at, value);
        value
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.nodes.iter().map(|&n| PRIMITIVES[usize::from(n)].name);
        f.debug_list().entries(names).finish()
    }
}
