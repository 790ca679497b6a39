//! Where a champion comes from: from generation to generation the parent that most of it is of.

use crate::evolution::genetic_programming::Origin;
use std::fmt::Write as _;

/// What is known of a generation's individuals, each by its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ancestors {
    /// Where each comes from.
    pub origins: Vec<Origin>,
    /// Points of each.
    pub points: Vec<u64>,
    /// Nodes of the three trees of each.
    pub nodes: Vec<[usize; 3]>,
}

/// A step of a lineage: who there was in a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The generation.
    pub generation: usize,
    /// The place in it.
    pub place: usize,
    /// Where it comes from.
    pub origin: Origin,
    /// Its points.
    pub points: u64,
    /// Nodes of its trees.
    pub nodes: [usize; 3],
}

/// Names of the trees, in their order.
const TREES: [&str; 3] = ["advantage", "even", "disadvantage"];

/// The line from generation 0 to the individual at a place of the last of these generations, oldest first.
pub fn lineage(generations: &[Ancestors], place: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut place = Some(place);
    for (generation, known) in generations.iter().enumerate().rev() {
        let Some(at) = place else { break };
        let (Some(&origin), Some(&points), Some(&nodes)) = (
            known.origins.get(at),
            known.points.get(at),
            known.nodes.get(at),
        ) else {
            break;
        };
        steps.push(Step {
            generation,
            place: at,
            origin,
            points,
            nodes,
        });
        place = origin.parent();
    }
    steps.reverse();
    steps
}

/// What happened in a step, in words.
pub fn text(origin: Origin) -> String {
    let tree = |at: usize| TREES.get(at).copied().unwrap_or("no");
    match origin {
        Origin::Random => "random".to_string(),
        Origin::Reproduced(_) => "copy".to_string(),
        Origin::Crossed(mother, father, at) if mother == father => {
            format!("crossed with itself in the {} tree", tree(at))
        }
        Origin::Crossed(_, father, at) => {
            format!("crossed with number {father} in the {} tree", tree(at))
        }
        Origin::Mutated(_, at) => format!("mutated in the {} tree", tree(at)),
    }
}

/// The table of a lineage.
pub fn csv(steps: &[Step]) -> String {
    let mut table =
        "generation,place,points,advantage_nodes,even_nodes,disadvantage_nodes,came_by\n"
            .to_string();
    for step in steps {
        let [advantage, even, disadvantage] = step.nodes;
        let _ = writeln!(
            table,
            "{},{},{},{advantage},{even},{disadvantage},{}",
            step.generation,
            step.place,
            step.points,
            text(step.origin)
        );
    }
    table
}

/// Steps in words: crossings, mutations and copies.
pub fn counts(steps: &[Step]) -> String {
    let count = |is: fn(&Origin) -> bool| steps.iter().filter(|step| is(&step.origin)).count();
    let crossed = count(|origin| matches!(origin, Origin::Crossed(..)));
    let mutated = count(|origin| matches!(origin, Origin::Mutated(..)));
    let copied = count(|origin| matches!(origin, Origin::Reproduced(_)));
    format!("{crossed} crossings, {mutated} mutations and {copied} copies")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three generations by hand: 1 is random, has a child by 1 × 0 at place 0, which is copied to place 2.
    #[test]
    fn the_line_is_the_one_worked_out_by_hand() {
        let generation = |origins: &[Origin], points: &[u64]| Ancestors {
            origins: origins.to_vec(),
            points: points.to_vec(),
            nodes: (0..origins.len()).map(|at| [at, 1, 2]).collect(),
        };
        let generations = [
            generation(&[Origin::Random; 3], &[5, 6, 7]),
            generation(
                &[Origin::Crossed(1, 0, 1), Origin::Random, Origin::Random],
                &[8, 0, 0],
            ),
            generation(
                &[Origin::Random, Origin::Random, Origin::Reproduced(0)],
                &[0, 0, 9],
            ),
        ];
        let steps = lineage(&generations, 2);
        let told: Vec<_> = steps
            .iter()
            .map(|step| (step.generation, step.place))
            .collect();
        assert_eq!(told, [(0, 1), (1, 0), (2, 2)]);
        assert_eq!(counts(&steps), "1 crossings, 0 mutations and 1 copies");
        let table = csv(&steps);
        assert!(table.ends_with(
            "0,1,6,1,1,2,random\n1,0,8,0,1,2,crossed with number 0 in the even tree\n2,2,9,2,1,2,copy\n"
        ));
        assert_eq!(lineage(&generations, 9), []);
    }
}
