//! Keys of a phase of kind `endgames`: programs that play endgames, evolved by games against each other, by lessons, or by both.

use super::evolution::Runs;
use super::values::{FilePath, Rate, Whole};
use engine::program::{Ending, Expression, MAX_DEPTH, MAX_NODES};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// Keys of a phase of kind `endgames`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct EndgamesKeys {
    /// The endings that are played, each by the material of both sides: `["KRKR"]`, `["KQRKQR", "KBNKBN"]`. Of several,
    /// the starts take turns.
    #[schemars(with = "Vec<String>")]
    pub endings: Vec<EndingKey>,
    /// Terminals beyond the paper's that programs may use, by name: those whose source is *ours* in the guide's table of
    /// the language.
    #[serde(default)]
    pub with: Vec<String>,
    /// Terminals and constants that programs may not use, by name, to see what they are worth (2005 §5.1: S_NO).
    #[serde(default)]
    pub without: Vec<String>,
    /// Terminals that programs may use, by name; all others are left out, and so are functions that can't be completed
    /// without them (2005 §5.2 and §5.3). Functions and constants stay. Empty means all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Expressions made by hand (`"(And2 IsMate MyPieceCannotBeCaptured)"`) that evolution may use as terminals; it never
    /// takes them apart (2005 §5.3: cells). Whatever `only` and `without` say, a cell may use all of the language.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub cells: Vec<Cell>,
    /// Genetic programming.
    pub evolution: GeneticProgrammingKeys,
    /// The games.
    #[serde(default)]
    pub games: EndgameGames,
    /// Lessons from perfect play: positions that count for fitness as well, or instead of games. If absent, only games do.
    pub lessons: Option<LessonsKeys>,
    /// How strong the best of the generations are.
    #[serde(default)]
    pub gauge: Gauge,
    /// How many runs, from which seeds. The champion with the best score in its last match counts.
    pub runs: Runs,
}

/// An ending's name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct EndingKey(pub Ending);

impl TryFrom<String> for EndingKey {
    type Error = String;

    fn try_from(name: String) -> Result<EndingKey, String> {
        let ending = name.parse::<Ending>();
        ending.map(EndingKey).map_err(|error| error.to_string())
    }
}

/// An expression made by hand.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Cell(pub Expression);

impl TryFrom<String> for Cell {
    type Error = String;

    fn try_from(text: String) -> Result<Cell, String> {
        let expression = Expression::parse(&text);
        expression
            .map(Cell)
            .map_err(|error| format!("cell {text:?}: {error}"))
    }
}

/// Keys of `[evolution]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct GeneticProgrammingKeys {
    /// Programs in each generation (2005 §3.4: 80).
    pub population: Whole<3, 10_000>,
    /// Generations, the random one included (2005 §3.4: 150 to 250).
    pub generations: Whole<1, 100_000>,
    /// Probability that a place of the next generation is filled by subtree crossover.
    #[serde(default = "half")]
    pub crossover_rate: Rate,
    /// Probability that it is filled by subtree mutation, constants included. What is left of 1 is reproduction.
    #[serde(default = "fifteen")]
    pub mutation_rate: Rate,
    /// Programs that are drawn for a tournament, whose best is a parent.
    #[serde(default = "whole::<4, 1, 1_000>")]
    pub tournament: Whole<1, 1_000>,
    /// Programs that go to the next generation unchanged, best first. Fewer than `population`.
    #[serde(default = "whole::<1, 0, 10_000>")]
    pub elitism: Whole<0, 10_000>,
    /// Whether of two programs of equal fitness the one with fewer nodes is the better in a tournament (lexicographic
    /// parsimony pressure, Luke and Panait 2002).
    #[serde(default)]
    pub parsimony: bool,
    /// Least and greatest depth of the trees of generation 0 (ramped half-and-half). New subtrees of mutation are no
    /// deeper than the latter.
    #[serde(default = "first_depths")]
    pub initial_depth: [Whole<1, 64>; 2],
    /// Levels of the advantage tree and of the even tree at most; a terminal alone is one level. The paper's printed
    /// tree has 16.
    #[serde(default = "whole::<17, 1, 64>")]
    pub max_depth: Whole<1, 64>,
    /// Nodes of these trees at most. The paper's printed tree has 159.
    #[serde(default = "whole::<200, 1, 4_096>")]
    pub max_nodes: Whole<1, 4_096>,
    /// Levels of the disadvantage tree at most, which is smaller (2005 §3.2). Not more than `max_depth`.
    #[serde(default = "whole::<10, 1, 64>")]
    pub disadvantage_depth: Whole<1, 64>,
    /// Nodes of the disadvantage tree at most. Not more than `max_nodes`.
    #[serde(default = "whole::<80, 1, 4_096>")]
    pub disadvantage_nodes: Whole<1, 4_096>,
}

