//! How far a UCI engine is to think.

use std::fmt;

/// What ends a search; as text, what follows `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many nodes.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
}

impl From<u64> for Limit {
    fn from(nodes: u64) -> Limit {
        Limit::Nodes(nodes)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Limit::Depth(plies) => write!(f, "depth {plies}"),
        }
    }
}
