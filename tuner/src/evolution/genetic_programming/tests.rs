use super::signatures::{Kind, Signature};
use super::tree::{depth, is_within, nodes};
use super::*;

const BOOLEAN: Kind = 0;
const FLOAT: Kind = 1;
const QUERY: Kind = 2;

/// A Query will do for either.
fn fits() -> Vec<Vec<bool>> {
    vec![
        vec![true, false, true],
        vec![false, true, true],
        vec![false, false, true],
    ]
}

fn signature(result: Kind, arguments: &[Kind]) -> Signature {
    Signature {
        result,
        arguments: arguments.to_vec(),
        is_constant: false,
    }
}

/// The paper's functions (Table 1), and so many terminals of each kind and constants.
fn papers(booleans: usize, floats: usize, queries: usize, constants: usize) -> Vec<Signature> {
    let mut all = vec![
        signature(FLOAT, &[BOOLEAN, FLOAT, FLOAT]),
        signature(BOOLEAN, &[BOOLEAN; 2]),
        signature(BOOLEAN, &[BOOLEAN; 3]),
        signature(BOOLEAN, &[BOOLEAN; 2]),
        signature(BOOLEAN, &[BOOLEAN; 3]),
        signature(BOOLEAN, &[FLOAT; 2]),
        signature(BOOLEAN, &[BOOLEAN]),
    ];
    all.extend(vec![signature(BOOLEAN, &[]); booleans]);
    all.extend(vec![signature(FLOAT, &[]); floats]);
    all.extend(vec![signature(QUERY, &[]); queries]);
    let constant = Signature {
        is_constant: true,
        ..signature(FLOAT, &[])
    };
    all.extend(vec![constant; constants]);
    all
}

/// The paper's language.
fn table() -> Signatures {
    Signatures::new(papers(20, 12, 3, 12), fits(), FLOAT).unwrap()
}

/// Languages that break a generator that hopes for the best: no terminal for Booleans but through a function, none for
/// the root, one terminal in all, kinds that lie several functions deep.
fn languages() -> Vec<Signatures> {
    let new = |all, root| Signatures::new(all, fits(), root).unwrap();
    let without_booleans = papers(0, 3, 0, 2);
    // A Boolean is Smaller (Float, Float) at least.
    let strict = (0..5).map(|row| (0..5).map(|column| row == column).collect());
    let deep = vec![
        signature(0, &[1, 1]),
        signature(1, &[2, 2]),
        signature(2, &[3]),
        signature(3, &[4, 4, 4]),
        signature(4, &[]),
        signature(0, &[0, 0, 0]),
        signature(2, &[1, 4]),
        signature(4, &[0]),
    ];
    vec![
        table(),
        new(without_booleans.clone(), FLOAT),
        new(without_booleans, BOOLEAN),
        new(papers(0, 0, 1, 0), FLOAT),
        new(papers(1, 0, 0, 1), FLOAT),
        Signatures::new(deep, strict.collect(), 0).unwrap(),
    ]
}

/// A fully random number of levels and nodes for which a language has room.
fn bounds(signatures: &Signatures, rng: &mut Random) -> Bounds {
    let depth = signatures.least_depth(signatures.root()) + rng.below(12) as u32;
    let least = signatures.least(signatures.root(), depth).unwrap();
    Bounds {
        depth,
        nodes: least + rng.below(120) as usize,
    }
}

/// A million trees, by both ways of growing, by crossover and by mutation, of six languages, within random bounds that
/// are often as tight as can be: each is complete, of the right kinds and within its bounds.
#[test]
fn a_million_trees_are_all_feasible() {
    let mut rng = Random::new(64);
    let mut made = 0;
    while made < 1_000_000 {
        for signatures in languages() {
            let bounds = bounds(&signatures, &mut rng);
            let root = signatures.root();
            let mut trees: Vec<Tree> = Vec::new();
            for number in 0..40 {
                let how = [Method::Full, Method::Grow][number % 2];
                let with_root = number % 4 < 2;
                trees.push(grow::tree(
                    &signatures,
                    root,
                    bounds,
                    (how, with_root),
                    &mut rng,
                ));
            }
            for _ in 0..200 {
                let [one, other] = [0; 2].map(|_| rng.below(trees.len() as u128) as usize);
                let parents = (&trees[one], &trees[other]);
                let crossed = operators::crossover(&signatures, parents, bounds, &mut rng);
                let most = 1 + rng.below(7) as u32;
                let mutated =
                    operators::mutation(&signatures, &trees[other], bounds, most, &mut rng);
                trees.splice(0..2, [crossed, mutated]);
                let new = &trees[..2];
                assert!(
                    new.iter().all(|tree| is_within(&signatures, tree, bounds)),
                    "{new:?} {bounds:?} {signatures:?}"
                );
            }
            for tree in &trees {
                assert!(
                    is_within(&signatures, tree, bounds),
                    "{tree:?} {bounds:?} {signatures:?}"
                );
            }
            made += 440;
        }
    }
}