/// Keys of `[lessons]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct LessonsKeys {
    /// Positions of the endings, or of what captures leave of them, with every move that keeps their value (EPD with
    /// `bm`), as `tuner program lessons` makes them. Each counts as often as it has legal moves that lose value.
    #[schemars(with = "Vec<FilePath>")]
    pub train: Vec<PathBuf>,
    /// The same, for the best of generations alone: the one that knows most of them is its run's champion, whatever its
    /// games say. If absent, games decide.
    #[serde(default)]
    #[schemars(with = "Vec<FilePath>")]
    pub test: Vec<PathBuf>,
    /// Lessons of a generation, drawn anew each time, the same for all of it. If absent, all.
    pub sample: Option<Whole<1, 100_000>>,
    /// Points of a program that knows all lessons of its generation; who knows a part of them has that part, rounded
    /// down. Few points make programs equal that know nearly the same, among whom `parsimony` chooses.
    #[serde(default = "whole::<1_000, 1, 1_000_000_000>")]
    pub points: Whole<1, 1_000_000_000>,
}

/// Keys of `[games]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub struct EndgameGames {
    /// Peers that each program plays in a generation, drawn anew each time; both get the points (random-2-ways). An
    /// even number below `population`; 0, no games between peers, only with `[lessons]`.
    pub peers: Whole<0, 1_000>,
    /// Starts of an encounter with a peer, each played twice with colours exchanged. A generation has the same ones
    /// for all, the next one others.
    pub starts: Whole<1, 1_000>,
    /// Starts that each program plays against the `rival` of `[gauge]` as well, each twice, for its fitness: an opponent
    /// who punishes what peers overlook. With 0, as in the paper, it only measures.
    pub rival_starts: Whole<0, 1_000>,
    /// Moves of each side after which a game is judged by material.
    pub moves: Whole<1, 1_000>,
    /// Points for a mate. More than `advantage`.
    pub mate: Whole<0, 1_000>,
    /// Points for more material when the moves are up. More than `draw`.
    pub advantage: Whole<0, 1_000>,
    /// Points of both for a draw. A loss has none.
    pub draw: Whole<0, 1_000>,
}

impl Default for EndgameGames {
    fn default() -> EndgameGames {
        EndgameGames {
            peers: Whole(6),
            starts: Whole(2),
            rival_starts: Whole(0),
            moves: Whole(50),
            mate: Whole(6),
            advantage: Whole(3),
            draw: Whole(1),
        }
    }
}

/// Keys of `[gauge]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub struct Gauge {
    /// A program (`*.sexp`) that the best of generations play too. If absent, they play against random moves alone.
    #[schemars(with = "Option<FilePath>")]
    pub rival: Option<PathBuf>,
    /// Eyas with so many nodes a move, whom the best of generations play too. The score that decides is then the mean of
    /// that against it and that against the rival. If absent, it doesn't play.
    pub engine_nodes: Option<Whole<1, 10_000_000>>,
    /// The best of every so many generations, and of the last, is measured; nobody's fitness hears of these games.
    pub every: Whole<1, 100_000>,
    /// Starts of these matches, each played twice.
    pub starts: Whole<1, 10_000>,
    /// Starts of the champion's last match, which nobody has seen, each played twice (2005 §5.1: 500 games).
    pub last_starts: Whole<1, 10_000>,
}

impl Default for Gauge {
    fn default() -> Gauge {
        Gauge {
            rival: None,
            engine_nodes: None,
            every: Whole(10),
            starts: Whole(50),
            last_starts: Whole(250),
        }
    }
}

fn whole<const NUMBER: u64, const MIN: u64, const MAX: u64>() -> Whole<MIN, MAX> {
    Whole(NUMBER)
}

fn half() -> Rate {
    Rate(0.5)
}

