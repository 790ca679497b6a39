//! Search parameters (2014 §IV): how many nodes a search takes to find a suite's best move.
//!
//! The paper's definition is that of Björnsson and Marsland ("Learning extension parameters in
//! game-tree search", 2003): each position is searched until its best move is found, at most up to
//! a cap of nodes, and the sum over all positions is the cost of the parameters. Where the paper is
//! silent:
//!
//! - A node is every move made, in quiescence too: what `eyas bench` counts. The cap is exact, to
//!   the node, and so is the place where a move was found.
//! - What *found* means is a setting, [`Found`].
//! - A position that is not found costs the cap. So does one whose tree ends before (all of it is
//!   searched, or the greatest depth is reached) without the move.
//! - Each position has an empty table and empty histories, and one thread. Its cost is a function of
//!   parameters, position and [`Rule`] alone (architecture invariant 5).
//! - Beyond the paper, a position may cost what its moves lose ([`Found::Worth`]): not only
//!   tactics count then, and what a search forgets when it is winning counts too. Positions that follow
//!   one another in a game are then searched in turn, like in a game, with what the searches before
//!   have left in table and histories: a problem may be several. What a search gains by that is not
//!   seen in positions by themselves (docs/notebook/search.md).
//! - The search never sees the answer: its moves are compared from outside, by an observer at the
//!   root.
//!
//! Tasks are problems, not individuals, so that all cores are busy until the last few positions of
//! a generation.

use super::expert::chance;
use crate::base::room;
use crate::base::stop::Stop;
use crate::base::workers::{self, Guarded, guarded};
use crate::data::suite::{Need, expert_worths};
use engine::epd::Epd;
use engine::params::ParamSet;
use engine::position::{Game, Position};
use engine::search::{Control, Event, Limits, NoClock, Searcher};
use engine::tt::TableError;
use engine::types::Move;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// The paper's cap, in nodes (2014 §IV).
pub const PAPER_CAP: u64 = 500_000;

/// Default table size in megabytes for searches of up to `cap` nodes: eight bytes a node, half an
/// entry, which is more than such a search stores; 4 MB for the paper's cap. So clearing it for each
/// position costs next to nothing beside the search.
pub fn hash_for(cap: u64) -> usize {
    (cap * 8).div_ceil(1 << 20).clamp(1, 64) as usize
}

/// When a move counts as found. The cost is the number of nodes at which it became the best move
/// (for the last time, but with `First`), never that at which this was confirmed.
///
/// | | ends at | a lucky glimpse that is dropped again |
/// |---|---|---|
/// | `First` | the first time that it is best | counts: the cheapest runs, the noisiest costs |
/// | `Iterations(k)` | the end of the k-th iteration that it has been best through | doesn't, unless it lasts |
/// | `Worth` | the cap | costs for as long as it lasts |
/// | `Last` | the cap | doesn't; every position is searched to the cap, which costs most |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Found {
    /// The first time that a completed update of the root makes it the best move.
    #[default]
    First,
    /// When it has been the best move at the end of so many iterations in a row, or from where it
    /// became the best move until the cap.
    Iterations(u32),
    /// When it is the best move from there to the cap.
    Last,
    /// When it is the best move at the cap; but what counts is each node from half of the cap on,
    /// by what the best move of that moment loses against the best of all, in chances to win by an
    /// expert's scores of all moves: nothing for a best move, a whole node for one that throws away
    /// a won game. So it is a mean over searches of all lengths from half of the cap to all of it.
    Worth,
}

impl Found {
    /// What a position must have.
    pub fn need(self) -> Need {
        match self {
            Found::Worth => Need::Worths,
            _ => Need::Solution,
        }
    }

    /// The problems that positions are: one each, or with [`Found::Worth`] one for those that two
    /// moves each lead to from the one before.
    pub fn problems(self, positions: Vec<Epd>) -> Vec<Problem> {
        let goes_on = |problem: &Problem, next: &Epd| {
            let last = problem.last();
            last.is_some_and(|last| follows(&last.position, &next.position))
        };
        let mut problems: Vec<Problem> = Vec::new();
        for position in positions {
            match problems.last_mut() {
                Some(problem) if self == Found::Worth && goes_on(problem, &position) => {
                    problem.push(position);
                }
                _ => problems.push(vec![position]),
            }
        }
        problems
    }
}

/// Whether a move and a reply lead from one position to another.
fn follows(before: &Position, after: &Position) -> bool {
    before.legal_moves().iter().any(|&mv| {
        let answering = before.play(mv);
        let replies = answering.legal_moves();
        let mut behind = replies.iter().map(|&reply| answering.play(reply));
        behind.any(|position| position.key() == after.key())
    })
}

