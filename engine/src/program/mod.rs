//! Programs that play endgames: strongly typed trees of Boolean functions over what a position is like, read,
//! written and run (Hauptman and Sipper, "Emergence of complex strategies in the evolution of chess endgame
//! players", 2005; ARCHITECTURE.md, "What a terminal means is told in one place").
//!
//! | file | job |
//! |---|---|
//! | `kind` | the types of the language |
//! | `view` | a position after a move, as the terminals look at it |
//! | `simple`, `complex`, `capture` | the terminals, one function each |
//! | `ahead` | terminals of ours: what checks and threats come to |
//! | `primitives` | the table of all functions, constants and terminals |
//! | `lazy` | the terminals of a position, each computed once and only if wanted |
//! | `tree` | a tree as a flat array: checked, run, run with a witness |
//! | `endings` | endings by their material, and starts of them |
//! | `file`, `text` | a program of three trees, and its text |
//! | `choose` | the move that a program chooses |
//! | `search` | the same, looking several plies ahead |
//! | `naive` | the slow way to the same choices, for tests and the benchmark |
//!
//! **The language.** A tree's value is a number (Float). Conditions are Boolean; a terminal that is a Query may
//! stand for either. False is 0 and true is 1, and as a condition every number but 0 is true. There is no
//! arithmetic in it, so no value overflows or is not a number, and a tree has the same value on every machine.
//!
//! **Whose view.** A program scores positions after each of its moves. *My* and *the player* are the side that
//! has just moved, *Opp* is the side whose turn it is.

mod ahead;
mod capture;
mod choose;
mod complex;
mod endings;
mod file;
mod kind;
mod lazy;
pub mod naive;
mod primitives;
mod search;
mod simple;
mod text;
mod tree;
mod view;

pub use choose::{Cache, Candidates, Standing, best_moves, choose};
pub use endings::{Ending, EndingError, MOST_TRIES, start, starts};
pub use file::{LoadError, Program};
pub use kind::Kind;
pub use lazy::LazyTerminals;
pub use primitives::{PRIMITIVES, Primitive, digest, is_digest, named, table};
pub use search::{Ahead, best_ahead, best_by, look_ahead};
pub use text::{Expression, ProgramError};
pub use tree::{MAX_DEPTH, MAX_NODES, Tree, TreeError};
