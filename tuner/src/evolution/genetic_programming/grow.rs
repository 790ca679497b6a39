//! New trees: *full* and *grow* of ramped half-and-half (J. R. Koza, *Genetic Programming*, 1992, §6.2), feasible by
//! construction: nothing is chosen that could not be completed within the levels and nodes that are left.

use super::super::rng::Random;
use super::signatures::{Kind, Signatures};
use super::tree::{Bounds, Tree};

/// How a tree's shape comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Functions as long as one can be completed.
    Full,
    /// A function or a terminal, as a coin falls: of a language with many terminals an equal chance for every
    /// primitive would leave hardly any functions.
    Grow,
}

/// A new tree for a kind within bounds; `with_root` says whether its root has to be a function, if one can be. An
/// empty one if the bounds have no room for any.
pub fn tree(
    signatures: &Signatures,
    wanted: Kind,
    bounds: Bounds,
    (method, with_root): (Method, bool),
    rng: &mut Random,
) -> Tree {
    let mut growing = Growing {
        signatures,
        method,
        rng,
        tree: Vec::new(),
    };
    let room = signatures.least(wanted, bounds.depth);
    if room.is_some_and(|least| least <= bounds.nodes) {
        growing.subtree(wanted, bounds, with_root);
    }
    growing.tree
}

/// Another constant that will do where a kind is wanted, if there is one.
pub fn other_constant(
    signatures: &Signatures,
    wanted: Kind,
    not: u16,
    rng: &mut Random,
) -> Option<u16> {
    let [.., constants] = signatures.choices(wanted);
    let others: Vec<u16> = constants
        .iter()
        .copied()
        .filter(|&one| one != not)
        .collect();
    pick(&others, rng)
}

/// One of them, all equally likely.
fn pick(all: &[u16], rng: &mut Random) -> Option<u16> {
    all.get(rng.below(all.len() as u128) as usize).copied()
}

struct Growing<'a> {
    signatures: &'a Signatures,
    method: Method,
    rng: &'a mut Random,
    tree: Tree,
}

impl Growing<'_> {
    /// Adds a subtree, for which there is room.
    fn subtree(&mut self, wanted: Kind, bounds: Bounds, wants_function: bool) {
        let signatures = self.signatures;
        let [functions, terminals, constants] = signatures.choices(wanted);
        let is_possible = |one: &u16| {
            let least = signatures.least_of(*one, bounds.depth);
            least.is_some_and(|least| least <= bounds.nodes)
        };
        let functions: Vec<u16> = functions.iter().copied().filter(is_possible).collect();
        // All constants together are one terminal more.
        let others = terminals.len() + usize::from(!constants.is_empty());
        let takes_function = match (functions.is_empty(), others) {
            (true, _) => false,
            (false, 0) => true,
            _ => wants_function || self.method == Method::Full || self.rng.bits() & 1 == 1,
        };
        let chosen = match takes_function {
            true => pick(&functions, self.rng),
            false => {
                let terminal = terminals.get(self.rng.below(others as u128) as usize);
                terminal.copied().or_else(|| pick(constants, self.rng))
            }
        };
        // There is always one, or nothing would have been wanted here.
        let Some(chosen) = chosen else {
            return;
        };
        self.tree.push(chosen);
        let arguments = signatures.arguments(chosen);
        let depth = bounds.depth.saturating_sub(1);
        let least = |kind: &Kind| signatures.least(*kind, depth).unwrap_or(1);
        // Nodes beyond what the arguments need are shared among them evenly; what one leaves the next may have.
        let needed: usize = arguments.iter().map(least).sum();
        let mut spare = bounds.nodes.saturating_sub(1 + needed);
        for (at, argument) in arguments.iter().enumerate() {
            let nodes = least(argument) + spare / (arguments.len() - at);
            let before = self.tree.len();
            self.subtree(*argument, Bounds { depth, nodes }, false);
            let grown = self.tree.len() - before;
            spare = spare.saturating_sub(grown.saturating_sub(least(argument)));
        }
    }
}
