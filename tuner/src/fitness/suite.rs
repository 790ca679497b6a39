//! The task of all who search the positions of a suite: what does a position cost, and is it solved?

use super::MOST_NODES;
use super::search_cost::{Problem, Rule, Solver};
use crate::encoding::by_place;
use crate::encoding::files::describe;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use engine::params::ParamSet;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// See the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solve {
    /// The task's name.
    pub key: String,
    /// Number of the suite among those of the phase, from 0.
    pub suite: usize,
    /// The position's place in it, from 0.
    pub place: usize,
    /// Who searches.
    #[serde(with = "by_place")]
    pub params: Arc<ParamSet>,
    /// Digest of the same.
    pub digest: String,
    /// Nodes that a position costs at most.
    pub cap: u64,
    /// Whether the answer has the nodes that were searched too, or only those until the move was found.
    pub tells_searched: bool,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Solved {
    /// Nodes until the move was found, whether it was, nodes searched.
    Searched(u64, bool, u64),
    /// The same without the last.
    Found(u64, bool),
}

impl Solved {
    /// Nodes until the move was found, or the cap.
    pub fn nodes(self) -> u64 {
        match self {
            Solved::Searched(nodes, ..) | Solved::Found(nodes, _) => nodes,
        }
    }

    /// Whether it was found.
    pub fn is_solved(self) -> bool {
        match self {
            Solved::Searched(_, solved, _) | Solved::Found(_, solved) => solved,
        }
    }

    /// Nodes searched, as far as it is told.
    pub fn searched(self) -> u64 {
        match self {
            Solved::Searched(_, _, searched) => searched,
            Solved::Found(..) => 0,
        }
    }
}

impl Solve {
    fn answer(&self, nodes: u64, solved: bool, searched: u64) -> Solved {
        match self.tells_searched {
            true => Solved::Searched(nodes, solved, searched),
            false => Solved::Found(nodes, solved),
        }
    }
}

impl Task for Solve {
    const KIND: &'static str = "solve";
    type Answer = Solved;

    fn key(&self) -> String {
        self.key.clone()
    }

    fn digest(&self) -> String {
        self.digest.clone()
    }

    fn fits(&self, answer: &Solved) -> bool {
        let is_possible = answer.nodes() <= self.cap && answer.searched() <= MOST_NODES;
        is_possible && self.tells_searched == matches!(answer, Solved::Searched(..))
    }

    fn worst(&self) -> Solved {
        self.answer(self.cap, false, 0)
    }

    fn describe(&self) -> String {
        describe(&self.params)
    }
}

/// A suite with the rule by which its positions are searched.
#[derive(Clone, Copy, Debug)]
pub struct Suite<'a> {
    /// What is to be solved.
    pub problems: &'a [Problem],
    /// How.
    pub rule: Rule,
}

/// Searches positions with one set of parameters after the other.
pub struct Searching<'a> {
    suites: Vec<Suite<'a>>,
    /// Digest and suite of those that it searches with, who are ready.
    ready: Option<(String, Rule, Solver)>,
    place: Option<&'a Problem>,
}

impl<'a> Searching<'a> {
    /// A worker for these suites.
    pub fn new(suites: Vec<Suite<'a>>) -> Searching<'a> {
        Searching {
            suites,
            ready: None,
            place: None,
        }
    }
}

impl Worker<Solve> for Searching<'_> {
    fn answer(&mut self, task: &Solve) -> Result<Solved, WorkError> {
        let suite = self.suites.get(task.suite);
        self.place = suite.and_then(|suite| suite.problems.get(task.place));
        let (Some(suite), Some(problem)) = (suite, self.place) else {
            return Ok(task.worst());
        };
        let (_, _, solver) = match self.ready.take() {
            Some(mut ready) if ready.1 == suite.rule => {
                if ready.0 != task.digest {
                    ready.2.set_params(ParamSet::clone(&task.params));
                    ready.0.clone_from(&task.digest);
                }
                self.ready.insert(ready)
            }
            _ => {
                let solver = Solver::new(suite.rule, ParamSet::clone(&task.params))?;
                self.ready.insert((task.digest.clone(), suite.rule, solver))
            }
        };
        let cost = solver.cost(problem);
        Ok(task.answer(cost.nodes, cost.solved, cost.searched))
    }

    fn place(&self) -> String {
        let first = self.place.and_then(|problem| problem.first());
        first.map_or(String::new(), |first| first.position.to_fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Journals of both kinds of phases have what they had.
    #[test]
    fn an_answer_has_two_numbers_or_three() {
        for (answer, text) in [
            (Solved::Searched(7, true, 9), "[7,true,9]"),
            (Solved::Found(7, false), "[7,false]"),
        ] {
            assert_eq!(serde_json::to_string(&answer).unwrap(), text);
            assert_eq!(serde_json::from_str::<Solved>(text).unwrap(), answer);
        }
        assert!(serde_json::from_str::<Solved>("[7,false,1,1]").is_err());
    }
}
