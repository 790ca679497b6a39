//! How often each node of a program's trees is asked and decides, counted in games.

use engine::mixing::scramble;
use engine::position::{Game, Position};
use engine::program::{
    Candidates, Ending, EndingError, PRIMITIVES, Program, Standing, Tree, choose, start,
};

/// Moves of each side in a game at most.
const MOVES: u32 = 50;

/// What is counted of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often its value was asked for, in all moves that were scored.
    pub asked: u64,
    /// How often that was not 0.
    pub holds: u64,
    /// How often the score of the move that was played was its value.
    pub decided: u64,
}

/// The counts of a tree, node by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Each node's.
    pub nodes: Vec<Count>,
    /// Moves that were played by this tree.
    pub moves: u64,
}

/// The number of the tree for a standing.
pub fn tree_of(standing: Standing) -> usize {
    match standing {
        Standing::Advantage => 0,
        Standing::Even => 1,
        Standing::Disadvantage => 2,
    }
}

/// Counts of the three trees in so many games from random starts of the program's endings.
///
/// # Errors
/// No start of an ending is found.
pub fn of_games(program: &Program, games: u32, seed: u64) -> Result<[Counts; 3], EndingError> {
    let mut counts = program.trees().map(|tree| Counts {
        nodes: vec![Count::default(); tree.nodes().len()],
        moves: 0,
    });
    positions(program, games, seed, &mut |_, candidates, seed| {
        let standing = candidates.standing();
        let Some(played) = choose(program, candidates, seed) else {
            return;
        };
        let (tree, counts) = (program.tree(standing), &mut counts[tree_of(standing)]);
        counts.moves += 1;
        let mut values = vec![None; tree.nodes().len()];
        for (mv, terminals) in candidates.moves() {
            values.fill(None);
            tree.evaluate_with(terminals, &mut |at, value| values[at] = Some(value));
            for (count, value) in counts.nodes.iter_mut().zip(&values) {
                count.asked += u64::from(value.is_some());
                count.holds += u64::from(value.is_some_and(|value| value != 0.0));
            }
            if *mv == played {
                for at in deciding(tree, &values) {
                    counts.nodes[at].decided += 1;
                }
            }
        }
    })?;
    Ok(counts)
}

/// The nodes whose value was the tree's: from the root through the branch that each If3 took.
fn deciding(tree: &Tree, values: &[Option<f64>]) -> Vec<usize> {
    let mut way = vec![0];
    let mut at = 0;
    while is_if(tree, at) {
        let arguments: Vec<usize> = tree.arguments(at).collect();
        let &[condition, then, otherwise] = &arguments[..] else {
            break;
        };
        at = match values.get(condition) {
            Some(Some(value)) if *value != 0.0 => then,
            _ => otherwise,
        };
        way.push(at);
    }
    way
}

/// Whether a node is an If3.
pub fn is_if(tree: &Tree, at: usize) -> bool {
    let node = tree.nodes().get(at);
    let primitive = node.and_then(|&node| PRIMITIVES.get(usize::from(node)));
    primitive.is_some_and(|primitive| primitive.name == "If3")
}

/// Tells of all positions of games in which a program is to move, with its moves and the seed of its draw: games of it
/// against itself and against random moves in turn, from random starts of its endings.
///
/// # Errors
/// No start of an ending is found.
pub fn positions(
    program: &Program,
    games: u32,
    seed: u64,
    told: &mut impl FnMut(&Position, &mut Candidates, u64),
) -> Result<(), EndingError> {
    for number in 0..games {
        let ending = program
            .endings
            .get(number as usize / 2 % program.endings.len().max(1));
        let Some(ending): Option<&Ending> = ending else {
            break;
        };
        let seed = scramble(seed ^ scramble(u64::from(number)));
        let mut game = Game::new(start(ending, seed)?);
        for ply in 0..2 * MOVES {
            if game.outcome().is_some() {
                break;
            }
            let position = *game.position();
            let seed = scramble(seed.wrapping_add(u64::from(ply)));
            let mut candidates = Candidates::new(&position);
            let is_own = number % 2 == 0 || ply % 2 == number / 2 % 2;
            let mv = match is_own {
                true => {
                    told(&position, &mut candidates, seed);
                    choose(program, &mut candidates, seed)
                }
                false => {
                    let moves = candidates.moves();
                    let drawn = moves.get((seed % moves.len().max(1) as u64) as usize);
                    drawn.map(|(mv, _)| *mv)
                }
            };
            if !mv.is_some_and(|mv| game.play(mv)) {
                break;
            }
        }
    }
    Ok(())
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

    /// If3 (condition) a (If3 condition b c): the way through it, by hand.
    #[test]
    fn the_deciding_nodes_are_those_on_the_way_that_was_taken() {
        let tree = program("(If3 IsMate 1000/2 (If3 IsMate 1000/3 1000/4))").even;
        let values = [Some(0.0), Some(0.0), None, Some(0.0), Some(1.0), None, None];
        assert_eq!(deciding(&tree, &values), [0, 3, 5]);
        let values = [Some(0.0), Some(1.0), None, None, None, None, None];
        assert_eq!(deciding(&tree, &values), [0, 2]);
    }

    /// A condition is asked at each move that is scored, its branches share these, and each move played is decided once
    /// on every level.
    #[test]
    fn counts_add_up() {
        let program = program("(If3 IsMate 1000/2 (If3 (Not IsMate) 2/1000 1000/4))");
        let counts = of_games(&program, 4, 3).unwrap();
        let even = &counts[1];
        assert!(even.moves > 10);
        let [root, mate, first, second, not, inner, taken, never] = even.nodes[..] else {
            panic!("{even:?}");
        };
        assert_eq!((root.asked, root.decided), (mate.asked, even.moves));
        assert_eq!(first.asked, mate.holds);
        assert_eq!(first.asked + second.asked, root.asked);
        assert_eq!(
            (not.asked, inner.asked, taken.asked),
            (second.asked, second.asked, second.asked)
        );
        assert_eq!((never.asked, never.decided), (0, 0));
        assert_eq!(first.decided + taken.decided, even.moves);
        assert_eq!(counts, of_games(&program, 4, 3).unwrap());
        assert_eq!(of_games(&program, 0, 3).unwrap()[1].moves, 0);
    }
}