/// What costs are counted of: a position, or several of one game, a side's turns one after the other.
pub type Problem = Vec<Epd>;

/// Centipawns of the expert at which a side wins 73 games of 100: chosen, not fitted to games.
const WORTH_SCALE: f32 = 170.0;

/// What a lost game counts.
const WHOLE: u64 = 1_000_000;

/// What a search is given to find a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Nodes after which the search ends, and the cost of a position that is not found.
    pub cap: u64,
    /// When a move counts as found.
    pub found: Found,
    /// Size of the transposition table, in megabytes.
    pub hash: usize,
}

impl Default for Rule {
    fn default() -> Self {
        Rule {
            cap: PAPER_CAP,
            found: Found::First,
            hash: hash_for(PAPER_CAP),
        }
    }
}

/// The cost of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Nodes until the best move was found, or the cap.
    pub nodes: u64,
    /// Whether it was found.
    pub solved: bool,
    /// Nodes that were searched, to find it and to confirm it.
    pub searched: u64,
}

impl Rule {
    /// The cost of a position that is not found.
    pub fn worst(&self) -> Cost {
        Cost {
            nodes: self.cap,
            solved: false,
            searched: 0,
        }
    }
}

/// One thread's searcher.
pub struct Solver {
    rule: Rule,
    searcher: Searcher,
}

impl Solver {
    /// A searcher with these parameters.
    ///
    /// # Errors
    /// There is no memory for its table.
    pub fn new(rule: Rule, params: ParamSet) -> Result<Solver, TableError> {
        Ok(Solver {
            rule,
            searcher: room::with_table(rule.hash, || Searcher::new(params, rule.hash))?,
        })
    }

    /// Searches with other parameters from now on.
    pub fn set_params(&mut self, params: ParamSet) {
        self.searcher.set_params(params);
    }

    /// The cost of a problem, the mean of that of its positions. It is solved if the last of them is.
    pub fn cost(&mut self, problem: &[Epd]) -> Cost {
        self.searcher.clear();
        let mut whole = Cost {
            nodes: 0,
            solved: false,
            searched: 0,
        };
        for position in problem {
            let cost = self.next_cost(position);
            whole.nodes += cost.nodes;
            whole.solved = cost.solved;
            whole.searched += cost.searched;
        }
        whole.nodes /= problem.len().max(1) as u64;
        whole
    }

    /// The cost of a position with what the searches before have left.
    fn next_cost(&mut self, problem: &Epd) -> Cost {
        let control = Control {
            stop: &AtomicBool::new(false),
            clock: &NoClock,
        };
        if self.rule.found == Found::Worth {
            return self.loss(problem, control);
        }
        let mut watch = Watch::new(self.rule.found);
        let outcome = self.searcher.search_observed(
            &Game::new(problem.position),
            &Limits::nodes(self.rule.cap),
            control,
            &mut |event| watch.look(problem, &event),
        );
        Cost {
            nodes: watch.since.unwrap_or(self.rule.cap),
            solved: watch.since.is_some(),
            searched: outcome.nodes,
        }
    }

    /// What the best moves of each moment lose, see [`Found::Worth`].
    fn loss(&mut self, problem: &Epd, control: Control<'_>) -> Cost {
        let mut losses = Losses::new(problem, self.rule.cap / 2);
        let outcome = self.searcher.search_observed(
            &Game::new(problem.position),
            &Limits::nodes(self.rule.cap),
            control,
            &mut |event| {
                if let Event::BestMove { mv, nodes } = event {
                    losses.change(mv, nodes);
                }
                ControlFlow::Continue(())
            },
        );
        let last = losses.last;
        Cost {
            nodes: losses.until(self.rule.cap),
            solved: last.is_some_and(|mv| problem.is_solved_by(mv)),
            searched: outcome.nodes,
        }
    }
}

/// Adds up what the best moves of a search lose for as long as they are best.
struct Losses {
    /// What each move loses, in parts of [`WHOLE`].
    moves: Vec<(Move, u64)>,
    /// The best move of this moment.
    last: Option<Move>,
    /// Nodes up to which all is added up, or from which on.
    nodes: u64,
    /// Nodes times parts.
    sum: u64,
}

impl Losses {
    /// Those from so many nodes on.
    fn new(problem: &Epd, from: u64) -> Losses {
        let worths = expert_worths(problem).unwrap_or_default();
        let chances = worths
            .iter()
            .map(|&(_, score)| f64::from(chance(score as f32, WORTH_SCALE)));
        let best = chances.clone().fold(0.0, f64::max);
        let losses = chances.map(|chance| ((best - chance) * WHOLE as f64).round() as u64);
        Losses {
            moves: worths.iter().map(|&(mv, _)| mv).zip(losses).collect(),
            last: None,
            nodes: from,
            sum: 0,
        }
    }