/// What has no room is empty, not too large.
#[test]
fn bounds_without_room_give_nothing() {
    let signatures = Signatures::new(papers(0, 1, 0, 0), fits(), BOOLEAN).unwrap();
    let mut rng = Random::new(1);
    let mut grown = |depth, nodes| {
        let bounds = Bounds { depth, nodes };
        grow::tree(&signatures, BOOLEAN, bounds, (Method::Full, true), &mut rng)
    };
    assert!(grown(1, 99).is_empty());
    assert!(grown(9, 2).is_empty());
    assert_eq!(grown(2, 3).len(), 3);
}

/// A full tree of the paper's language has a function on all levels but the last, on which it has none.
#[test]
fn full_trees_are_full_and_grown_ones_are_not_all() {
    let signatures = table();
    let mut rng = Random::new(5);
    let bounds = Bounds {
        depth: 4,
        nodes: 1_000,
    };
    let mut sizes = [Vec::new(), Vec::new()];
    for (sizes, method) in sizes.iter_mut().zip([Method::Full, Method::Grow]) {
        for _ in 0..500 {
            let tree = grow::tree(&signatures, FLOAT, bounds, (method, true), &mut rng);
            assert!(tree.len() > 1);
            for node in nodes(&signatures, &tree).unwrap() {
                assert!(method == Method::Grow || (node.level == 4) == (node.size == 1));
            }
            sizes.push(tree.len());
        }
    }
    let mean = |sizes: &[usize]| sizes.iter().sum::<usize>() / sizes.len();
    assert!(mean(&sizes[0]) > 2 * mean(&sizes[1]), "{sizes:?}");
    assert!(sizes[1].iter().any(|&size| size > 12));
}

/// Twelve constants are drawn as often as one terminal among twelve others, each equally often.
#[test]
fn all_constants_together_are_one_terminal() {
    let signatures = Signatures::new(papers(0, 12, 0, 12), fits(), FLOAT).unwrap();
    let mut rng = Random::new(3);
    let bounds = Bounds { depth: 1, nodes: 1 };
    let mut counts = vec![0; signatures.len()];
    for _ in 0..15_600 {
        let tree = grow::tree(&signatures, FLOAT, bounds, (Method::Full, true), &mut rng);
        counts[usize::from(tree[0])] += 1;
    }
    // 1,200 for each terminal and for all constants together, which have 100 each; five standard deviations.
    assert!(
        counts[7..19]
            .iter()
            .all(|count| (1_033..=1_367).contains(count))
    );
    assert!(counts[19..].iter().all(|count| (50..=150).contains(count)));
    assert!((1_033..=1_367).contains(&counts[19..].iter().sum::<i32>()));
}

/// Trees of one function and one terminal, whose crossover can be told by hand: f(t, t) is 2 0 0.
#[test]
fn crossover_exchanges_whole_subtrees() {
    let all = vec![
        signature(0, &[]),
        signature(0, &[]),
        signature(0, &[0, 0]),
        signature(0, &[0]),
    ];
    let signatures = Signatures::new(all, vec![vec![true]], 0).unwrap();
    let mut rng = Random::new(9);
    let (mother, father) = (vec![2, 0, 0], vec![3, 1]);
    let bounds = |depth, nodes| Bounds { depth, nodes };
    let mut children = |bounds| {
        let mut met = std::collections::BTreeSet::new();
        for _ in 0..10_000 {
            let parents = (&mother, &father);
            met.insert(operators::crossover(&signatures, parents, bounds, &mut rng));
        }
        met
    };
    // At the root her whole tree goes; at a leaf of hers his tree or his leaf comes.
    let all = [
        vec![1],
        vec![2, 0, 1],
        vec![2, 0, 3, 1],
        vec![2, 1, 0],
        vec![2, 3, 1, 0],
        vec![3, 1],
    ];
    assert_eq!(children(bounds(3, 4)), all.clone().into());
    // With two levels, or three nodes, his function has no place but the root's.
    let flat = [0, 1, 3, 5].map(|at: usize| all[at].clone());
    assert_eq!(children(bounds(2, 9)), flat.clone().into());
    assert_eq!(children(bounds(9, 3)), flat.into());
}

