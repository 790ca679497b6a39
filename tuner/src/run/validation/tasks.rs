//! What a validation asks, but for its games: how many positions a 1-ply search solves, and what a
//! search needs for a suite's.

use crate::fitness::search_cost::{Rule, Solver};
use crate::run::RunError;
use crate::run::genotype::{digest_of, digest_of_evaluations};
use crate::run::phase::{Task, Worker, params_toml};
use engine::epd::Epd;
use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::params::{ParamSet, Table};
use engine::tt::TableError;
use std::slice::from_ref;

/// How many positions of a block does an evaluation solve by a 1-ply search?
pub struct Choose<'a> {
    pub key: String,
    pub evaluation: &'a EvalParams,
    pub first: usize,
    pub count: usize,
}

impl Task for Choose<'_> {
    type Answer = u32;

    fn key(&self) -> String {
        self.key.clone()
    }

    fn digest(&self) -> String {
        digest_of_evaluations([self.evaluation])
    }

    fn fits(&self, solved: &u32) -> bool {
        *solved as usize <= self.count
    }

    fn worst(&self) -> u32 {
        0
    }

    fn describe(&self) -> String {
        format!("{:?}", self.evaluation)
    }
}

pub struct Chooser<'a>(pub &'a [Epd]);

impl Worker<Choose<'_>> for Chooser<'_> {
    fn answer(&mut self, task: &Choose<'_>) -> Result<u32, RunError> {
        let problems = self.0.iter().skip(task.first).take(task.count);
        let quiescence = Quiescence::default();
        let solves = |problem: &&Epd| {
            let chosen = choose_one_ply(&problem.position, task.evaluation, &quiescence);
            chosen.is_some_and(|mv| problem.is_solved_by(mv))
        };
        Ok(problems.filter(solves).count() as u32)
    }
}

/// What does a position of a suite cost, and is it solved?
pub struct Solve<'a> {
    pub key: String,
    pub params: &'a ParamSet,
    pub place: usize,
    pub cap: u64,
}

impl Task for Solve<'_> {
    type Answer = (u64, bool);

    fn key(&self) -> String {
        self.key.clone()
    }

    fn digest(&self) -> String {
        digest_of([self.params])
    }

    fn fits(&self, (nodes, _): &(u64, bool)) -> bool {
        *nodes <= self.cap
    }

    fn worst(&self) -> (u64, bool) {
        (self.cap, false)
    }

    fn describe(&self) -> String {
        let tables = (Vec::new(), vec![Table::Eval, Table::Search]);
        params_toml(self.params, &tables, &Vec::new())
    }
}

/// Searches positions of a suite with one set of parameters after the other.
pub struct Puzzler<'a> {
    solver: Solver,
    params: ParamSet,
    problems: &'a [Epd],
    place: Option<String>,
}

impl<'a> Puzzler<'a> {
    /// With these parameters to begin with.
    pub fn new(rule: Rule, params: &ParamSet, problems: &'a [Epd]) -> Result<Self, TableError> {
        Ok(Puzzler {
            solver: Solver::new(rule, params.clone())?,
            params: params.clone(),
            problems,
            place: None,
        })
    }
}

impl Worker<Solve<'_>> for Puzzler<'_> {
    fn answer(&mut self, task: &Solve<'_>) -> Result<(u64, bool), RunError> {
        let Some(problem) = self.problems.get(task.place) else {
            return Ok(task.worst());
        };
        self.place = Some(problem.position.to_fen());
        if self.params != *task.params {
            self.params = task.params.clone();
            self.solver.set_params(task.params.clone());
        }
        let cost = self.solver.cost(from_ref(problem));
        Ok((cost.nodes, cost.solved))
    }

    fn place(&self) -> String {
        self.place.clone().unwrap_or_default()
    }
}