    /// After these nodes, another move is best. The first one counts from the beginning.
    fn change(&mut self, mv: Move, nodes: u64) {
        if self.last.is_some() {
            self.add(nodes);
        }
        self.last = Some(mv);
    }

    fn add(&mut self, nodes: u64) {
        let of_last = |(mv, _): &&(Move, u64)| Some(*mv) == self.last;
        let loss = self
            .moves
            .iter()
            .find(of_last)
            .map_or(WHOLE, |(_, loss)| *loss);
        self.sum += nodes.saturating_sub(self.nodes) * loss;
        self.nodes = self.nodes.max(nodes);
    }

    /// The cost in nodes; a search that ends before the cap would go on with the same move.
    fn until(mut self, cap: u64) -> u64 {
        self.add(cap);
        self.sum / WHOLE
    }
}

/// Compares the best moves of a search with those of the suite.
struct Watch {
    found: Found,
    /// Nodes at which a best move of the suite became that of the search, if it still is.
    since: Option<u64>,
    /// Iterations that have ended with it.
    iterations: u32,
}

impl Watch {
    fn new(found: Found) -> Watch {
        Watch {
            found,
            since: None,
            iterations: 0,
        }
    }

    /// Takes notice; breaks off when the move counts as found.
    fn look(&mut self, problem: &Epd, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::BestMove { mv, nodes } => {
                if !problem.is_solved_by(*mv) {
                    self.since = None;
                } else if self.since.is_none() {
                    self.since = Some(*nodes);
                    self.iterations = 0;
                }
            }
            Event::Info(_) => self.iterations += 1,
            Event::Bound(_) | Event::CurrentMove { .. } => {}
        }
        let enough = match self.found {
            Found::First => true,
            Found::Iterations(wanted) => self.iterations >= wanted,
            Found::Last | Found::Worth => false,
        };
        match self.since {
            Some(_) if enough => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// What came of searching a problem with an individual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The individual's place among those asked about, from 0.
    pub individual: usize,
    /// The problem's place in the suite, from 0.
    pub problem: usize,
    /// What it costs.
    pub cost: Cost,
    /// What the search said when it broke down; it had a second try, and the worst cost if that
    /// broke down too.
    pub trouble: Option<String>,
}

/// Searches all problems with all individuals on so many threads, and hands the answers over in
/// order, individual by individual from number `first` on (`individual × problems + problem`).
/// Ends early when `stop` or `accept` says so; all answers before that one have been accepted.
///
/// # Errors
/// `accept`'s, or no memory for the tables.
pub fn costs<E: From<TableError> + Send>(
    individuals: &[ParamSet],
    problems: &[Problem],
    rule: Rule,
    threads: usize,
    first: usize,
    stop: &Stop,
    accept: impl FnMut(Answer) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let start = || -> Result<(Solver, Option<usize>), E> {
        Ok((Solver::new(rule, ParamSet::missing())?, None))
    };
    let solve = |(solver, prepared): &mut (Solver, Option<usize>), number: usize| {
        let (individual, problem) = (number / problems.len(), number % problems.len());
        let Guarded { answer, trouble } = guarded(|| {
            // A searcher that broke down may be anything: it gets its parameters again.
            if prepared.take() != Some(individual) {
                solver.set_params(individuals[individual].clone());
            }
            let cost = solver.cost(&problems[problem]);
            *prepared = Some(individual);
            cost
        });
        Ok(Answer {
            individual,
            problem,
            cost: answer.unwrap_or(rule.worst()),
            trouble,
        })
    };
    let last = individuals.len() * problems.len();
    workers::in_order(threads, first..last, stop, start, solve, accept)
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::First => write!(f, "first"),
            Found::Iterations(count) => write!(f, "{count}"),
            Found::Last => write!(f, "last"),
            Found::Worth => write!(f, "worth"),
        }
    }
}

impl FromStr for Found {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = || text.parse().ok().filter(|count| (1..=127).contains(count));
        match text {
            "first" => Ok(Found::First),
            "last" => Ok(Found::Last),
            "worth" => Ok(Found::Worth),
            _ => count().map(Found::Iterations).ok_or_else(|| {
                format!(
                    "{text:?}: expected first, last, worth, or a number of iterations from 1 to 127"
                )
            }),
        }
    }
}

impl Serialize for Found {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Found {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// A number of iterations may be written as one.
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Text {
            Word(String),
            Number(i64),
        }
        let text = match Text::deserialize(deserializer) {
            Ok(Text::Word(word)) => word,
            Ok(Text::Number(number)) => number.to_string(),
            Err(_) => "neither text nor number".to_string(),
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