/// Crossover points are functions nine times in ten where there are any, and leaves in the tenth.
#[test]
fn crossover_prefers_functions() {
    let all = vec![signature(0, &[]), signature(0, &[]), signature(0, &[0, 0])];
    let signatures = Signatures::new(all, vec![vec![true]], 0).unwrap();
    let mut rng = Random::new(4);
    let bounds = Bounds {
        depth: 9,
        nodes: 99,
    };
    let (mother, father) = (vec![2, 0, 0], vec![1]);
    let whole = (0..10_000).filter(|_| {
        let child = operators::crossover(&signatures, (&mother, &father), bounds, &mut rng);
        child == [1]
    });
    // Nine tenths, and a third of the tenth in which all nodes are equal: 9,333, and five standard deviations.
    assert!((9_208..=9_458).contains(&whole.count()));
}

/// A constant becomes another constant half of the time, and otherwise whatever grows there.
#[test]
fn constants_mutate_too() {
    let signatures = Signatures::new(papers(0, 1, 0, 12), fits(), FLOAT).unwrap();
    let mut rng = Random::new(8);
    let bounds = Bounds { depth: 1, nodes: 1 };
    let constant = 8_u16;
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..11_000 {
        let tree = operators::mutation(&signatures, &vec![constant], bounds, 6, &mut rng);
        assert_eq!(tree.len(), 1);
        *counts.entry(tree[0]).or_insert(0) += 1;
    }
    // 5,500 go to the eleven others; of the new trees half are the one other terminal, and half any of the twelve.
    assert!((2_523..=2_977).contains(&counts[&7]), "{counts:?}");
    assert!((153..=305).contains(&counts[&constant]), "{counts:?}");
    assert_eq!(counts.len(), 13);
}

fn settings() -> Settings {
    Settings {
        population: 60,
        bounds: vec![
            Bounds {
                depth: 8,
                nodes: 60,
            },
            Bounds {
                depth: 8,
                nodes: 60,
            },
            Bounds {
                depth: 4,
                nodes: 20,
            },
        ],
        first_depths: (2, 6),
        crossover: 0.5,
        mutation: 0.15,
        tournament: 4,
        elitism: 1,
        parsimony: false,
    }
}

/// The nodes of a tree that are constants, of all individuals: something that selection can see.
fn fitness(population: &GeneticProgramming) -> Vec<u64> {
    let constants = |individual: &Individual| {
        let nodes = individual.trees.iter().flatten();
        nodes.filter(|&&one| one >= 42).count() as u64
    };
    population.individuals().iter().map(constants).collect()
}

#[test]
fn generation_0_is_ramped_half_and_half() {
    let signatures = table();
    let population = GeneticProgramming::new(signatures.clone(), settings(), 7);
    let depths: Vec<Vec<u32>> = (population.individuals().iter())
        .map(|one| {
            one.trees
                .iter()
                .map(|tree| depth(&signatures, tree))
                .collect()
        })
        .collect();
    // Full ones first of each two: 2, 3, 4, 5, 6 and again, the third tree 4 at most; the node bound of 60 may keep a
    // full tree from its depth of 6.
    assert_eq!(depths[0], [2, 2, 2]);
    assert_eq!(depths[2], [3, 3, 3]);
    assert_eq!(depths[4], [4, 4, 4]);
    assert!(depths[10] == [2, 2, 2] && depths[6][2] == 4);
    assert!(
        population
            .individuals()
            .iter()
            .all(|one| one.origin == Origin::Random)
    );
}

