//! Trees as flat arrays: a primitive, then its arguments' trees one behind the other (prefix order).

use super::signatures::{Kind, Signatures};

/// A tree: indexes of primitives in prefix order.
pub type Tree = Vec<u16>;

/// What a tree may not go beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Levels; a terminal alone has one.
    pub depth: u32,
    /// Nodes.
    pub nodes: usize,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The kind that is wanted at its place.
    pub wanted: Kind,
    /// The level on which it stands, from 1.
    pub level: u32,
    /// Levels of the tree below it, itself included.
    pub height: u32,
    /// Nodes of the tree below it, itself included.
    pub size: usize,
}

/// The nodes of a tree in its order; none if it is no complete tree of the table.
pub fn nodes(signatures: &Signatures, tree: &[u16]) -> Option<Vec<Node>> {
    let mut nodes = Vec::with_capacity(tree.len());
    // What is still wanted, the next last.
    let mut wanted = vec![(signatures.root(), 1)];
    for &primitive in tree {
        let (kind, level) = wanted.pop()?;
        if !signatures.fits(kind, primitive) {
            return None;
        }
        let arguments = signatures.arguments(primitive).iter().rev();
        wanted.extend(arguments.map(|&argument| (argument, level + 1)));
        nodes.push(Node {
            wanted: kind,
            level,
            height: 1,
            size: 1,
        });
    }
    if !wanted.is_empty() {
        return None;
    }
    // From the end, the trees below a node are known before it is met.
    for at in (0..tree.len()).rev() {
        let mut below = at + 1;
        for _ in signatures.arguments(tree[at]) {
            let argument = *nodes.get(below)?;
            let node = nodes.get_mut(at)?;
            node.height = node.height.max(argument.height + 1);
            node.size += argument.size;
            below += argument.size;
        }
    }
    Some(nodes)
}

/// Levels of a tree; 0 if it is none.
pub fn depth(signatures: &Signatures, tree: &[u16]) -> u32 {
    let nodes = nodes(signatures, tree).unwrap_or_default();
    nodes.first().map_or(0, |root| root.height)
}

/// Whether it is a complete tree of the table within its bounds.
pub fn is_within(signatures: &Signatures, tree: &[u16], bounds: Bounds) -> bool {
    let depth = depth(signatures, tree);
    depth > 0 && depth <= bounds.depth && tree.len() <= bounds.nodes
}

#[cfg(test)]
mod tests {
    use super::super::signatures::tests::signature;
    use super::*;

    /// 0 is a number, 1 a truth, 2 `if` (truth, number, number), 3 `not` (truth); the root is a number.
    fn table() -> Signatures {
        let primitives = vec![
            signature(0, &[]),
            signature(1, &[]),
            signature(0, &[1, 0, 0]),
            signature(1, &[1]),
        ];
        let fits = vec![vec![true, false], vec![false, true]];
        Signatures::new(primitives, fits, 0).unwrap()
    }

    /// if (not truth) number (if truth number number), by hand.
    #[test]
    fn nodes_are_those_worked_out_by_hand() {
        let nodes = nodes(&table(), &[2, 3, 1, 0, 2, 1, 0, 0]).unwrap();
        let told: Vec<_> = nodes
            .iter()
            .map(|node| (node.wanted, node.level, node.height, node.size))
            .collect();
        assert_eq!(
            told,
            [
                (0, 1, 3, 8),
                (1, 2, 2, 2),
                (1, 3, 1, 1),
                (0, 2, 1, 1),
                (0, 2, 2, 4),
                (1, 3, 1, 1),
                (0, 3, 1, 1),
                (0, 3, 1, 1)
            ]
        );
    }

    #[test]
    fn what_is_no_tree_is_none() {
        let table = table();
        for broken in [&[][..], &[2, 1, 0], &[0, 0], &[1], &[2, 0, 0, 0], &[9]] {
            assert_eq!(nodes(&table, broken), None, "{broken:?}");
            assert_eq!(depth(&table, broken), 0);
        }
        let tree = [2, 3, 1, 0, 0];
        let within = |depth, nodes| is_within(&table, &tree, Bounds { depth, nodes });
        assert!(within(3, 5) && !within(2, 5) && !within(3, 4));
    }
}
