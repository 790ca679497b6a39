//! How many positions does an evaluation solve by a 1-ply search, as the engine itself plays it?

use crate::encoding::by_place;
use crate::encoding::rows::digest_of_evaluations;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use engine::epd::Epd;
use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// See the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Choose {
    /// The task's name.
    pub key: String,
    /// Whose evaluation.
    #[serde(with = "by_place")]
    pub evaluation: Arc<EvalParams>,
    /// The first position of a block, from 0.
    pub first: usize,
    /// Positions of the block.
    pub count: usize,
}

impl Task for Choose {
    const KIND: &'static str = "choose";
    type Answer = u32;

    fn key(&self) -> String {
        self.key.clone()
    }

    fn digest(&self) -> String {
        digest_of_evaluations([&*self.evaluation])
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

/// Chooses moves in these positions.
pub struct Chooser<'a>(pub &'a [Epd]);

impl Worker<Choose> for Chooser<'_> {
    fn answer(&mut self, task: &Choose) -> Result<u32, WorkError> {
        let problems = self.0.iter().skip(task.first).take(task.count);
        let quiescence = Quiescence::default();
        let solves = |problem: &&Epd| {
            let chosen = choose_one_ply(&problem.position, &task.evaluation, &quiescence);
            chosen.is_some_and(|mv| problem.is_solved_by(mv))
        };
        Ok(problems.filter(solves).count() as u32)
    }
}