/// Selection finds what it is told to, and every individual keeps to the bounds of each of its trees.
#[test]
fn evolution_finds_what_fitness_asks_for_within_bounds() {
    let signatures = table();
    let settings = settings();
    let mut population = GeneticProgramming::new(signatures.clone(), settings.clone(), 2);
    let mut best = Vec::new();
    for _ in 0..40 {
        let fitness = fitness(&population);
        best.push(fitness.iter().copied().max().unwrap());
        for individual in population.ask().individuals {
            for (tree, bounds) in individual.trees.iter().zip(&settings.bounds) {
                assert!(is_within(&signatures, tree, *bounds));
            }
        }
        population.tell(Feedback {
            fitness: &fitness,
            elite: None,
        });
    }
    // The elite is kept, so it never gets worse.
    assert!(best.is_sorted(), "{best:?}");
    assert!(best[39] > 3 * best[0], "{best:?}");
}

/// Of 59 children a generation about half are crossed and 0.15 mutated, the rest are copies; each is what its origin
/// says of it.
#[test]
fn origins_are_true_and_as_frequent_as_the_rates() {
    let mut population = GeneticProgramming::new(table(), settings(), 3);
    let mut counts = [0; 3];
    for _ in 0..100 {
        let before = population.ask().individuals;
        let fitness = fitness(&population);
        population.tell(Feedback {
            fitness: &fitness,
            elite: Some(17),
        });
        let first = &population.individuals()[0];
        assert_eq!(
            (first.origin, &first.trees),
            (Origin::Reproduced(17), &before[17].trees)
        );
        for child in &population.individuals()[1..] {
            let parent = &before[child.origin.parent().unwrap()].trees;
            let is_same = |at: &usize| child.trees[*at] == parent[*at];
            match child.origin {
                Origin::Crossed(_, father, at) => {
                    counts[0] += 1;
                    let father = &before[father].trees[at];
                    let found = (0..father.len()).any(|from| {
                        (from + 1..=father.len()).any(|to| {
                            let part = &father[from..to];
                            child.trees[at]
                                .windows(part.len())
                                .any(|nodes| nodes == part)
                        })
                    });
                    assert!(found && (0..3).filter(|tree| *tree != at).all(|at| is_same(&at)));
                }
                Origin::Mutated(_, at) => {
                    counts[1] += 1;
                    assert!((0..3).filter(|tree| *tree != at).all(|at| is_same(&at)));
                }
                Origin::Reproduced(_) => {
                    counts[2] += 1;
                    assert!((0..3).all(|at| is_same(&at)));
                }
                Origin::Random => panic!("nobody is random any more"),
            }
        }
    }
    // 5,900 children: 2,950, 885 and 2,065, and five standard deviations.
    assert!((2_758..=3_142).contains(&counts[0]), "{counts:?}");
    assert!((748..=1_022).contains(&counts[1]), "{counts:?}");
}

/// A tournament among all but a few draws is won by the fittest; with parsimony the smallest of the fittest wins.
#[test]
fn tournaments_are_won_by_the_fittest_and_then_by_the_smallest() {
    let of = |parsimony, tournament| {
        let settings = Settings {
            tournament,
            parsimony,
            ..settings()
        };
        GeneticProgramming::new(table(), settings, 5)
    };
    let mut large = of(false, 2_000);
    let mut fitness = vec![1; 60];
    fitness[41] = 2;
    assert_eq!(large.winner(&fitness), 41);
    let mut frugal = of(true, 2_000);
    assert_eq!(frugal.winner(&fitness), 41);
    let sizes: Vec<usize> = frugal.individuals().iter().map(Individual::nodes).collect();
    let smallest = sizes.iter().min();
    let winner = frugal.winner(&vec![1; 60]);
    assert_eq!(Some(&sizes[winner]), smallest);
    // One that is drawn alone wins whatever it is worth.
    let mut alone = of(false, 1);
    let winners: std::collections::BTreeSet<usize> =
        (0..1_000).map(|_| alone.winner(&fitness)).collect();
    assert_eq!(winners.len(), 60);
}

#[test]
fn one_seed_one_history() {
    let after = |seed| {
        let mut population = GeneticProgramming::new(table(), settings(), seed);
        for _ in 0..5 {
            let fitness = fitness(&population);
            population.tell(Feedback {
                fitness: &fitness,
                elite: None,
            });
        }
        population.individuals().to_vec()
    };
    assert_eq!(after(7), after(7));
    assert_ne!(after(7), after(8));
}