fn fifteen() -> Rate {
    Rate(0.15)
}

fn first_depths() -> [Whole<1, 64>; 2] {
    [Whole(2), Whole(6)]
}

impl EndgamesKeys {
    /// The cells as expressions.
    pub fn expressions(&self) -> Vec<Expression> {
        self.cells.iter().map(|cell| cell.0.clone()).collect()
    }

    /// Whether the keys go together.
    ///
    /// # Errors
    /// Which do not, in words.
    pub fn check(&self) -> Result<(), String> {
        let GeneticProgrammingKeys {
            crossover_rate,
            mutation_rate,
            initial_depth: [low, high],
            max_depth,
            ..
        } = &self.evolution;
        let population = self.evolution.population.get();
        if self.endings.is_empty() {
            return Err("endings = [] leaves nothing to play, expected one or more".into());
        }
        let twice =
            (1..self.endings.len()).find(|&at| self.endings[..at].contains(&self.endings[at]));
        if let Some(at) = twice {
            return Err(format!("endings: {} is there twice", self.endings[at].0));
        }
        let rates = crossover_rate.0 + mutation_rate.0;
        if rates > 1.0 {
            return Err(format!(
                "crossover_rate and mutation_rate are {rates} together, expected 1 at most: what is left is \
                 reproduction"
            ));
        }
        let less = |key: &str, number: usize, than: &str, bound: usize, equal: bool| {
            let is_less = number < bound || equal && number == bound;
            let expected = if equal { "at most" } else { "less than" };
            match is_less {
                true => Ok(()),
                false => Err(format!(
                    "{key} is {number}, expected {expected} {than}, {bound}"
                )),
            }
        };
        let GeneticProgrammingKeys {
            elitism,
            max_nodes,
            disadvantage_depth,
            disadvantage_nodes,
            ..
        } = &self.evolution;
        let EndgameGames {
            peers,
            mate,
            advantage,
            draw,
            ..
        } = &self.games;
        less(
            "elitism",
            elitism.get(),
            "the population of",
            population,
            false,
        )?;
        less(
            "initial_depth: the least",
            low.get(),
            "the greatest",
            high.get(),
            true,
        )?;
        less(
            "initial_depth: the greatest",
            high.get(),
            "max_depth",
            max_depth.get(),
            true,
        )?;
        let (depth, nodes) = (disadvantage_depth.get(), disadvantage_nodes.get());
        less(
            "disadvantage_depth",
            depth,
            "max_depth",
            max_depth.get(),
            true,
        )?;
        less(
            "disadvantage_nodes",
            nodes,
            "max_nodes",
            max_nodes.get(),
            true,
        )?;
        for Cell(cell) in &self.cells {
            // A tree whose every node is this cell.
            let nodes = cell.nodes.len() * max_nodes.get();
            let depth = cell.depth - 1 + max_depth.get();
            less(
                "cells: max_nodes times a cell's nodes",
                nodes,
                "the nodes of a tree",
                MAX_NODES,
                true,
            )?;
            less(
                "cells: max_depth and a cell's further levels",
                depth,
                "the levels of a tree",
                MAX_DEPTH,
                true,
            )?;
        }
        less("peers", peers.get(), "the population of", population, false)?;
        if peers.get() % 2 == 1 {
            return Err(format!(
                "peers is {}, expected an even number: so everybody plays equally many",
                peers.get()
            ));
        }
        match &self.lessons {
            Some(lessons) if lessons.train.is_empty() => {
                return Err(
                    "lessons: train = [] has nothing to learn, expected one or more files".into(),
                );
            }
            None if peers.get() == 0 => {
                return Err(
                    "peers = 0 leaves nothing to be fit for, expected 2 or more, or [lessons]"
                        .into(),
                );
            }
            _ => {}
        }
        if self.games.rival_starts.get() > 0 && self.gauge.rival.is_none() {
            return Err("rival_starts: nobody to play, expected a rival in [gauge]".into());
        }
        let in_order = draw.get() < advantage.get() && advantage.get() < mate.get();
        match in_order {
            true => Ok(()),
            false => Err(format!(
                "points: mate = {}, advantage = {}, draw = {}, expected each to be more than the next",
                mate.get(),
                advantage.get(),
                draw.get()
            )),
        }
    }
}
